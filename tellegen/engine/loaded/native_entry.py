"""An entry point of native code: addresses of its functions and of its index tables, callable with NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from threading import RLock
from time import perf_counter
from typing import Any

import numpy as np

from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import address_of
from tellegen.engine.native.user_functions import Callback
from tellegen.ir.expressions.table import Table
from tellegen.ir.program import Entry, Module, NativeText, Pointer


class NativeEntry:
    """One entry of a program, called once per chunk of its code."""

    def __init__(self, addresses: list[int], tables: tuple[Any, ...], entry: Entry, code: object) -> None:
        scalars = len(entry.scalars)
        arrays = len(entry.arrays)
        opaque = {k: Callback(table) for k, table in enumerate(tables) if isinstance(table, Pointer)}
        fields = [_address(table, opaque.get(k)) for k, table in enumerate(tables)]
        self._signature = ctypes.CFUNCTYPE(None, *[ctypes.c_double] * scalars, *[ctypes.c_void_p] * (arrays + 1))
        self.addresses = np.array(addresses, np.int64)
        self.tables = np.array(fields, np.int64).reshape(-1, 2)
        self._tables_at: int = self.tables.ctypes.data
        self.words = np.array([self.addresses.ctypes.data, len(addresses), self._tables_at], np.int64)
        self.functions = [self._signature(address) for address in addresses]
        self._scalars = scalars
        self.callbacks = opaque  # of the user's functions, by the numbers of their tables
        self._kept = (tables, code)  # addresses are valid as long as these live

    def replace_code(self, addresses: list[int]) -> None:
        """Other code for the same functions: what is running takes it at its next call."""
        self.addresses[:] = addresses
        self.functions = [self._signature(address) for address in addresses]

    def at_rows(self, numbers: Any, *arrays: Any) -> None:
        """Call it once for each row of scalars; arrays of two dimensions are passed row by row."""
        first = [address_of(array) for array in arrays]
        step = [array.strides[0] if array.ndim == 2 else 0 for array in arrays]
        for k, scalars in enumerate(numbers):
            pointers = [a + k * s for a, s in zip(first, step, strict=True)]
            for function in self.functions:
                function(*scalars, *pointers, self._tables_at)

    def __call__(self, *arguments: Any) -> None:
        numbers = arguments[: self._scalars]
        pointers = [address_of(array) for array in arguments[self._scalars :]]
        for function in self.functions:
            function(*numbers, *pointers, self._tables_at)


_LOADING = RLock()
_BRIEFLY = 1  # the level of optimization of straight-line code
_LONG = 0.3
_LONG_PER_CHARACTER = 1e-5
"""Seconds of runs after which they have lost by slower code what to optimize it takes: a millisecond for a thousand
characters, a tenth of the time of runs."""
_MOST_TEXT = 20
"""Characters of code per row of its loops: to optimize more takes as long as the code saves in thousands of calls."""


class LoadedEntries(dict[str, NativeEntry]):
    """The entry points of a program, each loaded on first use with the modules it needs.

    Straight-line code that LLVM is asked to optimize, and loops of many kinds with few rows each, are compiled without
    that at first: it takes a fifth of the time or less, and the results are the same bit by bit. Most models are run
    for some milliseconds, and then that is less than what the code is slower; `used` is for those that continue.
    """

    def __init__(self, native: NativeText, entries: dict[str, Entry]) -> None:
        super().__init__()
        self.native = native
        self._entries = entries
        self._module_of = {name: k for k, module in enumerate(native.modules) for name in module.functions}
        self._code: dict[int, MachineCode] = {}
        self._before: list[MachineCode] = []  # what runs in other threads may be in
        self._postponed = {k for k, module in enumerate(native.modules) if _is_postponed(module)}
        self._spent = 0.0  # seconds in runs
        length = sum(len(native.modules[k].text) for k in self._postponed)
        self.patience = min(_LONG, _LONG_PER_CHARACTER * length)  # seconds

    def __missing__(self, name: str) -> NativeEntry:
        with _LOADING:  # threads share entries: code that two of them loaded would be freed with the one not kept
            if name in self:
                return self[name]
            self[name] = NativeEntry(self._addresses(name), self.native.tables[name], self._entries[name], self._code)
            return self[name]

    def timed(self, native: Callable[[int], int], argument: int) -> int:
        """native(argument), a part of a run: its time counts as use of the entries."""
        began = perf_counter()
        flag = native(argument)
        self.used(perf_counter() - began)
        return flag

    def used(self, seconds: float, running: float = 0.0) -> None:
        """Runs took so long since the last call, one that is not over `running` seconds: optimize what is used long."""
        self._spent += seconds
        if self._postponed and self._spent + running > self.patience:
            self.optimize()

    def optimize(self) -> None:
        """Compile once more, as well as asked for."""
        with _LOADING:
            again = self._postponed.intersection(self._code)
            self._postponed.clear()
            self._before += [self._code.pop(k) for k in sorted(again)]
            for name, entry in self.items():
                entry.replace_code(self._addresses(name))

    def _addresses(self, name: str) -> list[int]:
        calls = self.native.calls[name]
        return [self._loaded(self._module_of[call]).addresses[call] for call in calls]

    def _loaded(self, module: int) -> MachineCode:
        if module not in self._code:
            text = self.native.modules[module]
            self._code[module] = MachineCode((replace(text, optimize=0) if module in self._postponed else text,))
        return self._code[module]


def _is_postponed(module: Module) -> bool:
    """Whether to optimize it takes longer than it saves in a short run."""
    return module.optimize == _BRIEFLY or (module.optimize > 0 and len(module.text) > _MOST_TEXT * module.rows)


def _address(table: Any, opaque: Callback | None) -> tuple[int, int]:
    """Where native code finds a function, a table of numbers or an index table, and the row count of the last."""
    if opaque is not None:
        return opaque.address, 0
    if isinstance(table, Table):
        return table.data.ctypes.data, 0
    return table.ctypes.data, len(table)
