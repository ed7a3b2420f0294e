"""Rows of statements as loops: `x[1] == y[0]`, `x[2] == y[1]`, ... is one statement with a counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tellegen.ir.model import IntArray


@dataclass(frozen=True)
class Affine:
    """A subscript as start + sum of step * counter, all counters from zero."""

    start: int
    steps: tuple[int, ...]

    def text(self, counters: Sequence[str], first: int) -> str:
        """The subscript for arrays and counters that both begin at `first`."""
        terms = [
            name if step == 1 else f"{step}*{name}" for step, name in zip(self.steps, counters, strict=True) if step
        ]
        constant = self.start + first - first * sum(self.steps)
        if not terms:
            return str(constant)
        text = " + ".join(terms)
        if constant:
            text += f" {'+' if constant > 0 else '-'} {abs(constant)}"
        return text


def loop_counts(columns: Sequence[IntArray], rows: int) -> tuple[int, ...] | None:
    """How many rounds one loop, or two nested ones, make over rows whose subscripts are these columns; None where no
    such loops exist."""
    for inner in [rows, *_breaks(columns, rows)]:
        counts = (rows,) if inner == rows else (rows // inner, inner)
        if all(affine(column, counts) is not None for column in columns):
            return counts
    return None


def _breaks(columns: Sequence[IntArray], rows: int) -> list[int]:
    """Where columns first deviate from equal steps: the candidates for the length of an inner loop."""
    found = set()
    for column in columns:
        steps = np.diff(column)
        odd = np.flatnonzero(steps != steps[0]) if len(steps) else steps
        if len(odd) and rows % (int(odd[0]) + 1) == 0:
            found.add(int(odd[0]) + 1)
    return sorted(found - {1, rows})


def affine(column: IntArray, counts: tuple[int, ...]) -> Affine | None:
    """The column as an affine function of loop counters."""
    grid = np.broadcast_to(column, (int(np.prod(counts)),)).reshape(counts)
    start = int(grid.flat[0])
    steps = []
    for axis, count in enumerate(counts):
        second = tuple(int(k == axis) for k in range(len(counts)))
        steps.append(int(grid[second]) - start if count > 1 else 0)
    expected = start + sum(
        step * np.arange(count).reshape([-1 if k == axis else 1 for k in range(len(counts))])
        for axis, (step, count) in enumerate(zip(steps, counts, strict=True))
    )
    return Affine(start, tuple(steps)) if np.array_equal(np.broadcast_to(expected, counts), grid) else None
