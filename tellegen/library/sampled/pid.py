"""The PID controller as it is programmed: position form, limits, anti-windup, filtered derivative, manual mode.

After K. J. Astrom and T. Haegglund, Advanced PID Control, chapters 3 and 13: setpoint weights, back-calculation, and a
backward difference for the derivative, which is stable for any filter time.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.sampled.base import Sampled, Statements

NO_LIMIT = 1e300


class PID(Sampled):
    """y = kp (b r - m) + integral of ki (r - m) - kd dm/dt, within limits, and manual without a bump."""

    reference = tg.input(description="wanted value r")
    measured = tg.input(description="measured value m")
    manual = tg.input(description="output in manual mode", default=0.0)
    automatic = tg.input("1", "above 0.5: control, else y is manual", default=1.0)
    y = tg.output(description="output", start=0.0)
    kp = tg.parameter(1.0, description="proportional gain")
    ki = tg.parameter(0.0, description="integral gain, per second")
    kd = tg.parameter(0.0, description="derivative gain, seconds")
    Tf = tg.parameter(0.0, "s", "time constant of the filter of the derivative", min=0.0)
    b = tg.parameter(1.0, "1", "weight of the reference in the proportional part")
    kt = tg.parameter(
        abs(ki) / tg.maximum(abs(kp), 1e-9),
        "1/s",
        "back-calculation: rate at which the integral follows an output at its limit; 0 lets it wind up",
        min=0.0,
    )
    y_min = tg.parameter(-NO_LIMIT, description="lower limit of y")
    y_max = tg.parameter(NO_LIMIT, description="upper limit of y")
    integral = tg.variable(description="integral part for the next tick", discrete=True, start=0.0)
    derivative = tg.variable(description="derivative part", discrete=True, start=0.0)
    last = tg.variable(description="m of the last tick", discrete=True, start=0.0)
    ticks = tg.integer("ticks so far")

    def equations(self) -> Statements:
        """One tick; at the first the derivative is zero, as nothing is known of the past."""
        T = self.clock.period
        m = self.measured
        past = tg.pre(self.derivative)
        change = tg.where(tg.pre(self.ticks) == 0, 0.0, m - tg.pre(self.last))
        derivative = (self.Tf * past - self.kd * change) / (self.Tf + T)
        direct = self.kp * (self.b * self.reference - m) + derivative
        wish = direct + tg.pre(self.integral)
        controlled = self.automatic > 0.5
        y = tg.minimum(tg.maximum(tg.where(controlled, wish, self.manual), self.y_min), self.y_max)
        excess = tg.minimum(self.kt * T, 1.0) * (y - wish)
        integral = tg.pre(self.integral) + T * self.ki * (self.reference - m) + excess
        yield tg.when(
            self.clock.tick,
            self.y == y,
            self.integral == tg.where(controlled, integral, y - direct),  # so that control would give the same y
            self.derivative == derivative,
            self.last == m,
            self.ticks == tg.pre(self.ticks) + 1,
        )
