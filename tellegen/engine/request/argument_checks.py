"""The arguments of a run, as users write them -> plain numbers, or an error that states the expected form."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from tellegen.errors import LanguageError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.units import UnitTextError, parse_quantity, parse_unit

LOOSEST = 0.1  # a relative tolerance beyond this bounds no error at all

_LARGEST_COUNT = 2**62
_LATEST = 1e300  # seconds: what is later is not meant as a time
_LARGEST_FLOAT = sys.float_info.max
_SMALLEST_TOLERANCE = 1e-100  # below the square of this, errors relative to the tolerance overflow
_MOST_POINTS = 10**9


def seconds(what: str, value: object, code: str = "E181") -> float:
    """A time: a number of seconds or a text such as "20 ms"."""
    if type(value) is float and isfinite(value):
        return value  # the usual case, kept short
    why = ""
    if isinstance(value, str):
        try:
            return parse_quantity(value, parse_unit("s"))
        except UnitTextError as error:
            why = f": {error}"
    elif isinstance(value, Real) or (isinstance(value, np.ndarray) and not value.ndim and value.dtype.kind in "if"):
        if -_LATEST < value < _LATEST:  # type: ignore[operator]
            return float(value)  # type: ignore[arg-type]
        why = ": it must be finite"
    advice = f"give a number of seconds or a string with a unit of time: {what}=2.0, {what}='20 ms'"
    raise LanguageError(code, f"{what} is a time, not {value!r}{why}", location=here(), advice=advice)


def tolerance(what: str, value: object, most: float = np.inf) -> None:
    """Reject what is not a tolerance."""
    if type(value) is float and _SMALLEST_TOLERANCE <= value <= most and isfinite(value):
        return
    advice = f"write a small number: {what}=1e-6"
    if not isinstance(value, Real | np.number) or isinstance(value, bool):
        raise LanguageError("E182", f"{what} is a number, not {value!r}", location=here(), advice=advice)
    if not _SMALLEST_TOLERANCE <= value <= _LARGEST_FLOAT:  # type: ignore[operator]
        raise LanguageError("E182", f"{what} must be positive and finite, not {value}", location=here(), advice=advice)
    if value > most:  # type: ignore[operator]
        raise LanguageError(
            "E182",
            f"{what} = {value:g} is more than {most:g}: the result would be meaningless",
            location=here(),
            advice=f"{what} is the relative error tolerance: {what}=1e-3 is rough, 1e-6 usual, 1e-9 fine",
        )


def whole_number(what: str, value: object) -> int:
    """A count, from 1 on; 1e6 is one as well."""
    is_number = isinstance(value, Real | np.number) and not isinstance(value, bool)
    if is_number and 1 <= value <= _LARGEST_COUNT and value == np.floor(value):  # type: ignore[operator]
        return int(value)  # type: ignore[arg-type]
    advice = f"give the maximum number between two output points: {what}=1_000_000"
    raise LanguageError("E192", f"{what} is an integer ≥ 1, not {value!r}", location=here(), advice=advice)


def one_of(names: tuple[str, ...], value: object) -> None:
    """Reject an unknown solver."""
    if not isinstance(value, str) or value not in names:
        advice = f"one of {', '.join(repr(name) for name in names)}; 'auto' chooses by the model"
        raise LanguageError(
            "E183", f"there is no solver {value!r}; {nearest(str(value), names)}", location=here(), advice=advice
        )


def output_points(points: Any, start: float, stop: float) -> int | FloatArray:
    """A number of output points, or the times: increasing, inside the run (the last may miss its end by rounding)."""
    if type(points) is int and 1 < points <= _MOST_POINTS:
        return points
    try:
        given = np.asarray(points, float)
    except (TypeError, ValueError, OverflowError):
        raise _no_points(f"points is a number of points or a list of times, not {points!r}") from None
    if points is None or isinstance(points, str | bool | Mapping) or given.ndim > 1:
        raise _no_points(f"points is a number of points or a list of times, not {points!r}")
    if given.ndim == 0:
        number = float(given)
        if (not isinstance(points, Integral) and number != np.floor(number)) or not np.isfinite(number):
            raise _no_points(
                f"points is the number of output points, an integer, not {number:g}",
                f"a point every {number:g} s: points={round((stop - start) / number) + 1}"
                if 0.0 < number < stop - start
                else "",
            )
        if number < 2:
            raise _no_points(f"points must be at least 2, not {number:g}")
        if number > _MOST_POINTS:
            raise _no_points(f"points = {number:g} would not fit into memory; {_MOST_POINTS:g} is the most")
        return int(number)
    if not len(given):
        raise _no_points("points is an empty list: there would be no output")
    slack = 1e-9 * (stop - start)
    outside = given[~((given >= start - slack) & (given <= stop + slack))]
    if len(outside):
        raise _no_points(
            f"points contains t = {outside[0]:g}, which is outside the run from {start:g} to {stop:g}",
            "give times from start to stop, or a later stop",
        )
    if (np.diff(given) <= 0.0).any():
        k = int(np.flatnonzero(np.diff(given) <= 0.0)[0])
        raise _no_points(
            f"the times in points must increase, but {given[k + 1]:g} follows {given[k]:g}",
            "sort them, each once: points=np.unique(times)",
        )
    return np.clip(given, start, stop)


def _no_points(message: str, advice: str = "") -> LanguageError:
    usual = "points=500 gives 500 equally spaced times, points=[0.1, 0.2, 0.5] the start and exactly these"
    return LanguageError("E184", message, location=here(), advice="\n".join(filter(None, [advice, usual])))


def by_path(what: str, values: Any, code: str) -> Mapping[str, Any]:
    """Values by path, as parameters= and initial= take them."""
    if values is None:
        return {}
    if not hasattr(values, "items"):
        raise LanguageError(
            code,
            f"{what} gives values by path, so it is a dict, not {values!r}",
            location=here(),
            advice=f"write {what}={{'motor.x': 1.0}} with the paths of the model",
        )
    return values
