"""Limits, dead zones, backlash and steps of level. Corners make no events, jumps do."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements


class Limiter(SISO):
    """y = u, but not below u_min and not above u_max."""

    u_max = tg.parameter(1.0, description="upper limit")
    u_min = tg.parameter(-u_max, description="lower limit")

    def equations(self) -> Statements:
        yield self.y == tg.minimum(tg.maximum(self.u, self.u_min), self.u_max)
        yield tg.assert_(self.u_min <= self.u_max, "u_min must not be above u_max")  # noqa: PT009


class VariableLimiter(SISO):
    """y = u, but not below limit2 and not above limit1, which are inputs."""

    limit1 = tg.input(description="upper limit")
    limit2 = tg.input(description="lower limit")

    def equations(self) -> Statements:
        yield self.y == tg.minimum(tg.maximum(self.u, self.limit2), self.limit1)


class SlewRateLimiter(SISO):
    """y follows u, but rises no faster than `rising` and falls no faster than `falling`; Td is its lag meanwhile."""

    rising = tg.parameter(1.0, description="fastest rise, per second", min=0.0)
    falling = tg.parameter(-rising, description="fastest fall, per second, negative", max=0.0)
    Td = tg.parameter(1e-3, "s", "lag for slow inputs", min=1e-300)
    y_start = tg.parameter(0.0, description="value of y at the start")
    y = tg.output(description="output", start=y_start)

    def equations(self) -> Statements:
        wanted = (self.u - self.y) / self.Td
        yield tg.der(self.y) == tg.minimum(tg.maximum(wanted, self.falling), self.rising)


class DeadZone(SISO):
    """y = 0 for u between u_min and u_max, beyond them what is left over: u - u_max or u - u_min."""

    u_max = tg.parameter(1.0, description="upper end of the zone")
    u_min = tg.parameter(-u_max, description="lower end of the zone")

    def equations(self) -> Statements:
        yield self.y == self.u - tg.minimum(tg.maximum(self.u, self.u_min), self.u_max)


class Backlash(SISO):
    """Play of width b: y rests until u has crossed the gap, and then follows with half a gap, with the lag Td."""

    b = tg.parameter(1.0, description="width of the gap", min=0.0)
    Td = tg.parameter(1e-3, "s", "lag of the pushing side: y is late by Td du/dt", min=1e-300)
    y_start = tg.parameter(0.0, description="value of y at the start")
    y = tg.output(description="output", start=y_start)

    def equations(self) -> Statements:
        gap = self.u - self.y
        pushed = gap - tg.minimum(tg.maximum(gap, -0.5 * self.b), 0.5 * self.b)
        yield self.Td * tg.der(self.y) == pushed


class Quantizer(SISO):
    """y is the multiple of `step` that is nearest to u; every change is an event."""

    step = tg.parameter(0.1, description="distance of the levels", min=1e-300)

    def equations(self) -> Statements:
        yield self.y == self.step * tg.floor(self.u / self.step + 0.5)
