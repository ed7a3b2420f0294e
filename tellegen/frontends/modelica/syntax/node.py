"""What the nodes of the syntax tree share."""

from __future__ import annotations

from typing import Any


class Node:
    """A record of the tree. Kept on disk as its constructor's arguments, which is half the size and time of fields."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])
