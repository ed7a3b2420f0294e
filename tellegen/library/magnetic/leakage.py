"""Stray paths in air between edges and faces of poles, by their shape (Roters, 1941): permeances of fixed dimensions.

Paths of bowed field lines are approximated by mean length and mean area: the numbers 0.26, 0.52, 0.308 and 0.077 are
those of Roters's probable flux paths.
"""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.magnetic.interfaces import MU_0, Permeance


class HalfCylinder(Permeance):
    """From edge to edge of two poles side by side, over a half cylinder: G_m = 0.26 mu_0 l."""

    l = tg.parameter(0.1, "m", "length of the edges, across the flux", min=0.0)  # noqa: E741

    def permeance(self) -> Any:
        return 0.26 * MU_0 * self.l


class QuarterCylinder(Permeance):
    """From an edge to a plane, over a quarter of a cylinder: G_m = 0.52 mu_0 l."""

    l = tg.parameter(0.1, "m", "length of the edge, across the flux", min=0.0)  # noqa: E741

    def permeance(self) -> Any:
        return 0.52 * MU_0 * self.l


class HalfHollowCylinder(Permeance):
    """From face to face of two poles side by side, t thick around r_i: G_m = mu_0 l ln(1 + ratio)/pi."""

    l = tg.parameter(0.1, "m", "length of the faces, across the flux", min=0.0)  # noqa: E741
    ratio = tg.parameter(1.0, "1", "thickness of the shell over its inner radius, t/r_i", min=0.0)

    def permeance(self) -> Any:
        return MU_0 * self.l * tg.log(1.0 + self.ratio) / math.pi


class QuarterHollowCylinder(Permeance):
    """From a face to a plane across it, t thick around r_i: G_m = 2 mu_0 l ln(1 + ratio)/pi."""

    l = tg.parameter(0.1, "m", "length of the face, across the flux", min=0.0)  # noqa: E741
    ratio = tg.parameter(1.0, "1", "thickness of the shell over its inner radius, t/r_i", min=0.0)

    def permeance(self) -> Any:
        return 2.0 * MU_0 * self.l * tg.log(1.0 + self.ratio) / math.pi


class EighthOfSphere(Permeance):
    """From a corner to a plane, over an eighth of a sphere of radius r: G_m = 0.308 mu_0 r."""

    r = tg.parameter(0.01, "m", "radius", min=0.0)

    def permeance(self) -> Any:
        return 0.308 * MU_0 * self.r


class QuarterSphere(Permeance):
    """From corner to corner of two poles, over a quarter of a sphere of radius r: G_m = 0.077 mu_0 2 r."""

    r = tg.parameter(0.005, "m", "radius, half the distance of the poles", min=0.0)

    def permeance(self) -> Any:
        return 0.077 * MU_0 * 2.0 * self.r


class EighthOfHollowSphere(Permeance):
    """From a corner's face to a plane, t thick: G_m = mu_0 t/2."""

    t = tg.parameter(0.01, "m", "thickness of the shell", min=0.0)

    def permeance(self) -> Any:
        return 0.5 * MU_0 * self.t


class QuarterHollowSphere(Permeance):
    """From corner face to corner face of two poles, t thick: G_m = mu_0 t/4."""

    t = tg.parameter(0.01, "m", "thickness of the shell", min=0.0)

    def permeance(self) -> Any:
        return 0.25 * MU_0 * self.t


class CoaxCylindersEndFaces(Permeance):
    """Between the end faces of a cylinder and a hollow one around it: G_m = 2 mu_0 (r_0 + g/2) ln(1 + 2 t/g).

    g = r_1 - r_0 is the gap, t the thickness r_2 - r_1 of the hollow cylinder, at most r_0 (Roters 1941).
    """

    r_0 = tg.parameter(10e-3, "m", "radius of the inner cylinder", min=0.0)
    r_1 = tg.parameter(17e-3, "m", "inner radius of the hollow cylinder", min=0.0)
    r_2 = tg.parameter(20e-3, "m", "outer radius of the hollow cylinder", min=0.0)

    def permeance(self) -> Any:
        gap = self.r_1 - self.r_0
        depth = tg.minimum(self.r_2 - self.r_1, self.r_0)
        return 2.0 * MU_0 * (self.r_0 + 0.5 * gap) * tg.log(1.0 + 2.0 * depth / gap)
