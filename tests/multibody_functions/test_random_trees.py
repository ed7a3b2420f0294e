"""Random trees: the functions of tg.mechanism and compiled models against Kane's equations, and against pinocchio.

Fifty trees stand side by side in one model, so that everything is flattened and compiled once.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from multibody_functions import kane
from multibody_functions.by_pinocchio import Peer
from multibody_functions.random_trees import Joint, forest, model_of, random_tree
from tellegen.network.mechanics import tree_dynamics
from tellegen.network.mechanics.assembly import moved
from tellegen.network.mechanics.tree_motion import motions, places

TREES = [random_tree(seed, 2 + seed % 5) for seed in range(50)]


@dataclass(frozen=True, eq=False)
class Forest:
    """All trees, the mechanism of them, and where the speeds of each tree stand in it."""

    joints: list[Joint]
    model: Any
    mechanism: tg.Mechanism
    u: Any  # speeds in the order of the mechanism
    where: list[Any]

    def each(self) -> Iterator[tuple[list[Joint], Any]]:
        return zip(TREES, self.where, strict=True)


@pytest.fixture(scope="module")
def made() -> Forest:
    joints = forest(TREES)
    model = model_of(joints)
    mechanism = tg.mechanism(model)
    number = {name: k for k, name in enumerate(mechanism.speeds)}
    first = {path: number[name] for name in reversed(mechanism.speeds) for path in [name.split(".")[0]]}
    where = [np.arange(first[f"joint{k}"], first[f"joint{k}"] + len(one.u)) for k, one in enumerate(joints)]
    u = np.zeros(len(number))
    u[np.concatenate(where)] = np.concatenate([one.u for one in joints])
    ends = np.cumsum([0, *map(len, TREES)])
    return Forest(joints, model, mechanism, u, [np.concatenate(where[a:b]) for a, b in pairwise(ends)])


def close(found: Any, expected: Any, tolerance: float = 1e-10) -> None:
    """To a part of the largest."""
    assert np.abs(found - expected).max() <= tolerance * max(1.0, np.abs(expected).max())


def test_functions_agree_with_kane(made: Forest) -> None:
    """Inverse dynamics, mass matrix and accelerations to rounding; accelerations lose some by the condition of M."""
    m = made.mechanism
    q = m.start
    a = np.random.default_rng(5).standard_normal(len(made.u))
    tau = m.inverse_dynamics(q, made.u, a)
    bias = m.bias(q, made.u)
    weight = m.gravity(q)
    M = m.mass_matrix(q)
    for tree, at in made.each():
        u = made.u[at]
        close(tau[at], kane.inverse_dynamics(tree, u, a[at]))
        close(bias[at], kane.inverse_dynamics(tree, u, 0 * u))
        close(weight[at], kane.inverse_dynamics(tree, 0 * u, 0 * u))
    for tree, at in list(made.each())[::5]:  # of all of them by pinocchio, and by inverse dynamics above
        close(M[np.ix_(at, at)], kane.mass_matrix(tree))
    close(m.accelerations(q, made.u, tau), a, 1e-9)


def test_compiled_functions_agree_with_those_for_symbols(made: Forest) -> None:
    """Rows of samples, and a frame at the end of every tree; the latter are the formulas of network/mechanics."""
    m = made.mechanism
    random = np.random.default_rng(7)
    q = m.start + random.uniform(-0.3, 0.3, (3, len(m.start)))
    v, a = random.standard_normal((2, 3, len(made.u)))
    at = places(m._tree, q)
    close(m.mass_matrix(q), tree_dynamics.mass_matrix(m._tree, at))
    close(m.inverse_dynamics(q, v, a), tree_dynamics.joint_forces(m._tree, at, motions(m._tree, at, v, a)).tau)
    for path in list(m.map.frames)[:: len(m.map.frames) // 20]:
        close(m.jacobian(path, q), m._frame_jacobian(path, at))
    again = pickle.loads(pickle.dumps(m._native))
    assert (again.mass_matrix(q) == m.mass_matrix(q)).all()


def test_pinocchio_says_the_same(made: Forest) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    m = made.mechanism
    M = m.mass_matrix(m.start)
    bias = m.bias(m.start, made.u)
    a = m.accelerations(m.start, made.u)
    for tree, at in made.each():
        peer = Peer(pinocchio, tree)
        close(M[np.ix_(at, at)], peer.mass_matrix())
        close(bias[at], peer.bias())
        close(a[at], peer.accelerations(), 1e-9)


def test_compiled_models_accelerate_alike() -> None:
    """The sweeps of native code, at the start of some of the trees."""
    joints = forest(TREES[6:9])
    model = model_of(joints)
    m = tg.mechanism(model)
    u = m._u.rows({f"joint{k}": one.u for k, one in enumerate(joints)})[0][0]
    solution = tg.compile(model).simulate(stop=1e-5, solver="rk45")
    found = np.array([acceleration(solution, joints, name) for name in m.speeds])
    close(found, m.accelerations(m.start, u), 1e-9)


def acceleration(solution: tg.Solution, joints: list[Joint], name: str) -> float:
    """At the start, of a speed; angular velocities of the compiled model are in axes of the lump."""
    joint, _, speed = name.partition(".")
    if joints[int(joint[5:])].kind not in ("spherical", "free"):
        return solution[f"{joint}.a"][0]
    if not speed.startswith("w_rel"):
        return solution[f"der({joint}_joint.{speed})"][0]
    own = [solution[f"der({joint}_joint.w_own[{k}])"][0] for k in range(3)]
    return solution[f"{joint}_joint.turn"][0, int(speed[6])] @ own


def test_energy_is_that_of_mass_matrix_and_gravity(made: Forest) -> None:
    m = made.mechanism
    q = m.start
    energy = m.energy(q, made.u)
    close(energy.kinetic, made.u @ m.mass_matrix(q) @ made.u / 2)
    height = m.center_of_mass(q) @ (0.3, -9.0, 2.0)
    close(energy.potential, -height * sum(one.m for one in made.joints))
    step = 1e-6
    there, back = (m.energy(_moved(m, sign * step * made.u), made.u).potential for sign in (1, -1))
    close(m.gravity(q) @ made.u, (there - back) / (2 * step), 1e-7)  # by differences


def _moved(m: tg.Mechanism, step: Any) -> Any:
    return moved(m._tree, m.start[None], step[None])[0]


@pytest.mark.parametrize("tree", [3, 14, 29])
def test_jacobian_is_the_derivative_of_a_frame(made: Forest, tree: int) -> None:
    """By central differences, good to 1e-8."""
    m = made.mechanism
    path = f"body{sum(map(len, TREES[: tree + 1])) - 1}.frame_a"
    step = 1e-5
    there, back = (m.frame(path, _moved(m, sign * step * made.u)) for sign in (1, -1))
    velocity = m.jacobian(path, m.start) @ made.u
    close(velocity[:3], (there.position - back.position) / (2 * step), 1e-8)
    change = (there.orientation - back.orientation) / (2 * step)
    close(velocity[3:], kane.vee(change.T @ m.frame(path, m.start).orientation), 1e-8)


def test_rows_are_single_positions(made: Forest) -> None:
    m = made.mechanism
    random = np.random.default_rng(1)
    q = m.start + 0.3 * random.standard_normal((3, len(m.coordinates)))
    v = random.standard_normal((3, len(m.speeds)))
    together = m.inverse_dynamics(q, v, v)
    for k in range(3):
        close(together[k], m.inverse_dynamics(q[k], v[k], v[k]))
    assert m.frame("body0.frame_a", q).position.shape == (3, 3)


def test_reactions_hold_what_hangs_on_a_joint(made: Forest) -> None:
    """At rest the forces of all joints on the ground carry the weight."""
    m = made.mechanism
    still = np.zeros(len(m.speeds))
    reactions = m.reactions(m.start, still, still)
    total = sum(reactions[f"joint{k}"].force for k, one in enumerate(made.joints) if one.parent < 0)
    close(total, -sum(one.m for one in made.joints) * np.array([0.3, -9.0, 2.0]))
