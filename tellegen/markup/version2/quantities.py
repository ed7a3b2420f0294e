"""Numbers as a document shows them: in the declared unit, and exactly those that the model holds in SI units.

A number whose last digit would change on the way to its unit and back is written in SI units: "0.7853981633974483 SI".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.markup.expressions.text import number_text
from tellegen.units import NO_UNIT, Unit, UnitTextError, parse_unit, shown_in
from tellegen.xml.elements import Element

_SI = "SI"
_NEARBY = 2  # neighbours that are tried for a number that does not come back


def quantity_text(si: Any, unit: Unit) -> str:
    """Numbers held in SI units, in their declared unit."""
    values = np.ravel(np.asarray(si, float))
    shown = [_in_unit(float(value), unit) for value in values]
    if any(value is None for value in shown):
        return " ".join([*map(number_text, values.tolist()), _SI])
    return " ".join(number_text(value) for value in shown if value is not None)


def _in_unit(si: float, unit: Unit) -> float | None:
    """A number that becomes `si` again, a short one where there is a choice."""
    value = float(unit.from_si(si))
    candidates = [float(f"{value:.15g}"), value]
    for direction in (np.inf, -np.inf):
        near = value
        for _ in range(_NEARBY):
            near = float(np.nextafter(near, direction))
            candidates.append(near)
    return next((one for one in candidates if np.array_equal(unit.to_si(one), si, equal_nan=True)), None)


def read_quantity(element: Element, name: str, text: str, unit: Unit) -> FloatArray:
    """Numbers as the model holds them."""
    words = text.split()
    in_si = bool(words) and words[-1] == _SI
    try:
        values = np.array([float(word) for word in (words[:-1] if in_si else words)], float)
    except ValueError:
        what = f"{name}='{text.strip()[:40]}' of {element} is not made of numbers"
        raise element.wrong(what, f"numbers in '{unit.text}', separated by blanks") from None
    return values if in_si else unit.to_si(values)


def unit_attributes(unit: Unit) -> dict[str, str | None]:
    """The unit of a member; in full where its text alone would mean another one."""
    if unit == NO_UNIT:
        return {}
    if _parsed(unit.text) == unit:
        return {"unit": unit.text}
    dimension = NO_DIMENSION if unit.dimension is None else " ".join(map(number_text, unit.dimension))
    return {
        "unit": unit.text,
        "dimension": dimension,
        "scale": None if unit.scale == 1.0 else number_text(unit.scale),
        "offset": None if unit.offset == 0.0 else number_text(unit.offset),
    }


UNIT_ATTRIBUTES = ("unit", "dimension", "scale", "offset")
NO_DIMENSION = "none"
"""The dimension of a unit that is documentation alone: numbers are in it, and nothing is converted (Modelica)."""


def read_unit(element: Element) -> Unit:
    """The unit of a member."""
    text = element.attributes.get("unit", "")
    if element.attributes.get("dimension") == NO_DIMENSION:
        return Unit(text, None)
    if "dimension" in element.attributes:
        dimension = read_quantity(element, "dimension", element.word("dimension"), NO_UNIT)
        if len(dimension) != 7:
            raise element.wrong(f"the dimension of {element} has {len(dimension)} exponents", "m kg s A K mol cd")
        scale = read_quantity(element, "scale", element.word("scale", "1"), NO_UNIT)
        offset = read_quantity(element, "offset", element.word("offset", "0"), NO_UNIT)
        if len(scale) != 1 or len(offset) != 1 or scale[0] == 0.0:
            raise element.wrong(f"scale and offset of {element} are one number each", "si = scale * value + offset")
        return Unit(text, tuple(dimension.tolist()), float(scale[0]), float(offset[0]))
    found = _parsed(text)
    if found is None:
        raise element.wrong(f"unit='{text}' of {element} is not a unit", "such as V, N.m/A, rad/s")
    return found


def read_display_unit(element: Element) -> Unit:
    """The unit in which plots and tables show a member."""
    text = element.attributes.get("display-unit", "")
    if not text:
        return NO_UNIT
    try:
        return shown_in(read_unit(element), text)
    except UnitTextError as error:
        raise element.wrong(f"display-unit='{text}' of {element}: {error}", "a unit of the same dimension") from None


def _parsed(text: str) -> Unit | None:
    try:
        return parse_unit(text)
    except UnitTextError:
        return None
