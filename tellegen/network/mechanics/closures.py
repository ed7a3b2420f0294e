"""Constraints of the joints that close loops, and their Jacobian (library/multibody/sweeps/cuts.py as equations).

With the gap g = p_b - p_a of the origins of a cut joint, its directions t on the first lump and u on the second,

    phi = t.g,    row t.(J_b(p_b) - J_a(p_b))          J(p): velocity of the point p of a lump, by the speeds
    phi = t.u,    row W.(J_b - J_a),  W = u x t        angular velocities

A wheel that rolls has a height over its plane, phi = n.(p_b + d - p_a), and three rows t.(J_b(p) - J_a(p)) for the
point p = p_b + d where it touches: the first is the derivative of phi, the others restrict nothing but velocities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, PRISMATIC, REVOLUTE
from tellegen.network.mechanics.spatial import cross, dot, times, transposed
from tellegen.network.mechanics.tree_motion import Motions, Places, TreeNumbers, jacobian
from tellegen.network.mechanics.twists import perpendicular
from tellegen.start.records import dataclass

POSITIONS = {REVOLUTE: (0, 1, 2), PRISMATIC: (0, 1), BALL: (0, 1, 2)}
"""Directions along which the origins of a joint stay together: 0 and 1 at right angles to its axis, 2 along it."""
ROTATIONS = {REVOLUTE: ((0, 2), (1, 2)), PRISMATIC: ((0, 2), (1, 2), (1, 0)), BALL: ()}
"""Directions of frame_a and of frame_b that stay at right angles."""


@dataclass(frozen=True, eq=False)
class Locked:
    """What a joint locks, as rows: directions of frame_a along which the origins stay together, pairs of directions of
    frame_a and frame_b that stay at right angles, and what each of these is called."""

    along: Any
    across: Any
    beside: Any
    names: tuple[str, ...]
    length: Any = None  # of a rod between the origins, where that is all
    wheel: Wheel | None = None  # where it rolls


@dataclass(frozen=True, eq=False)
class Wheel:
    """A wheel at frame_b that rolls on a plane of frame_a."""

    radius: Any
    n: Any  # normal of the plane, in axes of frame_a
    e: Any  # axis of the wheel, in axes of frame_b


@dataclass(frozen=True, eq=False)
class CutNumbers:
    """A cut joint: its frames on two lumps, and what it locks."""

    path: str
    lumps: tuple[int, int]
    s: tuple[Any, Any]
    C: tuple[Any, Any]
    locked: Locked


def locked_by(motion: str, directions: Any) -> Locked:
    """What a joint with a coordinate locks, given three directions as rows, the axis last."""
    positions = POSITIONS[motion]
    rotations = ROTATIONS[motion]
    return Locked(
        along=directions[list(positions)],
        across=directions[[i for i, _ in rotations]],
        beside=directions[[j for _, j in rotations]],
        names=tuple([_POSITION[i] for i in positions] + [_ROTATION[pair] for pair in rotations]),
    )


def locked_length(length: Any) -> Locked:
    """What a rod locks."""
    none = np.zeros((0, 3))
    return Locked(none, none, none, ("length of the rod",), length)


def locked_by_rolling(wheel: Wheel) -> Locked:
    """What a rolling wheel locks."""
    none = np.zeros((0, 3))
    names = ("height of the wheel", "rolling, first direction", "rolling, second direction")
    return Locked(none, none, none, names, wheel=wheel)


def locked_directions(along: Any, across: Any, beside: Any) -> Locked:
    """What a constraint locks."""
    positions = [f"position, direction {k + 1} of {len(along)}" for k in range(len(along))]
    rotations = [f"rotation, direction {k + 1} of {len(across)}" for k in range(len(across))]
    return Locked(along, across, beside, (*positions, *rotations))


@dataclass(frozen=True, eq=False)
class Closures:
    """All constraints, and which joint each belongs to."""

    phi: Any  # samples x constraints
    J: Any  # samples x constraints x speeds
    names: tuple[str, ...]
    of_positions: Any  # numbers of the constraints that are not of velocities alone


def closures(tree: TreeNumbers, cuts: tuple[CutNumbers, ...], at: Places) -> Closures:
    """Constraints at a position."""
    phi: list[Any] = []
    rows: list[Any] = []
    names: list[str] = []
    of_velocities: list[int] = []
    for cut in cuts:
        p_a, p_b = _origins(cut, at)
        along, across, beside = _directions(cut, at)
        linear_b, angular_b = jacobian(tree, at, cut.lumps[1], p_b)
        linear_a, angular_a = jacobian(tree, at, cut.lumps[0], p_b)
        if cut.locked.length is not None:
            apart = p_b - p_a
            phi.append((dot(apart, apart) / cut.locked.length - cut.locked.length) / 2)
            rows.append(times(transposed(linear_b - linear_a), apart / cut.locked.length))
        if cut.locked.wheel is not None:
            touching = _touching(cut.locked.wheel, cut, at)
            of_velocities += [len(phi) + 1, len(phi) + 2]
            height = dot(touching.directions[0], touching.point - p_a)
            phi += [height, 0 * height, 0 * height]
            there = jacobian(tree, at, cut.lumps[1], touching.point)[0]
            here = jacobian(tree, at, cut.lumps[0], touching.point)[0]
            rows += [times(transposed(there - here), t) for t in touching.directions]
        for t in along:
            phi.append(dot(t, p_b - p_a))
            rows.append(times(transposed(linear_b - linear_a), t))
        for t, u in zip(across, beside, strict=True):
            phi.append(dot(t, u))
            rows.append(times(transposed(angular_b - angular_a), cross(u, t)))
        names += [f"{cut.path}: {name}" for name in cut.locked.names]
    if not phi:
        samples = len(at.r[0])
        return Closures(np.zeros((samples, 0)), np.zeros((samples, 0, tree.speeds)), (), np.zeros(0, np.int64))
    of_positions = np.setdiff1d(np.arange(len(phi)), of_velocities)
    return Closures(np.stack(phi, axis=-1), np.stack(rows, axis=-2), tuple(names), of_positions)


_POSITION = (
    "position across the axis, first direction",
    "position across the axis, second direction",
    "position along the axis",
)
_ROTATION = {
    (0, 2): "tilt of the axis, first direction",
    (1, 2): "tilt of the axis, second direction",
    (1, 0): "rotation about the axis",
}


def closure_bias(cuts: tuple[CutNumbers, ...], at: Places, moving: Motions) -> Any:
    """Second derivatives of the constraints at no acceleration of the joints (that of `moving` must be none)."""
    found: list[Any] = []
    for cut in cuts:
        p_a, p_b = _origins(cut, at)
        along, across, beside = _directions(cut, at)
        a, b = cut.lumps
        w_a = moving.w[a]
        w_b = moving.w[b]
        d_b = p_b - at.r[b]
        d_a = p_b - at.r[a]
        v = moving.v[b] + cross(w_b, d_b) - moving.v[a] - cross(w_a, d_a)
        there = moving.a[b] + cross(moving.z[b], d_b) + cross(w_b, cross(w_b, d_b))
        here = moving.a[a] + cross(moving.z[a], d_a) + cross(w_a, cross(w_a, d_a))
        relative = there - here - 2 * cross(w_a, v)
        if cut.locked.length is not None:
            found.append((dot(p_b - p_a, relative) + dot(v, v)) / cut.locked.length)
        if cut.locked.wheel is not None:
            found += _rolling_bias(cut.locked.wheel, cut, at, moving)
        found += [dot(t, relative) for t in along]
        w = w_b - w_a
        z = moving.z[b] - moving.z[a]
        for t, u in zip(across, beside, strict=True):
            change = cross(cross(w_b, u), t) + cross(u, cross(w_a, t))
            found.append(dot(cross(u, t), z) + dot(change, w))
    return np.stack(found, axis=-1)


@dataclass(frozen=True, eq=False)
class _Touching:
    """Where a wheel touches its plane, in the world: the point, normal and two directions of the plane, the axis."""

    point: Any
    directions: tuple[Any, Any, Any]
    axis: Any
    upwards: Any  # in the plane of the wheel
    slope: Any  # length of that


def _touching(wheel: Wheel, cut: CutNumbers, at: Places) -> _Touching:
    plane, hub = (at.A[lump] @ C for lump, C in zip(cut.lumps, cut.C, strict=True))
    n = times(plane, wheel.n)
    e = times(hub, wheel.e)
    u = n - dot(n, e)[..., None] * e
    slope = (dot(u, u) ** 0.5)[..., None]
    across = tuple(times(plane, t) for t in perpendicular(wheel.n))
    point = _origins(cut, at)[1] - wheel.radius * u / slope
    return _Touching(point, (n, *across), e, u, slope)


def _rolling_bias(wheel: Wheel, cut: CutNumbers, at: Places, moving: Motions) -> list[Any]:
    """How the velocity where a wheel touches changes, in axes of the plane, while the point goes round the wheel."""
    touching = _touching(wheel, cut, at)
    a, b = cut.lumps
    n = touching.directions[0]
    e = touching.axis
    u = touching.upwards
    n_rate = cross(moving.w[a], n)
    e_rate = cross(moving.w[b], e)
    u_rate = n_rate - (dot(n_rate, e) + dot(n, e_rate))[..., None] * e - dot(n, e)[..., None] * e_rate
    turned = u_rate - u * dot(u, u_rate)[..., None] / touching.slope**2
    arm = _origins(cut, at)[1] - at.r[b]
    d_b = touching.point - at.r[b]
    d_a = touching.point - at.r[a]
    d_b_rate = cross(moving.w[b], arm) - wheel.radius * turned / touching.slope
    slip = moving.v[b] + cross(moving.w[b], d_b) - moving.v[a] - cross(moving.w[a], d_a)
    there = moving.a[b] + cross(moving.z[b], d_b) + cross(moving.w[b], d_b_rate)
    here = moving.a[a] + cross(moving.z[a], d_a) + cross(moving.w[a], moving.v[b] + d_b_rate - moving.v[a])
    rate = there - here - cross(moving.w[a], slip)
    return [dot(t, rate) for t in touching.directions]


def _origins(cut: CutNumbers, at: Places) -> tuple[Any, Any]:
    """Of frame_a and frame_b."""
    a, b = (at.r[lump] + times(at.A[lump], s) for lump, s in zip(cut.lumps, cut.s, strict=True))
    return a, b


def _directions(cut: CutNumbers, at: Places) -> tuple[list[Any], list[Any], list[Any]]:
    """The locked directions in the world, each with its samples."""
    frame_a, frame_b = (at.A[lump] @ C for lump, C in zip(cut.lumps, cut.C, strict=True))
    locked = cut.locked
    sides = ((frame_a, locked.along), (frame_a, locked.across), (frame_b, locked.beside))
    along, across, beside = ([times(frame, t) for t in directions] for frame, directions in sides)
    return along, across, beside
