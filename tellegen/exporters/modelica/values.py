"""Values and attributes of variables and parameters as Modelica writes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.exporters.modelica.lexical import number
from tellegen.ir.model import Array, Parameter, Variable

_STATE_SELECT = {-20.0: "never", -5.0: "avoid", 0.0: "default", 5.0: "prefer", 20.0: "always"}
_PRINTED = ("start", "fixed", "nominal", "min", "max", "state")


def value_text(value: Any, attribute: str, type: str = "real") -> str:
    """One value of an attribute; expressions are already written."""
    if isinstance(value, str):
        return value
    if attribute == "fixed":
        return "true" if value else "false"
    if attribute == "state":
        return f"StateSelect.{_STATE_SELECT[float(value)]}"
    if type == "boolean" and attribute in ("start", "value"):
        return "true" if value else "false"
    if type in ("integer", "enumeration") and float(value).is_integer():
        return str(int(value))
    return number(value)


def array_text(values: Array, attribute: str, type: str = "real") -> str:
    """A value, or nested braces."""
    if np.ndim(values) == 0:
        return value_text(values.item() if isinstance(values, np.ndarray) else values, attribute, type)
    return "{" + ", ".join(array_text(row, attribute, type) for row in values) + "}"


def uniform(values: Array) -> bool:
    """Whether all elements are the same."""
    flat = values.ravel()
    return len(flat) > 0 and all(value == flat[0] for value in flat)


def attribute_name(attribute: str) -> str:
    """Modelica's word for an attribute."""
    return "stateSelect" if attribute == "state" else attribute


def worth_writing(attribute: str, values: Array) -> bool:
    """Whether a declared attribute says more than its absence."""
    if attribute not in _PRINTED or not values.size:
        return False
    if all(isinstance(value, str) for value in values.ravel()):
        return True
    numbers = np.asarray([np.nan if isinstance(v, str) else v for v in values.ravel()], float)
    if attribute in ("fixed", "state", "start"):
        return bool(np.any(numbers != 0.0))
    return bool(np.isfinite(numbers).all())


def scalar_attributes(variable: Variable | Parameter, given: dict[str, Any]) -> dict[str, str]:
    """The attributes of a member of a connector class."""
    type = variable.type if isinstance(variable, Variable) else "real"
    return {
        ("each " if variable.shape else "") + attribute_name(key): value_text(given[key], key, type)
        for key in _PRINTED
        if key in given and worth_writing(key, np.asarray(given[key], object).reshape(()))
    }
