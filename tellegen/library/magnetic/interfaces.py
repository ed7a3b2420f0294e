"""What magnetic components have in common: ports, and a flux from one to another.

A port has a magnetic potential V_m (ampere-turns) and a flux Phi (weber), positive into the component. Their product is
an energy, not a power: the power that goes in through a port is V_m dPhi/dt. So a reluctance stores, as a spring does,
and what has V_m = G dPhi/dt (an eddy current) dissipates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]

MU_0 = 1.25663706127e-6
"""Permeability of the vacuum, H/m (CODATA 2022)."""


class MagneticPort(tg.Connector):
    """An end of a flux tube."""

    V_m = tg.across("A", "magnetic potential")
    Phi = tg.through("Wb", "flux into the component")


class TwoPort(tg.Component):
    """Two ports: V_m = port_p.V_m - port_n.V_m drops along the flux Phi, which goes from port_p to port_n."""

    port_p = MagneticPort("where flux comes in")
    port_n = MagneticPort("where it leaves")
    V_m = tg.variable("A", "magnetic potential difference, port_p less port_n")
    Phi = tg.variable("Wb", "flux from port_p to port_n", nominal=1e-4)

    def equations(self) -> Statements:
        yield self.V_m == self.port_p.V_m - self.port_n.V_m
        yield self.Phi == self.port_p.Phi
        yield self.port_p.Phi + self.port_n.Phi == 0


class Permeance(TwoPort):
    """Base of flux tubes without iron: Phi = G_m V_m with a permeance from the dimensions; energy Phi^2/(2 G_m)."""

    G_m = tg.variable("H", "permeance", nominal=1e-6)

    def permeance(self) -> Any:
        """The permeance, an expression of the dimensions."""
        raise NotImplementedError(f"{type(self).__name__} has to define permeance()")

    def equations(self) -> Statements:
        yield self.G_m == self.permeance()
        yield (self.Phi == self.permeance() * self.V_m)  # G_m itself could become a state
