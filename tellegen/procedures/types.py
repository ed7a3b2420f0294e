"""Annotations of Python as types of procedures."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable as AbstractCallable
from typing import Any

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.procedures.language import Array, Record

_PYTHONS = {float: ir.F64, int: ir.I64, bool: ir.BOOL}
_MARKED = {kind.name: kind for kind in (ir.F64, ir.I64, ir.I32, ir.ADDRESS)}


class Types:
    """Types and layouts, each found once."""

    def __init__(self) -> None:
        self.records: dict[str, type[Record]] = {}
        self.layouts: dict[str, ir.Layout] = {}
        self._known: dict[tuple[int, str], ir.Type | None] = {}

    def of(self, annotation: Any, namespace: dict[str, Any]) -> ir.Type | None:
        """The type that an annotation means, written as a string in a file with these global names."""
        if not isinstance(annotation, str):
            return self._of(annotation)
        key = id(namespace), annotation
        if key not in self._known:
            self._known[key] = self._of(eval(annotation, namespace))
        return self._known[key]

    def layout(self, name: str) -> ir.Layout:
        """The fields of a record that some annotation named."""
        if name not in self.layouts:
            record = self.records[name]
            namespace = vars(sys.modules[record.__module__])
            fields: dict[str, ir.Type] = {}
            for each, annotation in record.__annotations__.items():
                kind = self.of(annotation, namespace)
                if kind is None:
                    raise InternalError("E904", f"field '{each}' of record '{name}' has no type")
                fields[each] = kind
            self.layouts[name] = ir.Layout(name, fields)
        return self.layouts[name]

    def _of(self, meant: Any) -> ir.Type | None:
        if meant is None or meant is types.NoneType:
            return None
        if meant in _PYTHONS:
            return _PYTHONS[meant]
        if isinstance(meant, type) and issubclass(meant, Record):
            if self.records.setdefault(meant.__name__, meant) is not meant:
                raise InternalError("E904", f"there are two records called '{meant.__name__}'")
            return ir.RecordOf(meant.__name__)
        for mark in getattr(meant, "__metadata__", ()):
            return _MARKED[mark]
        origin = typing.get_origin(meant)
        arguments = typing.get_args(meant)
        if origin is Array:
            return ir.ArrayOf(self._some(arguments[0]))
        if origin is AbstractCallable:
            return ir.FunctionOf(tuple(self._some(each) for each in arguments[0]), self._of(arguments[1]))
        if origin in (types.UnionType, typing.Union):  # a pointer that may be None
            return self._of(next(each for each in arguments if each is not types.NoneType))
        raise InternalError(
            "E904",
            f"{meant!r} is not a type of procedures",
            advice="f64, i64, i32, bool, Address, Array[...], a Record, Callable[[...], ...]",
        )

    def _some(self, meant: Any) -> ir.Type:
        found = self._of(meant)
        if found is None:
            raise InternalError("E904", "None is not the type of anything but a function that returns nothing")
        return found
