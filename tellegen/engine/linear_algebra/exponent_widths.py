"""How much an unknown may change before an exponential that depends on it becomes e times larger.

    i = Is (exp(v/(N Vt)) - 1)      v has the width N Vt; i has none

The widths limit steps of Newton's method (limited_newton.py). They are read from the equations, so the
laws of any domain have them: junctions, reactions, electrodes. An exponential whose argument depends on several
unknowns gives none: which of them should be held back is not known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Call, Der, Expr, Slot, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import leaves, partial

_BOUNDS = ("min", "max")


class Exponents:
    """The exponentials of a model, read once."""

    def __init__(self, model: ReducedModel) -> None:
        self._model = model
        found = (
            (group, slot, partial(argument, slot))
            for group in model.groups
            for argument, slot in _steep_arguments(group)
        )
        self._slopes = [each for each in found if not any(isinstance(leaf, Der) for leaf in leaves(each[2]))]

    def widths(self, y: FloatArray, p: FloatArray) -> FloatArray:
        """Of every unknown, for values y and parameters p; infinite where no exponential depends on it alone."""
        width = np.full(len(y), np.inf)
        for group, slot, change in self._slopes:
            factor = np.abs(np.broadcast_to(evaluate(change, _Columns(self._model, group, y, p)), (group.rows,)))
            found = np.divide(1.0, factor, out=np.full(group.rows, np.inf), where=(factor > 0.0) & np.isfinite(factor))
            column = self._model.position[group.bindings[:, slot.index]]
            np.minimum.at(width, column, found)
        return width


def _steep_arguments(group: ReducedGroup) -> list[tuple[Expr, Slot]]:
    """Arguments of exponentials of one unknown, without the bounds that keep them from overflowing."""
    found = []
    for node in walk(group.residual):
        if isinstance(node, Call) and node.op == "exp":
            argument = _unbounded(node.args[0])
            unknown = [leaf for leaf in leaves(argument) if isinstance(leaf, Der) or group.kinds[leaf.index] == UNKNOWN]
            if len(unknown) == 1 and isinstance(unknown[0], Slot):
                found.append((argument, unknown[0]))
    return found


def _unbounded(argument: Expr) -> Expr:
    while isinstance(argument, Call) and argument.op in _BOUNDS:
        inner = [arg for arg in argument.args if leaves(arg)]
        if len(inner) != 1:
            break
        argument = inner[0]
    return argument


@dataclass(frozen=True, eq=False)
class _Columns:
    """The values of the slots of a group, all instances at once."""

    model: ReducedModel
    group: ReducedGroup
    y: FloatArray
    p: FloatArray

    def __getitem__(self, slot: int) -> Any:
        bound = self.group.bindings[:, slot]
        kind = self.group.kinds[slot]
        if kind == UNKNOWN:
            return self.y[self.model.position[bound]]
        return self.p[bound if kind == PARAMETER else self.model.known_position[bound]]
