"""The total time derivative of an expression.

d/dt (x * sin(y))  ->  der(x) * sin(y) + x * cos(y) * der(y)
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.ir.expr import ONE, ZERO, Apply, Call, Const, Der, Expr, Slot, Time, walk


def _is(expr: Expr, value: float) -> bool:
    return isinstance(expr, Const) and not isinstance(expr.value, bool) and expr.value == value


def plus(*terms: Expr) -> Expr:
    """The sum, zeros left out."""
    kept = [term for term in terms if not _is(term, 0)]
    if not kept:
        return ZERO
    return kept[0] if len(kept) == 1 else Call("add", tuple(kept))


def minus(a: Expr, b: Expr) -> Expr:
    """a - b, zeros left out."""
    if _is(b, 0):
        return a
    return Call("neg", (b,)) if _is(a, 0) else Call("sub", (a, b))


def times(a: Expr, b: Expr) -> Expr:
    """a * b, zeros and ones folded."""
    if _is(a, 0) or _is(b, 0):
        return ZERO
    if _is(a, 1):
        return b
    return a if _is(b, 1) else Call("mul", (a, b))


def over(a: Expr, b: Expr) -> Expr:
    """a / b, zeros and ones folded."""
    if _is(a, 0):
        return ZERO
    return a if _is(b, 1) else Call("div", (a, b))


def _outer(op: str, x: Expr, y: Expr) -> Expr | None:
    """The derivative of a function of one operand, given the operand x and the value y; None for other operations."""
    if op == "exp":
        return y
    rules: dict[str, Callable[[], Expr]] = {
        "sin": lambda: Call("cos", (x,)),
        "cos": lambda: Call("neg", (Call("sin", (x,)),)),
        "tan": lambda: plus(ONE, times(y, y)),
        "asin": lambda: over(ONE, Call("sqrt", (minus(ONE, times(x, x)),))),
        "acos": lambda: Call("neg", (over(ONE, Call("sqrt", (minus(ONE, times(x, x)),))),)),
        "atan": lambda: over(ONE, plus(ONE, times(x, x))),
        "sinh": lambda: Call("cosh", (x,)),
        "cosh": lambda: Call("sinh", (x,)),
        "tanh": lambda: minus(ONE, times(y, y)),
        "log": lambda: over(ONE, x),
        "log10": lambda: over(Const(0.4342944819032518), x),
        "sqrt": lambda: over(Const(0.5), y),
        "abs": lambda: Call("sign", (x,)),
    }
    return rules[op]() if op in rules else None


CONSTANT = frozenset({"sign", "floor", "ceil", "pre", "edge", "change", "initial", "terminal", "sample"})
"""Operations that are constant between events."""


def _power(node: Call, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    if _is(db, 0):
        lower = Call("pow", (a, minus(b, ONE) if not isinstance(b, Const) else Const(b.value - 1)))
        if _is(b, 2):
            lower = a
        return times(times(b, lower), da)
    return plus(times(times(b, Call("pow", (a, minus(b, ONE)))), da), times(times(node, Call("log", (a,))), db))


def chain(node: Call, inner: tuple[Expr, ...]) -> Expr | None:
    """The derivative of an operation, given those of its operands; None when there is none."""
    args = node.args
    op = node.op
    if op in CONSTANT or all(_is(d, 0) for d in inner):
        return ZERO
    outer = _outer(op, args[0], node)
    if outer is not None:
        return times(outer, inner[0])
    if op == "where":
        return Call("where", (args[0], inner[1], inner[2]))
    if op in ("min", "max"):
        order = "lt" if op == "min" else "gt"
        return Call("where", (Call(order, args), inner[0], inner[1]))
    simple: dict[str, Callable[[], Expr]] = {
        "add": lambda: plus(*inner),
        "sub": lambda: minus(*inner),
        "neg": lambda: Call("neg", inner),
        "mul": lambda: plus(times(inner[0], args[1]), times(args[0], inner[1])),
        "div": lambda: over(minus(inner[0], times(node, inner[1])), args[1]),
        "pow": lambda: _power(node, *args, *inner),
        "atan2": lambda: over(
            minus(times(args[1], inner[0]), times(args[0], inner[1])),
            plus(times(args[0], args[0]), times(args[1], args[1])),
        ),
        "mod": lambda: minus(inner[0], times(Call("floor", (over(args[0], args[1]),)), inner[1])),
        "no_event": lambda: Call("no_event", inner),
        "smooth": lambda: inner[1],
        "homotopy": lambda: Call("homotopy", inner),
    }
    return simple[op]() if op in simple else None


def time_derivative(expr: Expr, of_slot: Callable[[int], Expr], of_der: Callable[[int], Expr]) -> Expr | None:
    """d expr / dt. `of_slot` gives the derivative of a slot (zero for parameters), `of_der` that of a derivative.

    None when some operation (a delay, a function without derivative) has none.
    """
    done: dict[Expr, Expr] = {}
    for node in walk(expr):
        if isinstance(node, Const):
            out: Expr | None = ZERO
        elif isinstance(node, Time):
            out = ONE
        elif isinstance(node, Slot):
            out = of_slot(node.index)
        elif isinstance(node, Der):
            out = of_der(node.index)
        elif isinstance(node, Apply):
            out = ZERO if all(_is(done[arg], 0) for arg in node.args) else None
        else:
            assert isinstance(node, Call)
            out = chain(node, tuple(done[arg] for arg in node.args))
        if out is None:
            return None
        done[node] = out
    return done[expr]
