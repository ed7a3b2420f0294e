"""Declarations of a class: connectors, parameters, variables and components, in this order."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.exporters.modelica.connectors import TYPES
from tellegen.exporters.modelica.lexical import string, unit_attributes
from tellegen.exporters.modelica.modifications import modifications
from tellegen.exporters.modelica.names import ClassNames, PackageNames
from tellegen.exporters.modelica.values import array_text, attribute_name, uniform, value_text, worth_writing
from tellegen.exporters.source.given_values import GivenValues, declared_values
from tellegen.exporters.source.open_inputs import OpenInputs
from tellegen.exporters.source.targets import axes
from tellegen.ir.expressions.template import WhenTemplate
from tellegen.ir.model import Array, Kind, Parameter, Port, Variable

_ATTRIBUTES = ("start", "fixed", "nominal", "min", "max", "state")


class Declarations:
    """The declarations of one class."""

    def __init__(self, package: PackageNames, kind: Kind, given: GivenValues, inputs: OpenInputs) -> None:
        self.package = package
        self.kind = kind
        self.names: ClassNames = package.of(kind)
        self.given = given
        self.inputs = inputs
        self.assigned = _assigned_variables(kind)

    def lines(self) -> list[str]:
        """All of them, a line each."""
        lines = [
            f"outer {self.package.of(kind).name} {self.names.outer_names[name]};"
            for name, kind in self.names.outers.items()
        ]
        lines += [self._port(number, port) for number, port in enumerate(self.kind.ports) if port.variables]
        lines += [self._parameter(number) for number in self._written_parameters()]
        in_ports = {number for port in self.kind.ports for number in port.variables}
        for number, variable in enumerate(self.kind.variables):
            if number not in in_ports and variable.role != "inflow":
                lines.append(self._variable(number, variable))
        return lines + self._components()

    def _written_parameters(self) -> list[int]:
        key = id(self.kind)
        return [
            number
            for number, parameter in enumerate(self.kind.parameters)
            if not parameter.literal or (key, number) in self.inputs.used
        ]

    def _parameter(self, number: int) -> str:
        parameter = self.kind.parameters[number]
        each = "each " if axes(parameter) else ""
        attributes = {f"{each}{key}": text for key, text in unit_attributes(parameter).items()}
        for key in ("min", "max"):
            values = declared_values(parameter, key)
            if values is not None and worth_writing(key, values):
                attributes |= _attribute(key, values, "real")
        values = self.given.own(number, True, "value")
        if values is None:
            values = declared_values(parameter, "value")
        binding = "" if values is None else f" = {_binding(values)}"
        name = self.names.parameters[number]
        return f"parameter Real {name}{_sizes(axes(parameter))}{_listed(attributes)}{binding}{_comment(parameter)};"

    def _variable(self, number: int, variable: Variable) -> str:
        prefix = "discrete " if variable.discrete and variable.type == "real" else ""
        attributes = self._attributes(number, variable, {})
        name = self.names.variables[number].head
        sizes = _sizes(axes(variable))
        return f"{prefix}{TYPES[variable.type]} {name}{sizes}{_listed(attributes)}{_comment(variable)};"

    def _attributes(self, number: int, variable: Variable, known: dict[str, Any], units: bool = True) -> dict[str, str]:
        """The attributes of a variable that its class does not have (`known`)."""
        each = "each " if axes(variable) else ""
        found = {f"{each}{key}": text for key, text in unit_attributes(variable).items()} if units else {}
        fixed = self._values(number, variable, "fixed")
        for key in _ATTRIBUTES:
            values = self._values(number, variable, key)
            if values is None or not values.size or (uniform(values) and known.get(key) == values.flat[0]):
                continue
            needed = key in known or (key == "start" and fixed is not None and bool(np.any(fixed)))
            if needed or worth_writing(key, values):
                found |= _attribute(key, values, variable.type)
        return found

    def _values(self, number: int, variable: Variable, key: str) -> Array | None:
        values = self.given.own(number, False, key)
        if values is None:
            values = declared_values(variable, key)
        if key == "fixed" and number in self.assigned and values is not None:
            return np.full(values.shape, 1.0, object)
        return values

    def _port(self, number: int, port: Port) -> str:
        connectors = self.package.connectors
        title = f"{connectors.class_of(self.kind, port)} {self.names.ports[number]}"
        if port.family == "signal":
            variable = self.kind.variables[port.variables[0]]
            attributes = self._attributes(port.variables[0], variable, {})
            default = next((found for found in self._open_root() if found.variable == port.variables[0]), None)
            binding = f" = {self.names.parameters[default.parameter]}" if default is not None else ""
            return f"{title}{_sizes(axes(variable))}{_listed(attributes)}{binding}{_comment(variable)};"
        parts = []
        for variable_number in port.variables:
            known = connectors.shared_attributes(self.kind, port, variable_number)
            variable = self.kind.variables[variable_number]
            attributes = self._attributes(variable_number, variable, known, units=False)
            if attributes:
                parts.append(f"{self.names.variables[variable_number].tail}{_listed(attributes)}")
        modified = f"({', '.join(parts)})" if parts else ""
        return f"{title}{_sizes((port.count,) if port.is_array else ())}{modified};"

    def _open_root(self) -> list[Any]:
        if self.kind is not self.package.model.root:
            return []
        values = {found.parameter: self._default(found.parameter) for found in self.inputs.of_root}
        return [found for found in self.inputs.of_root if values[found.parameter] is not None]

    def _default(self, parameter: int) -> Array | None:
        values = self.given.own(parameter, True, "value")
        return declared_values(self.kind.parameters[parameter], "value") if values is None else values

    def _components(self) -> list[str]:
        changed = modifications(self.package, self.given, self.inputs)
        lines = []
        for g, group in enumerate(self.kind.groups):
            title = self.package.of(group.kind).name
            for k, name in enumerate(self.names.children[g]):
                inner = "inner " if group.names[k] in self.package.inner else ""
                size = f"[{group.size}]" if group.is_array else ""
                change = changed[g, k].text() if (g, k) in changed else ""
                lines.append(f"{inner}{title} {name}{size}{change};")
        return lines


def _assigned_variables(kind: Kind) -> set[int]:
    """Variables that when-clauses of the class give values to: their start values hold until the first one acts."""
    return {
        stamp.refs[slot].member
        for stamp in kind.stamps
        if isinstance(stamp.template, WhenTemplate)
        for slot in stamp.template.assigned()
        if not stamp.refs[slot].path
    }


def _attribute(key: str, values: Array, type: str) -> dict[str, str]:
    name = attribute_name(key)
    if values.ndim and uniform(values):
        return {f"each {name}": value_text(values.flat[0], key, type)}
    return {name: array_text(values, key, type)}


def _binding(values: Array) -> str:
    if values.ndim and values.size > 8 and uniform(values):
        return f"fill({value_text(values.flat[0], 'value')}, {', '.join(map(str, values.shape))})"
    if values.ndim and not values.size:
        return f"zeros({', '.join(map(str, values.shape))})"
    return array_text(values, "value")


def _sizes(sizes: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, sizes))}]" if sizes else ""


def _listed(attributes: dict[str, str]) -> str:
    return f"({', '.join(f'{name} = {text}' for name, text in attributes.items())})" if attributes else ""


def _comment(member: Parameter | Variable) -> str:
    text = member.description
    if isinstance(member, Variable) and member.literals:
        values = ", ".join(f"{k}: {name}" for k, name in enumerate(member.literals) if name)
        text = f"{text} ({values})" if text else values
    return f" {string(text)}" if text else ""
