"""Ranges and iterators: for loops, array comprehensions and reductions step through the same values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluates
from tellegen.frontends.modelica.evaluation.known import known, resting
from tellegen.frontends.modelica.evaluation.references import resolve
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import literals
from tellegen.frontends.modelica.syntax.expressions import Comprehension, Expression, Part, Range, Reference
from tellegen.frontends.modelica.syntax.expressions import Iterator as LoopIterator
from tellegen.frontends.modelica.values.arrays import shape_of, stack
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value, describe


def iterated_scopes(iterators: Sequence[LoopIterator], body: object, scope: Scope) -> Iterator[Scope]:
    """The scope with the iterators' values, for every combination; the last iterator runs fastest."""
    if not iterators:
        yield scope
        return
    first = iterators[0]
    for value in iterator_values(first, body, scope):
        yield from iterated_scopes(iterators[1:], body, scope.with_locals({first.name: value}))


def iterator_values(iterator: LoopIterator, body: object, scope: Scope, in_algorithm: bool = False) -> list[Value]:
    """The values of one iterator; without a range they are all subscripts it is used as in the body."""
    if iterator.range is None:
        return implied_values(iterator.name, body, scope)
    if isinstance(iterator.range, Reference):
        found = resolve(iterator.range, scope)
        if isinstance(found, ClassView | Builtin):
            return values_of_type(found)
    value = evaluate(iterator.range, scope)
    if not isinstance(value, np.ndarray):
        raise EvaluationError("E566", f"'{iterator.name}' iterates over a vector, not {describe(value)}")
    if value.ndim != 1:
        raise EvaluationError("E566", f"'{iterator.name}' iterates over a vector, not {describe(value)}")
    if in_algorithm:
        value = resting(value, scope)
    return list(known(value, scope, f"the range of '{iterator.name}'"))


def values_of_type(found: ClassView | Builtin) -> list[Value]:
    """All values of an enumeration or of Boolean."""
    if isinstance(found, Builtin):
        if found.name == "Boolean":
            return [False, True]
        raise EvaluationError("E566", f"'{found.name}' has too many values to iterate over")
    names = literals(found)
    if names is None:
        raise EvaluationError("E566", f"{found.path} is not an enumeration, so it has no values to iterate over")
    return [EnumerationValue(found.path, names, ordinal) for ordinal in range(1, len(names) + 1)]


def implied_values(name: str, body: object, scope: Scope) -> list[Value]:
    """1:size(x, k) of an array with the iterator as subscript k (MLS 10.4.1)."""
    for reference in _references(body):
        for position, part in enumerate(reference.parts):
            for dimension, subscript in enumerate(part.subscripts):
                if isinstance(subscript, Reference) and str(subscript) == name:
                    whole = (*reference.parts[:position], Part(part.name))
                    found = resolve(Reference(whole, reference.token, reference.is_global), scope)
                    shape = found.shape if isinstance(found, Entity) else shape_of(found)
                    kind = _index_type(found, dimension, reference, position, scope)
                    return list(range(1, shape[dimension] + 1)) if kind is None else values_of_type(kind)
    raise EvaluationError("E566", f"'{name}' has no range, and is not used as a subscript that would imply one")


def _index_type(
    found: object, dimension: int, reference: Reference, position: int, scope: Scope
) -> ClassView | Builtin | None:
    """The enumeration, or Boolean, whose values are the subscripts of a dimension; None where Integers are."""
    if not isinstance(found, Entity) and position == 0:
        found = scope.before_assignment().first(reference.parts[0].name)  # an algorithm has assigned to it
    return found.index_type(dimension) if isinstance(found, Entity) else None


def _references(node: object) -> Iterator[Reference]:
    if isinstance(node, Reference):
        yield node
    if isinstance(node, tuple | list):
        for item in node:
            yield from _references(item)
    elif is_dataclass(node):
        for field in fields(node):
            yield from _references(getattr(node, field.name))


@evaluates(Range)
def evaluate_range(node: Range, scope: Scope) -> Value:
    """start:step:stop as a vector."""
    ends = [node.start, node.stop] if node.step is None else [node.start, node.stop, node.step]
    start, stop, *step = (known(evaluate(end, scope), scope, "an end of a range", node.token) for end in ends)
    if isinstance(start, EnumerationValue):
        return stack([EnumerationValue(start.type, start.literals, k) for k in range(start.ordinal, stop.ordinal + 1)])
    if isinstance(start, bool):
        return stack([value for value in (False, True) if start <= value <= stop])
    return stack(_numbers(start, step[0] if step else 1, stop))


def _numbers(start: Any, step: Any, stop: Any) -> list[Value]:
    for number in (start, step, stop):
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise EvaluationError("E566", f"a range is made of numbers, not of {describe(number)}")
    if step == 0:
        raise EvaluationError("E571", "the step of a range is zero")
    count = math.floor((stop - start) / step + 1e-9) + 1
    return [start + k * step for k in range(max(count, 0))]


@evaluates(Comprehension)
def evaluate_comprehension(node: Comprehension, scope: Scope) -> Value:
    """{body for i in r1, j in r2}: the last iterator is the first dimension (MLS 10.4.1.1)."""
    return _nested(node.body, node.iterators, scope)


def _nested(body: Expression, iterators: tuple[LoopIterator, ...], scope: Scope) -> Value:
    if not iterators:
        return evaluate(body, scope)
    last = iterators[-1]
    values = iterator_values(last, body, scope)
    parts = [_nested(body, iterators[:-1], scope.with_locals({last.name: value})) for value in values]
    return stack(parts) if parts else np.empty((0,) * len(iterators), dtype=object)


def comprehended(node: Comprehension, scope: Scope) -> list[Value]:
    """The values of the body one after the other, for reductions."""
    return [evaluate(node.body, inner) for inner in iterated_scopes(node.iterators, node.body, scope)]
