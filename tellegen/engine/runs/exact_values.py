"""A compiled model for runs with given values of its parameters, where these cancel each other.

Gyrators with equal conductances may make a constraint between states of equations that are independent with all other
values. The structural analysis takes coefficients for any numbers; a run that fails for that reason is repeated with a
model in which the values of its parameters count (structure/reduction/exact_rows.py).
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from tellegen.engine.linear_algebra.rank_deficiency import is_singular
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.results.solution import Solution
from tellegen.errors import StructureError
from tellegen.ir.model import FloatArray
from tellegen.start.records import dataclass

_REMEMBERED = 16


@dataclass(eq=False)
class _ByValues:
    """Models that were compiled for values of parameters; None where these reveal nothing."""

    model: NativeModel
    made: dict[bytes, NativeModel | None] = field(default_factory=dict)

    def get(self, parameters: FloatArray) -> NativeModel | None:
        key = parameters.tobytes()
        if key not in self.made:
            if len(self.made) >= _REMEMBERED:
                self.made.clear()
            self.made[key] = _compiled(self.model, parameters)
        return self.made[key]


def with_exact_values(model: NativeModel, p: FloatArray) -> NativeModel | None:
    """The model for runs with exactly these parameters; None where they reveal no constraint.

    Models made for sensitivities are left as they are: the solution does not depend smoothly on such parameters.
    """
    if model.flat.tangents is not None or model.flat.exact_parameters is not None:
        return None
    return model.derived(_ByValues).get(p[: model.flat.parameters.count])


def is_singular_at_the_end(solution: Solution) -> bool:
    """Whether the equations leave algebraic unknowns and rates of states undetermined at the last point."""
    model = solution.compiled
    if model is None or not len(solution.time):
        return False
    t = float(solution.time[-1])
    y = solution.unknowns[-1]
    p = solution._p if solution.history is None else solution.history.numbers(int(solution.history.segment[-1]))
    rates = np.zeros(len(y))
    pattern = model.program.pattern
    by_value = model.jacobian(t, y, rates, p)
    by_rate = model.jacobian(t, y, rates, p, by_value=0.0, by_rate=1.0)
    values = np.where(model.reduced.is_state[pattern.column_of_entry], by_rate, by_value)
    return bool(np.isfinite(values).all()) and is_singular(pattern, values)


def _compiled(model: NativeModel, parameters: FloatArray) -> NativeModel | None:
    try:
        made = model.recompiler.compile(replace(model.flat, exact_parameters=parameters.copy()))
    except StructureError:  # with these values there is no unique solution
        return None
    return made if len(made.reduced.combined) > len(model.reduced.combined) else None
