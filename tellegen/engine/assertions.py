"""The model's assertions, checked at the output times of a finished run.

A violated assertion ends the solution where it happened; a warning is only told. Between output times, and for
conditions on derivatives, nothing is checked yet: that needs root finding inside the integration.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tellegen.engine.outcome import Outcome
from tellegen.engine.solution import Solution
from tellegen.ir.expr import Der
from tellegen.ir.flat import Group
from tellegen.ir.show import show_row
from tellegen.ir.template import AssertTemplate
from tellegen.symbolic.evaluate import evaluate


def checked(solution: Solution) -> Solution:
    """The solution as it is, or cut off with an outcome that tells which assertion does not hold."""
    flat = solution.model.flat
    for group in flat.assertions:
        template = group.template
        if not isinstance(template, AssertTemplate) or any(isinstance(node, Der) for node in template.nodes):
            continue
        holds = np.broadcast_to(_values(solution, group, template), (len(solution.time), group.rows))
        where = np.argwhere(~holds.astype(bool))
        if not len(where):
            continue
        first, row = (int(k) for k in where[0])
        time = float(solution.time[first])
        if template.warning:
            warnings.warn(f"at t = {time:g}: {template.message} ({show_row(flat, group, row)})", stacklevel=2)
            continue
        outcome = Outcome("assertion", template.message, time, details=(show_row(flat, group, row),))
        return solution.until(first + 1, outcome)
    return solution


def _values(solution: Solution, group: Group, template: AssertTemplate) -> Any:
    slots = [
        solution.parameters[group.bindings[:, k]] if slot.parameter else solution.si(group.bindings[:, k])
        for k, slot in enumerate(template.slots)
    ]
    return evaluate(template.condition, slots, time=solution.time[:, None])
