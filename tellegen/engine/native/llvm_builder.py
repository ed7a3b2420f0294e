"""A few words on top of llvmlite's builder, so that the runtime kernels read like the loops they are.

All records shared with Python are arrays of 64-bit words (`Record`): a word is an address, a count or a double, so no
compiler's layout rules are involved.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir

F64, I64, I32, BIT, PTR = ir.DoubleType(), ir.IntType(64), ir.IntType(32), ir.IntType(1), ir.PointerType()
VOID = ir.VoidType()
Value = Any


class Function:
    """A function under construction; `args` are its arguments by name."""

    def __init__(self, module: ir.Module, name: str, arguments: dict[str, Any], returns: Any = VOID) -> None:
        self.function = ir.Function(module, ir.FunctionType(returns, list(arguments.values())), name)
        self.args = dict(zip(arguments, self.function.args, strict=True))
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))

    def __getitem__(self, name: str) -> Value:
        return self.args[name]

    def variable(self, kind: Any, value: Value) -> Value:
        """A mutable local; read and write it with get and put."""
        with self.builder.goto_entry_block():
            place = self.builder.alloca(kind)
        self.builder.store(value, place)
        return place

    def get(self, place: Value, kind: Any = F64) -> Value:
        return self.builder.load(place, typ=kind)

    def put(self, place: Value, value: Value) -> None:
        self.builder.store(value, place)

    def word(self, record: Value, number: int, kind: Any = PTR) -> Value:
        """Word `number` of a record."""
        return self.builder.load(self.place(record, I64(number), I64), typ=kind)

    def place(self, array: Value, index: Value, kind: Any = F64) -> Value:
        """The address of array[index]."""
        return self.builder.gep(array, [index], source_etype=kind)

    def double(self, array: Value, index: Value) -> Value:
        return self.builder.load(self.place(array, index), typ=F64)

    def index(self, array: Value, index: Value) -> Value:
        """An int32 element, widened."""
        return self.builder.sext(self.builder.load(self.place(array, index, I32), typ=I32), I64)

    def set(self, array: Value, index: Value, value: Value) -> None:
        self.builder.store(value, self.place(array, index))

    def set_index(self, array: Value, index: Value, value: Value) -> None:
        """Store a 64-bit integer as an int32 element."""
        self.builder.store(self.builder.trunc(value, I32), self.place(array, index, I32))

    def add_to(self, array: Value, index: Value, value: Value) -> None:
        """array[index] += value."""
        place = self.place(array, index)
        self.put(place, self.builder.fadd(self.get(place), value))

    def call(self, address: Value, returns: Any, *args: Value) -> Value:
        """A call through a function pointer."""
        return self.builder.call(_Callee(address, ir.FunctionType(returns, [arg.type for arg in args])), args)

    @contextmanager
    def loop(self, start: Value, stop: Value, step: int = 1) -> Iterator[Value]:
        """for k in range(start, stop, step) on 64-bit integers."""
        b = self.builder
        counter = self.variable(I64, start)
        head, body, done = (b.append_basic_block(name) for name in ("head", "body", "done"))
        b.branch(head)
        b.position_at_end(head)
        k = b.load(counter, typ=I64)
        b.cbranch(b.icmp_signed("<" if step > 0 else ">", k, stop), body, done)
        b.position_at_end(body)
        yield k
        b.store(b.add(k, I64(step)), counter)
        b.branch(head)
        b.position_at_end(done)

    @contextmanager
    def forever(self) -> Iterator[None]:
        """Repeat until the body returns from the function."""
        b = self.builder
        head, beyond = b.append_basic_block("again"), b.append_basic_block("beyond")
        b.branch(head)
        b.position_at_end(head)
        yield
        b.branch(head)
        b.position_at_end(beyond)
        b.unreachable()


_EXPONENT = 0x7FF0000000000000
"""The bits of a double that are all set where it is infinite or not a number."""


def note_if_not_finite(f: Function, value: Value, bad: Value) -> None:
    """Set the integer variable `bad` to 1 if a value is infinite or not a number; for loops that read it anyway."""
    b = f.builder
    bits = b.and_(b.bitcast(value, I64), I64(_EXPONENT))
    f.put(bad, b.or_(f.get(bad, I64), b.zext(b.icmp_unsigned("==", bits, I64(_EXPONENT)), I64)))


def all_finite(f: Function, array: Value, count: Value) -> Value:
    """Whether no element is infinite or not a number: by the bits of the exponent, four elements at a time."""
    b, four, exponent = f.builder, ir.VectorType(I64, 4), _EXPONENT
    mask = ir.Constant(four, [exponent] * 4)
    bad_four, bad = f.variable(four, ir.Constant(four, [0] * 4)), f.variable(I64, I64(0))
    whole = b.and_(count, I64(-4))
    with f.loop(I64(0), whole, 4) as k:
        bits = b.load(f.place(array, k), typ=four, align=8)
        is_bad = b.icmp_unsigned("==", b.and_(bits, mask), mask)
        f.put(bad_four, b.or_(f.get(bad_four, four), b.sext(is_bad, four)))
    with f.loop(whole, count) as k:
        bits = b.load(f.place(array, k), typ=I64)
        is_bad = b.icmp_unsigned("==", b.and_(bits, I64(exponent)), I64(exponent))
        f.put(bad, b.or_(f.get(bad, I64), b.zext(is_bad, I64)))
    found = f.get(bad, I64)
    for part in range(4):
        found = b.or_(found, b.extract_element(f.get(bad_four, four), I32(part)))
    return b.icmp_unsigned("==", found, I64(0))


class _Callee:
    """An untyped pointer as llvmlite wants a callee: with a function type."""

    def __init__(self, address: Value, function_type: ir.FunctionType) -> None:
        self.address, self.type, self.function_type = address, address.type, function_type

    def get_reference(self) -> str:
        return self.address.get_reference()


def address_of(array: Any) -> int:
    """Where an array's numbers are; the usual ways to ask cost a microsecond."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # empty, or not to be written to
        return array.__array_interface__["data"][0]


class Record:
    """64-bit words by name, in memory that does not move; arrays given as values stay alive with it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.number = {name: k for k, name in enumerate(names)}
        self.words = np.zeros(len(names), np.int64)
        self.doubles = self.words.view(np.float64)
        self.address: int = self.words.ctypes.data
        self.kept: dict[str, Any] = {}

    def set(self, **values: Any) -> None:
        """Integers as they are, arrays by address."""
        for name, value in values.items():
            self.kept[name] = value
            self.words[self.number[name]] = address_of(value) if isinstance(value, np.ndarray) else value

    def put(self, **values: float) -> None:
        """Words that are doubles."""
        for name, value in values.items():
            self.doubles[self.number[name]] = value

    def field_address(self, name: str) -> int:
        """Where a word is, for native code that knows nothing of the record."""
        return self.address + 8 * self.number[name]

    def get(self, name: str) -> int:
        """A word that is an integer."""
        return int(self.words[self.number[name]])

    def get_double(self, name: str) -> float:
        """A word that is a double."""
        return float(self.doubles[self.number[name]])
