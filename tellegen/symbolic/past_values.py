"""What equations read of the past, as expressions over entries of the parameter vector (ir/events.py, Delays).

before   y == varying_delay(u, T, longest)
after    y == c0 + s*(c1 + s*...) + u*(w0 + s*...)      with s = time - T - instant

before   z == transported(near, far, x, flows, points..., values...)
after    z == where(old > 0.5, profile(1 - (x - x_start)), value + slope*(x - x_known))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tellegen.ir.events import PAST_COEFFICIENTS
from tellegen.ir.expressions.expr import ONE, Call, Const, Expr, Slot
from tellegen.symbolic.build import call, polynomial, sub

Relation = Callable[[str, Expr], Expr]
"""A flag from an operator and left - right; without one, conditions are taken as they are."""


def past_value(entries: Sequence[Slot], value: Expr, reading: Expr) -> Expr:
    """What an expression was near the time of reading; after the last step its present value counts as well."""
    since = sub(reading, entries[0])
    past = polynomial(entries[1 : 1 + PAST_COEFFICIENTS], since)
    present = polynomial(entries[1 + PAST_COEFFICIENTS :], since)
    return call("add", past, call("mul", value, present))


def leaving_value(entries: Sequence[Slot], x: Expr, profile: Sequence[Expr], relation: Relation | None) -> Expr:
    """What leaves a pipe at its far end: of its content at the start, or of what has entered since."""
    x_known, value, slope, is_old, x_start = entries
    place = sub(ONE, sub(x, x_start))
    entered = call("add", value, call("mul", slope, sub(x, x_known)))
    old = Call("gt", (is_old, Const(0.5)))
    return call("where", old, _profile_value(place, profile, relation), entered)


def _profile_value(place: Expr, profile: Sequence[Expr], relation: Relation | None) -> Expr:
    """Straight lines between points; where two are at one place there is a jump."""
    count = len(profile) // 2
    points = profile[:count]
    values = profile[count:]
    total = values[-1]
    for k in range(count - 2, -1, -1):
        width = sub(points[k + 1], points[k])
        part = call("div", sub(place, points[k]), width)
        line = call("add", values[k], call("mul", part, sub(values[k + 1], values[k])))
        here = call("where", Call("gt", (width, Const(0.0))), line, values[k + 1])
        total = here if k == count - 2 else call("where", _is_below(place, points[k + 1], relation), here, total)
    return total


def _is_below(place: Expr, point: Expr, relation: Relation | None) -> Expr:
    beyond = sub(place, point)
    return Call("lt", (beyond, Const(0.0))) if relation is None else relation("lt", beyond)
