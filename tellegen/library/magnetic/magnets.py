"""Permanent magnets on the straight part of their curve, with the numbers of `magnetic.hard("NdFeB")`.

A magnet is magnetized from port_n to port_p: shorted, it drives the flux B_r A out of port_p, so that Phi, which is
positive into port_p, is -B_r A. Hence B = Phi/A = mu_0 mu_r H - B_r with V_m = H l: an open magnet (Phi = 0) has
H = H_cB = B_r/(mu_0 mu_r) and V_m = H_cB l, the potential a coil of N i = H_cB l in its place would have.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.magnetic.interfaces import MU_0, Statements, TwoPort


class PermanentMagnet(TwoPort):
    """A magnet of length l and area A: B = mu_0 mu_r H - B_r, the higher potential at port_p.

    Its energy, mu_0 mu_r H^2 A l/2, is counted from the shorted magnet on. A field beyond the coercivity,
    H > B_r/(mu_0 mu_r), would take part of the magnetization away; the run continues along the straight line, with a
    warning.
    """

    l = tg.parameter(0.005, "m", "length along the magnetization", min=0.0)  # noqa: E741
    A = tg.parameter(1e-4, "m2", "area of the cross-section", min=0.0)
    B_r = tg.parameter(1.2, "T", "remanence", min=0.0)
    mu_r = tg.parameter(1.061, "1", "relative permeability, B_r/(mu_0 H_cB)", min=0.0)
    B = tg.variable("T", "flux density, positive into port_p")
    H = tg.variable("A/m", "field strength", nominal=1e5)

    def equations(self) -> Statements:
        yield self.Phi == self.B * self.A
        yield self.B == MU_0 * self.mu_r * self.H - self.B_r
        yield self.V_m == self.H * self.l
        yield tg.region(self.B <= 0, "the magnet is driven beyond its coercivity")
