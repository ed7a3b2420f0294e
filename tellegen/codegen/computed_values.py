"""Computed parameters and start values -> entry points, lowered like residuals.

    b = 2*a, and the user may give b a number      parameters(; given, p)      p[t0] = p[t0] if given[t0] else 2.0*p[t1]
    x = tg.variable(start=b)                       start_values(; p, start)    start[t0] = p[t1]

Both are called once for each run, if at all.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.codegen.events import as_number
from tellegen.ir.expressions.expr import Call, Expr, Slot, rebuild, same_with
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.program import PARAMETERS, START_VALUES, Entry, Loop, Operand, Program, Store

_TARGET = 0
"""The slot of a binding that gets the value."""


def add_computed_values(program: Program, flat: FlatModel) -> Program:
    """The program with the entry points for what is computed before a run."""
    parameters = tuple(_parameter_loop(group) for group in flat.parameter_bindings if group.rows)
    starts = tuple(_start_loop(group) for group in flat.start_bindings if group.rows)
    added = []
    if parameters:
        added.append(Entry(PARAMETERS, (), ("given", "p"), parameters, sequential=True))
    if starts:
        added.append(Entry(START_VALUES, (), ("p", "start"), starts, sequential=True))
    return replace(program, entries={**program.entries, **{entry.name: entry for entry in added}})


def _parameter_loop(group: Group) -> Loop:
    """A parameter that was given a number keeps it."""
    value, operands = _value(group)
    given = Slot(len(operands))
    own = Slot(len(operands) + 1)
    operands += (Operand("given", _TARGET), Operand("p", _TARGET))
    return _loop(group, operands, Store("p", _TARGET, Call("where", (given, own, value))))


def _start_loop(group: Group) -> Loop:
    value, operands = _value(group)
    return _loop(group, operands, Store("start", _TARGET, value))


def _value(group: Group) -> tuple[Expr, tuple[Operand, ...]]:
    """The expression of a binding as a number, over operands that are its parameters."""
    template = group.template
    assert isinstance(template, ValueTemplate)

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return Slot(node.index - 1) if isinstance(node, Slot) else same_with(node, args)

    operands = tuple(Operand("p", column) for column in range(1, group.bindings.shape[1]))
    return rebuild(as_number(template.value), change), operands


def _loop(group: Group, operands: tuple[Operand, ...], store: Store) -> Loop:
    return Loop(np.ascontiguousarray(group.bindings, np.int32), operands, (store,))
