"""Regulators of currents and of the speed, with gains that follow from the machine and the bandwidth asked for.

Currents. In axes that turn with w_axes a winding is v = R i + L di/dt + what turning induces. The regulator adds the
induced part, which decouples the axes, and what remains is a first-order lag L, R. A PI regulator with kp = w_c L and
ki = w_c R cancels it: the closed loop of each axis is w_c/(s + w_c) exactly, as long as the voltage lasts and the
parameters are those of the machine.

Speed. With kp = 2 w_s J, ki = w_s^2 J and a torque that follows at once both poles are at -w_s; half of the
proportional gain on the reference (b = 1/2) cancels one of them, so that the speed follows by w_s/(s + w_s), without
overshoot. Loads are rejected with both poles. The current loop should be five times as fast or more.

Anti-windup: what a limit cuts off is fed back to the integral with the rate kt (back-calculation), fast enough that the
regulator leaves its limit in time: 2 w_s for the speed, w_c for the currents.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.drives.base import Regulator, Statements, within_circle


class CurrentController(Regulator):
    """PI regulators of the currents in d and q, decoupled, within a circle of voltage."""

    i_d_ref = tg.input("A", "wanted current, d axis")
    i_q_ref = tg.input("A", "wanted current, q axis")
    i_d = tg.input("A", "current, d axis")
    i_q = tg.input("A", "current, q axis")
    w_axes = tg.input("rad/s", "electrical angular velocity of the axes")
    psi = tg.input("Wb", "flux linkage in d that does not come from i_d: of magnets or rotor", default=0.0)
    v_max = tg.input("V", "longest voltage phasor", default=1e9)
    v_d = tg.output("V", "voltage, d axis", start=0.0)
    v_q = tg.output("V", "voltage, q axis", start=0.0)
    R = tg.parameter(0.03, "ohm", "resistance of the winding", min=0.0)
    L_d = tg.parameter(1e-3, "H", "inductance, d axis", min=0.0)
    L_q = tg.parameter(L_d, "H", "inductance, q axis", min=0.0)
    w_c = tg.parameter(1000.0, "rad/s", "bandwidth", min=0.0)
    kp_d = tg.parameter(w_c * L_d, "ohm", "proportional gain, d axis")
    kp_q = tg.parameter(w_c * L_q, "ohm", "proportional gain, q axis")
    ki = tg.parameter(w_c * R, "ohm/s", "integral gain")
    kt = tg.parameter(w_c, "1/s", "rate at which the integrals follow a voltage at its limit", min=0.0)
    x_d = tg.variable("V", "integral, d axis", start=0.0)
    x_q = tg.variable("V", "integral, q axis", start=0.0)

    def equations(self) -> Statements:
        e_d = self.i_d_ref - self.i_d
        e_q = self.i_q_ref - self.i_q
        turning_d = -self.w_axes * self.L_q * self.i_q
        turning_q = self.w_axes * (self.L_d * self.i_d + self.psi)
        u_d = self.kp_d * e_d + self.past(self.x_d) + turning_d
        u_q = self.kp_q * e_q + self.past(self.x_q) + turning_q
        v_d, v_q = within_circle(u_d, u_q, self.v_max)
        rates = [
            (self.x_d, self.ki * e_d + self.kt * (v_d - u_d)),
            (self.x_q, self.ki * e_q + self.kt * (v_q - u_q)),
        ]
        yield from self.act(rates, [self.v_d == v_d, self.v_q == v_q])


class SpeedController(Regulator):
    """PI regulator of the speed: a torque within limits."""

    w_ref = tg.input("rad/s", "wanted angular velocity")
    w = tg.input("rad/s", "angular velocity")
    tau = tg.output("N.m", "wanted torque", start=0.0)
    J = tg.parameter(0.29, "kg.m2", "moment of inertia of everything that turns", min=0.0)
    w_s = tg.parameter(50.0, "rad/s", "bandwidth", min=0.0)
    tau_max = tg.parameter(1e9, "N.m", "largest torque", min=0.0)
    b = tg.parameter(0.5, "1", "weight of the reference in the proportional part")
    kp = tg.parameter(2.0 * w_s * J, "N.m.s/rad", "proportional gain")
    ki = tg.parameter(w_s**2 * J, "N.m/rad", "integral gain")
    kt = tg.parameter(2.0 * w_s, "1/s", "rate at which the integral follows a torque at its limit", min=0.0)
    x = tg.variable("N.m", "integral", start=0.0)

    def equations(self) -> Statements:
        u = self.kp * (self.b * self.w_ref - self.w) + self.past(self.x)
        tau = tg.minimum(tg.maximum(u, -self.tau_max), self.tau_max)
        rate = self.ki * (self.w_ref - self.w) + self.kt * (tau - u)
        yield from self.act([(self.x, rate)], [self.tau == tau])
