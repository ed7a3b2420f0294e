"""Compiled procedures as functions of Python, for comparisons with their evaluation."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.engine.native.machine_code import MachineCode
from tellegen.ir.procedure import Scalar, Type, Unit
from tellegen.procedures.lower import lower

_KINDS = {"f64": ctypes.c_double, "i64": ctypes.c_int64, "i32": ctypes.c_int32}


class Compiled:
    """The entries of a unit by name."""

    def __init__(self, unit: Unit, optimize: int = 1) -> None:
        self.unit, self.code = unit, MachineCode((lower(unit, optimize),))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        signature = self.unit.procedures[self.unit.entries[name]].signature
        returns = None if signature.returns is None else _kind(signature.returns)
        function = ctypes.CFUNCTYPE(returns, *map(_kind, signature.parameters))(self.code.addresses[name])
        return lambda *arguments: function(*map(_passed, arguments))


class Words:
    """A record in memory, from values by field; what it points to stays alive with it."""

    def __init__(self, **fields: Any) -> None:
        self.names = tuple(fields)
        self.words = np.zeros(len(fields), np.int64)
        self.kept = fields
        for k, value in enumerate(fields.values()):
            if isinstance(value, float):
                self.words.view(np.float64)[k] = value
            else:
                self.words[k] = _passed(value) or 0

    def __getitem__(self, name: str) -> int:
        return int(self.words[self.names.index(name)])

    def double(self, name: str) -> float:
        """A field that is a float."""
        return float(self.words.view(np.float64)[self.names.index(name)])


def _kind(kind: Type) -> Any:
    return _KINDS[kind.name] if isinstance(kind, Scalar) and kind.name in _KINDS else ctypes.c_void_p


def _passed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.ctypes.data
    if isinstance(value, Words):
        return value.words.ctypes.data
    if isinstance(value, ctypes._CFuncPtr):
        return ctypes.cast(value, ctypes.c_void_p).value
    return value
