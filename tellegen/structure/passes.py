"""The passes from FlatModel to SortedModel, in order.

All passes share one signature; block ordering and tearing will join this list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from tellegen.ir.flat import FlatModel
from tellegen.ir.sorted import PassRecord, SortedModel
from tellegen.structure.aliases import eliminate_aliases
from tellegen.structure.index_reduction import reduce_index
from tellegen.structure.solvability import check_solvability
from tellegen.structure.start import unsorted
from tellegen.structure.state_selection import select_states
from tellegen.structure.states import find_states

Pass = Callable[[SortedModel], SortedModel]

PASSES: tuple[Pass, ...] = (eliminate_aliases, find_states, reduce_index, select_states, check_solvability)


def sort(flat: FlatModel) -> SortedModel:
    """The sorted model, with a record of every pass in `report`."""
    begin = perf_counter()
    model = _recorded(unsorted(flat), "unsorted", begin)
    for run in PASSES:
        begin = perf_counter()
        model = _recorded(run(model), run.__name__, begin)
    return model


def _recorded(model: SortedModel, name: str, begin: float) -> SortedModel:
    record = PassRecord(name, perf_counter() - begin, model.equation_count, len(model.unknowns))
    return replace(model, report=(*model.report, record))
