"""One sample of a component as assignments in order: what is remembered, given, computed, and in which sequence.

when tick: x := pre(x) + u, y := 2*x        ->        x = memory of x + u;  y = 2*x;  memory of x = x
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.compile import compile_model
from tellegen.dataflow.scalar_rows import (
    Cells,
    NotScalarError,
    ScalarRows,
    assignments,
    condition_formulas,
    ends,
    literals,
    scalar_rows,
    substituted,
)
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.errors import ExportError
from tellegen.ir.events import ASSIGN, Events
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.symbolic.evaluate import evaluate


@dataclass(frozen=True, eq=False)
class Sample:
    """`memory` is the cell of a value before the sample and the variable it is the value of, for those that are read.

    `follows` are parameters that are computed from others, `assigned` everything else, both in the order of
    computation.
    """

    compiled: CompiledModel
    rows: ScalarRows
    period: float
    inputs: dict[int, int]  # variable -> cell
    outputs: tuple[int, ...]
    memory: dict[int, int]
    follows: tuple[int, ...]
    assigned: tuple[int, ...]

    @property
    def cells(self) -> Cells:
        """What numbers cells have."""
        return self.rows.cells

    @cached_property
    def numbers(self) -> FloatArray:
        """Parameters, inputs and discrete variables before the first sample, in SI units."""
        found = parameter_vector(self.compiled, None)
        starts(self.compiled, found, None)
        return found

    @cached_property
    def defaults(self) -> dict[int, float]:
        """Inputs before anybody gives them a value, by variable."""
        given = scalar_rows(self.compiled.reduced, self.compiled.ode.program)
        cells = {variable: cell for variable, cell in self.inputs.items() if cell in given.formulas}
        values = {variable: given.inlined([cell])[cell] for variable, cell in cells.items()}
        return {variable: float(evaluate(value, self.numbers)) for variable, value in values.items()}

    def start(self, variable: int) -> float:
        """What a discrete variable is before the first sample."""
        reduced = self.compiled.reduced
        own = int(reduced.representative[variable])
        cell = self.cells.variable(own)
        if 0 <= cell < len(self.numbers):
            return int(reduced.sign[variable]) * float(self.numbers[cell])
        return float(np.nan_to_num(reduced.flat.variables.column("start")[variable]))


def sample_of(component: Any) -> Sample:
    """See the top of this file; what has no C is rejected by name."""
    compiled = compile_model(component)
    reduced = compiled.reduced
    name = compiled.name
    if reduced.is_state.any():
        state = compiled.flat.variables.name(int(reduced.written[reduced.is_state][0]))
        raise no_c(name, f"'{state}' is a continuous state", 'sample it first: tg.discretize(..., "1 ms")')
    events = reduced.events
    if events is None or not len(events.samples.flag):
        raise no_c(name, "it is not sampled", 'tg.discretize(..., "1 ms") makes it so, or tg.when(clock.tick, ...)')
    if compiled.ode.reason:
        raise no_c(name, f"it has no ODE mode ({compiled.ode.reason})", "simplify it")
    period = _period(compiled, events)
    _refuse_actions(compiled, events)
    try:
        rows = scalar_rows(reduced, compiled.ode.program)
    except NotScalarError as error:
        raise no_c(name, f"it {error}", error.advice) from None
    if rows.tears:
        listed = ", ".join(map(rows.cells.name, rows.tears))
        raise no_c(name, f"{listed} need each other at the same sample", "break the loop by a unit delay")
    return _ordered(compiled, rows, events, period)


def no_c(name: str, why: str, advice: str) -> ExportError:
    """A component that C code cannot be written of."""
    return ExportError("E458", f"tg.write_c of {name}: {why}", location=here(), advice=advice)


def _period(compiled: CompiledModel, events: Events) -> float:
    """The one period of all samples."""
    values = condition_formulas(compiled.reduced, events.samples.values)
    numbers = parameter_vector(compiled, None)
    found = {(float(evaluate(values[2 * k], numbers)), float(evaluate(values[2 * k + 1], numbers)))
             for k in range(len(events.samples.flag))}  # fmt: skip
    if len(found) > 1:
        listed = ", ".join(f"{period:g} s from {start:g} s on" for start, period in sorted(found))
        raise no_c(compiled.name, f"it has several clocks: {listed}", "write a component for each rate")
    return found.pop()[1]


def _refuse_actions(compiled: CompiledModel, events: Events) -> None:
    """All that happens is assignments at the ticks."""
    conditions = condition_formulas(compiled.reduced, events.conditions)
    flags = {int(flag) for flag in events.samples.flag}
    for when, (first, last) in enumerate(zip(events.first_condition, events.first_condition[1:], strict=False)):
        group, _ = events.sources[when]
        source = compiled.flat.whens[group].template
        place = f"{source.owner}, {source.location}"
        is_tick = all(_is_tick(conditions[int(k)], flags) for k in range(first, last))
        if last - first != 1 or not is_tick:
            raise no_c(compiled.name, f"a when-statement that waits for no clock ({place})", "use tg.where at the tick")
    if (events.actions.verb != ASSIGN).any():
        raise no_c(compiled.name, "it does more than assign: reinit, terminate or assert", "leave that to the plant")
    if len(events.initial.index):
        raise no_c(compiled.name, "initial equations determine discrete variables", "give start values")


def _is_tick(condition: Expr, flags: set[int]) -> bool:
    """sample(...) alone: its flag, or flag > 0.5."""
    if isinstance(condition, Call) and condition.op in ("gt", "ne") and isinstance(condition.args[1], Const):
        condition = condition.args[0]
    return isinstance(condition, Slot) and condition.index in flags


def _ordered(compiled: CompiledModel, rows: ScalarRows, events: Events, period: float) -> Sample:
    reduced = compiled.reduced
    flat = compiled.flat
    cells = rows.cells
    given_from_outside, outputs = ends(reduced)
    inputs = {variable: cells.variable(int(reduced.representative[variable])) for variable in given_from_outside}
    known = literals(reduced)
    known |= {int(flag): Const(1.0) for flag in events.samples.flag}
    formulas = {**rows.formulas, **assignments(reduced, events)}
    given = set(inputs.values())
    whole = ScalarRows(cells, {k: substituted(v, known) for k, v in formulas.items() if k not in given})
    roots = [cells.variable(int(reduced.representative[variable])) for variable in outputs]
    past = {int(k): int(v) for k, v in zip(events.pre_index, events.pre_variable, strict=True)}
    memory = _remembered(whole, roots, past)
    order = whole.order([*roots, *(cells.variable(variable) for variable in memory.values())])
    follows = tuple(cell for cell in order if cell < flat.parameters.count)
    assigned = tuple(cell for cell in order if cell >= flat.parameters.count)
    return Sample(compiled, whole, period, inputs, outputs, memory, follows, assigned)


def _remembered(rows: ScalarRows, roots: list[int], past: dict[int, int]) -> dict[int, int]:
    """The values before the sample that something computed from the roots on reads."""
    found: dict[int, int] = {}
    waiting = list(roots)
    while waiting:
        order = rows.order(waiting)
        read = {cell for each in order for cell in rows.reads(each)}
        new = {cell: past[cell] for cell in sorted(read & past.keys()) if cell not in found}
        found |= new
        waiting = [rows.cells.variable(variable) for variable in new.values()]
    return found
