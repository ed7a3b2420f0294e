"""Reluctances, the coil that joins a magnetic circuit to an electrical one, and eddy currents.

Signs of the coil. Its ports are at the ends of the path through the turns. A current i from p to n makes port_p the
one of higher potential, V_m = N i (Ampere), so flux leaves the coil at port_p, runs through the circuit outside and
comes back at port_n: Phi, positive into port_p, is negative then. With Faraday's law v = -N dPhi/dt the coil neither
stores nor loses: v i + V_m dPhi/dt = -N dPhi/dt i + N i dPhi/dt = 0, and on a reluctance R_m outside
(V_m = -R_m Phi) the voltage is v = N^2/R_m di/dt: the inductance N^2/R_m.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import OnePort
from tellegen.library.losses import Lossy
from tellegen.library.magnetic.interfaces import MU_0, MagneticPort, Permeance, Statements, TwoPort


class Ground(tg.Component):
    """Where the magnetic potential is zero, V_m = 0: every magnetic circuit needs one."""

    port = MagneticPort()

    def equations(self) -> Statements:
        yield self.port.V_m == 0


class ConstantReluctance(TwoPort):
    """A reluctance: V_m = R_m Phi, energy R_m Phi^2/2."""

    R_m = tg.parameter(1.0e6, "1/H", "reluctance", min=0.0)

    def equations(self) -> Statements:
        yield self.V_m == self.R_m * self.Phi


class ConstantPermeance(TwoPort):
    """A permeance: Phi = G_m V_m, energy G_m V_m^2/2."""

    G_m = tg.parameter(1.0e-6, "H", "permeance", min=1e-300)

    def equations(self) -> Statements:
        yield self.Phi == self.G_m * self.V_m


class VariableReluctance(TwoPort):
    """A reluctance that a signal sets: V_m = R_m Phi. Who changes it does work, Phi^2/2 dR_m/dt."""

    R_m = tg.input("1/H")

    def equations(self) -> Statements:
        yield self.V_m == self.R_m * self.Phi


class VariablePermeance(TwoPort):
    """A permeance that a signal sets: Phi = G_m V_m. Who changes it does work, -V_m^2/2 dG_m/dt."""

    G_m = tg.input("H")

    def equations(self) -> Statements:
        yield self.Phi == self.G_m * self.V_m


class LeakageWithCoefficient(Permeance):
    """The stray path beside a useful one of reluctance R_m_useful: it takes the part 1 - c_useful of the total flux.

    G_m = (1 - c_useful)/(c_useful R_m_useful).
    """

    R_m_useful = tg.input("1/H")
    c_useful = tg.parameter(0.7, "1", "useful flux over total flux", min=1e-6, max=1.0)

    def permeance(self) -> Any:
        return (1.0 - self.c_useful) / (self.c_useful * self.R_m_useful)


class Short(TwoPort):
    """No potential difference: V_m = 0."""

    def equations(self) -> Statements:
        yield self.V_m == 0


class Idle(TwoPort):
    """No flux: Phi = 0."""

    def equations(self) -> Statements:
        yield self.Phi == 0


class ElectroMagneticConverter(OnePort):
    """An ideal coil of N turns: V_m = N i, v = -N dPhi/dt; with reluctance R_m outside it has L = N^2/R_m.

    A current from p to n makes port_p the port of higher magnetic potential. Phi is positive into port_p. See the top
    of this module for the signs. The winding's resistance and stray flux stand outside, or take
    ElectroMagneticConverterWithLeakageInductance.
    """

    port_p = MagneticPort("end of the turns with the higher potential for i > 0")
    port_n = MagneticPort("the other end")
    N = tg.parameter(1.0, "1", "turns")
    V_m = tg.variable("A", "magnetic potential difference, port_p less port_n")
    Phi = tg.variable("Wb", "flux through the turns, positive into port_p", nominal=1e-4)
    Psi = tg.variable("Wb", "flux linkage N Phi", nominal=1e-2)

    def linked(self) -> Any:
        """The flux that all turns see."""
        return self.Phi

    def equations(self) -> Statements:
        yield self.V_m == self.port_p.V_m - self.port_n.V_m
        yield self.Phi == self.port_p.Phi
        yield self.port_p.Phi + self.port_n.Phi == 0
        yield self.V_m == self.N * self.i
        yield self.Psi == self.N * self.linked()
        yield self.v == -tg.der(self.Psi)


class ElectroMagneticConverterWithLeakageInductance(ElectroMagneticConverter):
    """A coil of N turns with a stray path of its own: Phi_leak = G_m V_m with G_m = mu_0 mu_rel A/L beside the circuit.

    Phi = Phi_ind + Phi_leak, and the turns see Phi_ind = Phi - G_m V_m: the stray path adds the inductance N^2 G_m and
    stores G_m V_m^2/2.
    """

    L = tg.parameter(0.01, "m", "length of the stray path", min=0.0)
    A = tg.parameter(1e-5, "m2", "area of the stray path", min=0.0)
    mu_rel = tg.parameter(1.0, "1", "relative permeability of the stray path", min=0.0)

    def stray_permeance(self) -> Any:
        return MU_0 * self.mu_rel * self.A / self.L

    def linked(self) -> Any:
        return self.Phi - self.stray_permeance() * self.V_m


class EddyCurrent(Lossy, TwoPort):
    """Currents that a changing flux drives in a conductor around it: V_m = dPhi/dt / R with R = rho l/A.

    They are a single turn that is closed over the resistance R of its path: the voltage dPhi/dt drives the current
    dPhi/dt / R, which is a magnetic potential against the change. Losses V_m dPhi/dt.
    """

    rho = tg.parameter(0.098e-6, "ohm.m", "resistivity, iron 0.098e-6", min=0.0)
    l = tg.parameter(1.0, "m", "mean length of the currents' path", min=0.0)  # noqa: E741
    A = tg.parameter(1.0, "m2", "area of the currents' path", min=0.0)

    def resistance(self) -> Any:
        return self.rho * self.l / self.A

    def losses(self) -> Any:
        return self.V_m * tg.der(self.Phi)

    def equations(self) -> Statements:
        yield self.resistance() * self.V_m == tg.der(self.Phi)
