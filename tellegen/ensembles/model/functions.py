"""The functions of a model that kernels call, as one text, and the sizes that go with them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.codegen.events import OPAQUE, as_number
from tellegen.codegen.lower import residual_loop
from tellegen.codegen.scalar import literal
from tellegen.ensembles.kernels.sizes import Sizes
from tellegen.ensembles.model.derivatives import TIME, StraightSlopes
from tellegen.ensembles.model.elimination import (
    FACTORS_ARGUMENT,
    SHIFT_ARGUMENT,
    Factors,
    elimination,
    write_factors,
    write_fastest,
    write_solution,
)
from tellegen.ensembles.model.event_tables import event_constants
from tellegen.ensembles.model.measures import (
    Measure,
    Output,
    bounds_function,
    curves_function,
    distinct_curves,
    distinct_windows,
    measure_constants,
    output_value,
    signed,
)
from tellegen.ensembles.model.places import Places, row_of
from tellegen.ensembles.model.reciprocals import with_reciprocals
from tellegen.ensembles.model.steps import write_steps
from tellegen.ensembles.model.straight import Straight, function_text
from tellegen.ensembles.refused import RefusedError
from tellegen.ir.events import Events
from tellegen.ir.expressions.table import Table
from tellegen.ir.ode import OdeProgram
from tellegen.ir.program import PARAMETERS, START_VALUES, Entry, Program
from tellegen.ir.reduced import ReducedModel

_OF_EVENTS = ("differences", "instants", "conditions", "values", "gates", "samples")
_ALL = (
    *("parameters", "start_values", "rates", "outputs", *_OF_EVENTS, "pre_values", "divisors", "judged", "curves"),
    *("bounds", "factor", "increment"),
)
_SMOOTH = {"rates", "factor", "increment"}
"""Functions by which nothing is decided."""
_MORE_ARGUMENTS = {"factor": SHIFT_ARGUMENT, "increment": FACTORS_ARGUMENT}
_COUNTED = (
    *("relations", "instants", "conditions", "values", "pres", "actions", "equations"),
    *("levels", "samples", "gates"),
)


@dataclass(frozen=True)
class Limit:
    """A quantity that should stay between two numbers."""

    of: Output
    low: float
    high: float


@dataclass(frozen=True)
class StartSource:
    """Where the start value of a state comes from: number `place` of the common ones, or a variable computed from p."""

    variable: int  # -1: it is a common number
    sign: float


@dataclass(frozen=True)
class DiscreteStart:
    """A discrete variable whose start value is computed: its place among the parameters, and what it is there."""

    place: int
    variable: int
    sign: float


@dataclass(frozen=True, eq=False)
class ModelParts:
    """What the functions of a model are made from."""

    reduced: ReducedModel
    program: Program
    ode: OdeProgram
    places: Places
    starts: tuple[StartSource, ...]  # per state
    discrete: tuple[DiscreteStart, ...]
    outputs: tuple[Output, ...]
    limits: tuple[Limit, ...]
    measures: tuple[Measure, ...]
    implicit: bool
    has_grid: bool
    has_curves: bool

    @property
    def first_start(self) -> int:
        """Where start values begin among the common numbers."""
        return self.reduced.parameter_indices


@dataclass(frozen=True, eq=False)
class ModelText:
    """The functions, as text of one run, and the constants of the kernel."""

    text: str
    constants: dict[str, Any]
    tables: tuple[Table, ...]

    @cached_property
    def mark(self) -> str:
        """The same for equal ones, and as good as certain for no others; the text names its tables."""
        return hashlib.sha256(repr((self.text, sorted(self.constants.items()))).encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelText) and self.mark == other.mark

    def __hash__(self) -> int:
        return hash(self.mark)


def model_text(parts: ModelParts) -> ModelText:
    """All functions that kernels call."""
    events = parts.reduced.events
    made: dict[str, Straight] = {}
    for name, write in _WRITTEN.items():
        made[name] = Straight(parts.places, decides=name not in _SMOOTH)
        write(parts, made[name])
    counts = dict.fromkeys(_COUNTED, 0)
    constants: dict[str, Any] = {}
    if events is not None:
        if OPAQUE in parts.program.entries:
            raise RefusedError("its actions call functions of their own")
        for name in _OF_EVENTS:
            if name in parts.program.entries:
                made[name] = _event_function(parts, parts.program.entries[name])
        made["pre_values"] = _pre_values(parts)
        constants = event_constants(parts.reduced, events, parts.places)
        counts = _counts(events)
    made["judged"] = judged_function(parts)
    made["curves"] = curves_function(parts.measures, parts.ode, Straight(parts.places))
    made["bounds"] = bounds_function(parts.measures, parts.reduced.parameter_indices, Straight(parts.places))
    constants |= judged_constants(parts) | measure_constants(parts.measures)
    divisors = parts.ode.divisors
    if divisors:
        made["divisors"] = _event_function(parts, parts.ode.entries[divisors])
    matrix = _matrix(parts) if parts.implicit else Matrix()
    made |= matrix.functions
    texts = {name: _text(name, straight) for name, straight in made.items()}
    for name in _ALL:
        texts.setdefault(name, function_text(f"job.{name}", [], _MORE_ARGUMENTS.get(name, "")))
    tables = {table: None for straight in made.values() for table in straight.printer.looked_up}
    sizes = Sizes(
        states=len(parts.ode.states),
        varied=parts.places.varied,
        per_run=max(parts.places.per_run, 1),
        outputs=len(parts.outputs),
        judged=judged_count(parts),
        curves=len(distinct_curves(parts.measures)),
        measures=len(parts.measures),
        has_bounds=any(measure.curve.bounds is not None for measure in parts.measures),
        windows=len(distinct_windows(parts.measures)),
        divisors=2 * len(parts.ode.divided) if divisors else 0,
        factors=matrix.factors,
        stages=8 if parts.implicit else 7,
        implicit=parts.implicit,
        is_timed=matrix.is_timed,
        loops=parts.places.per_run - parts.places.first_guess,
        has_grid=parts.has_grid,
        has_curves=parts.has_curves,
        **counts,
    )
    return ModelText("\n".join(texts.values()), {**sizes.constants(), **constants}, tuple(tables))


def _counts(events: Events) -> dict[str, int]:
    """How many there are of what events are made of."""
    return {
        "relations": events.relations.differences.count,
        "instants": events.instants.differences.count,
        "conditions": events.conditions.count,
        "values": events.values.count,
        "pres": len(events.pre_index),
        "actions": len(events.actions.when),
        "equations": len(events.always.variable) + len(events.levels.index),
        "levels": len(events.levels.index),
        "samples": len(events.samples.flag),
        "gates": len(events.gates.relation),
    }


def _text(name: str, straight: Straight) -> str:
    lines = straight.printer.lines
    lines = with_reciprocals(lines) if name in _SMOOTH else lines
    return function_text(f"job.{name}", lines, _MORE_ARGUMENTS.get(name, ""))


def _parameters(parts: ModelParts, straight: Straight) -> None:
    """Discrete numbers and guesses at their start, and the parameters that follow from those varied."""
    places = parts.places
    for tear, number in places.tears.items():
        straight.keep_guess(tear, straight.common(places.first_tear + number))
    taken = set(range(places.varied))
    for index, slot in places.slots.items():
        if slot not in taken:
            straight.store(straight.common(index), slot)
    entry = parts.program.entries.get(PARAMETERS)
    for loop in entry.loops if entry is not None else ():
        for row in range(loop.rows):
            target, _ = row_of(loop, row)
            if target in places.slots and places.slots[target] not in taken and not places.given[target]:
                straight.row(loop, row)
                straight.store(straight.known["p", target], places.slots[target])
    _start_rows(parts, straight, {start.variable for start in parts.discrete})
    for start in parts.discrete:
        straight.store(signed(straight, straight.known["start", start.variable], start.sign), places.slots[start.place])


def _start_rows(parts: ModelParts, straight: Straight, wanted: set[int]) -> None:
    """The start values of some variables that are computed from parameters."""
    entry = parts.program.entries.get(START_VALUES)
    for loop in entry.loops if entry is not None and wanted else ():
        for row in range(loop.rows):
            if int(loop.table[row, loop.stores[0].column]) in wanted:
                straight.row(loop, row)


def _start_values(parts: ModelParts, straight: Straight) -> None:
    _start_rows(parts, straight, {source.variable for source in parts.starts if source.variable >= 0})
    for k, source in enumerate(parts.starts):
        if k in parts.places.starts:
            value = straight.printer.load("%q", str(parts.places.starts[k]))
        elif source.variable >= 0:
            value = signed(straight, straight.known["start", source.variable], source.sign)
        else:
            value = straight.common(parts.first_start + k)
        straight.store(value, k)


def _rates(parts: ModelParts, straight: Straight) -> None:
    write_steps(straight, parts.ode, 0, parts.ode.rate_steps)
    for k, state in enumerate(parts.ode.states.tolist()):
        straight.store(straight.read("yp", state), k)


def _outputs(parts: ModelParts, straight: Straight) -> None:
    write_steps(straight, parts.ode, 0, len(parts.ode.steps))
    for k, output in enumerate(parts.outputs):
        straight.store(output_value(straight, output), k)


_WRITTEN: dict[str, Callable[[ModelParts, Straight], None]] = {
    "parameters": _parameters,
    "start_values": _start_values,
    "rates": _rates,
    "outputs": _outputs,
}


def _event_function(parts: ModelParts, entry: Entry) -> Straight:
    """An entry, after the unknowns that it reads."""
    straight = Straight(parts.places)
    write_steps(straight, parts.ode, 0, len(parts.ode.steps))
    straight.entry(entry)
    found = sorted(index for array, index in straight.known if array == "r")
    for index in found:
        straight.store(straight.known["r", index], index)
    return straight


def judged_count(parts: ModelParts) -> int:
    """Conditions of assertions, and limits."""
    return sum(group.rows for _, group in parts.reduced.asserted) + len(parts.limits)


def judged_constants(parts: ModelParts) -> dict[str, Any]:
    """Between which numbers they have to stay; a condition is 1 where it holds."""
    conditions = judged_count(parts) - len(parts.limits)
    low = (*([0.5] * conditions), *(limit.low for limit in parts.limits))
    high = (*([math.inf] * conditions), *(limit.high for limit in parts.limits))
    return {"JUDGED_LOW": low or (0.0,), "JUDGED_HIGH": high or (0.0,)}


def judged_function(parts: ModelParts) -> Straight:
    """Conditions of assertions as numbers, then variables with limits."""
    straight = Straight(parts.places)
    if judged_count(parts):
        write_steps(straight, parts.ode, 0, len(parts.ode.steps))
    count = 0
    for _, group in parts.reduced.asserted:
        numbers = count + np.arange(group.rows)
        straight.rows([residual_loop(parts.reduced, group, numbers, as_number(group.residual))])
        for index in numbers.tolist():
            straight.store(straight.known["r", index], index)
        count += group.rows
    for k, limit in enumerate(parts.limits):
        straight.store(output_value(straight, limit.of), count + k)
    return straight


def _pre_values(parts: ModelParts) -> Straight:
    """What pre() reads: unknowns and discrete variables as they are now."""
    reduced = parts.reduced
    events = reduced.events
    assert events is not None
    straight = Straight(parts.places)
    write_steps(straight, parts.ode, 0, len(parts.ode.steps))
    for k, variable in enumerate(np.asarray(events.pre_variable).tolist()):
        position = int(reduced.position[variable])
        key = ("y", position) if position >= 0 else ("p", int(reduced.known_position[variable]))
        straight.store(straight.read(*key), k)
    return straight


@dataclass(frozen=True, eq=False)
class Matrix:
    """How many factors the matrix of an implicit step has, and the functions that factor and solve."""

    factors: int = 0
    is_timed: bool = False  # whether rates depend on time itself
    functions: Mapping[str, Straight] = field(default_factory=dict)


def _matrix(parts: ModelParts) -> Matrix:
    straight = StraightSlopes(parts.places, decides=False)
    write_steps(straight, parts.ode, 0, parts.ode.rate_steps)
    states = parts.ode.states.tolist()
    slopes = [straight.slopes_of("yp", state) for state in states]
    jacobian = {(i, j): value for i, row in enumerate(slopes) for j, value in row.items() if j != TIME}
    factors = write_factors(straight.printer, elimination(len(states), set(jacobian)), jacobian)
    straight.store(write_fastest(straight.printer, len(states), jacobian), factors.count)
    is_timed = any(TIME in row for row in slopes)
    for i, row in enumerate(slopes if is_timed else ()):
        straight.store(row.get(TIME, literal(0.0)), factors.count + 1 + i)
    return Matrix(factors.count, is_timed, {"factor": straight, "increment": _increment(parts, factors)})


def _increment(parts: ModelParts, factors: Factors) -> Straight:
    """The rates and what is in out, solved with factors: in one function, so that neither passes through memory."""
    straight = Straight(parts.places, decides=False)
    write_steps(straight, parts.ode, 0, parts.ode.rate_steps)
    right = []
    for k, state in enumerate(parts.ode.states.tolist()):
        more = straight.printer.load("%out", str(k))
        right.append(straight.printer.emit(f"fadd double {straight.read('yp', state)}, {more}"))
    for k, value in enumerate(write_solution(straight.printer, factors, right)):
        straight.store(value, k)
    return straight
