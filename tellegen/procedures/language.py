"""What a file of procedures imports: types, records, and the functions that are not Python's own.

    from tellegen.procedures.language import Array, Record, f64, i64, procedure, sqrt

    @procedure
    def norm(x: Array[f64], n: i64) -> f64:
        total = 0.0
        for i in range(n):
            total += x[i] * x[i]
        return sqrt(total)

To Python and its type checkers these are ordinary functions on floats, ints and arrays, and they can be called with
NumPy arrays. docs/inside/procedures.md describes the subset.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar, overload

import numpy as np

f64 = Annotated[float, "f64"]
i64 = Annotated[int, "i64"]
i32 = Annotated[int, "i32"]
Address = Annotated[Any, "address"]
"""Something of another library that is only handed on, such as a vector of SUNDIALS."""

MARK = "tellegen_procedure"
"""The attribute of a marked function; its value is a Marked."""

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class Array(Protocol[T]):
    """Elements in a row, given by the address of the first; nobody knows how many there are."""

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Array[T]: ...
    def __getitem__(self, index: int | slice) -> T | Array[T]:
        """An element, or with `array[k:]` the array that begins at element k."""
        ...

    def __setitem__(self, index: int, value: T) -> None:
        """array[index] = value"""
        ...


class Record:
    """Base of records: 64-bit words with names and types, given by the address of the first.

    A field is f64, i64, bool, Address, an Array, a Record or a Callable; the last two may be `| None`.
    """


def field_names(record: type[Record]) -> tuple[str, ...]:
    """The fields of a record, in the order of its words."""
    return tuple(record.__annotations__)


class Marked(NamedTuple):
    """How a procedure is made code."""

    inline: bool
    seldom: bool
    external: bool


@overload
def procedure(function: F) -> F: ...
@overload
def procedure(*, inline: bool) -> Callable[[F], F]: ...
@overload
def procedure(*, seldom: bool) -> Callable[[F], F]: ...
@overload
def procedure(*, external: bool) -> Callable[[F], F]: ...
def procedure(
    function: F | None = None, *, inline: bool = False, seldom: bool = False, external: bool = False
) -> F | Callable[[F], F]:
    """Mark a function as a procedure; with `inline` its body is put where it is called.

    What is called `seldom` (once in a run, where somebody asks why) is not optimized, which takes most of the time in
    which a procedure becomes machine code. The code of an `external` one is written elsewhere, for each model: here it
    has a signature alone.
    """

    def marked(function: F) -> F:
        setattr(function, MARK, Marked(inline, seldom, external))
        return function

    return marked if function is None else marked(function)


def local_array(element: Any, count: int) -> Array[Any]:
    """Room for so many elements (a constant) as long as the procedure runs; what stands in it is not defined."""
    room: Any = np.zeros(count, {i32: np.int32, i64: np.int64}.get(element, np.float64))
    return room


def sqrt(x: float) -> float:
    """NaN below zero."""
    return math.sqrt(x) if x >= 0.0 else math.nan


def floor(x: float) -> float:
    """The next integer below, as a float."""
    return float(math.floor(x)) if math.isfinite(x) else x


def ceil(x: float) -> float:
    """The next integer above, as a float."""
    return float(math.ceil(x)) if math.isfinite(x) else x


def multiply_add(a: float, b: float, c: float) -> float:
    """a*b + c, rounded once where the machine can do that."""
    return a * b + c


def is_finite(x: float) -> bool:
    """Neither infinite nor NaN."""
    return math.isfinite(x)


def any_lane(condition: bool) -> bool:
    """Whether it holds in one of the runs that go side by side in lanes; of a single run the condition itself."""
    return condition


def bits(x: float) -> int:
    """The 64 bits of a float, as an integer."""
    return struct.unpack("<q", struct.pack("<d", x))[0]


def from_bits(k: int) -> float:
    """The float with these 64 bits."""
    return struct.unpack("<d", struct.pack("<q", k))[0]


FUNCTIONS: dict[Any, str] = {
    abs: "abs",
    min: "min",
    max: "max",
    float: "f64",
    int: "i64",
    sqrt: "sqrt",
    floor: "floor",
    ceil: "ceil",
    multiply_add: "multiply_add",
    is_finite: "is_finite",
    any_lane: "any",
    bits: "bits",
    from_bits: "from_bits",
    pow: "pow",
    **{getattr(math, name): name for name in ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{getattr(math, name): name for name in ("sinh", "cosh", "tanh", "pow")},
}
"""Functions of Python that are operations of procedures."""
