"""Events of a plant as formulas: conditions that switch its equations, and when-statements that set its states.

    where(w > 0.02, a, b)                flag 0: w - 0.02 > 0             rates read the flag as a number, 0 or 1
    when(h < 0, reinit(v, -e*pre(v)))    flag 0: h < 0, reset: where flag 0 rises, v := -e*v

Discrete variables have no place here: what a filter estimates is a vector of numbers with a Gaussian (filter_request).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tellegen.dataflow.scalar_rows import ScalarRows, condition_formulas, substituted
from tellegen.ir.events import Events
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr, Slot, walk
from tellegen.sampling.continuous_model import ContinuousModel, refused
from tellegen.sampling.filters.hybrid_steps import Jumps
from tellegen.sampling.filters.kalman_steps import Vector
from tellegen.sampling.linear_system import jacobian
from tellegen.sampling.tape import Matrix, Tape, identity
from tellegen.start.records import dataclass
from tellegen.symbolic.build import call, mul, sub, where

_HALF = Const(0.5)
_TRUTHS = ("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not")


@dataclass(frozen=True, eq=False)
class Reset:
    """What a branch of a when-statement gives a state; `branch` counts all branches, `cell` is that of the state."""

    branch: int
    cell: int
    value: Expr


@dataclass(frozen=True, eq=False)
class PlantEvents:
    """Expressions of states, inputs, parameters and flags.

    truths      by flag: where it is up, left - right compared with zero
    branches    conditions of when-statements; of those of one statement, the first that becomes true acts
    """

    flags: tuple[int, ...]
    truths: tuple[Expr, ...]
    branches: tuple[Expr, ...]
    statements: tuple[tuple[int, ...], ...]
    resets: tuple[Reset, ...]

    @property
    def differences(self) -> tuple[Expr, ...]:
        """By flag: what passes zero where it changes."""
        return tuple(truth.args[0] for truth in self.truths)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """All of them."""
        return (*self.truths, *self.branches, *(reset.value for reset in self.resets))

    def at_start(self, model: ContinuousModel, values: Sequence[Expr]) -> tuple[Expr, ...]:
        """Values at an instant from which a run begins: conditions that hold then count as having just become true.

        `model` computes flags by itself.
        """
        known: dict[int, Expr] = {cell: Slot(cell) for cell in model.states}
        for statement in self.statements:
            free: Expr | None = None  # whether no branch before has acted
            for branch in statement:
                holds = _truth(model.explicit((self.branches[branch],))[0])
                acts = holds if free is None else Call("and", (free, holds))
                for reset in self.resets:
                    if reset.branch == branch:
                        known[reset.cell] = where(acts, model.explicit((reset.value,))[0], known[reset.cell])
                free = Call("not", (holds,)) if free is None else Call("and", (free, Call("not", (holds,))))
        return tuple(substituted(value, known) for value in values)


def with_flags(model: ContinuousModel, what: str) -> tuple[ContinuousModel, PlantEvents | None]:
    """The model with flags as numbers that are given, and its events; None where it has none."""
    events = model.compiled.reduced.events
    if events is None:
        return model, None
    relations = {int(flag): model.rows.formulas.get(int(flag)) for flag in events.relations.flag}
    if any(value is None for value in relations.values()) or model.discrete:
        raise refused(what, model.name, "its events remember something", "it is run between samples")
    kept = {cell: value for cell, value in model.rows.formulas.items() if cell not in relations}
    flagged = replace(model, rows=ScalarRows(model.cells, kept, model.rows.tears))
    made = _events_of(flagged, events, {flag: value for flag, value in relations.items() if value is not None})
    _refuse_unknown(flagged, made, what)
    return flagged, made


def _events_of(model: ContinuousModel, events: Events, relations: dict[int, Expr]) -> PlantEvents:
    """`relations` are the truths of flags, of cells of the model."""
    reduced = model.compiled.reduced
    pairs = zip(events.pre_index.tolist(), events.pre_variable.tolist(), strict=True)
    before = {int(cell): model.cells.value(int(variable)) for cell, variable in pairs}

    def here(value: Expr) -> Expr:
        return model.explicit((substituted(model.explicit((value,))[0], before),))[0]

    conditions = condition_formulas(reduced, events.conditions)
    values = condition_formulas(reduced, events.values)
    first = events.first_condition.tolist()
    actions = events.actions
    resets = []
    for when, branch, target, sign, value in zip(
        actions.when, actions.branch, actions.target, actions.sign, actions.value, strict=True
    ):
        new = here(values[int(value)])
        cell = model.cells.variable(int(target))
        resets.append(Reset(first[int(when)] + int(branch), cell, new if sign > 0 else Call("neg", (new,))))
    return PlantEvents(
        flags=tuple(relations),
        truths=tuple(here(value) for value in relations.values()),
        branches=tuple(here(conditions[number]) for number in range(len(conditions))),
        statements=tuple(tuple(range(begin, end)) for begin, end in pairwise(first)),
        resets=tuple(resets),
    )


def _refuse_unknown(model: ContinuousModel, events: PlantEvents, what: str) -> None:
    """initial() and its kin are neither states nor inputs, parameters or flags."""
    count = model.compiled.flat.parameters.count
    known = {*model.states, *model.input_cells, *events.flags, *range(count)}
    read = {node.index for node in walk(*events.expressions, *model.rate_values) if isinstance(node, Slot)}
    unknown = [model.cells.name(cell) for cell in sorted(read - known)]
    other = [reset.cell for reset in events.resets if reset.cell not in model.states]
    if unknown or other:
        why = f"its events read {unknown[0]}" if unknown else "its events set what is not a state"
        raise refused(what, model.name, why, "it is run between samples")


def jumps_of(tape: Tape, events: PlantEvents, estimated: Sequence[int], known: dict[int, Expr]) -> Jumps:
    """The events as steps of a tape; `known` are inputs and parameters on it."""
    flags: Vector = [tape.copied(ZERO) for _ in events.flags]
    slopes = jacobian(events.differences, estimated)

    def at(vector: Vector, value: Expr) -> Expr:
        cells = {**known, **dict(zip(estimated, vector, strict=True)), **dict(zip(events.flags, flags, strict=True))}
        return substituted(value, cells)

    def truths(vector: Vector) -> Vector:
        return [where(at(vector, truth), ONE, ZERO) for truth in events.truths]

    def gradients(vector: Vector) -> Matrix:
        return [[tape.let(at(vector, entry)) for entry in row] for row in slopes]

    def fires(vector: Vector, before: Vector) -> tuple[Vector, Vector]:
        now = [tape.let(where(_truth(at(vector, branch)), ONE, ZERO)) for branch in events.branches]
        found: Vector = [ZERO] * len(now)
        for statement in events.statements:
            taken: Expr = ZERO
            for branch in statement:
                rises = tape.let(mul(now[branch], sub(ONE, before[branch])))
                found[branch] = tape.let(mul(rises, sub(ONE, taken)))
                taken = tape.let(call("max", taken, rises))
        return found, now

    def reset(vector: Vector, fired: Vector) -> tuple[Vector, Matrix]:
        values = list(vector)
        moved = identity(len(vector))
        for each in events.resets:
            place = list(estimated).index(each.cell)
            acts = Call("gt", (fired[each.branch], _HALF))
            row = jacobian([each.value], estimated)[0]
            values[place] = where(acts, at(vector, each.value), values[place])
            moved[place] = [where(acts, at(vector, new), old) for new, old in zip(row, moved[place], strict=True)]
        return values, moved

    return Jumps(flags, truths, gradients, fires, reset, len(events.branches))


def _truth(value: Expr) -> Expr:
    is_truth = isinstance(value, Call) and value.op in _TRUTHS
    return value if is_truth else Call("gt", (value, _HALF))
