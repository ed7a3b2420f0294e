"""Which states are velocities: rates of other states, by equations der(x) == v."""

from __future__ import annotations

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.expressions.expr import Der, Slot
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import UNKNOWN
from tellegen.symbolic.linear import weighted_sum


def velocities(model: NativeModel) -> IntArray:
    """One for each unknown that is the rate of a state, by an equation der(x) == v."""
    reduced = model.reduced
    found = np.zeros(len(reduced.unknowns), np.int64)
    for group in reduced.groups:
        weights, constant = weighted_sum(group.residual)
        slots = [part.index for part in weights if isinstance(part, Slot) and group.kinds[part.index] == UNKNOWN]
        rates = [part for part in weights if isinstance(part, Der)]
        if len(weights) == 2 and len(slots) == len(rates) == 1 and not constant:
            found[reduced.position[group.bindings[:, slots[0]]]] = 1
    return found
