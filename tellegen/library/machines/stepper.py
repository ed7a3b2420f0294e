"""Stepper motors."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.machines.interfaces import Rotor, Statements


class StepperMotor(Rotor):
    """Hybrid stepper with two phases: each pulls the rotor to its own teeth.

    With Nr teeth one electrical turn is 1/Nr of a turn, a full step a quarter of that: 1.8 deg for Nr = 50. Phase a
    alone, with ia > 0, holds the rotor at phi = 0, phase b with ib > 0 one step further:

        tau_electrical = k (-ia sin(Nr phi) + ib cos(Nr phi)) - tau_detent sin(4 Nr phi)
        va = R ia + L dia/dt - k w sin(Nr phi),        vb = R ib + L dib/dt + k w cos(Nr phi)

    so the currents a+, b+, a-, b- one after the other turn it forward by a step each, and ia = I cos(x), ib = I sin(x)
    holds it at phi = x/Nr (microsteps). Beyond the holding torque k I it falls into another tooth. The detent torque is
    that of the magnets without current; its four periods per tooth prefer the full steps. The losses are
    R (ia^2 + ib^2) and d w^2.
    """

    pin_ap = Pin("positive pin of phase a")
    pin_an = Pin("negative pin of phase a")
    pin_bp = Pin("positive pin of phase b")
    pin_bn = Pin("negative pin of phase b")
    Nr = tg.parameter(50.0, "1", "teeth of the rotor; a turn has 4 Nr full steps", min=1.0)
    R = tg.parameter(1.5, "ohm", "resistance of a phase at T_ref", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of R with temperature, copper 0.0039")
    L = tg.parameter(3e-3, "H", "inductance of a phase", min=0.0)
    k = tg.parameter(0.3, "N.m/A", "holding torque of a phase over its current", min=0.0)
    tau_detent = tg.parameter(0.02, "N.m", "largest detent torque", min=0.0)
    Jr = tg.parameter(3e-5, "kg.m2", "moment of inertia of the rotor", min=0.0)
    d = tg.parameter(1e-3, "N.m.s/rad", "viscous friction, and eddy currents of the rotor", min=0.0)
    va = tg.variable("V", "voltage of phase a")
    ia = tg.variable("A", "current of phase a", start=0.0)
    vb = tg.variable("V", "voltage of phase b")
    ib = tg.variable("A", "current of phase b", start=0.0)

    def resistance(self) -> Any:
        return self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref))

    def losses(self) -> Any:
        return self.resistance() * (self.ia**2 + self.ib**2) + self.braking() * self.w

    def equations(self) -> Statements:
        angle = self.Nr * self.phi
        in_a = -self.k * tg.sin(angle)
        in_b = self.k * tg.cos(angle)
        yield self.va == self.pin_ap.v - self.pin_an.v
        yield self.ia == self.pin_ap.i
        yield self.pin_ap.i + self.pin_an.i == 0
        yield self.vb == self.pin_bp.v - self.pin_bn.v
        yield self.ib == self.pin_bp.i
        yield self.pin_bp.i + self.pin_bn.i == 0
        yield self.va == self.resistance() * self.ia + self.L * tg.der(self.ia) + in_a * self.w
        yield self.vb == self.resistance() * self.ib + self.L * tg.der(self.ib) + in_b * self.w
        yield self.tau_electrical == in_a * self.ia + in_b * self.ib - self.tau_detent * tg.sin(4.0 * angle)
