"""The passes from FlatModel to ReducedModel, and from there to SortedModel, in order.

The second list puts the equations in order for explicit evaluation (ODE mode); it runs only when somebody wants to
integrate that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

from tellegen.ir.flat import FlatModel
from tellegen.ir.reduced import PassRecord, ReducedModel
from tellegen.ir.sorted import SortedModel
from tellegen.structure.checks.check_code_loops import check_code_loops
from tellegen.structure.checks.check_modes import check_modes
from tellegen.structure.checks.check_reinits import check_reinits
from tellegen.structure.checks.check_solvability import check_solvability
from tellegen.structure.ordering.order_blocks import order_blocks
from tellegen.structure.ordering.tear_blocks import tear_blocks
from tellegen.structure.reduction.blend_homotopy import blend_homotopy
from tellegen.structure.reduction.eliminate_aliases import eliminate_aliases
from tellegen.structure.reduction.expose_constraints import expose_constraints
from tellegen.structure.reduction.find_events import find_events
from tellegen.structure.reduction.find_states import find_states
from tellegen.structure.reduction.name_event_rates import name_event_rates
from tellegen.structure.reduction.reduce_index import reduce_index
from tellegen.structure.reduction.residual_form import residual_form
from tellegen.structure.reduction.select_states import select_states

Pass = Callable[[Any], ReducedModel]

PASSES: tuple[Pass, ...] = (
    eliminate_aliases,
    blend_homotopy,
    find_events,
    find_states,
    expose_constraints,
    reduce_index,
    name_event_rates,
    select_states,
    check_solvability,
    check_reinits,
    check_modes,
    check_code_loops,
)
ORDERING: tuple[Pass, ...] = (order_blocks, tear_blocks)


def reduce(flat: FlatModel) -> ReducedModel:
    """The reduced model, with a record of every pass in `report`."""
    begin = perf_counter()
    return _through(PASSES, _recorded(residual_form(flat), residual_form.__name__, begin))


def sort(model: ReducedModel) -> SortedModel:
    """The model with its equations in order of evaluation."""
    ordered = _through(ORDERING, model)
    assert isinstance(ordered, SortedModel)
    return ordered


def trace(flat: FlatModel) -> Iterator[tuple[str, ReducedModel]]:
    """The name of every pass with the model after it, its residual form first."""
    model = residual_form(flat)
    yield residual_form.__name__, model
    for run in (*PASSES, *ORDERING):
        model = _through((run,), model)
        yield run.__name__, model


def _through(passes: tuple[Pass, ...], model: ReducedModel) -> ReducedModel:
    for run in passes:
        begin = perf_counter()
        model = _recorded(run(model), run.__name__, begin)
    return model


def _recorded(model: ReducedModel, name: str, begin: float) -> ReducedModel:
    record = PassRecord(name, perf_counter() - begin, model.equation_count, len(model.unknowns))
    return replace(model, report=(*model.report, record))
