"""What must hold at the events of a run: tg.at_events("h < 0", "v > -5 m/s")."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np

from tellegen.analyses.requirements.curve import ANY, Curve, TooShortError
from tellegen.analyses.requirements.deciding_instant import ROUNDING, Deciding, Instant, rounding, value_beside
from tellegen.analyses.requirements.formulas import Formula, Judge
from tellegen.ir.model import FloatArray


class AtEvents(Formula):
    """A formula at every event whose description contains a text, from `begin` to `end` after the present instant."""

    def __init__(self, containing: str, part: Formula, begin: float, end: float, just_before: bool, text: str) -> None:
        super().__init__(text)
        self.containing = containing
        self.part = part
        self.begin = begin
        self.end = end
        self.just_before = just_before

    @property
    def members(self) -> tuple[Formula, ...]:
        """See Formula."""
        return (self.part,)

    def times(self, judge: Judge) -> list[float]:
        """When such events happened, as far as that is known."""
        log = judge.response.solution.events
        return [event.time for event in log
                if event.time <= judge.until and any(self.containing in text for text in event.what)]  # fmt: skip

    def curve(self, judge: Judge) -> Curve:
        """See Formula: the smallest margin of all events in the window; any margin where there is none."""
        part = judge.curve(self.part)
        needed = self.end if self.end < inf else self.begin
        last = part.end - needed
        if last < part.begin:
            raise TooShortError(part.begin + needed, part.end)
        events = [(t, self._margin(part, t)) for t in self.times(judge)]
        near = ROUNDING * max(abs(part.begin), abs(part.end))

        def least(t: float) -> float:
            margins = [margin for at, margin in events if t + self.begin - near < at < t + self.end + near]
            unknown = [judge.of_unknown_events] if t + self.end > judge.until else []
            return min(margins + unknown, default=ANY)

        leaves = [t - self.begin for t, _ in events]
        cuts = _apart(
            [part.begin, *(t - self.end for t in (*(t for t, _ in events), judge.until)), *leaves, last], near
        )
        cuts = cuts[(cuts >= part.begin) & (cuts <= last)]
        breaks: list[float] = []
        values: list[float] = []
        for begin, end in pairwise(cuts):
            if np.any(np.abs(begin - leaves) <= near):  # a window that begins with an event has it
                breaks.append(float(begin))
                values.append(least(begin))
                begin = np.nextafter(begin, inf)
            breaks.append(float(begin))
            values.append(least(0.5 * (begin + end)))
        margins = np.array(values)
        return Curve(np.array([*breaks, float(last)]), margins, margins, least(last))

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        part = judge.curve(self.part)
        margin = value_beside(judge.curve(self), instant)
        near = ROUNDING * max(abs(part.begin), abs(part.end))
        begin = instant.t + self.begin
        end = instant.t + self.end
        inside = [t for t in self.times(judge) if begin - near <= t <= end + near]
        away = [abs(self._margin(part, t) - margin) for t in inside]  # not zero where it is outside by a rounding
        tied = [t for t, each in zip(inside, away, strict=True) if each <= min(away) + rounding(part)]
        return [each for t in tied[:1] for each in self.part.deciding(judge, Instant(t, None, self.just_before))]

    def _margin(self, part: Curve, t: float) -> float:
        return value_beside(part, Instant(t, None, self.just_before))


def _apart(times: list[float], near: float) -> FloatArray:
    """Instants in their order, one of those that are equal but for rounding."""
    found = np.unique(times)
    return found[np.append(True, np.diff(found) > near)]
