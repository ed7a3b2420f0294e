"""The AND-OR tree: alternatives of an interface (OR), the interfaces inside each alternative (AND).

An induced tree is one alternative for every interface that is reached: a model. Subtrees that occur again are the same
object, so that a tree of 10**12 induced trees is as small as what was written for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

Binding = dict[str, Any]  # an implementation (its name, or a catalogue part) by path


@dataclass(frozen=True, eq=False)
class Alternative:
    """An implementation as a candidate: its name, what is said of it, and the interfaces it is a network of."""

    name: str
    parts: tuple[Slot, ...] = ()
    tags: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    domains: tuple[str, ...] = ()  # energy domains of its ports and parts
    choice: Any = None  # what tg.bind takes, where it is not the name: a catalogue part
    limits: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)  # of its parameters

    @cached_property
    def count(self) -> int:
        """The number of induced trees below: the product over the interfaces."""
        return prod(slot.count for slot in self.parts)

    @property
    def bound(self) -> Any:
        """What tg.bind takes for it."""
        return self.name if self.choice is None else self.choice


@dataclass(frozen=True, eq=False)
class Slot:
    """An interface at a place of a system, with its candidates."""

    path: str  # from the system or implementation around it
    interface: str
    alternatives: tuple[Alternative, ...]
    chosen: str = ""  # the candidate bound now, or the default
    decided: bool = False  # it was bound, and is not only the default
    values: Mapping[str, float] = field(default_factory=dict)  # numbers given to parameters of the interface

    @cached_property
    def count(self) -> int:
        """The number of induced trees below: the sum over the alternatives."""
        return sum(one.count for one in self.alternatives)


def binding_at(parts: Sequence[Slot], number: int, above: str = "") -> Binding:
    """Induced tree number `number`, the last slot counting fastest; no other one is made for it."""
    digits: list[int] = []
    for slot in reversed(parts):
        number, digit = divmod(number, slot.count)
        digits.append(digit)
    found: Binding = {}
    for slot, digit in zip(parts, reversed(digits), strict=True):
        path = f"{above}{slot.path}"
        for one in slot.alternatives:
            if digit < one.count:
                found[path] = one.bound
                found.update(binding_at(one.parts, digit, f"{path}."))
                break
            digit -= one.count
    return found


def default_binding(parts: Sequence[Slot], above: str = "") -> Binding:
    """The chosen candidates: those that were bound, and defaults elsewhere."""
    found: Binding = {}
    for slot in parts:
        one = next((one for one in slot.alternatives if one.name == slot.chosen), None)
        if one is not None:
            path = f"{above}{slot.path}"
            found[path] = one.bound
            found.update(default_binding(one.parts, f"{path}."))
    return found


def walk(parts: Sequence[Slot], above: str = "") -> Iterator[tuple[str, Slot, Alternative]]:
    """Every candidate of every slot with the path of the slot, as often as it occurs."""
    for slot in parts:
        path = f"{above}{slot.path}"
        for one in slot.alternatives:
            yield path, slot, one
            yield from walk(one.parts, f"{path}.")
