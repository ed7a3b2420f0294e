"""What is said about noise, about the columns of data, and about how to estimate: the records of tg.estimate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tellegen.errors import DesignError
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

METHODS = ("ekf", "ukf", "mhe", "particle")
_ACCURATE = 1e-8  # relative tolerance of runs: far below the noise


@dataclass(frozen=True, eq=False)
class NoiseLevels:
    """How noisy it is, by path: numbers in declared units, or strings with one ("10 mV").

    measured    what is measured, and the standard deviation of its noise
    walk        states and parameters that walk: deviation per square root of a second
    """

    measured: Mapping[str, float | str]
    walk: Mapping[str, float | str] | None = None


@dataclass(frozen=True, eq=False)
class Columns:
    """What the columns of data are.

    inputs      by input of the model the column that it follows, held from row to row
    match       by curve of the model the column that measures it; without it by their names
    time        the column of the times
    delays      by curve: a row shows what it was so long ago
    """

    inputs: Mapping[str, str] | None = None
    match: Mapping[str, str] | None = None
    time: str = "time"
    delays: Mapping[str, float | str] | None = None


@dataclass(frozen=True)
class Estimator:
    """How to estimate.

    method          "ekf" (extended Kalman filter), "ukf" (unscented), "mhe" (least squares over the last `window`
                    times) or "particle" (so many `particles`, drawn with `seed`)
    rtol, solver    those of the runs between measurements
    """

    method: str = "ekf"
    window: int = 10
    particles: int = 200
    seed: int = 0
    rtol: float = _ACCURATE
    solver: str = "auto"


def noise_of(given: Any) -> NoiseLevels:
    """What was given for `noise`."""
    example = "noise=tg.NoiseLevels(measured={'y': 0.1}, walk={'x': 0.01})"
    if not isinstance(given, NoiseLevels):
        raise wrong(f"noise is a tg.NoiseLevels, not {given!r}", example)
    for each in (given.measured, given.walk or {}):
        if not isinstance(each, Mapping):
            raise wrong(f"levels of noise are given by path, not by {each!r}", example)
    return given


def columns_of(given: Any) -> Columns:
    """What was given for `columns`."""
    if given is None:
        return Columns()
    if isinstance(given, Columns):
        return given
    raise wrong(f"columns is a tg.Columns, not {given!r}", "columns=tg.Columns(inputs={'u': 'voltage'})")


def estimator_of(given: Any) -> Estimator:
    """What was given for `method`, checked."""
    found = Estimator(given) if isinstance(given, str) else given
    if not isinstance(found, Estimator) or found.method not in METHODS:
        what = given if not isinstance(given, Estimator) else given.method
        raise wrong(f"method={what!r}", f"one of {', '.join(map(repr, METHODS))}, or tg.Estimator('mhe', window=20)")
    least = {"window": found.window, "particles": found.particles}
    short = next(
        (name for name, value in least.items() if isinstance(value, bool) or not isinstance(value, int) or value < 1),
        None,
    )
    if short is not None:
        raise wrong(f"{short}={least[short]!r}", "give a positive integer")
    return found


def wrong(what: str, advice: str) -> DesignError:
    """What is wrong with the arguments of tg.estimate."""
    return DesignError("E682", what, location=here(), advice=advice)
