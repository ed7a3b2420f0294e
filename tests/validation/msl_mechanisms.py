"""Examples of the multibody library of the Modelica Standard Library 4.1, rebuilt from our parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

G = 9.80665
AT_REST = {"start": 0.0, "fixed": True}
Wires = Iterator[tuple[Any, ...]]


class Pendulum(tg.Component):
    """A pendulum with a damper in its hinge."""

    world = mb.World(g=G)
    rev = mb.Revolute(use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    damper = rot.Damper(d=0.1)
    body = mb.Body(m=1.0, r_CM=[0.5, 0, 0])

    def connections(self) -> Wires:
        yield self.world.frame_b, self.rev.frame_a
        yield self.rev.frame_b, self.body.frame_a
        yield self.damper.flange_a, self.rev.support
        yield self.damper.flange_b, self.rev.axis


class DoublePendulumInitTip(tg.Component):
    """Two boxes; where they start follows from the place and velocity of the tip."""

    world = mb.World(g=G)
    revolute1 = mb.Revolute(use_flange=True, phi=tg.variable(start=0.0))
    damper = rot.Damper(d=0.1)
    boxBody1 = mb.BodyBox(r=[0.5, 0, 0], width=0.06)
    revolute2 = mb.Revolute(phi=tg.variable(start=1.2))
    boxBody2 = mb.BodyBox(r=[0.5, 0, 0], width=0.06)

    def initial_equations(self) -> Iterator[Any]:
        tip = self.boxBody2.frame_b
        yield tip.r_0[0] == 0.7
        yield tip.r_0[1] == 0.3
        yield tip.v_0[0] == 0.0
        yield tip.v_0[1] == 0.0

    def connections(self) -> Wires:
        yield self.world.frame_b, self.revolute1.frame_a
        yield self.revolute1.frame_b, self.boxBody1.frame_a
        yield self.boxBody1.frame_b, self.revolute2.frame_a
        yield self.revolute2.frame_b, self.boxBody2.frame_a
        yield self.damper.flange_a, self.revolute1.support
        yield self.damper.flange_b, self.revolute1.axis


class FreeBody(tg.Component):
    """A body between two springs."""

    world = mb.World(g=G)
    bar2 = mb.FixedTranslation(r=[0.8, 0, 0])
    spring1 = mb.Spring(c=20.0)
    spring2 = mb.Spring(c=20.0)
    body = mb.BodyShape(
        m=1.0,
        I_11=1.0,
        I_22=1.0,
        I_33=1.0,
        r=[0.4, 0, 0],
        r_CM=[0.2, 0, 0],
        r_0_start=[0.2, -0.5, 0.1],
        angles_start=["10 deg"] * 3,
    )

    def connections(self) -> Wires:
        yield self.world.frame_b, self.bar2.frame_a, self.spring1.frame_a
        yield self.bar2.frame_b, self.spring2.frame_a
        yield self.spring1.frame_b, self.body.frame_a
        yield self.spring2.frame_b, self.body.frame_b


class SpringDamperSystem(tg.Component):
    """A free body on a spring and a damper, and a body that slides on a spring."""

    world = mb.World(g=G)
    bar1 = mb.FixedTranslation(r=[0.3, 0, 0])
    bar2 = mb.FixedTranslation(r=[0.6, 0, 0])
    body1 = mb.Body(
        m=1.0,
        r_CM=[0, -0.2, 0],
        I_11=0.1,
        I_22=0.1,
        I_33=0.1,
        r_0_start=[0.3, -0.2, 0],
        w_0_start=[0, 0, 0.03490658503988659],
    )
    spring1 = mb.Spring(c=30.0, s_unstretched=0.1)
    damper1 = mb.Damper(d=2.0)
    p2 = mb.Prismatic(n=[0, -1, 0], s=tg.variable(start=0.1, fixed=True), v=tg.variable(**AT_REST))
    body2 = mb.Body(m=1.0)
    spring2 = mb.Spring(c=30.0, s_unstretched=0.1)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.bar1.frame_a
        yield self.bar1.frame_b, self.bar2.frame_a, self.spring1.frame_a, self.damper1.frame_a
        yield self.spring1.frame_b, self.damper1.frame_b, self.body1.frame_a
        yield self.bar2.frame_b, self.p2.frame_a, self.spring2.frame_a
        yield self.p2.frame_b, self.body2.frame_a, self.spring2.frame_b


class SpringMassSystem(tg.Component):
    """The same spring twice: at the flange of a slide, and between two frames."""

    world = mb.World(g=G)
    bar1 = mb.FixedTranslation(r=[0.3, 0, 0])
    bar2 = mb.FixedTranslation(r=[0.3, 0, 0])
    p1 = mb.Prismatic(n=[0, -1, 0], use_flange=True, s=tg.variable(start=0.1, fixed=True), v=tg.variable(**AT_REST))
    spring1 = tr.Spring(c=30.0, s_rel0=0.1)
    body1 = mb.Body(m=1.0)
    p2 = mb.Prismatic(n=[0, -1, 0], s=tg.variable(start=0.1, fixed=True), v=tg.variable(**AT_REST))
    spring2 = mb.Spring(c=30.0, s_unstretched=0.1)
    body2 = mb.Body(m=1.0)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.bar1.frame_a
        yield self.bar1.frame_b, self.bar2.frame_a, self.p1.frame_a
        yield self.p1.frame_b, self.body1.frame_a
        yield self.p1.support, self.spring1.flange_a
        yield self.p1.axis, self.spring1.flange_b
        yield self.bar2.frame_b, self.p2.frame_a, self.spring2.frame_a
        yield self.p2.frame_b, self.body2.frame_a, self.spring2.frame_b


class PointGravityWithPointMasses(tg.Component):
    """Point masses that fall to a centre, two of them on a spring."""

    world = mb.World(gravity="point", mu=1.0)
    body1 = mb.PointMass(r_0_start=[0, 0.6, 0], v_0_start=[1, 0, 0])
    body2 = mb.PointMass(r_0_start=[0.6, 0.6, 0], v_0_start=[0.6, 0, 0])
    body3 = mb.PointMass(r_0_start=[0, 0.8, 0], v_0_start=[0.6, 0, 0])
    body4 = mb.PointMass(r_0_start=[0.3, 0.8, 0], v_0_start=[0.6, 0, 0])
    spring = mb.Spring(c=10.0)

    def connections(self) -> Wires:
        yield self.spring.frame_a, self.body3.frame_a
        yield self.spring.frame_b, self.body4.frame_a


class PlanarFourbar(tg.Component):
    """Four boxes in a plane; nobody says which hinge is to be cut."""

    world = mb.World(g=G)
    revolute1 = mb.Revolute(use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    revolute2 = mb.Revolute()
    revolute3 = mb.Revolute()
    revolute4 = mb.Revolute()
    body1 = mb.BodyBox(r=[0.4, 0, 0], width=0.05)
    body2 = mb.BodyBox(r=[0.1, 1.1, 0], width=0.05, width_direction=[1, 0, 0])
    body3 = mb.BodyBox(r=[-0.15, 1, 0], width=0.05, width_direction=[1, 0, 0])
    body4 = mb.BodyBox(r=[0.65, 0.1, 0], width=0.05)
    damper = rot.Damper(d=0.1)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.revolute1.frame_a, self.body3.frame_a
        yield self.revolute1.frame_b, self.body1.frame_a
        yield self.body1.frame_b, self.revolute2.frame_a
        yield self.revolute2.frame_b, self.body2.frame_a
        yield self.body3.frame_b, self.revolute3.frame_a
        yield self.revolute3.frame_b, self.body4.frame_a
        yield self.body4.frame_b, self.revolute4.frame_a
        yield self.revolute4.frame_b, self.body2.frame_b
        yield self.damper.flange_a, self.revolute1.support
        yield self.damper.flange_b, self.revolute1.axis


class FourbarAnalytic(tg.Component):
    """A crank that moves a slide over a rod with balls at both ends; the rod has no mass worth mentioning."""

    world = mb.World(g=G)
    j1 = mb.Revolute(n=[1, 0, 0], phi=tg.variable(**AT_REST), w=tg.variable(start=5.235987755982989, fixed=True))
    b1 = mb.BodyCylinder(r=[0, 0.5, 0.1], diameter=0.05)
    ball = mb.Universal(n_a=[0, 0, 1], n_b=[0, 1, 0])
    rod = mb.BodyShape(r=[1, -0.3, -0.1], m=1e-6, I_11=1e-7, I_22=1e-7, I_33=1e-7)
    end = mb.Spherical()
    b3 = mb.FixedTranslation(r=[1.0, 0, 0])
    slide = mb.Prismatic(n=[1, 0, 0])
    b2 = mb.BodyCylinder(r=[0, 0.2, 0], diameter=0.05)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.j1.frame_a, self.b3.frame_a
        yield self.j1.frame_b, self.b1.frame_a
        yield self.b1.frame_b, self.ball.frame_a
        yield self.ball.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.end.frame_a
        yield self.b3.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.b2.frame_a
        yield self.b2.frame_b, self.end.frame_b
