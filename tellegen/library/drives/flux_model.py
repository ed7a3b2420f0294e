"""Where the flux of the rotor of an induction machine stands: the model that field orientation needs.

In axes whose d axis lies in the flux psi_r of the rotor, psi_qr = 0, and the equations of the cage become

    T_r dpsi_r/dt + psi_r = Lm i_d,       w_axes = p w + Lm i_q/(T_r psi_r),       T_r = (Lm + Lrsigma)/Rr

with dgamma/dt = w_axes for the angle of the axes (current model). The torque is 3/2 p Lm/(Lm + Lrsigma) psi_r i_q.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.drives.base import Regulator, Statements
from tellegen.library.polyphase.transforms import park


class RotorFluxModel(Regulator):
    """Flux of the rotor and its angle from the phase currents and the speed (current model)."""

    i = tg.input("A", "currents of the phases", shape=3)
    w = tg.input("rad/s", "mechanical angular velocity")
    i_d = tg.output("A", "current in the direction of the flux")
    i_q = tg.output("A", "current across it")
    psi = tg.output("Wb", "flux linkage of the rotor")
    gamma = tg.output("rad", "electrical angle of the flux from the axis of phase a")
    w_axes = tg.output("rad/s", "electrical angular velocity of the flux")
    p = tg.parameter(2, "1", "pole pairs")
    Lm = tg.parameter(9.2253e-3, "H", "main inductance", min=0.0)
    Lrsigma = tg.parameter(3.2396e-4, "H", "leakage inductance of the rotor, referred to the stator", min=0.0)
    Rr = tg.parameter(0.04, "ohm", "resistance of the rotor, referred to the stator", min=0.0)
    x_psi = tg.variable("Wb", "flux; at a tick, that of the next one", start=0.0)
    x_gamma = tg.variable("rad", "angle; at a tick, that of the next one", start=0.0)
    psi_min = tg.parameter(1e-3, "Wb", "flux below which the slip is not computed with it", min=0.0)

    def equations(self) -> Statements:
        T_r = (self.Lm + self.Lrsigma) / self.Rr
        psi = self.past(self.x_psi)
        gamma = self.past(self.x_gamma)
        i_d, i_q, _ = park(self.i, gamma)
        w_axes = self.p * self.w + self.Lm * i_q / (T_r * tg.maximum(psi, self.psi_min))
        rates = [(self.x_psi, (self.Lm * i_d - psi) / T_r), (self.x_gamma, w_axes)]
        outputs = [self.psi == psi, self.gamma == gamma, self.w_axes == w_axes, self.i_d == i_d, self.i_q == i_q]
        yield from self.act(rates, outputs)
