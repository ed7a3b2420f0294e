"""Random mechanisms of bodies and joints of all kinds, in any topology, with an oracle in Cartesian coordinates.

The oracle knows nothing of trees, cuts and sweeps: every body has six accelerations, every joint its constraints, and
one linear system gives all of them from positions and velocities, which it takes from the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import tellegen as tg
from library.multibody.probe import Probe
from tellegen.library import multibody as mb

GRAVITY = np.array([0.0, 0.0, -9.81])
GROUND = -1
KINDS = ("revolute", "prismatic", "spherical", "universal")


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint between two bodies (or the ground) at a point of the world in the position in which they are drawn."""

    kind: str
    bodies: tuple[int, int]
    point: Any
    axis: Any
    second: Any  # axis of a universal joint, at a right angle to the first
    only_constraint: bool


@dataclass(frozen=True, eq=False)
class Graph:
    """Bodies with their frames at some points, in the directions of the world, and joints."""

    points: Any
    masses: Any
    centres: Any
    inertias: Any
    spins: Any
    joints: tuple[Joint, ...]


def random_graph(seed: int, only_constraints: bool = False) -> Graph:
    """A connected graph with a few loops; some of its joints are constraints only, or all of them."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 5))
    joints = [
        _random_joint(rng, (int(rng.integers(GROUND, body)), body), only_constraints or bool(rng.random() < 0.4))
        for body in range(count)
    ]
    for _ in range(int(rng.integers(0, 3))):
        a, b = rng.choice(count + 1, 2, replace=False) - 1
        joints.append(_random_joint(rng, (int(a), int(b)), bool(rng.random() < 0.6)))
    return Graph(
        points=rng.uniform(-1.0, 1.0, (count, 3)),
        masses=rng.uniform(0.5, 2.0, count),
        centres=rng.uniform(-0.3, 0.3, (count, 3)),
        inertias=rng.uniform(0.05, 0.08, (count, 3)),
        spins=rng.uniform(-1.0, 1.0, (count, 3)),
        joints=tuple(joints),
    )


def _random_joint(rng: Any, bodies: tuple[int, int], only_constraint: bool) -> Joint:
    axis = _unit(rng.normal(size=3))
    second = _unit(np.cross(axis, rng.normal(size=3)))
    return Joint(str(rng.choice(KINDS)), bodies, rng.uniform(-1.0, 1.0, 3), axis, second, only_constraint)


def _unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def model(graph: Graph) -> tg.System:
    """The graph as a model. Bodies that nothing but constraints hold start as drawn, with the spins given."""
    system = tg.System("Graph")
    system.world = mb.World(n=[0, 0, -1])
    for k, point in enumerate(graph.points):
        inertia = {f"I_{i}{i}": value for i, value in enumerate(graph.inertias[k], 1)}
        start = {"r_0_start": point, "w_0_start": graph.spins[k]}
        setattr(system, f"b{k}", mb.Body(r_CM=graph.centres[k], m=graph.masses[k], **inertia, **start))
        setattr(system, f"p{k}", Probe())
        system.connect(getattr(system, f"b{k}").frame_a, getattr(system, f"p{k}").frame_a)
    for k, joint in enumerate(graph.joints):
        setattr(system, f"j{k}", _component(joint))
        for side, body in zip("ab", joint.bodies, strict=True):
            origin = np.zeros(3) if body == GROUND else graph.points[body]
            frame = system.world.frame_b if body == GROUND else getattr(system, f"b{body}").frame_a
            arm = mb.FixedTranslation(r=joint.point - origin)
            setattr(system, f"j{k}_{side}", arm)
            system.connect(frame, arm.frame_a)
            system.connect(arm.frame_b, getattr(getattr(system, f"j{k}"), f"frame_{side}"))
    return system


def _component(joint: Joint) -> Any:
    if joint.kind == "spherical":
        return mb.SphericalConstraint() if joint.only_constraint else mb.Spherical()
    if joint.kind == "universal":
        cls: Any = mb.UniversalConstraint if joint.only_constraint else mb.Universal
        return cls(n_a=joint.axis, n_b=joint.second)
    if joint.kind == "revolute":
        return mb.RevoluteConstraint(n=joint.axis) if joint.only_constraint else mb.Revolute(n=joint.axis)
    return TurnedSlide(n=joint.axis, aside=joint.second) if joint.only_constraint else mb.Prismatic(n=joint.axis)


class TurnedSlide(mb.TwoFrames):
    """A constraint that is a slide along any axis: x of two turned frames."""

    n = tg.parameter([1.0, 0.0, 0.0])
    aside = tg.parameter([0.0, 1.0, 0.0])
    turn_a = mb.FixedRotation(rotation="axes", n_x=n, n_y=aside)
    turn_b = mb.FixedRotation(rotation="axes", n_x=n, n_y=aside)
    slide = mb.PrismaticConstraint(x_locked=False)

    def connections(self) -> Any:
        yield self.frame_a, self.turn_a.frame_a
        yield self.turn_a.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.turn_b.frame_b
        yield self.turn_b.frame_a, self.frame_b


def matrix_of_cross(vector: Any) -> Any:
    """The matrix of a vector product."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


@dataclass(frozen=True, eq=False)
class Side:
    """A joint seen from one of its bodies: orientation and angular velocity, place and velocity of its point."""

    A: Any
    w: Any
    arm: Any
    r: Any
    v: Any


class Oracle:
    """Newton and Euler for one instant of a run: accelerations of all bodies, rows (a, z)."""

    def __init__(self, graph: Graph, s: Any, at: int) -> None:
        self.graph = graph
        count = len(graph.masses)
        self.A = [s[f"p{k}.R"][at].T for k in range(count)]
        self.w = [self.A[k] @ s[f"p{k}.w"][at] for k in range(count)]
        self.r = [s[f"p{k}.r"][at] for k in range(count)]
        self.v = [s[f"p{k}.v"][at] for k in range(count)]

    def accelerations(self) -> Any:
        """See the class."""
        M, f = self._inertia()
        rows = [self._rows(joint) for joint in self.graph.joints]
        J = np.vstack([one for one, _ in rows])
        target = np.concatenate([one for _, one in rows])
        zero = np.zeros((len(J), len(J)))
        solved = np.linalg.lstsq(np.block([[M, J.T], [J, zero]]), np.concatenate([f, target]), rcond=1e-10)[0]
        return solved[: len(f)].reshape(-1, 6)

    def _inertia(self) -> tuple[Any, Any]:
        graph = self.graph
        count = len(graph.masses)
        M = np.zeros((6 * count, 6 * count))
        f = np.zeros(6 * count)
        for k in range(count):
            c = self.A[k] @ graph.centres[k]
            inertia = self.A[k] @ np.diag(graph.inertias[k]) @ self.A[k].T
            m = graph.masses[k]
            # force = m (a + z x c + w x (w x c) - g), moment about the frame = I z + w x I w + c x force
            to_force = np.hstack([np.eye(3), -matrix_of_cross(c)])
            own = slice(6 * k, 6 * k + 6)
            bias = np.cross(self.w[k], np.cross(self.w[k], c)) - GRAVITY
            moment = np.hstack([np.zeros((3, 3)), inertia]) + m * matrix_of_cross(c) @ to_force
            M[own, own] = np.vstack([m * to_force, moment])
            gyroscopic = np.cross(self.w[k], inertia @ self.w[k])
            f[own] = -np.concatenate([m * bias, gyroscopic + m * np.cross(c, bias)])
        return M, f

    def _side(self, joint: Joint, number: int) -> Side:
        body = joint.bodies[number]
        if body == GROUND:
            return Side(np.eye(3), np.zeros(3), joint.point, joint.point, np.zeros(3))
        arm = self.A[body] @ (joint.point - self.graph.points[body])
        velocity = self.v[body] + np.cross(self.w[body], arm)
        return Side(self.A[body], self.w[body], arm, self.r[body] + arm, velocity)

    def _rows(self, joint: Joint) -> tuple[Any, Any]:
        """Rows of J and of J a = target, by differentiating the constraints twice with rigid kinematics."""
        a, b = self._side(joint, 0), self._side(joint, 1)
        axis = joint.axis
        across = np.linalg.svd(axis[None])[2][1:]
        positions, pairs = {
            "spherical": (np.eye(3), []),
            "universal": (np.eye(3), [(axis, joint.second)]),
            "revolute": (np.eye(3), [(t, axis) for t in across]),
            "prismatic": (across, [(across[0], axis), (across[1], axis), (across[1], across[0])]),
        }[joint.kind]
        J = []
        target = []
        gap = b.r - a.r
        closing = b.v - a.v
        for local in positions:
            t = a.A @ local
            # t.(r_b - r_a) = 0 with t' = w_a x t
            row = self._row(joint, t, -t, np.cross(b.arm, t), -np.cross(a.arm, t) + np.cross(t, gap))
            bias = t @ (np.cross(b.w, np.cross(b.w, b.arm)) - np.cross(a.w, np.cross(a.w, a.arm)))
            bias += 2 * np.cross(a.w, t) @ closing + np.cross(a.w, np.cross(a.w, t)) @ gap
            J.append(row)
            target.append(-bias)
        for on_a, on_b in pairs:
            t = a.A @ on_a
            u = b.A @ on_b
            W = np.cross(u, t)
            J.append(self._row(joint, np.zeros(3), np.zeros(3), W, -W))
            t_rate, u_rate = np.cross(a.w, t), np.cross(b.w, u)
            bias = 2 * t_rate @ u_rate + np.cross(a.w, t_rate) @ u + t @ np.cross(b.w, u_rate)
            target.append(-bias)
        return np.array(J), np.array(target)

    def _row(self, joint: Joint, a_b: Any, a_a: Any, z_b: Any, z_a: Any) -> Any:
        row = np.zeros(6 * len(self.graph.masses))
        for body, linear, angular in ((joint.bodies[0], a_a, z_a), (joint.bodies[1], a_b, z_b)):
            if body != GROUND:
                row[6 * body : 6 * body + 6] += np.concatenate([linear, angular])
        return row
