"""Connector classes of a package: those of the model's ports, and inputs and outputs of each type.

Attributes that all ports of a connector share stand in the connector; a port modifies those that differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.exporters.modelica.lexical import identifier, quantity, string, unit_attributes
from tellegen.exporters.source.identifiers import Scope, joined
from tellegen.ir.model import Kind, Model, Port, Variable

TYPES = {"real": "Real", "integer": "Integer", "boolean": "Boolean", "enumeration": "Integer"}
_PREFIX = {"through": "flow ", "stream": "stream ", "across": ""}


@dataclass(frozen=True)
class Signature:
    """What makes two connectors the same class: names, roles, units and shapes of their variables."""

    name: str
    variables: tuple[tuple[Any, ...], ...]


class Connectors:
    """The connector classes that ports of a model need."""

    def __init__(self, model: Model, scope: Scope) -> None:
        self.names: dict[Signature, str] = {}
        self.members: dict[Signature, list[Variable]] = {}
        self.common: dict[Signature, list[dict[str, Any]]] = {}
        self.signals: dict[tuple[str, str], str] = {}
        for kind in model.kinds():
            for port in (port for port in kind.ports if port.variables):
                self._enter(kind, port, scope)

    def _enter(self, kind: Kind, port: Port, scope: Scope) -> None:
        variables = [kind.variables[number] for number in port.variables]
        if port.family == "signal":
            key = (TYPES[variables[0].type], port.connector)
            if key not in self.signals:
                self.signals[key] = scope.unique(f"{key[0]}{port.connector.capitalize()}")
            return
        found = signature(kind, port)
        shared = [_plain(variable.attributes) for variable in variables]
        if found not in self.names:
            self.names[found] = scope.unique(joined(port.connector))
            self.members[found] = variables
            self.common[found] = shared
        else:
            pairs = zip(self.common[found], shared, strict=True)
            self.common[found] = [{k: v for k, v in a.items() if b.get(k) == v} for a, b in pairs]

    def class_of(self, kind: Kind, port: Port) -> str:
        """The name of the connector class of a port."""
        if port.family == "signal":
            return self.signals[TYPES[kind.variables[port.variables[0]].type], port.connector]
        return self.names[signature(kind, port)]

    def shared_attributes(self, kind: Kind, port: Port, variable: int) -> dict[str, Any]:
        """The attributes of a port's variable that its connector already has."""
        return self.common[signature(kind, port)][port.variables.index(variable)]

    def texts(self, attributes: Any) -> list[list[str]]:
        """The connector classes as lines; `attributes` prints the attributes of a variable."""
        texts = [[f"connector {name} = {verb} {type};"] for (type, verb), name in self.signals.items()]
        for found, name in self.names.items():
            lines = [f"connector {name}"]
            for local, variable, shared in zip(found.variables, self.members[found], self.common[found], strict=True):
                named = quantity(variable.unit)
                given = {"quantity": string(named)} if named else {}
                given |= unit_attributes(variable)
                given |= attributes(variable, shared)
                sizes = f"[{', '.join(map(str, variable.shape))}]" if variable.shape else ""
                modified = f"({', '.join(f'{k} = {v}' for k, v in given.items())})" if given else ""
                comment = f" {string(variable.description)}" if variable.description else ""
                prefix = _PREFIX[variable.role]
                lines.append(f"  {prefix}{TYPES[variable.type]} {local[0]}{sizes}{modified}{comment};")
            texts.append([*lines, f"end {name};"])
        return texts


def local_name(port: Port, variable: str) -> str:
    """The name of a variable inside its connector."""
    return identifier(joined(variable[len(port.name) + 1 :]))


def signature(kind: Kind, port: Port) -> Signature:
    """The signature of a port's connector."""
    variables = [kind.variables[number] for number in port.variables]
    return Signature(
        port.connector,
        tuple((local_name(port, v.name), v.role, v.unit.text, v.shape, v.type) for v in variables),
    )


def _plain(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes that can be compared: numbers, not arrays."""
    return {key: float(np.ravel(value)[0]) for key, value in attributes.items() if np.size(value) == 1}
