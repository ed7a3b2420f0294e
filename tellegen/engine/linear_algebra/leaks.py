"""Leaks: parameters that multiply the argument of an exponential, like the conductance parallel to a junction.

    i = Is (exp(v/(N Vt)) - 1) + Gmin v        Gmin is one: with more of it the law is nearly linear

They are read from the equations, so the laws of any domain have them. Where all of them are large a circuit of
transistors has one operating point, which is easily found (leak_stepping.py).
"""

from __future__ import annotations

import numpy as np

from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, walk
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.symbolic.partial import leaves, partials

_SUMS = ("neg", "add", "sub")


def leaks(model: ReducedModel, width: FloatArray) -> IntArray:
    """Their positions among the parameters; `width` of unknowns as by exponent_widths.py."""
    found = [np.zeros(0, np.int64)]
    for group in model.groups:
        slots = [s for s in leaves(group.residual) if isinstance(s, Slot) and group.kinds[s.index] == PARAMETER]
        has_exponential = any(isinstance(node, Call) and node.op == "exp" for node in walk(group.residual))
        for slot, factor in partials(group.residual, slots).items():
            unknowns = _summed_unknowns(group, factor)
            if unknowns:
                columns = model.position[group.bindings[:, unknowns]]
                steep = has_exponential | np.isfinite(width[columns]).all(axis=1)
                resting = model.is_derivative[columns].any(axis=1)
                found.append(group.bindings[steep & ~resting, slot.index].astype(np.int64))
    return np.unique(np.concatenate(found))


def _summed_unknowns(group: ReducedGroup, factor: Expr) -> list[int]:
    """The slots of a sum of unknowns; none where it is anything else."""
    parts = list(walk(factor))
    slots = [part.index for part in parts if isinstance(part, Slot) and group.kinds[part.index] == UNKNOWN]
    is_sum = all(
        isinstance(part, Const) or (isinstance(part, Call) and part.op in _SUMS) or isinstance(part, Slot)
        for part in parts
    )
    return slots if is_sum and len(slots) == sum(isinstance(part, Slot) for part in parts) else []
