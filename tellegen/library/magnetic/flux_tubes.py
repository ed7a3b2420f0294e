"""Pieces of iron (or of anything else) that lead flux, by their shape.

Every tube is length over area: with H the field strength and B the flux density at its mean cross-section A,

    B = Phi/A,      H = B/(mu_0 mu_r(B)),       V_m = H A/g

where g is the shape's A/l, m (the permeance is G_m = mu_0 mu_r g). mu_r is a number, or depends on B: `nonlinear=True`
with the numbers of a material, `**magnetic.soft("M350_50A")`; see materials.py for the formula. Where the flux
density is not the same everywhere (radial flux), that at the mean cross-section stands for all.

The stored energy is the integral of V_m dPhi; B is what decides it, so flux is the natural state.
"""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.magnetic.interfaces import MU_0, Statements, TwoPort


class FixedShape(TwoPort):
    """Base of tubes of fixed shape: V_m = H A/g, with the area A and the shape's A over l, g, from the dimensions."""

    nonlinear = tg.parameter(False, structural=True, description="mu_r depends on B, by Roschke's formula; else mu_r")
    mu_r = tg.parameter(1.0, "1", "relative permeability, where it is constant", min=1e-300)
    mu_i = tg.parameter(1210.0, "1", "relative permeability without field", min=1e-300)
    B_max = tg.parameter(1.16, "T", "flux density of the largest permeability", min=1e-300)
    c_a = tg.parameter(24630.0, "1", "coefficient of Roschke's formula")
    c_b = tg.parameter(2.44, "1", "coefficient of Roschke's formula", min=0.0)
    n = tg.parameter(14.0, "1", "exponent of Roschke's formula", min=1.0)
    B = tg.variable("T", "flux density at the mean cross-section")
    H = tg.variable("A/m", "field strength at the mean cross-section", nominal=100.0)

    def area(self) -> Any:
        """The mean cross-section."""
        raise NotImplementedError(f"{type(self).__name__} has to define area()")

    def shape(self) -> Any:
        """Area over length."""
        raise NotImplementedError(f"{type(self).__name__} has to define shape()")

    def permeability(self) -> Any:
        """Relative, as a function of B where that is asked for. |B| makes no kink in H(B): its first power is there
        multiplied by B."""
        if not self.nonlinear:
            return self.mu_r
        b = abs(self.B / self.B_max)
        return 1.0 + (self.mu_i - 1.0 + self.c_a * b) / (1.0 + self.c_b * b + b**self.n)

    def equations(self) -> Statements:
        yield self.Phi == self.B * self.area()
        yield self.B == MU_0 * self.permeability() * self.H
        yield self.V_m == self.H * self.area() / self.shape()


class GenericFluxTube(FixedShape):
    """A tube of any shape with length l and area: G_m = mu_0 mu_r area/l."""

    l = tg.parameter(0.01, "m", "length along the flux", min=1e-300)  # noqa: E741
    A = tg.parameter(1e-4, "m2", "area of the cross-section", min=1e-300)

    def area(self) -> Any:
        return self.A

    def shape(self) -> Any:
        return self.A / self.l


class Cuboid(FixedShape):
    """A bar of length l and cross-section a x b: G_m = mu_0 mu_r a b/l."""

    l = tg.parameter(0.01, "m", "length along the flux", min=1e-300)  # noqa: E741
    a = tg.parameter(0.01, "m", "width of the cross-section", min=1e-300)
    b = tg.parameter(0.01, "m", "height of the cross-section", min=1e-300)

    def area(self) -> Any:
        return self.a * self.b

    def shape(self) -> Any:
        return self.a * self.b / self.l


class HollowCylinder(FixedShape):
    """Base of hollow cylinders between the radii r_i and r_o."""

    r_i = tg.parameter(0.01, "m", "inner radius", min=1e-300)
    r_o = tg.parameter(0.02, "m", "outer radius", min=1e-300)

    def equations(self) -> Statements:
        yield tg.assert_(self.r_o > self.r_i, "the outer radius has to be larger than the inner one: r_o > r_i")  # noqa: PT009


class HollowCylinderAxialFlux(HollowCylinder):
    """A (hollow) cylinder with flux along its axis: G_m = mu_0 mu_r alpha (r_o^2 - r_i^2)/(2 l)."""

    l = tg.parameter(0.01, "m", "length along the axis", min=1e-300)  # noqa: E741
    r_i = tg.parameter(0.0, "m", "inner radius", min=0.0)
    r_o = tg.parameter(0.01, "m", "outer radius", min=1e-300)
    alpha = tg.parameter(2.0 * math.pi, "rad", "angle of the sector", min=1e-300)

    def area(self) -> Any:
        return self.alpha * (self.r_o**2 - self.r_i**2) / 2.0

    def shape(self) -> Any:
        return self.area() / self.l


class HollowCylinderRadialFlux(HollowCylinder):
    """A hollow cylinder with flux from the inside out: G_m = mu_0 mu_r alpha l/ln(r_o/r_i); B at the mean radius."""

    l = tg.parameter(0.01, "m", "length along the axis, across the flux", min=1e-300)  # noqa: E741
    alpha = tg.parameter(2.0 * math.pi, "rad", "angle of the sector", min=1e-300)

    def area(self) -> Any:
        return self.alpha * self.l * (self.r_i + self.r_o) / 2.0

    def shape(self) -> Any:
        return self.alpha * self.l / tg.log(self.r_o / self.r_i)


class HollowCylinderCircumferentialFlux(HollowCylinder):
    """A sector of a hollow cylinder with flux around its axis: G_m = mu_0 mu_r l ln(r_o/r_i)/alpha.

    The layers of radius r are in parallel, each of reluctance r alpha/(mu l dr): that makes the logarithm.
    """

    l = tg.parameter(0.02, "m", "length along the axis, across the flux", min=1e-300)  # noqa: E741
    alpha = tg.parameter(math.pi / 2.0, "rad", "angle of the sector", min=1e-300)

    def area(self) -> Any:
        return self.l * (self.r_o - self.r_i)

    def shape(self) -> Any:
        return self.l * tg.log(self.r_o / self.r_i) / self.alpha


class Toroid(FixedShape):
    """A part alpha of a ring of radius r and round cross-section of diameter d: G_m = mu_0 mu_r pi d^2/(4 r alpha)."""

    r = tg.parameter(0.1, "m", "radius of the ring, at the middle", min=1e-300)
    d = tg.parameter(0.01, "m", "diameter of the cross-section", min=1e-300)
    alpha = tg.parameter(2.0 * math.pi, "rad", "angle of the part", min=1e-300)

    def area(self) -> Any:
        return math.pi * self.d**2 / 4.0

    def shape(self) -> Any:
        return self.area() / (self.r * self.alpha)
