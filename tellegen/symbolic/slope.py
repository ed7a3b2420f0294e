"""The slope of an opaque function by one of its arguments.

    f(a, b)  by a   ->   (f(a + h, b) - f(a - h, b)) / (2*h),   h = 6e-6 * max(|a|, nominal)

or the user's own derivative. The step is the cube root of the machine's precision, where the errors of a central
difference by curvature and by rounding are alike, about 1e-10. Arguments of unknown size count as at least 1e-3: at
zero that costs three digits by rounding, where a larger step might look beyond what the function is about. Where the
function has no value on one side (the end of a table, a root at zero) the quotient is that of the other side.
Everything is written with ordinary operations, so every evaluator and printer knows it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import ZERO, Apply, Call, Const, Expr, Function
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, div, mul, sub, where

STEP = float(np.cbrt(np.finfo(float).eps))
SMALLEST = 1e-3
"""The size of arguments that are near zero and of which nothing is known."""


def slope(node: Apply, k: int) -> Expr:
    """d(node)/d(argument k)."""
    function = node.function
    args = node.args
    if k >= len(args) - function.labels:
        return ZERO
    if function.depends and k not in function.depends[node.output]:
        return ZERO
    if function.derivative is not None:
        place = function.partial_places[node.output, k] if function.depends else node.output * len(args) + k
        return Apply(_slopes(function, len(args)), args, place)
    size = function.nominal[k] if function.nominal else SMALLEST
    step = mul(Const(STEP), Call("max", (Call("abs", (args[k],)), Const(size))))

    def at(argument: Expr) -> Expr:
        return Apply(function, (*args[:k], argument, *args[k + 1 :]), node.output)

    ahead = at(add(args[k], step))
    behind = at(sub(args[k], step))
    one_sided = where(_is_finite(ahead), div(sub(ahead, node), step), div(sub(node, behind), step))
    both = Call("and", (_is_finite(ahead), _is_finite(behind)))
    return where(both, div(sub(ahead, behind), mul(Const(2.0), step)), one_sided)


def _is_finite(value: Expr) -> Expr:
    return Call("eq", (Call("sub", (value, value)), ZERO))


@dataclass(frozen=True, eq=False)
class Slopes:
    """All partial derivatives of a function one after the other: those of output 0, of output 1, ..."""

    function: Function
    count: int

    def __call__(self, *numbers: float) -> Any:
        assert self.function.derivative is not None
        found = np.ravel(np.asarray(self.function.derivative(*numbers), float))
        if len(found) != self.count:
            name = self.function.name
            needed = self.count
            raise ValueError(f"the derivative of {name} gives {len(found)} numbers, but {needed} are needed")
        return found if self.count > 1 else found[0]


def _slopes(function: Function, arity: int) -> Function:
    """The derivative as a function of its own, the same one for every use."""
    made = function.__dict__.get("_slopes")
    count = len(function.partial_places) if function.depends else function.outputs * arity
    if made is None or made.outputs != count:
        name = f"der({function.name})"
        own = getattr(function.derivative, "as_function", None)  # of a kernel: native, with derivatives of its own
        if own is not None:
            made = own(name)
        else:
            made = Function(name, Slopes(function, count), count, in_loops=function.in_loops, labels=function.labels)
        function.__dict__["_slopes"] = made
    return made
