"""The total time derivative of an expression.

d/dt (x * sin(y))  ->  der(x) * sin(y) + x * cos(y) * der(y)
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.ir.expressions.expr import ONE, ZERO, Apply, Call, Der, Expr, Lookup, Slot, Time, walk, walk_needed
from tellegen.ir.expressions.ops import DELAYS, WITH_DERIVATIVES
from tellegen.symbolic.build import add, is_zero, mul
from tellegen.symbolic.partial import derivative_of_call, derivative_of_lookup
from tellegen.symbolic.slope import slope


def time_derivative(expr: Expr, of_slot: Callable[[int], Expr], of_der: Callable[[int], Expr]) -> Expr | None:
    """d expr / dt. `of_slot` gives the derivative of a slot (zero for parameters), `of_der` that of a derivative.

    None when some operation (a delay, a function without derivative, a signal whose next derivative nobody knows) has
    none.
    """
    done: dict[Expr, Expr] = {}
    for node in _differentiated(expr):
        if isinstance(node, Call) and node.op == WITH_DERIVATIVES:
            if len(node.args) == 1:
                return None
            out = Call(WITH_DERIVATIVES, node.args[1:])
        elif isinstance(node, Time):
            out = ONE
        elif isinstance(node, Slot):
            out = of_slot(node.index)
        elif isinstance(node, Der):
            out = of_der(node.index)
        elif all(is_zero(done[arg]) for arg in node.args):
            out = ZERO
        elif isinstance(node, Apply) and (node.function.derivative is not None or node.function.has_quotients):
            rates = ((k, done[arg]) for k, arg in enumerate(node.args) if not is_zero(done[arg]))
            out = add(*(mul(slope(node, k), rate) for k, rate in rates))
        elif isinstance(node, Apply) or (isinstance(node, Call) and node.op in DELAYS):
            return None
        elif isinstance(node, Lookup):
            out = derivative_of_lookup(node, tuple(done[arg] for arg in node.args))
        else:
            assert isinstance(node, Call)
            out = derivative_of_call(node, tuple(done[arg] for arg in node.args))
        done[node] = out
    return done[expr]


def _differentiated(expr: Expr) -> list[Expr]:
    """The nodes whose derivatives are asked for: not those of signals that come with their derivatives."""
    nodes = walk(expr)
    if not any(isinstance(node, Call) and node.op == WITH_DERIVATIVES for node in nodes):
        return list(nodes)
    asked = set(walk_needed(expr))
    return [node for node in nodes if node in asked]
