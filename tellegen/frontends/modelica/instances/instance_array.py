"""Arrays of components, and arrays of their elements: `r`, `r.p`, `r.p.v` where r is an array of resistors."""

from __future__ import annotations

import numpy as np

from tellegen.frontends.modelica.instances.modifier import stacked
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import FunctionValue, Value


class InstanceArray(Entity):
    """Entities of one declared component, in an object array."""

    __slots__ = ("_shape", "entities", "name", "path")

    def __init__(self, name: str, path: str, entities: np.ndarray) -> None:
        self.name = name
        self.path = path
        self.entities = entities
        self._shape: tuple[int, ...] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array, then that of each element."""
        if self._shape is None:
            first = next(self.entities.flat, None)
            inner = first.shape if isinstance(first, Entity | np.ndarray) else ()
            self._shape = self.entities.shape + inner
        return self._shape

    def member(self, name: str) -> Entity | Value | ClassView | None:
        found = [entity.member(name) for entity in self.entities.flat]
        if found and isinstance(found[0], ClassView | FunctionValue):
            advice = "name it through its class, or through a component that is not an array"
            raise EvaluationError(
                "E576", f"{self.path} is an array of components, whose classes cannot be named", advice
            )
        if found and found[0] is None:
            return None
        return InstanceArray(name, f"{self.path}.{name}", _array(found, self.entities.shape))

    def index(self, subscripts: tuple[Subscript, ...]) -> Entity | Value:
        rank = self.entities.ndim
        if len(subscripts) > rank:
            return self._inside(subscripts[:rank], subscripts[rank:])
        self._check_bounds(subscripts)
        picked = _picked(self.entities, subscripts)
        if isinstance(picked, np.ndarray):
            return InstanceArray(self.name, self.path, picked)
        return picked

    def _check_bounds(self, subscripts: tuple[Subscript, ...]) -> None:
        for subscript, size in zip(subscripts, self.entities.shape, strict=False):
            positions = [subscript] if isinstance(subscript, int) else subscript
            for position in positions if isinstance(positions, list) else ():
                if not 0 <= position < size:
                    raise EvaluationError(
                        "E567", f"{self.path} has {size} elements, there is none of number {position + 1}"
                    )

    def _inside(self, outer: tuple[Subscript, ...], inner: tuple[Subscript, ...]) -> Entity | Value:
        """Subscripts beyond those of the array belong to each element: `(r.x)[2, 1]`."""
        picked = self.index(outer)
        if not isinstance(picked, InstanceArray):
            assert isinstance(picked, Entity)
            return picked.index(inner)
        parts = [entity.index(inner) for entity in picked.entities.flat]
        if all(isinstance(part, Entity) for part in parts):
            return InstanceArray(self.name, self.path, _array(parts, picked.entities.shape))
        return stacked(parts, picked.entities.shape)

    def value(self) -> Value:
        return stacked([entity.value() for entity in self.entities.flat], self.entities.shape)


def _array(entities: list, shape: tuple[int, ...]) -> np.ndarray:
    result = np.empty(len(entities), dtype=object)
    for position, entity in enumerate(entities):
        result[position] = entity
    return result.reshape(shape)


def _picked(entities: np.ndarray, subscripts: tuple[Subscript, ...]):
    """The elements at subscripts, lists of positions taken independently of each other."""
    axis = 0
    for subscript in subscripts:
        if isinstance(subscript, int):
            entities = entities[(slice(None),) * axis + (subscript,)]
            continue
        if isinstance(subscript, list):
            entities = np.take(entities, subscript, axis=axis)
        axis += 1
    return entities
