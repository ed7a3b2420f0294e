"""Power balance of every force element in space: what goes in through its frames is stored, lost or supplied.

All elements act between the same two bodies, which tumble in space, so one model serves for all of them. The power
through the frames of each is integrated as a state of the run, as accurately as everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import translational
from tellegen.library.losses import Lossy
from tellegen.testing.balance import TOLERANCE, Gauge, Meter
from tellegen.testing.ports import SpatialDrive

Law = Callable[[Any], Any]


@dataclass(frozen=True)
class Element:
    """A force element, what it stores and supplies, and which inputs get a signal."""

    part: Any
    stored: Law | None = None
    supplied: Law | None = None
    inputs: tuple[str, ...] = ()

    def power_in(self) -> Any:
        """The power through its frames."""
        frames = [getattr(self.part, end) for end in ENDS if hasattr(self.part, end)]
        powers = [frame.f @ (frame.R @ frame.v_0) + frame.t @ frame.w for frame in frames]
        return powers[0] + powers[1] if len(powers) == 2 else powers[0]

    def power_out(self) -> Any:
        """What it loses less what it supplies."""
        lost = self.part.losses() if isinstance(self.part, Lossy) else 0.0
        return lost if self.supplied is None else lost - self.supplied(self.part)


def moved(c: Any) -> Any:
    """The power of F and M of an Interaction on both sides, from the velocities of the frames."""
    a, b = c.frame_a, c.frame_b
    reaction = -c.F @ a.v_0 - (c.M + tg.cross(b.r_0 - a.r_0, c.F)) @ (a.R.T @ a.w)
    return c.F @ b.v_0 + c.M @ (b.R.T @ b.w) + reaction


def stretched(c: Any) -> Any:
    return 0.5 * c.c * (c.s - c.s_unstretched) ** 2


def in_world(c: Any) -> Any:
    return c.force @ c.frame_b.v_0


ENDS = ("frame_a", "frame_b")

SMOOTH = {
    "spring": Element(mb.Spring(c=3.0, s_unstretched=0.4), stretched),
    "damper": Element(mb.Damper(d=0.5)),
    "series": Element(mb.SpringDamperSeries(c=3.0, d=0.5, s_unstretched=0.4), lambda c: 0.5 * c.f**2 / c.c),
    "actuator": Element(
        mb.SpringDamperActuator(k=3.0, d=0.5, l_0=0.4),
        lambda c: 0.5 * c.k * (c.s - c.l_0) ** 2,
        lambda c: -c.F * c.v,
        ("F",),
    ),
    "bushing": Element(
        mb.Bushing(c=[3.0, 5.0, 7.0], d=[0.1, 0.2, 0.3], c_t=[0.2, 0.3, 0.4], d_t=[0.01, 0.02, 0.03]),
        lambda c: c.energy(),
    ),
    "world_force": Element(mb.WorldForce(), None, in_world, ("force",)),
    "turned_force": Element(
        mb.WorldForce(resolve_in="frame_b"), None, lambda c: c.force @ (c.frame_b.R @ c.frame_b.v_0), ("force",)
    ),
    "world_torque": Element(mb.WorldTorque(), None, lambda c: c.torque @ (c.frame_b.R.T @ c.frame_b.w), ("torque",)),
    "world_both": Element(
        mb.WorldForceAndTorque(resolve_in="frame_b"),
        None,
        lambda c: c.force @ (c.frame_b.R @ c.frame_b.v_0) + c.torque @ c.frame_b.w,
        ("force", "torque"),
    ),
    "force": Element(mb.Force(), None, moved, ("force",)),
    "torque": Element(mb.Torque(resolve_in="frame_a"), None, moved, ("torque",)),
    "both": Element(mb.ForceAndTorque(resolve_in="world"), None, moved, ("force", "torque")),
}
TOUCHING = {
    "capsule": Element(
        mb.CapsuleOnPlane(R=0.1, r=[0.1, -0.2, 0.05], c=40.0, d=0.4, mu=0.3),
        lambda c: 0.5 * c.c * (tg.maximum(c.p[0], 0.0) ** 2 + tg.maximum(c.p[1], 0.0) ** 2),
    ),
    "box": Element(
        mb.BoxOnPlane(size=[0.2, 0.3, 0.4], c=40.0, d=0.4, mu=0.3),
        lambda c: 0.5 * c.c * tg.sum(tg.maximum(c.p, 0.0) ** 2),
    ),
    "balls": Element(
        mb.SphereOnSphere(R_a=0.1, R_b=0.19, c=40.0, d=0.4, mu=0.3), lambda c: 0.5 * c.c * tg.maximum(c.p, 0.0) ** 2
    ),
}


def signal(name: str, k: int) -> Any:
    """Something lively for an input of element k."""
    size = 0.3 if name == "torque" else 1.5
    first = size * tg.sin((3.0 + k) * tg.time)
    return first if name == "F" else [first, size * tg.cos(5.0 * tg.time), 0.7 * size]


def rig_of(elements: dict[str, Element], a: SpatialDrive, b: SpatialDrive) -> Any:
    """Two driven bodies with all elements between them, and meters of each."""
    rig = tg.System("rig")
    rig.add(world=mb.World(g=0.7, n=[1.0, -2.0, 0.5]), a=a, b=b)
    for k, (name, element) in enumerate(elements.items()):
        rig.add(**{name: element.part, f"into_{name}": Meter(), f"out_{name}": Meter()})
        for end, drive in zip(ENDS, (rig.a, rig.b), strict=True):
            if hasattr(element.part, end):
                rig.connect(drive.port, getattr(element.part, end))
        for given in element.inputs:
            rig.equation(getattr(element.part, given) == signal(given, k))
        rig.equation(rig[f"into_{name}"].power == element.power_in())
        rig.equation(rig[f"out_{name}"].power == element.power_out())
        if element.stored is not None:
            rig.add(**{f"stored_{name}": Gauge()})
            rig.equation(rig[f"stored_{name}"].energy == element.stored(element.part))
    return rig


def check(s: Any, name: str, element: Element) -> None:
    into = s[f"into_{name}.energy"]
    out = s[f"out_{name}.energy"]
    stored = s[f"stored_{name}.energy"] if element.stored else np.zeros(len(s.time))
    turned_over = np.trapezoid(abs(s[f"into_{name}.power"]), s.time)
    assert turned_over > 1e-3, "no power flows"
    assert abs(into - out - (stored - stored[0])).max() < TOLERANCE * turned_over
    if isinstance(element.part, Lossy) and element.supplied is None:
        assert s[f"out_{name}.power"].min() > -1e-9
        assert out[-1] > 1e-3, "nothing is lost"


@pytest.fixture(scope="module")
def smooth() -> Any:
    second = SpatialDrive(f=1.37, phase=1.6, r_start=[0.5, 0.9, 0.4])
    rig = rig_of(SMOOTH, SpatialDrive(f=1.0, phase=0.5), second)
    rig.add(line=mb.LineForceWithFlanges())
    rig.connect(rig.a.port, rig.line.frame_a)
    rig.connect(rig.b.port, rig.line.frame_b)
    rig.add(strut=translational.SpringDamper(c=3.0, d=0.5, s_rel0=0.4))
    rig.connect(rig.line.flange_a, rig.strut.flange_a)
    rig.connect(rig.line.flange_b, rig.strut.flange_b)
    return tg.simulate(rig, 2.0, rtol=1e-8, points=401)


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_elements_conserve_energy(smooth: Any, name: str) -> None:
    check(smooth, name, SMOOTH[name])


def test_a_strut_between_flanges_is_a_spring_and_a_damper(smooth: Any) -> None:
    """One-dimensional parts along the line pull as the elements made for it do."""
    alone = smooth["spring.f"] + smooth["damper.f"]
    assert abs(smooth["line.f"] - alone).max() < 1e-7  # x is integrated, at rtol 1e-8


@pytest.fixture(scope="module")
def touching() -> Any:
    plane = SpatialDrive(F=0.3, tau=0.05, angles_start=[0.0, 0.0, 0.0])
    falling = SpatialDrive(f=1.37, phase=1.6, F=0.3, tau=0.05, r_start=[0.0, 0.3, 0.0], v_start=[0.1, -2.0, 0.05])
    return tg.simulate(rig_of(TOUCHING, plane, falling), 2.0, rtol=1e-8, points=401)


@pytest.mark.parametrize("name", TOUCHING)
def test_contacts_conserve_energy(touching: Any, name: str) -> None:
    check(touching, name, TOUCHING[name])
