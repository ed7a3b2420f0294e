"""What a flow carries in either direction: semiLinear of the Modelica language (MLS 3.7.4.5).

    semi_linear(x, above, below)  =  above*x where x >= 0, below*x elsewhere

Where fluid flows from one volume to another, the enthalpy between them is that of the volume it comes from, and where
nothing flows it is in no equation: every value of it is a solution. So below EPSILON the two sides exchange a little
beside the flow, as in a mixture of streams (flatten/streams.py): between volumes at rest the enthalpy is their mean,
and from EPSILON on the function is exact. It has a corner at zero, and no event: nothing jumps there.
"""

from __future__ import annotations

from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr
from tellegen.symbolic.build import add, call, div, mul, sub

EPSILON = 1e-8  # of x, in SI units: kg/s


def semi_linear(x: Expr, above: Expr, below: Expr) -> Expr:
    """See the top of this file."""
    carried = call("where", call("ge", x, ZERO), mul(above, x), mul(below, x))
    lacking = call("max", sub(ONE, div(Call("abs", (x,)), Const(EPSILON))), ZERO)
    exchange = mul(Const(EPSILON), call("pow", lacking, Const(2.0)))
    return Call("no_event", (add(carried, mul(exchange, sub(above, below))),))
