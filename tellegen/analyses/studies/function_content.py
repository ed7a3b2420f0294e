"""What a function does, as far as that can be seen: its instructions, and what they read.

Who resumes a study asks whether its outputs are still what they were, and instructions alone do not say that:

    limit = 0.4                     a number in a global, a closure, a default or a partial function
    settings = {"limit": 0.4}       in dicts, lists and objects, of which the attributes that are named count
    Limits(0.4).share               of a method its object

What instructions write to is taken for notes (calls.append(1), self.calls += 1), of which the kind counts. So it does
of files, models and solutions. Functions of installed packages count by their names.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import PurePath
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Expr, walk
from tellegen.ir.source_location import SourceLocation, is_installed

_WRITING = frozenset(("append", "add", "extend", "insert", "update", "setdefault", "pop", "clear", "write"))
"""Methods by which functions take notes."""


def content(function: Any) -> Any:
    """Numbers, texts and lists that are the same for functions that do the same."""
    return _Content().of_function(function)


class _Content:
    """Of one function and those it calls; what was seen before counts by its name."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def of_function(self, function: Any) -> Any:
        """A function, a method, a partial function or an object that can be called."""
        if isinstance(function, partial):
            return self.of_function(function.func), self._of_value((*function.args, function.keywords))
        if isinstance(function, MethodType):
            named = _read_by(function.__func__.__code__) if isinstance(function.__func__, FunctionType) else frozenset()
            return self.of_function(function.__func__), self._of_object(function.__self__, named)
        if isinstance(function, FunctionType):
            return self._of_code_and_values(function)
        if _is_record(function) or hasattr(function, "__wrapped__"):
            return self._of_object(function, frozenset())
        called = vars(type(function)).get("__call__")
        own = called if isinstance(called, FunctionType) and not is_installed(called.__code__.co_filename) else None
        notes = frozenset() if own is None else _written_by(own.__code__)
        held = sorted(getattr(function, "__dict__", {}).items())
        return function and (
            type(function).__qualname__,
            getattr(function, "text", ""),
            None if own is None else self.of_function(own),
            [(name, self._of_value(value)) for name, value in held if name not in notes],
        )

    def _of_code_and_values(self, function: FunctionType) -> Any:
        if id(function) in self._seen or is_installed(function.__code__.co_filename):
            return function.__module__, function.__qualname__
        self._seen.add(id(function))
        code = function.__code__
        cells = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]
        read = [function.__globals__[name] for name in _names(code) if name in function.__globals__]
        given = [function.__defaults__, function.__kwdefaults__]
        takes_notes = not _WRITING.isdisjoint(_names(code)) or any(_stores_items(each) for each in _with_inner(code))
        named = _read_by(code)
        return self._of_code(code), [self._of_value(value, named, takes_notes) for value in (*cells, *read, *given)]

    def _of_code(self, code: CodeType) -> Any:
        """Instructions and constants, with those of the functions and comprehensions inside."""
        constants = [self._of_code(one) if isinstance(one, CodeType) else self._of_value(one) for one in code.co_consts]
        return code.co_code.hex(), code.co_names, constants

    def _of_value(self, value: Any, named: frozenset[str] = frozenset(), takes_notes: bool = False) -> Any:
        """A value that instructions read, in which these name some attributes."""
        if value is None or isinstance(value, int | float | complex | str | bytes):
            return value
        if isinstance(value, np.ndarray | np.number):
            return value.dtype.str, value.shape, value.tobytes() if value.dtype != object else ""
        if isinstance(value, tuple):
            return [self._of_value(one, named, takes_notes) for one in value]
        if isinstance(value, list | set | frozenset | Mapping):
            return type(value).__qualname__ if takes_notes else self._of_members(value, named)
        if isinstance(value, FunctionType | MethodType | partial):
            return self.of_function(value)
        if isinstance(value, Expr):
            return self._of_expression(value)
        return self._of_object(value, named)

    def _of_members(self, value: Any, named: frozenset[str]) -> Any:
        if id(value) in self._seen:
            return type(value).__qualname__
        self._seen.add(id(value))
        if isinstance(value, Mapping):
            return [(self._of_value(key), self._of_value(one, named)) for key, one in value.items()]
        members = [self._of_value(one, named) for one in value]
        return members if isinstance(value, list) else sorted(map(repr, members))

    def _of_expression(self, value: Expr) -> Any:
        """Node by node, for it may be deep."""
        number = {node: k for k, node in enumerate(walk(value))}

        def own(part: Any) -> Any:
            if isinstance(part, Expr):
                return number[part]
            return [own(each) for each in part] if isinstance(part, tuple) else self._of_value(part)

        return [(type(node).__qualname__, [own(getattr(node, name)) for name in _slots_of(node)]) for node in number]

    def _of_object(self, value: Any, named: frozenset[str]) -> Any:
        """Its kind, and what is read of it; a module is such an object too. Of frozen records everything counts."""
        kind = type(value).__qualname__
        if id(value) in self._seen or isinstance(value, SourceLocation):
            return kind
        self._seen.add(id(value))
        if isinstance(value, PurePath):
            return str(value)
        if hasattr(value, "__wrapped__"):
            return kind, self._of_value(value.__wrapped__), self._of_value(getattr(value, "derivative", None))
        if _is_record(value):
            return kind, [self._of_value(getattr(value, each.name)) for each in fields(value)]
        held = getattr(value, "__dict__", {})
        return kind, [(name, self._of_value(held[name], named)) for name in sorted(named) if name in held]


def _is_record(value: Any) -> bool:
    """Whether it is a record that stays as it is: an operation, a C function, the use of an FMU."""
    kind = type(value)
    made = getattr(kind, "__dataclass_params__", None)
    stays = kind.__module__.startswith("tellegen.") or (made is not None and made.frozen)
    return stays and is_dataclass(value) and not isinstance(value, type)


def _slots_of(node: Expr) -> list[str]:
    return sorted(name for each in type(node).__mro__ for name in getattr(each, "__slots__", ()) if name[0] != "_")


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    """A body and those of the functions inside of it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _with_inner(one)


def _names(code: CodeType) -> list[str]:
    """Of everything outside that a body reads or writes, those in it included."""
    return sorted({name for each in _with_inner(code) for name in each.co_names})


def _written_by(code: CodeType) -> frozenset[str]:
    """The attributes that a body sets."""
    found = (each for one in _with_inner(code) for each in dis.get_instructions(one))
    return frozenset(each.argval for each in found if each.opname == "STORE_ATTR")


def _read_by(code: CodeType) -> frozenset[str]:
    """The names of a body that it does not set as attributes."""
    return frozenset(_names(code)) - _written_by(code)


def _stores_items(code: CodeType) -> bool:
    return any(each.opname == "STORE_SUBSCR" for each in dis.get_instructions(code))
