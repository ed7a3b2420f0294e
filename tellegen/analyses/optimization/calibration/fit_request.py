"""How a fit goes: keywords of tg.calibrate beside those of the runs, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from tellegen.analyses.optimization.calibration.calibrated import Calibrated
from tellegen.analyses.optimization.formulation.search_variables import count_of
from tellegen.engine.request.run_request import RunKeywords


class FitKeywords(RunKeywords, total=False):
    """The keywords of a fit; their defaults are those of `request_fit`."""

    guess: Mapping[str, Any] | Calibrated | None
    """Where the search begins: values by path, or an earlier result; without it at the model's own values."""
    starts: int
    """How many searches begin at different points between the bounds."""
    confidence: float
    """The probability of confidence intervals."""


@dataclass(frozen=True, eq=False)
class FitRequest:
    """A fit as asked for, and the keywords of its runs."""

    guess: Mapping[str, Any] | None
    starts: int
    confidence: float
    run: RunKeywords


def request_fit(
    *,
    guess: Mapping[str, Any] | Calibrated | None = None,
    starts: int = 1,
    confidence: float = 0.95,
    **run: Unpack[RunKeywords],
) -> FitRequest:
    """A fit as asked for, or the error that says what is wrong."""
    values = guess.variables if isinstance(guess, Calibrated) else guess
    return FitRequest(values, count_of("starts", starts), confidence, run)
