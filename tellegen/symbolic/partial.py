"""Partial derivatives of expressions with respect to slots and derivatives of slots.

    partial(Slot(0) - Slot(1)*Der(2), Der(2))  ->  -Slot(1)

Forward accumulation, one leaf at a time. The reverse mode would share more, but it multiplies the branches of `where`
by zero instead of leaving them out, and 0 * sqrt(-1) is not a number: a Jacobian must survive the branch not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from heapq import heappop, heappush
from math import log as natural_log
from typing import NamedTuple, TypeVar

from tellegen.ir.expressions.expr import ONE, ZERO, Apply, Call, Const, Der, Expr, Lookup, Slot, Time, walk
from tellegen.ir.expressions.ops import DELAYS
from tellegen.symbolic.build import add, div, is_zero, mul, neg, pow_, sub, where
from tellegen.symbolic.slope import slope

Rule = Callable[[Call, tuple[Expr, ...]], Expr]
"""The derivative of a call, given the derivatives of its operands."""

L = TypeVar("L", bound=Slot | Der | Time)

_TWO = Const(2.0)


def _chain(outer: Callable[[Call], Expr]) -> Rule:
    """The rule of a function of one operand x: outer(call) * dx."""
    return lambda node, d: mul(outer(node), d[0])


def _square(x: Expr) -> Expr:
    return mul(x, x)


def _pow(node: Call, d: tuple[Expr, ...]) -> Expr:
    base, exponent = node.args
    by_base = ZERO if is_zero(d[0]) else mul(mul(exponent, pow_(base, sub(exponent, ONE))), d[0])
    by_exponent = ZERO if is_zero(d[1]) else mul(mul(node, Call("log", (base,))), d[1])
    return add(by_base, by_exponent)


def _div(node: Call, d: tuple[Expr, ...]) -> Expr:
    """(da - (a/b) db) / b, which reuses the quotient."""
    return div(sub(d[0], mul(node, d[1])), node.args[1])


def _atan2(node: Call, d: tuple[Expr, ...]) -> Expr:
    y, x = node.args
    return div(sub(mul(x, d[0]), mul(y, d[1])), add(_square(x), _square(y)))


def _mod(node: Call, d: tuple[Expr, ...]) -> Expr:
    whole = Call("floor", (Call("div", node.args),))
    return sub(d[0], mul(whole, d[1]))


def _select(relation: str) -> Rule:
    return lambda node, d: where(Call(relation, node.args), d[0], d[1])


def _with_derivatives(node: Call, d: tuple[Expr, ...]) -> Expr:
    """A signal that moves moves its derivatives as well: tangents keep both."""
    return d[0] if all(map(is_zero, d[1:])) else Call(node.op, d)


def _zero(node: Call, d: tuple[Expr, ...]) -> Expr:  # noqa: ARG001 - one signature for all rules
    return ZERO


_RULES: dict[str, Rule] = {
    "add": lambda _, d: add(*d),
    "sub": lambda _, d: sub(d[0], d[1]),
    "mul": lambda node, d: add(mul(d[0], node.args[1]), mul(node.args[0], d[1])),
    "div": _div,
    "pow": _pow,
    "neg": lambda _, d: neg(d[0]),
    "where": lambda node, d: where(node.args[0], d[1], d[2]),
    "min": _select("le"),
    "max": _select("ge"),
    "abs": lambda node, d: where(Call("ge", (node.args[0], ZERO)), d[0], neg(d[0])),
    "sqrt": lambda node, d: div(d[0], mul(_TWO, node)),
    "mod": _mod,
    "atan2": _atan2,
    "exp": _chain(lambda node: node),
    "log": lambda node, d: div(d[0], node.args[0]),
    "log10": lambda node, d: div(d[0], mul(Const(natural_log(10.0)), node.args[0])),
    "sin": _chain(lambda node: Call("cos", node.args)),
    "cos": _chain(lambda node: neg(Call("sin", node.args))),
    "tan": _chain(lambda node: add(ONE, _square(node))),
    "asin": lambda node, d: div(d[0], Call("sqrt", (sub(ONE, _square(node.args[0])),))),
    "acos": lambda node, d: neg(div(d[0], Call("sqrt", (sub(ONE, _square(node.args[0])),)))),
    "atan": lambda node, d: div(d[0], add(ONE, _square(node.args[0]))),
    "sinh": _chain(lambda node: Call("cosh", node.args)),
    "cosh": _chain(lambda node: Call("sinh", node.args)),
    "tanh": _chain(lambda node: sub(ONE, _square(node))),
    "no_event": lambda _, d: d[0],
    "smooth": lambda _, d: d[1],
    "homotopy": lambda _, d: d[0],
    "with_derivatives": _with_derivatives,
}
CONSTANT_BETWEEN_EVENTS = (
    *("sign", "floor", "ceil", "lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"),
    *("pre", "edge", "change", "initial", "terminal", "sample", *DELAYS),
)
_RULES.update(dict.fromkeys(CONSTANT_BETWEEN_EVENTS, _zero))


def derivative_of_call(node: Call, inner: tuple[Expr, ...]) -> Expr:
    """The derivative of an operation, given those of its operands."""
    return _RULES[node.op](node, inner)


def derivative_of_lookup(node: Lookup, inner: tuple[Expr, ...]) -> Expr:
    """The derivative of a table, given those of its operands: the tables of its slopes."""
    slopes = [(node.table.slope(k), d) for k, d in enumerate(inner) if not is_zero(d)]
    return add(*(mul(Lookup(slope, node.args), d) for slope, d in slopes if not slope.is_zero))


def _partial_of_call(node: Call, inner: tuple[Expr, ...]) -> Expr:
    """The same with zero for the slopes of lengths and angles of a vector that is zero, which are 0/0.

    That is what a central difference gives, and leaves no hole in a Jacobian. Derivatives by time and tangents do
    without: there a number would be wrong.
    """
    result = derivative_of_call(node, inner)
    if node.op == "sqrt" and not isinstance(inner[0], Const):
        return where(Call("gt", (node, ZERO)), result, ZERO)
    if node.op == "atan2":
        is_somewhere = Call("or", tuple(Call("ne", (arg, ZERO)) for arg in node.args))
        return where(is_somewhere, result, ZERO)
    return result


def partial(expr: Expr, leaf: Slot | Der) -> Expr:
    """d(expr)/d(leaf), every other leaf held constant."""
    return partials(expr, [leaf])[leaf]


def partials(expr: Expr, wanted: Iterable[L]) -> dict[L, Expr]:
    """The derivatives by several leaves. Of each only the nodes are visited that depend on it: a sum of n terms takes
    time in proportion to n for all of its n slots."""
    uses = _uses(expr)
    return {leaf: _by_leaf(expr, leaf, uses) for leaf in wanted}


class _Use(NamedTuple):
    """An operand: `order` is where its node stands among all, operands before the nodes that use them."""

    order: int
    position: int
    node: Expr


@lru_cache(maxsize=64)
def _uses(expr: Expr) -> dict[Expr, list[_Use]]:
    """For every node where it is an operand; kept, because the leaves of an expression are asked for one by one."""
    uses: dict[Expr, list[_Use]] = {}
    for order, node in enumerate(walk(expr)):
        uses[node] = []
        for position, arg in enumerate(node.args):
            uses[arg].append(_Use(order, position, node))
    return uses


def _by_leaf(expr: Expr, leaf: Slot | Der | Time, uses: dict[Expr, list[_Use]]) -> Expr:
    derivative: dict[Expr, Expr] = {leaf: ONE}
    waiting = [use[:2] for use in uses.get(leaf, ())]
    nodes = {use.order: use.node for use in uses.get(leaf, ())}
    while waiting:
        order = waiting[0][0]
        inner: dict[int, Expr] = {}
        while waiting and waiting[0][0] == order:
            position = heappop(waiting)[1]
            inner[position] = derivative[nodes[order].args[position]]
        node = nodes[order]
        result = _of_node(node, inner)
        if is_zero(result) and not isinstance(node, Apply):
            continue
        derivative[node] = result
        for use in uses[node]:
            heappush(waiting, use[:2])
            nodes[use.order] = use.node
    return derivative.get(expr, ZERO) if leaf in uses else ZERO


def _of_node(node: Expr, inner: dict[int, Expr]) -> Expr:
    """The derivative of a node, given those of the operands that depend on the leaf."""
    if isinstance(node, Apply):
        return add(*(mul(slope(node, k), by_leaf) for k, by_leaf in inner.items()))
    if isinstance(node, Call) and node.op == "add":
        return add(*inner.values())
    of_all = tuple(inner.get(k, ZERO) for k in range(len(node.args)))
    if isinstance(node, Call):
        return _partial_of_call(node, of_all)
    return derivative_of_lookup(node, of_all) if isinstance(node, Lookup) else ZERO


def leaves(expr: Expr) -> list[Slot | Der]:
    """The slots and derivatives of slots in an expression, each once, in order of appearance."""
    return [node for node in walk(expr) if isinstance(node, Slot | Der)]
