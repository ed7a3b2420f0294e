"""tg.model_space: all models that a system of interfaces can stand for, counted, listed, restricted, drawn, saved."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from os import PathLike
from typing import Any

from tellegen.errors import BindingError, nearest, users_call
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.bind import bind
from tellegen.ir.source_location import here
from tellegen.model_space import storage
from tellegen.model_space.drawing import drawing
from tellegen.model_space.grow import Growth
from tellegen.model_space.restrict import Candidate, Restriction, restricted
from tellegen.model_space.text import tree_lines
from tellegen.model_space.tree import Binding, Slot, binding_at, default_binding, walk
from tellegen.sheet import page_html

_SHOWN = 120  # lines in print()


@dataclass(frozen=True, eq=False, repr=False)
class ModelSpace:
    """The AND-OR tree of a system. Iterating gives bindings, `{path: implementation}`, which tg.bind takes."""

    name: str
    slots: tuple[Slot, ...]
    system: Any = field(default=None, compare=False)  # None for a space that was loaded

    @cached_property
    def count(self) -> int:
        """The number of induced trees, that is of models; nothing is enumerated for it."""
        return prod(slot.count for slot in self.slots)

    @property
    def default(self) -> Binding:
        """The implementations bound now, and defaults elsewhere."""
        return default_binding(self.slots)

    @property
    def candidates(self) -> dict[str, tuple[str, ...]]:
        """The names of the candidates of every interface, by path."""
        return {path: tuple(one.name for one in slot.alternatives) for path, slot, _ in walk(self.slots)}

    @users_call
    def __len__(self) -> int:
        if self.count > sys.maxsize:
            what = f"len() of Python cannot count {number_text(self.count)}"
            raise BindingError("E808", what, location=here(), advice="space.count is their number, however many")
        return self.count

    def __iter__(self) -> Iterator[Binding]:
        return (binding_at(self.slots, k) for k in range(self.count))

    def __getitem__(self, number: int) -> Binding:
        """Binding number `number`, in the order of iteration, without those before it."""
        k = number + self.count if number < 0 else number
        if not 0 <= k < self.count:
            raise IndexError(f"there are {self.count} models")  # ends the protocol of sequences
        return binding_at(self.slots, k)

    @users_call
    def sample(self, number: int, seed: int = 0) -> list[Binding]:
        """Different bindings at random, all equally likely."""
        drawn = random.Random(seed)
        most = min(number, self.count)
        if 2 * most > self.count:
            return [self[k] for k in drawn.sample(range(self.count), most)]
        numbers: dict[int, None] = {}
        while len(numbers) < most:
            numbers[drawn.randrange(self.count)] = None
        return [self[k] for k in numbers]

    @users_call
    def restrict(
        self,
        only: Mapping[str, str | Sequence[str]] | None = None,
        *,
        tags: str | Sequence[str] = (),
        domains: Sequence[str] | None = None,
        phenomena: Sequence[str] = (),
        within_limits: bool = False,
        keep: Callable[[Candidate], bool] | None = None,
    ) -> ModelSpace:
        """The part of the space that fulfils all conditions.

        `only` names candidates by path, with patterns: {"motor": "complex", "*.pwm": ["sla", "sm"]}. `tags` compare
        what implementations say of themselves: "cost <= 3"; one that says nothing stays. `domains` are those that ports
        and parts may be of. Where some candidates have a required phenomenon and others do not, those that have it
        stay. `within_limits` drops implementations whose parameters would be out of their declared bounds. `keep` is a
        function of a Candidate.
        """
        wanted = Restriction(
            tuple((pattern, _names(given)) for pattern, given in (only or {}).items()),
            _names(tags),
            None if domains is None else frozenset(domains),
            tuple(phenomena),
            within_limits,
            keep,
        )
        return ModelSpace(self.name, restricted(self.slots, wanted), self.system)

    @users_call
    def bind(self, binding: Mapping[str, Any] | int | None = None) -> Any:
        """The system with a binding: one of these, its number, or none for the default."""
        if self.system is None:
            what = "a model space that was loaded knows no system"
            raise BindingError("E808", what, location=here(), advice="tg.bind(system, space[k])")
        if isinstance(binding, int):
            if not -self.count <= binding < self.count:
                what = f"there is no model number {binding}"
                advice = f"there are {number_text(self.count)}, counted from 0"
                raise BindingError("E808", what, location=here(), advice=advice)
            binding = self[binding]
        return bind(self.system, self.default if binding is None else binding)

    @users_call
    def svg(self, path: str | PathLike[str] | None = None, colors: Mapping[tuple[str, str], str] | None = None) -> str:
        """The tree as a drawing in SVG, written to a file if there is a path.

        `colors` gives candidates a colour: {("motor", "ideal"): "#8c8"}.
        """
        text = drawing(self.name, self.slots, colors or {})
        if path is not None:
            storage.write_text(path, text)
        return text

    @users_call
    def save(self, path: str | PathLike[str]) -> None:
        """Write the tree as JSON, candidates that are still open included; `tg.model_space(path)` reads it."""
        storage.write_text(path, storage.to_json(self.name, self.slots))

    def __repr__(self) -> str:
        return f"<ModelSpace of {self.name}: {number_text(self.count)}>"

    def __str__(self) -> str:
        lines = [f"{self.name}: {number_text(self.count)}", *tree_lines(self.slots, _SHOWN)]
        return "\n".join(lines)

    def __rich__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return page_html(repr(self)[1:-1], [str(self)])

    def _repr_svg_(self) -> str:
        return self.svg()


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def number_text(count: int) -> str:
    """`1 model`, `12 models`, `1.05e+12 models`."""
    shown = str(count) if count < 10**7 else f"{count:.3g}" if count < 10**300 else f"10^{len(str(count)) - 1}"
    return f"{shown} model{'' if count == 1 else 's'}"


@users_call
def model_space(
    system: Component | str | PathLike[str], candidates: Mapping[str, Sequence[Any]] | None = None
) -> ModelSpace:
    """The AND-OR tree of a system: its interfaces, their implementations, the interfaces inside these.

    `candidates` gives the alternatives of an interface by path: names, classes or catalogue parts, instead of all
    implementations. The path of a file written by `save` is read.
    """
    if not isinstance(system, Component):
        name, slots = storage.read(system)
        return ModelSpace(name, slots)
    growth = Growth(candidates or {})
    slots = growth.slots(system, "", "")
    if growth.candidates:
        path = next(iter(growth.candidates))
        known = ModelSpace("", slots).candidates
        what = f"candidates are given for '{path}', where there is no interface; {nearest(path, known)}"
        advice = f"the interfaces here are: {', '.join(known) or 'none'}"
        raise BindingError("E803", what, location=here(), advice=advice)
    return ModelSpace(getattr(system, "_title", type(system).__name__), slots, system)
