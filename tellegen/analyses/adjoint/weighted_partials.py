"""How equations depend on parameters, weighed row by row: sums of weight * dF/dp over all rows and many instants.

    r.v - R*i == 0     weight q    ->    R of that row gets -i * q

Derivatives are taken once per template and evaluated for all rows and all instants of a segment at once, so the time
of it hardly depends on how many parameters there are. Places of discrete variables count as parameters: between events
they are constants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.events import Values
from tellegen.ir.expressions.expr import Der, Expr, Slot, Time, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial

_SIGNS = np.random.default_rng(5).choice([-1.0, 1.0], 997)
_AT_ONCE = 4_000_000  # numbers in one array


@dataclass(frozen=True, eq=False)
class Instants:
    """Times with the unknowns there (one row each), and the numbers that hold."""

    t: FloatArray
    y: FloatArray
    yp: FloatArray
    p: FloatArray

    def part(self, a: int, b: int) -> Instants:
        """Some of them."""
        return Instants(self.t[a:b], self.y[a:b], self.yp[a:b], self.p)


def value_of(model: ReducedModel, group: ReducedGroup, expr: Expr, rows: Any, at: Instants) -> Any:
    """An expression over the slots of rows of a group: one row for each instant."""
    slots: dict[int, Any] = {}
    ders: dict[int, Any] = {}
    for leaf in walk(expr):
        if isinstance(leaf, Der):
            ders[leaf.index] = at.yp[:, model.position[group.bindings[rows, leaf.index]]]
        elif isinstance(leaf, Slot) and group.kinds[leaf.index] == UNKNOWN:
            slots[leaf.index] = at.y[:, model.position[group.bindings[rows, leaf.index]]]
        elif isinstance(leaf, Slot):
            slots[leaf.index] = at.p[index_of(model, group, leaf.index)[rows]]
    return evaluate(expr, slots, time=at.t[:, None], ders=ders)


def index_of(model: ReducedModel, group: ReducedGroup, slot: int) -> Any:
    """Where each row reads a parameter or something given, None for other slots."""
    bound = group.bindings[:, slot]
    if group.kinds[slot] == PARAMETER:
        return bound
    return model.known_position[bound] if group.kinds[slot] == KNOWN else None


class ByParameters:
    """dF/dp of the equations (or of the initial ones), for the indices of parameters that are `wanted`."""

    def __init__(self, model: ReducedModel, wanted: Any, initial: bool = False) -> None:
        self.model = model
        self.wanted = wanted
        groups = model.initial if initial else model.groups
        offsets = np.cumsum([0, *(group.rows for group in groups)])
        self.parts: list[tuple[ReducedGroup, Expr, Any, Any, int]] = []  # derivative, rows, indices, first equation
        self.by_time: list[tuple[ReducedGroup, Expr, int]] = []
        for offset, group in zip(offsets.tolist(), groups, strict=False):
            leaves = set(walk(group.residual))
            for slot in sorted(node.index for node in leaves if isinstance(node, Slot)):
                index = index_of(model, group, slot)
                if index is None or not wanted[index].any():
                    continue
                rows = np.flatnonzero(wanted[index])
                slope = partial(group.residual, Slot(slot))
                if not is_zero(slope):
                    self.parts.append((group, slope, rows, index[rows], offset))
            if Time() in leaves:
                self.by_time.append((group, partial(group.residual, Time()), offset))  # type: ignore[arg-type]
        self.linear = None if initial else self._linear(wanted, int(offsets[-1]))

    def _linear(self, wanted: Any, first: int) -> tuple[Any, Any, Any]:
        linear = self.model.linear
        known = self.model.known_position[linear.indices]
        entries = np.flatnonzero((known >= 0) & wanted[known])
        return first + linear.row_of_entry[entries], known[entries], linear.weights[entries]

    def weighed(self, at: Instants, q: FloatArray, out: FloatArray) -> None:
        """Subtract the sum of q * dF/dp over instants and rows from out; q is (instants, rows, functions)."""
        for group, slope, rows, indices, offset in self.parts:
            for a, b in _chunks(len(at.t), len(rows)):
                value = value_of(self.model, group, slope, rows, at.part(a, b))
                value = np.broadcast_to(value, (b - a, len(rows)))
                np.subtract.at(out, indices, np.einsum("kr,krm->rm", value, q[a:b, offset + rows]))
        if self.linear is not None and len(self.linear[0]):
            rows, indices, weights = self.linear
            np.subtract.at(out, indices, weights[:, None] * q[:, rows].sum(axis=0))

    def profile(self, at: Instants, q: FloatArray) -> FloatArray:
        """What is integrated over time, for each kind of equation: (instants, kinds, functions).

        Each parameter counts by its size, with a sign of its own, so that nothing cancels for long.
        """
        out = np.zeros((len(at.t), len(self.parts), q.shape[-1]))
        for k, (group, slope, rows, indices, offset) in enumerate(self.parts):
            scale = at.p[indices] * _SIGNS[np.arange(len(rows)) % len(_SIGNS)]
            for a, b in _chunks(len(at.t), len(rows)):
                value = value_of(self.model, group, slope, rows, at.part(a, b))
                value = np.broadcast_to(value * scale, (b - a, len(rows)))
                out[a:b, k] = np.einsum("kr,krm->km", value, q[a:b, offset + rows])
        return out

    def against_time(self, at: Instants, q: FloatArray) -> FloatArray:
        """-q dF/dt at one instant, for each function."""
        total = np.zeros(q.shape[-1])
        for group, slope, offset in self.by_time:
            value = np.broadcast_to(value_of(self.model, group, slope, slice(None), at), (1, group.rows))
            total -= value[0] @ q[offset : offset + group.rows]
        return total


def _chunks(instants: int, rows: int) -> Iterator[tuple[int, int]]:
    each = max(1, _AT_ONCE // max(rows, 1))
    yield from ((a, min(a + each, instants)) for a in range(0, instants, each))


@dataclass(frozen=True, eq=False)
class Slopes:
    """The derivatives of one number: pairs of indices and values in y, y' and p, and by time."""

    value: float
    y: list[tuple[int, float]]
    yp: list[tuple[int, float]]
    p: list[tuple[int, float]]
    t: float


def slopes(model: ReducedModel, values: Values, number: int, at: Instants) -> Slopes | None:
    """A number of a list of values with its derivatives at one instant; None if there is no such number."""
    for group, indices in zip(values.groups, values.indices, strict=True):
        rows = np.flatnonzero(np.asarray(indices) == number)[:1]
        if len(rows):
            return _of_row(model, group, rows, at)
    return None


def _of_row(model: ReducedModel, group: ReducedGroup, row: Any, at: Instants) -> Slopes:
    def number(expr: Expr) -> float:
        return float(np.ravel(value_of(model, group, expr, row, at))[0])

    found = Slopes(number(group.residual), [], [], [], 0.0)
    by_time = 0.0
    for leaf in dict.fromkeys(walk(group.residual)):
        if not isinstance(leaf, Slot | Der | Time):
            continue
        expr = partial(group.residual, leaf)  # type: ignore[arg-type]
        if is_zero(expr):
            continue
        if isinstance(leaf, Time):
            by_time = number(expr)
            continue
        bound = int(group.bindings[row[0], leaf.index])
        if group.kinds[leaf.index] == UNKNOWN:
            (found.yp if isinstance(leaf, Der) else found.y).append((int(model.position[bound]), number(expr)))
        else:
            index = bound if group.kinds[leaf.index] == PARAMETER else int(model.known_position[bound])
            found.p.append((index, number(expr)))
    return Slopes(found.value, found.y, found.yp, found.p, by_time)
