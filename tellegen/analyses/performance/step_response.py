"""How a curve goes from its first to its final value: tg.rise_time, tg.settling_time, tg.overshoot.

`final` is the value it goes to, by default the one at the end of the run (also a performance function, or a number).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Performance, number, performances, value_of
from tellegen.analyses.performance.extremes import lowest, peak
from tellegen.analyses.performance.instants import Crossing, Value, crossings
from tellegen.analyses.performance.instants import final as last_value
from tellegen.analyses.performance.measured import Asked, Measured
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal, signal
from tellegen.errors import DesignError, RunFailedError, users_call
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here


class _First(Value):
    """The value at the start, after what happens there."""

    def __init__(self, curve: Signal) -> None:
        super().__init__(curve, None, False, f"first({curve})")

    def evaluate(self, response: Response) -> Dual:
        time = response.solution.time
        return self._at_row(response, int(np.searchsorted(time, time[0], "right")) - 1)

    def of_runs(self, runs: Measured) -> Any:
        return runs.value(Asked(self.curve, "first", self))


def _ends(curve: str, final: Any) -> tuple[Performance, Any]:
    return _First(signal(curve)), last_value(curve) if final is None else number(final)


def _part(what: str, given: float | str) -> float:
    """A part of the step: 0.05 or "5 %"."""
    text = given.strip() if isinstance(given, str) else ""
    try:
        part = float(text.removesuffix("%")) / 100.0 if text.endswith("%") else float(given)
    except (TypeError, ValueError):
        part = np.nan
    if 0.0 < part < 1.0 and not isinstance(given, bool):
        return part
    what = f"{what} is a part of the step, between 0 and 1, not {given!r}"
    raise DesignError("E646", what, location=here(), advice="0.05, or '5 %'")


@users_call
def rise_time(curve: str, low: float | str = 0.1, high: float | str = 0.9, final: Any = None) -> Performance:
    """From the first passing of the part `low` of the step to that of the part `high`."""
    low = _part("low", low)
    high = _part("high", high)
    first, last = _ends(curve, final)
    step = last - first

    def passing(part: float) -> Performance:
        return Crossing(signal(curve), first + part * step, 0, 1, f"{part:g} of the step of {curve}")

    found = passing(high) - passing(low)
    found.text = f"rise_time({curve})"
    return found


class SettlingTime(Performance):
    """The time from which on a curve stays near its final value."""

    def __init__(self, curve: str, band: float, final: Any) -> None:
        self.curve = signal(curve)
        self.band = band
        self.ends = _ends(curve, final)
        self.text = f"settling_time({curve})"

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(*self.ends)

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """See Performance."""
        return (self.curve, *super().signals(model))

    def evaluate(self, response: Response) -> Dual:
        """The last entry into the band, from either side."""
        first, last = (value_of(end, response) for end in self.ends)
        width = self.band * abs(last - first)
        entries = crossings(response, self.curve, last + width, -1) + crossings(response, self.curve, last - width, 1)
        row = Value(self.curve, None, False, "")._at_row(response, -1)
        if abs(row.value - _number(last)) > width.value:
            what = f"{self.curve} has not settled within {self.band:.0%} of its step at the end of the run"
            raise RunFailedError("E321", what, location=here(), advice="simulate longer")
        settled = max(entries, key=lambda instant: instant.value, default=response.start)
        return settled - response.start


def _number(x: Any) -> float:
    return x.value if isinstance(x, Dual) else x


@users_call
def settling_time(curve: str, band: float | str = 0.02, final: Any = None) -> Performance:
    """When a curve is within a band around its final value for good; the band is a part of the step."""
    return SettlingTime(curve, _part("band", band), None if final is None else number(final))


class Overshoot(Performance):
    """How far a curve goes beyond its final value, as a part of the step."""

    def __init__(self, curve: str, final: Any) -> None:
        self.ends = _ends(curve, final)
        self.sides = (lowest(curve), peak(curve))
        self.text = f"overshoot({curve})"

    @property
    def members(self) -> tuple[Performance, ...]:
        """See Performance."""
        return performances(*self.ends, *self.sides)

    def evaluate(self, response: Response) -> Dual:
        """0.2 is 20 percent; zero for a curve that does not reach its final value."""
        first, last = (value_of(end, response) for end in self.ends)
        step = last - first
        beyond = (self.sides[int(step.value > 0)].evaluate(response) - last) / step
        return beyond if beyond.value > 0.0 else 0.0 * beyond

    def of_runs(self, runs: Measured) -> Any:
        """From the ends and the extremes."""
        first, last = (end.of_runs(runs) if isinstance(end, Performance) else end for end in self.ends)
        low, high = (side.of_runs(runs) for side in self.sides)
        step = last - first
        with np.errstate(all="ignore"):
            return np.maximum((np.where(step > 0, high, low) - last) / step, 0.0)


@users_call
def overshoot(curve: str, final: Any = None) -> Performance:
    """How far a curve goes beyond its final value, as a part of the step: 0.2 is 20 percent."""
    return Overshoot(curve, None if final is None else number(final))
