"""What declarations and modifications say about variables: bindings and attributes, with the component that wrote them.

    Resistor r(R=2*Rm, v(start=1))      R: value 2*Rm of the component around r;  v: start 1.0 of the same

Values are read once, before members are made: reading them decides which parameters are structural.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from operator import methodcaller

import numpy as np

from tellegen.frontends.modelica.instances.modifier import Modifier
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.instances.variable import NOT_NUMBERED, STRUCTURAL, VariableInstance
from tellegen.frontends.modelica.kinds.parts import Part, PartTree
from tellegen.frontends.modelica.values.value import EnumerationValue, Scalar, Value
from tellegen.ir.expressions.expr import Expr, Slot, walk
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate

LIMITS = ("min", "max")
OF_VARIABLES = ("start", "fixed", "nominal", "stateSelect")
Read = Callable[[VariableInstance], Value | None]
"""Reads the value of a variable, or of one of its attributes."""
ATTRIBUTES: dict[str, Read] = {name: methodcaller("attribute", name) for name in (*OF_VARIABLES, *LIMITS)}


@dataclass(slots=True, eq=False)
class Given:
    """Values of the scalars of a variable and its copies, and the component in whose text they stand."""

    scalars: Sequence[int]
    values: list[Scalar]
    part: int
    location: SourceLocation
    level: int = 0  # of the text: 0 is the model itself


@dataclass(slots=True, eq=False)
class Declaration:
    """A variable or parameter with everything that was said about it."""

    variable: VariableInstance
    part: Part
    binding: Given | None = None
    attributes: dict[str, Given] = field(default_factory=dict)
    is_initial: bool = False  # a parameter that the initialization determines

    @property
    def name(self) -> str:
        """Seen from its component."""
        return self.part.local_name(self.variable.path)

    @property
    def numbers(self) -> range:
        """Of its scalars."""
        first = self.variable.first_number
        return range(first, first + self.variable.size)


@dataclass(slots=True, eq=False)
class Declarations:
    """All variables and parameters that a run knows, and the structural ones."""

    known: list[Declaration] = field(default_factory=list)
    structural: list[Declaration] = field(default_factory=list)

    def leave_out(self, variables: Iterable[VariableInstance]) -> None:
        """Forget variables that do not exist in this model."""
        absent = {id(variable) for variable in variables}
        if absent:
            self.known = [one for one in self.known if id(one.variable) not in absent]


def read_declarations(tree: PartTree, translation: Translation) -> Declarations:
    """Read the bindings and attributes of all variables."""
    read: list[Declaration] = []
    reader = _Reader(tree, translation)
    for part in tree.parts:
        for variable in part.variables:
            if variable.variability != "constant" and variable.base not in NOT_NUMBERED:
                read.append(reader.declaration(variable, part))
    found = Declarations()
    for declaration in read:
        is_structural = _is_structural(declaration.variable, translation)
        (found.structural if is_structural else found.known).append(declaration)
    _mark_initial(found.known)
    return found


def _is_structural(variable: VariableInstance, translation: Translation) -> bool:
    if variable.variability != "parameter":
        return False
    return variable.base in STRUCTURAL or translation.is_structural(variable)


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    """Reads what was said about variables."""

    tree: PartTree
    translation: Translation

    def declaration(self, variable: VariableInstance, part: Part) -> Declaration:
        """A variable with its binding and attributes."""
        declaration = Declaration(variable, part)
        binding = variable.binding
        if binding is not None:
            declaration.binding = self._given(declaration, binding, VariableInstance.bound)
        is_parameter = variable.variability == "parameter"
        for name in LIMITS if is_parameter else (*OF_VARIABLES, *LIMITS):
            modifier = variable.attribute_modifier(name)
            if modifier is not None:
                declaration.attributes[name] = self._given(declaration, modifier, ATTRIBUTES[name])
        return declaration

    def _given(self, declaration: Declaration, modifier: Modifier, read: Read) -> Given:
        """What a modifier says, also about copies of the variable as far as it stands outside of them."""
        variable = declaration.variable
        part = declaration.part
        scalars: Sequence[int] = declaration.numbers
        values = flat_value(read(variable))
        writer = self.tree.writer(modifier.instance, part)
        copies = self.tree.copies(part.number, writer)
        if copies is not None:
            rows = copies.rows(scalars).tolist()
            if any(isinstance(step, int) for step in modifier.steps):
                values = [value for row in rows for value in self._of_copy(row, read)]
            else:
                values = values * copies.count
            scalars = [scalar for row in rows for scalar in row]
        return Given(scalars, values, writer, modifier.location, modifier.level)

    def _of_copy(self, row: list[int], read: Read) -> list[Scalar]:
        return flat_value(read(self.translation.variable_of(row[0])[0])) if row else []


def flat_value(value: Value | None) -> list[Scalar]:
    """The scalars of a value."""
    return list(value.flat) if isinstance(value, np.ndarray) else [value]  # type: ignore[list-item]


def _mark_initial(declarations: list[Declaration]) -> None:
    """Parameters with fixed=false, and those whose bindings depend on one of them."""
    users: dict[int, list[Declaration]] = {}
    waiting: list[Declaration] = []
    for declaration in declarations:
        if declaration.variable.variability == "initial_parameter":
            waiting.append(declaration)
        elif declaration.variable.variability == "parameter" and declaration.binding is not None:
            for number in scalars_in(declaration.binding.values):
                users.setdefault(number, []).append(declaration)
    while waiting:
        declaration = waiting.pop()
        if not declaration.is_initial:
            declaration.is_initial = True
            for number in declaration.numbers:
                waiting += users.get(number, ())


def scalars_in(values: Iterable[Scalar]) -> set[int]:
    """The numbers of the scalars that values depend on."""
    symbols = [value for value in values if isinstance(value, Expr)]
    return {node.index for node in walk(*symbols) if isinstance(node, Slot)} if symbols else set()


def number(value: Scalar, translation: Translation) -> float | None:
    """A value as a number, from the bindings of the parameters in it; None where it is not known before a run."""
    if isinstance(value, Expr):
        slots: dict[int, float] = {}
        for index in scalars_in([value]):
            if index >= translation.size:
                return None
            variable, element = translation.variable_of(index)
            known = None if variable.is_free() else variable.known_element(element, "an attribute")
            if known is None:
                return None
            slots[index] = float(known)  # type: ignore[arg-type]
        with np.errstate(all="ignore"):
            return float(evaluate(value, slots))
    if isinstance(value, EnumerationValue):
        return float(value.ordinal)
    return float(value) if isinstance(value, bool | int | float) else None
