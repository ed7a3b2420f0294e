"""Inputs whose derivatives a model needs: index reduction and der() take inputs for constant, which they are between
events only.

    w == der(phi),  phi == u                  phi is another name of the input u
    0 == c1.v + c2.v - u                      a constraint between states that index reduction differentiates
"""

from __future__ import annotations

import numpy as np

from tellegen.graph.arrays import distinct
from tellegen.ir.expressions.expr import Der, Slot, walk_needed
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import KNOWN, ReducedModel


def differentiated_inputs(model: ReducedModel) -> IntArray:
    """The external inputs, as variables, whose derivatives something follows."""
    found = np.concatenate([_by_name(model), _in_constraints(model), _in_connections(model)])
    return found[np.isin(found, _continuous_inputs(model))]


def _continuous_inputs(model: ReducedModel) -> IntArray:
    table = model.flat.variables
    inputs = [int(v) for v in model.flat.inputs if not _is_discrete(table.declaration(int(v)))]
    return np.array(inputs, np.int64)


def _is_discrete(declared: object) -> bool:
    return bool(getattr(declared, "discrete", False)) or getattr(declared, "type", "real") != "real"


def _by_name(model: ReducedModel) -> IntArray:
    """Representatives of the variables inside der()."""
    found = [np.zeros(0, np.int64)]
    for group in model.flat.equations:
        slots = {node.index for node in group.template.nodes if isinstance(node, Der)}
        for slot in slots:
            found.append(model.representative[group.bindings[:, slot]].astype(np.int64))
    return distinct(np.concatenate(found))


def _in_constraints(model: ReducedModel) -> IntArray:
    """What is given from outside in equations that were differentiated."""
    found = [np.zeros(0, np.int64)]
    for k, group in enumerate(model.groups):
        if group.order == 0:
            continue
        written = model.groups[k - group.order]
        slots = {node.index for node in walk_needed(written.residual) if isinstance(node, Slot)}
        for slot in slots:
            if written.kinds[slot] == KNOWN:
                found.append(written.bindings[:, slot].astype(np.int64))
    return distinct(np.concatenate(found))


def _in_connections(model: ReducedModel) -> IntArray:
    """The variables of connections that were differentiated: each source has its row, then that of its derivative."""
    rows = model.linear
    sources, first, count = np.unique(rows.sources, return_index=True, return_counts=True)
    written = np.isin(rows.row_of_entry, first[(count > 1) & (sources == rows.sources[first])])
    return distinct(rows.indices[written].astype(np.int64))
