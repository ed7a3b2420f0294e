"""Random closed loops in space against Newton and Euler in Cartesian coordinates, with multipliers for all joints.

The oracle knows nothing of trees, cuts and sweeps: every body has six accelerations, every joint its constraints, and
one linear system gives all of them from positions and velocities, which it takes from the run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from library.multibody.probe import Probe
from tellegen.library import multibody as mb

GRAVITY = np.array([0.0, 0.0, -9.81])


@dataclass(frozen=True, eq=False)
class Loop:
    """Points where joints are, axes of hinges (None for ball joints), and bodies between the points."""

    points: Any
    axes: list[Any]
    masses: Any
    centers: Any
    inertias: Any


def random_loop(seed: int) -> Loop:
    """A loop with one or two freedoms besides what ball joints at both ends of a body leave idle."""
    rng = np.random.default_rng(seed)
    balls = int(rng.integers(0, 2))
    hinges = int(rng.integers(7, 9)) - 3 * balls
    kinds = rng.permutation([True] * balls + [False] * hinges)
    count = len(kinds)
    points = rng.uniform(-1.0, 1.0, (count, 3))
    axes = [None if is_ball else _unit(rng.normal(size=3)) for is_ball in kinds]
    centers = 0.5 * np.diff(points, axis=0) + rng.uniform(-0.1, 0.1, (count - 1, 3))
    return Loop(points, axes, rng.uniform(0.5, 2.0, count - 1), centers, rng.uniform(0.05, 0.08, (count - 1, 3)))


def _unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def model(loop: Loop) -> tg.System:
    """The loop as a model; it starts as drawn, with a push on its first hinge."""
    system = tg.System("Loop")
    system.world = mb.World(n=[0, 0, -1])
    system.start = mb.FixedTranslation(r=loop.points[0])
    system.end = mb.FixedTranslation(r=loop.points[-1])
    pushed = False
    for k, axis in enumerate(loop.axes):
        if axis is None:
            joint: Any = mb.Spherical()
        elif pushed:
            joint = mb.Revolute(n=axis)
        else:
            joint = mb.Revolute(n=axis, w=tg.variable(start=1.0))
            pushed = True
        setattr(system, f"j{k}", joint)
    for k, r in enumerate(np.diff(loop.points, axis=0)):
        inertia = {f"I_{i}{i}": value for i, value in enumerate(loop.inertias[k], 1)}
        setattr(system, f"b{k}", mb.BodyShape(r=r, r_CM=loop.centers[k], m=loop.masses[k], **inertia))
        setattr(system, f"p{k}", Probe())
    system.connect(system.world.frame_b, system.start.frame_a, system.end.frame_a)
    before = system.start.frame_b
    for k in range(len(loop.masses)):
        system.connect(before, getattr(system, f"j{k}").frame_a)
        body = getattr(system, f"b{k}")
        system.connect(getattr(system, f"j{k}").frame_b, body.frame_a, getattr(system, f"p{k}").frame_a)
        before = body.frame_b
    last = getattr(system, f"j{len(loop.masses)}")
    system.connect(before, last.frame_a)
    system.connect(last.frame_b, system.end.frame_b)
    return system


def cross(vector: Any) -> Any:
    """The matrix of a vector product."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def accelerations(loop: Loop, s: Any, at: int, gravity: Any = GRAVITY) -> Any:
    """Of all bodies, at their first points and of their rotation, by Newton and Euler: rows (a, z)."""
    count = len(loop.masses)
    A = [s[f"p{k}.R"][at].T for k in range(count)]
    w = [A[k] @ s[f"p{k}.w"][at] for k in range(count)]
    M = np.zeros((6 * count, 6 * count))
    f = np.zeros(6 * count)
    for k in range(count):
        c = A[k] @ loop.centers[k]
        inertia = A[k] @ np.diag(loop.inertias[k]) @ A[k].T
        m = loop.masses[k]
        # at the first point: force = m (a + z x c + w x (w x c) - g), moment = I z + w x I w + c x force
        to_force = np.hstack([np.eye(3), -cross(c)])
        rows = slice(6 * k, 6 * k + 6)
        bias = np.cross(w[k], np.cross(w[k], c)) - gravity
        M[rows, rows] = np.vstack([m * to_force, np.hstack([np.zeros((3, 3)), inertia]) + m * cross(c) @ to_force])
        f[rows] = -np.concatenate([m * bias, np.cross(w[k], inertia @ w[k]) + m * np.cross(c, bias)])
    constraints = []
    targets = []
    for k, axis in enumerate(loop.axes):
        row = np.zeros((6, 6 * count))
        target = np.zeros(6)
        for body, sign in ((k - 1, -1.0), (k, 1.0)):
            if 0 <= body < count:
                arm = A[body] @ (loop.points[k] - loop.points[body])
                row[:3, 6 * body : 6 * body + 6] += sign * np.hstack([np.eye(3), -cross(arm)])
                row[3:, 6 * body + 3 : 6 * body + 6] += sign * np.eye(3)
                target[:3] -= sign * np.cross(w[body], np.cross(w[body], arm))
        constraints.append(row[:3])
        targets.append(target[:3])
        if axis is not None:
            frame = A[k - 1] if k > 0 else np.eye(3)
            turn = w[k - 1] if k > 0 else np.zeros(3)
            relative = (w[k] if k < count else np.zeros(3)) - turn
            locked = np.linalg.svd((frame @ axis)[None])[2][1:]
            constraints.append(locked @ row[3:])
            targets.append(-np.array([np.cross(turn, t) @ relative for t in locked]))
    J = np.vstack(constraints)
    n = len(J)
    matrix = np.block([[M, J.T], [J, np.zeros((n, n))]])
    solved = np.linalg.lstsq(matrix, np.concatenate([f, *targets]), rcond=None)[0]
    return solved[: 6 * count].reshape(count, 6)


def deviation(loop: Loop) -> float:
    """The largest difference of accelerations over a run to those of Newton and Euler, of their largest."""
    s = tg.simulate(model(loop), stop=0.4, points=5, rtol=1e-8)
    worst = 0.0
    for at in range(len(s.time)):
        expected = accelerations(loop, s, at)
        found = [
            np.concatenate([s[f"p{k}.a"][at], s[f"p{k}.R"][at].T @ s[f"p{k}.z"][at]]) for k in range(len(expected))
        ]
        worst = max(worst, np.abs(np.array(found) - expected).max() / np.abs(expected).max())
    return worst


def odd_deviation(seed: int) -> float:
    """The same for masses of 1e-9 to 1e9 kg in ratios up to 1e6 and lengths of 0.1 mm to 1 km.

    The oracle has the loop in units in which it is of size one, for its linear system mixes masses with lengths.
    """
    rng = np.random.default_rng(seed)
    mass = 10 ** rng.uniform(-6.0, 6.0)
    length = 10 ** rng.uniform(-4.0, 3.0)
    drawn = random_loop(seed)
    ratio = 10 ** rng.uniform(-3.0, 3.0, len(drawn.masses))
    loop = replace(drawn, masses=drawn.masses * ratio, inertias=drawn.inertias * ratio[:, None])
    scaled = Loop(
        loop.points * length, loop.axes, loop.masses * mass, loop.centers * length, loop.inertias * mass * length**2
    )
    s = tg.simulate(model(scaled), stop=0.4 * min(1.0, np.sqrt(length)), points=3, rtol=1e-8)
    worst = 0.0
    for at in range(len(s.time)):
        expected = accelerations(loop, s, at, GRAVITY / length)
        found = np.array(
            [
                np.concatenate([s[f"p{k}.a"][at] / length, s[f"p{k}.R"][at].T @ s[f"p{k}.z"][at]])
                for k in range(len(expected))
            ]
        )
        worst = max(worst, np.abs(found - expected).max() / np.abs(expected).max())
    return worst


@pytest.mark.parametrize("seed", range(100, 102))
def test_loops_of_odd_scales(seed: int) -> None:
    """benchmarks/mechanism_tables.py has twenty."""
    assert odd_deviation(seed) < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_random_loops(seed: int) -> None:
    """benchmarks/mechanism_tables.py has twenty."""
    assert deviation(random_loop(seed)) < 1e-6
