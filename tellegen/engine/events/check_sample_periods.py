"""Samples need a period above zero; that is known when the parameters of a run are."""

from __future__ import annotations

import numpy as np

from tellegen.engine.events.event_handler import EventHandler
from tellegen.errors import NumericError
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.statements import show_row


def check_samples(machine: EventHandler, t: float) -> None:
    """Reject a sample without a positive period."""
    count = machine.tables.shared["sample_count"]
    if not count:
        return
    pairs = np.zeros((count, 2))
    kept = machine.record.kept
    machine.model.entries["samples"](t, kept["y"], kept["yp"], machine.p, pairs.reshape(-1))
    wrong = np.flatnonzero(~(np.isfinite(pairs).all(axis=1) & (pairs[:, 1] > 0.0)))
    if len(wrong):
        raise NumericError(
            "E306",
            f"tg.sample needs a positive period, not {pairs[wrong[0], 1]:g} s",
            details=[_text(machine.model.reduced, int(wrong[0]))],
            advice="give the period a positive value, also where it is computed from other parameters",
        )


def _text(model: ReducedModel, number: int) -> str:
    """The statement that a sample stands in."""
    assert model.events is not None
    values = model.events.samples.values
    flat = model.flat
    for group, indices in zip(values.groups, values.indices, strict=True):
        rows = np.flatnonzero(np.asarray(indices) // 2 == number)
        if len(rows):
            of_when = group.source < 0
            source = flat.whens[-1 - group.source] if of_when else flat.equations[group.source]
            return show_row(flat, source, int(group.source_rows[rows[0]]))
    return ""
