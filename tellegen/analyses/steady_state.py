"""Where it comes to rest: the values of all variables when nothing changes any more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialize import Point, initialize
from tellegen.engine.snapshot import Snapshot
from tellegen.engine.values import parameter_vector, starts
from tellegen.errors import NumericError, users_call
from tellegen.ir.show_sorted import equation_text, unknown_text

_SHOWN = 5


class SteadyState(Snapshot):
    """All variables at rest, by path and in the declared units: `rest["load.w"]`."""

    title = "at rest"


@users_call
def steady_state(
    model: Any,
    *,
    parameters: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    time: float = 0.0,
) -> SteadyState:
    """The point where all derivatives are zero, found by Newton's method from the start values.

    `parameters` gives other values of parameters and inputs by path, `initial` where to look (a model may have several
    points of rest, or none), `time` the instant at which sources that depend on time are taken.
    """
    compiled = compile_model(model)
    p = parameter_vector(compiled.sorted, parameters)
    first = starts(compiled.sorted, p, initial)
    try:
        y, _ = initialize(compiled, Point(time, p), first, steady=True)
    except NumericError as error:
        raise _undetermined(compiled) or error from None
    return SteadyState(compiled.sorted, time, (y, np.zeros(len(y))), p)


def _undetermined(compiled: CompiledModel) -> NumericError | None:
    """The error for a model whose equations at rest do not contain some unknown at all, or leave some over."""
    pattern, model = compiled.program.pattern, compiled.sorted
    by_value = np.flatnonzero(pattern.by_value)
    places = (pattern.indices[by_value], pattern.column_of_entry[by_value])
    graph = csr_array((np.ones(len(by_value)), places), shape=pattern.shape)
    row_of = maximum_bipartite_matching(graph, perm_type="row")
    if (row_of >= 0).all():
        return None
    loose = [unknown_text(model, int(k), rate=False) for k in np.flatnonzero(row_of < 0)[:_SHOWN]]
    over = np.setdiff1d(np.arange(pattern.shape[0]), row_of)[:_SHOWN]
    return NumericError(
        "E302",
        f"{model.flat.name} has no single point of rest: when nothing changes, no equation determines "
        + ", ".join(f"'{name}'" for name in loose),
        details=["equations left over at rest:", *(f"  {equation_text(model, int(k))}" for k in over)],
        advice="hold what moves on for ever (a Fixed, a spring, a load), or linearize at a time: at=1.0",
    )
