"""What a parameter of a study may be, as users write it, and the numbers that makes with a model.

    [1.0, 2.2, "4.7 kohm"]      these values; in sampled designs each is as likely as the others
    (1.0, 3.0)                  anything between, equally likely
    "±5 %", "±0.1 ohm"          equally likely around the model's own value
    scipy.stats.norm(2.4, 0.1)  any distribution with a `ppf`

Numbers are in the declared unit of the parameter. A path may also name a start value or an input from outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.parameter_and_start_vectors import si_values
from tellegen.engine.request.path_lookup import Selection, find
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import SourceLocation
from tellegen.units import UnitTextError, parse_quantity

_AROUND = re.compile(r"\s*(?:±|\+-|\+/-)\s*(\S.*?)\s*")
_INSIDE = 2.0**-40  # a normal distribution is infinite at 0 and 1


@dataclass(frozen=True, eq=False)
class Quantity:
    """One coordinate of a study: the path, what it names, the model's own value (nan: it has none)."""

    path: str
    selection: Selection
    is_start: bool
    own: float
    location: SourceLocation

    @property
    def name(self) -> str:
        """What it is called in results: the curve of a variable may stand there too."""
        return f"start({self.path})" if self.is_start else self.path

    @property
    def names(self) -> tuple[str, ...]:
        """The names of an enumeration's values."""
        return getattr(self.selection.member, "literals", ())

    def number(self, value: Any) -> float:
        """A value as written, checked, in the declared unit."""
        if isinstance(value, tuple | list | dict | set) or np.ndim(value) or value is None:
            raise self.wrong(f"{value!r} is not one value", "each value is a number or a string such as '2.2 kohm'")
        si = si_values(self.selection, value)
        return float(self.selection.member.unit.from_si(si))

    def wrong(self, what: str, advice: str) -> DesignError:
        """E601."""
        return DesignError("E601", f"'{self.path}': {what}", location=self.location, advice=advice)


def coordinate(compiled: CompiledModel, path: str, numbers: FloatArray, location: SourceLocation) -> Quantity:
    """What a path of a study names; `numbers` are the model's parameters."""
    model = compiled.reduced
    selection = find(model.flat, path)
    positions = selection.indices.ravel()
    is_start = not selection.parameter and not np.isin(positions, model.flat.inputs).all()
    if is_start:
        values = model.flat.variables.column("start")[positions]
    else:
        values = numbers[positions if selection.parameter else model.known_position[positions]]
    same = len(values) and bool((values == values[0]).all())
    own = float(selection.member.unit.from_si(values[0])) if same else np.nan
    return Quantity(path, selection, is_start, own, location)


def levels(quantity: Quantity, written: object) -> FloatArray:
    """The values of a grid."""
    if isinstance(written, tuple) and len(written) == 2:
        raise quantity.wrong(
            f"{written!r} is ambiguous: two values or a range",
            f"write two values as a list, {list(written)!r}, or the steps between: np.linspace(..., 11);\n"
            "samples from a range: tg.sobol({...}, n), tg.latin_hypercube, tg.monte_carlo",
        )
    given = _listed(quantity, written)
    if not given:
        raise quantity.wrong("there are no values", "give at least one: [1.0, 2.0, 5.0]")
    return np.array([quantity.number(value) for value in given])


def sampled(quantity: Quantity, written: Any, u: FloatArray) -> FloatArray:
    """The values at places `u` between 0 and 1 of the distribution that was written."""
    if hasattr(written, "ppf"):
        values = np.asarray(written.ppf(np.clip(u, _INSIDE, 1.0 - _INSIDE)), float)
        if values.shape != u.shape or not np.isfinite(values).all():
            advice = "give a distribution with finite numbers, such as scipy.stats.norm(2.4, 0.1)"
            raise quantity.wrong("the distribution gives non-finite numbers", advice)
        return values
    if isinstance(written, tuple):
        low, high = _bounds(quantity, written)
        return low + u * (high - low)
    if isinstance(written, str) and _AROUND.fullmatch(written):
        low, high = _around(quantity, written)
        return low + u * (high - low)
    choices = levels(quantity, written)
    return choices[np.minimum((u * len(choices)).astype(int), len(choices) - 1)]


def _listed(quantity: Quantity, written: Any) -> list[Any]:
    if isinstance(written, str | bool | Real):
        if isinstance(written, str) and _AROUND.fullmatch(written):
            advice = (
                "tolerances are for sampled designs: tg.monte_carlo({...}, 1000); or give the values, [0.9, 1.0, 1.1]"
            )
            raise quantity.wrong(f"'{written}' is not a list of values", advice)
        return [written]
    if hasattr(written, "ppf"):
        advice = "distributions are for sampled designs: tg.monte_carlo({...}, 1000), tg.latin_hypercube, tg.sobol"
        raise quantity.wrong("a distribution is not a list of values", advice)
    try:
        given = list(written)
    except TypeError:
        advice = "give a list of values, a range (low, high), a string '±5 %' or a distribution"
        raise quantity.wrong(f"{written!r} is not a specification of values", advice) from None
    return given


def _bounds(quantity: Quantity, written: tuple[Any, ...]) -> tuple[float, float]:
    if len(written) != 2:
        advice = "a range is (low, high); several values are a list, [1.0, 2.2, 4.7]"
        raise quantity.wrong(f"{written!r} is not a range", advice)
    low, high = (quantity.number(value) for value in written)
    if not low < high:
        raise quantity.wrong(f"the range {written!r} is empty", "write the smaller value first: (1.0, 3.0)")
    return low, high


def _around(quantity: Quantity, written: str) -> tuple[float, float]:
    """The band of a tolerance around the model's own value."""
    match = _AROUND.fullmatch(written)
    assert match is not None
    unit = quantity.selection.member.unit
    text = match[1]
    if not np.isfinite(quantity.own) or unit.offset:
        why = f"the zero is arbitrary in '{unit.text}'" if unit.offset else "it has no single nominal value"
        raise quantity.wrong(f"'{written}' cannot be used: {why}", "give the range itself: (low, high)")
    try:
        if text.endswith("%"):
            width = float(text[:-1]) / 100.0 * abs(quantity.own)
        else:
            width = parse_quantity(text, unit)
    except (UnitTextError, ValueError) as error:
        raise quantity.wrong(f"'{written}' is not a tolerance: {error}", "write '±5 %' or '±0.1 ohm'") from None
    if not width > 0.0:
        raise quantity.wrong(f"'{written}' around {quantity.own:g} is empty", "give the range itself: (low, high)")
    return quantity.own - width, quantity.own + width
