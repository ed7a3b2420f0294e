"""Does an argument fit the type it is declared with; and that type in words, for messages.

Looked at only after a call has failed: annotations are a promise to readers, not a check of every call.
"""

from __future__ import annotations

import collections.abc
import inspect
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from tellegen.start.records import dataclass

_WORDS: dict[Any, str] = {
    str: "a string",
    float: "a number",
    int: "an integer",
    bool: "True or False",
    dict: "a dict",
    list: "a list",
    tuple: "a tuple",
    os.PathLike: "a path",
    collections.abc.Mapping: "a dict",
    collections.abc.Sequence: "a list",
    collections.abc.Iterable: "a list",
    collections.abc.Callable: "a function",
    types.NoneType: "None",
}


@dataclass(frozen=True, eq=False)
class WrongArgument:
    """An argument, and in words what it should be."""

    name: str
    value: Any
    expected: str


def wrong_argument(function: Callable[..., Any], bound: inspect.BoundArguments) -> WrongArgument | None:
    """The first argument that does not fit its annotation."""
    plain = inspect.unwrap(function)
    for name, given in bound.arguments.items():
        expected = _annotation(plain, name)
        kind = bound.signature.parameters[name].kind
        values = given if kind is inspect.Parameter.VAR_POSITIONAL else (given,)
        for value in () if kind is inspect.Parameter.VAR_KEYWORD else values:
            if not fits(value, expected):
                return WrongArgument(name, value, in_words(expected))
    return None


def _annotation(function: Callable[..., Any], name: str) -> Any:
    """The declared type; Any where there is none, or where it is known to type checkers only."""
    written = getattr(function, "__annotations__", {}).get(name, Any)
    try:
        return eval(written, function.__globals__) if isinstance(written, str) else written  # type: ignore[attr-defined]
    except (NameError, TypeError):
        return Any


def fits(value: object, expected: Any) -> bool:
    """Whether a value is of a type, as far as the type can be looked at."""
    if expected is None or expected is types.NoneType:
        return value is None
    origin = typing.get_origin(expected)
    parts = typing.get_args(expected)
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, part) for part in parts)
    if expected is float or expected is int:
        return isinstance(value, Real if expected is float else Integral) and not isinstance(value, bool)
    if origin is type:
        return isinstance(value, type) and issubclass(value, parts[0])
    kind = origin or expected
    if not isinstance(kind, type) or kind in (object, Any):
        return True
    if issubclass(kind, str):
        return isinstance(value, str)
    if not isinstance(value, kind) or (isinstance(value, str) and kind in _COLLECTIONS):
        return False
    if isinstance(value, tuple) and kind is tuple and parts and Ellipsis not in parts:
        return len(value) == len(parts) and all(map(fits, value, parts))
    if isinstance(value, Mapping) and len(parts) == 2:
        return all(fits(key, parts[0]) and fits(each, parts[1]) for key, each in value.items())
    if kind in _COLLECTIONS and len(parts) == 1 and isinstance(value, Iterable):
        return all(fits(each, parts[0]) for each in value)
    return True


_COLLECTIONS = (list, set, collections.abc.Sequence, collections.abc.Iterable)


def in_words(expected: Any) -> str:
    """A type as a user would put it: "a string or None"."""
    if expected is None:
        return "None"
    if typing.get_origin(expected) in (types.UnionType, typing.Union):
        return " or ".join(dict.fromkeys(in_words(part) for part in typing.get_args(expected)))
    kind = typing.get_origin(expected) or expected
    return _WORDS.get(kind, f"a {getattr(kind, '__name__', kind)}")
