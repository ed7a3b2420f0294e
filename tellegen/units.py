"""Units: text to dimension and scale, from a table of the usual ones or through pint's registry.

Numbers are written and read in the unit a quantity is declared in; equations compute in coherent SI units.
`Unit.scale` and `Unit.offset` carry the one to the other: si = scale * value + offset.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

import numpy as np

from tellegen.known_units import OFFSETS, SCALES
from tellegen.start.records import dataclass

_BASES = ("[length]", "[mass]", "[time]", "[current]", "[temperature]", "[substance]", "[luminosity]")
_SYMBOLS = ("m", "kg", "s", "A", "K", "mol", "cd")

Dimension = tuple[float, ...]
"""Exponents of m, kg, s, A, K, mol, cd."""

DIMENSIONLESS: Dimension = (0.0,) * 7
TIME: Dimension = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
TEMPERATURE: Dimension = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Unit:
    """A declared unit. `dimension` is None when nothing was declared: then it fits everything."""

    text: str
    dimension: Dimension | None
    scale: float = 1.0
    offset: float = 0.0

    def to_si(self, value: Any) -> Any:
        """A number (or array) in this unit as a number in coherent SI units."""
        return value if self.scale == 1.0 and self.offset == 0.0 else value * self.scale + self.offset

    def from_si(self, value: Any) -> Any:
        """A number (or array) in coherent SI units as a number in this unit."""
        return value if self.scale == 1.0 and self.offset == 0.0 else (value - self.offset) / self.scale


NO_UNIT = Unit("", None)


class UnitTextError(ValueError):
    """A unit or quantity text that cannot be understood; the message says why."""


@cache
def registry() -> Any:
    """pint's registry, made on first use because it takes half a second."""
    import pint

    return pint.UnitRegistry(cache_folder=None)


def _pint_text(text: str) -> str:
    """Modelica habits (`N.m/A`, `kg.m2`, `m/s2`, `1`) in pint's notation."""
    text = re.sub(r"(?<=[A-Za-z0-9)])\.(?=[A-Za-z(])", "*", text.strip())
    text = re.sub(r"(?<=[A-Za-z])(-?\d+)", r"**\1", text)
    text = re.sub(r"\b([mkM]?)Nm\b", r"\1N*m", text)  # for pint Nm is the count of a yarn
    return re.sub(r"\b([umkMG]?)Ohm\b", r"\1ohm", text)


def parse_unit(text: str | None) -> Unit:
    """The `Unit` a text such as "V", "N.m/A" or "rpm" stands for; no text, no dimension."""
    if text is None or text == "":
        return NO_UNIT
    if not isinstance(text, str):
        raise UnitTextError(f"{text!r} is not a unit but a {type(text).__name__}")
    return _known().get(text) or _parsed_by_pint(text)


@cache
def _known() -> dict[str, Unit]:
    return {
        text: Unit(text, tuple(map(float, dimension)), scale, OFFSETS.get(text, 0.0))
        for dimension, scales in SCALES.items()
        for text, scale in scales.items()
    }


_TOKEN = re.compile(r"\*\*|\^|[^\W\d]\w*|\d+\.?\d*|\S")
_LARGEST_EXPONENT = 99.0


def _check_numbers(text: str) -> None:
    """Numbers in a unit are a 1 to divide, and moderate exponents; pint would compute others, 9**9**9, at any cost."""
    tokens = _TOKEN.findall(_pint_text(text))
    of_power = False
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token in ("**", "^"):
            of_power = True
        elif token[0].isdigit():
            fits = float(token) <= _LARGEST_EXPONENT if of_power else float(token) == 1.0
            if not fits or following in ("**", "^") or following[:1].isalpha():
                raise UnitTextError(_what_is_wrong(text))
        elif token not in ("(", "+", "-") and not (of_power and token == "/"):
            of_power = False


@lru_cache(maxsize=4096)
def _parsed_by_pint(text: str) -> Unit:
    _check_numbers(text)
    try:
        ureg = registry()
        unit = ureg.Unit("dimensionless" if text.strip() == "1" else _pint_text(text))
        one, zero = (ureg.Quantity(float(x), unit).to_base_units().magnitude for x in (1.0, 0.0))
    except Exception as error:  # pint raises a family of unrelated classes for bad text
        raise UnitTextError(_what_is_wrong(text)) from error
    found = dict(unit.dimensionality)
    strange = [name for name in found if name not in _BASES]
    if strange:
        raise UnitTextError(f"'{text}' has the dimension {', '.join(strange)}, which is not physical")
    if not 0.0 < one - zero < np.inf:
        raise UnitTextError(f"'{text}' is too small or too large a unit")
    return Unit(text, tuple(float(found.get(base, 0)) for base in _BASES), one - zero, zero)


def _what_is_wrong(text: str) -> str:
    for part in re.findall(r"[^\W\d]+", _pint_text(text)):  # in our notation: what pint knows of Nm changes
        if not _is_unit(part):
            which = "" if part == text else f": '{part}' is unknown"
            return f"'{text}' is not a unit{which}{_other_case(part)}"
    return f"'{text}' cannot be read as a unit"


def _is_unit(part: str) -> bool:
    try:
        registry().Unit(part)
    except Exception:  # see above
        return False
    return True


def _other_case(part: str) -> str:
    """The unit that is written like this one but for capitals: kohm for Kohm, bar for Bar."""
    for candidate in (part.lower(), part[0].lower() + part[1:], part[0].upper() + part[1:], part.upper()):
        if candidate != part and _is_unit(candidate):
            return f"; perhaps you meant '{candidate}'"
    return ""


def _perhaps(number: str, written: str, unit: Unit) -> str:
    """What is meant where a prefix stands for the unit (10k, 4k7) or C for degrees Celsius."""
    if unit.dimension == TEMPERATURE and written in ("C", "F"):
        return f"; perhaps you meant '{number} deg{written}'"
    prefix = re.fullmatch(r"([pnuµmkMG])(\d*)", written)
    if prefix is None or " " in unit.text or unit.text[:1] in "1(":
        return ""
    digits = f"{number}.{prefix[2]}" if prefix[2] else number
    return f"; perhaps you meant '{digits} {prefix[1]}{unit.text}'"


_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*")


def written_unit(text: str) -> Unit | None:
    """The unit of a text such as "2.2 kohm"; None where there is none."""
    match = _QUANTITY.fullmatch(text)
    return parse_unit(match[2]) if match is not None and match[2] else None


def parse_quantity(text: str, unit: Unit) -> float:
    """A text such as "2.2 kohm" as a number in `unit` (in its own unit's SI value when `unit` says nothing)."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise UnitTextError(f"'{text}' is not a number with a unit, such as '2.2 kohm'")
    number = float(match[1])
    written = parse_unit(match[2] or None)
    if written.dimension is None:
        return number
    unit = _as_written(unit) or NO_UNIT
    if unit.dimension is None:
        return written.to_si(number)
    if written.dimension != unit.dimension:
        perhaps = _perhaps(match[1], match[2], unit)
        what = f"'{text}' cannot be converted to '{unit.text}': '{match[2]}' measures something else{perhaps}"
        raise UnitTextError(what)
    return unit.from_si(written.to_si(number))


def parse_quantities(given: Any, unit: Unit) -> Any:
    """A text, or a list (of lists ...) in which texts may stand beside numbers, as numbers in `unit`."""
    if isinstance(given, str):
        return parse_quantity(given, unit)
    if isinstance(given, np.ndarray) and given.dtype.kind in "UO":  # an array of texts, or of mixed kinds
        given = given.tolist()
    return [parse_quantities(item, unit) for item in given] if isinstance(given, list | tuple) else given


@cache
def _familiar() -> dict[Dimension | None, str]:
    names = ("V", "ohm", "S", "F", "H", "V.s", "C", "N", "J", "W", "Pa")
    return {parse_unit(name).dimension: name for name in names}


def readable(dimension: Dimension) -> str:
    """A dimension by the unit engineers measure it in, or in base units."""
    return _familiar().get(dimension) or describe(dimension)


def may_agree(first: Unit, second: Unit) -> bool:
    """Whether numbers in both units can be the same; units that are documentation alone count as far as they can be
    read."""
    known = [unit for unit in map(_as_written, (first, second)) if unit is not None and unit.text]
    return len(known) < 2 or (known[0].dimension, known[0].scale) == (known[1].dimension, known[1].scale)


def _as_written(unit: Unit) -> Unit | None:
    """A unit as its text says, None where that says nothing."""
    try:
        return unit if unit.dimension is not None else parse_unit(unit.text)
    except UnitTextError:
        return None


def shown_in(stored: Unit, text: str) -> Unit:
    """The unit that numbers are to be shown in; `stored` is the declared one. Its scale and offset begin at the numbers
    that a model holds: those are in SI units, or, where units are documentation alone, in the declared one."""
    unit = parse_unit(text)
    if stored.dimension is None and not stored.text:
        return unit
    held = stored if stored.dimension is not None else parse_unit(stored.text)
    if unit.dimension != held.dimension:
        raise UnitTextError(f"'{stored.text}' cannot be converted to '{text}'")
    if stored.dimension is not None:
        return unit
    return Unit(text, unit.dimension, unit.scale / held.scale, (unit.offset - held.offset) / held.scale)


def describe(dimension: Dimension) -> str:
    """A dimension in base units, as a person writes it: `kg.m2/(s3.A2)`."""

    def part(sign: int) -> list[str]:
        out = []
        for symbol, exponent in zip(_SYMBOLS, dimension, strict=True):
            size = exponent * sign
            if size > 0:
                out.append(symbol if size == 1 else f"{symbol}{size:g}")
        return out

    above = part(1)
    below = part(-1)
    if not below:
        return ".".join(above) or "1"
    bottom = below[0] if len(below) == 1 else f"({'.'.join(below)})"
    return f"{'.'.join(above) or '1'}/{bottom}"
