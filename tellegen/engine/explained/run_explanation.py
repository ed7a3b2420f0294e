"""Why a run took so many steps: what limited them, where they are, which conditions made events, and what helps.

print(solution.explain())          or at the terminal          tellegen simulate file.py:Model --explain
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tellegen.engine.events.event_sources import EventSource
from tellegen.engine.explained.limits import Limiter, StepLimits
from tellegen.ir.source_location import SourceLocation
from tellegen.sheet import Result, Table, page_rich
from tellegen.start.records import dataclass

_SHOWN = 12
_PHASES = 5
_PER_PHASE = 20  # steps, at least


@dataclass(frozen=True)
class LimitCount:
    """How many steps something limited, and how many tries of these failed the error test."""

    limiter: Limiter
    steps: int
    share: float
    failures: int


@dataclass(frozen=True)
class Phase:
    """A part of the run with as many steps as the others, and what limited most of them."""

    start: float
    stop: float
    steps: int
    step: float  # the median
    limiter: Limiter


@dataclass(frozen=True, eq=False, repr=False)
class RunExplanation(Result):
    """See the top of this file. `advice` are sentences, `limits` has every step."""

    name: str
    solvers: tuple[str, ...]
    limits: StepLimits
    sources: tuple[EventSource, ...]
    advice: tuple[str, ...]
    not_logged: int = 0  # steps for which there was no room

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return len(self.limits.start)

    @cached_property
    def counts(self) -> tuple[LimitCount, ...]:
        """What limited steps, most of them first."""
        limits = self.limits
        steps = np.bincount(limits.who, minlength=len(limits.limiters))
        failures = np.bincount(limits.who, limits.failures, minlength=len(limits.limiters))
        order = [k for k in np.argsort(-steps, kind="stable").tolist() if steps[k]]
        return tuple(
            LimitCount(limits.limiters[k], int(steps[k]), float(steps[k] / self.steps), int(failures[k])) for k in order
        )

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The run in phases of equally many steps: the shorter one is, the more it costs."""
        limits = self.limits
        number = min(_PHASES, max(1, self.steps // _PER_PHASE)) if self.steps else 0
        bounds = np.linspace(0, self.steps, number + 1).astype(int).tolist()
        found = []
        for first, last in pairwise(bounds):
            busiest = limits.busiest(slice(first, last))
            assert busiest is not None
            end = limits.start[last] if last < self.steps else limits.start[-1] + limits.size[-1]
            step = float(np.median(limits.size[first:last]))
            found.append(Phase(float(limits.start[first]), float(end), last - first, step, busiest[0]))
        return tuple(found)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each accepted step: its size, what limited it, and failed tries before it."""
        import pandas as pd

        limits = self.limits
        names = np.array([each.name for each in limits.limiters], object)
        columns = {"step [s]": limits.size, "limited by": names[limits.who], "failed": limits.failures}
        return pd.DataFrame(columns, index=pd.Index(limits.start, name="time"))

    def plot(self) -> Any:
        """A matplotlib figure: the size of each step over time, coloured by what limited it."""
        from tellegen.engine.explained.limits_plot import plot_limits

        return plot_limits(self)

    def _title(self) -> str:
        failures = int(self.limits.failures.sum())
        return f"Run of {self.name}: {self.steps} steps ({', '.join(self.solvers)}), {failures} failed error tests"

    def _page(self) -> list[Table | str]:
        left = len(self.counts) - _SHOWN
        parts: list[Table | str] = [
            Table(("steps limited by", "steps", "share", "failed", "written at"), self._limit_rows()),
            f"... {left} more" if left > 0 else "",
            Table(("from [s]", "to [s]", "steps", "median step [s]", "mostly limited by"), self._phase_rows()),
        ]
        if self.sources:
            parts.append(Table(("events of", "number", "closest [s]", "written at"), self._event_rows()))
        if self.not_logged:
            parts.append(f"{self.not_logged} more steps were not recorded")
        return [*parts, "\n".join(f"try: {sentence}" for sentence in self.advice)]

    def _limit_rows(self) -> list[tuple[str, ...]]:
        return [
            (
                _short(each.limiter.name),
                str(each.steps),
                f"{each.share:.1%}",
                str(each.failures),
                _where(each.limiter.location),
            )
            for each in self.counts[:_SHOWN]
        ]

    def _phase_rows(self) -> list[tuple[str, ...]]:
        return [
            (f"{each.start:.5g}", f"{each.stop:.5g}", str(each.steps), f"{each.step:.3g}", _short(each.limiter.name))
            for each in self.phases
        ]

    def _event_rows(self) -> list[tuple[str, ...]]:
        return [
            (
                _short(each.statement.text),
                str(len(each.times)),
                f"{each.shortest_gap:.3g}" if len(each.times) > 1 else "",
                _where(each.statement.location),
            )
            for each in self.sources[:_SHOWN]
        ]

    def __rich__(self) -> Any:
        return page_rich(self._title(), self._page())


def _short(text: str, most: int = 60) -> str:
    first = text.splitlines()[0]
    return first if len(first) <= most and first == text else f"{first[: most - 3]}..."


def _where(location: SourceLocation | None) -> str:
    return "" if location is None else str(location)
