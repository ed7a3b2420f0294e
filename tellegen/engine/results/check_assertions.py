"""The model's assertions, operating regions and limits of variables, judged once a run is finished.

Their relations are events like all others, so the instant at which one stops to hold is a row of the solution, found to
the tolerance, however far apart the output points are. A violated assertion ends the solution there; what is only a
warning is reported once and listed in `solution.warnings`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.outcome import Outcome, OutcomeCode, success
from tellegen.engine.readout.action_messages import present
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.parameter_and_start_vectors import values_text
from tellegen.engine.results.check_limits import beyond_limits, limited
from tellegen.engine.results.solution import Solution
from tellegen.engine.results.warned import Warned
from tellegen.ir.expressions.expr import Apply, Der, Function, walk
from tellegen.ir.expressions.template import AssertTemplate, formatted
from tellegen.ir.flat import Group
from tellegen.ir.reduced import PARAMETER, UNUSED, ReducedGroup
from tellegen.ir.show.statements import row_names, show_expr, show_row
from tellegen.ir.source_location import SourceLocation, here, in_library
from tellegen.start.later import later
from tellegen.symbolic.evaluate import apply_by_rows, evaluate
from tellegen.symbolic.kernels.kernel import Kernel

with later():
    from tellegen.engine.native.kernel_rows import kernel_rows

_MOST_WARNINGS = 5  # warnings of one statement; the others are only listed


def is_judged(model: NativeModel) -> bool:
    """Whether a model says anything that can be violated."""
    return model.derived(_can_be_violated)


def _can_be_violated(model: NativeModel) -> bool:
    return bool(model.flat.assertions) or len(limited(model.flat)) > 0


def checked(solution: Solution) -> Solution:
    """The solution with its warnings, which are issued, cut off where an assertion does not hold."""
    solution = judged(solution)
    warn_of(solution.name, [entry for entry in solution.warnings if entry.condition not in solution.warned_before])
    return solution


def warn_of_points(compiled: NativeModel, points: Sequence[Snapshot], at: Callable[[Snapshot], str]) -> None:
    """Warn, once for each, of what does not hold at points of no run: steady states, operating points.

    Nothing ends there, so assertions are warnings too. `at` states in words where a point is.
    """
    if not is_judged(compiled):
        return
    told: set[tuple[str, str]] = set()
    for point in points:
        row = Solution(
            point._reduced,
            np.array([point.t]),
            point.unknowns[None, :],
            point._p,
            success(point.t),
            {},
            compiled,
            rates=point.rates[None, :],
        )
        violated, broken = _violations(row)
        violated += [_warned(row, group, number, np.array([False])) for _, group, number in broken]
        new = [entry for entry in violated if (entry.component, entry.condition) not in told]
        told.update((entry.component, entry.condition) for entry in new)
        warn_of(point.name, new, at(point))


def judged(solution: Solution) -> Solution:
    """The same without issuing warnings."""
    violated, broken = _violations(solution)
    if broken:
        first, group, row = min(broken, key=lambda item: item[0])
        solution = solution.until(first + 1, _outcome(solution, group, row, first))
    violated = sorted((entry for entry in violated if entry.time <= solution.time[-1]), key=lambda entry: entry.time)
    return replace(solution, warnings=tuple(violated)) if violated else solution


def _violations(solution: Solution) -> tuple[list[Warned], list[tuple[int, Group, int]]]:
    """Regions and limits that are left, and assertions that do not hold: first row, statement, number in it."""
    violated = beyond_limits(solution)
    broken: list[tuple[int, Group, int]] = []
    calls = _Calls()
    for number, part in solution._reduced.asserted:
        group = solution._reduced.flat.assertions[number]
        holds = np.broadcast_to(_values(solution, part, calls), (len(solution.time), part.rows)).astype(bool)
        for k in np.flatnonzero(~holds.all(axis=0)).tolist():
            row = int(part.source_rows[k])
            if _template(group).warning:
                violated.append(_warned(solution, group, row, holds[:, k]))
            else:
                broken.append((int(np.argmin(holds[:, k])), group, row))
    return violated, broken


def _template(group: Group) -> AssertTemplate:
    assert isinstance(group.template, AssertTemplate)
    return group.template


def warn_of(name: str, violated: Sequence[Warned], at: str = "") -> None:
    """A warning for each, not more than a few of one kind, at the user's call; of no run, with where it is in words."""
    counts: dict[str, int] = {}
    call = here()
    for entry in violated:
        counts[entry.message] = counts.get(entry.message, 0) + 1
        if counts[entry.message] <= _MOST_WARNINGS:
            told = entry.told(at) if at else str(entry)
            warnings.warn_explicit(f"{name}: {told}", UserWarning, call.file, call.line)
    for message, count in counts.items():
        if count > _MOST_WARNINGS:
            more = f"{name}: '{message}' for {count - _MOST_WARNINGS} more" + ("" if at else ": see solution.warnings")
            warnings.warn_explicit(more, UserWarning, call.file, call.line)


def _warned(solution: Solution, group: Group, row: int, holds: Any) -> Warned:
    flat = solution._reduced.flat
    first = int(np.argmin(holds))
    back = np.flatnonzero(holds[first:])
    return Warned(
        float(solution.time[first]),
        float(solution.time[first + int(back[0])]) if len(back) else None,
        flat.tree.path(*group.owner(row)),
        _message(solution, group, row, first),
        show_expr(_template(group).condition, row_names(flat, group, row)),
        _seen(solution, group, row, first),
    )


def _outcome(solution: Solution, group: Group, row: int, first: int) -> Outcome:
    """How the run ended: the message, and in detail the condition and what it saw."""
    details = (show_row(solution._reduced.flat, group, row), *_seen(solution, group, row, first))
    time = float(solution.time[first])
    message = _message(solution, group, row, first)
    return Outcome(OutcomeCode.ASSERTION, message, time, details=details, location=_location(solution, group, row))


def _message(solution: Solution, group: Group, row: int, at: int) -> str:
    """What the statement reports, with the values of a row of the solution."""
    template = _template(group)
    if not template.values:
        return template.message
    slots = [
        solution._p[index] if slot.parameter else solution.si(np.array([index]))[at, 0]
        for slot, index in zip(template.slots, group.bindings[row].tolist(), strict=True)
    ]
    time = float(solution.time[at])
    return formatted(template.message, template.values, lambda value: float(evaluate(present(value), slots, time=time)))


def _location(solution: Solution, group: Group, row: int) -> SourceLocation | None:
    """Where the assertion was written, or where its component was made if the library wrote it; with its path."""
    made = solution._reduced.flat.tree.location(*group.owner(row))
    location = group.template.location
    location = made if in_library(location.file) else location.within(made.scope or location.scope)
    return location if location.line else None


def _seen(solution: Solution, group: Group, row: int, at: int) -> tuple[str, ...]:
    """The variables of a condition with their values in a row of the solution."""
    slots = [k for k, slot in enumerate(group.template.slots) if not slot.parameter]
    variables = group.bindings[row, slots]
    values = solution.si(variables)[at]
    return tuple(values_text(solution._reduced.flat, int(v), float(x)) for v, x in zip(variables, values, strict=True))


def _values(solution: Solution, part: ReducedGroup, calls: _Calls) -> Any:
    """The conditions over the rows of the solution, one column for each; relations as their flags have them."""
    slots: list[Any] = []
    for k, kind in enumerate(part.kinds):
        bound = part.bindings[:, k]
        if kind == UNUSED:
            slots.append(None)
        elif kind == PARAMETER:
            slots.append(_numbers(solution, bound))
        else:
            slots.append(solution.si(bound))
    rates = {node.index for node in walk(part.residual) if isinstance(node, Der)}
    ders: list[Any] = [_rates(solution, part.bindings[:, k]) if k in rates else None for k in range(len(slots))]
    return evaluate(part.residual, slots, time=solution.time[:, None], ders=ders, apply=calls)


class _Calls:
    """Calls of opaque functions for all rows; of a kernel once for all assertions in it, each of which is a result."""

    def __init__(self) -> None:
        self._last: dict[Function, tuple[list[Any], Any]] = {}

    def __call__(self, node: Apply, args: list[Any]) -> Any:
        kernel = node.function.callable
        if not isinstance(kernel, Kernel) or not args:
            return apply_by_rows(node, args)
        known = self._last.get(node.function)
        if known is None or not all(map(_same, known[0], args)):
            known = self._last[node.function] = (args, _results(kernel, args))
        return known[1][..., node.output]


def _same(one: Any, other: Any) -> bool:
    return one is other or np.array_equal(one, other, equal_nan=True)


def _results(kernel: Kernel, args: list[Any]) -> Any:
    """All results of a kernel for all rows: in native code, where that is worth being compiled."""
    rows = np.broadcast(*args)
    if rows.size >= _MANY_ROWS:
        return kernel_rows(kernel, args)
    return np.array([np.ravel(kernel(*map(float, row))) for row in rows]).reshape(*rows.shape, -1)


_MANY_ROWS = 100


def _numbers(solution: Solution, indices: Any) -> Any:
    """Numbers of the parameter vector over the rows; initial() and terminal() hold in the first and the last one."""
    model = solution._reduced
    row = np.arange(len(solution.time))
    if (indices == model.initial_index).all():
        return (row == 0)[:, None] & (not solution.continues)
    if (indices == model.terminal_index).all():
        return (row == row[-1])[:, None] & solution.success
    if solution.history is None:
        return solution._p[indices]
    return solution.history.columns(indices) if solution.history.changes(indices) else solution.history.first[indices]


def _rates(solution: Solution, variables: Any) -> Any:
    table = solution._reduced.flat.variables
    rates = [solution[f"der({table.name(int(v))})"] * table.declaration(int(v)).unit.scale for v in variables]
    return np.stack(rates, axis=1)
