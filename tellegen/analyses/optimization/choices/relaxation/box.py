"""The numbers that the options left in a node can have: a box, and how they go together inside of it.

Numbers of parts are not independent: what has more torque is heavier. The options of a list lie between pairs of
parallel planes: across sums and differences of every two numbers, and across the principal axes of them all. Whatever
lies between all these planes contains the options, so the optimum there is a bound as that of the box is, a better one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.shape import Shape
from tellegen.analyses.optimization.formulation.search_variables import Variables
from tellegen.ir.model import FloatArray, IntArray

_SLACK = 1e-3  # of numbers from 0 to 1: planes that coincide would leave methods no room
_USEFUL = 0.03  # of the width of the box across a plane, that it cuts off


@dataclass(frozen=True, eq=False)
class Planes:
    """low <= rows @ u <= high of the free numbers, from 0 to 1."""

    rows: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class Box:
    """`free` are the variables of the relaxed problem whose bounds differ, all of them `middle` where they do not."""

    free: IntArray
    middle: FloatArray
    variables: Variables  # the free ones
    planes: Planes

    def values(self, x: FloatArray) -> FloatArray:
        """Of all variables of the problem."""
        full = self.middle.copy()
        full[self.free] = x
        return full

    def inside(self, full: FloatArray) -> FloatArray:
        """The free ones of all variables, between their bounds."""
        return np.clip(full[self.free], self.variables.low, self.variables.high)

    def __contains__(self, full: FloatArray) -> bool:
        x = full[self.free]
        near = 1e-9 * (np.abs(self.variables.high) + np.abs(self.variables.low))
        own = np.delete(full, self.free)
        fixed = np.delete(self.middle, self.free)
        if not np.allclose(own, fixed, rtol=1e-9, atol=0.0):
            return False
        if np.any(x < self.variables.low - near) or np.any(x > self.variables.high + near):
            return False
        across = self.planes.rows @ self.variables.normalized(x)
        return bool(np.all(across >= self.planes.low - _SLACK) and np.all(across <= self.planes.high + _SLACK))


def box_of(shape: Shape, node: Node) -> Box:
    """Around the numbers of the options that are left."""
    own = shape.relaxed.problem.variables
    low = own.low.copy()
    high = own.high.copy()
    for columns, each, left in zip(shape.columns, shape.numbers, node.left, strict=True):
        values = each.values[list(left)]
        low[columns] = values.min(axis=0)
        high[columns] = values.max(axis=0)
    free = np.flatnonzero(high > low)
    kept = Variables(
        tuple(own.names[k] for k in free),
        tuple(own.units[k] for k in free),
        tuple(own.is_start[k] for k in free),
        low[free],
        high[free],
        own.own[free],
    )
    middle = 0.5 * (low + high)
    return Box(free, middle, kept, _planes(shape, node, kept, free, middle))


def _planes(shape: Shape, node: Node, kept: Variables, free: IntArray, middle: FloatArray) -> Planes:
    """Of all lists; each concerns the numbers of its own list only."""
    found: list[tuple[FloatArray, float, float]] = []
    for columns, each, left in zip(shape.columns, shape.numbers, node.left, strict=True):
        places = np.flatnonzero(np.isin(free, columns))
        if len(places) < 2:
            continue
        full = np.tile(middle, (len(left), 1))
        full[:, columns] = each.values[list(left)]
        numbers = kept.normalized(full[:, free])[:, places]
        for direction in _directions(numbers):
            across = numbers @ direction
            low = np.minimum(direction, 0.0).sum()
            high = np.maximum(direction, 0.0).sum()
            if across.min() - low + high - across.max() > _USEFUL * (high - low):
                row = np.zeros(len(free))
                row[places] = direction
                found.append((row, float(across.min()) - _SLACK, float(across.max()) + _SLACK))
    rows = np.array([row for row, _, _ in found]).reshape(len(found), len(free))
    return Planes(rows, np.array([low for _, low, _ in found]), np.array([high for _, _, high in found]))


def _directions(numbers: FloatArray) -> list[FloatArray]:
    """Sums and differences of pairs, and principal axes."""
    size = numbers.shape[1]
    pairs = [
        np.eye(size)[first] + sign * np.eye(size)[second]
        for first, second in combinations(range(size), 2)
        for sign in (1.0, -1.0)
    ]
    axes = np.linalg.svd(numbers - numbers.mean(axis=0), full_matrices=False)[2]
    return [*pairs, *axes]
