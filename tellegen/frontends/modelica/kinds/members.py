"""Members of kinds: variables and parameters with what was said in their own class; the rest are settings.

Real x[2](start={1, 2}) in the class itself     attributes of the member
M m(x(start={3, 4})) further out                a setting of that component's kind
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.copies.alike import varies
from tellegen.frontends.modelica.instances.modifier import TYPE_LEVEL
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.kinds.copies.copied_rows import INFLOW
from tellegen.frontends.modelica.kinds.declarations import (
    ATTRIBUTES,
    LIMITS,
    Declaration,
    Declarations,
    Given,
    flat_value,
    number,
    scalars_in,
)
from tellegen.frontends.modelica.kinds.implemented import Implementation
from tellegen.frontends.modelica.kinds.parts import Part, PartTree
from tellegen.frontends.modelica.kinds.pending import Pending, actions_of, pending_equation, pending_value
from tellegen.frontends.modelica.kinds.ports import PortTable, display_unit_of, unit_of
from tellegen.frontends.modelica.sections.statements import Equation
from tellegen.frontends.modelica.values.value import EnumerationValue, Scalar, symbol
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.ir.model import Member, Parameter, Variable
from tellegen.start.records import dataclass

PREFERENCE = {"never": -20.0, "avoid": -5.0, "default": 0.0, "prefer": 5.0, "always": 20.0}
BY_STATEMENTS = ("value", "start")
"""What expressions of parameters give is computed by statements; the numbers of these say nothing more."""
TYPES = {"Real": "real", "Integer": "integer", "Boolean": "boolean", "enumeration": "enumeration"}


class Place(NamedTuple):
    """Where a scalar is: element `element` of a member of a component."""

    part: int
    is_parameter: bool
    member: int
    element: int


@dataclass(slots=True, eq=False)
class GivenNumbers:
    """Numbers for an attribute of some scalars, written in the text of another component."""

    attribute: str
    scalars: list[int]
    values: list[float]


@dataclass(slots=True, eq=False)
class PartMembers:
    """The members of one component, and the numbers its text gives to members of others."""

    variables: list[Variable] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    structure: list[tuple[str, Any]] = field(default_factory=list)
    settings: list[GivenNumbers] = field(default_factory=list)


class MemberTable:
    """The members of all components and the places of all scalars; what expressions give is `pending`."""

    def __init__(
        self, tree: PartTree, translation: Translation, ports: PortTable, declarations: Declarations, events: Events
    ) -> None:
        self.tree = tree
        self.translation = translation
        self.ports = ports
        self.events = events
        self.parts = [_members_of(part) for part in tree.parts]
        for part in tree.parts:
            if part.is_copy:
                self.parts[part.number] = self.parts[part.original]
        self.places: dict[int, Place] = {}
        self.pending: list[Pending] = []
        self.initial = {n for d in declarations.known if d.is_initial for n in d.numbers}
        for declaration in declarations.structural:
            if declaration.part.implementation is not None:
                _check_decided(declaration)
                continue
            value = declaration.variable.known_value("a structural parameter")
            self.parts[declaration.part.number].structure.append((declaration.name, _readable(value)))
        for declaration in declarations.known:
            if declaration.part.implementation is not None:
                self._implemented(declaration, declaration.part.implementation)
            elif declaration.variable.variability == "parameter" and not declaration.is_initial:
                self._parameter(declaration)
            else:
                self._variable(declaration)

    def place(self, scalar: int) -> Place:
        """Where a scalar is; of one in a copy, at the same place as that of the original."""
        found = self.places.get(scalar)
        if found is None:
            copy = self.translation.copy_with(scalar - INFLOW if scalar >= INFLOW else scalar)
            assert copy.copy_of is not None
            like = self.place(scalar - copy.copy_of.shift)
            shift = self.tree.number_of(copy) - self.tree.number_of(copy.copy_of.original)
            found = self.places[scalar] = like._replace(part=like.part + shift)
        return found

    def member(self, place: Place) -> Member:
        """The member at a place."""
        members = self.parts[place.part]
        return (members.parameters if place.is_parameter else members.variables)[place.member]

    # ------------------------------------------------------------------ parameters

    def _parameter(self, declaration: Declaration) -> None:
        members = self.parts[declaration.part.number].parameters
        members.append(Parameter(**_shared(declaration), attributes=self._values(declaration)))
        self._place(declaration, True, len(members) - 1)

    def _values(self, declaration: Declaration) -> dict[str, Any]:
        """What its own class gives a parameter; numbers from elsewhere become settings, expressions are pending."""
        attributes: dict[str, Any] = {}
        for name, given in declaration.attributes.items():
            self._numbers(declaration, name, given, attributes)
        binding = declaration.binding
        if binding is not None:
            self._numbers(declaration, "value", binding, attributes)
            for scalar, value in zip(binding.scalars, binding.values, strict=True):
                if isinstance(value, Expr):
                    self._refuse_variables(declaration, value, binding)
                    self.pending.append(pending_value("parameter", scalar, value, binding.part, binding.location))
        return attributes

    def _refuse_variables(self, declaration: Declaration, value: Expr, binding: Given) -> None:
        for scalar in scalars_in([value]):
            variable, _ = self.translation.variable_of(scalar)
            if variable.variability != "parameter":
                raise ModelicaError(
                    "E588",
                    f"the parameter {declaration.variable.path} depends on {variable.path}, which varies",
                    location=binding.location,
                    advice="declare it as a variable, or give it a value of parameters and constants",
                )

    # ------------------------------------------------------------------ variables

    def _variable(self, declaration: Declaration) -> None:
        variable = declaration.variable
        attributes = self._attributes(declaration)
        is_assigned = any(scalar in self.events.assigned for scalar in declaration.numbers)
        discrete = variable.variability == "discrete" or is_assigned or declaration.is_initial
        if discrete and "start" not in attributes and "start" not in declaration.attributes:
            attributes["start"] = 1.0 if variable.base == "enumeration" else 0.0
        role = self._role(declaration)
        shared = {**_shared(declaration), "type": TYPES[variable.base], "discrete": discrete, "attributes": attributes}
        if variable.literals:
            shared["literals"] = ("", *variable.literals)  # they count from 1
        members = self.parts[declaration.part.number].variables
        if declaration.is_initial:
            shared["initial_parameter"] = True
        members.append(Variable(role=role, **shared))
        self._place(declaration, False, len(members) - 1)
        if role == "stream":
            members.append(Variable(role="inflow", **{**shared, "name": f"{declaration.name}.inflow"}))
            self._place(declaration, False, len(members) - 1, INFLOW)
        if role == "input" and declaration.part.parent < 0:
            default = {**_shared(declaration), "name": f"{declaration.name}.default"}
            self.parts[declaration.part.number].parameters.append(Parameter(**default, literal=True))
        self._binding(declaration)

    def _role(self, declaration: Declaration) -> str:
        """As in the connector; of inputs of the model itself only what nothing inside determines is known outside."""
        role = self.ports.roles.get(declaration.variable.first_number, "local")
        is_own = declaration.variable.protected or declaration.binding is not None
        return "local" if role == "input" and declaration.part.parent < 0 and is_own else role

    def _binding(self, declaration: Declaration) -> None:
        """A declaration equation; of parameters that the initialization determines, an initial equation."""
        binding = declaration.binding
        if binding is None or (declaration.is_initial and declaration.variable.without_binding):
            return
        section = "initial" if declaration.is_initial else "equation"
        for scalar, value in zip(binding.scalars, binding.values, strict=True):
            equation = Equation(Slot(scalar), symbol(value), binding.location)
            self.pending.append(pending_equation(section, equation, binding.part))

    def _attributes(self, declaration: Declaration) -> dict[str, Any]:
        attributes: dict[str, Any] = {"state": self._preference(declaration)}
        for name, given in declaration.attributes.items():
            if name == "start":
                self._start(declaration, given, attributes)
            elif name in ("nominal", *LIMITS) or (name == "fixed" and not declaration.is_initial):
                self._numbers(declaration, name, given, attributes)
        return attributes

    def _preference(self, declaration: Declaration) -> float:
        if any(scalar in self.events.reinitialized for scalar in declaration.numbers):
            return PREFERENCE["always"]
        given = declaration.attributes.get("stateSelect")
        chosen = given.values[0] if given is not None else None
        return PREFERENCE[chosen.name] if isinstance(chosen, EnumerationValue) else 0.0

    def _start(self, declaration: Declaration, given: Given, attributes: dict[str, Any]) -> None:
        """A start value by an expression stays one as far as it consists of parameters."""
        for scalar, value in zip(given.scalars, given.values, strict=True):
            if isinstance(value, Expr) and self._is_of_parameters(value):
                self.pending.append(pending_value("start", scalar, value, given.part, given.location))
        self._numbers(declaration, "start", given, attributes)
        if given.level < TYPE_LEVEL:
            copies = self.tree.copies(declaration.part.number)
            own = declaration.numbers
            scalars = list(own) if copies is None else copies.rows(own).ravel().tolist()
            self.parts[0].settings.append(GivenNumbers("start_level", scalars, [float(given.level)] * len(scalars)))

    def _is_of_parameters(self, value: Expr) -> bool:
        for scalar in scalars_in([value]):
            if scalar >= INFLOW or scalar in self.initial:
                return False
            variable, _ = self.translation.variable_of(scalar)
            if variable.variability != "parameter":
                return False
        return True

    # ------------------------------------------------------------------ members of other front ends

    def _implemented(self, declaration: Declaration, implementation: Implementation) -> None:
        """A member that its kind has already: what Modelica text says about it are settings and equations."""
        place = implementation.members[declaration.name]
        self._place(declaration, place.is_parameter, place.member, first=place.first)
        if place.is_parameter:
            self._values(declaration)
            return
        self._attributes(declaration)
        chosen = declaration.attributes.get("stateSelect")
        if chosen is not None:
            preference = [self._preference(declaration)] * len(chosen.scalars)
            self.parts[chosen.part].settings.append(GivenNumbers("state", list(chosen.scalars), preference))
        self._binding(declaration)

    # ------------------------------------------------------------------ numbers and places

    def _numbers(self, declaration: Declaration, name: str, given: Given, attributes: dict[str, Any]) -> None:
        """Numbers become an attribute where the component's own text gives them, else a setting of who gives them."""
        known = self._known(name, given.scalars, given.values)
        if not known:
            return
        if given.part != declaration.part.number:
            setting = GivenNumbers(name, list(known), list(known.values()))
            self.parts[given.part].settings.append(setting)
        elif declaration.variable.shape:
            column = [known.get(scalar, float("nan")) for scalar in declaration.numbers]
            same = len(set(column)) == 1
            attributes[name] = column[0] if same else np.array(column).reshape(declaration.variable.shape)
        else:
            attributes[name] = next(iter(known.values()))
        if given.part == declaration.part.number and name not in BY_STATEMENTS:
            self._numbers_of_copies(declaration, name, given)

    def _numbers_of_copies(self, declaration: Declaration, name: str, given: Given) -> None:
        """Numbers that follow from parameters are others in copies where those are: settings of the model."""
        copies = self.tree.copies(declaration.part.number)
        of = self.translation.variable_of
        if copies is None or not any(varies(of(number)[0]) for number in scalars_in(given.values)):
            return
        for row in copies.rows(declaration.numbers).tolist()[1:]:
            known = self._known(name, row, flat_value(ATTRIBUTES[name](of(row[0])[0])))
            self.parts[0].settings.append(GivenNumbers(name, list(known), list(known.values())))

    def _known(self, name: str, scalars: Sequence[int], values: Sequence[Scalar]) -> dict[int, float]:
        """The numbers of scalars, as far as they are known; nominal sizes that are not positive say nothing."""
        known: dict[int, float] = {}
        for scalar, value in zip(scalars, values, strict=True):
            found = number(value, self.translation)
            if found is not None and not isnan(found) and (found > 0.0 or name != "nominal"):
                known[scalar] = found
        return known

    def _place(self, declaration: Declaration, is_parameter: bool, member: int, shift: int = 0, first: int = 0) -> None:
        part = declaration.part.number
        for element, scalar in enumerate(declaration.numbers):
            self.places[scalar + shift] = Place(part, is_parameter, member, first + element)


@dataclass(frozen=True, slots=True)
class Events:
    """What when-clauses do to variables."""

    assigned: frozenset[int]
    reinitialized: frozenset[int]


def events_of(pending: Iterable[Pending]) -> Events:
    """The scalars that when-clauses assign or reinitialize."""
    targets: dict[str, set[int]] = {"assign": set(), "reinit": set()}
    for statement in pending:
        for verb, target in actions_of(statement) if statement.section == "when" else ():
            if verb.verb in targets:
                targets[verb.verb].add(target)
    return Events(frozenset(targets["assign"]), frozenset(targets["reinit"]))


def _members_of(part: Part) -> PartMembers:
    """Empty, but for a component whose kind another front end made."""
    if part.implementation is None:
        return PartMembers()
    kind = part.implementation.kind
    return PartMembers(list(kind.variables), list(kind.parameters))


def _check_decided(declaration: Declaration) -> None:
    """Structural parameters of Python's classes are decided there; a Real one is a number of each run."""
    if declaration.variable.base == "Real":
        raise ModelicaError(
            "E594",
            f"{declaration.variable.path} decides the structure of the model, but is a parameter of a component that "
            "was written in Python, which runs can change",
            location=declaration.variable.location,
            advice="make it a structural parameter in Python, or give a number where it is used",
        )


def _shared(declaration: Declaration) -> dict[str, Any]:
    variable = declaration.variable
    return {
        "name": declaration.name,
        "unit": unit_of(variable),
        "display": display_unit_of(variable),
        "description": variable.description,
        "shape": variable.shape,
        "first_index": 1,
        "location": variable.location.within(""),
    }


def _readable(value: Any) -> Any:
    """A structural value for people to read."""
    if isinstance(value, EnumerationValue):
        return value.name
    return value.tolist() if isinstance(value, np.ndarray) else value
