"""The user's opaque functions for native code: C functions and kernels by address, Python functions by a callback.

Nothing may be raised through native code. An exception in Python code becomes NaN results, which every solver
interprets as "reject": it tries a smaller step. When the run ends for it, the exception is reported; the last one of
each function is remembered for that, by thread.
"""

from __future__ import annotations

import ctypes
import math
import threading
from typing import Any
from weakref import WeakKeyDictionary

from tellegen.engine.native.machine_code import MachineCode
from tellegen.foreign import CFunction
from tellegen.ir.expressions.expr import Function
from tellegen.ir.program import Module, Pointer
from tellegen.start.later import later
from tellegen.start.records import dataclass
from tellegen.symbolic.kernels.kernel import ENTRY, Kernel

with later():
    from tellegen.procedures.lower import lower
    from tellegen.symbolic.kernels.procedure import unit_of


@dataclass(frozen=True, slots=True)
class Raised:
    """What a function raised, and the numbers it was called with."""

    error: BaseException
    arguments: tuple[float, ...]


class _Thread(threading.local):
    def __init__(self) -> None:
        self.last: dict[Function, Raised] = {}


_THREAD = _Thread()


_KERNELS: WeakKeyDictionary[Kernel, MachineCode] = WeakKeyDictionary()


def kernel_module(kernel: Kernel) -> Module:
    """The text of a kernel."""
    return lower(unit_of(kernel), 2)


def kernel_code(kernel: Kernel) -> MachineCode:
    """The machine code of a kernel, the same for all models of this process."""
    if kernel not in _KERNELS:
        _KERNELS[kernel] = MachineCode((kernel_module(kernel),))
    return _KERNELS[kernel]


class Callback:
    """`address` holds as long as this object lives."""

    def __init__(self, pointer: Pointer) -> None:
        function = pointer.function
        self.pointer = pointer
        given = [ctypes.c_double] * pointer.arity
        if isinstance(function.callable, CFunction):
            self.address = function.callable.address
            return
        if isinstance(function.callable, Kernel):
            self._code = kernel_code(function.callable)
            self.address = self._code.addresses[ENTRY]
            return
        if pointer.reads_memory:
            self._code = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(_in_memory(function, pointer.arity))
        elif function.outputs == 1:
            self._code = ctypes.CFUNCTYPE(ctypes.c_double, *given)(_one(function))
        else:
            self._code = ctypes.CFUNCTYPE(None, *given, ctypes.c_void_p)(_several(function))
        self.address = ctypes.cast(self._code, ctypes.c_void_p).value or 0


def _one(function: Function) -> Any:
    """double f(double, ...)."""
    call = function.callable

    def run(*numbers: float) -> float:
        try:
            return float(call(*numbers))
        except BaseException as error:  # see the top of this file
            _THREAD.last[function] = Raised(error, numbers)
            return math.nan

    return run


def _several(function: Function) -> Any:
    """void f(double, ..., double *results)."""
    call = function.callable
    results = ctypes.c_double * function.outputs

    def run(*given: Any) -> None:
        out = results.from_address(given[-1])
        try:
            out[:] = [float(number) for number in call(*given[:-1])]
        except BaseException as error:  # see the top of this file
            _THREAD.last[function] = Raised(error, given[:-1])
            out[:] = [math.nan] * function.outputs

    return run


def _in_memory(function: Function, arity: int) -> Any:
    """void f(const double *arguments, double *results)."""
    call = _one(function) if function.outputs == 1 else _several(function)
    arguments = ctypes.c_double * arity

    def run(given: int, results: int) -> None:
        numbers = arguments.from_address(given)[:]
        if function.outputs == 1:
            ctypes.c_double.from_address(results).value = call(*numbers)
        else:
            call(*numbers, results)

    return run


def raised() -> dict[Function, Raised]:
    """The last exception of each function since the run began or the last query; Ctrl-C in user code propagates."""
    found = dict(_THREAD.last)
    forget()
    for one in found.values():
        if not isinstance(one.error, Exception):
            raise one.error
    return found


def forget() -> None:
    """A run begins."""
    _THREAD.last.clear()
