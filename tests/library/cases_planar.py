"""Power balance of planar components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import planar
from tellegen.testing.ports import FrameDrive

BASE = "a base without a law of its own; the components made of it have cases"


def world() -> Any:
    return {"world": planar.PlanarWorld(g=3.0, n=[1.0, -2.0])}


def energy(body: Any) -> Any:
    """Kinetic, and potential in the gravity around."""
    lifted = body.world.gravity[0] * body.r[0] + body.world.gravity[1] * body.r[1]
    return 0.5 * body.m * (body.v[0] ** 2 + body.v[1] ** 2) + 0.5 * body.I * body.w**2 - body.m * lifted


def apart(x: float, y: float) -> FrameDrive:
    return FrameDrive(f=1.37, phase=1.6, x0=x, y0=y)


def stretched(c: Any) -> Any:
    return 0.5 * c.c * (c.s - c.s_unstretched) ** 2


def pressed(c: Any) -> Any:
    return 0.5 * c.c * tg.maximum(c.p, 0.0) ** 2


PUSHES = {"force": lambda t: [2.0 * tg.sin(9.0 * t), 1.0 - 0.5 * t]}
TURNS = {"torque": lambda t: 2.0 * tg.sin(9.0 * t)}

CASES = [
    Case(planar.Fixed(r=[0.1, 0.2], phi=0.3), idle=True),
    Case(planar.Body(m=0.5, I=0.2), stored=energy, around=world()),
    Case(planar.BodyShape(m=0.5, I=0.2, r_ab=[0.4, 0.1], r_CM=[0.1, 0.3]), stored=energy, around=world()),
    Case(planar.FixedTranslation(r=[0.4, 0.3])),
    Case(planar.FixedRotation(alpha=0.7)),
    Case(planar.Revolute()),
    Case(planar.Revolute(use_flange=True)),
    Case(planar.Prismatic(r=[1.0, 2.0])),
    Case(planar.Prismatic(r=[1.0, 2.0], use_flange=True)),
    Case(planar.Spring(c=3.0, s_unstretched=0.4), drive={"frame_b": apart(0.5, 0.9)}, stored=stretched),
    Case(planar.Damper(d=0.5), drive={"frame_b": apart(0.5, 0.9)}),
    Case(planar.SpringDamper(c=3.0, d=0.5, s_unstretched=0.4), drive={"frame_b": apart(0.5, 0.9)}, stored=stretched),
    Case(planar.LineForceWithFlanges(), drive={"frame_b": apart(2.5, 0.9)}),
    Case(planar.WorldForce(), drive=PUSHES, supplied=lambda c: c.force[0] * der(c, "x") + c.force[1] * der(c, "y")),
    Case(planar.WorldTorque(), drive=TURNS, supplied=lambda c: c.torque * der(c, "phi")),
    Case(planar.Force(), drive={**PUSHES, "frame_b": apart(0.5, 0.9)}, supplied=lambda c: -taken(c)),
    Case(planar.Torque(), drive=TURNS, supplied=lambda c: c.torque * (der(c, "phi") - tg.der(c.frame_a.phi))),
    Case(planar.RollingWheel(R=0.4, alpha=0.2, r0=[0.1, 0.2]), idle=True),  # its forces do no work
    Case(
        planar.GroundContact(R=0.2, alpha=0.1, c=300.0, d=0.4, mu=0.3),
        drive={"frame_a": FrameDrive(F=1.0, y0=0.3, offset_y=-2.0)},
        stored=pressed,
        stop=3.0,
    ),
    Case(planar.IdealWheelJoint(radius=0.2, r=[1.0, 0.5])),
    Case(planar.DryFrictionWheelJoint(radius=0.2, r=[1.0, 0.5], N=2.0)),
    Case(planar.AbsolutePosition(), idle=True),
    Case(planar.AbsoluteVelocity(), idle=True),
    Case(planar.AbsoluteAcceleration(), idle=True),
    Case(planar.RelativePosition(), idle=True),
    Case(planar.CutForce()),
]


def der(c: Any, name: str) -> Any:
    return tg.der(getattr(c.frame_b, name))


def taken(c: Any) -> Any:
    """The power of a force between two frames, from its law: the force times the velocity of b as seen from a."""
    dx, dy = c.frame_b.x - c.frame_a.x, c.frame_b.y - c.frame_a.y
    cos, sin = tg.cos(c.frame_a.phi), tg.sin(c.frame_a.phi)
    seen = cos * dx + sin * dy, cos * dy - sin * dx
    return -(c.force[0] * tg.der(seen[0]) + c.force[1] * tg.der(seen[1]))


EXEMPT = dict.fromkeys(
    (planar.TwoFrames, planar.Moving, planar.LineForce, planar.Measuring, planar.OnLine, planar.WheelJoint), BASE
)
