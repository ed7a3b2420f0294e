"""Variables beyond the `min` and `max` they were declared with, looked for in the rows of a finished run.

Limits are not equations: nothing keeps a variable within them. They say where a model makes sense, so a run that leaves
them says so, once for each variable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.request.parameter_and_start_vectors import values_text
from tellegen.engine.request.scales import declared_scales
from tellegen.engine.results.solution import Solution
from tellegen.engine.results.warned import Warned
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray, IntArray

_ROUNDING = 1e-5  # of the largest value: a variable that rests at its limit is beyond it by the tolerance of the run
_RTOL = 1e-6  # of solutions that were not kept with the settings of their run


def limited(flat: FlatModel) -> IntArray:
    """The variables with a limit."""
    table = flat.variables
    return np.flatnonzero(np.isfinite(table.column("min")) | np.isfinite(table.column("max")))


def beyond_limits(solution: Solution) -> list[Warned]:
    """The first time that each variable leaves its limits."""
    table = solution._reduced.flat.variables
    variables = limited(solution._reduced.flat)
    if not len(variables):
        return []
    values = solution.si(variables)
    allowed = _ROUNDING * np.abs(values).max(axis=0, initial=0.0) + _absolute(solution, variables)
    below = values < table.column("min")[variables] - allowed
    above = values > table.column("max")[variables] + allowed
    found = [_warned(solution, int(variables[k]), below[:, k], values[:, k], "min") for k in _any(below)]
    return found + [_warned(solution, int(variables[k]), above[:, k], values[:, k], "max") for k in _any(above)]


def _absolute(solution: Solution, variables: IntArray) -> FloatArray:
    """The tolerances of variables near zero: one that ought to be zero is a rounding of others, on either side."""
    scales = declared_scales(solution._reduced.flat.variables.column("nominal")[variables])
    settings = solution.settings
    return scales.tolerances(_RTOL, None).start if settings is None else settings.options.absolute(scales).start


def _any(beyond: Any) -> list[int]:
    return np.flatnonzero(beyond.any(axis=0)).tolist()


def _warned(solution: Solution, variable: int, beyond: Any, values: Any, bound: str) -> Warned:
    table = solution._reduced.flat.variables
    first = int(np.argmax(beyond))
    back = np.flatnonzero(~beyond[first:])
    unit = table.declaration(variable).unit
    limit = (float(table.column(bound)[variable]) - unit.offset) / unit.scale
    node, _, instance, _ = table.locate(variable)
    sign = ">=" if bound == "min" else "<="
    return Warned(
        float(solution.time[first]),
        float(solution.time[first + int(back[0])]) if len(back) else None,
        table.tree.path(node, instance),
        f"a variable is {'below its min' if bound == 'min' else 'above its max'}",
        f"{table.name(variable)} {sign} {limit:g} {unit.text}".rstrip(),
        (values_text(solution._reduced.flat, variable, float(values[first])),),
    )
