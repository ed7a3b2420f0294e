"""The translation of one model: its scalars by number, what became structural, warnings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.values.assertions import FunctionAssertions
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
        self.readers: dict[int, list[Instance]] = {}  # in whose text these numbers were needed
        self.warnings: list[ModelicaWarning] = []
        self.texts: list[VariableInstance] = []  # Strings that statements may give a value
        self.called = FunctionAssertions()
        self.names: dict[ClassView, dict[str, object]] = {}  # what a name means in a class, for InstanceScope
        self.making: list[str] = []  # paths of the elements being made, each for the sake of the one before
        self.outer_classes: dict[str, ClassView] = {}  # those without an inner class around, by name
        self.is_peeking = False  # values are read to compare them, which makes nothing structural
        self.distinguished: list[Instance] = []  # whose text asks for their names, or how they are connected
        self.numbers_of: dict[int, tuple[tuple[int, int], ...]] = {}  # intervals, by id of an original that has copies
        self._scalars: list[VariableInstance | Instance] = []  # by number: the variable, or the copy that it is in
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

    def reserve(self, copy: Instance, count: int) -> int:
        """Number the scalars of a copy; the number of the first."""
        first = len(self._scalars)
        self._scalars.extend([copy] * count)
        return first

    def forget(self, numbers: range) -> None:
        """What was noted about scalars of something that turned out to be no copy; the numbers stay unused."""
        for number in numbers:
            self.structural.pop(number, None)
            self.readers.pop(number, None)

    def copy_with(self, number: int) -> Instance:
        """The copy that a scalar is in, the outermost of several."""
        copy = self._scalars[number]
        assert isinstance(copy, Instance)
        return copy

    def original(self, number: int) -> int:
        """The scalar of which one in a copy is the counterpart; of all others the scalar itself."""
        while isinstance(owner := self._scalars[number], Instance):
            assert owner.copy_of is not None
            number -= owner.copy_of.shift
        return number

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
        owner = self._scalars[number]
        if isinstance(owner, Instance):
            assert owner.copy_of is not None
            original, _ = self.variable_of(number - owner.copy_of.shift)
            owner = owner.counterpart(original)
        return owner, number - owner.first_number

    def type_of(self, number: int) -> str:
        """The predefined type of a scalar; "" where it does not belong to the model."""
        if number >= len(self._scalars):
            return ""
        owner = self._scalars[self.original(number)]
        return "" if isinstance(owner, Instance) else owner.base

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

    def number_of(self, number: int, purpose: str, reader: Instance | None = None) -> Any:
        """The plain value of a parameter's scalar, which thereby becomes structural; None for what is not known.

        `reader` is the instance in whose text it is needed."""
        variable, element = self.variable_of(number)
        value = variable.known_element(element, purpose)
        if value is not None and variable.variability == "parameter" and not self.is_peeking:
            self.mark_structural(number, purpose)
            if reader is not None:
                self.readers.setdefault(number, []).append(reader)
        return value

    @contextmanager
    def peek(self) -> Iterator[None]:
        """Values of parameters that are read in this block do not become structural by that."""
        before = self.is_peeking
        self.is_peeking = True
        try:
            yield
        finally:
            self.is_peeking = before

    def mark_structural(self, number: int, purpose: str) -> None:
        """Note that the value of a parameter decides the structure, so that a run cannot change it."""
        self.structural.setdefault(number, purpose)

    def is_structural(self, variable: VariableInstance) -> bool:
        """Whether the value of a parameter, or of an element of it, was needed as a number."""
        first = variable.first_number
        return any(number in self.structural for number in range(first, first + variable.size))

    def warn(self, message: str, location: SourceLocation) -> None:
        """Keep a warning, once for each line."""
        key = (message, f"{location.file}:{location.line}")
        if key not in self._told:
            self._told.add(key)
            self.warnings.append(ModelicaWarning(message, location))
