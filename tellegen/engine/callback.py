"""The user's opaque functions for native code: C functions by their address, Python functions by a callback.

Nothing may be raised through native code. An exception in Python code becomes results that are no numbers, which every
solver takes for "not here": it tries a smaller step. When the run ends for it, the exception is told; the last one of
each function is remembered for that, by thread.
"""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass
from typing import Any

from tellegen.foreign import CFunction
from tellegen.ir.expr import Function

_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Raised:
    """What a function raised, and the numbers it was called with."""

    error: BaseException
    arguments: tuple[float, ...]


class _Thread(threading.local):
    def __init__(self) -> None:
        self.last: dict[Function, Raised] = {}


_RAISED = _Thread()


class Callback:
    """`address` holds as long as this object lives."""

    def __init__(self, function: Function) -> None:
        if isinstance(function.callable, CFunction):
            self.address = function.callable.address
            return
        self._code = _TYPE(_caller(function))
        self.address = ctypes.cast(self._code, ctypes.c_void_p).value or 0


def _caller(function: Function) -> Any:
    """void f(int64 count, const double *arguments, double *results)."""
    call, outputs = function.callable, function.outputs
    no_numbers = [float("nan")] * outputs

    def run(count: int, arguments: int, results: int) -> None:
        out = (ctypes.c_double * outputs).from_address(results)
        given = (ctypes.c_double * count).from_address(arguments)
        try:
            answer = call(*given)
            out[:] = [float(answer)] if outputs == 1 else [float(number) for number in answer]
        except BaseException as error:  # see the top of this file
            _RAISED.last[function] = Raised(error, tuple(given))
            out[:] = no_numbers

    return run


def raised() -> dict[Function, Raised]:
    """The last exception of each function since the run began."""
    return dict(_RAISED.last)


def forget() -> None:
    """A run begins."""
    _RAISED.last.clear()
