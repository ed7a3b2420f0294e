"""Values of parameters as texts in icons: in the unit that people read them in."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.ports import display_unit_of, unit_of
from tellegen.frontends.modelica.values.value import EnumerationValue

_MOST = 4  # elements of an array that are shown


def value_text(value: Any, variable: VariableInstance) -> str:
    """A value of a variable: "50 Hz", "{1, 2}", "SteadyState"."""
    if isinstance(value, EnumerationValue):
        return value.name
    if isinstance(value, np.ndarray):
        shown = [value_text(item, variable) for item in value.ravel()[:_MOST]]
        return "{" + ", ".join([*shown, *(["..."] if value.size > _MOST else [])]) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int | float):
        return str(value)
    shown = display_unit_of(variable)
    unit = shown if shown.text else unit_of(variable)
    text = "" if unit.text == "1" else unit.text
    return f"{unit.from_si(value):.5g} {text}".rstrip()
