"""Assigned values that are not finite, and which statements assigned them.

Not-a-number differs from itself, so its assignment changes something in every round; and nothing is consistent with it.
Asked only when an event has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.engine.events.event_tables import EventTables
from tellegen.ir.model import FloatArray
from tellegen.ir.show.reduced_rows import variable_text

ADVICE = (
    "look for a division by zero or a root of a negative number in assigned values, for assignments that depend on\n"
    "each other, and for outputs that external code does not compute"
)


def no_numbers(
    tables: EventTables, values: FloatArray, fired: Any, guilty: Callable[[Any], Any] = np.isnan
) -> tuple[str, Any] | None:
    """In words what was given, and the conditions of those fired that gave it; None if all are numbers.

    `guilty` says which values are none: an infinite one may be meant.
    """
    shared = tables.shared
    events = tables.events
    starts = shared["action_start"]
    numbers = shared["action_value"]
    actions = np.concatenate([np.arange(0), *(np.arange(starts[k], starts[k + 1]) for k in fired)])
    actions = actions[guilty(values[numbers[actions]])]
    equations = guilty(values[events.always.value])
    targets = [*events.actions.target[tables.action_number[actions]], *events.always.variable[equations]]
    given = [*values[numbers[actions]], *values[events.always.value[equations]]]
    if not given:
        return None
    names = [variable_text(tables.model.reduced, int(target)) if target >= 0 else "" for target in targets]
    assigned = dict.fromkeys(f"{name} = {value}" for name, value in zip(names, given, strict=True) if name)
    by = np.unique(np.searchsorted(starts, actions, side="right") - 1)
    return ", ".join(assigned), by if len(by) else fired
