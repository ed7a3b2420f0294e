"""Which currents make a torque: i_d = 0, the least current for it (MTPA), and less flux at high speed.

A synchronous machine has the torque 3/2 p (psi + (L_d - L_q) i_d) i_q. Among all currents of one torque that with the
least length obeys, with D = L_q - L_d,

    i_d = -2 D i_q^2 / (psi + sqrt(psi^2 + 4 D^2 i_q^2))

which is zero without saliency. With x = 2 D i_q/psi the torque along this curve is

    tau = 3/2 p psi^2/(4 D) x (1 + sqrt(1 + x^2))

which rises with x. Three steps of Newton's method from x = T/(1 + sqrt(1 + |T|)), T = 8/3 D tau/(p psi^2), which is
right for small and for large torques, leave no error to speak of: a formula that can also be evaluated at a tick.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.drives.base import Regulator, Statements


class CurrentReference(tg.Component):
    """Currents of a synchronous machine for a torque: with i_d = 0, or the least current (mtpa), plus i_d_more.

    i_d_more comes from FieldWeakening. i_q is cut off where the current would be longer than i_max.
    """

    mtpa = tg.parameter(False, structural=True, description="the least current for the torque; else i_d = 0")
    tau = tg.input("N.m", "wanted torque")
    i_d_more = tg.input("A", "current to weaken the field, not above 0", default=0.0)
    i_d = tg.output("A", "wanted current, d axis")
    i_q = tg.output("A", "wanted current, q axis")
    p = tg.parameter(2, "1", "pole pairs")
    psi = tg.parameter(0.5, "Wb", "flux linkage of the magnets, amplitude")
    L_d = tg.parameter(1e-3, "H", "inductance, d axis", min=0.0)
    L_q = tg.parameter(L_d, "H", "inductance, q axis", min=0.0)
    i_max = tg.parameter(1e9, "A", "longest current phasor", min=0.0)
    x = tg.variable("1", "2 (L_q - L_d) i_q/psi of the least current: a guess, and Newton's method", shape=4)

    def equations(self) -> Statements:
        D = self.L_q - self.L_d
        T = 4.0 * D * self.tau / (1.5 * self.p * self.psi**2) if self.mtpa else 0.0
        yield self.x[0] == T / (1.0 + tg.sqrt(1.0 + abs(T)))
        for k in range(3):
            x = self.x[k]
            root = tg.sqrt(1.0 + self.x[k] ** 2)
            yield self.x[k + 1] == x - (x * (1.0 + root) - T) / (1.0 + root + x**2 / root)
        i_q = self.tau / (0.75 * self.p * self.psi * (1.0 + tg.sqrt(1.0 + self.x[3] ** 2)))
        least = -2.0 * D * i_q**2 / (self.psi + tg.sqrt(self.psi**2 + 4.0 * D**2 * i_q**2)) if self.mtpa else 0.0
        yield self.i_d == tg.maximum(least + self.i_d_more, -self.i_max)
        free = self.tau / (1.5 * self.p * (self.psi - D * self.i_d))
        most = tg.sqrt(tg.maximum(self.i_max**2 - self.i_d**2, 0.0))
        yield self.i_q == tg.minimum(tg.maximum(free, -most), most)


class FieldWeakening(Regulator):
    """Lowers i_d until the voltage is no longer than its limit: an integral regulator between -i_max and 0."""

    v_d = tg.input("V", "voltage, d axis")
    v_q = tg.input("V", "voltage, q axis")
    v_limit = tg.input("V", "longest voltage phasor that is wanted, some per cent below what there is")
    i_d = tg.output("A", "current to weaken the field", start=0.0)
    k = tg.parameter(100.0, "A/(V.s)", "gain", min=0.0)
    i_max = tg.parameter(100.0, "A", "largest current against the field", min=0.0)
    T_back = tg.parameter(0.01, "s", "time in which the integral comes back from beyond a limit", min=0.0)
    x = tg.variable("A", "integral", start=0.0)

    def equations(self) -> Statements:
        x = self.past(self.x)
        i_d = tg.minimum(tg.maximum(x, -self.i_max), 0.0)
        spare = self.v_limit - tg.sqrt(self.v_d**2 + self.v_q**2 + 1e-12)
        yield from self.act([(self.x, self.k * spare + (i_d - x) / self.T_back)], [self.i_d == i_d])
