"""Visuals of a mechanism with their numbers and the motion of their frames, as a solution says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray, Place, Ref, Surface, Visual


@dataclass(frozen=True, eq=False)
class Moved:
    """A visual with its numbers and the motion of its first frame (and of its last, which may be the same)."""

    visual: Visual
    positions: FloatArray
    rotations: FloatArray
    ends: FloatArray
    numbers: dict[str, FloatArray]
    size: float = 1.0  # the length that sizes nobody gives are in proportion to


def moved(solution: Solution, visual: Visual) -> Moved:
    """Variables among the numbers have a row for each time."""
    numbers = {word: _numbers(solution, ref) for word, ref in visual.numbers.items()}
    poses = [_pose(solution, place) for place in visual.places]
    positions, rotations = poses[0]
    ends = poses[-1][0]
    if visual.look.surface is not None:
        ends = positions + rotations @ (numbers["r"] + _farthest(visual.look.surface))
    elif len(poses) == 1 and "r" in numbers:
        ends = positions + rotations @ numbers["r"]
    elif "start" in numbers:
        ends = positions + rotations @ (numbers["start"] + numbers["along"] * numbers["length"])
    return Moved(visual, positions, rotations, ends, numbers)


def _numbers(solution: Solution, ref: Ref) -> FloatArray:
    indices = solution._reduced.flat.tree.indices(ref)
    return solution._p[indices] if ref.parameter else solution.si(indices)


def _farthest(surface: Surface) -> FloatArray:
    """The vertex farthest from the frame."""
    return surface.vertices[np.argmax(np.linalg.norm(surface.vertices, axis=1))]


def _pose(solution: Solution, place: Place) -> tuple[FloatArray, FloatArray]:
    """Positions and rotations of a frame over time; its axes are the columns."""
    tree = solution._reduced.flat.tree
    count = len(solution.time)
    A = solution.si(tree.indices(place.A)).reshape(count, 3, 3)
    r = solution.si(tree.indices(place.r)).reshape(count, 3)
    if place.s is None or place.C is None:
        return r, A
    s = solution._p[tree.indices(place.s)]
    C = solution._p[tree.indices(place.C)].reshape(3, 3)
    return r + A @ s, A @ C
