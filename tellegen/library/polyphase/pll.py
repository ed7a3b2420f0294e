"""The phase-locked loop: angle, frequency and amplitude of three measured voltages.

In axes that turn with the estimated angle the pointer of the voltages stands still, and its component q says how far
the estimate lags. A PI controller turns the axes until q is zero:

    w = 2 pi f_nominal + kp q/V + ki x,     dx/dt = q/V,     dphi/dt = w

The loop is of second order with kp = 2 D w0 and ki = w0^2: natural frequency w0 and damping D.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.polyphase.interfaces import Statements
from tellegen.library.polyphase.transforms import park


class PLL(tg.Component):
    """Follows three voltages: phi = angle of phase a, so that they are u = V cos(phi - 2 pi k/3) once it has locked."""

    u = tg.input("V", "voltages of phases a, b, c", shape=3)
    f_nominal = tg.parameter(50.0, "Hz", "frequency at the start")
    f0 = tg.parameter(10.0, "Hz", "natural frequency of the loop", min=0.0)
    D = tg.parameter(0.7071, "1", "damping of the loop", min=0.0)
    V_min = tg.parameter(1.0, "V", "amplitude below which the loop slows down, so that nothing is divided by zero")
    phi = tg.output("rad", "angle of phase a; grows without bound", start=0.0)
    w = tg.output("rad/s", "angular frequency")
    f = tg.output("Hz", "frequency")
    V = tg.output("V", "amplitude")
    x = tg.variable("1", "integral of the relative error q/V, times the natural frequency", start=0.0)

    def equations(self) -> Statements:
        d, q, _ = park(self.u, self.phi)
        w0 = 2.0 * tg.pi * self.f0
        yield self.V == tg.sqrt(d**2 + q**2)
        error = q / tg.no_event(tg.maximum(self.V, self.V_min))
        yield tg.der(self.x) == w0 * error
        yield self.w == 2.0 * tg.pi * self.f_nominal + w0 * (2.0 * self.D * error + self.x)
        yield tg.der(self.phi) == self.w
        yield 2.0 * tg.pi * self.f == self.w
