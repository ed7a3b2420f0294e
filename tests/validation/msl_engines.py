"""Larger examples of the multibody library of the Modelica Standard Library 4.1, rebuilt from our parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.msl_mechanisms import AT_REST, G, Wires

X = [1, 0, 0]
RISES = ((0.986061, (177.4132, -287.2189, 151.8252, -24.9973, 2.4), (2836360, -10569296, 14761814, -9158505, 2129670)),)
FALLS = ((0.933, (145.930, -131.707, 17.3438, 17.9272, 2.4), (-3929704, 14748765, -20747000, 12964477, -3036495)),)
"""Pressures by the position of the piston: up to a place the first polynomial, from there on the second."""


class GasForce2(tg.Component):
    """A rough pressure of gas: one curve while the piston rises, another while it falls."""

    flange = tr.Flange("moves with the piston, away from the top")
    L = tg.parameter(0.35, "m", "length of the cylinder")
    d = tg.parameter(0.1, "m", "diameter")
    x = tg.variable("1", "1 at the top, 0 at the bottom")
    v = tg.variable("m/s", "velocity of the piston, positive downwards")
    press = tg.variable("bar", "pressure")

    def equations(self) -> Iterator[Any]:
        yield self.x == 1.0 - self.flange.s / self.L
        yield self.v == tg.der(self.flange.s)
        yield self.press == 1e5 * tg.where(self.v < 0, self._pressure(*RISES[0]), self._pressure(*FALLS[0]))
        yield self.flange.f == -self.press * (np.pi * self.d**2 / 4)

    def _pressure(self, place: float, below: tuple[float, ...], above: tuple[float, ...]) -> Any:
        low, high = (sum(c * self.x ** (4 - k) for k, c in enumerate(terms)) for terms in (below, above))
        return tg.where(self.x < place, low, high)


class Engine1b(tg.Component):
    """An engine with one cylinder."""

    world = mb.World(g=G)
    bearing = mb.Revolute(n=X, use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(start=10.0, fixed=True))
    inertia = rot.Inertia(J=1.0)
    crank1 = mb.BodyCylinder(r=[0.1, 0, 0], diameter=0.05)
    crank2 = mb.BodyBox(r=[0, 0.1, 0], width=0.02, height=0.05, width_direction=X)
    crank3 = mb.BodyCylinder(r=[0.1, 0, 0], diameter=0.03)
    crank4 = mb.BodyBox(r=[0, -0.1, 0], width=0.02, height=0.05, width_direction=X)
    mid = mb.FixedTranslation(r=[0.05, 0, 0])
    cylPosition = mb.FixedTranslation(r=[0.15, 0.45, 0])
    cylinder = mb.Prismatic(n=[0, -1, 0], use_flange=True, s=tg.variable(start=0.05))
    piston = mb.BodyCylinder(r=[0, -0.1, 0], diameter=0.1)
    b1 = mb.Revolute(n=X)
    connectingRod = mb.BodyBox(r=[0, -0.2, 0], width=0.02, height=0.06, width_direction=X)
    b2 = mb.Revolute(n=X)
    gasForce = GasForce2()

    def connections(self) -> Wires:
        yield self.world.frame_b, self.bearing.frame_a, self.cylPosition.frame_a
        yield self.bearing.frame_b, self.crank1.frame_a
        yield self.crank1.frame_b, self.crank2.frame_a
        yield self.crank2.frame_b, self.crank3.frame_a, self.mid.frame_a
        yield self.crank3.frame_b, self.crank4.frame_a
        yield self.cylPosition.frame_b, self.cylinder.frame_a
        yield self.cylinder.frame_b, self.piston.frame_a
        yield self.piston.frame_b, self.b1.frame_a
        yield self.b1.frame_b, self.connectingRod.frame_a
        yield self.connectingRod.frame_b, self.b2.frame_a
        yield self.b2.frame_b, self.mid.frame_b
        yield self.inertia.flange_b, self.bearing.axis
        yield self.gasForce.flange, self.cylinder.axis


OFFSETS = np.deg2rad([-30.0, 90.0, 210.0, 210.0, 90.0, -30.0])
TILTS = np.deg2rad([-30.0, 30.0, -30.0, 30.0, -30.0, 30.0])
LENGTH, PIN, ROD, PISTON, TOP = 0.14, 0.05, 0.175, 0.1, 0.42
LEANS = -np.arcsin(PIN * np.sin(OFFSETS - TILTS) / ROD)
"""Angles of the rods against their cylinders at the start."""


class CylinderOfSix(tg.Component):
    """One cylinder along the shaft, with a loop of two hinges and a slide."""

    cylinder_a = mb.Frame("on the block")
    crank_a = mb.Frame("on the shaft")
    offset = tg.parameter(0.0, "rad", "angle of the crank")
    tilt = tg.parameter(0.0, "rad", "angle of the cylinder")
    crankAngle = mb.FixedRotation(n=X, angle=offset)
    mid = mb.FixedTranslation(r=[LENGTH - 0.05, PIN, 0])
    big_end = mb.Revolute(n=X)
    connectingRod = mb.BodyShape(r=[0, ROD, 0], r_CM=[0, ROD / 2, 0], I_11=0.006, I_22=0.0005, I_33=0.006)
    small_end = mb.Revolute(n=X)
    piston = mb.BodyShape(r=[0, PISTON, 0], r_CM=[0, PISTON / 2, 0], m=6.0, I_11=0.0088, I_22=0.0076, I_33=0.0088)
    inclination = mb.FixedRotation(r=[LENGTH - 0.05, 0, 0], n=X, angle=tilt)
    top = mb.FixedTranslation(r=[0, TOP, 0])
    slide = mb.Prismatic(n=[0, -1, 0], use_flange=True)
    gasForce = GasForce2(L=TOP - (PISTON + ROD - PIN))

    def connections(self) -> Wires:
        yield self.crank_a, self.crankAngle.frame_a
        yield self.crankAngle.frame_b, self.mid.frame_a
        yield self.mid.frame_b, self.big_end.frame_a
        yield self.big_end.frame_b, self.connectingRod.frame_a
        yield self.connectingRod.frame_b, self.small_end.frame_a
        yield self.small_end.frame_b, self.piston.frame_a
        yield self.cylinder_a, self.inclination.frame_a
        yield self.inclination.frame_b, self.top.frame_a
        yield self.top.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.piston.frame_b
        yield self.slide.axis, self.gasForce.flange


class EngineV6(tg.Component):
    """Six cylinders; across the shaft the crank has an inertia that a body can have, which nothing feels."""

    world = mb.World(g=G)
    bearing = mb.Revolute(n=X, use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(start=10.0, fixed=True))
    crank = mb.Body(r_CM=[0.3, 0, 0], m=180.0, I_11=0.1, I_22=0.1, I_33=0.1)
    throws = mb.FixedTranslation.array(6, r=[[LENGTH * k, 0, 0] for k in range(6)])
    block = mb.FixedTranslation.array(6, r=[[LENGTH * k, 0, 0] for k in range(6)])
    cylinders = CylinderOfSix.array(6, offset=OFFSETS, tilt=TILTS)
    load = rot.Inertia(J=1.0)
    load2 = rot.QuadraticSpeedDependentTorque(tau_nominal=-100.0, w_nominal=200.0)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.bearing.frame_a
        yield self.bearing.frame_b, self.crank.frame_a
        for k in range(6):
            yield self.bearing.frame_b, self.throws[k].frame_a
            yield self.world.frame_b, self.block[k].frame_a
        yield self.throws.frame_b, self.cylinders.crank_a
        yield self.block.frame_b, self.cylinders.cylinder_a
        yield self.bearing.axis, self.load.flange_a
        yield self.load.flange_b, self.load2.flange


V6_START = {
    "cylinders.big_end.phi": LEANS - (OFFSETS - TILTS),
    "cylinders.slide.s": TOP - (PIN * np.cos(OFFSETS - TILTS) + ROD * np.cos(LEANS) + PISTON),
}


class SpringWithMass(tg.Component):
    """A body on a spring that weighs something."""

    world = mb.World(g=G)
    line = mb.LineForceWithMass(m=0.5)
    spring = tr.Spring(c=40.0, s_rel0=0.2)
    body = mb.Body(m=1.0, r_0_start=[0, -0.3, 0])

    def connections(self) -> Wires:
        yield self.world.frame_b, self.line.frame_a
        yield self.line.frame_b, self.body.frame_a
        yield self.line.flange_a, self.spring.flange_a
        yield self.line.flange_b, self.spring.flange_b
