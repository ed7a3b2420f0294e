"""Program: what the machine computes, as loops over tables of indices; no physics left.

    residual:  for row in table:  r[row[3]] = y[row[0]] - p[row[1]] * y[row[2]]

An entry point is a list of loops. A loop reads operands (Slot k of its expressions is operand k), each an element of
an argument array at an index found in the loop's table, or a scalar argument. Printers turn a Program into LLVM IR
(codegen/llvm.py); codegen/python.py runs it with NumPy and is the reference for all printers.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Expr, Function
from tellegen.ir.expressions.table import Table
from tellegen.start.records import dataclass

Int32Array = np.ndarray[Any, np.dtype[np.int32]]

SCALAR = -1
"""The column of operands that are scalar arguments."""

PARAMETERS = "parameters"
START_VALUES = "start_values"
"""The entries that compute parameters and start values from other parameters, in models that have such."""

CONSTRAINTS = "constraints"
"""The entry of the Jacobian of the constraints that states are chosen by, in models that have such."""


@dataclass(frozen=True, slots=True)
class Operand:
    """array[table[row, column]], or the scalar argument called `array` when column is SCALAR."""

    array: str
    column: int


@dataclass(frozen=True, slots=True)
class Store:
    """array[table[row, column]] = value, or += value."""

    array: str
    column: int
    value: Expr
    accumulate: bool = False


@dataclass(frozen=True, eq=False)
class Loop:
    """For every row of the table: read the operands, compute, store.

    Rows may be computed in any order, unless the loop is `recurrent`: then one after the other, and in each the stores
    one after the other, for they read what stores before them wrote.
    """

    table: Int32Array
    operands: tuple[Operand, ...]
    stores: tuple[Store, ...]
    recurrent: bool = False

    @property
    def rows(self) -> int:
        """Number of iterations."""
        return self.table.shape[0]

    @property
    def accumulates(self) -> bool:
        """Whether it adds to what another loop assigned."""
        return any(store.accumulate for store in self.stores)


@dataclass(frozen=True, eq=False)
class Entry:
    """A function of scalars and arrays of doubles.

    Loops that only assign may run in any order; loops that accumulate run after them. Of an entry whose rows are
    `chosen` at run time every loop is a function of its own that reads a table, with the rows of the moment. A
    `sequential` entry runs its loops in the order they stand, once in a while: its code is not optimized.
    """

    name: str
    scalars: tuple[str, ...]
    arrays: tuple[str, ...]
    loops: tuple[Loop, ...]
    chosen: bool = False
    sequential: bool = False


@dataclass(frozen=True, eq=False)
class Pattern:
    """The places of a sparse matrix in compressed columns."""

    shape: tuple[int, int]
    indptr: Int32Array
    indices: Int32Array
    by_value: Any = None  # per entry: whether dF/dy occurs there (None: everywhere)
    by_rate: Any = None  # per entry: whether dF/dy' occurs there

    @staticmethod
    def of(rows: Any, columns: Any, shape: tuple[int, int]) -> tuple[Pattern, Any]:
        """The pattern of distinct places (row, column) in any order, and the order in which its entries have them."""
        order = np.lexsort((rows, columns))
        starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=shape[1]))]).astype(np.int32)
        return Pattern(shape, starts, rows[order].astype(np.int32)), order

    @property
    def count(self) -> int:
        """Number of entries."""
        return len(self.indices)

    @cached_property
    def digest(self) -> bytes:
        """The same for equal patterns and, as good as certain, for no others: what is known of one is kept under it."""
        parts = (np.array(self.shape, np.int32), self.indptr, self.indices)
        return hashlib.blake2b(b"".join(part.tobytes() for part in parts), digest_size=16).digest()

    @cached_property
    def column_of_entry(self) -> Int32Array:
        """The column of every entry."""
        return np.repeat(np.arange(self.shape[1], dtype=np.int32), np.diff(self.indptr))


@dataclass(frozen=True, eq=False)
class Program:
    """All entry points of a model.

    residual(t; y, yp, p, r)                  r = F(t, y, y', p), `size` rows
    jacobian(t, cy, cd; y, yp, p, values)     values = cy dF/dy + cd dF/dy' on `pattern`
    initial_residual, initial_jacobian        the same for the initial equations, `initial_size` rows
    parameters(; given, p)                    p computed from p, but for those that are `given` (1.0, else 0.0)
    start_values(; p, start)                  start values of the flat model's variables computed from p
    constraints(t, cy, cd; y, yp, p, values)  those entries of the Jacobian that are `Candidates.pairs`
    """

    entries: dict[str, Entry]
    size: int
    pattern: Pattern
    initial_size: int
    initial_pattern: Pattern


@dataclass(frozen=True, slots=True)
class Module:
    """Text of one LLVM module, how hard to optimize it, the functions it defines, and the rows of all their loops."""

    text: str
    optimize: int
    functions: tuple[str, ...]
    rows: int = 0


MANY_ARGUMENTS = 64
"""Python functions of more get them in memory."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """An external function that is called with so many arguments."""

    function: Function
    arity: int

    @property
    def reads_memory(self) -> bool:
        """Whether it gets the addresses of its arguments and of its results: ctypes passes no more than 1024."""
        return self.function.is_python and self.arity > MANY_ARGUMENTS


@dataclass(frozen=True, eq=False)
class NativeText:
    """A Program in LLVM IR.

    An entry point is the list of functions `calls[name]`, to be called one after the other with the entry's arguments
    followed by a pointer to `tables[name]`: for each index table its address and its number of rows, for each function
    and each table of numbers its address and nothing.
    """

    modules: tuple[Module, ...]
    calls: dict[str, tuple[str, ...]]
    tables: dict[str, tuple[Int32Array | Pointer | Table, ...]]
