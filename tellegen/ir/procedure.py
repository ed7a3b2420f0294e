"""Procedures: a small imperative language for code that is the same for all models.

    procedure norm(x: Array[f64], n: i64) -> f64
        total = 0.0
        for i in range(0, n, 1)
            total = total + x[i] * x[i]
        return sqrt(total)

The integrators, the event iteration and the block solvers are written in it; every printer and evaluator has to know
only what stands in this file. Numbers are f64, i64 and bool; i32 exists in arrays and in signatures, and is an i64 as
soon as it is read. A record is a row of 64-bit words with names. Every expression knows its type, and all conversions
are explicit, so that what follows the parser infers nothing.

The nodes are named tuples: Python makes twenty such classes in 1 ms, twenty frozen dataclasses in 9, and the parser
runs in the first run of a user.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tellegen.ir.source_location import NOWHERE, SourceLocation


class Scalar(NamedTuple):
    """A number, a Boolean, or an address that is only handed on (`address`)."""

    name: str


class ArrayOf(NamedTuple):
    """The address of the first of many elements."""

    element: Type


class RecordOf(NamedTuple):
    """The address of a record; its fields are in the layout of that name."""

    name: str


class FunctionOf(NamedTuple):
    """The address of a function."""

    parameters: tuple[Type, ...]
    returns: Type | None


Type = Scalar | ArrayOf | RecordOf | FunctionOf

F64, I64, I32, BOOL, ADDRESS = (Scalar(name) for name in ("f64", "i64", "i32", "bool", "address"))


def read_type(stored: Type) -> Type:
    """The type of what is read from memory, or passed, as `stored`."""
    return I64 if stored == I32 else stored


def is_pointer(kind: Type | None) -> bool:
    """Whether values of a type are addresses."""
    return kind is not None and (not isinstance(kind, Scalar) or kind == ADDRESS)


# Expressions


class Constant(NamedTuple):
    """A number."""

    value: float | int | bool
    type: Type


class Data(NamedTuple):
    """A constant array, such as the coefficients of a method."""

    name: str
    values: tuple[float, ...] | tuple[int, ...]
    type: Type


class Local(NamedTuple):
    """A parameter or local variable."""

    name: str
    type: Type


class Field(NamedTuple):
    """record.name"""

    record: Expr
    name: str
    type: Type


class Element(NamedTuple):
    """array[subscript]; in an array of records the address of that record."""

    array: Expr
    subscript: Expr
    type: Type


class Tail(NamedTuple):
    """array[start:], the array that begins there."""

    array: Expr
    start: Expr
    type: Type


class Operation(NamedTuple):
    """An operation of the table below. `and`, `or` and `choose` evaluate only what they need."""

    name: str
    operands: tuple[Expr, ...]
    type: Type


class Call(NamedTuple):
    """The call of a procedure by its full name."""

    procedure: str
    arguments: tuple[Expr, ...]
    type: Type | None


class CallPointer(NamedTuple):
    """The call of a function through its address."""

    function: Expr
    arguments: tuple[Expr, ...]
    type: Type | None


Expr = Constant | Data | Local | Field | Element | Tail | Operation | Call | CallPointer

OPERATIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("+", "-", "*"), ("ff:f", "ii:i")),
    "/": ("ff:f",),
    **dict.fromkeys(("//", "%"), ("ii:i",)),
    **dict.fromkeys(("&", "|", "^", "<<", ">>"), ("ii:i",)),
    **dict.fromkeys(("<", "<=", ">", ">="), ("ff:b", "ii:b")),
    **dict.fromkeys(("==", "!="), ("ff:b", "ii:b", "bb:b")),
    **dict.fromkeys(("and", "or"), ("bb:b",)),
    "not": ("b:b",),
    "choose": ("bff:f", "bii:i", "bbb:b", "bpp:p"),
    "neg": ("f:f", "i:i"),
    "abs": ("f:f", "i:i"),
    **dict.fromkeys(("min", "max"), ("ff:f", "ii:i")),
    "f64": ("i:f",),
    "i64": ("f:i", "b:i"),
    "bits": ("f:i",),
    "from_bits": ("i:f",),
    "is_finite": ("f:b",),
    "any": ("b:b",),
    "is_none": ("p:b",),
    "multiply_add": ("fff:f",),
    **dict.fromkeys(("sqrt", "floor", "ceil", "exp", "log", "sin", "cos", "tan"), ("f:f",)),
    **dict.fromkeys(("asin", "acos", "atan", "sinh", "cosh", "tanh"), ("f:f",)),
    **dict.fromkeys(("pow", "atan2"), ("ff:f",)),
}
"""All operations, with the types they take and give: f64, i64, bool, pointers (all of one type).

Integers wrap around; `//` and `%` round towards minus infinity, `i64` of a float towards zero.
`max(a, b)` is b if b > a, else a, and `min` alike: as in Python. `multiply_add(a, b, c)` is a*b + c, rounded once where
the machine can do that. `any` asks whether something holds in one of the lanes that run side by side: in scalar code it
is what it is of.
"""


# Statements


class Assign(NamedTuple):
    """target = value"""

    target: Local | Field | Element
    value: Expr
    location: SourceLocation


class LocalArray(NamedTuple):
    """Room for so many elements, as long as the procedure runs."""

    name: str
    element: Type
    length: int
    location: SourceLocation


class If(NamedTuple):
    """The one or the other."""

    condition: Expr
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    location: SourceLocation


class While(NamedTuple):
    """Again and again as long as the condition holds."""

    condition: Expr
    body: tuple[Statement, ...]
    location: SourceLocation


class For(NamedTuple):
    """for name in range(start, stop, step); the bounds are computed once, the step is not zero."""

    name: str
    start: Expr
    stop: Expr
    step: int
    body: tuple[Statement, ...]
    location: SourceLocation


class Break(NamedTuple):
    """Leave the innermost loop."""

    location: SourceLocation


class Continue(NamedTuple):
    """The next round of the innermost loop."""

    location: SourceLocation


class Return(NamedTuple):
    """Leave the procedure."""

    value: Expr | None
    location: SourceLocation


class Do(NamedTuple):
    """A call for what it does."""

    call: Call | CallPointer
    location: SourceLocation


Statement = Assign | LocalArray | If | While | For | Break | Continue | Return | Do


# Procedures


class Parameter(NamedTuple):
    """A parameter; one of type i32 is an i64 inside."""

    name: str
    type: Type


class Procedure(NamedTuple):
    """A function. With `inline` printers put its body where it is called; `seldom` called ones are not optimized."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: Type | None
    body: tuple[Statement, ...]
    inline: bool = False
    location: SourceLocation = NOWHERE
    seldom: bool = False
    external: bool = False  # its code is written elsewhere, for each model

    @property
    def signature(self) -> FunctionOf:
        """Its type."""
        return FunctionOf(tuple(parameter.type for parameter in self.parameters), self.returns)


class Layout(NamedTuple):
    """The fields of a record, each a word of 64 bits."""

    name: str
    fields: dict[str, Type]


class Unit(NamedTuple):
    """Procedures that are translated together; `entries` are called from outside, by these names."""

    procedures: dict[str, Procedure]
    layouts: dict[str, Layout]
    entries: dict[str, str]  # the name outside -> the full name


def statements(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements, also inside others, in the order they are written."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from statements(statement.body)
            yield from statements(statement.otherwise)
        elif isinstance(statement, While | For):
            yield from statements(statement.body)


def parts(value: Expr) -> Iterator[Expr]:
    """An expression and all expressions inside it."""
    yield value
    match value:
        case Field(record):
            yield from parts(record)
        case Element(array, index) | Tail(array, index):
            yield from parts(array)
            yield from parts(index)
        case Operation(_, operands) | Call(_, operands):
            for operand in operands:
                yield from parts(operand)
        case CallPointer(function, arguments):
            for part in (function, *arguments):
                yield from parts(part)


def calls(value: Expr) -> bool:
    """Whether an expression calls something, so that computing it twice would be something else."""
    return any(isinstance(part, Call | CallPointer) for part in parts(value))
