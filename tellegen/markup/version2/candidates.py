"""The kinds of all implementations that could stand in a system, for a document in which they can be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.ir.model import Kind
from tellegen.stages import build_model

Binding = dict[str, Any]


def candidate_kinds(system: Any) -> list[Kind]:
    """One kind for each implementation of each interface, as it is at the first place where it fits."""
    known = {_name(kind) for kind in _inside(build_model(system).root)}
    found: list[Kind] = []
    for interface, name, path, binding in _choices(tg.model_space(system).slots, "", {}):
        if (interface, name) not in known:
            known.add((interface, name))
            found.append(_at(build_model(tg.bind(system, binding)).root, path))
    return found


def _choices(slots: Any, above: str, given: Binding) -> Iterator[tuple[str, str, str, Binding]]:
    """Interface, implementation and path of all alternatives, each with a binding that brings it into the system."""
    for slot in slots:
        path = f"{above}{slot.path}"
        for one in slot.alternatives:
            binding = {**given, path: one.name if one.choice is None else one.choice}
            yield slot.interface, one.name, path, binding
            yield from _choices(one.parts, f"{path}.", binding)


def _name(kind: Kind) -> tuple[str, str]:
    return kind.interface, kind.implementation


def _inside(kind: Kind) -> Iterator[Kind]:
    yield kind
    for group in kind.groups:
        yield from _inside(group.kind)


def _at(kind: Kind, path: str) -> Kind:
    for name in path.split("."):
        group, _ = kind.child_index[name]
        kind = kind.groups[group].kind
    return kind
