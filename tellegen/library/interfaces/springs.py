"""Helical springs."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import translational as trans
from tellegen.library.translational.interfaces import Statements


class SpringInterface(tg.Interface):
    """A helical spring between two flanges: force c (length - L0), positive when it pulls."""

    flange_a = trans.Flange()
    flange_b = trans.Flange()
    c = tg.parameter(1e3, "N/m", "stiffness", min=0.0, semantics="stiffness")
    L0 = tg.parameter(0.05, "m", "length without force", min=0.0, semantics="free_length")
    m = tg.parameter(0.01, "kg", "mass", min=0.0, semantics="mass")
    semantics = tg.Semantics(limits={"force_solid": "flange_a.f"})


class MasslessSpring(tg.Component, implements=SpringInterface, name="massless", default=True, tags={"cost": 1}):
    """The stiffness alone: f = c (s_rel - L0)."""

    spring = trans.Spring(c=SpringInterface.c, s_rel0=SpringInterface.L0)

    def connections(self) -> Statements:
        yield self.flange_a, self.spring.flange_a
        yield self.spring.flange_b, self.flange_b


class SpringWithMass(tg.Component, implements=SpringInterface, name="surge", tags={"cost": 2}):
    """Two halves with the mass that takes part in the first surge between them.

    Of a spring with fixed ends the first natural frequency is f = sqrt(c/m)/2. Two halves of stiffness 2 c with a mass
    of 4 m/pi^2 between them have the same one.
    """

    half_a = trans.Spring(c=2.0 * SpringInterface.c, s_rel0=SpringInterface.L0 / 2.0)
    middle = trans.Mass(m=4.0 / tg.pi**2 * SpringInterface.m)
    half_b = trans.Spring(c=2.0 * SpringInterface.c, s_rel0=SpringInterface.L0 / 2.0)

    def connections(self) -> Statements:
        yield self.flange_a, self.half_a.flange_a
        yield self.half_a.flange_b, self.middle.flange_a
        yield self.middle.flange_b, self.half_b.flange_a
        yield self.half_b.flange_b, self.flange_b
