"""Delays whose time varies: assertions that it is neither negative nor longer than promised.

y == varying_delay(u, T, longest)      ->      assert 0 <= T <= longest
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tellegen.ir.expressions.expr import Call, Const, Expr
from tellegen.ir.expressions.template import AssertTemplate
from tellegen.ir.flat import Group

_ROUNDING = 1e-9  # of the longest time
_MESSAGE = "a delay of {:g} s: it must be at least 0 s and at most {:g} s"


def limits_of_delays(groups: Iterable[Group]) -> Iterator[Group]:
    """An assertion for each delay in these statements whose time varies."""
    for group in groups:
        template = group.template
        for node in template.nodes:
            if isinstance(node, Call) and node.op == "varying_delay":
                _, by, longest = node.args
                asserted = AssertTemplate(
                    slots=template.slots,
                    owner=template.owner,
                    location=template.location,
                    condition=_is_within(by, longest),
                    message=_MESSAGE,
                    values=(by, longest),
                )
                yield Group(asserted, group.bindings, group.spans)


def _is_within(by: Expr, longest: Expr) -> Expr:
    """0 <= by <= longest, apart from roundings."""
    margin = Call("mul", (Const(_ROUNDING), longest))
    lowest = Call("ge", (Call("add", (by, margin)), Const(0.0)))
    highest = Call("le", (by, Call("add", (longest, margin))))
    return Call("no_event", (Call("and", (lowest, highest)),))
