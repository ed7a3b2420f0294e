"""Pulses of one duty cycle: for choppers, and from a wanted voltage."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import blocks
from tellegen.library.power_converters.interfaces import Statements

CARRIERS = ("sawtooth", "triangle")


class SignalPWM(tg.Component):
    """fire is true while the duty cycle, read at the begin of a period 1/f, is above a carrier from 0 to 1.

    A sawtooth makes pulses that begin with the period, a triangle halves at both ends of it. not_fire is the opposite.
    """

    f = tg.parameter(1000.0, "Hz", "switching frequency", min=1e-300)
    carrier = tg.parameter("sawtooth", structural=True, description=", ".join(CARRIERS), choices=CARRIERS)
    start_time = tg.parameter(0.0, "s", "begin of the first period")
    duty_cycle = tg.input("1", "part of the time in which fire is true, 0 to 1", default=0.5)
    fire = tg.output("1", "pulses, 0 or 1")
    not_fire = tg.output("1", "opposite of fire")
    held = tg.variable("1", "duty cycle of this period", discrete=True, start=0.0)
    saw = blocks.SawTooth(period=1.0 / f, start_time=start_time)

    def equations(self) -> Statements:
        limited = tg.minimum(tg.maximum(self.duty_cycle, 0.0), 1.0)
        yield tg.when(tg.sample(self.start_time, 1.0 / self.f) | tg.initial(), self.held == limited)
        since = (tg.time - self.saw.begin) * self.f
        if self.carrier == "sawtooth":
            on = since < self.held
        else:
            on = (since < 0.5 * self.held) | (since >= 1.0 - 0.5 * self.held)
        on = on & (tg.time >= self.start_time)
        yield self.fire == tg.where(on, 1.0, 0.0)
        yield self.not_fire == 1.0 - self.fire


class Voltage2DutyCycle(tg.Component):
    """The duty cycle that gives a wanted voltage: v/v_lim from 0 on, or (1 + v/v_lim)/2 if it has both signs.

    With `reciprocal`, that of a step-up chopper from v_lim to v: 1 - v_lim/v.
    """

    reciprocal = tg.parameter(False, structural=True, description="of a step-up chopper")
    use_bipolar_voltage = tg.parameter(True, structural=True, description="v has both signs")
    v = tg.input("V", "wanted voltage")
    v_lim = tg.input("V", "voltage at the duty cycle 1; with reciprocal at 0", default=1.0)
    duty_cycle = tg.output("1", "duty cycle")

    def equations(self) -> Statements:
        if self.reciprocal:
            yield self.duty_cycle == 1.0 - self.v_lim / tg.maximum(self.v, self.v_lim)
        elif self.use_bipolar_voltage:
            part = tg.minimum(tg.maximum(self.v / self.v_lim, -1.0), 1.0)
            yield self.duty_cycle == 0.5 * (1.0 + part)
        else:
            yield self.duty_cycle == tg.minimum(tg.maximum(self.v / self.v_lim, 0.0), 1.0)
