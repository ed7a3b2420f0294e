"""The model description of an FMU as records, the same for FMI 2.0 and 3.0.

FMI 2.0 has fewer types (Real, Integer) and names variables by their position, FMI 3.0 by value references. Here types
have the names of FMI 3.0 (Real is Float64, Integer is Int32), and one variable names another by its position in
`ModelDescription.variables`, counted from 0: value references are unique within a type only in FMI 2.0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Version = Literal["2.0", "3.0"]
Causality = Literal[
    "parameter", "calculatedParameter", "structuralParameter", "input", "output", "local", "independent"
]
Variability = Literal["constant", "fixed", "tunable", "discrete", "continuous"]
Initial = Literal["exact", "approx", "calculated"]
Kind = Literal["dependent", "constant", "fixed", "tunable", "discrete"]
Value = float | int | bool | str

FLOATS = ("Float64", "Float32")
INTEGERS = ("Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64")
BASES = (*FLOATS, *INTEGERS, "Boolean", "String", "Binary", "Enumeration", "Clock")
CAUSALITIES = ("parameter", "calculatedParameter", "structuralParameter", "input", "output", "local", "independent")
VARIABILITIES = ("constant", "fixed", "tunable", "discrete", "continuous")
INITIALS = ("exact", "approx", "calculated")
KINDS = ("dependent", "constant", "fixed", "tunable", "discrete")
SI_BASE_UNITS = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")


@dataclass(frozen=True)
class DisplayUnit:
    """A unit in which people read a quantity: value in it = factor * value in the unit + offset."""

    name: str
    factor: float = 1.0
    offset: float = 0.0
    inverse: bool = False


@dataclass(frozen=True)
class BaseUnit:
    """A unit in SI base units: value in these = factor * value in the unit + offset."""

    exponents: tuple[int, ...]
    """Of SI_BASE_UNITS, in their order."""
    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Unit:
    """A unit by its name; without `base` nothing is known of it."""

    name: str
    base: BaseUnit | None = None
    display: tuple[DisplayUnit, ...] = ()


@dataclass(frozen=True)
class EnumerationItem:
    """One value of an enumeration."""

    name: str
    value: int
    description: str = ""


@dataclass(frozen=True)
class Attributes:
    """What a variable or the type it is declared with says about its values."""

    quantity: str = ""
    unit: str = ""
    display_unit: str = ""
    relative: bool = False
    """A difference of temperatures, for example: offsets of units do not apply."""
    minimum: float | None = None
    maximum: float | None = None
    nominal: float | None = None


@dataclass(frozen=True)
class TypeDefinition:
    """A type that variables refer to by its name."""

    name: str
    base: str
    attributes: Attributes = Attributes()
    description: str = ""
    items: tuple[EnumerationItem, ...] = ()


@dataclass(frozen=True)
class Dimension:
    """The length of an array along one of its axes: a number, or a variable (by its position) that holds it."""

    size: int | None = None
    variable: int | None = None


@dataclass(frozen=True)
class Alias:
    """Another name of a variable."""

    name: str
    description: str = ""
    display_unit: str = ""


@dataclass(frozen=True)
class Variable:
    """One variable; `start` has an entry for each element of an array, in row-major order."""

    name: str
    reference: int
    base: str = "Float64"
    causality: Causality = "local"
    variability: Variability = "continuous"
    initial: Initial | None = None
    description: str = ""
    declared_type: str = ""
    attributes: Attributes = Attributes()
    start: tuple[Value, ...] | None = None
    derivative_of: int | None = None
    """The position of the variable whose time derivative this is."""
    may_jump: bool = False
    """A state that the FMU may set to another value at an event (`reinit`)."""
    dimensions: tuple[Dimension, ...] = ()
    aliases: tuple[Alias, ...] = ()
    set_once_per_instant: bool = False


@dataclass(frozen=True)
class Unknown:
    """An unknown of the model structure, and which known variables it depends on (None: perhaps on all)."""

    variable: int
    dependencies: tuple[int, ...] | None = None
    kinds: tuple[Kind, ...] | None = None


@dataclass(frozen=True)
class Structure:
    """Which variables are outputs, derivatives of states, unknown at the start, and event indicators (FMI 3.0)."""

    outputs: tuple[Unknown, ...] = ()
    derivatives: tuple[Unknown, ...] = ()
    initial_unknowns: tuple[Unknown, ...] = ()
    event_indicators: tuple[Unknown, ...] = ()


@dataclass(frozen=True)
class Interface:
    """What an FMU offers, whichever way it is used."""

    identifier: str
    """The name of its library, without extension."""
    needs_execution_tool: bool = False
    only_one_instance: bool = False
    keeps_state: bool = False
    """Its state can be saved and restored."""
    serializes_state: bool = False
    directional_derivatives: bool = False
    adjoint_derivatives: bool = False
    source_files: tuple[str, ...] = ()
    element_dependencies: bool = False
    """Its library says what each element of an array depends on (FMI 3.0)."""


@dataclass(frozen=True)
class ModelExchange(Interface):
    """An FMU of equations, which the importer integrates."""

    needs_completed_step: bool = True


@dataclass(frozen=True)
class CoSimulation(Interface):
    """An FMU that integrates itself from one communication point to the next."""

    variable_step: bool = False
    fixed_internal_step: float | None = None
    interpolates_inputs: bool = False
    output_derivative_order: int = 0
    intermediate_update: bool = False
    might_return_early: bool = False
    can_return_early: bool = False
    """After an intermediate update, if the importer asks for it."""
    event_mode: bool = False


@dataclass(frozen=True)
class DefaultExperiment:
    """How its author would run it."""

    start: float | None = None
    stop: float | None = None
    tolerance: float | None = None
    step: float | None = None


@dataclass(frozen=True)
class LogCategory:
    """A kind of messages that can be switched on."""

    name: str
    description: str = ""


@dataclass(frozen=True)
class Origin:
    """Who made it, with what, and under which terms."""

    author: str = ""
    version: str = ""
    copyright: str = ""
    license: str = ""
    tool: str = ""
    time: str = ""


@dataclass(frozen=True)
class ModelDescription:
    """The file modelDescription.xml of an FMU."""

    version: Version
    name: str
    token: str
    """`guid` of FMI 2.0, `instantiationToken` of FMI 3.0."""
    variables: tuple[Variable, ...]
    structure: Structure = Structure()
    model_exchange: ModelExchange | None = None
    co_simulation: CoSimulation | None = None
    scheduled_execution: bool = False
    description: str = ""
    origin: Origin = Origin()
    structured_names: bool = False
    units: tuple[Unit, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    log_categories: tuple[LogCategory, ...] = ()
    experiment: DefaultExperiment = DefaultExperiment()
    event_indicator_count: int = 0
    """FMI 2.0 states their number; in FMI 3.0 it is that of the elements of `structure.event_indicators`."""

    def with_aliases(self) -> ModelDescription:
        """With the aliases of FMI 3.0 as variables of their own after all others, as FMI 2.0 has them."""
        named = [
            Variable(
                *(alias.name, variable.reference, variable.base),
                variability=variable.variability,
                description=alias.description,
                declared_type=variable.declared_type,
                attributes=replace(variable.attributes, display_unit=alias.display_unit),
                dimensions=variable.dimensions,
            )
            for variable in self.variables
            for alias in variable.aliases
        ]
        return replace(self, variables=(*self.variables, *named))

    def attributes_of(self, variable: Variable) -> Attributes:
        """The attributes of a variable, those of its declared type where it has none of its own."""
        declared = next((known for known in self.types if known.name == variable.declared_type), None)
        if declared is None:
            return variable.attributes
        own, default = variable.attributes, declared.attributes
        return Attributes(
            quantity=own.quantity or default.quantity,
            unit=own.unit or default.unit,
            display_unit=own.display_unit or default.display_unit,
            relative=own.relative or default.relative,
            minimum=default.minimum if own.minimum is None else own.minimum,
            maximum=default.maximum if own.maximum is None else own.maximum,
            nominal=default.nominal if own.nominal is None else own.nominal,
        )
