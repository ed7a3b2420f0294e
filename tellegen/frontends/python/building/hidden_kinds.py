"""Kinds of the parts by which mechanisms are computed, traced when somebody asks for them.

A joint has a part for each role it may play: in the tree, in the tree the other way round, closing a loop. A model
needs few of all these, and tracing them takes most of the time in which a small mechanism is frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tellegen.ir.model import Kind
from tellegen.kept.code_stamp import code_stamp

_SOURCES = ("library/multibody", "frontends/python")
"""The code that decides what is traced of a part of the library."""


class HiddenKinds(Mapping[str, Kind]):
    """The kinds of parts, by the roles of the parts. A pickle has them all."""

    def __init__(self, parts: Mapping[str, Any], kind_of: Callable[[Any], Kind]) -> None:
        self._parts = dict(parts)
        self._kind_of = kind_of

    def __getitem__(self, role: str) -> Kind:
        return self._kind_of(self._parts[role])

    def __contains__(self, role: object) -> bool:
        return role in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def by_name(self) -> tuple[Any, ...]:
        """What stands for them in the name of a model's content: classes of the library, where they are no more."""
        names = {role: _name(part) for role, part in self._parts.items()}
        return self.__reduce__() if None in names.values() else (str, (repr((code_stamp(*_SOURCES), names)),))

    def without(self) -> tuple[Any, ...]:
        """What stands for them in what was made of a model: flattening has taken what it needs."""
        return dict, ()


def _name(part: Any) -> str | None:
    """The class of a part and its structural parameters; None for what a user may have written or changed."""
    cls = type(part)
    if not cls.__module__.startswith("tellegen.library.") or part._children or part._elements or part._open:
        return None
    return f"{cls.__module__}.{cls.__qualname__} {sorted(part._values.items())}"
