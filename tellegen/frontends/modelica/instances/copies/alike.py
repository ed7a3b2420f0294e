"""Whether elements of an array of components are alike: what modifiers say about each of them, compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.frontends.modelica.instances.instance import Instance, NotAlikeError
from tellegen.frontends.modelica.instances.modifier import Modifier
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.syntax.expressions import Colon
from tellegen.frontends.modelica.values.value import Value, is_known, scalars
from tellegen.ir.expressions.expr import Expr, Slot, walk

STRUCTURAL_ATTRIBUTES = ("fixed", "stateSelect", "unit")


def outermost_copy(instance: Instance) -> Instance | None:
    """The copy that an instance is in or is itself, if any; the outermost of several."""
    found = None
    around: Instance | None = instance
    while around is not None:
        if around.copy_of is not None:
            found = around
        around = around.parent
    return found


def is_by_position(modifier: Modifier | None, instance: Instance) -> bool:
    """Whether a modifier from outside of an instance may say something else about each element of an array."""
    if modifier is None or modifier.level >= instance.depth:
        return False
    return any(isinstance(step, int) for step in modifier.steps)


def has_value_by_position(variable: VariableInstance) -> bool:
    """Whether the elements of an array of components around a variable may give it different values."""
    around: Instance | None = variable.owner
    while around is not None:
        if around.position and is_by_position(variable.binding, around):
            return True
        around = around.parent
    return False


def varies(variable: VariableInstance) -> bool:
    """Whether a parameter may have another value in copies of components around it."""
    if variable.variability != "parameter" or variable.binding is None:
        return False
    if has_value_by_position(variable):
        return True
    translation = variable.owner.translation
    return any(varies(translation.variable_of(number)[0]) for number in _numbers_in(variable.bound()))


def _numbers_in(value: Value) -> set[int]:
    found = [scalar for scalar in scalars(value) if isinstance(scalar, Expr)]
    return {node.index for node in walk(*found) if isinstance(node, Slot)}


def decides(variable: VariableInstance, instance: Instance) -> bool:
    """Whether a variable is part of the structure, and elements of the array may differ in it."""
    if not any(is_by_position(modifier, instance) for modifier in variable.modifiers):
        return False
    if variable.variability not in ("continuous", "parameter") or variable.base != "Real":
        return True
    if variable.variability == "parameter":
        is_evaluated = any(layout.evaluate for layout in variable.declarations())
        if variable.final or is_evaluated or _is_needed(variable):
            return True
    if any(isinstance(dimension.size, Colon) for dimension in variable.layout.dimensions):
        return True
    return any(is_by_position(variable.attribute_modifier(name), instance) for name in STRUCTURAL_ATTRIBUTES)


def are_alike(copy: Instance, deciding: Iterable[VariableInstance]) -> bool:
    """Whether variables of a copy agree with those of its original."""
    try:
        return all(_agree(variable, copy.counterpart(variable)) for variable in deciding)
    except NotAlikeError:
        return False


def _agree(variable: VariableInstance, other: VariableInstance) -> bool:
    if any(not same(variable.attribute(name), other.attribute(name)) for name in STRUCTURAL_ATTRIBUTES):
        return False
    value = variable.value()
    if is_known(value):
        return same(value, other.value())
    if variable.sizes != other.sizes or variable.variability != other.variability:
        return False
    return not _is_needed(variable) or have_same_value(variable, other)


def have_same_value(variable: VariableInstance, other: VariableInstance) -> bool:
    """Whether a parameter that is needed as a number has the same one in a copy, which is structural then too."""
    purpose = "an array of components"
    with variable.owner.translation.peek():
        if other.is_free() or not same(variable.known_value(purpose), other.known_value(purpose)):
            return False
    other.known_value(purpose)
    return True


def _is_needed(variable: VariableInstance) -> bool:
    """Whether the value of a parameter was needed as a number, here or in the original of a copy."""
    translation = variable.owner.translation
    first = variable.first_number
    return any(translation.original(number) in translation.structural for number in range(first, first + variable.size))


def same(a: Any, b: Any) -> bool:
    """Whether two plain values are equal."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and all(map(same, a.flat, b.flat))
    return type(a) is type(b) and bool(a == b)
