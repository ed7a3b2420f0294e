"""Kernels called once for each row of columns of numbers, in one native loop.

What judges a finished run calls the functions of assertions for each component and each instant: a million rows of a
pipe of steam, each a millisecond where the steps of a kernel are interpreted.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import address_of
from tellegen.ir import procedure as ir
from tellegen.ir.source_location import NOWHERE
from tellegen.start.later import later
from tellegen.symbolic.kernels.kernel import ENTRY, Kernel

with later():
    from tellegen.procedures.lower import lower
    from tellegen.symbolic.kernels.procedure import unit_of

_ROWS = "rows"
_CHUNK = 1 << 20
"""Numbers that are gathered at once."""

_CODE: WeakKeyDictionary[Kernel, MachineCode] = WeakKeyDictionary()


def kernel_rows(kernel: Kernel, columns: Sequence[Any]) -> Any:
    """The results of a kernel for columns that are broadcast; one more dimension than they have, for the results."""
    if kernel not in _CODE:
        _CODE[kernel] = MachineCode((lower(_unit(kernel), 2),))
    run = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(_CODE[kernel].addresses[_ROWS])
    whole = np.broadcast_arrays(*columns)
    shape = whole[0].shape
    flat = [column.reshape(-1) for column in whole]
    found = np.empty((flat[0].size, len(kernel.results)))
    step = max(1, _CHUNK // kernel.inputs)
    for first in range(0, len(found), step):
        given = np.stack([column[first : first + step] for column in flat], axis=1).astype(float)
        made = found[first : first + step]
        run(len(made), address_of(given), address_of(made))
    return found.reshape(*shape, len(kernel.results))


def _unit(kernel: Kernel) -> ir.Unit:
    """The kernel as a procedure, and one that calls it for each row."""
    unit = unit_of(kernel)
    row = ir.Local("row", ir.I64)
    several = ir.ArrayOf(ir.F64)
    given = ir.Local("given", several)
    results = ir.Local("results", several)

    def place(width: int, column: int) -> ir.Expr:
        begin = ir.Operation("*", (row, ir.Constant(width, ir.I64)), ir.I64)
        return ir.Operation("+", (begin, ir.Constant(column, ir.I64)), ir.I64)

    numbers = tuple(ir.Element(given, place(kernel.inputs, k), ir.F64) for k in range(kernel.inputs))
    body: ir.Statement
    if len(kernel.results) == 1:
        body = ir.Assign(ir.Element(results, row, ir.F64), ir.Call(ENTRY, numbers, ir.F64), NOWHERE)
    else:
        out = ir.Tail(results, place(len(kernel.results), 0), several)
        body = ir.Do(ir.Call(ENTRY, (*numbers, out), None), NOWHERE)
    count = ir.Local("count", ir.I64)
    loop = ir.For(row.name, ir.Constant(0, ir.I64), count, 1, (body,), NOWHERE)
    parameters = (ir.Parameter("count", ir.I64), ir.Parameter("given", several), ir.Parameter("results", several))
    driver = ir.Procedure(_ROWS, parameters, None, (loop,))
    return ir.Unit({**unit.procedures, _ROWS: driver}, unit.layouts, {_ROWS: _ROWS})
