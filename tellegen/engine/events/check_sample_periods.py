"""Samples need a period above zero that times can resolve; that is known when the parameters of a run are."""

from __future__ import annotations

import numpy as np

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.request.run_options import Options
from tellegen.errors import NumericError
from tellegen.start.later import later

with later():
    from tellegen.engine.events.event_descriptions import statement_text

_SHORTEST = 64.0 * float(np.finfo(float).eps)  # of the time: ticks four times closer than that count as one


def check_samples(machine: EventHandler, options: Options) -> None:
    """Reject a sample without a positive period, or with one that is shorter than times are apart."""
    count = machine.tables.shared["sample_count"]
    if not count:
        return
    pairs = np.zeros((count, 2))
    kept = machine.record.kept
    machine.model.entries["samples"](options.start, kept["y"], kept["yp"], machine.p, pairs.reshape(-1))
    first, period = pairs.T
    wrong = np.flatnonzero(~(np.isfinite(pairs).all(axis=1) & (period > 0.0)))
    if len(wrong):
        number = int(wrong[0])
        what = f"tg.sample needs a positive period, not {period[number]:g} s"
        raise _error(machine, number, what, "give the period a positive value, also where it is computed")
    latest = max(abs(options.start), abs(options.stop))
    lost = np.flatnonzero((period <= _SHORTEST * (latest + np.abs(first))) & (first <= options.stop))
    if len(lost):
        number = int(lost[0])
        what = f"the period of tg.sample, {period[number]:g} s, is too short for times up to {latest:g} s"
        advice = "floating-point numbers have 16 digits: let time and the first instant be near zero"
        raise _error(machine, number, what, advice)


def _error(machine: EventHandler, number: int, what: str, advice: str) -> NumericError:
    """E306 with the statement that a sample is in."""
    values = machine.events.samples.values
    details = [statement_text(machine.model.reduced, values, np.array([2 * number, 2 * number + 1]))]
    return NumericError("E306", what, details=details, advice=advice)
