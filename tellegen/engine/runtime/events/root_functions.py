"""Native root functions: what integrators watch, and where it passes zero.

The root function of a relation is left - right, moved by the relation's band to the far side. It is wrong when it has
the sign at which the relation would have the opposite value of its flag. Where it is zero and the flag says so, it
gets the right sign and a tiny value: SUNDIALS ignores functions that begin at zero, and would not see a mass that is
pressed into the stop it rests on. At the start of a segment it does whatever the flag says of zero, which is a matter
of rounding there. Later on zero is a root: `x >= 1` becomes true where x is 1. One that may come to zero and stay
there (`u < max(u, limit)`) is wrong by a tiny value if it says something else of zero. The right sign is given just
after an event too, where it may be wrong by a rounding: a ball that is below the floor at both ends of a step would
not be seen to have flown. A relation that nothing depends on has the right sign as well.
"""

from __future__ import annotations

from math import prod

from tellegen.engine.runtime.coefficients.dormand_prince_tableau import NODES
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.relation_values import (
    compute,
    compute_relations,
    holds_at_zero,
    is_above,
    is_greater,
)
from tellegen.procedures.language import Array, f64, i32, i64, procedure

TOO_LONG = 1
SUSPICIOUS = 2
"""What an explicit step may be for a root function."""

_TINY = 1e-300
# parts of the extent of a root function over the step
RESOLVED = 0.15
FAR = 3.0
NOISE_OF_ROOTS = 1e-8  # of the largest value so far
_KNOWN = (0, 2, 3)
"""The stages that have to predict others, at the parts 0, 0.3 and 0.8 of a step."""


def _weights(part: float) -> tuple[float, ...]:
    """The weights of the known stages in the parabola through them, at a part of the step (Lagrange)."""
    nodes = [NODES[number] for number in _KNOWN]
    return tuple(prod((part - other) / (node - other) for other in nodes if other != node) for node in nodes)


TO_STAGE_1, TO_STAGE_4, TO_STAGE_6 = (_weights(NODES[number]) for number in (1, 4, 6))
"""Those stages have to be predicted, at the parts 0.2 and 8/9 and the end of the step."""

MIDDLE_STAGE = NODES[_KNOWN[1]]
LAST_STAGE = NODES[_KNOWN[2]]


@procedure(inline=True)
def slot_values(ev: EventRun, slot: i64) -> Array[f64]:
    """The root functions that are kept for a stage."""
    return ev.root_values[slot * ev.relation_count :]


@procedure(inline=True)
def has_wrong_sign(value: f64, above: bool) -> bool:
    """Whether a root function that should be positive (`above`) or negative is not."""
    return value < 0.0 if above else value > 0.0


@procedure(inline=True)
def is_wrong(ev: EventRun, value: f64, k: i64) -> bool:
    """Whether the root function of relation k is wrong with this value."""
    return has_wrong_sign(value, is_above(ev, k))


@procedure(seldom=True)
def differences_over_time(
    ev: EventRun, times: Array[f64], count: i64, held: Array[f64], solves: i32, out: Array[f64]
) -> None:
    """left - right of all relations of unknowns at several times, with the states of `held`, which has all unknowns;
    the other unknowns follow from them, or stay."""
    for k in range(count):
        if solves != 0:
            for j in range(ev.state_count):
                place = ev.state_index[j]
                ev.y[place] = held[place]
            ev.solve(times[k], ev.context)
        compute(ev, ev.relation_entry, times[k], out[k * ev.relation_count :])


@procedure(inline=True)
def roots_here(ev: EventRun, t: f64, out: Array[f64]) -> None:
    """All root functions at a time."""
    compute_relations(ev, t, out)
    leaving = t < ev.departed  # until there all relations were found to be right
    is_under_way = t > ev.segment_start
    operators = ev.relation_operator  # in loops that write numbers, native code would look up arrays again and again
    flags = ev.relation_flag
    p = ev.p
    largest = ev.largest_difference
    bands = ev.band
    matters = ev.matters
    passed = ev.passed
    may_rest = ev.may_rest
    may_pass = t < ev.passed_until
    is_calm = not leaving and not may_pass
    for k in range(ev.relation_count):
        difference = out[k]
        raised = p[flags[k]] > 0.5
        above = raised == is_greater(operators[k])
        largest[k] = max(largest[k], abs(difference))
        value = difference + (bands[k] if above else -bands[k])
        right = _TINY if above else -_TINY
        if is_calm and value != 0.0:
            out[k] = value if matters[k] != 0 else right
            continue
        if value == 0.0 and (leaving or not is_under_way or holds_at_zero(operators[k], raised) == raised):
            value = right
        elif value == 0.0 and may_rest[k] != 0:
            value = -right
        is_passing = may_pass and passed[k] != 0
        rounding = (leaving or is_passing) and has_wrong_sign(value, above)
        out[k] = right if rounding or matters[k] == 0 else value


@procedure
def event_roots(ev: EventRun, t: f64, out: Array[f64]) -> None:
    """The same, to be called by address."""
    roots_here(ev, t, out)


@procedure
def event_watch(ev: EventRun, t: f64, slot: i64) -> i32:
    """Keep the root functions of a stage; 1 if one of them is wrong."""
    values = slot_values(ev, slot)
    roots_here(ev, t, values)
    found = False
    for k in range(ev.relation_count):
        found = is_wrong(ev, values[k], k) or found
    return int(found)


@procedure
def event_line(ev: EventRun, low: i64, high: i64) -> f64:
    """At which part of the way from one stage to another the first root lies, by straight lines."""
    near = slot_values(ev, low)
    far = slot_values(ev, high)
    least = 1.0
    for k in range(ev.relation_count):
        if is_wrong(ev, far[k], k):
            part = abs(near[k]) / (abs(near[k]) + abs(far[k]))
            least = min(least, part)
    return least


@procedure
def event_mark(ev: EventRun, slot: i64) -> None:
    """Mark the wrong root functions of a stage in `roots`, with the direction in which they passed zero."""
    values = slot_values(ev, slot)
    for k in range(ev.relation_count):
        value = values[k]
        direction = 1 if value > 0.0 else -1
        ev.roots[k] = direction if is_wrong(ev, value, k) else 0
    ev.passing = True


@procedure(inline=True)
def extreme_value(first: f64, middle: f64, last: f64) -> f64:
    """The extreme value of the parabola through the known stages between the last two of them, or the last value."""
    slope_to_middle = (middle - first) / MIDDLE_STAGE
    slope_to_last = (last - first) / LAST_STAGE
    bend = (slope_to_last - slope_to_middle) / (LAST_STAGE - MIDDLE_STAGE)
    slope = slope_to_middle - MIDDLE_STAGE * bend  # at the start of the step
    where = -0.5 * slope / bend
    value = first + 0.5 * (slope * where)
    return value if MIDDLE_STAGE < where < LAST_STAGE else last


@procedure
def event_unresolved(ev: EventRun) -> i32:
    """Whether an explicit step is too long for a root function that might pass zero, though not for the states; or
    whether one might have passed and come back in the middle of the step, where no stage is.

    Its values at three stages should predict those at others; a sine over a whole period does not. Several have to
    be right at once: one of them may be by chance.
    """
    found = 0
    count = ev.relation_count
    stages = ev.root_values
    for k in range(count):
        at_0 = stages[k]
        at_1 = stages[count + k]
        at_2 = stages[2 * count + k]
        at_3 = stages[3 * count + k]
        at_4 = stages[4 * count + k]
        at_6 = stages[6 * count + k]
        largest = max(at_0, at_2, at_3, at_1, at_4, at_6)
        smallest = min(at_0, at_2, at_3, at_1, at_4, at_6)
        extent = largest - smallest
        if abs(at_6) >= FAR * extent:
            continue  # nor does the parabola pass zero, which leaves the range of its values by a quarter at most
        error_1 = abs(at_1 - TO_STAGE_1[0] * at_0 - TO_STAGE_1[1] * at_2 - TO_STAGE_1[2] * at_3)
        error_4 = abs(at_4 - TO_STAGE_4[0] * at_0 - TO_STAGE_4[1] * at_2 - TO_STAGE_4[2] * at_3)
        error_6 = abs(at_6 - TO_STAGE_6[0] * at_0 - TO_STAGE_6[1] * at_2 - TO_STAGE_6[2] * at_3)
        error = max(0.0, error_1, error_4, error_6)
        if extent > NOISE_OF_ROOTS * ev.largest_difference[k] and error > RESOLVED * extent:
            return TOO_LONG
        if is_wrong(ev, extreme_value(at_0, at_2, at_3), k):
            found = SUSPICIOUS
    return found


@procedure
def event_keep(ev: EventRun) -> None:
    """The root functions at the end of an explicit step are those at the start of the next one."""
    first = slot_values(ev, 0)
    last = slot_values(ev, 6)
    for k in range(ev.relation_count):
        first[k] = last[k]
