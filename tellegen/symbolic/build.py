"""Constructors that simplify a little while they build.

    mul(ONE, x) -> x      sub(x, x) -> 0      add(x, 0.0, 2.0, 3.0) -> x + 5.0

Derivatives and sign changes produce many zeros and ones; folding them at birth keeps generated code small without a
separate simplifier. Nothing here changes the value of an expression, except that 0*x is 0 also where x is not finite.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr


def number(expr: Expr) -> float | None:
    """The value of a numeric constant, None for everything else (Booleans included)."""
    if isinstance(expr, Const) and not isinstance(expr.value, bool):
        return float(expr.value)
    return None


def is_zero(expr: Expr) -> bool:
    """Whether this is the constant 0."""
    return number(expr) == 0.0


def neg(a: Expr) -> Expr:
    """-a."""
    value = number(a)
    if value is not None:
        return Const(-value) if value else ZERO
    if isinstance(a, Call) and a.op == "neg":
        return a.args[0]
    if isinstance(a, Call) and a.op == "sub":
        return Call("sub", (a.args[1], a.args[0]))
    return Call("neg", (a,))


def add(*terms: Expr) -> Expr:
    """The sum of the terms; constants are gathered at the end."""
    rest: list[Expr] = []
    total = 0.0
    for term in terms:
        value = number(term)
        if value is None:
            rest.append(term)
        else:
            total += value
    if total or not rest:
        rest.append(Const(total))
    if len(rest) == 1:
        return rest[0]
    if len(rest) == 2 and isinstance(rest[1], Call) and rest[1].op == "neg":
        return sub(rest[0], rest[1].args[0])
    return Call("add", tuple(rest))


def sub(a: Expr, b: Expr) -> Expr:
    """a - b."""
    x = number(a)
    y = number(b)
    if x is not None and y is not None:
        return Const(x - y)
    if y == 0.0:
        return a
    if x == 0.0:
        return neg(b)
    if a == b:
        return ZERO
    if isinstance(b, Call) and b.op == "neg":
        return add(a, b.args[0])
    return Call("sub", (a, b))


def mul(a: Expr, b: Expr) -> Expr:
    """a * b, a constant factor in front."""
    x = number(a)
    y = number(b)
    if x is not None and y is not None:
        return Const(x * y)
    if y is not None:
        a, b, x = b, a, y
    if x is None:
        if isinstance(a, Call) and a.op == "neg":
            return neg(mul(a.args[0], b))
        if isinstance(b, Call) and b.op == "neg":
            return neg(mul(a, b.args[0]))
        return Call("mul", (a, b))
    if x == 0.0:
        return ZERO
    if x == 1.0:
        return b
    if x == -1.0:
        return neg(b)
    return Call("mul", (a, b))


def div(a: Expr, b: Expr) -> Expr:
    """a / b."""
    x = number(a)
    y = number(b)
    if x is not None and y:
        return Const(x / y)
    if x == 0.0:
        return ZERO
    if y == 1.0:
        return a
    if y == -1.0:
        return neg(a)
    if isinstance(a, Call) and a.op == "neg":
        return neg(div(a.args[0], b))
    return Call("div", (a, b))


def pow_(a: Expr, b: Expr) -> Expr:
    """a ** b."""
    x = number(a)
    y = number(b)
    if y == 0.0 or x == 1.0:
        return ONE
    if y == 1.0:
        return a
    if x is not None and y is not None and x > 0.0:
        return Const(x**y)
    return Call("pow", (a, b))


def where(condition: Expr, yes: Expr, no: Expr) -> Expr:
    """yes where the condition holds, else no."""
    if isinstance(condition, Const):
        return yes if condition.value else no
    return yes if yes == no else Call("where", (condition, yes, no))


_FOLDED = {"neg": neg, "add": add, "sub": sub, "mul": mul, "div": div, "pow": pow_, "where": where}


def call(op: str, *args: Expr) -> Expr:
    """Any operation, simplified where a constructor above knows how."""
    make = _FOLDED.get(op)
    return make(*args) if make is not None else Call(op, args)


def polynomial(coefficients: Sequence[Expr], x: Expr) -> Expr:
    """The value of a polynomial, by Horner's rule; the constant is first."""
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = call("add", coefficient, call("mul", x, total))
    return total
