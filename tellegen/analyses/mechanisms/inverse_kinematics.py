"""Coordinates that bring a frame to a wanted pose: damped least squares (Levenberg-Marquardt) over the joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import DataError
from tellegen.ir.source_location import here
from tellegen.network.mechanics.assembly import moved
from tellegen.network.mechanics.closures import CutNumbers, closures
from tellegen.network.mechanics.spatial import cross
from tellegen.network.mechanics.tree_motion import TreeNumbers, places
from tellegen.sheet import Result, Table

_FIRST_DAMPING = 1e-3
_LEAST_DAMPING = 1e-12
_MOST_DAMPING = 1e8


@dataclass(frozen=True, eq=False)
class FramePose:
    """Position of a frame, and its orientation: the rows are its axes in the world."""

    position: Any
    orientation: Any


@dataclass(frozen=True, eq=False, repr=False)
class InverseKinematics(Result):
    """The coordinates found, and what is left of the distance to the target."""

    q: Any
    error: float  # norm of what is left: metres, radians, gaps of loops
    iterations: int
    tolerance: float

    @property
    def success(self) -> bool:
        """Whether the frame is where it should be."""
        return self.error <= self.tolerance

    @property
    def message(self) -> str:
        """How the search ended."""
        if self.success:
            return f"found after {self.iterations} iterations"
        return (
            f"not found: {self.error:.3g} is left after {self.iterations} iterations; "
            "the target may be out of reach, or another guess is needed"
        )

    def _title(self) -> str:
        return f"InverseKinematics: {self.message}"

    def _page(self) -> list[Table | str]:
        return [f"q = {np.array2string(self.q, precision=6)}"]


@dataclass(frozen=True, eq=False)
class Goal:
    """Where a frame should be, and the row of coordinates to begin with."""

    position: Any
    orientation: Any  # None where it does not matter
    guess: Any


def search_pose(
    tree: TreeNumbers,
    cuts: tuple[CutNumbers, ...],
    at: Callable[[Any], tuple[FramePose, Any]],
    goal: Goal,
    tolerance: float = 1e-10,
    iterations: int = 200,
) -> InverseKinematics:
    """`at` gives pose and Jacobian of the frame."""
    q = goal.guess

    def left(q: Any) -> tuple[Any, Any]:
        pose, J = at(q)
        loops = closures(tree, cuts, places(tree, q))
        residual = [pose.position[0] - goal.position, loops.phi[0, loops.of_positions]]
        rows = [J[0, :3], loops.J[0, loops.of_positions]]
        if goal.orientation is not None:
            residual.append(_turn(pose.orientation[0], goal.orientation))
            rows.append(J[0, 3:])
        return np.concatenate(residual), np.vstack(rows)

    residual, J = left(q)
    damping = _FIRST_DAMPING
    count = 0
    while count < iterations and np.linalg.norm(residual) > tolerance and damping < _MOST_DAMPING:
        count += 1
        normal = J.T @ J + damping * np.eye(J.shape[1])
        tried = moved(tree, q, -np.linalg.solve(normal, J.T @ residual)[None])
        there, J_there = left(tried)
        if np.linalg.norm(there) < np.linalg.norm(residual):
            q = tried
            residual = there
            J = J_there
            damping = max(damping / 10, _LEAST_DAMPING)
        else:
            damping *= 10
    return InverseKinematics(q[0], float(np.linalg.norm(residual)), count, tolerance)


def _turn(R: Any, wanted: Any) -> Any:
    """The rotation from the wanted orientation to R as a vector in the world; right up to half a turn."""
    axes = cross(wanted, R).sum(axis=0) / 2
    cosine = ((R * wanted).sum() - 1) / 2
    sine = np.linalg.norm(axes)
    if sine > 1e-9:
        return axes * (np.arctan2(sine, cosine) / sine)
    if cosine > 0:
        return axes
    opposite = (R.T @ wanted + np.eye(3)) / 2
    return np.pi * opposite[:, np.diag(opposite).argmax()]


def goal_of(target: Any, guess: Any) -> Goal:
    """What a user gives as a target: a position, a pair of position and orientation, or a pose."""
    if isinstance(target, FramePose):
        return Goal(target.position, target.orientation, guess)
    if isinstance(target, tuple) and len(target) == 2 and np.shape(target[1]) == (3, 3):
        return Goal(np.asarray(target[0], float), np.asarray(target[1], float), guess)
    if np.shape(target) == (3,):
        return Goal(np.asarray(target, float), None, guess)
    raise DataError(
        "E708",
        "a target is three numbers, or a pair of three numbers and a matrix of 3 x 3",
        location=here(),
        advice="inverse_kinematics('tool.frame_b', [0.5, 0.0, 0.3]) or (position, orientation) as .frame gives them",
    )
