"""What oil flows through against a resistance: orifices, gaps, tubes; all of them smooth around zero flow."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.interfaces import Restriction, Statements
from tellegen.library.hydraulic.orifice_flow import QUARTER_PI, between, orifice
from tellegen.library.hydraulic.tube_friction import friction


class Orifice(Restriction):
    """A sharp-edged orifice: q = Cd A sqrt(2 dp/rho), laminar below the Reynolds number Re_c.

    With the regularization of orifice_flow.py: q = Cd A sqrt(2/rho) dp/(dp^2 + dp_c^2)^(1/4), where dp_c belongs to
    Re_c.
    """

    A = tg.parameter(1e-5, "m2", "area", min=1e-300)
    Cd = tg.parameter(0.7, "1", "discharge coefficient", min=1e-300)
    Re_c = tg.parameter(100.0, "1", "Reynolds number at which the flow becomes turbulent", min=1e-300)

    def equations(self) -> Statements:
        yield self.q == orifice(self.dp, self.A, self, self.rho(), self.oil.nu)


class VariableOrifice(Restriction):
    """An orifice that a signal opens: area A_leak at opening = 0 to A_max at 1, q = Cd A sqrt(2 dp/rho)."""

    opening = tg.input("1", "0 closed to 1 open; what is beyond counts as 0 or 1")
    A_max = tg.parameter(1e-5, "m2", "area when open", min=1e-300)
    A_leak = tg.parameter(1e-12, "m2", "area when closed", min=1e-300)
    Cd = tg.parameter(0.7, "1", "discharge coefficient", min=1e-300)
    Re_c = tg.parameter(100.0, "1", "Reynolds number at which the flow becomes turbulent", min=1e-300)
    A = tg.variable("m2", "area")

    def equations(self) -> Statements:
        yield self.A == self.A_leak + (self.A_max - self.A_leak) * between(self.opening)
        yield self.q == orifice(self.dp, self.A, self, self.rho(), self.oil.nu)


class LaminarRestriction(Restriction):
    """A restriction with laminar flow: q = G dp."""

    G = tg.parameter(1e-11, "m3/(s.Pa)", "conductance", min=0.0)

    def equations(self) -> Statements:
        yield self.q == self.G * self.dp


class AnnularGap(Restriction):
    """The gap between a piston or spool and its bore: q = pi d c^3 (1 + 1.5 e^2) dp/(12 rho nu L).

    e is the eccentricity over the clearance c: 0 concentric, 1 where the piston touches the bore, which leaks 2.5
    times as much. The formula is that of laminar flow between plates.
    """

    d = tg.parameter(0.02, "m", "diameter", min=0.0)
    c = tg.parameter(10e-6, "m", "radial clearance", min=0.0)
    L = tg.parameter(0.02, "m", "length", min=1e-300)
    e = tg.parameter(0.0, "1", "eccentricity over clearance", min=0.0, max=1.0)

    def equations(self) -> Statements:
        mu = self.rho() * self.oil.nu
        yield self.q == QUARTER_PI * self.d * self.c**3 * (1.0 + 1.5 * self.e**2) / (3.0 * mu * self.L) * self.dp


class TurbulentRestriction(Restriction):
    """A filter, fitting or cooler by its rating: q = q_nominal sqrt(dp/dp_nominal), linear well below dp_small.

    Smooth around zero: q = q_nominal x/(x^2 + x0^2)^(1/4) with x = dp/dp_nominal and x0 = dp_small/dp_nominal.
    """

    q_nominal = tg.parameter(1e-3, "m3/s", "volume flow of the rating", min=0.0)
    dp_nominal = tg.parameter(1e5, "Pa", "pressure difference of the rating", min=1e-300)
    dp_small = tg.parameter(100.0, "Pa", "pressure difference where the laminar part passes into the root", min=1e-300)

    def equations(self) -> Statements:
        x = self.dp / self.dp_nominal
        x0 = self.dp_small / self.dp_nominal
        yield self.q == self.q_nominal * x * (x**2 + x0**2) ** (-0.25)


class TubeResistance(Restriction):
    """The friction of a straight tube, without inertia or capacity: dp = lambda(Re) L/d rho/2 v |v|.

    lambda = 64/Re up to Re = 2000 (laminar, dp is linear in q), Haaland's formula for rough tubes from 4000 on, and a
    line between the two; Re = |v| d/nu with the mean velocity v = q/(pi d^2/4). See tube_friction.py.
    """

    d = tg.parameter(0.01, "m", "inner diameter", min=1e-300)
    L = tg.parameter(1.0, "m", "length", min=0.0)
    roughness = tg.parameter(1.5e-6, "m", "height of the roughness of the wall; drawn tubes", min=0.0)

    def equations(self) -> Statements:
        yield self.dp == self.resistance()

    def resistance(self) -> Any:
        """The pressure that friction takes at the present flow."""
        return friction(self.q, self.rho(), self.oil.nu, self, self.L)
