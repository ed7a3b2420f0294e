"""An entry point of native code: addresses of its functions and of its index tables, callable with NumPy arrays."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from threading import RLock
from typing import Any

import numpy as np

from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import address_of
from tellegen.engine.native.user_functions import Callback
from tellegen.ir.expressions.table import Table
from tellegen.ir.program import Entry, NativeText, Pointer


class NativeEntry:
    """One entry of a program, called once per chunk of its code."""

    def __init__(self, addresses: list[int], tables: tuple[Any, ...], entry: Entry, code: object) -> None:
        scalars = len(entry.scalars)
        arrays = len(entry.arrays)
        opaque = {k: Callback(table) for k, table in enumerate(tables) if isinstance(table, Pointer)}
        fields = [_address(table, opaque.get(k)) for k, table in enumerate(tables)]
        signature = ctypes.CFUNCTYPE(None, *[ctypes.c_double] * scalars, *[ctypes.c_void_p] * (arrays + 1))
        self.addresses = np.array(addresses, np.int64)
        self.tables = np.array(fields, np.int64).reshape(-1, 2)
        self._tables_at: int = self.tables.ctypes.data
        self.words = np.array([self.addresses.ctypes.data, len(addresses), self._tables_at], np.int64)
        self.functions = [signature(address) for address in addresses]
        self._scalars = scalars
        self.callbacks = opaque  # of the user's functions, by the numbers of their tables
        self._kept = (tables, code)  # addresses are valid as long as these live

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


class LoadedEntries(dict[str, NativeEntry]):
    """The entry points of a program, each loaded on first use with the modules it needs.

    Straight-line code that LLVM is asked to optimize is compiled without that at first: it takes a fifth of the time,
    and the results are the same bit by bit. Most models are run for some milliseconds, and then the code is hardly
    slower; `optimize` is for those that continue.
    """

    def __init__(self, native: NativeText, entries: dict[str, Entry]) -> None:
        super().__init__()
        self.native = native
        self._entries = entries
        self._module_of = {name: k for k, module in enumerate(native.modules) for name in module.functions}
        self._code: dict[int, MachineCode] = {}
        self._before: list[MachineCode] = []  # what runs in other threads may be in
        self._is_quick = any(module.optimize == _BRIEFLY for module in native.modules)

    def __missing__(self, name: str) -> NativeEntry:
        with _LOADING:  # threads share entries: code that two of them loaded would be freed with the one not kept
            if name in self:
                return self[name]
            calls = self.native.calls[name]
            addresses = [self._loaded(self._module_of[call]).addresses[call] for call in calls]
            self[name] = NativeEntry(addresses, self.native.tables[name], self._entries[name], self._code)
            return self[name]

    def optimize(self) -> None:
        """Compile once more, as well as asked for; what is running continues with the new code at its next call."""
        if not self._is_quick:
            return
        with _LOADING:
            self._is_quick = False
            again = [k for k in self._code if self.native.modules[k].optimize == _BRIEFLY]
            self._before += [self._code.pop(k) for k in again]
            for name, entry in self.items():
                calls = self.native.calls[name]
                entry.addresses[:] = [self._loaded(self._module_of[call]).addresses[call] for call in calls]

    def _loaded(self, module: int) -> MachineCode:
        if module not in self._code:
            text = self.native.modules[module]
            is_quick = self._is_quick and text.optimize == _BRIEFLY
            self._code[module] = MachineCode((replace(text, optimize=0) if is_quick else text,))
        return self._code[module]


def _address(table: Any, opaque: Callback | None) -> tuple[int, int]:
    """Where native code finds a function, a table of numbers or an index table, and the row count of the last."""
    if opaque is not None:
        return opaque.address, 0
    if isinstance(table, Table):
        return table.data.ctypes.data, 0
    return table.ctypes.data, len(table)
