"""What a run may be told, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tellegen.errors import LanguageError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here

SOLVERS = ("auto", "cvode", "ida", "rk45")
_FEW = 10_000


def until(stop: float | None) -> float:
    """The end of a run, which must be given."""
    if stop is None:
        advice = "say until when, in seconds: tg.simulate(model, stop=10.0)"
        raise LanguageError("E181", "the simulation has no end: 'stop' is missing", place=here(), advice=advice)
    return stop


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of one integration. `points` is a number of equally spaced output times or the times themselves.

    Without `atol`, an unknown of nominal size s is computed to about 1e-3 * rtol * s near zero.
    """

    start: float
    stop: float
    rtol: float = 1e-6
    atol: float | None = None
    points: int | Sequence[float] | FloatArray = 500
    solver: str = "auto"
    max_steps: int = 200_000

    def __post_init__(self) -> None:
        for name, value in (("start", self.start), ("stop", self.stop)):
            if not isinstance(value, (int, float, np.number)):
                raise LanguageError("E181", f"{name} is a time in seconds, not {value!r}", place=here())
        if not (np.isfinite(self.start) and np.isfinite(self.stop) and self.stop > self.start):
            raise LanguageError("E181", f"stop ({self.stop:g}) must be later than start ({self.start:g})", place=here())
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if value is not None and not value > 0.0:
                raise LanguageError("E182", f"{name} must be positive, not {value:g}", place=here())
        if self.solver not in SOLVERS:
            raise LanguageError(
                "E183", f"there is no solver '{self.solver}'; {nearest(self.solver, SOLVERS)}", place=here()
            )
        if isinstance(self.points, int | np.integer) and self.points < 2:
            raise LanguageError("E184", f"points must be at least 2, not {self.points}", place=here())

    def times(self) -> FloatArray:
        """The output times, the first one at the start."""
        if isinstance(self.points, int | np.integer):
            spaced = _often_asked if self.points <= _FEW else np.linspace
            return spaced(self.start, self.stop, int(self.points)).copy()
        inside = np.unique(np.asarray(self.points, float))
        inside = inside[(inside > self.start) & (inside <= self.stop)]
        return np.concatenate([[self.start], inside])

    def absolute(self, nominal: Any) -> FloatArray:
        """Absolute tolerances of all unknowns."""
        if self.atol is not None:
            return np.full(len(nominal), float(self.atol))
        return 1e-3 * self.rtol * np.asarray(nominal)


@lru_cache(maxsize=16)
def _often_asked(start: float, stop: float, points: int) -> FloatArray:
    """Equally spaced times: NumPy takes a tenth of a small model's run to make them."""
    return np.linspace(start, stop, points)
