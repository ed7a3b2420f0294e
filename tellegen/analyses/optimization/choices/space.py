"""The space of choices: all its shapes, which are the models that implementations make of a system.

An interface may stand inside of an implementation ("controller.pwm" in a discrete controller); where another one is
chosen there is nothing to choose inside of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.choices.options import Choice, Option, Options
from tellegen.analyses.optimization.choices.shape import Shape, Task
from tellegen.analyses.optimization.formulation.evaluation import Asked
from tellegen.stages import bind_model, implementation_for, interface_at


@dataclass(frozen=True, eq=False)
class Place:
    """A combination: the shape by its number, and the options picked of its lists."""

    shape: int
    picked: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and (self.shape, self.picked) == (other.shape, other.picked)

    def __hash__(self) -> int:
        return hash((self.shape, self.picked))


class Space:
    """All shapes of a system."""

    def __init__(self, task: Task, model: Any, options: Options) -> None:
        self.task = task
        self.model = model
        self.options = options

    def __getstate__(self) -> dict[str, Any]:
        """For another machine: all shapes, and without classes of the user."""
        _ = self.shapes
        return {**self.__dict__, "model": None, "options": self.options.without_models()}

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """With every implementation for every interface."""
        ordered = sorted(self.options.keys, key=lambda key: key.count("."))
        found = _bound(self.model, self.options.lists, ordered)
        return tuple(Shape(self.task, model, self._in_order(lists)) for model, lists in found)

    def ask(self, asked: Asked) -> None:
        """Ask for something else with the same performance functions: other limits."""
        self.task = replace(self.task, asked=asked)
        for shape in self.shapes:
            shape.ask(self.task)

    def __len__(self) -> int:
        """How many combinations there are."""
        return sum(len(shape.options) for shape in self.shapes)

    def drawn(self, count: int) -> list[Place]:
        """Some combinations at random, the same every time."""
        random = np.random.default_rng(0)
        sizes = np.array([len(shape.options) for shape in self.shapes], float)
        found: dict[Place, None] = {}
        for shape in random.choice(len(sizes), count, p=sizes / sizes.sum()).tolist():
            lists = self.shapes[shape].options.lists.values()
            found[Place(shape, tuple(int(random.integers(0, len(listed))) for listed in lists))] = None
        return list(found)

    def choice(self, place: Place) -> Choice:
        """A combination."""
        return self.shapes[place.shape].options.choice(place.picked)

    def _in_order(self, lists: dict[str, tuple[Option, ...]]) -> Options:
        return Options({key: lists[key] for key in self.options.keys if key in lists})


def _bound(
    model: Any, lists: dict[str, tuple[Option, ...]], keys: list[str]
) -> Iterator[tuple[Any, dict[str, tuple[Option, ...]]]]:
    """Models with implementations for all keys, and the options that are left for each of these."""
    if not keys:
        yield model, {}
        return
    key, *others = keys
    listed = lists[key]
    if all(option.implementation is None for option in listed):
        for bound, left in _bound(model, lists, others):
            yield bound, {key: listed, **left}
    elif interface_at(model, key) is None:
        yield from _bound(model, lists, others)
    else:
        for implementation, group in _by_implementation(model, key, listed).items():
            for bound, left in _bound(bind_model(model, key, implementation), lists, others):
                yield bound, {key: tuple(group), **left}


def _by_implementation(model: Any, key: str, listed: tuple[Option, ...]) -> dict[Any, list[Option]]:
    """The options of a list by the class they stand for; their values are parameters of the model."""
    groups: dict[Any, list[Option]] = {}
    for option in listed:
        found = implementation_for(model, key, option.implementation)
        if found.example is None:
            values = {f"{key}.{name}": value for name, value in found.values.items()}
            own = Option(option.label, {**values, **option.parameters}, found.model)
            groups.setdefault(found.model, []).append(own)
        else:  # its parts may have values of their own
            groups[found.example] = [Option(option.label, option.parameters, found.example)]
    return groups
