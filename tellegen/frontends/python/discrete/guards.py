"""Guards of transitions: with roots only while their mode is active, and with the time since that was entered."""

from __future__ import annotations

from tellegen.frontends.python.expressions.functions import pre, time, where
from tellegen.frontends.python.expressions.symbol import Literal, Operation, Symbol, operation
from tellegen.frontends.python.tracing.trace import leaves_first

_QUIET = {"lt": 1.0, "le": 1.0, "gt": -1.0, "ge": -1.0}
"""What left - right may be for the relation not to hold."""


def guarded(guard: Symbol, active: Symbol, entered: Symbol | None) -> Symbol:
    """The guard for a mode of which `active` says whether it is active; relations of time are left as they are."""
    done: dict[int, Symbol] = {}
    timed: set[int] = set()
    for node in leaves_first(guard):
        args = tuple(done[id(arg)] for arg in node.args)
        if node.op in ("time", "after") or any(id(arg) in timed for arg in node.args):
            timed.add(id(node))
        if node.op == "after":
            assert entered is not None  # of the past, as the mode: a transition of this instant does not move it
            done[id(node)] = operation("ge", time, operation("add", pre(entered), args[0]))
        elif node.op in _QUIET and id(node) not in timed:
            zero = isinstance(args[1], Literal) and not args[1].value.any()
            difference = where(active, args[0] if zero else operation("sub", *args), _QUIET[node.op])
            done[id(node)] = operation(node.op, difference, 0.0)
        else:
            done[id(node)] = Operation(node.op, args, node.shape, node.extra) if args else node
    return done[id(guard)]


def uses_after(guard: Symbol) -> bool:
    """Whether the guard asks how long the mode has been active."""
    return any(node.op == "after" for node in leaves_first(guard))


def all_of(conditions: list[Symbol]) -> Symbol:
    """Whether all hold."""
    out = conditions[0]
    for condition in conditions[1:]:
        out = out & condition
    return out


def any_of(conditions: list[Symbol]) -> Symbol:
    """Whether one of them holds."""
    out = conditions[0]
    for condition in conditions[1:]:
        out = out | condition
    return out
