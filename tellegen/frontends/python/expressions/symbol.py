"""Symbol: what a user's `self.R * self.i == self.v` is made of.

A symbol is a node of an expression tree over whole arrays (a scalar is an array of shape ()). Operators act element
by element with NumPy's broadcasting; indexing picks elements and is pushed down to the leaves. `==` builds an
equation, so symbols are unhashable on purpose (but for members of components, which tg.invariant takes as keys).
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator
from numbers import Number
from typing import Any

import numpy as np

from tellegen.errors import LanguageError, UntraceableError
from tellegen.frontends.python.expressions.generator_watch import Watch
from tellegen.frontends.python.expressions.nan import NoNumber
from tellegen.frontends.python.expressions.notation import INFIX, UFUNCS, number_of, show_symbol
from tellegen.frontends.python.expressions.refusal import NotAQuantity, no_element, wrong_shapes
from tellegen.ir.source_location import here

Shape = tuple[int, ...]


class Symbol(NoNumber):
    """Base of all nodes: `Operation`, and the leaves `Literal`, `Leaf` and the declarations."""

    __slots__ = ("args", "extra", "op", "shape")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000

    def __init__(self, op: str, args: tuple[Symbol, ...], shape: Shape, extra: Any = None) -> None:
        self.op = op
        self.args = args
        self.shape = shape
        self.extra = extra
        if Watch.active is not None:
            for arg in args:
                if arg.op == "eq":
                    Watch.active.used(arg)

    # -- arithmetic -------------------------------------------------------------------------------------------
    def __add__(self, other: object) -> Symbol:
        return operation("add", self, other)

    def __radd__(self, other: object) -> Symbol:
        return operation("add", other, self)

    def __sub__(self, other: object) -> Symbol:
        return operation("sub", self, other)

    def __rsub__(self, other: object) -> Symbol:
        return operation("sub", other, self)

    def __mul__(self, other: object) -> Symbol:
        return operation("mul", self, other)

    def __rmul__(self, other: object) -> Symbol:
        return operation("mul", other, self)

    def __truediv__(self, other: object) -> Symbol:
        return operation("div", self, other)

    def __rtruediv__(self, other: object) -> Symbol:
        return operation("div", other, self)

    def __pow__(self, other: object) -> Symbol:
        return operation("pow", self, other)

    def __rpow__(self, other: object) -> Symbol:
        return operation("pow", other, self)

    def __mod__(self, other: object) -> Symbol:
        return operation("mod", self, other)

    def __neg__(self) -> Symbol:
        return operation("neg", self)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return operation("abs", self)

    def __matmul__(self, other: object) -> Symbol:
        return matmul(self, as_symbol(other))

    def __rmatmul__(self, other: object) -> Symbol:
        return matmul(as_symbol(other), self)

    # -- relations and logic ----------------------------------------------------------------------------------
    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        equation = operation("eq", self, number_of(other, self))
        if Watch.active is not None:
            Watch.active.open[id(equation)] = (equation, here())
        return equation

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return operation("ne", self, number_of(other, self))

    def __lt__(self, other: object) -> Symbol:
        return operation("lt", self, other)

    def __le__(self, other: object) -> Symbol:
        return operation("le", self, other)

    def __gt__(self, other: object) -> Symbol:
        return operation("gt", self, other)

    def __ge__(self, other: object) -> Symbol:
        return operation("ge", self, other)

    def __and__(self, other: object) -> Symbol:
        return operation("and", self, other)

    def __rand__(self, other: object) -> Symbol:
        return operation("and", other, self)

    def __or__(self, other: object) -> Symbol:
        return operation("or", self, other)

    def __ror__(self, other: object) -> Symbol:
        return operation("or", other, self)

    def __invert__(self) -> Symbol:
        return operation("not", self)

    # -- arrays -----------------------------------------------------------------------------------------------
    def __len__(self) -> int:
        if not self.shape:
            raise no_element(self)
        return self.shape[0]

    def __iter__(self) -> Iterator[Symbol]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, key: Any) -> Symbol:
        return pick(self, key)

    @property
    def T(self) -> Symbol:
        """The transpose."""
        return pick_flat(self, np.arange(int(np.prod(self.shape))).reshape(self.shape).T)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        op = UFUNCS.get(ufunc.__name__)
        if op is None or method != "__call__" or kwargs:
            return NotImplemented
        if op == "matmul":
            return matmul(as_symbol(inputs[0]), as_symbol(inputs[1]))
        if op == "eq":
            return as_symbol(inputs[1]).__eq__(inputs[0])
        return operation(op, *inputs)

    def __repr__(self) -> str:
        return show_symbol(self)


Expression = Symbol | float
"""What may stand in an equation: for annotations of functions that make parts of equations."""


class Operation(Symbol):
    """An operation on other symbols. A class beside the leaves, not above them, because Python lets the right operand
    of a comparison go first when its class is derived from the left one's: `time < R` would turn into `R > time`."""

    __slots__ = ()


class Literal(Symbol):
    """A number, Boolean or array of numbers."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = np.asarray(value)
        super().__init__("literal", (), self.value.shape)


_STRAYS = {str: "declare a parameter with this string and use that", type(None): "does a function lack its return?"}


def as_symbol(value: object) -> Symbol:
    """A symbol for anything that can stand in an equation."""
    if isinstance(value, Symbol):
        return value
    if isinstance(value, enum.Enum):
        return Literal(list(type(value)).index(value))
    if isinstance(value, (bool, Number, np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype.kind == "u" or _is_long(value):
            array = array.astype(float)  # an integer beyond 64 bits
        if array.dtype.kind in "bif":
            return Literal(array)
        if array.dtype.kind == "O" and array.ndim:  # NumPy's array of symbols
            return stack([as_symbol(item) for item in array])
    if isinstance(value, (list, tuple)):
        return stack([as_symbol(item) for item in value])
    if isinstance(value, NotAQuantity):
        raise value._no_quantity()
    raise UntraceableError(
        "E113",
        f"{value!r} (a {type(value).__name__}) cannot be used in an equation",
        location=here(),
        advice=getattr(value, "in_equations", None)
        or _STRAYS.get(type(value), "equations consist of numbers, parameters, variables and functions of them"),
    )


def _is_long(value: object) -> bool:
    """Whether it is an integer that a float can stand for and an integer of the machine cannot."""
    return isinstance(value, int) and 2**63 <= abs(value) <= sys.float_info.max


def operation(op: str, *operands: Any) -> Symbol:
    """An element-by-element operation."""
    args = tuple(as_symbol(operand) for operand in operands)
    return Operation(op, args, common_shape(op, args))


def common_shape(op: str, args: tuple[Symbol, ...]) -> Shape:
    """The shape operands broadcast to."""
    try:
        return np.broadcast_shapes(*(arg.shape for arg in args))
    except ValueError:
        raise wrong_shapes(INFIX.get(op, op), args) from None


def stack(items: list[Symbol]) -> Symbol:
    """A list of symbols as one array with a new first axis."""
    if all(isinstance(item, Literal) for item in items):
        return Literal(np.array([item.value for item in items]))  # type: ignore[attr-defined]
    shapes = {item.shape for item in items}
    if len(shapes) > 1:
        raise LanguageError("E114", f"the items of a list have different shapes: {sorted(shapes)}", location=here())
    return Operation("stack", tuple(items), (len(items), *items[0].shape))


def matmul(a: Symbol, b: Symbol) -> Symbol:
    """a @ b for vectors and matrices: a sum over the shared axis, each term element by element."""
    if len(a.shape) not in (1, 2) or len(b.shape) not in (1, 2) or a.shape[-1] != b.shape[0]:
        raise wrong_shapes("@", (a, b))
    terms = []
    for k in range(b.shape[0]):
        left = a[k] if len(a.shape) == 1 else a[:, k]
        right = b[k]
        if len(a.shape) == 2 and len(b.shape) == 2:
            left = left[:, None]
        terms.append(operation("mul", left, right))
    return total(terms)


def total(terms: list[Symbol]) -> Symbol:
    """The sum of symbols as one operation."""
    if not terms:
        return Literal(0.0)
    return terms[0] if len(terms) == 1 else operation("add", *terms)


def pick(symbol: Symbol, key: Any) -> Symbol:
    """symbol[key]: the elements NumPy would pick."""
    count = int(np.prod(symbol.shape))
    try:
        chosen = np.arange(count).reshape(symbol.shape)[key]
    except IndexError:
        raise no_element(symbol, key) from None
    return pick_flat(symbol, np.asarray(chosen))


def pick_flat(symbol: Symbol, chosen: np.ndarray[Any, Any], memo: dict[Any, Symbol] | None = None) -> Symbol:
    """The elements numbered `chosen` (counted over the raveled symbol), in the shape of `chosen`."""
    memo = {} if memo is None else memo
    key = (id(symbol), chosen.shape, chosen.tobytes())  # shared parts are picked once
    if key in memo:
        return memo[key]
    if isinstance(symbol, Literal):
        out: Symbol = Literal(symbol.value.ravel()[chosen])
    elif symbol.op == "stack":
        out = _pick_from_stack(symbol, chosen, memo)
    elif not symbol.args:
        out = symbol.picked(chosen) if symbol.shape else symbol  # type: ignore[attr-defined]
    else:
        operands = tuple(_pick_operand(arg, symbol, chosen, memo) for arg in symbol.args)
        out = Operation(symbol.op, operands, chosen.shape, symbol.extra)
    memo[key] = out
    return out


def _pick_operand(arg: Symbol, of: Symbol, chosen: np.ndarray[Any, Any], memo: dict[Any, Symbol]) -> Symbol:
    """The part of an operand that the chosen elements of the result come from."""
    if not arg.shape:
        return arg
    own = np.arange(int(np.prod(arg.shape))).reshape(arg.shape)
    return pick_flat(arg, np.asarray(np.broadcast_to(own, of.shape).ravel()[chosen]), memo)


def _pick_from_stack(symbol: Symbol, chosen: np.ndarray[Any, Any], memo: dict[Any, Symbol]) -> Symbol:
    inner = int(np.prod(symbol.shape[1:]))
    parts = [pick_flat(symbol.args[k // inner], np.asarray(k % inner), memo) for k in chosen.ravel().tolist()]
    if not chosen.shape:
        return parts[0]
    rows = np.array(range(len(parts))).reshape(chosen.shape)
    return parts[0] if len(parts) == 1 and not chosen.shape else _restack(parts, rows)


def _restack(parts: list[Symbol], rows: np.ndarray[Any, Any]) -> Symbol:
    if rows.ndim == 1:
        return stack([parts[k] for k in rows.tolist()])
    return stack([_restack(parts, row) for row in rows])
