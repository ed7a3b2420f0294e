"""Identifiers that are unique in one scope of a written text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Spelling = Callable[[str], str]
"""A name as the language spells it: quoted where it is a keyword or no identifier."""


class Scope:
    """The names of one scope. Names that differ in Python may become equal in a text; then a number is appended."""

    def __init__(self, spelling: Spelling, taken: Iterable[str] = (), ignore_case: bool = False) -> None:
        self.spelling = spelling
        self.fold = str.lower if ignore_case else str
        self.taken = {self.fold(name) for name in taken}

    def unique(self, name: str) -> str:
        """An identifier for a name, not used before in this scope."""
        found = self.free(name)
        self.taken.add(self.fold(found))
        return found

    def free(self, name: str) -> str:
        """The identifier that `unique` would return, without taking it."""
        number = 1
        spelled = self.spelling(name)
        while self.fold(spelled) in self.taken:
            number += 1
            spelled = self.spelling(f"{name}_{number}")
        return spelled


def joined(path: str) -> str:
    """One name for a path such as `bus.a` or `der(x[2])`."""
    return re.sub(r"[^0-9A-Za-z_\u0080-\uffff]+", "_", path.replace("'", "_")).strip("_") or "_"


def ascii_name(name: str) -> str:
    """A name in ASCII: Greek letters and others by their code point."""
    return "".join(letter if letter.isascii() else f"u{ord(letter):04x}" for letter in name)
