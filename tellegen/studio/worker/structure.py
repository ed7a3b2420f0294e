"""The children and connections of a model that was built, as the sheet draws them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.ir.model import End, Kind
from tellegen.studio.document.made_parts import MadePart, MadePort, Structure
from tellegen.studio.document.text.source_file import library_key

MOST = 1000
"""More parts than a person looks at."""
OURS = "<"
"""Files of parts that were added for the equations of mechanisms."""
SIGNALS = ("input", "output")


def structure_of(model: Any, kind: Kind) -> Structure:
    """All parts that somebody wrote, in text or by code."""
    groups = [group for group in kind.groups if not (group.locations and group.locations[0][0].startswith(OURS))]
    count = sum(len(group.names) for group in groups)
    if count > MOST:
        return Structure()
    parts = [
        MadePart(name, _key(model, name, group.kind.name), _ports(group.kind), _line(group.locations, k))
        for group in groups
        for k, name in enumerate(group.names)
    ]
    return Structure(tuple(parts), tuple(dict.fromkeys(_pairs(kind))))


def _key(model: Any, name: str, cls: str) -> str:
    """`electrical.Resistor` for a class of the library."""
    made = type(getattr(model, name, None))
    return library_key(f"{made.__module__}.{made.__name__}") or cls


def _line(locations: tuple[tuple[str, int], ...], k: int) -> int:
    return locations[min(k, len(locations) - 1)][1] if locations else 0


def _ports(kind: Kind) -> tuple[MadePort, ...]:
    return tuple(MadePort(port.name, _role(kind, port.variables), port.connector) for port in kind.ports)


def _role(kind: Kind, variables: tuple[int, ...]) -> str:
    role = kind.variables[variables[0]].role if len(variables) == 1 else ""
    return role if role in SIGNALS else "port"


def _pairs(kind: Kind) -> Iterator[tuple[str, ...]]:
    for connection in kind.connections:
        if connection.location.file.startswith(OURS):
            continue
        for row in range(len(np.atleast_1d(connection.a.elements))):
            ends = (_end(kind, connection.a, row), _end(kind, connection.b, row))
            if all(ends):
                yield ends


def _end(kind: Kind, end: End, row: int) -> str:
    """`motor.p`; a port of the model itself has no part, one of an outer component is not drawn."""
    if end.outer:
        return ""
    element = int(np.atleast_1d(end.elements)[row])
    if end.group < 0:
        return kind.ports[end.port].name
    group = kind.groups[end.group]
    port = group.kind.ports[end.port]
    child = element // max(port.count, 1)
    name = group.names[0] if group.is_array else group.names[child]
    return f"{name}.{port.name}"
