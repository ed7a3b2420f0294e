"""From numbers to Booleans: comparisons, also with memory. Every change is an event, found to the tolerance."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import SI2SO, SISO, Statements, signal


class Comparison(SI2SO):
    """Two numbers compared: a base."""

    y = tg.output("1", "output, 0 or 1")


class Greater(Comparison):
    """True where u1 > u2."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u1 > self.u2)


class GreaterEqual(Comparison):
    """True where u1 >= u2."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u1 >= self.u2)


class Less(Comparison):
    """True where u1 < u2."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u1 < self.u2)


class LessEqual(Comparison):
    """True where u1 <= u2."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u1 <= self.u2)


class Threshold(SISO):
    """A number compared with a threshold: a base."""

    threshold = tg.parameter(0.0, description="what u is compared with")
    y = tg.output("1", "output, 0 or 1")


class GreaterThreshold(Threshold):
    """True where u > threshold."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u > self.threshold)


class GreaterEqualThreshold(Threshold):
    """True where u >= threshold."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u >= self.threshold)


class LessThreshold(Threshold):
    """True where u < threshold."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u < self.threshold)


class LessEqualThreshold(Threshold):
    """True where u <= threshold."""

    def equations(self) -> Statements:
        yield self.y == signal(self.u <= self.threshold)


class Hysteresis(SISO):
    """Becomes true when u rises above u_high, false when it falls below u_low, and stays as it is in between."""

    u_low = tg.parameter(0.0, description="below it y becomes false")
    u_high = tg.parameter(1.0, description="above it y becomes true")
    pre_y_start = tg.parameter(False, structural=True, description="value at the start, if u is in between")
    y = tg.output("1", "output, 0 or 1")
    on = tg.variable("1", "output that is kept", discrete=True, start=0.0)

    def equations(self) -> Statements:
        start = float(self.pre_y_start)
        yield (
            tg.when(self.u > self.u_high, self.on == 1.0)
            .elsewhen(self.u < self.u_low, self.on == 0.0)
            .elsewhen(tg.initial(), self.on == start)
        )
        yield self.y == self.on


class OnOffController(tg.Component):
    """True when u falls below reference - bandwidth/2, false when it rises above reference + bandwidth/2."""

    reference = tg.input(description="wanted value")
    u = tg.input(description="measured value")
    bandwidth = tg.parameter(0.1, description="width of the band in which y is kept", min=0.0)
    pre_y_start = tg.parameter(False, structural=True, description="value at the start, if u is in the band")
    y = tg.output("1", "output, 0 or 1")
    on = tg.variable("1", "output that is kept", discrete=True, start=0.0)

    def equations(self) -> Statements:
        start = float(self.pre_y_start)
        half = 0.5 * self.bandwidth
        yield (
            tg.when(self.u < self.reference - half, self.on == 1.0)
            .elsewhen(self.u > self.reference + half, self.on == 0.0)
            .elsewhen(tg.initial(), self.on == start)
        )
        yield self.y == self.on
