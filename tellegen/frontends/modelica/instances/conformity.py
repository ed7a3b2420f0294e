"""Whether a value fits the declared type and size, and as what it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.values.arrays import filled
from tellegen.frontends.modelica.values.types import can_take, named
from tellegen.frontends.modelica.values.value import EnumerationValue, RecordValue, Scalar, Value, describe, scalars
from tellegen.ir.expressions.expr import Expr
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.modifier import Modifier


@dataclass(frozen=True, slots=True)
class Declared:
    """The type and the size of a variable."""

    path: str
    base: str
    sizes: tuple[int, ...]
    literals: tuple[str, ...] = ()
    type_name: str = ""  # of an enumeration

    def __str__(self) -> str:
        return f"{self.base} {self.path}{list(self.sizes) if self.sizes else ''}"

    def default(self) -> Value:
        """What a parameter is that nobody gave a value: the default of the attribute `start` (MLS 4.9)."""
        scalar: Scalar
        if self.base == "enumeration":
            scalar = EnumerationValue(self.type_name, self.literals, 1)
        else:
            scalar = {"Real": 0.0, "Integer": 0, "Boolean": False, "String": ""}[self.base]
        return filled(self.sizes, scalar) if self.sizes else scalar


def conformed(value: Value, declared: Declared, modifier: Modifier) -> Value:
    """`value` as one of the declared type and size, or an error in words."""
    if not declared.sizes:
        if isinstance(value, np.ndarray):
            raise _misfit(value, declared, modifier)
        return _scalar(value, declared, modifier)
    if not isinstance(value, np.ndarray):
        if not (modifier.template.each or modifier.steps):
            raise _misfit(value, declared, modifier)
        return filled(declared.sizes, _scalar(value, declared, modifier))
    if value.shape != declared.sizes:
        if value.size == 0 and 0 in declared.sizes:
            return np.empty(declared.sizes, dtype=object)
        raise _misfit(value, declared, modifier)
    result = np.empty(value.size, dtype=object)
    for position, element in enumerate(value.flat):
        result[position] = _scalar(element, declared, modifier)
    return result.reshape(value.shape)


def check_attribute(name: str, value: Value, declared: Declared, modifier: Modifier) -> None:
    """Refuse an attribute of another type than it has for such a variable."""
    base = {"fixed": "Boolean", "nominal": "Real"}.get(name, declared.base if name in ("start", "min", "max") else "")
    of_slot = modifier.scope.type_of_slot
    for part in scalars(value):
        if base and (isinstance(value, RecordValue) or not can_take(base, part, of_slot)):
            raise ModelicaError(
                "E563",
                f"the attribute {name} of {declared} is {base}, and cannot be {named(part, of_slot)}",
                location=modifier.location,
            )


def counted(value: Value, declared: Declared) -> Value:
    """What a number that was computed means for the declared type: symbols of all types are numbers."""
    if isinstance(value, np.ndarray):
        result = np.empty(value.size, dtype=object)
        for position, element in enumerate(value.flat):
            result[position] = counted(element, declared)
        return result.reshape(value.shape)
    if not isinstance(value, int | float):
        return value
    if declared.base == "Integer" and float(value).is_integer():
        return int(value)
    if declared.base == "Boolean":
        return bool(value)
    if declared.base == "enumeration" and 1 <= value <= len(declared.literals):
        return EnumerationValue(declared.type_name, declared.literals, int(value))
    return value


def _scalar(value: Scalar, declared: Declared, modifier: Modifier) -> Scalar:
    base = declared.base
    if isinstance(value, Expr):
        of_slot = modifier.scope.type_of_slot
        if not can_take(base, value, of_slot):
            raise _misfit(value, declared, modifier, named(value, of_slot))
        return value
    if base == "Real" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, EnumerationValue) and base == "enumeration" and value.literals != declared.literals:
        raise _misfit(value, declared, modifier)
    if _TYPES[base](value):
        return value
    raise _misfit(value, declared, modifier)


_TYPES = {
    "Real": lambda value: isinstance(value, float),
    "Integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "Boolean": lambda value: isinstance(value, bool),
    "String": lambda value: isinstance(value, str),
    "enumeration": lambda value: isinstance(value, EnumerationValue),
    "ExternalObject": lambda value: not isinstance(value, int | float | str),
    "Clock": lambda value: not isinstance(value, str),
}


def _misfit(value: Value, declared: Declared, modifier: Modifier, what: str = "") -> ModelicaError:
    return ModelicaError(
        "E563",
        f"{declared} cannot take {what or describe(value)}",
        location=modifier.location,
        advice="types and sizes of a binding have to agree with the declaration",
    )
