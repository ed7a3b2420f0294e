"""Integer-valued functions of numbers so large that these have no fractions: their steps cannot be found.

y == tg.floor(1e25 * x)        from 2**53 on neighbouring numbers are more than one apart
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.discrete_history import History
from tellegen.errors import NumericError
from tellegen.start.later import later

with later():
    from tellegen.engine.events.event_descriptions import statement_text

_UNRESOLVED = 2.0**53


def check_levels(model: NativeModel, history: History) -> None:
    """Reject a run in which floor, ceil or % have reached numbers without fractions, where they stop counting."""
    events = model.reduced.events
    if events is None or not len(events.levels.index):
        return
    levels = events.levels
    is_level = np.zeros(len(history.first), bool)
    is_level[levels.index] = True
    reached = np.where(is_level, np.abs(history.first), 0.0)
    changed = is_level[history.index]
    np.maximum.at(reached, history.index[changed], np.abs(history.value[changed]))
    lost = np.flatnonzero(reached[levels.index] >= _UNRESOLVED)
    if len(lost):
        number = int(lost[0])
        raise NumericError(
            "E309",
            f"floor, ceil or % of a number of {reached[levels.index[number]]:.3g}: from 2**53 = 9e15 on floating-point "
            "numbers have no fractions",
            details=[statement_text(model.reduced, events.values, levels.value[[number]])],
            advice="scale the argument, or take the floor of something that stays smaller",
        )
