"""Native values of relations: evaluating what a model computes at events, and comparing it with zero."""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import Entry
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.ir.events import OPERATOR_NUMBERS, REACH
from tellegen.procedures.language import Array, f64, i64, procedure

_LESS = OPERATOR_NUMBERS["lt"]
_GREATER = OPERATOR_NUMBERS["gt"]  # this operator and those after it are of the kind left > right
_GREATER_OR_EQUAL = OPERATOR_NUMBERS["ge"]
_REACHED = OPERATOR_NUMBERS[REACH]
_ROUNDING = 1e-14  # of the unknowns that a relation reads
_NEAR = 1e-14  # of the time: a relation of time that close to zero is at its instant


@procedure(inline=True)
def compute_here(ev: EventRun, entry: Entry, t: f64, out: Array[f64]) -> None:
    """The numbers of an entry of the model at a time."""
    calls = entry.calls
    tables = entry.tables
    for k in range(entry.count):
        calls[k](t, ev.y, ev.yp, ev.p, out, tables)


@procedure
def compute(ev: EventRun, entry: Entry, t: f64, out: Array[f64]) -> None:
    """The same as a function of its own."""
    compute_here(ev, entry, t, out)


@procedure(inline=True)
def copy(source: Array[f64], target: Array[f64], count: i64) -> None:
    """target := source"""
    for i in range(count):
        target[i] = source[i]


@procedure
def rest_at_zero(ev: EventRun, differences: Array[f64]) -> None:
    """Sides that may become and stay equal are equal where they differ by no more than they are known."""
    noise = ev.tolerance if ev.is_iterated else _ROUNDING
    for j in range(ev.rest_count):
        k = ev.rest_relation[j]
        size = ev.rest_size[j]
        for i in range(ev.read_start[k], ev.read_start[k + 1]):
            size = max(size, abs(ev.y[ev.read_index[i]]))
        ev.rest_size[j] = size
        if abs(differences[k]) <= noise * size:
            differences[k] = 0.0


@procedure(inline=True)
def compute_relations(ev: EventRun, t: f64, out: Array[f64]) -> None:
    """left - right of the relations of unknowns at a time."""
    compute_here(ev, ev.relation_entry, t, out)
    if ev.rest_count > 0:
        rest_at_zero(ev, out)


@procedure(inline=True)
def compute_differences(ev: EventRun) -> None:
    """The same now."""
    compute_relations(ev, ev.t, ev.differences)


@procedure
def find_what_matters(ev: EventRun) -> None:
    """Which relations anything depends on, as discrete values are now."""
    if ev.gate_count == 0:
        return
    compute(ev, ev.gate_entry, ev.t, ev.gates)
    for k in range(ev.gate_count):
        ev.matters[ev.gate_relation[k]] = int(ev.gates[k] > 0.5)


@procedure(inline=True)
def is_raised(ev: EventRun, flag: i64) -> bool:
    """Whether a flag, given by its place, is up."""
    return ev.p[flag] > 0.5


@procedure(inline=True)
def is_greater(operator: i64) -> bool:
    """Whether a relation is of the kind left > right."""
    return operator >= _GREATER


@procedure(inline=True)
def holds(difference: f64, operator: i64, raised: bool, band: f64) -> bool:
    """A relation, given left - right. Within the band around zero it stays as it was."""
    greater = is_greater(operator)
    limit = -band if greater == raised else band  # a raised `left > right` falls below zero
    above = difference >= limit if operator == _GREATER_OR_EQUAL else difference > limit
    below = difference < limit if operator == _LESS else difference <= limit
    return above if greater else below


@procedure(inline=True)
def holds_at_zero(operator: i64, raised: bool) -> bool:
    """A relation that is followed to where left and right are equal."""
    return operator == _REACHED or holds(0.0, operator, raised, 0.0)


@procedure(inline=True)
def holds_after(difference: f64, operator: i64, slope: f64, t: f64) -> bool:
    """A relation of time as it will be just after t: at its instant it counts as left - right goes on from zero."""
    at_instant = abs(difference) <= _NEAR * abs(t * slope)
    ahead = slope if at_instant else difference
    return ahead >= 0.0 if operator == _REACHED else holds(ahead, operator, False, 0.0)


@procedure(inline=True)
def is_reached(ev: EventRun, k: i64, difference: f64) -> bool:
    """Whether a level that relation k lets rise is where it has to, and its flag does not say so."""
    is_level = ev.relation_operator[k] == _REACHED
    return is_level and difference == 0.0 and not is_raised(ev, ev.relation_flag[k])


@procedure(inline=True)
def is_above(ev: EventRun, k: i64) -> bool:
    """Whether left - right of relation k is positive while its flag stays as it is."""
    return is_raised(ev, ev.relation_flag[k]) == is_greater(ev.relation_operator[k])


@procedure(inline=True)
def differs(ev: EventRun, k: i64) -> bool:
    """Whether relation k, as left - right is now, is not what its flag says."""
    raised = is_raised(ev, ev.relation_flag[k])
    return holds(ev.differences[k], ev.relation_operator[k], raised, ev.band[k]) != raised


@procedure(inline=True)
def is_over(ev: EventRun) -> bool:
    """Whether the run ends here, by terminate() or by a failure."""
    return ev.message != 0 or ev.failed != 0
