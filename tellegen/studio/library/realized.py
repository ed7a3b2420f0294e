"""Fully parametrized parts: those of the catalogue, each an implementation of an interface with its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import tellegen as tg
from tellegen.class_reference import implementation_of
from tellegen.start.records import dataclass
from tellegen.studio.library.shapes import Shapes

DOMAIN = "interfaces"
MOST = 60
CONDITION = re.compile(r"[<>=~]")


@dataclass(frozen=True)
class RealizedPart:
    """A part that can be bought: what is put on the sheet, and what it is known for."""

    name: str
    member: str
    """What it is called in a model."""
    cls: str
    """The key of the implementation in the library."""
    interface: str
    arguments: Mapping[str, str]
    facts: str
    source: str


def found_parts(search: str, library: Shapes) -> tuple[tuple[RealizedPart, ...], int]:
    """Parts whose names, kinds or tags have all words and that meet all conditions; the first ones, and how many."""
    pieces = [piece.strip() for piece in search.split(",") if piece.strip()]
    conditions = [piece for piece in pieces if CONDITION.search(piece)]
    words = " ".join(piece for piece in pieces if not CONDITION.search(piece)).lower().split()
    fitting = [part for part in tg.catalogue().find(*conditions) if _has(part, words)]
    shown = [_realized(part, library) for part in fitting[:MOST]]
    return tuple(part for part in shown if part is not None), len(fitting)


def _has(part: Any, words: list[str]) -> bool:
    text = f"{part.name} {part.family} {' '.join(part.tags)}".lower()
    return all(word in text for word in words)


def _realized(part: Any, library: Shapes) -> RealizedPart | None:
    """None where its implementation is not in the library."""
    made = implementation_of(part.interface, part.implementation)
    shape = library.get(f"{DOMAIN}.{made.__name__}") if made is not None else None
    if shape is None:
        return None
    known = {parameter.name for parameter in shape.parameters}
    arguments = {name: _text(value) for name, value in part.parameters.items() if name in known}
    read = f", read {part.date}" if part.date else ""
    facts = ", ".join(_facts(part))
    interface = f"{DOMAIN}.{part.family}"
    return RealizedPart(part.name, _member(part), shape.key, interface, arguments, facts, f"{part.source}{read}")


def _facts(part: Any) -> Iterator[str]:
    """The ratings, as they were stated."""
    yield part.family.removesuffix("Interface")
    yield from (f"{name} {quantity}" for name, quantity in list(part.limits.items())[:3])


def _member(part: Any) -> str:
    """`diode_1n4148` for `1N4148`, which Python does not take as a name."""
    plain = re.sub(r"\W+", "_", part.name).strip("_").lower()
    return plain if plain.isidentifier() else f"{part.family.removesuffix('Interface').lower()}_{plain}"


def _text(value: Any) -> str:
    """A value of Python: numbers in the declared unit, or with their own."""
    if isinstance(value, int | float):
        return f"{value:.12g}" if isinstance(value, float) else str(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_text(one) for one in value)}]"
    return f'"{value}"'
