"""How equations depend on parameters, weighed row by row: sums of weight * dF/dp over all rows and many instants.

    r.v - R*i == 0     weight q    ->    R of that row gets -i * q

Derivatives are taken once per template and evaluated for all rows and all instants of a segment at once, so the time
of it hardly depends on how many parameters there are. Places of discrete variables count as parameters: between events
they are constants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.analyses.sensitivities.value_slopes import Instants, index_of, value_of
from tellegen.ir.expressions.expr import Expr, Slot, Time, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedGroup, ReducedModel
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.partial import partial

_SIGNS = np.random.default_rng(5).choice([-1.0, 1.0], 997)
_AT_ONCE = 4_000_000  # numbers in one array


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
