"""Components made from a Model: what another front end or a document made, as a part of Python's classes.

    motor = component_class(model)(R=2.0)     its parameters, variables, ports and children under their names

Nothing is traced again: the kind of such a component is that of the model. Members whose names Python could not write
(`plug.pin[1].v`) are there in results.
"""

from __future__ import annotations

from dataclasses import replace
from keyword import iskeyword
from typing import Any

from tellegen.errors import LanguageError, users_call
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.declarations.class_info import READ_AS, RESERVED
from tellegen.frontends.python.declarations.declare import ATTRIBUTES, Declaration, ParameterDecl, VariableDecl
from tellegen.ir.model import PYTHON_RULES, Kind, Member, Model, Parameter, Port, Rules, Variable
from tellegen.ir.source_location import here


class ModelComponent(Component):
    """Base of components made from a Model."""

    _rules: Rules = PYTHON_RULES

    def build(self) -> None:
        """Children come into being when somebody looks at them."""
        for group in self._kind.groups if self._kind is not None else ():
            if group.is_array:
                continue
            child_class = _class_of(group.kind, self._rules)
            for name in group.names:
                if _usable(name, child_class):
                    setattr(self, name, child_class())


@users_call
def component_class(model: Any) -> Any:
    """A class of components that are the root of a model; values given to them go on top of the model's own."""
    if not isinstance(model, Model):
        advice = "what tg.read_markup gives for a document of version 2; components have their class already"
        raise LanguageError("E151", f"a Model is needed, not {model!r}", location=here(), advice=advice)
    if model.visuals or model.root.mechanics:
        what = f"{model.name} has frames, which only the model that holds the whole mechanism can compose"
        raise LanguageError(
            "E151", what, location=here(), advice="use the components themselves instead of their Model"
        )
    root = replace(model.root, settings=(*model.root.settings, *model.settings))
    cls = _class_of(root, model.rules)
    cls._experiment = model.experiment
    return cls


_CLASSES: dict[tuple[int, Rules], type[Component]] = {}


def _class_of(kind: Kind, rules: Rules) -> type[Component]:
    found = _CLASSES.get((id(kind), rules))
    if found is None or found._kind is not kind:
        found = _CLASSES[id(kind), rules] = _make_class(kind, rules)
    return found


def _make_class(kind: Kind, rules: Rules) -> type[Component]:
    body: dict[str, Any] = {"__doc__": kind.description or None, "_kind": kind, "_rules": rules}
    members = [*map(_parameter, kind.parameters), *map(_variable, kind.variables)]
    ports = _ports(kind)
    for name, declared in [*members, *ports.items()]:
        if _usable(name, declared) and not hasattr(ModelComponent, name):
            body[name] = declared
    return type(kind.name.rpartition(".")[2], (ModelComponent,), body)


def _usable(name: str, declared: Any) -> bool:
    """Whether a name can be an attribute in Python, and the language leaves it to members."""
    if not name.isidentifier() or iskeyword(name) or name in RESERVED or name.startswith("_"):
        return False
    return name not in READ_AS or not isinstance(declared, Declaration)


def _parameter(member: Parameter) -> tuple[str, ParameterDecl]:
    value = member.attributes.get("value")
    bounds = (member.attributes.get("min"), member.attributes.get("max"))
    declared = ParameterDecl(value, None, member.description, structural=False, bounds=bounds, shape=member.shape)
    return member.name, _described(declared, member)


def _variable(member: Variable) -> tuple[str, VariableDecl]:
    attributes = {name: member.attributes.get(name) for name in ATTRIBUTES}
    kind = {"type": member.type, "literals": member.literals, "discrete": member.discrete}
    declared = VariableDecl(None, member.description, member.shape, member.role, attributes, **kind)
    return member.name, _described(declared, member)


def _described(declared: Any, member: Member) -> Any:
    declared.unit = member.unit
    declared.location = member.location
    return declared


def _ports(kind: Kind) -> dict[str, Connector]:
    """The connectors of a kind; one that has others inside stands for all of them."""
    found: dict[str, Connector] = {}
    for name, ports in _by_first_name(kind).items():
        if ports[0].family == "signal" and ports[0].name in kind.variable_index:
            continue  # a signal is declared as a variable
        alone = len(ports) == 1 and ports[0].name == name
        found[name] = _connector(kind, ports[0]) if alone else _Nested("")
    return found


def _by_first_name(kind: Kind) -> dict[str, list[Port]]:
    found: dict[str, list[Port]] = {}
    for port in kind.ports:
        found.setdefault(port.name.partition(".")[0], []).append(port)
    return found


class _Nested(Connector):
    """A connector that is made of others."""


def _connector(kind: Kind, port: Port) -> Connector:
    """A connector with the variables of a port, as a class of its own."""
    body: dict[str, Any] = {"overdetermined": True}
    for number in port.variables:
        variable = kind.variables[number]
        _, declared = _variable(variable)
        body[variable.name[len(port.name) + 1 :]] = declared
    cls = type(port.connector.rpartition(".")[2], (Connector,), body)
    cls._family = port.family
    connector = cls()
    if port.is_array:
        connector._count = port.count
    return connector
