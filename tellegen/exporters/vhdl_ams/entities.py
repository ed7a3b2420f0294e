"""The entity of a kind: its generics and its ports, and what stands in generic maps of its instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.exporters.source.given_values import Address, GivenValues, declared_values
from tellegen.exporters.vhdl_ams.initial_values import InitialValues
from tellegen.exporters.vhdl_ams.lexical import comment, number
from tellegen.exporters.vhdl_ams.names import EntityNames, refused, vhdl_type
from tellegen.ir.model import Array, Kind, Parameter, Variable


def ranged(kind_of: str, member: Variable | Parameter) -> str:
    """A type with its range: arrays of any shape are vectors, row after row."""
    return f"{kind_of}_vector(0 to {member.size - 1})" if member.shape or member.array >= 0 else kind_of


def value_text(value: Any, type: str = "real") -> str:
    """One value; expressions are already written."""
    if isinstance(value, str):
        return value
    if type == "boolean":
        return "true" if value else "false"
    return str(round(value)) if type == "integer" else number(value)


def values_text(values: Array, type: str = "real") -> str:
    """A value, or an aggregate for an array."""
    if values.ndim == 0:
        return value_text(values.item(), type)
    return "(" + ", ".join(f"{k} => {value_text(value, type)}" for k, value in enumerate(values.ravel())) + ")"


@dataclass
class GivenAround:
    """What components around a kind give: start values of these variables, values of these parameters."""

    starts: set[int] = field(default_factory=set)
    parameters: set[int] = field(default_factory=set)


class Entity:
    """Generics and ports of one kind."""

    def __init__(self, names: EntityNames, given: GivenValues, initial: InitialValues, around: GivenAround) -> None:
        self.names = names
        self.kind: Kind = names.kind
        self.given = given
        self.initial = initial
        held = [n for n in initial.held(self.kind) if not _in_connector(self.kind, n)]
        self.starts = {n: names.scope.unique(f"{names.variables[n]}_start".strip("\\")) for n in held}
        self.starts |= {
            n: names.scope.unique(f"{names.variables[n]}_start".strip("\\"))
            for n in sorted(around.starts)
            if n in names.signals and n in names.variables
        }
        self.flags = {
            n: names.scope.unique(f"{names.variables[n]}_fixed".strip("\\"))
            for n in held
            if (id(self.kind), n) in initial.sometimes
        }

        self.overridden = {
            n: names.scope.unique(f"{names.parameters[n]}_given".strip("\\"))
            for n in sorted(around.parameters)
            if self.is_computed(n)
        }

    def lines(self) -> list[str]:
        """The entity declaration."""
        lines = [f"entity {self.names.name} is{comment(self.kind.description)}"]
        lines += _listed("generic", self.generics())
        lines += _listed("port", self.ports())
        return [*lines, f"end entity {self.names.name};"]

    def generics(self) -> list[tuple[str, str]]:
        """Declarations and comments."""
        found = []
        for n, parameter in enumerate(self.kind.parameters):
            if not parameter.literal and not self.is_computed(n) and parameter.size:
                values = self.given.own(n, True, "value")
                values = declared_values(parameter, "value") if values is None else values
                default = "" if values is None else f" := {values_text(values)}"
                about = f"{parameter.unit.text} {parameter.description}"
                found.append((f"{self.names.parameters[n]} : {ranged('real', parameter)}{default}", about))
        for n in sorted(self.overridden):
            found.append((f"{self.overridden[n]} : real := real'low", "instead of what is computed, where it is given"))
        for n, name in self.starts.items():
            variable = self.kind.variables[n]
            if self.has_computed_start(n):
                continue
            kind_of = vhdl_type(variable)
            found.append((f"{name} : {ranged(kind_of, variable)} := {self.start_value(n)}", "start value"))
        found += [(f"{name} : boolean := true", "begins at its start value") for name in self.flags.values()]
        return found

    def start_value(self, n: int) -> str:
        """The start value that the class declares or computes."""
        variable = self.kind.variables[n]
        values = self.given.own(n, False, "start")
        values = declared_values(variable, "start") if values is None else values
        assert values is not None
        return values_text(values, vhdl_type(variable))

    def has_computed_start(self, n: int) -> bool:
        """Whether a start value is an expression of parameters, and so a constant of the architecture."""
        values = self.given.own(n, False, "start")
        return values is not None and any(isinstance(value, str) for value in values.ravel())

    def is_computed(self, n: int) -> bool:
        """Whether a parameter is an expression of others, and so a constant of the architecture."""
        values = self.given.own(n, True, "value")
        return values is not None and any(isinstance(value, str) for value in values.ravel())

    def ports(self) -> list[tuple[str, str]]:
        """Terminals, quantities and signals."""
        found = [(f"terminal {pin.name} : {pin.nature}", "") for pins in self.names.pins.values() for pin in pins]
        for n, variable in enumerate(self.kind.variables):
            if variable.role in ("input", "output") or n in self.names.exposed:
                name = self.names.seen.get(n) or self.names.variables[n]
                found.append((port_text(name, variable, n in self.names.signals), variable.description))
        return found


def port_text(name: str, variable: Variable, is_signal: bool) -> str:
    """A quantity or signal of a port list."""
    if is_signal:
        return (
            f"signal {name} : {'in' if variable.role == 'input' else 'buffer'} {ranged(vhdl_type(variable), variable)}"
        )
    return f"quantity {name} : {'in' if variable.role == 'input' else 'out'} {ranged('real', variable)}"


def _in_connector(kind: Kind, number: int) -> bool:
    return any(number in port.variables for port in kind.ports if port.family != "signal")


def _listed(word: str, items: list[tuple[str, str]]) -> list[str]:
    if not items:
        return []
    lines = [f"  {word} ("]
    for k, (text, about) in enumerate(items):
        lines.append(f"    {text}{';' if k + 1 < len(items) else ''}{comment(about)}")
    return [*lines, "  );"]


def generic_map(entity: Entity, values: dict[Address, Array], child: int) -> list[str]:
    """What an instance is given; `entity` is that of the part."""
    found = []
    for address, given in values.items():
        own = given[child] if address.steps[0][1] < 0 else given
        if address.parameter and not entity.kind.parameters[address.number].literal:
            name = entity.overridden.get(address.number) or entity.names.parameters[address.number]
            found.append(f"{name} => {values_text(np.asarray(own, object))}")
        elif address.attribute == "start" and address.number in entity.starts:
            if entity.has_computed_start(address.number):
                raise refused("a start value that is computed in a class and given to its instances", entity.kind)
            type = vhdl_type(entity.kind.variables[address.number])
            found.append(f"{entity.starts[address.number]} => {values_text(np.asarray(own, object), type)}")
    return found
