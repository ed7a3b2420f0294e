"""Performance functions of many runs at once: what lanes measure of curves, and what is computed from that.

tg.peak("motor.i") / tg.mean("motor.i")     measures: highest and integral of motor.i
                                            then arrays over all runs, divided
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.engine.results.solution import Solution
from tellegen.ensembles.refused import RefusedError


@dataclass(frozen=True)
class Asked:
    """A measure of a curve, from one time to another; None: the start or the end of the run."""

    curve: Signal
    kind: str  # "integral", "highest", "lowest", "first" or "last"
    single: Callable[[Solution], float]  # the same of one run
    start: float | None = None
    stop: float | None = None

    def __str__(self) -> str:
        return f"{self.kind}({self.curve})"


class Measured(Protocol):
    """What lanes have measured: an array with a number for each run."""

    def value(self, asked: Asked) -> Any:
        """Of a measure."""
        ...

    def instant(self, asked: Asked) -> Any:
        """When a curve is highest or lowest."""
        ...

    def span(self, start: float | None, stop: float | None) -> Any:
        """How long it is from start to stop."""
        ...


def fixed_time(what: Any) -> float | None:
    """A limit of time that is the same for all runs."""
    if what is None or isinstance(what, float):
        return what
    raise RefusedError(f"'{what}' is another instant in every run")
