"""Inverse dynamics by inertial parameters: against inverse dynamics, pinocchio, and known base parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from multibody_functions.by_pinocchio import Peer
from multibody_functions.random_trees import Joint, model_of, random_tree
from tellegen.library import multibody

PINOCCHIO_ORDER = [0, 1, 2, 3, 4, 7, 5, 8, 9, 6]
"""Where m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz stand among ours."""


def close(found: Any, expected: Any, tolerance: float = 1e-10) -> None:
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * (np.abs(expected).max() + 1.0))


def motion(m: tg.Mechanism, seed: int, samples: int = 4) -> tuple[Any, Any, Any]:
    """Speeds and accelerations at random; positions near the start, with quaternions of length one."""
    random = np.random.default_rng(seed)
    v, a = random.standard_normal((2, samples, len(m.speeds)))
    return np.tile(m.start, (samples, 1)), v, a


@pytest.mark.parametrize("seed", range(6))
def test_torques_are_linear_in_the_parameters(seed: int) -> None:
    m = tg.mechanism(model_of(random_tree(seed, 6)))
    q, v, a = motion(m, seed)
    theta = m.inertial_parameters
    assert len(theta.names) == len(theta.values) == 60
    tau = m.inverse_dynamics(q, v, a)
    close(np.einsum("tij,j->ti", m.regressor(q, v, a), theta.values), tau)
    close(m.regressor(q[0], v[0], a[0]) @ theta.values, tau[0])
    base = m.base_parameters()
    close(np.einsum("tij,j->ti", m.regressor(q, v, a)[..., list(base.columns)], base.values), tau, 1e-8)
    assert base.P.shape == (len(base.columns), 60)
    assert m.base_parameters(seed=1).columns == base.columns, "other motions lead to the same parameters"


def hinges(seed: int, count: int) -> list[Joint]:
    """A random tree without balls and free bodies, whose speeds pinocchio counts in other axes."""
    return [
        replace(one, kind="revolute", q=one.q[:1], u=one.u[:1]) if one.kind in ("spherical", "free") else one
        for one in random_tree(seed, count)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_pinocchio_has_the_same_regressor(seed: int) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    tree = hinges(seed, 7)
    m = tg.mechanism(model_of(tree))
    random = np.random.default_rng(seed)
    v, a = random.standard_normal((2, 7))
    by_joint = [int(link.path[5:]) for link in m.map.links]  # their order among ours
    peer = Peer(pinocchio, tree)
    own = [peer.model.joints[peer.numbers[k]].idx_v for k in by_joint]
    v_peer, a_peer = np.zeros((2, 7))
    v_peer[own], a_peer[own] = v, a
    found = pinocchio.computeJointTorqueRegressor(peer.model, peer.data, peer.q, v_peer, a_peer)
    blocks = [found[:, 10 * (peer.numbers[k] - 1) :][:, :10] for k in by_joint]
    ours = m.regressor(m.start, v, a).reshape(7, 7, 10)
    for j, block in enumerate(blocks):
        close(ours[:, j, :][:, PINOCCHIO_ORDER], block[own])
    everything = np.concatenate([_random_rows(m, peer, pinocchio, k) for k in range(60)])
    assert len(m.base_parameters().columns) == np.linalg.matrix_rank(everything, tol=1e-8 * np.abs(everything).max())


def _random_rows(m: tg.Mechanism, peer: Peer, pinocchio: Any, seed: int) -> Any:
    random = np.random.default_rng(seed)
    q, v, a = random.uniform(-3, 3, (3, len(m.speeds)))
    return pinocchio.computeJointTorqueRegressor(peer.model, peer.data, q, v, a)


class TwoLinks(tg.Component):
    """A planar arm in a vertical plane."""

    world = multibody.World()
    shoulder = multibody.Revolute()
    upper = multibody.BodyShape(r=[0.5, 0, 0], r_CM=[0.2, 0.01, 0], m=2.0, I_33=0.05)
    elbow = multibody.Revolute()
    lower = multibody.Body(r_CM=[0.3, 0.02, 0.1], m=1.5, I_33=0.04)

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.shoulder.frame_a
        yield self.shoulder.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.elbow.frame_a
        yield self.elbow.frame_b, self.lower.frame_a


def test_base_parameters_of_a_planar_arm() -> None:
    """Six, and the mass of the second link counts for the first one: the textbook's result."""
    base = tg.mechanism(TwoLinks()).base_parameters()
    assert base.names == ("shoulder.mx", "shoulder.my", "shoulder.Izz", "elbow.mx", "elbow.my", "elbow.Izz")
    found = dict(zip(base.names, base.values, strict=True))
    assert found["shoulder.mx"] == pytest.approx(2.0 * 0.2 + 1.5 * 0.5)
    assert found["shoulder.Izz"] == pytest.approx(0.05 + 2.0 * (0.2**2 + 0.01**2) + 1.5 * 0.5**2)
    assert found["elbow.mx"] == pytest.approx(1.5 * 0.3)
    combinations = {base.combination(k) for k in range(6)}
    assert "shoulder.mx + 0.5 elbow.m" in combinations
    assert "shoulder.Izz + 0.25 elbow.m" in combinations
    assert str(base).startswith("BaseParameters: 6 of 20 parameters\n")


def test_gravity_of_a_point_is_refused() -> None:
    class Orbit(tg.Component):
        world = multibody.World(gravity="point")
        satellite = multibody.Body(m=300.0, r_0_start=[7e6, 0, 0])

    m = tg.mechanism(Orbit())
    with pytest.raises(tg.StructureError, match="E237: inverse dynamics of Orbit is not linear"):
        m.base_parameters()
