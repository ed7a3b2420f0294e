"""When a requirement is lost: the first instant after which no continuation of a run can fulfil it any more.

Of a run known until T the margin has an upper bound: conditions count as fulfilled by any amount where they are not
known yet (and as missed by any amount under a `not`). It only falls as T grows, so the instant at which it becomes
negative is found by bisection, for all formulas alike:

    always (y < 1.2)                          where y passes 1.2
    eventually within 2 s (y > 1)             2 s after the start
    always (p implies within 1 s (q))         1 s after an instant at which p holds and q has not held since
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from tellegen.analyses.performance.expression import shown
from tellegen.analyses.performance.response import Response
from tellegen.analyses.requirements.curve import ANY, Curve, TooShortError
from tellegen.analyses.requirements.formulas import Condition, Formula, Judge
from tellegen.engine.results.solution import Solution

_EXACT = 1e-13  # of the run


@dataclass(frozen=True)
class Violation:
    """When a requirement was lost, and the condition that was lost then; none where time has run out."""

    time: float
    condition: str

    @property
    def text(self) -> str:
        """What happened."""
        return f"'{self.condition}' is violated" if self.condition else "time has run out for it"


@dataclass(frozen=True, eq=False)
class _Known:
    """Judges of what is known until a time: at best, and at worst."""

    response: Response
    until: float
    length: float
    curves: dict[Condition, Curve]

    def judge(self, sign: float = 1.0) -> _PartialJudge:
        return _PartialJudge(self, sign)


class _PartialJudge(Judge):
    """Conditions as they are until a time; after it they hold by any amount (sign 1), or are missed by it (-1)."""

    def __init__(self, known: _Known, sign: float) -> None:
        super().__init__(known.response)
        self.known = known
        self.sign = sign

    def curve(self, formula: Formula) -> Curve:
        """See Judge."""
        if formula not in self._curves:
            is_condition = isinstance(formula, Condition)
            self._curves[formula] = self._partial(formula) if is_condition else formula.curve(self)
        return self._curves[formula]

    @property
    def opposite(self) -> Judge:
        """See Judge."""
        return self.known.judge(-self.sign)

    @property
    def until(self) -> float:
        """See Judge."""
        return self.known.until

    @property
    def of_unknown_events(self) -> float:
        """See Judge."""
        return self.sign * ANY

    def _partial(self, formula: Condition) -> Curve:
        if formula not in self.known.curves:
            self.known.curves[formula] = formula.curve(Judge(self.response))
        whole = self.known.curves[formula]
        breaks = np.append(whole.breaks[whole.breaks < self.known.until], self.known.until)
        any_amount = self.sign * ANY
        if len(breaks) == 1:
            constant = np.array([any_amount])
            return Curve(np.array([whole.begin, self.known.length]), constant, constant, any_amount)
        part = whole.cut(breaks)
        return Curve(
            np.append(breaks, max(self.known.length, self.known.until * (1.0 + 1e-9) + 1e-300)),
            np.append(part.after, any_amount),
            np.append(part.before, any_amount),
            any_amount,
        )


def first_violation(formula: Formula, solution: Solution) -> Violation | None:
    """When the requirement was lost in a run, if it was."""
    response = shown([formula], Response(solution))
    start = float(solution.time[0])
    stop = float(solution.time[-1])
    known = _Known(response, stop, stop, {})
    length = _length(formula, known)

    def is_lost(until: float) -> bool:
        curve = replace(known, until=until, length=length).judge().curve(formula)
        return curve.at(curve.begin) < 0.0

    if not _lost_at_end(formula, response) and not is_lost(stop):
        return None
    low = start
    high = stop
    while high - low > _EXACT * max(abs(stop - start), abs(stop)):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_lost(middle) else (middle, high)
    return _located(formula, response, known, high)


def _lost_at_end(formula: Formula, response: Response) -> bool:
    """Whether the whole run violates it; not where it looks further ahead than the run lasts."""
    judge = _WholeJudge(response)
    try:
        curve = judge.curve(formula)
    except TooShortError:
        return False
    return curve.at(curve.begin) < 0.0


class _WholeJudge(Judge):
    """A judge of the whole run who lets its user decide what to do with one that is too short."""

    def curve(self, formula: Formula) -> Curve:
        """See Judge."""
        if formula not in self._curves:
            self._curves[formula] = formula.curve(self)
        return self._curves[formula]


def _length(formula: Formula, known: _Known) -> float:
    """How long curves have to be for all windows of a formula."""
    length = known.until * 2.0 - float(known.response.solution.time[0])
    while True:
        try:
            replace(known, length=length).judge().curve(formula)
        except TooShortError as error:
            length = max(2.0 * length, error.needed + (length - error.end))
            continue
        return length


def _located(formula: Formula, response: Response, known: _Known, time: float) -> Violation:
    """The instant on the run's own curves: where a condition passes zero, or else as it is."""
    for condition in formula.conditions:
        curve = known.curves.get(condition)
        if curve is None or not len(curve.after):
            continue
        signal = condition.comparison.signal(response.solution._reduced)
        k = int(np.clip(np.searchsorted(curve.breaks, time, "right") - 1, 0, len(curve.after) - 1))
        for line in (k, max(k - 1, 0)):
            begin, end = float(curve.breaks[line]), float(curve.breaks[line + 1])
            if curve.after[line] * curve.before[line] < 0.0 and abs(curve.at(time)) < 1e-6 * np.abs(curve.after).max():
                piece = response.piece_at(0.5 * (begin + end))

                def height(t: float, signal: object = signal, piece: object = piece) -> float:
                    return float(response.at(signal, piece, t).value[0])  # type: ignore[arg-type]

                if height(begin) * height(end) < 0.0:
                    return Violation(float(brentq(height, begin, end, xtol=1e-14)), condition.text)  # type: ignore[arg-type]
        jump = _jump(curve, time)
        if jump is not None:
            return Violation(jump, condition.text)
    return Violation(time, "")


def _jump(curve: Curve, time: float) -> float | None:
    """The instant at which a condition is lost by a jump, or from which on it never held; None where it is not."""
    k = int(np.argmin(np.abs(curve.breaks - time)))
    at = float(curve.breaks[k])
    before = curve.before[k - 1] if k > 0 else np.inf
    after = curve.after[k] if k < len(curve.after) else curve.last
    is_near = abs(at - time) <= 1e-9 * max(curve.end - curve.begin, abs(time))
    return at if is_near and before >= 0.0 > after else None
