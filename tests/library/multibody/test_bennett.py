"""Bennett's linkage: four hinges with skew axes, which move because lengths and twists fit: a/sin(alpha) = b/sin(beta).

Its closed solution (G. T. Bennett, 1903), with the angles of two hinges that follow each other:

    tan(phi_1/2) tan(phi_2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2),    phi_3 = -phi_1,    phi_4 = -phi_2
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import multibody as mb

TWISTS = 0.6, 1.1
LENGTHS = 1.0, float(np.sin(TWISTS[1]) / np.sin(TWISTS[0]))
RATIO = float(np.sin((TWISTS[1] + TWISTS[0]) / 2) / np.sin((TWISTS[1] - TWISTS[0]) / 2))
FIRST = 0.9
SECOND = float(2 * np.arctan(RATIO / np.tan(FIRST / 2)))


def bar(length: float) -> mb.BodyShape:
    across = length**2 / 12
    return mb.BodyShape(r=[length, 0, 0], r_CM=[length / 2, 0, 0], m=1.0, I_11=1e-3, I_22=across, I_33=across)


def hinge(guess: float) -> mb.Revolute:
    return mb.Revolute(n=[0, 0, 1], phi=tg.variable(start=guess))


class Bennett(tg.Component):
    """The hinges but for the first one begin with rough guesses."""

    world = mb.World(n=[0, 0, -1])
    j1 = mb.Revolute(n=[0, 0, 1], phi=tg.variable(start=FIRST, fixed=True), w=tg.variable(start=2.0, fixed=True))
    j2 = hinge(SECOND + 0.05)
    j3 = hinge(-FIRST - 0.03)
    j4 = hinge(-SECOND)
    bar1 = bar(LENGTHS[0])
    bar2 = bar(LENGTHS[1])
    bar3 = bar(LENGTHS[0])
    twist1 = mb.FixedRotation(angle=TWISTS[0])
    twist2 = mb.FixedRotation(angle=TWISTS[1])
    twist3 = mb.FixedRotation(angle=TWISTS[0])
    base = mb.FixedRotation(r=[LENGTHS[1], 0, 0], angle=TWISTS[1])

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.j1.frame_a, self.base.frame_b
        yield from self.through(self.j1, self.bar1, self.twist1, self.j2)
        yield from self.through(self.j2, self.bar2, self.twist2, self.j3)
        yield from self.through(self.j3, self.bar3, self.twist3, self.j4)
        yield self.j4.frame_b, self.base.frame_a

    def through(self, before: Any, body: Any, twist: Any, after: Any) -> Iterator[Any]:
        yield before.frame_b, body.frame_a
        yield body.frame_b, twist.frame_a
        yield twist.frame_b, after.frame_a


@pytest.fixture(scope="module")
def linkage() -> Any:
    return tg.compile(Bennett())


def test_it_moves_although_counting_says_it_should_not() -> None:
    found = tg.mechanism(Bennett()).freedoms()
    assert (found.left, found.rank) == (1, 2)
    assert len(found.redundant) == 3


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode"])
def test_angles_are_those_of_the_closed_solution(linkage: Any, solver: str) -> None:
    run = linkage.simulate(stop=3.0, points=31, solver=solver, rtol=1e-8)
    phi = np.stack([run[f"j{k}.phi"] for k in (1, 2, 3)], axis=1)
    half = phi / 2
    across = np.sin(half[:, 0]) * np.sin(half[:, 1]) - RATIO * np.cos(half[:, 0]) * np.cos(half[:, 1])
    assert abs(across).max() < 1e-12
    assert abs(np.sin(half[:, 0] + half[:, 2])).max() < 1e-12
    assert np.ptp(phi[:, 0]) > 0.5
    w = np.stack([run[f"j{k}.w"] for k in (1, 2, 3)], axis=1)
    energy = tg.mechanism(Bennett()).energy(phi, w)
    assert np.ptp(energy.kinetic + energy.potential) < 1e-4  # of 30 J that come and go; CVODE 9e-6
