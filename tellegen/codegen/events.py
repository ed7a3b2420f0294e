"""Events -> entry points that compute what is asked at events: differences, conditions, values, sampling times.

Each is a function (t; y, yp, p, r) that fills r, lowered like a residual. Values that call external functions are an
entry of their own, whose rows are computed only where they are due.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.codegen.lower import residual_loop
from tellegen.codegen.shared_calls import share_calls
from tellegen.ir.events import Events, Values
from tellegen.ir.expressions.expr import ONE, ZERO, Apply, Call, Const, Expr, walk
from tellegen.ir.expressions.ops import TRUTH_VALUED
from tellegen.ir.program import Entry, Loop, Program
from tellegen.ir.reduced import ReducedModel

_ARRAYS = ("y", "yp", "p", "r")
OPAQUE = "opaque_values"


def add_events(program: Program, model: ReducedModel) -> Program:
    """The program with the entry points that events need."""
    if model.events is None:
        return program
    extra = {entry.name: entry for entry in _event_entries(model, model.events)}
    return replace(program, entries={**program.entries, **extra})


def _event_entries(model: ReducedModel, events: Events) -> tuple[Entry, ...]:
    """The entry points by name: differences, gates, instants, samples, conditions, values."""
    wanted = {
        "differences": events.relations.differences,
        "gates": events.gates.values,
        "instants": events.instants.differences,
        "samples": events.samples.values,
        "conditions": events.conditions,
        "values": events.values,
        "initial_values": events.initial.values,
        "delays": events.delays.values,
    }
    entries = [_entry(model, name, values) for name, values in wanted.items()]
    opaque = _loops(model, events.values, True)
    return (*entries, *([Entry(OPAQUE, ("t",), _ARRAYS, tuple(share_calls(opaque)), chosen=True)] if opaque else []))


def _entry(model: ReducedModel, name: str, values: Values) -> Entry:
    opaque = [] if name == "values" else _loops(model, values, True)
    return Entry(name, ("t",), _ARRAYS, (*_loops(model, values, False), *share_calls(opaque)))


def _loops(model: ReducedModel, values: Values, opaque: bool) -> list[Loop]:
    """The loops of the groups that call external functions, or of those that do not."""
    return [
        residual_loop(model, group, np.asarray(indices), as_number(group.residual))
        for group, indices in zip(values.groups, values.indices, strict=True)
        if group.rows and is_opaque(group.residual) == opaque
    ]


def is_opaque(expr: Expr) -> bool:
    """Whether it calls an external function."""
    return any(isinstance(node, Apply) for node in walk(expr))


def as_number(expr: Expr) -> Expr:
    """Booleans as 1 and 0."""
    truth = isinstance(expr, Call) and expr.op in TRUTH_VALUED
    if isinstance(expr, Const) and isinstance(expr.value, bool):
        return ONE if expr.value else ZERO
    return Call("where", (expr, ONE, ZERO)) if truth else expr
