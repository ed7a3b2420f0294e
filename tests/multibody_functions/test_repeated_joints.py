"""Joints between the same two lumps, circles of rigid connections, lumps without mass: what is right is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from multibody_functions.random_trees import random_tree
from tellegen.library import multibody
from tellegen.network.mechanics.checks.articulated import without_inertia
from tellegen.network.mechanics.tree_dynamics import mass_matrix
from tellegen.network.mechanics.tree_motion import LinkNumbers, TreeNumbers, places


class Door(tg.Component):
    """Two hinges on one axis; the lower one has a drive, so it is the one that is kept."""

    world = multibody.World(n=[1, 0, 0])
    upper = multibody.Revolute()
    lower = multibody.Revolute(use_flange=True)
    frame = multibody.Fixed(r=[0, 0, -1])
    door = multibody.BodyShape(r=[0, 0, -1], r_CM=[0.4, 0, -0.5], m=20.0, I_11=1.0, I_22=2.0, I_33=1.5)

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.door.frame_a
        yield self.frame.frame_b, self.lower.frame_a
        yield self.lower.frame_b, self.door.frame_b


def test_hinges_on_one_axis_repeat_each_other() -> None:
    m = tg.mechanism(Door())
    assert m.repeated == {"upper": "lower"}
    assert m.coordinates == ("lower.phi",)
    found = m.freedoms()
    assert (found.left, found.rank, len(found.redundant)) == (1, 0, 5)
    assert "upper repeats lower: both permit the same motion between the same two lumps" in str(m)
    np.testing.assert_allclose(m.mass_matrix([0.3]), [[1.5 + 20 * 0.4**2]], rtol=1e-14)


class Truss(tg.Component):
    """Three arms in a triangle that closes, and a cross without mass between two axes."""

    world = multibody.World()
    swing = multibody.Revolute()
    base = multibody.BodyShape(r=[1, 0, 0], m=2.0)
    side = multibody.FixedTranslation(r=[0, 1, 0])
    brace = multibody.FixedTranslation(r=[1, 1, 0])
    first = multibody.Revolute(n=[1, 0, 0])
    second = multibody.Revolute(n=[0, 1, 0])
    tip = multibody.Body(r_CM=[0.1, 0.2, 0.3])

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.swing.frame_a
        yield self.swing.frame_b, self.base.frame_a
        yield self.base.frame_b, self.side.frame_a
        yield self.base.frame_a, self.brace.frame_a
        yield self.side.frame_b, self.brace.frame_b
        yield self.brace.frame_b, self.first.frame_a
        yield self.first.frame_b, self.second.frame_a
        yield self.second.frame_b, self.tip.frame_a


def test_a_circle_that_closes_and_a_cross_without_mass() -> None:
    m = tg.mechanism(Truss())
    assert m.lumps[1] == ("base", "side", "brace")
    assert m.mass_of_lump(2) == 0
    assert len(m.map.rigid_loops) == 1
    assert np.isfinite(m.accelerations(m.start, np.ones(3))).all()


@pytest.mark.parametrize("seed", range(20))
def test_inertia_is_missed_where_the_mass_matrix_is_singular(seed: int) -> None:
    """Random trees, half of the lumps without mass, against the eigenvalues of M."""
    random = np.random.default_rng(seed)
    tree = _numbers(random_tree(seed, 5), random)
    q = random.uniform(0.2, 1.0, (1, tree.coordinates))
    M = mass_matrix(tree, places(tree, q))[0]
    sizes = np.linalg.eigvalsh(M)
    assert (without_inertia(tree) is None) == bool(sizes[0] > 1e-10 * sizes[-1])


def _numbers(described: Any, random: np.random.Generator) -> TreeNumbers:
    """Hinges and slides only."""
    links = []
    for k, one in enumerate(described):
        heavy = float(random.random() < 0.5)
        c = one.c
        about = one.inertia + one.m * (c @ c * np.eye(3) - np.outer(c, c))
        links.append(
            LinkNumbers(
                motion="revolute" if random.random() < 0.7 else "prismatic",
                parent=one.parent + 1,
                s=one.r,
                C=one.T.T,
                n=one.n / np.linalg.norm(one.n),
                m=heavy * one.m,
                h=heavy * one.m * c,
                J=heavy * about,
                q=slice(k, k + 1),
                u=slice(k, k + 1),
            )
        )
    return TreeNumbers(np.zeros(3), tuple(links))
