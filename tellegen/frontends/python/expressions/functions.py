"""The functions equations are written with: tg.der, tg.sin, tg.where, tg.pre and the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.frontends.python.expressions.symbol import (
    Literal,
    Operation,
    Symbol,
    as_symbol,
    operation,
    pick_flat,
    stack,
    total,
)
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

time = Operation("time", (), ())
"""The independent variable, in seconds."""

pi = math.pi
"""Half the circumference of a circle of radius 1."""


NUMBERS = (int, float, np.number, np.ndarray)  # of these the functions are numbers, so that they work in any Python


def _function(op: str, what: str) -> Any:
    def apply(x: object) -> Any:
        if isinstance(x, NUMBERS):
            return OPS[op].numeric(x)  # type: ignore[misc]
        own = getattr(type(x), "apply", None)  # performance functions have their own
        return own(x, op) if own is not None else operation(op, x)

    apply.__name__ = apply.__qualname__ = op
    apply.__doc__ = f"{what}, element by element."
    return apply


sin = _function("sin", "Sine")
cos = _function("cos", "Cosine")
tan = _function("tan", "Tangent")
asin = _function("asin", "Inverse sine")
acos = _function("acos", "Inverse cosine")
atan = _function("atan", "Inverse tangent")
sinh = _function("sinh", "Hyperbolic sine")
cosh = _function("cosh", "Hyperbolic cosine")
tanh = _function("tanh", "Hyperbolic tangent")
exp = _function("exp", "Exponential")
log = _function("log", "Natural logarithm")
log10 = _function("log10", "Logarithm to base 10")
sqrt = _function("sqrt", "Square root")
sign = _function("sign", "Sign: -1, 0 or 1")
floor = _function("floor", "Largest integer not above")
ceil = _function("ceil", "Smallest integer not below")


def atan2(y: object, x: object) -> Symbol:
    """The angle of the point (x, y)."""
    return operation("atan2", y, x)


def minimum(a: object, b: object) -> Any:
    """The smaller of two, element by element."""
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        return np.minimum(a, b)
    return operation("min", a, b)


def maximum(a: object, b: object) -> Any:
    """The larger of two, element by element."""
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        return np.maximum(a, b)
    return operation("max", a, b)


def where(condition: object, yes: object, no: object) -> Any:
    """`yes` where the condition holds, `no` elsewhere; the switch is an event."""
    if isinstance(condition, (bool, np.bool_)):
        chosen = yes if condition else no
        return chosen if isinstance(chosen, NUMBERS) else as_symbol(chosen)
    return operation("where", condition, yes, no)


def der(x: object) -> Symbol:
    """The time derivative of any expression."""
    return operation("der", x)


def sum(x: object) -> Symbol:
    """The sum over all elements."""
    symbol = as_symbol(x)
    count = int(np.prod(symbol.shape))
    return total([pick_flat(symbol, np.asarray(k)) for k in range(count)])


def dot(a: object, b: object) -> Symbol:
    """The inner product of two vectors."""
    return as_symbol(a) @ b


def cross(a: object, b: object) -> Symbol:
    """The vector product of two 3-vectors."""
    a = as_symbol(a)
    b = as_symbol(b)
    if a.shape != (3,) or b.shape != (3,):
        raise LanguageError("E114", f"cross needs two 3-vectors, not shapes {a.shape} and {b.shape}", location=here())
    return stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def pre(x: object) -> Symbol:
    """The value of a variable just before the present event."""
    return operation("pre", _variable(x, "pre"))


def edge(x: object) -> Symbol:
    """True at the event at which a boolean becomes true."""
    return operation("edge", _variable(x, "edge"))


def change(x: object) -> Symbol:
    """True at an event at which a discrete variable takes a new value."""
    return operation("change", _variable(x, "change"))


def _variable(x: object, function: str) -> Symbol:
    if not isinstance(x, Symbol) or x.args or isinstance(x, Literal) or x.op == "time":
        raise LanguageError(
            "E116",
            f"{function}(...) takes a variable, not the expression '{x}'",
            location=here(),
            advice="declare a variable for the expression and use it here",
        )
    return x


def initial() -> Symbol:
    """True while the initial values are found."""
    return Operation("initial", (), ())


def terminal() -> Symbol:
    """True at the end of a successful run."""
    return Operation("terminal", (), ())


def sample(start: object, period: object) -> Symbol:
    """True at the instants start, start + period, start + 2 period, ..."""
    return operation("sample", start, period)


def no_event(x: object) -> Any:
    """The expression with its relations taken literally: no events are made for them."""
    return x if isinstance(x, NUMBERS) else operation("no_event", x)


def smooth(order: int, x: object) -> Symbol:
    """The expression, promised to be `order` times continuously differentiable: events are not needed."""
    return operation("smooth", order, x)


def homotopy(actual: object, simplified: object) -> Symbol:
    """`actual`, or on the way to initial values a blend that starts at `simplified`."""
    return operation("homotopy", actual, simplified)


def with_derivatives(x: object, *derivatives: object) -> Symbol:
    """The signal x, which comes with its derivatives by time: where an equation with it has to be differentiated, the
    next one is taken instead of differentiating what x is made of.

    All of them are known from elsewhere: no equation is solved for them.
    """
    return operation("with_derivatives", x, *derivatives)


def delay(x: object, by: object, longest: object = None) -> Symbol:
    """The value of an expression some time ago; before the start, that at the start.

    The time is a number or a parameter, and events come back exactly that much later. With the `longest` time there may
    be, it can be any expression of zero or more: `tg.delay(self.c, self.length / self.speed, longest=60.0)`. Every
    solver reads the past.
    """
    if longest is None:
        return operation("delay", x, by)
    return operation("varying_delay", x, by, longest)


@dataclass(frozen=True)
class Transported:
    """What leaves a pipe at both of its ends; at the end where it enters, what enters."""

    out0: Symbol
    out1: Symbol


def transport(
    in0: object,
    in1: object,
    x: object,
    forward: object,
    *,
    points: Sequence[object] = (0.0, 1.0),
    values: Sequence[object] = (0.0, 0.0),
) -> Transported:
    """What a pipe of length one carries from one end to the other: dz/dt + v dz/dy = 0, without mixing.

    `x` is how far the content has moved, der(x) = v, and `forward` whether it moves from end 0 to end 1: v >= 0. What
    enters is `in0` or `in1`; at the start the pipe contains `values` at `points` from 0 to 1, with straight lines
    between them: `tg.transport(T_a, T_b, self.x, self.v >= 0, values=(300.0, 300.0)).out1`.
    """
    if len(points) != len(values) or len(points) < 2:
        raise LanguageError(
            "E116",
            f"transport(...) with {len(points)} points and {len(values)} values: there must be as many, at least two",
            location=here(),
            advice="give values at the points 0 and 1 and between them",
        )
    mirrored = [1.0 - point for point in reversed(points)]  # type: ignore[operator]
    back = operation("not", forward)
    at1 = operation("transported", in0, in1, x, forward, *points, *values)
    at0 = operation("transported", in1, in0, operation("neg", x), back, *mirrored, *reversed(values))
    return Transported(operation("where", forward, in0, at0), operation("where", forward, at1, in1))
