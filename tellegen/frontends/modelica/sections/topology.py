"""What the sections of an instance say about connections: read of all instances before anything else is."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.iterations import iterated_scopes
from tellegen.frontends.modelica.evaluation.known import known_integer
from tellegen.frontends.modelica.evaluation.references import resolve
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.removed import Removed
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.sections.calls import is_about_connections
from tellegen.frontends.modelica.sections.conditions import condition_of
from tellegen.frontends.modelica.sections.removed_connections import is_removed
from tellegen.frontends.modelica.sections.statements import Connect, End, GraphStatement, Topology
from tellegen.frontends.modelica.syntax.expressions import Expression, Reference
from tellegen.frontends.modelica.syntax.statements import (
    CallEquation,
    ConnectEquation,
    Equation,
    ForEquation,
    IfEquation,
)
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import RecordValue
from tellegen.ir.expressions.expr import Expr, Slot


def topology_of(instance: Instance) -> Topology:
    """The connections of an instance; those with an end that was conditioned away are left out."""
    topology = Topology()
    for scope in instance.chain:
        for section in scope.view.definition.sections:
            if not section.is_algorithm and not section.initial:
                _read(section.equations, scope, topology)
    return topology


def _read(equations: Iterable[Equation], scope: Scope, topology: Topology) -> None:
    for equation in equations:
        try:
            _read_one(equation, scope, topology)
        except EvaluationError as error:
            raise error.located(scope.location(equation.token)) from None


def _read_one(equation: Equation, scope: Scope, topology: Topology) -> None:
    match equation:
        case ConnectEquation():
            _connect(equation, scope, topology)
        case CallEquation() if is_about_connections(equation.call.function.name):
            _graph(equation, scope, topology)
        case IfEquation() if _connects(equation):
            _if(equation, scope, topology)
        case ForEquation() if _connects(equation):
            for inner in iterated_scopes(equation.iterators, equation.body, scope):
                _read(equation.body, inner, topology)


def _connects(equation: Equation) -> bool:
    """Whether an equation says something about connections, at whatever depth."""
    match equation:
        case ConnectEquation():
            return True
        case CallEquation():
            return is_about_connections(equation.call.function.name)
        case ForEquation():
            return any(map(_connects, equation.body))
        case IfEquation():
            return any(_connects(inner) for _, body in equation.branches for inner in body)
    return False


def _if(equation: IfEquation, scope: Scope, topology: Topology) -> None:
    for condition, body in equation.branches:
        test = condition_of(condition, scope, equation.token)
        if isinstance(test, Expr):
            raise ModelicaError(
                "E581",
                "a connection stands in an if-equation whose condition varies",
                location=scope.location(equation.token),
                advice="make the condition depend on parameters only",
            )
        if test:
            return _read(body, scope, topology)
    return None


def _connect(equation: ConnectEquation, scope: Scope, topology: Topology) -> None:
    if is_removed(equation, scope.view):
        return
    left = _end(equation.left, scope)
    right = _end(equation.right, scope)
    if isinstance(left, Removed) or isinstance(right, Removed):
        return
    outside = (_is_outside(equation.left, scope), _is_outside(equation.right, scope))
    topology.connects.append(Connect(left, right, outside, scope.location(equation.token)))


def _end(reference: Expression, scope: Scope) -> End:
    if not isinstance(reference, Reference):
        raise EvaluationError("E583", "only connectors can be connected")
    found = _removed(reference, scope) or resolve(reference, scope)
    if isinstance(found, RecordValue) or (isinstance(found, Expr) and not isinstance(found, Slot)):
        raise EvaluationError("E583", f"'{reference}' is not one connector: its subscripts vary")
    return found


def _removed(reference: Reference, scope: Scope) -> Removed | None:
    """The component on the way to an end that was conditioned away; its subscripts have no meaning."""
    found = scope.first(reference.parts[0].name)
    for part in reference.parts[1:]:
        if not isinstance(found, Entity) or isinstance(found, Removed | InstanceArray):
            break
        found = found.member(part.name)
    return found if isinstance(found, Removed) else None


def _is_outside(reference: Reference, scope: Scope) -> bool:
    """Whether an end belongs to a connector of the instance itself: its first name is one."""
    return _is_connector(scope.first(reference.parts[0].name))


def _is_connector(found: object) -> bool:
    if isinstance(found, InstanceArray):
        return _is_connector(next(found.entities.flat, None))
    if isinstance(found, VariableInstance):
        return found.is_connector
    return isinstance(found, Instance) and found.kind_of == "connector"


def _graph(equation: CallEquation, scope: Scope, topology: Topology) -> None:
    operator = equation.call.function.name.removeprefix("Connections.")
    arguments = equation.call.arguments
    count = 2 if operator == "branch" else 1
    nodes = tuple(_end(argument, scope) for argument in arguments[:count])
    if any(isinstance(node, Removed) for node in nodes):
        return
    priority = 0
    given = [*arguments[count:], *(value for name, value in equation.call.named if name == "priority")]
    if given:
        priority = known_integer(evaluate(given[0], scope), scope, "the priority of a root", equation.token)
    location = scope.location(equation.token)
    topology.graph += [GraphStatement(operator, one, priority, location) for one in _scalar_nodes(nodes)]


def _scalar_nodes(nodes: tuple[End, ...]) -> list[tuple[End, ...]]:
    """Arrays of nodes element by element."""
    if not any(isinstance(node, InstanceArray) for node in nodes):
        return [nodes]
    columns = [list(np.ravel(node.entities)) if isinstance(node, InstanceArray) else [node] for node in nodes]
    return list(zip(*columns, strict=True))
