"""What must hold at the events of a run: tg.at_events("h < 0", "v > -5 m/s")."""

from __future__ import annotations

from math import inf

import numpy as np

from tellegen.analyses.requirements.curve import ANY, Curve, TooShortError
from tellegen.analyses.requirements.deciding_instant import Deciding, Instant, rounding, value_beside
from tellegen.analyses.requirements.formulas import Formula, Judge


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

        def least(t: float) -> float:
            margins = [margin for at, margin in events if t + self.begin <= at <= t + self.end]
            unknown = [judge.of_unknown_events] if t + self.end > judge.until else []
            return min(margins + unknown, default=ANY)

        enters = [t - self.end for t in (*(t for t, _ in events), judge.until)]
        leaves = [float(np.nextafter(t - self.begin, inf)) for t, _ in events]
        breaks = np.unique([part.begin, *(t for t in (*enters, *leaves) if part.begin < t < last), last])
        values = np.array([least(float(t)) for t in breaks[:-1]])
        return Curve(breaks, values, values, least(float(breaks[-1])))

    def deciding(self, judge: Judge, instant: Instant) -> list[Deciding]:
        """See Formula."""
        part = judge.curve(self.part)
        inside = [t for t in self.times(judge) if instant.t + self.begin <= t <= instant.t + self.end]
        margins = [self._margin(part, t) for t in inside]
        tied = [t for t, margin in zip(inside, margins, strict=True) if margin <= min(margins) + rounding(part)]
        return [each for t in tied[:1] for each in self.part.deciding(judge, Instant(t, None, self.just_before))]

    def _margin(self, part: Curve, t: float) -> float:
        return value_beside(part, Instant(t, None, self.just_before))
