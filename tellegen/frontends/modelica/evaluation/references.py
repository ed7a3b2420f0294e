"""Component references: a.b[2].c, slices, `end`, subscripts that vary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.errors import nearest
from tellegen.frontends.modelica.evaluation.class_scope import PackageConstant, class_member
from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluates
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.evaluation.subscripts.varying_elements import Position, at_varying
from tellegen.frontends.modelica.evaluation.subscripts.varying_position import varying_position
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.predefined import MEMBERS, Builtin
from tellegen.frontends.modelica.syntax.expressions import (
    Colon,
    EndOfDimension,
    Expression,
    FieldAccess,
    Number,
    Part,
    Reference,
    Subscripted,
)
from tellegen.frontends.modelica.values.arrays import field_of, replaced, select, shape_of, where
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import compare
from tellegen.frontends.modelica.values.value import (
    EnumerationValue,
    FunctionValue,
    RecordValue,
    Value,
    describe,
)
from tellegen.ir.expressions.expr import TIME, Expr


@evaluates(Reference)
def evaluate_reference(reference: Reference, scope: Scope) -> Value:
    """What a name evaluates to; a function's name is the function itself."""
    found = resolve(reference, scope)
    if isinstance(found, Builtin) and found.name == "time":
        _check_time(scope)
    if isinstance(found, Entity) and found.is_conditional(scope.instance):
        advice = "name a conditional component in connect equations and modifications only"
        raise EvaluationError("E559", f"'{reference}' is used, but exists only under a condition", advice)
    return value_of(found)


def _check_time(scope: Scope) -> None:
    """`time` exists in models and blocks (MLS 3.6.7)."""
    kind = scope.view.restriction.split()[-1]
    if kind in ("function", "record", "connector", "type"):
        raise EvaluationError("E576", f"`time` is not known in a {kind}", "make it an input, or use it in a model")


def value_of(found: Any) -> Value:
    """What something found by name evaluates to."""
    if isinstance(found, Entity):
        return found.value()
    if isinstance(found, ClassView):
        if found.restriction.endswith("function"):
            return FunctionValue(found)
        raise EvaluationError("E576", f"{found.path} is a {found.restriction}, not a value")
    if isinstance(found, Builtin):
        if found.name == "time":
            return TIME
        raise EvaluationError("E576", f"'{found.name}' is a predefined {found.kind}, not a value")
    return found


def resolve(reference: Reference, scope: Scope) -> Any:
    """What a reference names, not read yet: an Entity, a Value, a ClassView or a Builtin."""
    head, *rest = reference.parts
    found = _first(reference, head, scope)
    if head.subscripts:
        found = indexed(found, head.subscripts, scope)
    for part in rest:
        if part is rest[0]:
            _check_outer(head.name, part.name, scope)
        found = member_of(found, part.name)
        if isinstance(found, PackageConstant) and found.element.component.outer and scope.instance is not None:
            found = scope.instance.nearest_inner(part.name) or found
        if part.subscripts:
            found = indexed(found, part.subscripts, scope)
    return found


def _check_outer(name: str, member: str, scope: Scope) -> None:
    """Of an outer component those elements are known that its own class has (MLS 5.4)."""
    if scope.instance is None or scope.view not in scope.instance.layout.classes:
        return
    layout = scope.instance.layout.elements.get(name)
    if layout is None or not layout.outer or layout.type.simple is not None:
        return
    view = layout.type.view
    if view.find(member) is None and not _is_expandable(view):
        raise EvaluationError("E576", f"{view.path}, the class of the outer component '{name}', has no '{member}'")


def _is_expandable(view: ClassView) -> bool:
    return view.restriction == "expandable connector"


def _first(reference: Reference, head: Part, scope: Scope) -> Any:
    views = scope.view.views
    if reference.is_global:
        found = class_member(views.root, head.name)
    else:
        found = scope.first(head.name)
    if found is None:
        found = views.predefined(head.name)
    if found is None:
        scope.view.resolve(reference)  # raises, with names that are similar
        raise EvaluationError("E576", f"'{head.name}' is not defined here")
    return found


def member_of(found: Any, name: str) -> Any:
    """The element `name` of something found by name."""
    inside: Any = None
    if isinstance(found, Entity):
        inside = found.member(name)
    elif isinstance(found, ClassView):
        inside = class_member(found, name)
        if isinstance(inside, PackageConstant) and "constant" in inside.element.prefixes:
            _check_constant(found, name)
        elif isinstance(inside, ClassView) and not found.is_public(name) and found.restriction == "package":
            raise EvaluationError("E552", f"'{name}' cannot be named here: it is protected in {found.path}")
    elif isinstance(found, Builtin):
        inside = MEMBERS.get(found.name, {}).get(name)
    elif isinstance(found, RecordValue | np.ndarray):
        inside = field_of(found, name)
    if inside is None:
        raise _no_member(found, name)
    return inside


def _check_constant(view: ClassView, name: str) -> None:
    """A constant named through its class is public, and the class is complete and holds no variables (MLS 5.3.2)."""
    if name in view.reachable:
        return
    reason = ""
    if not view.is_public(name):
        reason = f"it is protected in {view.path}"
    elif view.definition.partial:
        reason = f"{view.path} is partial"
    elif not view.is_package_like():
        reason = f"{view.path} is a {view.restriction} with variables, not a package"
    if reason:
        raise EvaluationError("E552", f"'{name}' cannot be named here: {reason}")
    view.reachable.add(name)


def _no_member(found: Any, name: str) -> EvaluationError:
    view = found if isinstance(found, ClassView) else getattr(found, "view", None)
    if not isinstance(view, ClassView):
        return EvaluationError("E576", f"{describe(found)} has no element '{name}'")
    similar = nearest(name, [*view.component_names(), *view.class_names(), *view.contents.literals])
    return EvaluationError("E576", f"{view.path} has no element '{name}'", similar)


def indexed(found: Any, subscripts: Sequence[Expression], scope: Scope) -> Any:
    """Something found by name with subscripts."""
    shape = found.shape if isinstance(found, Entity) else shape_of(found)
    if isinstance(found, Entity):
        _check_subscripts(found, subscripts)
    at = positions(subscripts, shape, scope)
    if all(isinstance(position, int | slice | list) for position in at):
        plain: Any = at
        return found.index(plain) if isinstance(found, Entity) else select(found, plain)
    return at_varying(value_of(found), at, scope)


def _check_subscripts(array: Entity, subscripts: Sequence[Expression]) -> None:
    """Refuse a number as subscript of a dimension that has the values of an enumeration."""
    for dimension, subscript in enumerate(subscripts):
        if isinstance(subscript, Number) and array.index_type(dimension) is not None:
            raise EvaluationError("E566", f"a subscript is a value of {array.index_type(dimension)!r}, not a number")


def positions(subscripts: Sequence[Expression], shape: tuple[int, ...], scope: Scope) -> tuple[Position, ...]:
    """Subscripts of an array of this shape, evaluated."""
    if len(subscripts) > len(shape):
        raise EvaluationError("E567", f"{len(subscripts)} subscripts for an array with {len(shape)} dimensions")
    return tuple(_position(subscript, size, scope) for subscript, size in zip(subscripts, shape, strict=False))


def _position(subscript: Expression, size: int, scope: Scope) -> Position:
    if isinstance(subscript, Number) and isinstance(subscript.value, int):
        return subscript.value - 1
    if isinstance(subscript, Colon):
        return slice(None)
    if not isinstance(subscript, Reference):
        scope = scope.with_locals({"end": size})
    value = evaluate(subscript, scope)
    if isinstance(value, np.ndarray):
        return [_ordinal(element) for element in value.flat]
    return varying_position(value, subscript, size, scope) if isinstance(value, Expr) else _ordinal(value)


def _ordinal(value: Value) -> int:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value - 1
    if isinstance(value, EnumerationValue):
        return value.ordinal - 1
    if isinstance(value, float) and value.is_integer():
        return int(value) - 1
    raise EvaluationError("E566", f"a subscript is an Integer, not {describe(value)}")


@evaluates(EndOfDimension)
def _end(_: EndOfDimension, scope: Scope) -> Value:
    found = scope.first("end")
    if found is None:
        raise EvaluationError("E576", "'end' has a meaning inside subscripts only")
    return found


@evaluates(Subscripted)
def _subscripted(node: Subscripted, scope: Scope) -> Value:
    return value_of(indexed(evaluate(node.expression, scope), node.subscripts, scope))


@evaluates(FieldAccess)
def _field(node: FieldAccess, scope: Scope) -> Value:
    found = member_of(evaluate(node.expression, scope), node.field.name)
    return value_of(indexed(found, node.field.subscripts, scope) if node.field.subscripts else found)


# ------------------------------------------------------------------ assignments to parts


def put(current: Value, parts: Sequence[Part], value: Value, scope: Scope) -> Value:
    """`current` (what parts[0] names) with the part that all of `parts` name replaced."""
    head, *rest = parts
    if not head.subscripts:
        return _put_field(current, rest, value, scope)
    if not isinstance(current, np.ndarray):
        raise EvaluationError("E567", f"'{head.name}' has subscripts, but is {describe(current)}")
    at = positions(head.subscripts, current.shape, scope)
    return _put_at(current, at, rest, value, scope)


def _put_at(current: Value, at: tuple[Position, ...], rest: Sequence[Part], value: Value, scope: Scope) -> Value:
    for dimension, position in enumerate(at):
        if isinstance(position, Expr) and isinstance(current, np.ndarray):
            return _put_where_meant(current, at, dimension, rest, value, scope)
    if rest:
        value = _put_field(select(current, at), rest, value, scope)  # type: ignore[arg-type]
    return replaced(current, at, value)  # type: ignore[arg-type]


def _put_where_meant(
    current: np.ndarray, at: tuple[Position, ...], varying: int, rest: Sequence[Part], value: Value, scope: Scope
) -> np.ndarray:
    """The array with a part replaced whose position along a dimension varies: each one where it is the one meant."""
    index = at[varying]
    others = (*at[:varying], *at[varying + 1 :])
    result = current.copy()
    for k in range(current.shape[varying]):
        along = (*[slice(None)] * varying, slice(k, k + 1))
        old = current[along].squeeze(varying)
        new = _put_at(old, others, rest, value, scope)
        meant = compare("==", index, k + 1)  # type: ignore[arg-type]
        result[along] = np.expand_dims(where(meant, new, old), varying)  # type: ignore[arg-type]
    return result


def _put_field(current: Value, rest: Sequence[Part], value: Value, scope: Scope) -> Value:
    if not rest:
        if isinstance(current, np.ndarray) and current.size and shape_of(value) != current.shape:
            raise EvaluationError("E567", f"{describe(value)} is assigned to {describe(current)}")
        return value
    if not isinstance(current, RecordValue) or rest[0].name not in current.fields:
        raise EvaluationError("E576", f"{describe(current)} has no field '{rest[0].name}'")
    name = rest[0].name
    return current.with_field(name, put(current.fields[name], rest, value, scope))
