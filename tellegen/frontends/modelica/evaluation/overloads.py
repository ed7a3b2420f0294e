"""Operators and constructors that operator records define (MLS 14).

operator record Complex ... encapsulated operator '*' function multiply ... function scalarProduct ...
a*b with a Complex and b Real      ->      '*'.multiply(a, Complex.'constructor'.fromReal(b))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from tellegen.frontends.modelica.evaluation.calls import call_function, construct_record
from tellegen.frontends.modelica.evaluation.declarations import Declared, elements_of, rank_of
from tellegen.frontends.modelica.evaluation.functions import signature_of
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import simple_type
from tellegen.frontends.modelica.values.arrays import shape_of
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.operators import Operators
from tellegen.frontends.modelica.values.scalars import is_boolean
from tellegen.frontends.modelica.values.value import EnumerationValue, RecordValue, Value, describe
from tellegen.ir.expressions.expr import Expr


def operators_of(scope: Scope) -> Operators:
    """The operators as they work in a scope."""
    return Operators(partial(apply_operator, scope), scope.literal)


def apply_operator(scope: Scope, operator: str, operands: tuple[Value, ...]) -> Value:
    """An operator of which at least one operand is a record."""
    candidates = [function for view in _record_classes(operands) for function in _functions(view, f"'{operator}'")]
    arity = len(operands)
    found = [function for function in candidates if _matches(function, operands, arity)]
    if len(found) == 1:
        return _first(call_function(found[0], operands, {}, scope))
    if not found and arity == 2:
        converted = _converted(candidates, operands, scope)
        if converted is not None:
            return converted
    if not found and arity == 1 and operator == "+":
        return operands[0]
    problem = "is ambiguous" if found else "is not defined"
    raise EvaluationError("E572", f"'{operator}' {problem} for {' and '.join(map(describe, operands))}")


def _first(results: Value | tuple[Value, ...]) -> Value:
    return results[0] if isinstance(results, tuple) else results


def _record_classes(operands: Sequence[Value]) -> list[ClassView]:
    views: list[ClassView] = []
    for operand in operands:
        view = _record_class(operand)
        own = operator_class(view) if view is not None else None
        if own is not None and all(own.definition is not other.definition for other in views):
            views.append(own)
    return views


def _record_class(value: Value) -> ClassView | None:
    if isinstance(value, np.ndarray):
        return _record_class(value.flat[0]) if value.size else None
    return value.view if isinstance(value, RecordValue) else None


def operator_class(view: ClassView) -> ClassView:
    """The operator record that a class is, or stands for as a short class."""
    while view.definition.short is not None and view.bases():
        view = view.bases()[0].view
    return view


def _functions(view: ClassView, name: str) -> Iterator[ClassView]:
    """The functions of an operator, which is a package of them or one of its own."""
    found = operator_class(view).find(name)
    if not isinstance(found, ClassView):
        return
    if "function" in found.restriction:
        yield found
        return
    if found.component_names():
        what = f"the operator {found.path} has a component '{found.component_names()[0]}'; it may hold functions only"
        raise EvaluationError("E572", what)
    for inside in found.class_names():
        function = found.find(inside)
        if isinstance(function, ClassView):
            yield function


def _matches(function: ClassView, operands: Sequence[Value], given: int) -> bool:
    """Whether the first inputs are of the operands' types, and all others have defaults."""
    inputs = signature_of(function).inputs
    elements = elements_of(function)
    if len(inputs) < given or any(_is_required(elements[name]) for name in inputs[given:]):
        return False
    return all(_accepts(elements[name], operand) for name, operand in zip(inputs, operands, strict=False))


def _is_required(declared: Declared) -> bool:
    return all(modification.value is None for modification, _ in declared.all_modifiers(()))


def _accepts(declared: Declared, value: Value) -> bool:
    """Whether an input takes a value, an Integer also where Real is wanted."""
    if rank_of(declared) != len(shape_of(value)):
        return False
    sample = value.flat[0] if isinstance(value, np.ndarray) and value.size else value
    kind = declared.element.type()
    simple = simple_type(kind)
    if isinstance(sample, RecordValue):
        return simple is None and isinstance(kind, ClassView) and _is_same_record(kind, sample)
    if simple is None:
        return False
    if isinstance(sample, Expr):
        return (simple.base == "Boolean") == is_boolean(sample) and simple.base != "String"
    if isinstance(sample, bool):
        return simple.base == "Boolean"
    if isinstance(sample, str):
        return simple.base == "String"
    if isinstance(sample, EnumerationValue):
        return simple.base == "enumeration"
    return simple.base == "Real" or (simple.base == "Integer" and isinstance(sample, int))


def _is_same_record(kind: ClassView, value: RecordValue) -> bool:
    return value.view is not None and operator_class(kind).definition is operator_class(value.view).definition


def _converted(candidates: Sequence[ClassView], operands: tuple[Value, ...], scope: Scope) -> Value | None:
    """The one way to make the operands fit by converting one of them with a constructor of one argument."""
    ways: list[tuple[ClassView, ClassView, int]] = []
    for function in candidates:
        inputs = signature_of(function).inputs
        elements = elements_of(function)
        for position in (0, 1):
            kind = elements[inputs[position]].element.type() if len(inputs) > 1 else None
            if isinstance(kind, ClassView) and _accepts(elements[inputs[1 - position]], operands[1 - position]):
                for constructor in _functions(kind, "'constructor'"):
                    if _matches(constructor, (operands[position],), 1):
                        ways.append((function, constructor, position))
    if len(ways) != 1:
        return None
    function, constructor, position = ways[0]
    made = _first(call_function(constructor, (operands[position],), {}, scope))
    pair = (made, operands[1]) if position == 0 else (operands[0], made)
    return _first(call_function(function, pair, {}, scope))


def construct(view: ClassView, positional: Sequence[Value], named: Mapping[str, Value], scope: Scope) -> Value:
    """A record by its class name: through a constructor that fits, else field by field."""
    found = []
    for function in _functions(view, "'constructor'"):
        signature = signature_of(function)
        if set(named) <= set(signature.inputs[len(positional) :]) and len(positional) <= len(signature.inputs):
            found.append(function)
    if not found:
        return construct_record(view, positional, named, scope)
    fitting = []
    for function in found:
        elements = elements_of(function)
        inputs = signature_of(function).inputs
        given = {**dict(zip(inputs, positional, strict=False)), **named}
        if all(_takes(elements[name], value) for name, value in given.items()):
            fitting.append(function)
    exact = [function for function in fitting if len(signature_of(function).inputs) == len(positional) + len(named)]
    if len(exact) > 1:
        names = " and ".join(function.path for function in exact[:2])
        raise EvaluationError("E572", f"the constructor of {view.path} is ambiguous: {names} take the same")
    if fitting:
        if len(signature_of(fitting[0]).outputs) != 1:
            raise EvaluationError("E572", f"the constructor {fitting[0].path} does not have one output")
        return _first(call_function(fitting[0], positional, named, scope))
    given_text = ", ".join(map(describe, (*positional, *named.values())))
    raise EvaluationError("E572", f"no constructor of {view.path} takes {given_text}")


def _takes(declared: Declared, value: Value) -> bool:
    """Whether an input takes a value or, element by element, an array of such values."""
    if isinstance(value, np.ndarray) and value.ndim > rank_of(declared):
        return not value.size or _takes(declared, value[0])
    return _accepts(declared, value)


def zero_of(view: ClassView, scope: Scope) -> Value | None:
    """What '0' of an operator record gives, for empty sums."""
    for function in _functions(view, "'0'"):
        return _first(call_function(function, (), {}, scope))
    return None
