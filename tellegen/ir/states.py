"""A ReducedModel with another choice of states: data in, data out, used at compile time and while a model runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Call, Der, Slot
from tellegen.ir.reduced import INTEGRATION, UNKNOWN, ReducedGroup, ReducedModel


def with_stages(model: ReducedModel, stages: tuple[Any, ...]) -> ReducedModel:
    """The model with the states that a choice leaves, and the rows der(x) - x' == 0 that tie them to their rates."""
    candidates = model.candidates
    assert candidates is not None
    states: list[Any] = []
    rates: list[Any] = []
    for m in range(candidates.chain.shape[1] - 1):
        stage = candidates.d - m  # derivative m+1 is algebraic if picked at this stage
        has_rate = stage >= 1
        picked = np.zeros(len(stage), bool)
        for s, chosen in enumerate(stages, 1):
            picked |= (stage == s) & chosen
        active = has_rate & ~picked
        states.append(candidates.chain[active, m])
        rates.append(candidates.chain[active, m + 1])
    bindings = np.stack([np.concatenate(states), np.concatenate(rates)], axis=1).astype(np.int32)
    residual = Call("sub", (Der(0), Slot(1)))
    rows = np.arange(len(bindings))
    integration = ReducedGroup(residual, (UNKNOWN, UNKNOWN), bindings, INTEGRATION, rows)
    groups = tuple(group for group in model.groups if group.source != INTEGRATION)
    # linear rows come after all groups: they move as the number of integration rows changes
    others = sum(group.rows for group in groups)
    before = sum(group.rows for group in model.groups)
    moved = np.where(candidates.rows >= before, candidates.rows + others + len(bindings) - before, candidates.rows)
    is_state = model.is_state.copy()
    is_state[np.isin(model.unknowns, candidates.chain)] = False
    is_state[model.position[bindings[:, 0]]] = True
    return replace(
        model,
        groups=(*groups, integration) if len(bindings) else groups,
        is_state=is_state,
        candidates=replace(candidates, stages=stages, rows=moved),
    )
