"""The filter that a reference goes through: its states are the derivatives which an inverse model asks for."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import tellegen as tg
from tellegen.errors import DesignError, users_call
from tellegen.ir.source_location import here
from tellegen.library import blocks
from tellegen.start.records import dataclass
from tellegen.units import UnitTextError, parse_quantity, parse_unit

_HERTZ = parse_unit("Hz")
_LARGEST_ORDER = 20


@dataclass(frozen=True)
class ReferenceFilter:
    """A low pass of a family: its cut-off in Hz, and its order, "auto" for as many as there are derivatives."""

    family: str
    order: int | str
    cutoff: float


class SteadyFilter(blocks.Filter):
    """A low pass that starts at rest, with its output at its input."""

    def initial_equations(self) -> Iterator[Any]:
        for k in range(self.order):
            yield tg.der(self.x[k]) == 0


@users_call
def bessel(order: int | str = "auto", cutoff: float | str = "5 Hz") -> ReferenceFilter:
    """A Bessel filter for references: all frequencies are late alike, so steps overshoot by 1 % at most."""
    return _filter("bessel", order, cutoff)


@users_call
def butterworth(order: int | str = "auto", cutoff: float | str = "5 Hz") -> ReferenceFilter:
    """A Butterworth filter for references: flat up to the cut-off; steps overshoot."""
    return _filter("butterworth", order, cutoff)


@users_call
def critical_damping(order: int | str = "auto", cutoff: float | str = "5 Hz") -> ReferenceFilter:
    """Equal real poles for references: steps do not overshoot at all."""
    return _filter("critical_damping", order, cutoff)


def _filter(family: str, order: int | str, cutoff: float | str) -> ReferenceFilter:
    is_count = isinstance(order, int) and not isinstance(order, bool) and 1 <= order <= _LARGEST_ORDER
    if order != "auto" and not is_count:
        raise _wrong(f"order={order!r} of a filter", f'give 1 to {_LARGEST_ORDER}, or "auto": as many as are needed')
    try:
        hertz = parse_quantity(cutoff, _HERTZ) if isinstance(cutoff, str) else float(cutoff)
    except (UnitTextError, TypeError, ValueError):
        hertz = -1.0
    if not 0.0 < hertz < inf:
        raise _wrong(f"cutoff={cutoff!r} of a filter", 'give a positive frequency: 5.0 (in Hz), "5 Hz"')
    return ReferenceFilter(family, order, hertz)


def _wrong(what: str, advice: str) -> DesignError:
    return DesignError("E680", what, location=here(), advice=advice)
