"""What must hold of states: their rates, the derivatives that became variables, and what they are chosen from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.check.faults import within
from tellegen.ir.check.reduced_events import tables_of
from tellegen.ir.expressions.expr import Der, walk
from tellegen.ir.reduced import BoolArray, ReducedGroup, ReducedModel


def derivative_faults(model: ReducedModel) -> Iterator[str]:
    """Variables made by index reduction: unknowns, and derivatives of unknowns or of one another."""
    count = model.flat.variables.count
    base = model.derivatives.base
    order = model.derivatives.order
    if len(base) != len(order):
        yield f"{len(base)} bases for {len(order)} orders of derivatives"
    if not within(base, count) or (model.position[base] < 0).any():
        yield "a derivative of something that is not an unknown"
    if (model.position[count:] < 0).any():
        yield "a derivative that is not an unknown itself"
    made = set(zip(base.tolist(), order.tolist(), strict=True))
    if len(made) != len(base):
        yield "two variables for the same derivative"
    for variable, times in made:
        if times < 1 or (times > 1 and (variable, times - 1) not in made):
            yield f"derivative {times} of '{model.flat.variables.name(variable)}' without the one below it"


def candidate_faults(model: ReducedModel) -> Iterator[str]:
    """Constraints, the unknowns they tie, and the derivatives of those."""
    found = model.candidates
    if found is None:
        return
    constraints = len(found.rows)
    tied = len(found.d)
    if len(found.c) != constraints or len(found.preference) != tied or found.chain.shape[0] != tied:
        yield "candidates for states with columns of different length"
    if not within(found.rows, model.equation_count):
        yield "a constraint that is not an equation"
    if not within(found.pairs[:, 0], constraints) or not within(found.pairs[:, 1], tied):
        yield "a constraint or a candidate for a state that does not exist"
    present = np.arange(found.chain.shape[1]) <= found.d[:, None]
    if ((found.chain >= 0) != present).any() or (model.position[found.chain[present]] < 0).any():
        yield "a chain of derivatives that are not all unknowns"


def selection_faults(model: ReducedModel) -> Iterator[str]:
    """At every stage as many unknowns become algebraic as there are constraints; the others are states."""
    found = model.candidates
    if found is None:
        return
    if len(found.stages) != found.c.max():
        yield f"states chosen in {len(found.stages)} stages instead of {found.c.max()}"
    for number, chosen in enumerate(found.stages, 1):
        if int(chosen.sum()) != int((found.c >= number).sum()):
            yield f"stage {number} of the choice of states: {chosen.sum()} for {(found.c >= number).sum()} constraints"
    states = model.is_state & model.is_tied
    if int(states.sum()) != int(found.d.sum() - found.c.sum()):
        yield f"{states.sum()} states where constraints leave {found.d.sum() - found.c.sum()}"


def state_faults(model: ReducedModel) -> Iterator[str]:
    """A state is an unknown whose rate occurs; no other rate does."""
    read = _differentiated(model, model.groups)
    if (read & ~model.is_state).any():
        yield f"the rate of {_name(model, read & ~model.is_state)}, which is not a state"
    silent = model.is_state & ~read & ~_differentiated(model, model.initial)
    if silent.any():
        yield f"state {_name(model, silent)}, whose rate does not occur"


def rate_faults(model: ReducedModel) -> Iterator[str]:
    """Initial equations, assertions and events read the rates of states alone."""
    groups = (*model.initial, *(group for _, group in model.asserted))
    if model.events is not None:
        groups = (*groups, *(group for values in tables_of(model.events).values() for group in values.groups))
    wrong = _differentiated(model, groups) & ~model.is_state
    if wrong.any():
        yield f"the rate of {_name(model, wrong)}, which is not a state, outside the equations"


def _differentiated(model: ReducedModel, groups: tuple[ReducedGroup, ...]) -> BoolArray:
    """The unknowns whose rates these groups read."""
    read = np.zeros(len(model.unknowns), bool)
    for group in groups:
        for node in walk(group.residual):
            if isinstance(node, Der):
                read[model.position[group.bindings[:, node.index]]] = True
    return read


def _name(model: ReducedModel, marked: BoolArray) -> str:
    column = int(np.flatnonzero(marked)[0])
    return f"'{model.flat.variables.name(int(model.written[column]))}'"
