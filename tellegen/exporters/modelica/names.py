"""The names of a package: of its classes, and in each class of components, connectors, variables and parameters.

Connectors of connectors and signals of connectors become components of their own (`bus.a` is `bus_a`), since every
connection of the model is one of plain connectors or signals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tellegen.exporters.modelica.connectors import Connectors, local_name
from tellegen.exporters.modelica.lexical import RESERVED, identifier
from tellegen.exporters.source.identifiers import Scope, joined
from tellegen.exporters.source.loops import Affine
from tellegen.exporters.source.targets import Target, follow
from tellegen.flatten.outer_components import outer_kinds
from tellegen.ir.model import Kind, Model, Parameter, Ref


@dataclass(frozen=True)
class MemberName:
    """A variable as `head`, or as `head.tail` inside a connector; `inflow` marks the arriving value of a stream."""

    head: str
    tail: str = ""
    inflow: bool = False


class ClassNames:
    """The names in the class of one kind."""

    def __init__(self, kind: Kind, name: str, outers: dict[str, Kind], package: Scope) -> None:
        self.kind = kind
        self.name = name
        self.outers = outers
        self.scope = Scope(identifier, package.taken)
        self.outer_names = {outer: self.scope.unique(outer) for outer in outers}
        self.children = tuple(tuple(self.scope.unique(name) for name in group.names) for group in kind.groups)
        self.ports = tuple(self.scope.unique(joined(port.name)) for port in kind.ports)
        self.parameters = tuple(self.scope.unique(joined(parameter.name)) for parameter in kind.parameters)
        self.variables = tuple(self._variables())

    def _variables(self) -> list[MemberName]:
        inside = {
            number: (port, ident)
            for port, ident in zip(self.kind.ports, self.ports, strict=True)
            for number in port.variables
        }
        found: list[MemberName] = []
        for number, variable in enumerate(self.kind.variables):
            if variable.role == "inflow":
                stream = found[number - 1]
                found.append(MemberName(stream.head, stream.tail, inflow=True))
            elif number not in inside:
                found.append(MemberName(self.scope.unique(joined(variable.name))))
            elif inside[number][0].family == "signal":
                found.append(MemberName(inside[number][1]))
            else:
                port, ident = inside[number]
                found.append(MemberName(ident, local_name(port, variable.name)))
        return found


class PackageNames:
    """The names of all classes of a model's package."""

    def __init__(self, model: Model, package: str) -> None:
        self.model = model
        self.package = identifier(package)
        self.scope = Scope(identifier, RESERVED)
        self.connectors = Connectors(model, self.scope)
        self.outers = outer_kinds(model)
        titles = {id(kind): self.scope.unique(joined(kind.name)) for kind in model.kinds()}
        self.classes = {
            id(kind): ClassNames(kind, titles[id(kind)], self.outers[id(kind)], self.scope) for kind in model.kinds()
        }

    @cached_property
    def inner(self) -> frozenset[str]:
        """The names of components that others see as outer components."""
        return frozenset(name for outers in self.outers.values() for name in outers)

    def of(self, kind: Kind) -> ClassNames:
        """The names in the class of a kind."""
        return self.classes[id(kind)]

    def target(self, kind: Kind, ref: Ref) -> Target:
        """What a ref of a kind leads to."""
        return follow(kind, ref, self.outers[id(kind)])

    def reference(self, kind: Kind, target: Target, subscripts: Sequence[Affine], counters: Sequence[str]) -> str:
        """The component reference of a target, seen from a kind."""
        names = self.of(kind)
        parts: list[str] = []
        if target.outer:
            parts.append(names.outer_names[target.outer])
            names = self.of(names.outers[target.outer])
        for group, subscript in zip(target.groups, subscripts, strict=False):
            found = next(g for g, known in enumerate(names.kind.groups) if known is group)
            if group.is_array:
                parts.append(f"{names.children[found][0]}[{subscript.text(counters, 1)}]")
            else:
                parts.append(names.children[found][subscript.start])
            names = self.of(group.kind)
        rest = [subscript.text(counters, 1) for subscript in subscripts[len(target.groups) :]]
        if isinstance(target.member, Parameter):
            parts.append(names.parameters[target.number] + _subscripted(rest))
            return ".".join(parts)
        member = names.variables[target.number]
        if member.tail:
            own = 1 if target.member.array >= 0 else 0
            parts += [member.head + _subscripted(rest[:own]), member.tail + _subscripted(rest[own:])]
        else:
            parts.append(member.head + _subscripted(rest))
        text = ".".join(parts)
        return f"inStream({text})" if member.inflow else text


def _subscripted(subscripts: list[str]) -> str:
    return f"[{', '.join(subscripts)}]" if subscripts else ""
