"""Program -> LLVM IR text: loops for groups, straight-line code for groups of few rows.

    define void @residual_loop_0(double %t, ptr %y, ptr %yp, ptr %p, ptr %r, ptr %tables) {
      ; for row in tables[0]: load indices, gather, compute, store
    }

Loops go into a module compiled with O2: there are as many as kinds of components, and they profit (LLVM's O0 loops
are ten times slower). Straight-line code goes into another one at O0, in functions of a bounded length: optimizing
it takes time that grows faster than its length and gains little; only the few explicit rows of a small model, each
computed from those before, are worth O1: a third of the time. Tables and the user's functions come by pointer, so the
text of a model does not depend on the number of its components, nor on where functions happen to be in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from tellegen.codegen.lookup import LOOKUPS
from tellegen.codegen.scalar import DECLARATIONS, Printer, Tables, Value
from tellegen.ir.expressions.expr import Expr
from tellegen.ir.ode import OdeProgram
from tellegen.ir.program import SCALAR, Entry, Loop, Module, NativeText, Program

INLINE_ROWS = 4
_ROWS_PER_FUNCTION = 100


@dataclass(eq=False)
class _Text:
    """The functions of one module."""

    optimize: int
    functions: dict[str, str] = field(default_factory=dict)

    def module(self) -> Module:
        code = "\n".join(self.functions.values())
        text = "\n".join([DECLARATIONS, *([LOOKUPS] if "@lookup_" in code else []), code])
        return Module(text, self.optimize, tuple(self.functions))


def build(program: Program | OdeProgram) -> NativeText:
    """See the top of this file."""
    loops = _Text(2)
    straight = _Text(int(_is_short(program)))
    calls = {}
    tables = {}
    for entry in program.entries.values():
        mine: list[str] = []
        used = Tables()
        inlined = 0 if entry.chosen else INLINE_ROWS
        text_of_loops = straight if entry.sequential else loops
        for phase in _phases(entry):
            for chunk in _chunks([loop for loop in phase if loop.rows <= inlined]):
                mine.append(f"{entry.name}_rows_{len(mine)}")
                straight.functions[mine[-1]] = _straight_function(entry, mine[-1], chunk, used)
            for loop in phase:
                if loop.rows > inlined:
                    mine.append(f"{entry.name}_loop_{len(mine)}")
                    text_of_loops.functions[mine[-1]] = _loop_function(entry, mine[-1], loop, used)
        calls[entry.name], tables[entry.name] = tuple(mine), tuple(used.used)
    return NativeText(tuple(text.module() for text in (straight, loops) if text.functions), calls, tables)


def _phases(entry: Entry) -> list[list[Loop]]:
    """Loops to be run phase by phase; in a phase short ones come first."""
    if entry.sequential:
        return [list(phase) for _, phase in groupby(entry.loops, lambda loop: loop.rows <= INLINE_ROWS)]
    return [[loop for loop in entry.loops if loop.accumulates == accumulates] for accumulates in (False, True)]


def _is_short(program: Program | OdeProgram) -> bool:
    """Whether straight-line code is worth optimizing: rows computed one from the other, and few of them."""
    if not isinstance(program, OdeProgram):
        return False
    loops = [loop for entry in program.entries.values() for loop in entry.loops]
    return sum(loop.rows for loop in loops if loop.rows <= INLINE_ROWS) <= _ROWS_PER_FUNCTION


def _chunks(loops: list[Loop]) -> list[list[tuple[Loop, int]]]:
    """The rows of short loops, so many per function."""
    rows = [(loop, row) for loop in loops for row in range(loop.rows)]
    return [rows[k : k + _ROWS_PER_FUNCTION] for k in range(0, len(rows), _ROWS_PER_FUNCTION)]


def _head(entry: Entry, name: str) -> str:
    scalars = [f"double %{scalar}" for scalar in entry.scalars]
    arrays = [f"ptr noalias %{array}" for array in entry.arrays]
    return f"define void @{name}({', '.join([*scalars, *arrays, 'ptr noalias %tables'])}) noinline nounwind {{\nentry:"


def _straight_function(entry: Entry, name: str, rows: list[tuple[Loop, int]], tables: Tables) -> str:
    """Rows one after the other, indices as numbers in the code."""
    printer = Printer(tables=tables)
    for loop, row in rows:
        _row(printer, loop, [str(index) for index in loop.table[row]])
    return "\n".join([_head(entry, name), *printer.space(), *printer.lines, "  ret void", "}"])


def _loop_function(entry: Entry, name: str, loop: Loop, tables: Tables) -> str:
    """A loop over its table: a pointer to int32 rows, and how many there are."""
    printer = Printer(tables=tables)
    where = printer.element("%tables", str(tables.add(loop.table)), of="{ ptr, i64 }")
    table = printer.emit(f"load ptr, ptr {where}")
    rows = printer.emit(f"load i64, ptr {printer.emit(f'getelementptr {{ ptr, i64 }}, ptr {where}, i64 0, i32 1')}")
    printer.lines += ["  br label %body", "body:", "  %row = phi i64 [ 0, %entry ], [ %next, %body ]"]
    width = loop.table.shape[1]
    base = printer.emit(f"mul nuw nsw i64 %row, {width}")
    used = {o.column for o in loop.operands if o.column != SCALAR} | {s.column for s in loop.stores}
    indices = [""] * width
    for column in sorted(used):
        offset = printer.emit(f"add nuw nsw i64 {base}, {column}")
        index = printer.emit(f"load i32, ptr {printer.element(table, offset, of='i32')}")
        indices[column] = printer.emit(f"zext i32 {index} to i64")
    _row(printer, loop, indices)
    printer.lines += [
        "  %next = add nuw nsw i64 %row, 1",
        f"  %more = icmp slt i64 %next, {rows}",
        "  br i1 %more, label %body, label %done",
        "done:",
    ]
    return "\n".join([_head(entry, name), *printer.space(), *printer.lines, "  ret void", "}"])


def _row(printer: Printer, loop: Loop, indices: list[str]) -> None:
    """One row: gather, compute, store."""
    operands = [
        f"%{o.array}" if o.column == SCALAR else printer.load(f"%{o.array}", indices[o.column]) for o in loop.operands
    ]
    done: dict[Expr, Value] = {}
    for store in loop.stores:
        value = printer.expression(store.value, operands, done)
        target = printer.element(f"%{store.array}", indices[store.column])
        if store.accumulate:
            value = printer.emit(f"fadd double {printer.emit(f'load double, ptr {target}')}, {value}")
        printer.lines.append(f"  store double {value}, ptr {target}")
