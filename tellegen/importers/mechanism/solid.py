"""A rigid part of an assembly: its place in the lump it belongs to, its mass, its own frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import Pose
from tellegen.library.multibody import Body, FixedRotation, FixedTranslation, Frame

Connections = Iterator[tuple[Any, ...]]


class Place(tg.Component):
    """frame_b is the own frame of a part without mass; frame_a moves with it, in axes of the assembly as drawn."""

    frame_a = Frame("where the part is held")
    frame_b = Frame("the own frame of the part")
    animation = tg.parameter(True, structural=True, description="a bar and a ball are drawn; not where it has shapes")
    turned = tg.parameter(False, structural=True, description="its axes are not those of the assembly")
    r = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_a to frame_b, in axes of frame_a")
    n_x = tg.parameter([1.0, 0.0, 0.0], "1", "the x axis of frame_b, in frame_a")
    n_y = tg.parameter([0.0, 1.0, 0.0], "1", "the y axis of frame_b, in frame_a")

    def build(self) -> None:
        if self.turned:
            self.arm = FixedRotation(rotation="axes", r=self.r, n_x=self.n_x, n_y=self.n_y, animation=self.animation)
        else:
            self.arm = FixedTranslation(r=self.r, animation=self.animation)

    def connections(self) -> Connections:
        yield self.frame_a, self.arm.frame_a
        yield self.frame_b, self.arm.frame_b


class Solid(Place):
    """A rigid part with mass; centre of mass and inertia are in axes of frame_b, its own frame."""

    m = tg.parameter(1.0, "kg", "mass", min=0.0)
    r_CM = tg.parameter([0.0, 0.0, 0.0], "m", "from frame_b to the centre of mass")
    I_11 = tg.parameter(0.001, "kg.m2", "element (1,1) of the inertia tensor about the centre of mass", min=0.0)
    I_22 = tg.parameter(0.001, "kg.m2", "element (2,2)", min=0.0)
    I_33 = tg.parameter(0.001, "kg.m2", "element (3,3)", min=0.0)
    I_21 = tg.parameter(0.0, "kg.m2", "element (2,1)")
    I_31 = tg.parameter(0.0, "kg.m2", "element (3,1)")
    I_32 = tg.parameter(0.0, "kg.m2", "element (3,2)")
    body = Body(
        m=m,
        r_CM=r_CM,
        I_11=I_11,
        I_22=I_22,
        I_33=I_33,
        I_21=I_21,
        I_31=I_31,
        I_32=I_32,
        animation=Place.animation,
    )

    def connections(self) -> Connections:
        yield self.frame_b, self.body.frame_a


def solid(mass: MassProperties, pose: Pose, animation: bool = True) -> Place:
    """A part with its own frame at `pose` from where it is held."""
    place: dict[str, Any] = {"r": pose.r.tolist(), "animation": animation}
    if np.abs(pose.R - np.eye(3)).max() > 1e-15:
        place |= {"turned": True, "n_x": pose.R[:, 0].tolist(), "n_y": pose.R[:, 1].tolist()}
    if mass.m == 0.0 and not mass.I.any():
        return Place(**place)
    tensor = {f"I_{i + 1}{j + 1}": float(mass.I[i, j]) for i in range(3) for j in range(i + 1)}
    return Solid(m=float(mass.m), r_CM=mass.r_CM.tolist(), **tensor, **place)
