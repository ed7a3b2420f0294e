"""Pumps and motors: a displacement between a shaft and two ports, with leakage and friction.

A machine of the displacement D per revolution moves the volume D w/(2 pi) from port_a to port_b and needs the torque
that the oil's energy asks for. With rho at the mean pressure and tau = flange.tau,

    m_flow = rho (D w/(2 pi) + G dp),     tau = D/(2 pi) rho (h(port_b.p) - h(port_a.p)) + tau_friction

For stiff oil the torque is D/(2 pi) (p_b - p_a). Signs: turned forward (w > 0) it carries oil from port_a to port_b. A
pump has the higher pressure at port_b and takes a positive torque; a motor has it at port_a, its torque is negative: it
drives. The same machine does both, in all four quadrants. Losses come from two efficiencies of its data sheet,
measured at dp_nominal, w_nominal and nu_nominal:

    leakage    G dp from the higher to the lower pressure, laminar: G falls as the viscosity rises
    friction   k D/(2 pi) |dp| against the rotation, and d w

For a pump 1 - eta_v is the part of the flow that leaks back and 1/eta_m - 1 the part of torque that comes on top; for a
motor they are counted from the other side, 1/eta_v - 1 and 1 - eta_m. Dry friction passes through zero speed as
tanh(w/w_small); it does not hold a shaft at rest (rotational.BearingFriction does).
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.interfaces import Restriction, Statements
from tellegen.library.rotational import OneFlange

TWO_PI = 6.283185307179586


class DisplacementMachine(Restriction, OneFlange):
    """Base of pumps and motors: m_flow = rho (D w/(2 pi) + G dp), flange.tau = D/(2 pi) rho dh + friction."""

    D = tg.parameter(20e-6, "m3", "displacement per revolution", min=1e-300)
    eta_v = tg.parameter(0.95, "1", "volumetric efficiency at the rating", min=1e-6, max=1.0)
    eta_m = tg.parameter(0.92, "1", "mechanical efficiency at the rating", min=1e-6, max=1.0)
    dp_nominal = tg.parameter(200e5, "Pa", "pressure difference of the rating", min=1e-300)
    w_nominal = tg.parameter(1500.0, "rpm", "speed of the rating", min=1e-300)
    nu_nominal = tg.parameter(46e-6, "m2/s", "viscosity of the rating", min=1e-300)
    d = tg.parameter(0.0, "N.m.s/rad", "viscous friction of the shaft", min=0.0)
    w_small = tg.parameter(0.1, "rad/s", "speed below which dry friction is smoothed", min=1e-300)
    phi = tg.variable("rad", "angle of the shaft against the housing")
    w = tg.variable("rad/s", "speed of the shaft against the housing")
    tau_friction = tg.variable("N.m", "torque of friction, positive against positive w")
    q_leak = tg.variable("m3/s", "leakage from port_a to port_b")

    def radian(self) -> Any:
        """The displacement per radian."""
        return self.D / TWO_PI

    def leaking(self) -> Any:
        """The part of the flow of the rating that leaks, by the efficiency."""
        raise NotImplementedError(f"{type(self).__name__} has to define leaking()")

    def rubbing(self) -> Any:
        """The part of the torque of the rating that friction takes, by the efficiency."""
        raise NotImplementedError(f"{type(self).__name__} has to define rubbing()")

    def losses(self) -> Any:
        dh = self.oil.h(self.port_a.p) - self.oil.h(self.port_b.p)
        return self.rho() * self.q_leak * dh + self.tau_friction * self.w

    def equations(self) -> Statements:
        rated = self.D / TWO_PI * self.w_nominal / self.dp_nominal
        dh = self.oil.h(self.port_b.p) - self.oil.h(self.port_a.p)
        yield self.phi == self.angle(self.flange)
        yield self.w == tg.der(self.phi)
        yield self.q_leak == self.leaking() * rated * self.nu_nominal / self.oil.nu * self.dp
        yield self.q == self.radian() * self.w + self.q_leak
        dry = self.rubbing() * self.D / TWO_PI * abs(self.dp) * tg.tanh(self.w / self.w_small)
        yield self.tau_friction == dry + self.d * self.w
        yield self.flange.tau == self.radian() * self.rho() * dh + self.tau_friction


class Pump(DisplacementMachine):
    """Pump of constant displacement: q = D w/(2 pi) + G dp to port_b, tau = D/(2 pi) (p_b - p_a) + friction.

    At the rating q = eta_v D w/(2 pi) and tau = D/(2 pi) dp_nominal/eta_m. It may turn backward and be driven by oil.
    """

    def leaking(self) -> Any:
        return 1.0 - self.eta_v

    def rubbing(self) -> Any:
        return 1.0 / self.eta_m - 1.0


class Motor(DisplacementMachine):
    """Motor of constant displacement: driven by oil from port_a to port_b, tau = -D/(2 pi) (p_a - p_b) + friction.

    q = D w/(2 pi) + G dp. At the rating q = D w/(2 pi)/eta_v, and the shaft gives eta_m D/(2 pi) dp_nominal.
    """

    def leaking(self) -> Any:
        return 1.0 / self.eta_v - 1.0

    def rubbing(self) -> Any:
        return 1.0 - self.eta_m


class VariablePump(Pump):
    """Pump whose displacement a signal sets: q = u D w/(2 pi) + G dp, u from -1 to 1; leakage stays.

    tau = u D/(2 pi) (p_b - p_a) + friction. With u < 0 it carries oil from port_b to port_a.
    """

    u = tg.input("1", "displacement over D, -1 to 1; what is beyond counts as -1 or 1")

    def radian(self) -> Any:
        return self.D / TWO_PI * tg.minimum(tg.maximum(self.u, -1.0), 1.0)


class VariableMotor(Motor):
    """Motor whose displacement a signal sets: q = u D w/(2 pi) + G dp, u from -1 to 1; leakage stays."""

    u = tg.input("1", "displacement over D, -1 to 1; what is beyond counts as -1 or 1")

    def radian(self) -> Any:
        return self.D / TWO_PI * tg.minimum(tg.maximum(self.u, -1.0), 1.0)
