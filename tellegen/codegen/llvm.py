"""Program -> LLVM IR text: loops for groups, straight-line code for groups of few rows.

    define void @residual_loop_0(double %t, ptr %y, ptr %yp, ptr %p, ptr %r, ptr %tables) {
      ; for row in tables[0]: load indices, gather, compute, store
    }

Loops go into a module compiled with O2: there are as many as kinds of components, and they profit (LLVM's O0 loops
are ten times slower). Where all of them together have few rows they are compiled as straight-line code is. That goes
into another module at O0, in functions of a bounded length: optimizing it takes time and gains little; only a few
hundred explicit rows, each computed from those before, are worth O1, and of those only where a model is run for long
(`engine/loaded/native_entry.py`). Tables and the user's
functions come by pointer, so the text of a model does not depend on the number of its components, nor on where
functions happen to be in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import groupby

from tellegen.codegen.lookup import LOOKUPS
from tellegen.codegen.scalar import DECLARATIONS, Place, Places, Printer, Tables, Value
from tellegen.foreign import CFunction
from tellegen.ir.expressions.expr import Apply, Expr, walk
from tellegen.ir.ode import OdeProgram
from tellegen.ir.program import SCALAR, Entry, Loop, Module, NativeText, Program
from tellegen.start.records import dataclass

INLINE_ROWS = 4
EQUATIONS = ("residual", "jacobian", "initial_residual", "initial_jacobian")
"""Entries of DAE mode, in modules of their own: a run in ODE mode does without."""

Elements = dict[tuple[str, str], str]
"""Array and index, as printed, of elements that are in registers, and these registers."""

_ROWS_PER_FUNCTION = 100
_MOST_OPTIMIZED = 500
"""Straight-line code of ODE mode of more rows is not optimized."""
_LONG_BODY = 20
"""Loops of more stores are treated like straight-line code."""
_FEW_ROWS = 250
"""Loops of fewer rows, all together, are done in a few microseconds either way; to optimize them takes 40 ms."""


@dataclass(eq=False)
class _Text:
    """The functions of one module."""

    optimize: int
    functions: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    _names: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, body: str, rows: int) -> str:
        """The name of a function with this body: a sweep that goes on after others runs the same code."""
        self.rows += rows
        if body not in self._names:
            self._names[body] = name
            self.functions[name] = f"define void @{name}{body}"
        return self._names[body]

    def module(self) -> Module:
        code = "\n".join(self.functions.values())
        text = "\n".join([DECLARATIONS, *([LOOKUPS] if "@lookup_" in code else []), code])
        return Module(text, self.optimize, tuple(self.functions), self.rows)


@dataclass(eq=False)
class _Texts:
    """Modules that are needed together: straight-line code, and loops; one where both are compiled alike."""

    straight: _Text
    loops: _Text


def build(program: Program | OdeProgram) -> NativeText:
    """See the top of this file."""
    texts = [_texts(program, equations) for equations in (False, True)]
    calls = {}
    tables = {}
    for entry in program.entries.values():
        used = Tables()
        calls[entry.name] = tuple(_functions(entry, texts[entry.name in EQUATIONS], used))
        tables[entry.name] = tuple(used.used)
    made = {id(text): text for both in texts for text in (both.straight, both.loops) if text.functions}
    modules = [text.module() for text in made.values()]
    return NativeText(tuple(modules), calls, tables)


def _texts(program: Program | OdeProgram, equations: bool) -> _Texts:
    """The modules, still empty, of the entries of DAE mode (`equations`) or of all others."""
    straight = int(_is_short(program))
    entries = [entry for entry in program.entries.values() if (entry.name in EQUATIONS) == equations]
    rows = sum(loop.rows for entry in entries for loop in entry.loops if not _is_inlined(entry, loop))
    text = _Text(straight)
    return _Texts(text, _Text(2) if rows > _FEW_ROWS else text)


def _functions(entry: Entry, texts: _Texts, used: Tables) -> Iterator[str]:
    """The functions of an entry, in the order they are called."""
    count = 0
    for phase in _phases(entry):
        for chunk in _chunks([loop for loop in phase if _is_inlined(entry, loop)]):
            body = _straight_function(entry, chunk, used, texts.straight.optimize > 0)
            yield texts.straight.add(f"{entry.name}_rows_{count}", body, len(chunk))
            count += 1
        for loop in phase:
            if not _is_inlined(entry, loop):
                is_brief = entry.sequential or (entry.chosen and loop.rows <= INLINE_ROWS)
                text = texts.straight if is_brief or _is_long(loop, texts.straight) else texts.loops
                yield text.add(f"{entry.name}_loop_{count}", _loop_function(entry, loop, used), loop.rows)
                count += 1


def _is_long(loop: Loop, straight: _Text) -> bool:
    """Whether a loop is like straight-line code, which profits from O1 as much as from O2."""
    return len(loop.stores) > _LONG_BODY and straight.optimize > 0


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
    return sum(loop.rows for loop in loops if loop.rows <= INLINE_ROWS) <= _MOST_OPTIMIZED


def _chunks(loops: list[Loop]) -> list[list[tuple[Loop, int]]]:
    """The rows of short loops, so many per function."""
    rows = [(loop, row) for loop in loops for row in range(loop.rows)]
    return [rows[k : k + _ROWS_PER_FUNCTION] for k in range(0, len(rows), _ROWS_PER_FUNCTION)]


def _is_inlined(entry: Entry, loop: Loop) -> bool:
    return loop.rows <= INLINE_ROWS and not entry.chosen and not loop.recurrent


def _head(entry: Entry) -> str:
    scalars = [f"double %{scalar}" for scalar in entry.scalars]
    arrays = [f"ptr noalias %{array}" for array in entry.arrays]
    return f"({', '.join([*scalars, *arrays, 'ptr noalias %tables'])}) noinline nounwind {{\nentry:"


def _straight_function(entry: Entry, rows: list[tuple[Loop, int]], tables: Tables, optimized: bool) -> str:
    """Rows one after the other, indices as numbers in the code.

    A row finds what others loaded or stored in registers, if the code is optimized: else they would all be spilled.
    """
    printer = Printer(tables=tables)
    known: Elements = {}
    loops = {id(loop): loop for loop, _ in rows}
    in_c = {number for number, loop in loops.items() if _calls_c(loop)}
    for loop, row in rows:
        printer.places = _places(loop, row) if id(loop) in in_c else Places()
        _row(printer, loop, dict(enumerate(map(str, loop.table[row].tolist()))), known if optimized else {})
    return "\n".join([_head(entry), *printer.space(), *printer.lines, "  ret void", "}"])


def _places(loop: Loop, row: int) -> Places:
    """Where the operands of a row are, and where the results of its calls belong, if these are stored as they are."""
    indices = loop.table[row].tolist()
    read = {k: (each.array, indices[each.column]) for k, each in enumerate(loop.operands) if each.column != SCALAR}
    stored = {
        store.value: (store.array, indices[store.column])
        for store in loop.stores
        if isinstance(store.value, Apply) and _is_in_c(store.value) and not store.accumulate
    }
    results: dict[Apply, Place] = {}
    for value, (array, first) in stored.items():
        if value.output != 0:
            continue
        places = [(array, first + k) for k in range(value.function.outputs)]
        whole = [stored.get(Apply(value.function, value.args, k)) for k in range(value.function.outputs)]
        if places == whole and not set(places) & set(read.values()):
            results[value] = array, first
    return Places(read, results)


def _calls_c(loop: Loop) -> bool:
    return any(_is_in_c(node) for store in loop.stores for node in walk(store.value))


def _is_in_c(node: Expr) -> bool:
    if not isinstance(node, Apply) or node.function.part is not None:
        return False
    return isinstance(node.function.callable, CFunction)


def _loop_function(entry: Entry, loop: Loop, tables: Tables) -> str:
    """A loop over its table: a pointer to int32 rows, and how many there are."""
    printer = Printer(tables=tables)
    where = printer.element("%tables", str(tables.add(loop.table)), of="{ ptr, i64 }")
    table = printer.emit(f"load ptr, ptr {where}")
    rows = printer.emit(f"load i64, ptr {printer.emit(f'getelementptr {{ ptr, i64 }}, ptr {where}, i64 0, i32 1')}")
    printer.lines += ["  br label %body", "body:", "  %row = phi i64 [ 0, %entry ], [ %next, %body ]"]
    _row(printer, loop, _Indices(printer, table, loop.table.shape[1]), {})
    printer.lines += [
        "  %next = add nuw nsw i64 %row, 1",
        f"  %more = icmp slt i64 %next, {rows}",
        "  br i1 %more, label %body, label %done",
        "done:",
    ]
    return "\n".join([_head(entry), *printer.space(), *printer.lines, "  ret void", "}"])


class _Indices(dict[int, str]):
    """Indices in the row of a table, loaded on first use."""

    def __init__(self, printer: Printer, table: str, width: int) -> None:
        self.printer = printer
        self.table = table
        self.base = printer.emit(f"mul nuw nsw i64 %row, {width}")

    def __missing__(self, column: int) -> str:
        offset = self.printer.emit(f"add nuw nsw i64 {self.base}, {column}")
        index = self.printer.emit(f"load i32, ptr {self.printer.element(self.table, offset, of='i32')}")
        self[column] = self.printer.emit(f"zext i32 {index} to i64")
        return self[column]


class _Operands(dict[int, str]):
    """The operands of a row, loaded on first use; `known` are elements (array, index) that are in registers."""

    def __init__(self, printer: Printer, loop: Loop, indices: Mapping[int, str], known: Elements) -> None:
        self.printer = printer
        self.loop = loop
        self.indices = indices
        self.known = known

    def __missing__(self, number: int) -> str:
        operand = self.loop.operands[number]
        if operand.column == SCALAR:
            self[number] = f"%{operand.array}"
            return self[number]
        index = self.indices[operand.column]
        key = (operand.array, index)
        if key not in self.known:
            self.known[key] = self.printer.load(f"%{operand.array}", index)
        self[number] = self.known[key]
        return self[number]


def _row(printer: Printer, loop: Loop, indices: Mapping[int, str], known: Elements) -> None:
    """One row: gather, compute, store; `known` are elements of arrays that are in registers."""
    operands = _Operands(printer, loop, indices, known)
    done: dict[Expr, Value] = {}
    for store in loop.stores:
        value = printer.expression(store.value, operands, done)
        index = indices[store.column]
        target = printer.element(f"%{store.array}", index)
        if store.accumulate:
            value = printer.emit(f"fadd double {printer.emit(f'load double, ptr {target}')}, {value}")
        known[store.array, index] = value
        if not printer.places.holds(store.value, store.array, index):
            printer.lines.append(f"  store double {value}, ptr {target}")
