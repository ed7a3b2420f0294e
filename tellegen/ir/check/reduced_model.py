"""What must hold of a ReducedModel after every pass, and what a pass promises of all models that follow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np

from tellegen.ir.check.faults import refuse, repeated, within
from tellegen.ir.check.reduced_events import event_faults
from tellegen.ir.check.reduced_groups import group_faults, source_faults
from tellegen.ir.check.reduced_states import (
    candidate_faults,
    derivative_faults,
    rate_faults,
    selection_faults,
    state_faults,
)
from tellegen.ir.expressions.expr import Call, walk
from tellegen.ir.expressions.ops import DELAYS
from tellegen.ir.reduced import Invariants, ReducedModel

_REPLACED = {  # operations that no equation contains once a pass has run
    "blend_homotopy": frozenset({"homotopy"}),
    "find_events": frozenset({"pre", "edge", "change", "initial", "terminal", "sample", *DELAYS}),
}

_PROMISES = frozenset({"find_states", "name_rates", "check_solvability", *_REPLACED})


def is_promise(name: str) -> bool:
    """Whether more must hold after a pass, even where it found nothing to change."""
    return name in _PROMISES


def check_reduced(model: ReducedModel) -> None:
    """Raise E903 when a ReducedModel is not well formed."""
    refuse(f"reduced model {model.flat.name}", reduced_faults(model))


def reduced_faults(model: ReducedModel, before: ReducedModel | None = None) -> Iterator[str]:
    """All that is wrong with a model; those after the first may follow from it.

    `before` is a model without faults: where nothing but its report differs, only promises are looked at.
    """
    if before is None or not _is_same(model, before):
        yield from _shape_faults(model)
    yield from _promise_faults(model)


def _is_same(model: ReducedModel, before: ReducedModel) -> bool:
    return all(getattr(model, name) is getattr(before, name) for name in _PARTS)


_PARTS = tuple(field.name for field in fields(ReducedModel) if field.name != "report")


def _shape_faults(model: ReducedModel) -> Iterator[str]:
    """What is wrong with a model after whatever pass."""
    yield from _unknown_faults(model)
    yield from _recovery_faults(model)
    yield from derivative_faults(model)
    yield from group_faults(model, (*model.groups, *model.initial, *(group for _, group in model.asserted)))
    yield from source_faults(model.groups, model.flat.equations)
    yield from source_faults(model.initial, model.flat.initial_equations)
    yield from _linear_faults(model)
    yield from candidate_faults(model)
    if model.events is not None:
        yield from event_faults(model, model.events)
    if model.invariants is not None:
        yield from _invariant_faults(model, model.invariants)
    yield from _balance_faults(model)


def _promise_faults(model: ReducedModel) -> Iterator[str]:
    """What is wrong with a model after the passes it has been through."""
    done = {record.name for record in model.report}
    if "find_states" in done:
        yield from state_faults(model)
    if "name_rates" in done:
        yield from rate_faults(model)
    if "check_solvability" in done:  # before, too few or too many may be the user's mistake
        yield from selection_faults(model)
        yield from _square_faults(model)
    for name, gone in _REPLACED.items():
        if name in done:
            yield from _operation_faults(model, gone)


def _unknown_faults(model: ReducedModel) -> Iterator[str]:
    """Unknowns and what is given from outside: distinct variables, and no variable is both."""
    count = model.flat.variables.count
    for name, numbers, limit in (("unknowns", model.unknowns, model.variable_count), ("known", model.known, count)):
        if not within(numbers, limit):
            yield f"{name} out of range"
        if repeated(numbers):
            yield f"{name}: a variable that occurs twice"
    if len(model.known) and np.isin(model.unknowns, model.known).any():
        yield "an unknown that is an input or a discrete variable"
    if len(model.is_state) != len(model.unknowns):
        yield f"{len(model.is_state)} marks of states for {len(model.unknowns)} unknowns"


def _recovery_faults(model: ReducedModel) -> Iterator[str]:
    """Every variable is plus or minus an unknown or a known one, or zero; and what it repeats is not eliminated."""
    count = model.flat.variables.count
    representative = model.representative
    sign = model.sign
    if len(representative) != count or len(sign) != count:
        yield f"{len(representative)} representatives and {len(sign)} signs for {count} variables"
    if not within(representative, count):
        yield "a representative out of range"
    if not within(sign + 1, 3):
        yield "a sign other than -1, 0 and 1"
    solved = (model.position[:count] >= 0) | (model.known_position[:count] >= 0)
    kept = (representative == np.arange(count)) & (sign == 1)
    if (solved & ~kept).any():
        yield f"'{_name(model, solved & ~kept)}' is solved for or given, and eliminated as well"
    lost = (sign != 0) & ~solved[representative]
    if lost.any():
        yield f"'{_name(model, lost)}' cannot be recovered: what it repeats is neither solved for nor given"


def _linear_faults(model: ReducedModel) -> Iterator[str]:
    linear = model.linear
    flat = model.flat
    entries = len(linear.indices)
    if linear.indptr[0] != 0 or linear.indptr[-1] != entries or (np.diff(linear.indptr) < 0).any():
        yield "rows of sums that do not follow one another"
    if len(linear.weights) != entries or len(linear.sources) != linear.rows:
        yield "sums with columns of different length"
    if not within(linear.indices, model.variable_count):
        yield "a sum of variables that do not exist"
    if not linear.weights.all():
        yield "a sum with a weight of zero"
    lost = (model.position[linear.indices] < 0) & (model.known_position[linear.indices] < 0)
    if lost.any():
        yield f"a sum with variable {linear.indices[lost][0]}, which was eliminated"
    if not within(linear.sources + len(flat.equalities), len(flat.equalities) + flat.sums.rows + len(model.combined)):
        yield "a sum that comes from nowhere"


def _invariant_faults(model: ReducedModel, found: Invariants) -> Iterator[str]:
    """Residuals are unknowns, what they are derived by are states, and the derivatives can be read."""
    columns = (found.row, found.state, found.partial, found.sign, found.of_parameter)
    if len({len(column) for column in columns}) != 1 or len(found.sources) != found.rows:
        yield "invariants with columns of different length"
        return
    if not within(found.row, found.rows):
        yield "a derivative of an invariant that does not exist"
    if not within(found.residual, model.variable_count) or (model.position[found.residual] < 0).any():
        yield "an invariant that is not an unknown"
    if not within(found.state, model.variable_count) or not model.is_state[model.position[found.state]].all():
        yield "an invariant's derivative by something that is not a state"
    variables = found.partial[~found.of_parameter]
    if not within(found.partial[found.of_parameter], model.flat.parameters.count):
        yield "an invariant's derivative out of range"
    if (
        not within(variables, model.variable_count)
        or ((model.position[variables] < 0) & (model.known_position[variables] < 0)).any()
    ):
        yield "an invariant's derivative that was eliminated"
    if not np.isin(found.sign, (-1, 1)).all():
        yield "an invariant's derivative with a sign other than -1 and 1"


def _operation_faults(model: ReducedModel, gone: frozenset[str]) -> Iterator[str]:
    for group in (*model.groups, *model.initial):
        for node in walk(group.residual):
            if isinstance(node, Call) and node.op in gone:
                yield f"an equation with '{node.op}', which has been replaced"


def _balance_faults(model: ReducedModel) -> Iterator[str]:
    """No pass changes by how much equations outnumber unknowns, but for states that are to be chosen."""
    if not model.report or model.candidates is not None:
        return
    first = model.report[0]
    excess = model.equation_count - len(model.unknowns)
    if excess != first.equations - first.unknowns:
        yield (
            f"{model.equation_count} equations for {len(model.unknowns)} unknowns, "
            f"but there were {first.equations} for {first.unknowns}"
        )


def _square_faults(model: ReducedModel) -> Iterator[str]:
    if model.equation_count != len(model.unknowns):
        yield f"{model.equation_count} equations for {len(model.unknowns)} unknowns"


def _name(model: ReducedModel, marked: np.ndarray) -> str:
    return model.flat.variables.name(int(np.flatnonzero(marked)[0]))
