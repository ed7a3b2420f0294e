"""The variables, parameters and ports of a kind, from the declarations of a class."""

from __future__ import annotations

from collections.abc import Hashable
from types import FunctionType
from typing import Any

import numpy as np

from tellegen.frontends.python.components.assembly import ports_of
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.declarations.declare import (
    ATTRIBUTES,
    PREFERENCE,
    Declaration,
    InstanceNumber,
    ParameterDecl,
    VariableDecl,
)
from tellegen.frontends.python.declarations.structural import decided, known_count
from tellegen.frontends.python.discrete.statements import inflow_name
from tellegen.frontends.python.expressions.refusal import called_with, wrong_length
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.ir.model import Parameter, Port, Variable


class Members:
    """Gathers members in the order written. Attributes that are expressions are left to `expressions`."""

    def __init__(self, instance: Any) -> None:
        self.instance = instance
        self.variables: list[Variable] = []
        self.parameters: list[Parameter] = []
        self.ports: list[Port] = []
        self.expressions: list[tuple[Declaration, str, str, Symbol]] = []  # declaration, member, attribute, value
        info = type(instance)._info
        for name, section in info.order.items():
            if section == "parameters":
                self._parameter(info.parameters[name])
            elif section == "variables":
                self._variable(info.variables[name])
        for name, port in ports_of(instance).items():
            if port._condition is None or decided(instance, port._condition):
                count = -1 if port._count is None else known_count(instance, port)
                self._port(port._typed(instance), name, count, name)

    def _attributes(self, decl: Declaration, member: str, values: dict[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for attribute, value in values.items():
            if value is None:
                continue
            if isinstance(value, FunctionType):  # of the component: `start=lambda self: self.medium.density(...)`
                value = called_with(self.instance, value, f"{attribute} of '{member}'")
            if isinstance(value, Symbol):
                self.expressions.append((decl, member, attribute, value))
            elif attribute == "fixed":
                kept[attribute] = np.asarray(value, dtype=bool).astype(float)
            else:
                what = f"{attribute} of '{member}'"
                kept[attribute] = decl.convert(value, what, decl.location)
                needed = int(np.prod(self.instance._shape_of(decl)))
                if kept[attribute].size not in (1, needed):
                    raise wrong_length(what, needed, kept[attribute].size, decl.location)
        return kept

    def _parameter(self, decl: ParameterDecl) -> None:
        values = {"value": self.instance._own.get(decl.name, decl.value), "min": decl.min, "max": decl.max}
        self.parameters.append(
            Parameter(
                name=decl.name,
                unit=decl.unit,
                description=decl.description,
                shape=self.instance._shape_of(decl),
                location=decl.location,
                attributes=self._attributes(decl, decl.name, values),
                numbered=isinstance(decl, InstanceNumber),
            )
        )

    def _variable(self, decl: VariableDecl, path: str = "", count: int = -1, array_name: str = "") -> int:
        name = f"{path}.{decl.name}" if path else decl.name
        own = self.instance._own
        values = {key: own.get(f"{name}:{key}", decl.attributes.get(key)) for key in ATTRIBUTES}
        shape = self.instance._shape_of(decl)
        shared: dict[str, Any] = {
            "unit": decl.unit,
            "description": decl.description,
            "shape": shape,
            "array": count,
            "array_name": array_name,
            "location": decl.location,
        }
        kinds = {key: getattr(decl, key) for key in ("type", "literals", "discrete", "initial_parameter")}
        attributes = self._attributes(decl, name, values)
        attributes["state"] = own.get(f"{name}:state", PREFERENCE[decl.state])
        self.variables.append(Variable(name=name, role=decl.role, attributes=attributes, **shared, **kinds))
        number = len(self.variables) - 1
        if decl.role == "stream":
            self.variables.append(
                Variable(name=inflow_name(name), role="inflow", attributes=attributes, **shared, **kinds)
            )
        if decl.role in ("input", "output"):
            size = self.variables[number].size
            self.ports.append(
                Port(name, decl.role, "signal", (number,), size, bool(shape) or count >= 0, decl.location)
            )
        if decl.role == "input":
            given = {"value": own.get(f"{name}:default", decl.attributes.get("default"))}
            default = self._attributes(decl, f"{name}.default", given)
            self.parameters.append(Parameter(name=f"{name}.default", **shared, attributes=default, literal=True))
        return number

    def _port(self, port: Connector, path: str, count: int, array_name: str) -> None:
        info = type(port)._info
        physical: list[int] = []
        for decl in info.variables.values():
            number = self._variable(decl, path, count, array_name if count >= 0 else "")
            if decl.role in ("across", "through", "stream"):
                physical.append(number)
        if physical:
            size = 1 if count < 0 else count
            connector = type(port).__name__
            shared = (size, count >= 0, port._location, port._must_connect)
            self.ports.append(Port(path, connector, port._family, tuple(physical), *shared))
        for inner in info.ports.values():
            self._port(inner, f"{path}.{inner._name}", count, array_name)


def plain(value: object) -> Any:
    """A hashable stand-in for a structural value."""
    if isinstance(value, np.ndarray):
        return ("array", value.shape, value.tobytes())
    if isinstance(value, (list, tuple)):
        return tuple(plain(item) for item in value)
    if isinstance(value, dict):
        return tuple((key, plain(item)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, bool):
        return ("bool", value)  # True is not the number 1
    return value if isinstance(value, Hashable) else ("object", id(value))
