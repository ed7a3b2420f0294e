"""Find the states: the unknowns whose derivative occurs.

    c.C * der(c.v) - r.i == 0          c.v is a state, r.i is algebraic

Which of them remain states is decided by reduce_index and select_states. A group whose `Der` slot is bound to the
representative of an alias class makes the representative the state.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.ir.expressions.expr import Der, walk
from tellegen.ir.reduced import ReducedModel


def find_states(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    differentiated = np.zeros(model.flat.variables.count, bool)
    for group in (*model.groups, *model.initial):
        for node in walk(group.residual):
            if isinstance(node, Der):
                differentiated[group.bindings[:, node.index]] = True
    return replace(model, is_state=differentiated[model.unknowns])
