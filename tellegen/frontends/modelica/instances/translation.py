"""The translation of one model: its scalars by number, what became structural, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.frontends.modelica.values.evaluation_error import not_supported
from tellegen.ir.expressions.expr import ZERO, Der, Expr, Slot
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import ElementBuilder
    from tellegen.frontends.modelica.instances.variable import VariableInstance
    from tellegen.frontends.modelica.lookup.class_view import ClassView
    from tellegen.ir.source_location import SourceLocation


@dataclass(frozen=True, slots=True)
class ModelicaWarning:
    """Something a user should know although the model runs."""

    message: str
    location: SourceLocation

    def __str__(self) -> str:
        return f"{self.message}, at {self.location}"


class Translation:
    """All scalars of a model are numbered in the order in which they are made; a Slot in an expression is a number."""

    def __init__(self, builder: ElementBuilder) -> None:
        self.builder = builder
        self.connections: Any = None  # what depends on all connections, once kinds/ has read them
        self.structural: dict[int, str] = {}  # number of a parameter: what its value was needed for
        self.warnings: list[ModelicaWarning] = []
        self.names: dict[ClassView, dict[str, object]] = {}  # what a name means in a class, for InstanceScope
        self.making: list[str] = []  # paths of the elements being made, each for the sake of the one before
        self._scalars: list[VariableInstance] = []  # by number
        self._told: set[tuple[str, str]] = set()

    @property
    def size(self) -> int:
        """How many scalars there are so far."""
        return len(self._scalars)

    def add(self, variable: VariableInstance, count: int) -> int:
        """Number the scalars of a variable; the number of the first."""
        first = len(self._scalars)
        self._scalars.extend([variable] * count)
        return first

    def slots(self, variable: VariableInstance) -> Slot | np.ndarray:
        """A variable as symbols."""
        first = variable.first_number
        if not variable.shape:
            return Slot(first)
        result = np.empty(variable.size, dtype=object)
        for element in range(variable.size):
            result[element] = Slot(first + element)
        return result.reshape(variable.shape)

    def variable_of(self, number: int) -> tuple[VariableInstance, int]:
        """The variable a scalar belongs to, and which of its elements it is."""
        variable = self._scalars[number]
        return variable, number - variable.first_number

    def name_of(self, number: int) -> str:
        """The name of a scalar, indices counted from 1."""
        variable, element = self.variable_of(number)
        if not variable.shape:
            return variable.path
        position = np.unravel_index(element, variable.shape)
        return f"{variable.path}[{','.join(str(int(index) + 1) for index in position)}]"

    def derivative_of(self, number: int) -> Expr:
        """der(x) of a scalar: zero of what does not vary continuously."""
        variable, _ = self.variable_of(number)
        return Der(number) if variable.variability == "continuous" else ZERO

    def second_derivative(self, number: int) -> Expr:
        """der(der(x)), which needs a variable for der(x)."""
        raise not_supported(f"der(der({self.name_of(number)}))", "declare a variable v = der(x) and write der(v)")

    def number_of(self, number: int, purpose: str) -> Any:
        """The plain value of a parameter's scalar, which thereby becomes structural; None for what is not known."""
        variable, element = self.variable_of(number)
        value = variable.known_element(element, purpose)
        if value is not None and variable.variability == "parameter":
            self.mark_structural(number, purpose)
        return value

    def mark_structural(self, number: int, purpose: str) -> None:
        """Note that the value of a parameter decides the structure, so that a run cannot change it."""
        self.structural.setdefault(number, purpose)

    def warn(self, message: str, location: SourceLocation) -> None:
        """Keep a warning, once for each line."""
        key = (message, f"{location.file}:{location.line}")
        if key not in self._told:
            self._told.add(key)
            self.warnings.append(ModelicaWarning(message, location))
