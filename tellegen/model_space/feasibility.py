"""tg.feasibility: the limits of parts against a run. What is exceeded, and how much is left of the rest?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.performance.extremes import lowest, peak, peak_time
from tellegen.analyses.performance.response import Response
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.engine.results.solution import Solution
from tellegen.errors import BindingError, users_call, warn_user
from tellegen.frontends.python.interfaces.semantics import QUANTITY
from tellegen.ir.model import BoundPart, Rating
from tellegen.ir.source_location import here
from tellegen.model_space.dimensions import unit_of
from tellegen.sheet import Result, Table
from tellegen.units import Unit, UnitTextError, parse_quantity, parse_unit, readable

_ROUNDING = 1e-6  # of the largest value: a quantity that stays at its limit is beyond it by the tolerance of the run
_VISIBLE = 1e-3  # of the largest value, between points: a limit is not a matter of six digits
_BETWEEN = 1.05  # a curve may be higher between two steps than at them, but not by much
LEAST = "min"
MOST = "max"
ABSOLUTE = "abs"
"""What a limit is about: the smallest value, the largest, the largest absolute one."""


@dataclass(frozen=True)
class Checked:
    """A limit and what the run came to, both in the unit of the limit."""

    path: str  # of the component
    part: str  # its name; empty for a limit that was given with the call
    rating: str
    quantity: str
    reached: float
    limit: float
    unit: str
    time: float  # when it came to that; not a number where that was between output points
    size: float  # the largest absolute value of the quantity
    is_least: bool  # whether the quantity may not fall below the limit

    @property
    def name(self) -> str:
        """The rating of a part, or the expression that was given a limit: `motor.current_max`, `load.w`."""
        return self.path if self.rating == ABSOLUTE else f"{self.path}.{self.rating}"

    @property
    def holds(self) -> bool:
        """Whether the limit is respected, but for the tolerance of the run."""
        return self.slack >= -_ROUNDING * max(self.size, abs(self.limit))

    @property
    def slack(self) -> float:
        """What is left up to the limit; negative where it is exceeded."""
        return self.reached - self.limit if self.is_least else self.limit - self.reached


@dataclass(frozen=True, eq=False, repr=False)
class Feasibility(Result):
    """Limits against a run. It is true if none is exceeded; `rows` has the numbers, `unchecked` other ratings."""

    name: str
    rows: tuple[Checked, ...]
    unchecked: tuple[str, ...]

    @property
    def success(self) -> bool:
        """Whether all limits hold."""
        return all(row.holds for row in self.rows)

    @property
    def message(self) -> str:
        """The limits that are exceeded."""
        return ", ".join(row.name for row in self.rows if not row.holds)

    def __bool__(self) -> bool:
        return self.success

    @property
    def slack(self) -> dict[str, float]:
        """What is left up to each limit, by path and rating, in the unit of the limit."""
        return {row.name: row.slack for row in self.rows}

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each limit."""
        import pandas as pd

        names = ("reached", "limit", "slack", "unit", "time", "holds")
        columns = {name: [getattr(row, name) for row in self.rows] for name in names}
        return pd.DataFrame(columns, index=pd.Index([row.name for row in self.rows], name="limit of"))

    def _title(self) -> str:
        if not self.rows:
            return f"Feasibility of {self.name}: nothing was checked, no limit is about a quantity of the run"
        end = f"exceeded: {self.message}" if not self.success else "all hold"
        return f"Feasibility of {self.name}: {len(self.rows)} limits, {end}"

    def _page(self) -> list[Table | str]:
        rows = [
            (
                f"{row.path}{f' ({row.part})' if row.part else ''}",
                row.rating,
                f"{row.reached:.4g}",
                f"{row.limit:.4g}",
                f"{row.slack:.4g}",
                row.unit,
                f"{row.time:.4g}" if np.isfinite(row.time) else "between points",
                "" if row.holds else "exceeded",
            )
            for row in self.rows
        ]
        headings = ("part", "limit of", "reached", "limit", "slack", "unit", "at t [s]", "")
        others = f"not of a run: {', '.join(self.unchecked)}" if self.unchecked else ""
        return [Table(headings, rows) if rows else "", others]


@users_call
def feasibility(solution: Solution, limits: Mapping[str, Any] | None = None) -> Feasibility:
    """Compare the limits of the bound parts, and further ones, with the largest values of a run.

    Which quantity a rating limits is said by the interface, `tg.Semantics(limits={"current_max": "p.i"})`; a rating
    named like a variable of the component, `tau_max`, limits that one. `limits` gives others by path or expression:
    {"load.w": "300 rpm", "battery.v": (10.5, 14.4)}; a number is an upper limit of the absolute value.
    """
    if not isinstance(solution, Solution):
        what = f"tg.feasibility needs a solution, not {type(solution).__name__}"
        raise BindingError("E809", what, location=here(), advice="tg.feasibility(tg.simulate(model, stop=1.0))")
    response = Response(solution)
    response.tolerance = _VISIBLE
    rows: list[Checked] = []
    unchecked: list[str] = []
    for path, part in solution._reduced.flat.parts.items():
        for rating in part.ratings:
            expression = _limited(solution, path, rating)
            if expression:
                rows.append(_checked(response, path, part, rating, expression))
            else:
                unchecked.append(f"{path}.{rating.name}")
    for expression, given in (limits or {}).items():
        rows += _given(response, expression, given)
    for path, times in response.rough.items():
        if _at_steps(solution, path) is not None and all(row.quantity != path or _is_absolute(row) for row in rows):
            continue  # the steps of the integrator are fine enough
        warn_user(
            f"feasibility: '{path}' changes faster than its output points show, first near t = {times.min():.4g}, so "
            "its largest value may be wrong; simulate with more points"
        )
    return Feasibility(solution.name, tuple(rows), tuple(unchecked))


def _limited(solution: Solution, path: str, rating: Rating) -> str:
    """The expression of the model that a rating limits; empty if it is about none."""
    if rating.quantity:
        return QUANTITY.sub(lambda found: f"{path}.{found[0]}", rating.quantity)
    name, _, end = rating.name.rpartition("_")
    return f"{path}.{name}" if end in ("max", "min") and name and f"{path}.{name}" in solution else ""


def _checked(response: Response, path: str, part: BoundPart, rating: Rating, expression: str) -> Checked:
    unit = _unit_of(response.solution, expression)
    own = parse_unit(rating.unit or unit.text or None)
    if own.dimension is not None and unit.dimension is not None and own.dimension != unit.dimension:
        shown = unit.text or readable(unit.dimension) or "no unit"
        raise BindingError(
            "E809",
            f"{rating.name} of {part.name} is in {rating.unit}, but '{expression}' is in {shown}",
            location=here(),
            advice="the rating limits something else: see tg.Semantics(limits=...) of the interface",
        )
    least = rating.name.endswith("_min")
    value, moment, size = _extreme(response, expression, LEAST if least else ABSOLUTE)
    reached, size = (float(own.from_si(unit.to_si(number))) for number in (value, size))
    return Checked(path, part.name, rating.name, expression, reached, rating.value, own.text, moment, size, least)


def _extreme(response: Response, expression: str, kind: str) -> tuple[float, float, float]:
    """The value of a run that counts against a limit, when it occurs, and the largest absolute value."""
    absolute = f"abs({expression})"
    size = _number(peak(absolute), response)
    at_steps = _at_steps(response.solution, expression)
    if kind == ABSOLUTE and at_steps is not None and not at_steps * (1.0 - _VISIBLE) <= size <= _BETWEEN * at_steps:
        return at_steps, np.nan, at_steps  # the curve through the output points misses a peak, or swings
    if kind == ABSOLUTE:
        return size, _number(peak_time(absolute), response), size
    if kind == LEAST:
        return _number(lowest(expression), response), _number(peak_time(f"-({expression})"), response), size
    return _number(peak(expression), response), _number(peak_time(expression), response), size


def _at_steps(solution: Solution, path: str) -> float | None:
    """The largest absolute value of a state at the steps of the integrator; None for what is not known there."""
    peaks = solution.peaks
    if peaks is None or path not in solution:
        return None
    what = quantity(solution._reduced, path)
    if what.order or what.shape or what.parameter or what.unit.offset:
        return None
    where = columns(solution._reduced, what.selection.indices.ravel())
    found = np.flatnonzero(np.asarray(peaks.unknowns) == where.index[0])
    return float(what.unit.from_si(peaks.value[found[0]])) if len(found) and where.index[0] >= 0 else None


def _is_absolute(row: Checked) -> bool:
    return row.rating not in (LEAST, MOST) and not row.is_least


def _number(function: Performance, response: Response) -> float:
    return float(function.evaluate(response).value)


def _given(response: Response, expression: str, given: Any) -> Iterator[Checked]:
    """Limits of the call: one number for the absolute value, or a pair."""
    bounds: list[tuple[str, Any]]
    if isinstance(given, (tuple, list)) and len(given) == 2:
        bounds = [(LEAST, given[0]), (MOST, given[1])]
    else:
        bounds = [(ABSOLUTE, given)]
    unit = _unit_of(response.solution, expression)
    for kind, bound in bounds:
        if bound is None:
            continue
        try:
            limit = parse_quantity(bound, unit) if isinstance(bound, str) else float(bound)
        except (UnitTextError, TypeError, ValueError) as error:
            what = f"the limit of '{expression}': {error}"
            raise BindingError("E809", what, location=here(), advice='"300 rad/s", 300.0 or a pair') from None
        value, moment, size = _extreme(response, expression, kind)
        yield Checked(expression, "", kind, expression, value, limit, unit.text, moment, size, kind == LEAST)


def _unit_of(solution: Solution, expression: str) -> Unit:
    """The unit of an expression."""
    return unit_of(expression, lambda path: parse_unit(solution.unit(path) or None))
