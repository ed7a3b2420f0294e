"""Capacitors and inductors that depend on temperature, with the heat that this takes and gives.

The free energy of a capacitor of charge q is q^2/(2 C(T)). Its entropy is S = (v^2/2) dC/dT, so that changing the
voltage at a temperature takes or gives heat, reversibly: Q_flow = T dS/dt = T (dC/dT) v dv/dt, and the energy inside is
C v^2/2 + T S. Leaving that heat out would make a machine that works for nothing. An inductor of flux psi = L(T) i has
Q_flow = T (dL/dT) i di/dt and L i^2/2 + T (i^2/2) dL/dT in the same way.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Statements
from tellegen.library.thermal import HeatPort


class WarmCapacitor(OnePort):
    """Capacitor with C = C_ref (1 + alpha (T - T_ref)): i = d(C v)/dt, Q_flow = T dC/dT v dv/dt."""

    heat_port = HeatPort("its temperature")
    C_ref = tg.parameter(1.0, "F", "capacitance at T_ref", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of the capacitance with temperature")
    T_ref = tg.parameter(300.15, "K", "reference temperature", min=0.0)
    C = tg.variable("F", "capacitance")

    def equations(self) -> Statements:
        yield self.C == self.C_ref * (1.0 + self.alpha * (self.heat_port.T - self.T_ref))
        yield self.i == self.C * tg.der(self.v) + self.v * tg.der(self.C)
        yield self.heat_port.Q_flow == self.heat_port.T * self.C_ref * self.alpha * self.v * tg.der(self.v)


class WarmInductor(OnePort):
    """Inductor with L = L_ref (1 + alpha (T - T_ref)): v = d(L i)/dt, Q_flow = T dL/dT i di/dt."""

    heat_port = HeatPort("its temperature")
    L_ref = tg.parameter(1.0, "H", "inductance at T_ref", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of the inductance with temperature")
    T_ref = tg.parameter(300.15, "K", "reference temperature", min=0.0)
    L = tg.variable("H", "inductance")

    def equations(self) -> Statements:
        yield self.L == self.L_ref * (1.0 + self.alpha * (self.heat_port.T - self.T_ref))
        yield self.v == self.L * tg.der(self.i) + self.i * tg.der(self.L)
        yield self.heat_port.Q_flow == self.heat_port.T * self.L_ref * self.alpha * self.i * tg.der(self.i)
