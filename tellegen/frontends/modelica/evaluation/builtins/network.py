"""Operators that ask how components are connected (MLS 3.7.4.3, 9.4, 15.2).

The answers come from `translation.connections`, which kinds/ sets once all connections are known.
"""

from __future__ import annotations

from typing import Any, Protocol

from tellegen.frontends.modelica.evaluation.builtins.table import Arguments, builtin
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError, not_supported
from tellegen.frontends.modelica.values.scalars import choose, compare, without_event
from tellegen.frontends.modelica.values.value import Scalar, Value, plain
from tellegen.ir.expressions.expr import Expr, Slot


class Connections(Protocol):
    """What is known about the connections of a model."""

    def cardinality(self, connector: Any) -> int:
        """How many connect statements name a connector."""
        ...

    def is_root(self, connector: Any) -> bool:
        """Whether an overconstrained record is a root of the graph."""
        ...

    def rooted(self, connector: Any) -> bool:
        """Whether it is nearer to the root than the other end of its branch."""
        ...

    def in_stream(self, number: int) -> Expr:
        """What flows in, of the stream variable with this number."""
        ...

    def flow_of(self, number: int) -> Expr:
        """The flow variable of the same connector."""
        ...


def _connections(arguments: Arguments) -> Connections:
    translation = arguments.scope.translation
    found = getattr(translation, "connections", None)
    if found is None:
        raise NotInlinableError("E569", f"{arguments.name}(...) is used where connections are not known yet")
    return found


@builtin("cardinality")
def _cardinality(arguments: Arguments) -> Value:
    connector = arguments.entity()
    if isinstance(connector, Entity) and not connector.may_be_connected:
        raise EvaluationError(
            "E566", f"cardinality(...) is about connectors, which '{arguments.call.arguments[0]}' is not"
        )
    return _connections(arguments).cardinality(connector)


@builtin("Connections.isRoot")
def _is_root(arguments: Arguments) -> Value:
    return _connections(arguments).is_root(arguments.entity())


@builtin("Connections.rooted", "rooted")
def _rooted(arguments: Arguments) -> Value:
    return _connections(arguments).rooted(arguments.entity())


def _number(x: Scalar) -> int:
    if not isinstance(x, Slot):
        raise EvaluationError("E566", "inStream(...) and actualStream(...) take stream variables of connectors")
    return x.index


@builtin("inStream")
def _in_stream(arguments: Arguments) -> Value:
    connections = _connections(arguments)
    return mapped(lambda x: plain(connections.in_stream(_number(x))), arguments.value(0))


@builtin("actualStream")
def _actual_stream(arguments: Arguments) -> Value:
    """inStream(h) where the fluid flows in, else h."""
    connections = _connections(arguments)

    def actual(x: Scalar) -> Scalar:
        flows_in = without_event(compare(">", connections.flow_of(_number(x)), 0.0))
        return choose(flows_in, plain(connections.in_stream(_number(x))), x)

    return mapped(actual, arguments.value(0))


@builtin("getInstanceName")
def _instance_name(arguments: Arguments) -> Value:
    """The name of the model that is simulated, without its package, and the path of the component (MLS 3.7.4.4)."""
    instance = arguments.scope.instance
    if instance is None:
        return arguments.scope.path
    arguments.scope.translation.distinguished.append(instance)
    model = instance
    while model.parent is not None:
        model = model.parent
    name = model.view.path.rpartition(".")[2]
    return f"{name}.{instance.path}" if instance.path else name


@builtin("isPresent", "Connections.uniqueRoot", "Connections.uniqueRootIndices")
def _unsupported(arguments: Arguments) -> Value:
    raise not_supported(f"{arguments.name}(...)")
