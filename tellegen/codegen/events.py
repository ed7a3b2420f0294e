"""Events -> entry points that compute what is asked at events: differences, conditions, values, sampling times.

Each is a function (t; y, yp, p, r) that fills r, lowered like a residual. Actions with opaque functions are left to the
caller, who computes them row by row and only where the action is due.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.codegen.lower import residual_loop
from tellegen.ir.events import Events, Values
from tellegen.ir.expr import ONE, ZERO, Apply, Call, Const, Expr, walk
from tellegen.ir.ops import TRUTH_VALUED
from tellegen.ir.program import Entry, Program
from tellegen.ir.sorted import SortedModel

ACTIONS = "values"
_ARRAYS = ("y", "yp", "p", "r")


def add_events(program: Program, model: SortedModel) -> Program:
    """The program with the entry points that events need."""
    if model.events is None:
        return program
    extra = {entry.name: entry for entry in _event_entries(model, model.events)}
    return replace(program, entries={**program.entries, **extra})


def _event_entries(model: SortedModel, events: Events) -> tuple[Entry, ...]:
    """The entry points by name: differences, instants, samples, conditions, values."""
    wanted = {
        "differences": events.relations.differences,
        "instants": events.instants.differences,
        "samples": events.samples.values,
        "conditions": events.conditions,
        ACTIONS: events.values,
    }
    return tuple(_entry(model, name, values) for name, values in wanted.items())


def _entry(model: SortedModel, name: str, values: Values) -> Entry:
    loops = [
        residual_loop(model, group, np.asarray(places), as_number(group.residual))
        for group, places in zip(values.groups, values.places, strict=True)
        if group.rows and not (name == ACTIONS and is_opaque(group.residual))
    ]
    return Entry(name, ("t",), _ARRAYS, tuple(loops))


def is_opaque(expr: Expr) -> bool:
    """Whether it calls a function of the user."""
    return any(isinstance(node, Apply) for node in walk(expr))


def as_number(expr: Expr) -> Expr:
    """Truth values as 1 and 0."""
    truth = isinstance(expr, Call) and expr.op in TRUTH_VALUED
    if isinstance(expr, Const) and isinstance(expr.value, bool):
        return ONE if expr.value else ZERO
    return Call("where", (expr, ONE, ZERO)) if truth else expr
