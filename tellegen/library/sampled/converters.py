"""Where numbers meet the world: quantizers, converters between voltage and code, encoders."""

from __future__ import annotations

from math import tau

import tellegen as tg
from tellegen.library.sampled.base import Sampled, SampledSISO, Statements


class Quantizer(SampledSISO):
    """y is the multiple of q nearest to u."""

    q = tg.parameter(1.0, description="quantum")

    def equations(self) -> Statements:
        yield tg.when(self.clock.tick, self.y == self.q * tg.floor(self.u / self.q + 0.5))


class Converter(Sampled):
    """Codes 0 ... 2^bits - 1 for the range from low to high; one step is (high - low)/2^bits."""

    bits = tg.parameter(12, "1", "resolution")
    low = tg.parameter(0.0, description="value of code 0")
    high = tg.parameter(1.0, description="upper end of the range, one step above the last code")


class ADC(Converter):
    """Code of the step nearest to u, saturated at the ends of the range; y is the value it stands for."""

    u = tg.input(description="input")
    code = tg.output("1", "the number")
    y = tg.output(description="low + code step", start=0.0)

    def equations(self) -> Statements:
        levels = 2.0**self.bits
        step = (self.high - self.low) / levels
        nearest = tg.floor((self.u - self.low) / step + 0.5)
        code = tg.minimum(tg.maximum(nearest, 0.0), levels - 1.0)
        yield tg.when(self.clock.tick, self.code == code, self.y == self.low + code * step)


class DAC(Converter):
    """y is the value of a code, rounded to an integer and saturated at the first and last one."""

    code = tg.input("1", "the number")
    y = tg.output(description="low + code step", start=0.0)

    def equations(self) -> Statements:
        levels = 2.0**self.bits
        code = tg.minimum(tg.maximum(tg.floor(self.code + 0.5), 0.0), levels - 1.0)
        yield tg.when(self.clock.tick, self.y == self.low + code * (self.high - self.low) / levels)


class Encoder(Sampled):
    """Counts the edges of an incremental encoder; speed is the difference of two counts per period."""

    lines = tg.parameter(256, "1", "lines per turn")
    edges = tg.parameter(4, "1", "edges counted per line: 1, 2 or 4")
    phi = tg.input("rad", "angle")
    count = tg.output("1", "edges passed, rounded down")
    angle = tg.output("rad", "angle of the count")
    speed = tg.output("rad/s", "change of the angle since the last tick, per period")
    ticks = tg.integer("ticks so far")

    def equations(self) -> Statements:
        quantum = tau / (self.lines * self.edges)
        count = tg.floor(self.phi / quantum)
        passed = tg.where(tg.pre(self.ticks) == 0, 0.0, count - tg.pre(self.count))
        yield tg.when(
            self.clock.tick,
            self.count == count,
            self.angle == count * quantum,
            self.speed == passed * quantum / self.clock.period,
            self.ticks == tg.pre(self.ticks) + 1,
        )
