"""Modifications: what a class gives to the members of its components, `motor(R = 2.0, inertia(w(start = 1.0)))`."""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.exporters.modelica.names import ClassNames, MemberName, PackageNames
from tellegen.exporters.modelica.values import array_text, attribute_name, uniform, value_text
from tellegen.exporters.source.given_values import Address, GivenValues
from tellegen.exporters.source.open_inputs import OpenInputs
from tellegen.ir.model import Array, Kind


@dataclass
class Modification:
    """The modifications of one element: of its own attributes, and of elements inside it."""

    values: dict[str, str] = field(default_factory=dict)
    inner: dict[str, Modification] = field(default_factory=dict)

    def at(self, name: str) -> Modification:
        """The modification of an element inside."""
        return self.inner.setdefault(name, Modification())

    def text(self) -> str:
        """In parentheses; empty where nothing is modified."""
        parts = [f"{name} = {value}" for name, value in self.values.items()]
        parts += [f"{name}{below.text()}" for name, below in self.inner.items()]
        return f"({', '.join(parts)})" if parts else ""


def modifications(package: PackageNames, given: GivenValues, inputs: OpenInputs) -> dict[tuple[int, int], Modification]:
    """The modification of every child that has one, by group and child (0 for the whole of an array)."""
    found: dict[tuple[int, int], Modification] = {}
    for address, kind, values in given.below():
        if address.parameter and not _is_written(kind, address.number, inputs):
            continue
        if not address.parameter and kind.variables[address.number].role == "inflow":
            continue
        group, child = address.steps[0]
        top = found.setdefault((group, max(child, 0)), Modification())
        _enter(package, given.kind, top, address, values)
    return found


def _is_written(kind: Kind, number: int, inputs: OpenInputs) -> bool:
    """Whether a parameter is declared in its class: defaults of inputs only where one is open."""
    return not kind.parameters[number].literal or (id(kind), number) in inputs.used


def _enter(package: PackageNames, kind: Kind, place: Modification, address: Address, values: Array) -> None:
    below = kind.groups[address.steps[0][0]].kind
    for group, child in address.steps[1:]:
        place = place.at(package.of(below).children[group][max(child, 0)])
        below = below.groups[group].kind
    names: ClassNames = package.of(below)
    if address.parameter:
        directly = address.steps[-1][1] < 0 and len(address.steps) == 1
        if directly and values.ndim == 1 and uniform(values):
            place.values[f"each {names.parameters[address.number]}"] = value_text(values.flat[0], "value")
        else:
            place.values[names.parameters[address.number]] = array_text(values, "value")
        return
    variable = below.variables[address.number]
    member: MemberName = names.variables[address.number]
    place = place.at(member.head)
    if member.tail:
        place = place.at(member.tail)
    place.values[attribute_name(address.attribute)] = array_text(values, address.attribute, variable.type)
