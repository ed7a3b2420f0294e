"""Small circuits from a few words, for tests: `circuit("supply.port orifice.port_a", supply=..., orifice=...)`."""

from __future__ import annotations

from functools import reduce
from typing import Any

import tellegen as tg


def circuit(*wires: str, **parts: Any) -> tg.System:
    """A system of these parts, connected as the wires say: each is a text of ports with spaces between."""
    system = tg.System("circuit")
    system.add(**parts)
    for wire in wires:
        system.connect(*(reduce(getattr, port.split("."), system) for port in wire.split()))
    return system


def at(value: float) -> Any:
    """A start value that holds."""
    return tg.variable(start=value, fixed=True)
