"""What the runs of a relaxed problem have shown: whether functions are monotone, and which constraints are affine.

A constraint is affine in the numbers of options when its derivatives are the same in all runs (the mass of a motor and
a gear). Options that break one whatever the others are need no run at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.relaxation.box import Box
from tellegen.analyses.optimization.choices.shape import Shape
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE, Evaluation
from tellegen.ir.model import FloatArray

_ENOUGH = 12  # runs, to believe that derivatives do not change
_NEAREST = 24  # runs that are looked at for the signs of derivatives
_SAME = 1e-9  # relative
_NOTHING = 1e-4  # of the size of a function: a change over the box that does not matter


@dataclass(frozen=True, eq=False)
class Affine:
    """A constraint, `sign (offset + slopes @ values)`, with an upper limit of what is in brackets."""

    text: str
    sign: float
    slopes: FloatArray
    offset: float
    high: float


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Options of a node that no other choice makes satisfy a constraint; `best` is the best value it can have."""

    node: Node
    constraint: str
    best: float


class Evidence:
    """All runs of the relaxed problem of a shape so far."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.places: list[FloatArray] = []
        self.values: list[FloatArray] = []  # of the constraints
        self.slopes: list[FloatArray] = []  # of the objective and the constraints, a row each
        self._affine: tuple[Affine, ...] | None = None

    def add(self, runs: Iterable[Evaluation]) -> None:
        """More of them."""
        for run in runs:
            if run.slope is not None and run.jacobian is not None:
                self.places.append(run.x)
                self.values.append(run.constraints)
                self.slopes.append(np.vstack([run.slope, run.jacobian]))
        self._affine = None

    def is_monotone(self, box: Box) -> bool:
        """Whether no derivative by a number of options changes its sign among the runs in a box, or nearest to it."""
        problem = self.shape.relaxed.problem
        numbers = box.free[box.free >= len(self.shape.leaf_problem.variables.names)]
        if len(self.places) < _NEAREST:
            return False
        x = np.array(self.places)
        ranges = problem.variables.high - problem.variables.low
        low = box.middle.copy()
        high = box.middle.copy()
        low[box.free] = box.variables.low
        high[box.free] = box.variables.high
        away = (np.maximum(np.maximum(low - x, x - high), 0.0) / ranges).max(axis=1)
        nearest = np.argsort(away, kind="stable")[: max(_NEAREST, int((away == 0.0).sum()))]
        sizes = np.concatenate([[problem.size], problem.sizes])
        changes = np.array([self.slopes[k] for k in nearest])[:, :, numbers] * (high - low)[numbers]
        changes /= sizes[:, None]
        rises = (changes > _NOTHING).any(axis=0)
        falls = (changes < -_NOTHING).any(axis=0)
        return not bool((rises & falls).any())

    @property
    def affine(self) -> tuple[Affine, ...]:
        """The constraints whose derivatives are the same in all runs."""
        if self._affine is None:
            self._affine = tuple(self._found())
        return self._affine

    def _found(self) -> Iterable[Affine]:
        if len(self.places) < _ENOUGH:
            return
        problem = self.shape.relaxed.problem
        x = np.array(self.places)
        values = np.array(self.values)
        slopes = np.array(self.slopes)[:, 1:]
        for number, constraint in enumerate(problem.asked.constraints):
            own = slopes[0, number]
            offsets = values[:, number] - x @ own
            near = _SAME * np.abs(own)
            size = np.abs(values[:, number]).max()
            if np.any(np.abs(slopes[:, number] - own) > near) or np.ptp(offsets) > _SAME * size:
                continue
            slack = FEASIBLE * problem.sizes[number]
            if np.isfinite(constraint.high):
                yield Affine(constraint.text, 1.0, own, float(offsets.mean()), constraint.high + slack)
            if np.isfinite(constraint.low):
                yield Affine(constraint.text, -1.0, -own, -float(offsets.mean()), slack - constraint.low)

    def reduced(self, node: Node) -> tuple[Node | None, list[LeftOut]]:
        """The node without options that break an affine constraint, None without any; and what was left out."""
        left_out: list[LeftOut] = []
        for affine in self.affine:
            for key in range(len(node.left)):
                rest, gone = self._without(node, key, affine)
                if gone is not None:
                    left_out.append(gone)
                if rest is None:
                    return None, left_out
                node = rest
        return node, left_out

    def _without(self, node: Node, key: int, affine: Affine) -> tuple[Node | None, LeftOut | None]:
        shape = self.shape
        own = shape.relaxed.problem.variables
        users = len(shape.leaf_problem.variables.names)
        ends = np.stack([affine.slopes * own.low, affine.slopes * own.high])
        least = affine.offset + ends.min(axis=0)[:users].sum()
        parts = [
            each.values[list(left)] @ affine.slopes[columns]
            for each, columns, left in zip(shape.numbers, shape.columns, node.left, strict=True)
        ]
        least += sum(part.min() for k, part in enumerate(parts) if k != key)
        keeps = parts[key] + least <= affine.high
        if keeps.all():
            return node, None
        options = np.array(node.left[key])
        cut = replace(node, left=_with(node, key, options[~keeps]))
        gone = LeftOut(cut, affine.text, affine.sign * float((parts[key] + least)[~keeps].min()))
        return (replace(node, left=_with(node, key, options[keeps])) if keeps.any() else None), gone


def _with(node: Node, key: int, options: FloatArray) -> tuple[tuple[int, ...], ...]:
    return (*node.left[:key], tuple(options.tolist()), *node.left[key + 1 :])
