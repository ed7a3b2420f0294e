"""Sources and sensors of magnetic circuits."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.magnetic.interfaces import Statements, TwoPort


class ConstantMagneticPotentialDifference(TwoPort):
    """A constant magnetic potential difference: port_p.V_m - port_n.V_m = V_m_constant, as of a coil with N i."""

    V_m_constant = tg.parameter(1.0, "A", "magnetic potential difference, port_p less port_n")

    def equations(self) -> Statements:
        yield self.V_m == self.V_m_constant


class SignalMagneticPotentialDifference(TwoPort):
    """A magnetic potential difference that a signal sets: port_p.V_m - port_n.V_m = V_m_set.

    V_m is the variable of every two-port, so the input is not named V_m.
    """

    V_m_set = tg.input("A")

    def equations(self) -> Statements:
        yield self.V_m == self.V_m_set


class ConstantMagneticFlux(TwoPort):
    """A constant flux Phi_constant from port_p to port_n inside the source."""

    Phi_constant = tg.parameter(1e-4, "Wb", "flux from port_p to port_n")

    def equations(self) -> Statements:
        yield self.Phi == self.Phi_constant


class SignalMagneticFlux(TwoPort):
    """A flux that a signal sets: Phi_set from port_p to port_n inside the source.

    Phi is the variable of every two-port, so the input is not named Phi.
    """

    Phi_set = tg.input("Wb")

    def equations(self) -> Statements:
        yield self.Phi == self.Phi_set


class MagneticPotentialDifferenceSensor(TwoPort):
    """Measures V_m = port_p.V_m - port_n.V_m; no flux goes through it."""

    y = tg.output("A")

    def equations(self) -> Statements:
        yield self.Phi == 0
        yield self.y == self.V_m


class MagneticFluxSensor(TwoPort):
    """Measures the flux from port_p to port_n, without a potential difference."""

    y = tg.output("Wb")

    def equations(self) -> Statements:
        yield self.V_m == 0
        yield self.y == self.Phi
