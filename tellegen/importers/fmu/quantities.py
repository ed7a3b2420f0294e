"""Which variables of an FMU are members of its component, and in which order code reads and writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from tellegen.errors import FmuError, nearest
from tellegen.fmi.description import (
    FLOATS,
    INTEGERS,
    SI_BASE_UNITS,
    CoSimulation,
    ModelDescription,
    ModelExchange,
    Variable,
)
from tellegen.fmi.description import Unit as FmiUnit
from tellegen.importers.fmu.archive_files import FmuFile
from tellegen.units import NO_UNIT, Unit, UnitTextError, parse_unit

NUMERIC = (*FLOATS, *INTEGERS, "Boolean", "Enumeration")
_OURS = ("m", "kg", "s", "A", "K", "mol", "cd")  # the order of units.Dimension
_CLOSE = 1e-9  # part of a scale by which two tables of units may differ
TAKEN = frozenset({"key", "instance", "epoch", "next_event", "terminated", "signs", "communication_step"}) | {
    "last_point",
    "step_requests",
    "step_requests_seen",
}
"""Members that the component has for itself."""


@dataclass(frozen=True)
class Quantity:
    """A variable as a member of a component."""

    member: str
    variable: Variable
    position: int
    shape: tuple[int, ...]
    unit: Unit

    @cached_property
    def count(self) -> int:
        """How many numbers it is."""
        return prod(self.shape)


@dataclass(frozen=True)
class Quantities:
    """The members of a component by what they are; continuous ones are of type Float64."""

    states: tuple[Quantity, ...]
    derivatives: tuple[Quantity, ...]
    inputs: tuple[Quantity, ...]
    discrete_inputs: tuple[Quantity, ...]
    outputs: tuple[Quantity, ...]
    """Continuous ones that are not states: those that depend on no input, then the others."""
    without_inputs: int
    """How many of the outputs depend on no input directly."""
    discrete_outputs: tuple[Quantity, ...]
    parameters: tuple[Quantity, ...]
    indicator_count: int

    @cached_property
    def state_count(self) -> int:
        """Elements of states."""
        return sum(each.count for each in self.states)

    def native_references(self) -> tuple[list[int], list[int]]:
        """Of inputs; of states, derivatives and outputs one after the other."""
        read = (*self.states, *self.derivatives, *self.outputs)
        return [each.variable.reference for each in self.inputs], [each.variable.reference for each in read]


def held_name(quantity: Quantity) -> str:
    """The member that holds the value of a discrete input which the FMU has."""
    return f"{quantity.member}_held"


def quantities_of(
    file: FmuFile, interface: ModelExchange | CoSimulation, also: Iterable[str], starts: Iterable[str] = ()
) -> Quantities:
    """The members of the component of an FMU; `also` names local variables that are wanted as outputs, `starts`
    variables whose start values are parameters."""
    return _Reader(file, frozenset(also), tuple(starts)).read(isinstance(interface, ModelExchange))


class _Reader:
    def __init__(self, file: FmuFile, also: frozenset[str], starts: tuple[str, ...]) -> None:
        self.file = file
        self.description: ModelDescription = file.description
        self.also = also
        self.starts = starts
        self.members: dict[str, str] = {}

    def read(self, exchanges: bool) -> Quantities:
        variables = self.description.variables
        self._check(exchanges)
        derivatives = self._derivatives() if exchanges else []
        states = [variables[position].derivative_of for position in derivatives]
        known = {position for position in states if position is not None}
        inputs = [k for k, each in enumerate(variables) if each.causality == "input" and each.base in NUMERIC]
        wanted = [k for k, each in enumerate(variables) if self._is_output(each) and k not in known]
        continuous = [k for k in wanted if self._is_continuous(variables[k], exchanges)]
        direct = self._direct()
        continuous.sort(key=lambda position: position in direct)
        flows = [k for k in inputs if self._is_continuous(variables[k], True)]
        return Quantities(
            states=self._quantities(k for k in states if k is not None),
            derivatives=tuple(self._quantity(k, named=False) for k in derivatives),
            inputs=self._quantities(flows),
            discrete_inputs=self._quantities(k for k in inputs if k not in flows),
            outputs=self._quantities(continuous),
            without_inputs=sum(position not in direct for position in continuous),
            discrete_outputs=self._quantities(k for k in wanted if k not in continuous),
            parameters=self._quantities(k for k, each in enumerate(variables) if _is_parameter(each)) + self._starts(),
            indicator_count=self._indicators() if exchanges else 0,
        )

    def _check(self, exchanges: bool) -> None:
        names = {each.name for each in self.description.variables}
        for name in self.also - names:
            raise self._wrong("E521", f"there is no variable '{name}'", "use a name that `tellegen fmu inspect` lists")
        clocks = [each.name for each in self.description.variables if each.base == "Clock"]
        if clocks and exchanges:
            raise self._wrong("E521", f"it has clocks ('{clocks[0]}')", "export it without clocks")

    def _derivatives(self) -> list[int]:
        found = [unknown.variable for unknown in self.description.structure.derivatives]
        for position in found:
            if self.description.variables[position].derivative_of is None:
                name = self.description.variables[position].name
                what = f"'{name}' is listed as the derivative of a state, but does not say of which"
                raise self._wrong("E521", what, "the description of the FMU is not complete")
        return found

    def _is_output(self, variable: Variable) -> bool:
        chosen = variable.causality == "output" or variable.name in self.also
        return chosen and variable.base in NUMERIC

    def _is_continuous(self, variable: Variable, exchanges: bool) -> bool:
        return exchanges and variable.base == "Float64" and variable.variability == "continuous"

    def _direct(self) -> set[int]:
        """The outputs that may depend on an input directly; local variables may."""
        variables = self.description.variables
        direct = {k for k, each in enumerate(variables) if each.name in self.also}
        for unknown in self.description.structure.outputs:
            known = unknown.dependencies
            if known is None or any(variables[position].causality == "input" for position in known):
                direct.add(unknown.variable)
        return direct

    def _starts(self) -> tuple[Quantity, ...]:
        """Start values that are parameters: that of `x` is `x_start`."""
        positions = {each.name: k for k, each in enumerate(self.description.variables)}
        found: list[Quantity] = []
        for name in self.starts:
            if name not in positions:
                advice = nearest(name, positions) or "use a name that `tellegen fmu inspect` lists"
                raise self._wrong("E521", f"there is no variable '{name}'", advice)
            quantity = self._quantity(positions[name], named=False)
            if not has_start(quantity.variable):
                what = f"the start value of '{name}' cannot be set"
                raise self._wrong("E521", what, "it follows from others, or is given")
            found.append(replace(quantity, member=self._member(f"{name}_start")))
        return tuple(found)

    def _indicators(self) -> int:
        if self.description.version == "2.0":
            return self.description.event_indicator_count
        found = (unknown.variable for unknown in self.description.structure.event_indicators)
        return sum(prod(self._shape(self.description.variables[position])) for position in found)

    def _quantities(self, positions: Iterable[int]) -> tuple[Quantity, ...]:
        return tuple(self._quantity(position) for position in positions)

    def _quantity(self, position: int, named: bool = True) -> Quantity:
        variable = self.description.variables[position]
        member = self._member(variable.name) if named else ""
        return Quantity(member, variable, position, self._shape(variable), self._unit(variable))

    def _shape(self, variable: Variable) -> tuple[int, ...]:
        sizes: list[int] = []
        for dimension in variable.dimensions:
            size = dimension.size
            if size is None and dimension.variable is not None:
                start = self.description.variables[dimension.variable].start
                size = int(start[0]) if start else None
            if size is None:
                raise self._wrong("E521", f"the size of '{variable.name}' is not known", "give its dimension a start")
            sizes.append(size)
        return tuple(sizes)

    def _member(self, name: str) -> str:
        """A name that Python accepts: motor.R -> motor_R."""
        plain = re.sub(r"\W+", "_", name).strip("_") or "variable"
        plain = f"v{plain}" if plain[0].isdigit() else plain
        plain = f"{plain}_" if plain in TAKEN else plain
        while self.members.setdefault(plain, name) != name or plain.endswith("_held"):
            plain += "_"
        return plain

    def _unit(self, variable: Variable) -> Unit:
        """The unit of a variable as ours, if both mean the same by its name."""
        name = self.description.attributes_of(variable).unit
        try:
            unit = parse_unit(name or None)
        except UnitTextError:
            return NO_UNIT
        stated = next((each for each in self.description.units if each.name == name), None)
        return unit if stated is None or _agree(unit, stated) else NO_UNIT

    def _wrong(self, code: str, what: str, advice: str) -> FmuError:
        return FmuError(code, f"{self.file.path.name}: {what}", location=self.file.location, advice=advice)


def _is_parameter(variable: Variable) -> bool:
    """Whether a user can set it before a run."""
    return variable.causality == "parameter" and variable.base in NUMERIC and variable.start is not None


def has_start(variable: Variable) -> bool:
    """Whether a variable that is computed has a start value of its own: exact, or a guess."""
    is_computed = variable.causality in ("local", "output") and variable.variability != "constant"
    return is_computed and variable.base in NUMERIC and variable.start is not None


def _agree(unit: Unit, stated: FmiUnit) -> bool:
    """Whether the FMU states the same dimension and scale; our units leave radians out."""
    if stated.base is None or unit.dimension is None:
        return True
    exponents = dict(zip(SI_BASE_UNITS, stated.base.exponents, strict=True))
    same = all(exponents[name] == unit.dimension[k] for k, name in enumerate(_OURS))
    scale = abs(stated.base.factor - unit.scale) <= _CLOSE * abs(unit.scale)
    return same and scale and abs(stated.base.offset - unit.offset) <= _CLOSE * max(abs(unit.offset), 1.0)
