"""Rows of a Program as one straight-line function: everything in registers, indices as numbers in the code.

    rows  y[5] = p[2]*y[1], yp[3] = y[5]/p[0]      define void @rates(double %t, ptr %common, ptr %q, ptr %x, ptr %out)
                                                     %v0 = load double, ptr ...        p[2] of this run
                                                     %v2 = fmul double %v0, %v1
                                                     store double %v4, ptr %out

The text is that of one run. `widened` makes it one for several lanes: all numbers are vectors then, and what is shared
by all runs is loaded once and spread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tellegen.codegen.scalar import Value, literal
from tellegen.ensembles.model.lookups import LookupPrinter
from tellegen.ensembles.model.places import Place, Places
from tellegen.ensembles.refused import RefusedError
from tellegen.ir.expressions.expr import Apply, Expr, walk
from tellegen.ir.program import SCALAR, Entry, Loop

_LIBM = re.compile(r"@(exp|log10|log|sin|cos|tan|asin|acos|atan2|atan|sinh|cosh|tanh|pow)\(")
_LITERAL = re.compile(r"\b0x[0-9A-F]{16}\b")
_TRUTH = re.compile(r"\b(true|false)\b")
_SHARED = "one"
"""Stands for the type double where a number is shared by all lanes."""

FUNCTIONS = "elementary"
"""The file of procedures that stand for libm."""

LONG = 300
"""Lines above which a function is not inlined."""

ARGUMENTS = "double %t, ptr %common, ptr %q, ptr %x, ptr %out"


@dataclass(eq=False)
class Straight:
    """A function on its way; `known` are elements of arrays that are in registers."""

    places: Places
    printer: LookupPrinter = field(default_factory=LookupPrinter)
    known: dict[tuple[str, int], str] = field(default_factory=dict)
    decides: bool = True  # whether something is decided by it; else it may be NaN, and a step is made again

    def read(self, array: str, index: int) -> str:
        """An element of an array, in a register."""
        key = (array, index)
        if key not in self.known:
            self.known[key] = self._loaded(array, index)
        return self.known[key]

    def _loaded(self, array: str, index: int) -> str:
        if array == "given":
            return literal(float(self.places.given[index]))
        if array == "p":
            slot = self.places.slots.get(index)
            return self.common(index) if slot is None else self.printer.load("%q", str(slot))
        if array == "y" and index in self.places.x:
            return self.printer.load("%x", str(self.places.x[index]))
        raise RefusedError("it reads an unknown before it is computed")

    def common(self, index: int) -> str:
        """A number that all runs share."""
        at = self.printer.element("%common", str(index), of=_SHARED)
        return self.printer.emit(f"spread {self.printer.emit(f'load {_SHARED}, ptr {at}, !invariant.load !0')}")

    def guess(self, tear: Place) -> str:
        """What the run found last for a tear of a nonlinear loop."""
        return self.printer.load("%q", str(self.places.first_guess + self.places.tears[tear]))

    def keep_guess(self, tear: Place, value: str) -> None:
        """The guess of the next time."""
        self.store(value, self.places.first_guess + self.places.tears[tear], "%q")

    def scale(self, tear: Place) -> str:
        """The size of a tear, which all runs share."""
        return self.common(self.places.first_tear + len(self.places.tears) + self.places.tears[tear])

    def note_lost(self, is_found: str) -> None:
        """That a loop has no solution, where something is decided by it."""
        if self.decides:
            before = self.printer.load("%q", str(self.places.lost))
            lost = self.printer.emit(f"select i1 {is_found}, double {before}, double {literal(1.0)}")
            self.store(lost, self.places.lost, "%q")

    def rows(self, loops: Iterable[Loop]) -> None:
        """The rows of loops, those that add after those that assign."""
        ordered = list(loops)
        for adds in (False, True):
            for loop in ordered:
                if loop.accumulates == adds:
                    for row in range(loop.rows):
                        self.row(loop, row)

    def row(self, loop: Loop, row: int) -> None:
        """One row: read, compute, keep."""
        table = loop.table[row].tolist()
        operands = _Operands(self, loop, table)
        done: dict[Expr, Value] = {}
        for store in loop.stores:
            refuse_calls(store.value)
            value = self.printer.expression(store.value, operands, done)
            key = (store.array, table[store.column])
            if store.accumulate:
                value = self.printer.emit(f"fadd double {self.read(*key)}, {value}")
            self.known[key] = value
            if loop.recurrent:
                operands.clear()
                done.clear()

    def entry(self, entry: Entry) -> None:
        """All rows of an entry."""
        self.rows(entry.loops)

    def store(self, value: str, index: int, array: str = "%out") -> None:
        """Keep a value where the caller finds it."""
        target = self.printer.element(array, str(index))
        self.printer.lines.append(f"  store double {value}, ptr {target}")


def function_text(name: str, lines: list[str], more: str = "") -> str:
    """A function, perhaps with one more argument.

    A long one is called, not inlined: its run is not in registers anyway, and it is compiled once.
    """
    how = "alwaysinline" if len(lines) <= LONG else "noinline"
    arguments = f"{ARGUMENTS}, {more}" if more else ARGUMENTS
    head = f"define internal void @{name}({arguments}) {how} nounwind {{\nentry:"
    return "\n".join([head, *lines, "  ret void", "}"])


class _Operands(dict[int, str]):
    """The operands of a row, read on first use."""

    def __init__(self, straight: Straight, loop: Loop, table: list[int]) -> None:
        self.straight = straight
        self.loop = loop
        self.table = table

    def __missing__(self, number: int) -> str:
        operand = self.loop.operands[number]
        if operand.column == SCALAR:
            value = f"%{operand.array}"
        else:
            value = self.straight.read(operand.array, self.table[operand.column])
        self[number] = value
        return value


def refuse_calls(value: Expr) -> None:
    """Functions of users have no lanes."""
    for node in walk(value):
        if isinstance(node, Apply):
            raise RefusedError(f"it calls {node.function.name}, a function of its own")


def finished(text: str, lanes: int) -> str:
    """The text of straight-line functions for so many lanes, or for one run."""
    text = _LIBM.sub(rf"@{FUNCTIONS}.\1(", text)
    if lanes == 1:
        return (
            re.sub(r"(%v\d+) = spread (%v\d+)", r"\1 = fadd double \2, 0x8000000000000000", text)
            .replace(f"{_SHARED},", "double,")
            .replace("bit ", "i1 ")
        )
    return widened(text, lanes)


def widened(text: str, lanes: int) -> str:
    """See the top of this file."""
    vector = f"<{lanes} x double>"
    text = _LITERAL.sub(lambda found: _constant("number", found[0], lanes), text)
    text = _TRUTH.sub(lambda found: _constant("bit", found[0], lanes), text)
    text = re.sub(r"\bdouble\b", vector, text)
    text = re.sub(r"\bi1\b", f"<{lanes} x i1>", text)
    text = re.sub(r"(@llvm\.\w+)\.f64\b", rf"\1.v{lanes}f64", text)
    spread = (
        rf"\1.first = insertelement {vector} poison, double \2, i64 0\n"
        rf"  \1 = shufflevector {vector} \1.first, {vector} poison, <{lanes} x i32> zeroinitializer"
    )
    text = re.sub(r"(%v\d+) = spread (%v\d+)", spread, text)
    return text.replace("number ", "double ").replace("bit ", "i1 ").replace(f"{_SHARED},", "double,")


def _constant(kind: str, value: str, lanes: int) -> str:
    """The same number in every lane; its kind has a name of its own until all others have become vectors."""
    return f"<{', '.join([f'{kind} {value}'] * lanes)}>"


def declarations(text: str, lanes: int) -> list[str]:
    """Declarations of the functions of LLVM that a finished text calls."""
    kind = "double" if lanes == 1 else f"<{lanes} x double>"
    found: Mapping[str, int] = {name: 2 if "imum" in name else 1 for name in re.findall(r"@(llvm\.[\w.]+)\(", text)}
    return [f"declare {kind} @{name}({', '.join([kind] * count)})" for name, count in found.items()]
