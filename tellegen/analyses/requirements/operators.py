"""How requirements are written: tg.always, tg.eventually, tg.within, tg.until, tg.at_events, tg.implies and others.

tg.always("abs(error) < 0.02 rad", after="0.5 s")
tg.within("3 s", "v < 0.1 m/s")
tg.always(tg.implies("brake > 0.5", tg.within("3 s", "v < 0.1 m/s")))
tg.until("tank.level < 2 m", "valve.open > 0.9")
"""

from __future__ import annotations

import ast
from math import inf
from typing import Any

from tellegen.analyses.requirements.at_events import AtEvents
from tellegen.analyses.requirements.conditions import comparisons, not_a_condition, read_condition
from tellegen.analyses.requirements.formulas import Condition, Formula, Joined, Not, Until, Window
from tellegen.analyses.requirements.required import Required
from tellegen.engine.request.argument_checks import seconds
from tellegen.errors import DesignError, users_call
from tellegen.ir.source_location import here


def formula(what: str | Formula) -> Formula:
    """A formula, or what a text means: comparisons, joined by `and`, `or`, `not`."""
    if isinstance(what, Formula):
        return what
    return _of_tree(what, read_condition(what))


def _of_tree(text: str, node: ast.expr) -> Formula:
    if isinstance(node, ast.BoolOp):
        sign = 1.0 if isinstance(node.op, ast.And) else -1.0
        word = " and " if sign > 0 else " or "
        parts = tuple(_of_tree(text, value) for value in node.values)
        return Joined(parts, sign, word.join(_inside(part) for part in parts))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return Not(_of_tree(text, node.operand))
    if not isinstance(node, ast.Compare):
        raise not_a_condition(text, node)
    parts = tuple(Condition(comparison) for comparison in comparisons(text, node))
    return parts[0] if len(parts) == 1 else Joined(parts, 1.0, " and ".join(map(str, parts)))


def _inside(part: Formula) -> str:
    return f"({part})" if isinstance(part, Joined) else str(part)


@users_call
def require(what: str | Formula, name: str = "", *, stop_on_violation: bool = False) -> Formula:
    """A requirement with a name for tables and reports; its value for a run is the margin, negative where it fails.

    tg.require(tg.always("tank.T < 80 degC"), "stays cool") >= 0 is what tg.optimize(subject_to=[...]) makes of it.
    A text alone is required at the start of the run. With `stop_on_violation` a run of tg.simulate(...,
    requirements=[...]) ends at the instant at which it is lost.
    """
    part = formula(what)
    return Required(part, name or str(part), stop_on_violation)


@users_call
def always(what: str | Formula, after: float | str = 0.0, before: float | str | None = None) -> Formula:
    """It holds at all times: of the whole run, or from `after` to `before`, counted from where it is judged."""
    return _window("always", what, after, before, 1.0)


@users_call
def eventually(what: str | Formula, after: float | str = 0.0, before: float | str | None = None) -> Formula:
    """It holds at some time: of the whole run, or from `after` to `before`, counted from where it is judged."""
    return _window("eventually", what, after, before, -1.0)


@users_call
def within(time: float | str, what: str | Formula) -> Formula:
    """It holds at some time within so many seconds: tg.within("3 s", "v < 0.1 m/s")."""
    return _window("eventually", what, 0.0, time, -1.0)


@users_call
def until(
    holds: str | Formula, then: str | Formula, after: float | str = 0.0, before: float | str | None = None
) -> Formula:
    """One thing holds until another one does, which it does some time: from `after` to `before`."""
    first, last = _times(after, before)
    one = formula(holds)
    other = formula(then)
    return Until(one, other, first, last, f"({one}) until{_shown(first, last)} ({other})")


@users_call
def at_events(
    event: str,
    what: str | Formula,
    after: float | str = 0.0,
    before: float | str | None = None,
    *,
    just_before: bool = False,
) -> Formula:
    """It holds at all events whose description contains a text: tg.at_events("h < 0", "v < 4 m/s").

    The text is one of `solution.events`, such as the condition of a when-statement. Values are those after the event,
    or those `just_before` it.
    """
    first, last = _times(after, before)
    if not isinstance(event, str) or not event.strip():
        what_is = f"an event is named by a part of its description, not by {event!r}"
        raise DesignError("E670", what_is, location=here(), advice="print(solution.events)")
    part = formula(what)
    side = "just before" if just_before else "at"
    return AtEvents(event, part, first, last, just_before, f"{side} '{event}'{_shown(first, last)} ({part})")


@users_call
def implies(when: str | Formula, then: str | Formula) -> Formula:
    """Where one thing holds the other one does."""
    one = formula(when)
    other = formula(then)
    return Joined((Not(one), other), -1.0, f"({one}) implies ({other})")


@users_call
def rises(curve: str, above: float | str, before: float | str) -> Formula:
    """A curve is above a level some time before an instant: tg.rises("load.w", above="90 rad/s", before="20 ms")."""
    return _window("eventually", f"{curve} > {above}", 0.0, before, -1.0)


@users_call
def settles(curve: str, at: float | str, band: float | str, after: float | str) -> Formula:
    """A curve stays within a band around a level: tg.settles("y", at=1.0, band=0.02, after="0.5 s")."""
    low = formula(f"{curve} > {at} - {band}")
    high = formula(f"{curve} < {at} + {band}")
    return _window("always", Joined((low, high), 1.0, f"{low} and {high}"), after, None, 1.0)


def _window(word: str, what: str | Formula, after: Any, before: Any, sign: float) -> Formula:
    first, last = _times(after, before)
    part = formula(what)
    return Window(part, first, last, sign, f"{word}{_shown(first, last)} ({part})")


def _times(after: Any, before: Any) -> tuple[float, float]:
    first = seconds("after", after)
    last = inf if before is None else seconds("before", before)
    if not 0.0 <= first <= last:
        what = f"a window from {first:g} s to {last:g} s after the instant at which a requirement is judged"
        raise DesignError("E670", what, location=here(), advice="after='0.5 s', before='2 s': both from 0 on")
    return first, last


def _shown(first: float, last: float) -> str:
    if last == inf:
        return f" after {first:g} s" if first else ""
    return f" from {first:g} s to {last:g} s" if first else f" within {last:g} s"
