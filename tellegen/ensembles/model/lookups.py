"""Tables of a model in lanes: their numbers as constants of the module, and a function that looks up in each.

    table.5f0c...(x)    segment by bisection, always the same number of steps: each lane halves its own part
                        polynomial of the segment, its coefficients read by each lane at a place of its own

What codegen/lookup.py does for one run, without branches. Breaks that tables share (a table and its slope) are searched
once: the constants are the same, so LLVM sees equal searches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from tellegen.codegen.scalar import Printer, Value, literal
from tellegen.ir.expressions.expr import Lookup
from tellegen.ir.expressions.table import Floats, Table

_NAME_LENGTH = 16


@dataclass(eq=False)
class LookupPrinter(Printer):
    """Expressions whose tables are functions of the module; `looked_up` are these tables."""

    looked_up: dict[Table, None] = field(default_factory=dict)

    def lookup(self, node: Lookup, args: list[Value]) -> Value:
        """A call of the function of the table."""
        self.looked_up[node.table] = None
        given = ", ".join(f"double {self.double(arg)}" for arg in args)
        return self.emit(f"call double @{_function(node.table)}({given})"), "double"


def _function(table: Table) -> str:
    return f"table.{table.stamp.hex()[:_NAME_LENGTH]}"


def lookup_text(tables: Iterable[Table], lanes: int) -> str:
    """The functions of all tables for so many lanes, and what they read."""
    found = tuple(tables)
    if not found:
        return ""
    constants: dict[str, str] = {}
    functions = [_LookupWriter(table, lanes, constants).text() for table in found]
    return "\n".join([*constants.values(), _load(lanes), *functions])


class _LookupWriter:
    """The function of one table on its way."""

    def __init__(self, table: Table, lanes: int, constants: dict[str, str]) -> None:
        self.table = table
        self.lanes = lanes
        self.number = "double" if lanes == 1 else f"<{lanes} x double>"
        self.place = "i64" if lanes == 1 else f"<{lanes} x i64>"
        self.truth = "i1" if lanes == 1 else f"<{lanes} x i1>"
        self.constants = constants
        self.printer = Printer()

    def text(self) -> str:
        """All of it."""
        axes = len(self.table.breaks)
        found = [self._segment(breaks, f"%x{axis}") for axis, breaks in enumerate(self.table.breaks)]
        offsets = [self._offset(breaks, f"%x{axis}", found[axis]) for axis, breaks in enumerate(self.table.breaks)]
        cell = found[0]
        for axis in range(1, axes):
            across = len(self.table.breaks[axis]) + 1
            row = self._emit(f"mul {self.place} {cell}, {self._integer(across)}")
            cell = self._emit(f"add {self.place} {row}, {found[axis]}")
        powers = self.table.coefficients.shape[axes:]
        size = int(self.table.coefficients[(0,) * axes].size)
        first = self._emit(f"mul {self.place} {cell}, {self._integer(size)}")
        value = self._polynomial(first, 0, powers, offsets)
        given = ", ".join(f"{self.number} %x{axis}" for axis in range(axes))
        head = f"define internal {self.number} @{_function(self.table)}({given}) alwaysinline nounwind {{"
        return "\n".join([head, *self.printer.lines, f"  ret {self.number} {value}", "}"])

    def _segment(self, breaks: Floats, x: str) -> str:
        """How many breaks are not above x; as many steps for every x."""
        data = self._constant(breaks)
        base = self._integer(0)
        left = len(breaks)
        while left > 0:
            half = max(left // 2, 1)
            probe = self._emit(f"add {self.place} {base}, {self._integer(half - 1)}")
            is_above = self._emit(f"fcmp ole {self.number} {self._loaded(data, probe)}, {x}")
            moved = self._emit(f"add {self.place} {base}, {self._integer(half)}")
            base = self._emit(f"select {self.truth} {is_above}, {self.place} {moved}, {self.place} {base}")
            left = left - half if left > 1 else 0
        return base

    def _offset(self, breaks: Floats, x: str, segment: str) -> str:
        """x from the left end of its segment; before the first break from there."""
        is_first = self._emit(f"icmp eq {self.place} {segment}, {self._integer(0)}")
        before = self._emit(f"sub {self.place} {segment}, {self._integer(1)}")
        zero = self._integer(0)
        left = self._emit(f"select {self.truth} {is_first}, {self.place} {zero}, {self.place} {before}")
        return self._emit(f"fsub {self.number} {x}, {self._loaded(self._constant(breaks), left)}")

    def _polynomial(self, first: str, number: int, powers: tuple[int, ...], offsets: list[str]) -> str:
        """Of the coefficients from `number` on in the cell that begins at `first`, by the offsets that are left."""
        if not powers:
            place = self._emit(f"add {self.place} {first}, {self._integer(number)}")
            return self._loaded(self._constant(self.table.coefficients.ravel()), place)
        width = 1
        for count in powers[1:]:
            width *= count
        parts = [self._polynomial(first, number + power * width, powers[1:], offsets[1:]) for power in range(powers[0])]
        value = parts.pop()
        while parts:
            scaled = self._emit(f"fmul {self.number} {value}, {offsets[0]}")
            value = self._emit(f"fadd {self.number} {scaled}, {parts.pop()}")
        return value

    def _emit(self, instruction: str) -> str:
        return self.printer.emit(instruction)

    def _integer(self, value: int) -> str:
        """An integer in every lane."""
        return str(value) if self.lanes == 1 else f"<{', '.join([f'i64 {value}'] * self.lanes)}>"

    def _loaded(self, data: str, place: str) -> str:
        return self._emit(f"call {self.number} @table.load(ptr @{data}, {self.place} {place})")

    def _constant(self, numbers: Floats) -> str:
        """The name of an array of the module with these numbers."""
        name = f"table.numbers.{sha256(numbers.tobytes()).hexdigest()[:_NAME_LENGTH]}"
        if name not in self.constants:
            values = ", ".join(f"double {literal(float(value))}" for value in numbers)
            self.constants[name] = f"@{name} = internal constant [{len(numbers)} x double] [{values}]"
        return name


def _load(lanes: int) -> str:
    """Each lane reads at a place of its own."""
    if lanes == 1:
        return """define internal double @table.load(ptr %array, i64 %place) alwaysinline nounwind {
  %at = getelementptr double, ptr %array, i64 %place
  %value = load double, ptr %at, !invariant.load !0
  ret double %value
}"""
    number = f"<{lanes} x double>"
    lines = []
    last = "poison"
    for lane in range(lanes):
        lines.append(f"  %place{lane} = extractelement <{lanes} x i64> %place, i64 {lane}")
        lines.append(f"  %at{lane} = getelementptr double, ptr %array, i64 %place{lane}")
        lines.append(f"  %value{lane} = load double, ptr %at{lane}, !invariant.load !0")
        lines.append(f"  %all{lane} = insertelement {number} {last}, double %value{lane}, i64 {lane}")
        last = f"%all{lane}"
    head = f"define internal {number} @table.load(ptr %array, <{lanes} x i64> %place) alwaysinline nounwind {{"
    return "\n".join([head, *lines, f"  ret {number} {last}", "}"])
