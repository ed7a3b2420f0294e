"""Formulas of signal temporal logic over a run, and their margins; written by the functions of operators.py.

The margin says by how much a formula holds (positive) or is violated (negative), in the units of its conditions: of a
comparison the difference of its sides, of `and` the smaller, of `or` the larger, of `always` the smallest and of
`eventually` the largest over its window of time (Donzé, Maler 2010). A formula is a performance function, and the
margin its value: it has a gradient, and `formula >= 0` is a constraint.

Windows count from the instant at which the formula around them is judged; the outermost from the start of the run.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce
from math import inf
from typing import Any

import numpy as np

from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Constraint, Performance, shown
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.analyses.requirements.conditions import Comparison
from tellegen.analyses.requirements.curve import (
    ANY,
    Curve,
    TooShortError,
    crossed,
    higher,
    highest_within,
    lower,
    lowest_within,
    until,
)
from tellegen.analyses.requirements.deciding_instant import (
    Deciding,
    Instant,
    Span,
    highest_place,
    margin_with_slope,
    places_with,
    rounding,
    value_beside,
)
from tellegen.analyses.requirements.sampled_condition import sampled
from tellegen.analyses.requirements.verdict import Verdict
from tellegen.analyses.sensitivities.sensitivity import Sensitivity
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError
from tellegen.figure import entitle, panels
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here


class Judge:
    """The curves of formulas over one run, each computed once."""

    def __init__(self, response: Response) -> None:
        self.response = response
        self._curves: dict[Formula, Curve] = {}

    def curve(self, formula: Formula) -> Curve:
        """The margin of a formula over time."""
        if formula not in self._curves:
            try:
                self._curves[formula] = formula.curve(self)
            except TooShortError as error:
                what = f"'{formula}' needs the run until t = {error.needed:g}; it is known until {error.end:g} only"
                advice = "simulate longer, or require it within a shorter time"
                raise DesignError("E671", what, location=here(), advice=advice) from None
        return self._curves[formula]

    @property
    def opposite(self) -> Judge:
        """Who judges what stands under a `not`."""
        return self

    @property
    def until(self) -> float:
        """How far the run is known."""
        return inf

    @property
    def of_unknown_events(self) -> float:
        """The margin of events that may come after that."""
        return ANY


class Formula(Performance):
    """What a run can fulfil; its value is the margin."""

    stop_on_violation = False  # whether a run ends where it is violated

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def members(self) -> tuple[Formula, ...]:
        """The formulas that it is made of."""
        return ()

    @abstractmethod
    def curve(self, judge: Judge) -> Curve:
        """The margin, for every instant at which the formula can be judged."""

    @abstractmethod
    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """The condition and instant on which the margin at an instant depends; several where they tie."""

    def evaluate(self, response: Response) -> Dual:
        """The margin at the start of the run, with its derivatives."""
        return self.judged(response)[0]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All comparisons in it."""
        return tuple(condition for part in self.members for condition in part.conditions)

    def judged(self, response: Response) -> tuple[Dual, Deciding | None]:
        """The margin at the start of the run, and what decides over it; nothing where it holds whatever happens."""
        judge = Judge(response)
        curve = judge.curve(self)
        start = Instant(curve.begin, np.zeros(len(response.wrt)))
        margin = curve.at(curve.begin)
        if abs(margin) >= 0.5 * ANY:
            return Dual(inf if margin > 0.0 else -inf, np.zeros(len(response.wrt))), None
        return margin_with_slope(response, self.deciding(judge, start))

    @property
    def required(self) -> Constraint:
        """See Performance: a requirement is one to be fulfilled."""
        return Constraint(self, 0.0, inf, self.name)

    def verdict(self, run: Solution | Sensitivity) -> Verdict:
        """Whether a run fulfils it, by how much, and what decides: print it."""
        response = shown([self], Response(run))
        margin, deciding = self.judged(response)
        self.warn_of_points(response)
        at = None if deciding is None else deciding.instant.t
        return Verdict(self.name, float(margin.value), at, "" if deciding is None else deciding.text)

    def plot(self, run: Solution | Sensitivity) -> Any:
        """A matplotlib figure: the margin over time, where it is judged at that time; red where it is negative."""
        response = shown([self], Response(run))
        curve = Judge(response).curve(self)
        self.warn_of_points(response)
        times = np.repeat(curve.breaks, 2)[1:-1]
        margins = np.stack([curve.after, curve.before], axis=1).ravel()
        with panels(1, 1, (7.5, 3.2)) as (figure, axes):
            axes[0][0].plot(times, margins)
            axes[0][0].axhline(0.0, color="0.6", linewidth=0.8)
            axes[0][0].fill_between(times, margins, 0.0, where=margins < 0.0, color="tab:red", alpha=0.3)
            axes[0][0].set_xlabel("time [s]")
            axes[0][0].set_ylabel("margin")
            entitle(figure, self.name)
        return figure

    def __and__(self, other: Formula) -> Formula:
        return Joined((self, other), 1.0, f"({self}) and ({other})")

    def __or__(self, other: Formula) -> Formula:
        return Joined((self, other), -1.0, f"({self}) or ({other})")

    def __invert__(self) -> Formula:
        return Not(self)

    def __repr__(self) -> str:
        return f"<requirement {self}>"


class Named(Formula):
    """A requirement with a name of its own."""

    def __init__(self, part: Formula, name: str) -> None:
        super().__init__(str(part))
        self.part = part
        self.given = name

    @property
    def members(self) -> tuple[Formula, ...]:
        """See Formula."""
        return (self.part,)

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return self.given

    def curve(self, judge: Judge) -> Curve:
        """See Formula."""
        return judge.curve(self.part)

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        return self.part.deciding(judge, instant)


class Condition(Formula):
    """A comparison of signals."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(comparison.text)
        self.comparison = comparison

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """See Formula."""
        return (self,)

    def signals(self, model: ReducedModel) -> tuple[Signal, ...]:
        """See Performance."""
        return (self.comparison.signal(model),)

    def curve(self, judge: Judge) -> Curve:
        """See Formula."""
        return sampled(judge.response, self.comparison.signal(judge.response.solution._reduced))

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        return [Deciding(self.comparison.signal(judge.response.solution._reduced), self.text, instant)]


class Not(Formula):
    """What must not be."""

    def __init__(self, part: Formula) -> None:
        super().__init__(f"not ({part})")
        self.part = part

    @property
    def members(self) -> tuple[Formula, ...]:
        """See Formula."""
        return (self.part,)

    def curve(self, judge: Judge) -> Curve:
        """See Formula."""
        return -judge.opposite.curve(self.part)

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        return [each.negated() for each in self.part.deciding(judge, instant)]


class Joined(Formula):
    """All of several formulas (sign 1: the smallest margin counts), or one of them (-1: the largest)."""

    def __init__(self, parts: tuple[Formula, ...], sign: float, text: str) -> None:
        super().__init__(text)
        self.parts = parts
        self.sign = sign

    @property
    def members(self) -> tuple[Formula, ...]:
        """See Formula."""
        return self.parts

    def curve(self, judge: Judge) -> Curve:
        """See Formula."""
        return reduce(lower if self.sign > 0 else higher, (judge.curve(part) for part in self.parts))

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        curves = [judge.curve(part) for part in self.parts]
        values = [self.sign * value_beside(curve, instant) for curve in curves]
        near = rounding(*curves)
        tied = [part for part, value in zip(self.parts, values, strict=True) if value <= min(values) + near]
        return [each for part in tied for each in part.deciding(judge, instant)]


class Window(Formula):
    """A formula at every instant (sign 1) or at some instant (-1) from `begin` to `end` after the present one."""

    def __init__(self, part: Formula, begin: float, end: float, sign: float, text: str) -> None:
        super().__init__(text)
        self.part = part
        self.begin = begin
        self.end = end
        self.sign = sign

    @property
    def members(self) -> tuple[Formula, ...]:
        """See Formula."""
        return (self.part,)

    def curve(self, judge: Judge) -> Curve:
        """See Formula."""
        extreme = lowest_within if self.sign > 0 else highest_within
        return extreme(judge.curve(self.part), self.begin, self.end)

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        curve = judge.curve(self.part)
        heights = -curve if self.sign > 0 else curve
        places = highest_place(heights, Span(instant.t + self.begin, instant.t + self.end, instant.before))
        found: list[Deciding] = []
        for place in places:
            moves = _moves_of_end(judge, instant, place.t) if place.at_end else None
            found += self.part.deciding(judge, Instant(place.t, moves, place.before))
        return found


def _moves_of_end(judge: Judge, instant: Instant, t: float) -> np.ndarray | None:
    """How an end of a window moves: as its beginning; the end of the run as the run says."""
    return judge.response.stop.slope if t >= judge.response.stop.value else instant.moves


class Until(Formula):
    """One formula holds until another one does, which happens from `begin` to `end` after the present instant."""

    def __init__(self, holds: Formula, then: Formula, begin: float, end: float, text: str) -> None:
        super().__init__(text)
        self.holds = holds
        self.then = then
        self.begin = begin
        self.end = end

    @property
    def members(self) -> tuple[Formula, ...]:
        """See Formula."""
        return self.holds, self.then

    def curve(self, judge: Judge) -> Curve:
        """See Formula: min(G[0, begin] a, (a U b) at t + begin), and b within the window."""
        holds = judge.curve(self.holds)
        then = judge.curve(self.then)
        later = until(holds, then)
        if self.begin > 0.0:
            later = highest_within(later, self.begin, self.begin)
            later = lower(later, lowest_within(holds, 0.0, self.begin))
        return later if self.end == inf else lower(later, highest_within(then, self.begin, self.end))

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula: what has this margin, the one that holds, the one that ends it, or both where they cross."""
        margin = value_beside(judge.curve(self), instant)
        holds, then = crossed(judge.curve(self.holds), judge.curve(self.then))
        first = instant.t + self.begin
        window = Span(first, instant.t + self.end, instant.before)
        places = places_with(holds, margin, Span(instant.t, first, instant.before)) if self.begin > 0.0 else []
        places = places or places_with(holds, margin, window)
        found: list[Deciding] = []
        for part, chosen in ((self.holds, places), (self.then, places_with(then, margin, window))):
            for place in chosen[:1]:
                moves = _moves_of_end(judge, instant, place.t) if place.at_end else None
                found += part.deciding(judge, Instant(place.t, moves, place.before))
        return found
