"""Iron with hysteresis, by the model of Tellinen (1998): inner loops from the two branches of the outer one.

The polarization J = B - mu_0 H lies between the falling branch F(H), which is the upper one, and the rising branch
R(H). It follows the branch it is on, the faster the more room there is to the other side:

    dJ/dH = R'(H) (F - J)/(F - R)   while H rises,      dJ/dH = F'(H) (J - R)/(F - R)   while it falls

On the rising branch (J = R) this is R' itself, so outer loops are closed; close to the falling one a rising field
changes little. The branches are J_s tanh(k (H +- H_c)) with k = artanh(B_r/J_s)/H_c: they meet at J_s, pass through
zero at the coercivity H_c and through +-B_r without field. The model is static: the loop does not depend on how fast it
is run through. What does (eddy currents in sheets of thickness d and conductivity sigma, skin effect left out) is
added as a field H_eddy = sigma d^2/12 dB/dt.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.magnetic.interfaces import MU_0, Statements, TwoPort

_ROOM = 1e-3  # of J_s between the branches, at least: where they meet a quotient 0/0 would stand


class HysteresisFluxTube(Lossy, TwoPort):
    """A tube of iron with hysteresis (Tellinen): length l, area A; saturation J_s, remanence B_r, coercivity H_c.

    The power that goes in is A l (H + H_eddy) dB/dt. Of it, mu_0 H^2/2 per volume is stored; H dJ/dt and H_eddy dB/dt
    are taken as heat. Over a closed loop that is the area of the loop; within one, H dJ/dt is negative where iron
    gives back part of what it took, so `losses` means its average over cycles. Starts without field, demagnetized.
    """

    l = tg.parameter(0.1, "m", "length along the flux", min=1e-300)  # noqa: E741
    A = tg.parameter(1e-4, "m2", "area of the cross-section", min=1e-300)
    J_s = tg.parameter(1.8, "T", "polarization in saturation", min=1e-300)
    B_r = tg.parameter(0.9, "T", "remanence, less than J_s", min=1e-300)
    H_c = tg.parameter(120.0, "A/m", "coercivity", min=1e-300)
    steepness = tg.parameter(tg.log((J_s + B_r) / (J_s - B_r)) / (2.0 * H_c), "m/A", "artanh(B_r/J_s)/H_c")
    eddy_currents = tg.parameter(False, structural=True, description="with eddy currents in the sheets")
    sigma = tg.parameter(2e6, "S/m", "conductivity of the sheets, electrical steel 2e6", min=0.0)
    d = tg.parameter(0.5e-3, "m", "thickness of the sheets", min=0.0)
    B = tg.variable("T", "flux density", start=0.0, fixed=True, state="prefer")
    H = tg.variable("A/m", "field strength without that of eddy currents", start=0.0, state="prefer", nominal=100.0)
    J = tg.variable("T", "polarization, B - mu_0 H")

    def branches(self) -> tuple[Any, Any]:
        """The falling branch F and the rising branch R at H."""
        k = self.steepness
        room = _ROOM * self.J_s / 2.0
        return (
            self.J_s * tg.tanh(k * (self.H + self.H_c)) + room,
            self.J_s * tg.tanh(k * (self.H - self.H_c)) - room,
        )

    def slopes(self) -> tuple[Any, Any]:
        """dF/dH and dR/dH."""
        k = self.steepness
        return (
            self.J_s * k / tg.cosh(k * (self.H + self.H_c)) ** 2,
            self.J_s * k / tg.cosh(k * (self.H - self.H_c)) ** 2,
        )

    def eddy(self) -> Any:
        """The field that drives eddy currents in the sheets."""
        return self.sigma * self.d**2 / 12.0 * tg.der(self.B) if self.eddy_currents else 0.0

    def losses(self) -> Any:
        return self.A * self.l * (self.H * tg.der(self.J) + self.eddy() * tg.der(self.B))

    def equations(self) -> Statements:
        falling, rising = self.branches()
        along_falling, along_rising = self.slopes()
        room = falling - rising
        up = along_rising * (falling - self.J) / room
        down = along_falling * (self.J - rising) / room
        yield self.Phi == self.B * self.A
        yield self.J == self.B - MU_0 * self.H
        yield tg.der(self.B) == (MU_0 + tg.where(tg.der(self.H) > 0, up, down)) * tg.der(self.H)
        yield self.V_m == (self.H + self.eddy()) * self.l
