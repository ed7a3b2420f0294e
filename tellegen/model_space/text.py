"""The AND-OR tree as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from tellegen.model_space.tree import Alternative, Slot


def tree_lines(slots: Sequence[Slot], most: int) -> list[str]:
    """The tree, at most so many lines of it."""
    lines = list(islice(_slots(slots, ""), most + 1))
    return [*lines[:most], "..."] if len(lines) > most else lines


def _slots(slots: Sequence[Slot], indent: str) -> Iterator[str]:
    for k, slot in enumerate(slots):
        last = k == len(slots) - 1
        yield f"{indent}{'└─' if last else '├─'} {slot.path}: {slot.interface}"
        below = f"{indent}{'   ' if last else '│  '}"
        for n, one in enumerate(slot.alternatives):
            final = n == len(slot.alternatives) - 1
            yield f"{below}{'└' if final else '├'}╴{_candidate(slot, one)}"
            yield from _slots(one.parts, f"{below}{'  ' if final else '│ '}")


def _candidate(slot: Slot, one: Alternative) -> str:
    note = ""
    if one.name == slot.chosen:
        note = " (bound)" if slot.decided else " (default)"
    tags = ", ".join(f"{name} {_short(value)}" for name, value in one.tags.items())
    return f"{one.name}{note}{f'  [{tags}]' if tags else ''}"


def _short(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple, set, frozenset)) else str(value)
