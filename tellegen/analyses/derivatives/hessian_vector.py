"""tg.hessian_vector: how the gradient of a performance function turns along a direction of the design variables.

    curved = tg.hessian_vector(model, 2.0, of=tg.rms("e"), wrt=["c.k", "c.Ti"], direction={"c.k": 1.0})
    curved.values            d2f / (d wrt_j d k), in declared units

Gradients are exact, forward or backward, so their differences along the direction are good to many digits: central ones
of fourth order, four gradients in all, however many design variables there are. `error` is the distance to those of
second order, which is larger than their own error. Events only have to stay in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.derivatives.confirmed_adjoint import ConfirmedAdjoint
from tellegen.analyses.derivatives.gradients import chosen_method, gradients
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.sensitivities.design_variables import DesignVariable, Wanted, directions
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.engine.request.run_options import SECOND_DERIVATIVES
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import panels
from tellegen.ir.flat import Table as Columns
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

_STEP = 2e-3  # of the size of the design variable that changes most
_STENCIL = (-2.0, -1.0, 1.0, 2.0)
_WEIGHTS = {"four": (1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0), "two": (0.0, -0.5, 0.5, 0.0)}


@dataclass(frozen=True, eq=False, repr=False)
class HessianVector(Result):
    """The Hessian of `of` times `direction`: a number for each of `wrt`, and about how wrong it is."""

    of: Performance
    wrt: tuple[str, ...]
    direction: FloatArray
    values: FloatArray
    error: FloatArray

    @users_call
    def __getitem__(self, name: str) -> float:
        return float(self.values[_position(self.wrt, name)])

    @property
    def curvature(self) -> float:
        """The second derivative along the direction itself."""
        return float(self.direction @ self.values)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each design variable."""
        import pandas as pd

        columns = {"direction": self.direction, "value": self.values, "error": self.error}
        return pd.DataFrame(columns, index=list(self.wrt))

    def plot(self) -> Any:
        """A matplotlib figure: bars with their estimated errors."""
        with panels(1, 1, (6.5, 1.2 + 0.3 * len(self.wrt))) as (figure, axes):
            axis = axes[0, 0]
            axis.barh(self.wrt, self.values, xerr=self.error)
            axis.invert_yaxis()
            axis.set_xlabel(f"Hessian of {self.of} times the direction")
        return figure

    def _title(self) -> str:
        return f"HessianVector of {self.of}: {len(self.wrt)} design variables, curvature {self.curvature:.6g}"

    def _page(self) -> list[Table | str]:
        columns = zip(self.wrt, self.direction, self.values, self.error, strict=True)
        rows = [(name, f"{along:.6g}", f"{value:.6g}", f"± {error:.1g}") for name, along, value, error in columns]
        return [Table(("with respect to", "direction", "value", "error"), rows)]


@run_call(rtol=SECOND_DERIVATIVES)
def hessian_vector(
    model: Any,
    stop: float | str | None = None,
    *,
    of: Performance,
    wrt: Sequence[Wanted] | Wanted,
    direction: Mapping[str, float] | Sequence[float],
    method: str = "auto",
    **run: Unpack[RunKeywords],
) -> HessianVector:
    """The Hessian of a performance function by the design variables `wrt`, times a direction in these.

    `direction` are numbers by name (others rest) or one for each of `wrt`, in declared units. `method` is that of the
    gradients: "forward", "adjoint" or "auto". The other arguments are those of tg.simulate.
    """
    made = model if isinstance(model, SensitivityModel) else SensitivityModel(model, wrt)
    if not isinstance(of, Performance):
        what = f"`of` is one performance function, not {of!r}"
        raise DesignError("E641", what, location=here(), advice="of=tg.final('load.w')")
    names = tuple(variable.name for variable in made.variables)
    v = _direction(names, direction)
    request = made.request(stop, **run)
    p = parameter_vector(made.plain, request.parameters)
    starts = made.start_values(request.start_values)
    _, scale = directions(made.plain.reduced, p, starts, made.variables)
    h = _STEP / float(np.max(np.abs(v) / scale))
    backward = ConfirmedAdjoint(made) if chosen_method(made, 1, method) == "adjoint" else None
    found = []
    for step in _STENCIL:
        change = v * step * h
        parameters = _moved(made.plain.flat.parameters, p, made.variables, change, _by_parameters)
        initial = _moved(made.plain.flat.variables, starts, made.variables, change, _by_starts)
        moved = request.with_values(parameters, initial)
        if backward is not None:
            found.append(backward.gradients([of], moved).matrix[0])
        else:
            found.append(gradients(made, [of], "forward", moved).matrix[0])
    four, two = (np.array(_WEIGHTS[name]) @ np.array(found) / h for name in ("four", "two"))
    return HessianVector(of, names, v, four, np.abs(four - two))


def _direction(names: tuple[str, ...], given: Any) -> FloatArray:
    """One number for each design variable."""
    out = np.zeros(len(names))
    if isinstance(given, Mapping):
        for name, value in given.items():
            out[_position(names, name)] = float(value)
    elif np.ndim(given) == 1 and len(given) == len(names):
        out[:] = given
    if not np.isfinite(out).all() or not out.any():
        what = f"the direction {given!r} is invalid: a number for each of {', '.join(names)}, not all of them zero"
        raise DesignError("E641", what, location=here(), advice=f"direction={{'{names[0]}': 1.0}}")
    return out


def _position(names: tuple[str, ...], name: str) -> int:
    if name not in names:
        raise DesignError("E641", f"'{name}' is not varied; {nearest(str(name), names)}", location=here())
    return names.index(name)


Moves = tuple[tuple[int, float], ...]
"""Rows of a table that change with a design variable, and how fast."""


def _by_parameters(variable: DesignVariable) -> Moves:
    return variable.parameters


def _by_starts(variable: DesignVariable) -> Moves:
    return variable.starts


def _moved(
    table: Columns,
    now: FloatArray,
    variables: Sequence[DesignVariable],
    change: FloatArray,
    moves: Callable[[DesignVariable], Moves],
) -> dict[str, float]:
    """The parameters, or the start values, that change with the design variables: by path, in declared units."""
    total: dict[int, float] = {}
    for variable, by in zip(variables, change.tolist(), strict=True):
        for index, weight in moves(variable):
            total[index] = total.get(index, 0.0) + weight * by
    return {
        table.name(index): float(table.declaration(index).unit.from_si(now[index] + by))
        for index, by in total.items()
        if by
    }
