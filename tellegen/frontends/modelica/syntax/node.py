"""What the nodes of the syntax tree share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any


class Node:
    """A record of the tree. Kept on disk as its constructor's arguments, which is half the size and time of fields."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), _arguments(type(self))(self)


@cache
def _arguments(cls: type[Node]) -> Callable[[Node], tuple[Any, ...]]:
    """How the arguments of a node are read."""
    names = cls.__match_args__
    if len(names) > 1:
        return attrgetter(*names)
    return lambda node: tuple([getattr(node, name) for name in names])
