"""Check that the equations can determine the unknowns: as many as needed, and each with one of its own.

    before    c.C*der(c.v) - i == 0,  r.v - R*i == 0,  r.v - (u - c.v) == 0      unknowns der(c.v), i, r.v
    after     the same, or an error that names the equations and variables in conflict

An unknown is the derivative of a state or the value of an algebraic variable. When values of states would be needed
too, the equations constrain the states among themselves (index above one) and must be differentiated first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import StructureError, UndeterminedError
from tellegen.graph.arrays import among, distinct
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.matching import conflict, match
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import UNKNOWN, ReducedModel
from tellegen.ir.show.reduced_rows import equation_location, equation_text, unknown_text, variable_path
from tellegen.structure.checks.drivers import TAKE_OUT, components_of, network_error, repeated

_SHOWN = 6


def check_solvability(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    equations = model.equation_count
    unknowns = len(model.unknowns)
    matrix = incidence_of(model, with_states=False)
    assigned = match(matrix)
    if equations == unknowns and (assigned >= 0).all():
        return model
    if equations == unknowns:
        relaxed = match(incidence_of(model, with_states=True))
        if (relaxed >= 0).all():
            raise _error(model, matrix, assigned, higher_index=True)
    raise _error(model, matrix, assigned, higher_index=False)


def incidence_of(model: ReducedModel, with_states: bool) -> Incidence:
    """Residual rows against unknowns; values of states count only on demand."""
    position = model.position
    is_state = model.is_state
    rows: list[Any] = []
    columns: list[Any] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        for node in walk(group.residual):
            if not isinstance(node, Slot | Der) or group.kinds[node.index] != UNKNOWN:
                continue
            column = position[group.bindings[:, node.index]]
            counts = np.ones(group.rows, bool) if with_states or isinstance(node, Der) else ~is_state[column]
            rows.append(offset + np.flatnonzero(counts))
            columns.append(column[counts])
    linear = model.linear
    column = position[linear.indices]
    counts = column >= 0
    if not with_states:
        counts &= ~is_state[np.maximum(column, 0)]
    rows.append(model.offsets[-1] + linear.row_of_entry[counts])
    columns.append(column[counts])
    shape = (model.equation_count, len(model.unknowns))
    return incidence(np.concatenate(rows), np.concatenate(columns), shape)


def _error(model: ReducedModel, matrix: Incidence, assigned: IntArray, higher_index: bool) -> StructureError:
    """The error that says what is wrong, with the equations and unknowns left over."""
    lonely = np.flatnonzero(assigned < 0)
    taken = np.zeros(matrix.shape[1], bool)
    taken[assigned[assigned >= 0]] = True
    free = np.flatnonzero(~taken)
    rows, columns = conflict(matrix, assigned)
    involved = np.setdiff1d(rows, lonely)
    details = [
        *_listed("equations without an unknown to determine:", lonely, lambda k: equation_text(model, k)),
        *_listed("unknowns that no equation determines:", free, lambda k: unknown_text(model, k)),
        *_listed("in conflict with:", involved, lambda k: equation_text(model, k)),
    ]
    location = next(filter(None, (equation_location(model, int(row)) for row in lonely)), None)
    undetermined = [variable_path(model, int(model.unknowns[column])) for column in free]
    about = [*components_of(model, [*lonely, *involved]), *undetermined]
    equations, unknowns = matrix.shape
    if equations != unknowns:
        less = equations < unknowns
        if less:
            alone = _open_inputs(model, matrix, assigned)
            details += _listed("inputs that nothing is connected to:", alone, model.flat.variables.name)
        blamed = "" if less else repeated(model, lonely, involved)
        advice = "add the missing equations or connections" if less else "remove equations or make values variable"
        return StructureError(
            "E201",
            (blamed or f"there are {'fewer' if less else 'more'} equations than unknowns")
            + f": {equations} equations, {unknowns} unknowns (connections and repetitions already removed)",
            location=location,
            details=details,
            advice=TAKE_OUT if blamed else advice,
            about=about,
        )
    if higher_index:
        return StructureError(
            "E203",
            "the equations constrain the states in a way that index reduction does not resolve",
            location=location,
            details=details,
            advice="remove one of the coupled states (two inertias on a rigid shaft, capacitors and sources in a "
            "loop),\nor insert a small compliance, resistance or damping between them",
            about=about,
        )
    if (of_drivers := network_error(model, rows, columns, details)) is not None:
        return of_drivers
    blamed = repeated(model, lonely, involved)
    return UndeterminedError(
        "E202",
        f"the equations are structurally singular: {blamed or 'some unknowns are overdetermined'}, others undetermined",
        location=location,
        details=details,
        advice=TAKE_OUT
        if blamed
        else "look for a component without a reference (ground), a value given twice, or a loop of ideal sources",
        about=about,
    )


def _open_inputs(model: ReducedModel, matrix: Incidence, assigned: IntArray) -> IntArray:
    """Inputs of components among the unknowns that may be the undetermined ones, and not connected, as variables."""
    flat = model.flat
    found = [np.zeros(0, np.int64)]
    for node in flat.tree.nodes[1:]:
        for base, variable in zip(node.variable_base, node.kind.variables, strict=True):
            if variable.role == "input":
                found.append(base + np.arange(variable.size * node.count))
    inputs = np.concatenate(found)
    is_alone = ~among(inputs, distinct(np.asarray(flat.equalities)))
    row_of = np.full(matrix.shape[1], -1)
    row_of[assigned[assigned >= 0]] = np.flatnonzero(assigned >= 0)
    suspected = distinct(model.unknowns[conflict(matrix.transposed, row_of)[0]])
    return inputs[is_alone & among(model.representative[inputs], suspected)]


def _listed(title: str, numbers: IntArray, text: Any) -> list[str]:
    """A title and the first few texts, indented."""
    if not len(numbers):
        return []
    more = len(numbers) - _SHOWN
    texts = dict.fromkeys(f"  {text(int(k))}" for k in numbers[:_SHOWN])  # derivatives of an equation read like it
    return [title, *texts, *([f"  ... and {more} more"] if more > 0 else [])]
