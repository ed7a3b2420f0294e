"""Air gaps that move: permeance by position, and the force that comes of it.

The energy of a gap is W = Phi^2/(2 G_m(s)). What goes in is V_m dPhi + f ds = dW, so with V_m = Phi/G_m

    f = dW/ds at constant flux = -V_m^2/2 dG_m/ds

is the force into the flange: who holds the armature has to push with it towards larger s if the permeance falls with
s, for the field pulls to where the permeance is largest. F_m = V_m^2/2 dG_m/ds is the force of the field on the
armature, positive towards larger s.

The length l of a gap is l = l_0 + dl_ds s, with s = flange.s - support.s; dl_ds is 1 if the gap opens with s, -1 if it
closes. At l = 0 permeances of gaps are infinite: keep a rest by l_0 or by a stop of the armature.
"""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.magnetic.interfaces import MU_0, Permeance, Statements
from tellegen.library.translational import OneFlange


class Gap(Permeance, OneFlange):
    """Base of gaps: Phi = G_m(l) V_m, l = l_0 + dl_ds s, force F_m = V_m^2/2 dG_m/ds on the armature at the flange."""

    mu_r = tg.parameter(1.0, "1", "relative permeability in the gap", min=0.0)
    l_0 = tg.parameter(0.0, "m", "length at s = 0")
    dl_ds = tg.parameter(1, structural=True, description="1 if the length grows with s, -1 if it shrinks, 0 if neither")
    s = tg.variable("m", "position of the armature, from the support")
    l = tg.variable("m", "length that depends on the position", start=1e-3, nominal=1e-3)  # noqa: E741
    F_m = tg.variable("N", "force of the field on the armature, towards larger s")

    def permeance(self) -> Any:
        return self.of_length()[0]

    def of_length(self) -> tuple[Any, Any]:
        """The permeance and its derivative by l."""
        raise NotImplementedError(f"{type(self).__name__} has to define of_length()")

    def equations(self) -> Statements:
        yield self.s == self.position(self.flange)
        yield self.l == self.l_0 + self.dl_ds * self.s
        yield self.F_m == self.V_m**2 / 2.0 * self.of_length()[1] * self.dl_ds
        yield self.flange.f == -self.F_m


class AxialGap(Gap):
    """A gap between faces of area A whose length changes: G_m = mu_0 mu_r A/l, F_m = -Phi^2/(2 mu_0 mu_r A) dl/ds."""

    A = tg.parameter(1e-4, "m2", "area of the faces", min=0.0)

    def of_length(self) -> tuple[Any, Any]:
        G_m = MU_0 * self.mu_r * self.A / self.l
        return G_m, -G_m / self.l

    def equations(self) -> Statements:
        yield tg.assert_(self.l > 0, "the gap is closed: give the armature a stop, or a rest by l_0")  # noqa: PT009


class CuboidParallelFlux(AxialGap):
    """A gap between faces a x b whose length l along the flux changes: G_m = mu_0 mu_r a b/l."""

    a = tg.parameter(0.01, "m", "width of the faces", min=0.0)
    b = tg.parameter(0.01, "m", "height of the faces", min=0.0)
    A = tg.parameter(a * b, "m2", "area of the faces", min=0.0)


class CylinderAxialFlux(AxialGap):
    """A gap between round faces whose length l along the flux changes: G_m = mu_0 mu_r pi (r_o^2 - r_i^2)/l."""

    r_i = tg.parameter(0.0, "m", "inner radius", min=0.0)
    r_o = tg.parameter(0.01, "m", "outer radius", min=0.0)
    A = tg.parameter(math.pi * (r_o**2 - r_i**2), "m2", "area of the faces", min=0.0)


class CuboidOrthogonalFlux(Gap):
    """Two plates that slide past each other, b apart: G_m = mu_0 mu_r a l/b with the overlap l across the flux."""

    a = tg.parameter(0.01, "m", "width of the plates, across the motion", min=0.0)
    b = tg.parameter(0.01, "m", "distance of the plates, along the flux", min=0.0)

    def of_length(self) -> tuple[Any, Any]:
        slope = MU_0 * self.mu_r * self.a / self.b
        return slope * self.l, slope

    def equations(self) -> Statements:
        yield tg.region(self.l >= 0, "the plates do not overlap any more")


class CylinderRadialFlux(Gap):
    """A plunger in a bush: G_m = mu_0 mu_r 2 pi l/ln(r_o/r_i) with the overlap l along the axis, across the flux."""

    r_i = tg.parameter(0.01, "m", "inner radius of the gap", min=1e-300)
    r_o = tg.parameter(0.015, "m", "outer radius of the gap", min=1e-300)

    def of_length(self) -> tuple[Any, Any]:
        slope = 2.0 * math.pi * MU_0 * self.mu_r / tg.log(self.r_o / self.r_i)
        return slope * self.l, slope

    def equations(self) -> Statements:
        yield tg.assert_(self.r_o > self.r_i, "the outer radius has to be larger than the inner one: r_o > r_i")  # noqa: PT009
        yield tg.region(self.l >= 0, "plunger and bush do not overlap any more")


class LeakageAroundPoles(Gap):
    """Stray flux around the edges of two poles l apart: G_m = mu_0 w/pi ln(1 + pi r/l)."""

    w = tg.parameter(0.1, "m", "length of the edges, across the flux", min=0.0)
    r = tg.parameter(0.01, "m", "radius of the stray field", min=0.0)

    def of_length(self) -> tuple[Any, Any]:
        scale = MU_0 * self.mu_r * self.w
        ratio = math.pi * self.r / self.l
        return scale / math.pi * tg.log(1.0 + ratio), -scale * self.r / (self.l**2 * (1.0 + ratio))

    def equations(self) -> Statements:
        yield tg.assert_(self.l > 0, "the poles touch: give the armature a stop, or a rest by l_0")  # noqa: PT009
