"""Ranges and iterators: for loops, array comprehensions and reductions step through the same values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluates
from tellegen.frontends.modelica.evaluation.known import known, resting, varies
from tellegen.frontends.modelica.evaluation.references import resolve
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import literals
from tellegen.frontends.modelica.syntax.expressions import Comprehension, Expression, Part, Range, Reference
from tellegen.frontends.modelica.syntax.expressions import Iterator as LoopIterator
from tellegen.frontends.modelica.values.arrays import shape_of, stack
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value, describe
from tellegen.start.records import dataclass


def iterated_scopes(
    iterators: Sequence[LoopIterator], body: object, scope: Scope, may_vary: bool = False
) -> Iterator[Scope]:
    """The scope with the iterators' values, for every combination; the last iterator runs fastest."""
    if not iterators:
        yield scope
        return
    first = iterators[0]
    for value in iterator_values(first, body, scope, may_vary):
        yield from iterated_scopes(iterators[1:], body, scope.with_locals({first.name: value}), may_vary)


def iterator_values(iterator: LoopIterator, body: object, scope: Scope, may_vary: bool = False) -> list[Value]:
    """The values of one iterator; without a range they are all subscripts it is used as in the body.

    They are known, or of a vector whose elements vary the elements, where the language does not ask for parameters.
    """
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
    rested = resting(value, scope) if may_vary else value
    if may_vary and varies(rested, scope):
        return value.tolist()
    return list(known(rested, scope, f"the range of '{iterator.name}'"))


@dataclass(frozen=True)
class VaryingRange:
    """A range of which an end varies."""

    start: Value
    stop: Value
    step: int


def varying_range(iterator: LoopIterator, scope: Scope) -> VaryingRange | None:
    """The range of an iterator of an algorithm where an end of it varies; None for all others."""
    if not isinstance(iterator.range, Range):
        return None
    start, stop = evaluate(iterator.range.start, scope), evaluate(iterator.range.stop, scope)
    if isinstance(start, EnumerationValue) or not (varies(start, scope) or varies(stop, scope)):
        return None
    if scope.recorder is None and (scope.translation is None or scope.literal):
        return None  # a function is compiled as a whole
    step = 1 if iterator.range.step is None else known(evaluate(iterator.range.step, scope), scope, "a step")
    if not isinstance(step, int) or not step:
        raise NotInlinableError("E569", f"the range of '{iterator.name}' needs an Integer as its step: an end varies")
    return VaryingRange(start, stop, step)


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
    values = iterator_values(last, body, scope, may_vary=True)
    parts = [_nested(body, iterators[:-1], scope.with_locals({last.name: value})) for value in values]
    return stack(parts) if parts else np.empty((0,) * len(iterators), dtype=object)


def comprehended(node: Comprehension, scope: Scope) -> list[Value]:
    """The values of the body one after the other, for reductions."""
    scopes = iterated_scopes(node.iterators, node.body, scope, may_vary=True)
    return [evaluate(node.body, inner) for inner in scopes]
