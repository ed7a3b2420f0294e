"""The frequencies a user asks for: numbers in Hz, or two ends and what lies between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.units import UnitTextError, parse_quantity, parse_unit

_PER_DECADE = 100
_ADVICE = 'frequencies=("10 Hz", "1 MHz"), or numbers in Hz: frequencies=np.geomspace(10, 1e6, 200)'


def frequencies_of(given: Any) -> FloatArray:
    """Frequencies in Hz, in the order given; two texts are the ends of a range."""
    ends = isinstance(given, tuple | list) and len(given) == 2 and any(isinstance(end, str) for end in given)
    values = np.array([_hertz(each) for each in (given if _is_sequence(given) else (given,))])
    if not len(values) or (values < 0.0).any() or not np.isfinite(values).all():
        raise _wrong(f"frequencies are numbers of at least zero, not {given!r}")
    if not ends:
        return values
    low, high = values
    if not 0.0 < low < high:
        raise _wrong(f"a range of frequencies goes from a positive one to a higher one, not {low:g} to {high:g} Hz")
    return np.geomspace(low, high, round(np.ceil(_PER_DECADE * np.log10(high / low))) + 1)


def _is_sequence(given: Any) -> bool:
    return isinstance(given, tuple | list) or (isinstance(given, np.ndarray) and given.ndim == 1)


def _hertz(given: Any) -> float:
    if isinstance(given, str):
        try:
            return parse_quantity(given, parse_unit("Hz"))
        except UnitTextError as error:
            raise _wrong(f"frequencies are in Hz, not {given!r}: {error}") from None
    if isinstance(given, bool) or not isinstance(given, int | float | np.number):
        raise _wrong(f"frequencies are numbers, not {given!r}")
    return float(given)


def _wrong(what: str) -> LanguageError:
    return LanguageError("E188", what, location=here(), advice=_ADVICE)
