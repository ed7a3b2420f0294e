"""Expressions as LLVM instructions on doubles (type "double") and Booleans (type "i1").

y0 - p1*y2      %v3 = fmul double %v1, %v2
                %v4 = fsub double %v0, %v3

Functions of the user are called through pointers: C's as tellegen/foreign.py says, Python's as user_functions.py does.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from tellegen.errors import ExportError, InternalError
from tellegen.foreign import CFunction
from tellegen.ir.expressions.expr import (
    LACKING,
    Apply,
    Call,
    Const,
    Expr,
    Lookup,
    Slot,
    Time,
    walk_unknown,
)
from tellegen.ir.expressions.table import Table
from tellegen.ir.program import Int32Array, Pointer
from tellegen.start.records import dataclass

Value = tuple[str, str]
"""A name or literal, and its type."""


def literal(value: float) -> str:
    """A double, exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


_ARITHMETIC = {"sub": "fsub", "mul": "fmul", "div": "fdiv"}
_RELATIONS = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}
_LIBM_NAMES = (
    *("exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("atan2", "pow"),
)
_LIBM = {name: name for name in _LIBM_NAMES}
_INTRINSICS = {
    "sqrt": "llvm.sqrt.f64",
    "abs": "llvm.fabs.f64",
    "floor": "llvm.floor.f64",
    "ceil": "llvm.ceil.f64",
    "min": "llvm.minimum.f64",
    "max": "llvm.maximum.f64",
}
_NOTHING = literal(float("nan"))
_LACKING = literal(float(LACKING.value))
"""What code does not write is NaN."""
_PASSED = {"no_event": 0, "smooth": 1, "homotopy": 0, "with_derivatives": 0}
_TWO_OPERANDS = {"atan2", "pow", "min", "max"}

DECLARATIONS = "\n".join(
    f"declare double @{symbol}(double{', double' if name in _TWO_OPERANDS else ''})"
    for name, symbol in (_LIBM | _INTRINSICS).items()
)


Place = tuple[str, int]
"""An array and an index in it."""


@dataclass(eq=False)
class Places:
    """Where operands and results of a row stand, as far as that is known when it is printed.

    A C function reads its arguments and writes its results there, if they stand one after the other: copies take as
    long as a small function."""

    of_slot: Mapping[int, Place] = field(default_factory=dict)
    of_results: Mapping[Apply, Place] = field(default_factory=dict)  # of the first result, by the node of that

    def of_arguments(self, args: Sequence[Expr]) -> Place | None:
        """Of the first argument, if the others follow it."""
        found = [self.of_slot.get(arg.index) if isinstance(arg, Slot) else None for arg in args]
        first = found[0] if found else None
        if first is None or found != [(first[0], first[1] + k) for k in range(len(found))]:
            return None
        return first

    def holds(self, value: Expr, array: str, index: str) -> bool:
        """Whether a call has put a value where it belongs; it may belong to other places as well."""
        if not isinstance(value, Apply):
            return False
        first = self.of_results.get(Apply(value.function, value.args, 0))
        return first is not None and (array, index) == (first[0], str(first[1] + value.output))


@dataclass(eq=False)
class Tables:
    """What the pointer to tables of an entry refers to: index tables, tables of numbers, and external functions."""

    used: list[Int32Array | Pointer | Table] = field(default_factory=list)
    numbers: dict[Pointer | Table, int] = field(default_factory=dict)

    def add(self, table: Int32Array | Pointer | Table) -> int:
        """The number of a new one."""
        self.used.append(table)
        return len(self.used) - 1

    def number(self, pointer: Pointer | Table) -> int:
        """The number of a function or table, the same for all its calls."""
        if pointer not in self.numbers:
            self.numbers[pointer] = self.add(pointer)
        return self.numbers[pointer]


@dataclass(eq=False)
class Printer:
    """Appends instructions to `lines`; names are numbered through, so several expressions can share one."""

    lines: list[str] = field(default_factory=list)
    count: int = 0
    tables: Tables = field(default_factory=lambda: Tables())
    room: tuple[int, int] = (0, 0)  # arguments and results of the widest call of an opaque function
    places: Places = field(default_factory=lambda: Places())

    def emit(self, instruction: str) -> str:
        """The name of the instruction's result."""
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {instruction}")
        return name

    def load(self, array: str, index: str) -> str:
        """An element of an array of doubles."""
        return self.emit(f"load double, ptr {self.element(array, index)}")

    def element(self, array: str, index: str, of: str = "double") -> str:
        """The address of an element."""
        return self.emit(f"getelementptr {of}, ptr {array}, i64 {index}")

    def double(self, value: Value) -> str:
        """A value as a number."""
        name, kind = value
        if kind == "double":
            return name
        if name in ("true", "false"):
            return literal(float(name == "true"))
        return self.emit(f"uitofp i1 {name} to double")

    def truth(self, value: Value) -> str:
        """A value as a Boolean."""
        name, kind = value
        return name if kind == "i1" else self.emit(f"fcmp une double {name}, {literal(0.0)}")

    def expression(self, root: Expr, operands: Mapping[int, str], done: dict[Expr, Value]) -> str:
        """The expression as a number; `done` carries what expressions of the same row share."""

        def value(node: Expr) -> Value:
            return (operands[node.index], "double") if isinstance(node, Slot) else done[node]

        for node in walk_unknown(root, done):
            if node in done:
                continue  # another output of a call of just now
            if isinstance(node, Apply):
                done.update(self._apply(node, lambda arg: self.double(value(arg))))
            elif not isinstance(node, Slot):
                done[node] = self._node(node, [value(arg) for arg in node.args])
        return self.double(value(root))

    def _pointer(self, to: Pointer | Table) -> str:
        """The address of a function or of the numbers of a table."""
        number = self.tables.number(to)
        return self.emit(f"load ptr, ptr {self.element('%tables', str(number), of='{ ptr, i64 }')}")

    def _apply(self, node: Apply, number: Callable[[Expr], str]) -> dict[Expr, Value]:
        """A call through a pointer, and all its results: the other outputs need no second call."""
        function = node.function
        if function.part is not None:
            whole = function.part.call(node.args, node.output)
            found = self._apply(whole, lambda arg: _LACKING if arg == LACKING else number(arg))
            return {**found, node: found[whole]}
        pointer = Pointer(function, len(node.args))
        code = self._pointer(pointer)
        outputs = range(function.outputs)
        results = None
        if isinstance(function.callable, CFunction):
            given = self._parts(function.callable, node.args, number)
            results = self.places.of_results.get(Apply(function, node.args, 0))
            wanted = [self._result(results, k) for k in outputs]
            self.lines += [f"  store double {_NOTHING}, ptr {each}" for each in wanted]
        elif pointer.reads_memory:
            self._store(node.args, 0, number)
            given = ["ptr %args"]
        else:
            given = [f"double {number(arg)}" for arg in node.args]
            if function.outputs == 1:
                return {node: (self.emit(f"call double {code}({', '.join(given)})"), "double")}
        self.room = self.room[0], max(self.room[1], 0 if results else function.outputs)
        self.lines.append(f"  call void {code}({', '.join([*given, f'ptr {self._result(results, 0)}'])})")
        loaded = [self.emit(f"load double, ptr {self._result(results, k)}") for k in outputs]
        return {Apply(function, node.args, k): (name, "double") for k, name in enumerate(loaded)}

    def _result(self, results: Place | None, number: int) -> str:
        """The address of a result of a call: where it belongs, or in the room for results."""
        array, first = results or ("results", 0)
        return self.element(f"%{array}", str(first + number))

    def _parts(self, function: CFunction, args: Sequence[Expr], number: Callable[[Expr], str]) -> list[str]:
        """The arguments of a C function: time, and pointers to the others in memory."""
        parts = [f"double {number(args[0])}"]
        first = 1
        for count in function.parts:
            part = args[first : first + count]
            place = self.places.of_arguments(part)
            if place is None:
                self._store(part, first, number)
            array, index = place or ("args", first)
            parts.append(f"ptr {self.element(f'%{array}', str(index))}")
            first += count
        return parts

    def _store(self, args: Sequence[Expr], first: int, number: Callable[[Expr], str]) -> None:
        """Put arguments into the memory for them."""
        self.room = max(self.room[0], first + len(args)), self.room[1]
        for k, arg in enumerate(args, first):
            self.lines.append(f"  store double {number(arg)}, ptr {self.element('%args', str(k))}")

    def space(self) -> list[str]:
        """Instructions that belong at the beginning of the function: memory for calls."""
        if not any(self.room):
            return []
        names = zip(("%args", "%results"), self.room, strict=True)
        return [f"  {name} = alloca double, i64 {max(count, 1)}" for name, count in names]

    def _node(self, node: Expr, args: list[Value]) -> Value:
        if isinstance(node, Const):
            if isinstance(node.value, bool):
                return ("true" if node.value else "false"), "i1"
            return literal(float(node.value)), "double"
        if isinstance(node, Time):
            return "%t", "double"
        if isinstance(node, Call):
            return self._call(node, args)
        if isinstance(node, Lookup):
            return self.lookup(node, args)
        raise InternalError("E901", f"{node!r} has no instructions")

    def lookup(self, node: Lookup, args: list[Value]) -> Value:
        """The value of a table."""
        data = self._pointer(node.table)
        given = [f"double {self.double(arg)}" for arg in args]
        return self.emit(f"call double @lookup_{len(args)}({', '.join([f'ptr {data}', *given])})"), "double"

    def _call(self, node: Call, args: list[Value]) -> Value:
        op = node.op
        if op in _RELATIONS:
            a, b = (self.double(arg) for arg in args)
            return self.emit(f"fcmp {_RELATIONS[op]} double {a}, {b}"), "i1"
        if op in ("and", "or"):
            a, b = (self.truth(arg) for arg in args)
            return self.emit(f"{op} i1 {a}, {b}"), "i1"
        if op == "not":
            return self.emit(f"xor i1 {self.truth(args[0])}, true"), "i1"
        if op == "where":
            condition = self.truth(args[0])
            a = self.double(args[1])
            b = self.double(args[2])
            return self.emit(f"select i1 {condition}, double {a}, double {b}"), "double"
        if op in _PASSED:
            return args[_PASSED[op]]
        return self._number(node, [self.double(arg) for arg in args]), "double"

    def _number(self, node: Call, args: list[str]) -> str:
        """Operations from numbers to a number."""
        op = node.op
        if op == "pow":
            return self._power(node, args)
        if op in _ARITHMETIC:
            return self.emit(f"{_ARITHMETIC[op]} double {args[0]}, {args[1]}")
        symbol = _LIBM.get(op) or _INTRINSICS.get(op)
        if symbol:
            return self.emit(f"call double @{symbol}({', '.join(f'double {arg}' for arg in args)})")
        special: dict[str, Callable[[list[str]], str]] = {"add": self._sum, "neg": self._neg, "sign": self._sign}
        special["mod"] = self._mod
        if op in special:
            return special[op](args)
        raise ExportError("E412", f"'{op}' is not supported in a simulation")

    def _sum(self, args: list[str]) -> str:
        total = args[0]
        for arg in args[1:]:
            total = self.emit(f"fadd double {total}, {arg}")
        return total

    def _neg(self, args: list[str]) -> str:
        return self.emit(f"fneg double {args[0]}")

    def _sign(self, args: list[str]) -> str:
        above = self.emit(f"fcmp ogt double {args[0]}, {literal(0.0)}")
        below = self.emit(f"fcmp olt double {args[0]}, {literal(0.0)}")
        plus = self.double((above, "i1"))
        minus = self.double((below, "i1"))
        return self.emit(f"fsub double {plus}, {minus}")

    def _mod(self, args: list[str]) -> str:
        """a - floor(a/b)*b: the result has the sign of b, as in Python and NumPy."""
        quotient = self.emit(f"fdiv double {args[0]}, {args[1]}")
        whole = self.emit(f"call double @llvm.floor.f64(double {quotient})")
        return self.emit(f"fsub double {args[0]}, {self.emit(f'fmul double {whole}, {args[1]}')}")

    def _power(self, node: Call, args: list[str]) -> str:
        """Small whole exponents as products: faster and exact; others by libm."""
        exponent = node.args[1]
        value = exponent.value if isinstance(exponent, Const) else None
        if value in (2, 3, 4):
            square = self.emit(f"fmul double {args[0]}, {args[0]}")
            if value == 2:
                return square
            return self.emit(f"fmul double {square}, {args[0] if value == 3 else square}")
        if value == -1:
            return self.emit(f"fdiv double {literal(1.0)}, {args[0]}")
        return self.emit(f"call double @pow(double {args[0]}, double {args[1]})")
