"""The passes from FlatModel to ReducedModel, and from there to SortedModel, in order.

The second list puts the equations in order for explicit evaluation (ODE mode); it runs only when somebody wants to
integrate that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

from tellegen.errors import InternalError
from tellegen.ir.check.faults import REPORT_IT, checking
from tellegen.ir.flat import FlatModel
from tellegen.ir.reduced import PassRecord, ReducedModel
from tellegen.ir.sorted import SortedModel
from tellegen.start.later import later
from tellegen.structure.checks.check_code_loops import check_code_loops
from tellegen.structure.checks.check_discrete import check_discrete
from tellegen.structure.checks.check_modes import check_modes
from tellegen.structure.checks.check_reinits import check_reinits
from tellegen.structure.checks.check_solvability import check_solvability
from tellegen.structure.ordering.order_blocks import order_blocks
from tellegen.structure.ordering.tear_blocks import tear_blocks
from tellegen.structure.reduction.blend_homotopy import blend_homotopy
from tellegen.structure.reduction.eliminate_aliases import eliminate_aliases
from tellegen.structure.reduction.expose_constraints import expose_constraints
from tellegen.structure.reduction.find_events import find_events
from tellegen.structure.reduction.find_invariants import find_invariants
from tellegen.structure.reduction.find_states import find_states
from tellegen.structure.reduction.name_rates import name_rates
from tellegen.structure.reduction.reduce_index import reduce_index
from tellegen.structure.reduction.residual_form import residual_form
from tellegen.structure.reduction.select_states import select_states

with later():
    from tellegen.ir.check.reduced_model import is_promise, reduced_faults
    from tellegen.ir.check.sorted_model import sorted_faults
    from tellegen.ir.show.flat_model import show_flat
    from tellegen.ir.show.reduced_model import show_reduced, stage_name

Pass = Callable[[Any], ReducedModel]

PASSES: tuple[Pass, ...] = (
    eliminate_aliases,
    blend_homotopy,
    find_events,
    find_states,
    expose_constraints,
    reduce_index,
    name_rates,
    select_states,
    find_invariants,
    check_solvability,
    check_reinits,
    check_discrete,
    check_modes,
    check_code_loops,
)
ORDERING: tuple[Pass, ...] = (order_blocks, tear_blocks)
_SHOWN = 200  # lines of the last good model in an error


def reduce(flat: FlatModel) -> ReducedModel:
    """The reduced model, with a record of every pass in `report`."""
    *_, (_, model) = _through((residual_form, *PASSES), flat)
    return model


def sort(model: ReducedModel) -> SortedModel:
    """The model with its equations in order of evaluation."""
    *_, (_, ordered) = _through(ORDERING, model)
    assert isinstance(ordered, SortedModel)
    return ordered


def trace(flat: FlatModel) -> Iterator[tuple[str, ReducedModel]]:
    """The name of every pass with the model after it, its residual form first."""
    return _through((residual_form, *PASSES, *ORDERING), flat)


def _through(passes: tuple[Pass, ...], model: FlatModel | ReducedModel) -> Iterator[tuple[str, ReducedModel]]:
    for run in passes:
        begin = perf_counter()
        after = run(model)
        record = PassRecord(run.__name__, perf_counter() - begin, after.equation_count, len(after.unknowns))
        is_changed = after is not model
        after = replace(after, report=(*after.report, record))
        if checking() and (is_changed or is_promise(run.__name__)):
            _check(run.__name__, model, after)
        model = after
        yield run.__name__, after


def _check(name: str, before: FlatModel | ReducedModel, after: ReducedModel) -> None:
    """Raise E907 when a pass made a model that is not well formed; it shows the one before, which still was."""
    known = before if isinstance(before, ReducedModel) else None
    faults = sorted_faults(after, known) if isinstance(after, SortedModel) else reduced_faults(after, known)
    fault = next(faults, None)
    if fault is None:
        return
    text = show_flat(before) if isinstance(before, FlatModel) else show_reduced(before)
    raise InternalError(
        "E907",
        f"{name} made a {stage_name(after)} model of {after.flat.name} that is not well formed: {fault}",
        details=["the model before this pass:", *(f"  {line}" for line in text.splitlines()[:_SHOWN])],
        advice=REPORT_IT,
    )
