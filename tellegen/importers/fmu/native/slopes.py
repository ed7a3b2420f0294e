"""Derivatives of what an FMU evaluates, natively: by the FMU's own directional derivatives, else central differences.

One call serves all arguments of a colour (evaluations.py), so a tridiagonal Jacobian of any size takes three calls, or
six evaluations. Steps of differences are those of symbolic/slope.py. Derivatives by time are always differences, and
so is everything while an instance initializes. Those of the last point are kept: initial values are solved for step by
step, each with the Jacobian of the whole model.
"""

from __future__ import annotations

from tellegen.importers.fmu.native.evaluate import (
    CONTINUOUS,
    WARNING,
    Call,
    FmuContext,
    SlopePlan,
    fill_in,
    fmu_derivatives,
    fmu_indicators,
    fmu_reals,
    fmu_start,
    is_current,
    set_point,
)
from tellegen.procedures.language import Array, f64, i64, is_finite, procedure
from tellegen.symbolic.slope import SMALLEST, STEP

DERIVATIVES = 0
REALS = 1
START = 2
INDICATORS = 3
KEPT = 2
"""Numbers before the point of derivatives that are kept: epoch, time."""


@procedure
def evaluate_plan(contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], p: Call, y: Array[f64]) -> None:
    """What a plan is about; inputs stand after the states."""
    plan = contexts[int(p.slot)].plans[number]
    u = x[plan.states :]
    if plan.entry == DERIVATIVES:
        fmu_derivatives(contexts, number, t, x, u, p, y)
    elif plan.entry == REALS:
        fmu_reals(contexts, number, t, x, u, p, y)
    elif plan.entry == START:
        fmu_start(contexts, number, t, x, u, p, y)
    else:
        fmu_indicators(contexts, number, t, x, u, p, y)


@procedure(inline=True)
def step_of(value: f64) -> f64:
    return STEP * max(abs(value), SMALLEST)


@procedure
def _moved(plan: SlopePlan, colour: i64, t: f64, point: Array[f64], sign: f64) -> f64:
    """Change the arguments of a colour by their steps; returns the time, which is one of them."""
    for j in range(plan.colour_start[colour], plan.colour_start[colour + 1]):
        argument = int(plan.argument[j])
        if argument == 0:
            return t + sign * step_of(t)
        point[argument - 1] += sign * step_of(point[argument - 1])
    return t


@procedure
def _by_differences(
    contexts: Array[FmuContext], number: i64, colour: i64, t: f64, p: Call, room: Array[f64], y: Array[f64]
) -> None:
    """The derivatives by the arguments of a colour; one-sided where there is no value on the other side."""
    plan = contexts[int(p.slot)].plans[number]
    size = plan.states + plan.inputs
    point = room
    moved = room[size:]
    ahead = room[2 * size :]
    back = room[2 * size + plan.values :]
    here = room[2 * size + 2 * plan.values :]
    for sign in range(2):
        for k in range(size):
            moved[k] = point[k]
        if sign == 0:
            later = _moved(plan, colour, t, moved, 1.0)
            evaluate_plan(contexts, number, later, moved, p, ahead)
        else:
            later = _moved(plan, colour, t, moved, -1.0)
            evaluate_plan(contexts, number, later, moved, p, back)
    knows_here = False
    for j in range(plan.colour_start[colour], plan.colour_start[colour + 1]):
        argument = int(plan.argument[j])
        step = step_of(t) if argument == 0 else step_of(point[argument - 1])
        for e in range(plan.target_start[j], plan.target_start[j + 1]):
            row = plan.row[e]
            upper = ahead[row]
            lower = back[row]
            if is_finite(upper) and is_finite(lower):
                y[plan.place[e]] = (upper - lower) / (2.0 * step)
            else:
                if not knows_here:
                    evaluate_plan(contexts, number, t, point, p, here)
                    knows_here = True
                y[plan.place[e]] = (upper - here[row]) / step if is_finite(upper) else (here[row] - lower) / step


@procedure
def fill_seed(plan: SlopePlan, first: i64, count: i64, seed: Array[f64]) -> None:
    """One for the arguments of a colour, zero for all others."""
    for k in range(plan.states + plan.inputs):
        seed[k] = 0.0
    for j in range(first, first + count):
        seed[int(plan.argument[j]) - 1] = 1.0


@procedure
def _by_the_fmu(context: FmuContext, plan: SlopePlan, colour: i64, t: f64, room: Array[f64], y: Array[f64]) -> bool:
    """The same by a directional derivative of the FMU; whether it gave one."""
    size = plan.states + plan.inputs
    found = room[2 * size :]
    first = plan.colour_start[colour]
    count = plan.colour_start[colour + 1] - first
    status = set_point(context, t, room, room[plan.states :], plan.inputs)
    if status > WARNING:
        return False
    component = context.component
    unknowns = plan.unknowns
    knowns = plan.knowns[first:]
    seed = plan.ones
    if context.is_version2:
        status = int(context.get_directional2(component, unknowns, plan.values, knowns, count, seed, found))
    elif plan.known_count > 0:
        whole = room[size:]
        fill_seed(plan, first, count, whole)
        get_whole = context.get_directional3
        results = plan.unknown_count
        arguments = plan.known_count
        status = int(get_whole(component, unknowns, results, plan.knowns, arguments, whole, size, found, plan.values))
    else:
        get = context.get_directional3
        status = int(get(component, unknowns, plan.values, knowns, count, seed, count, found, plan.values))
    if status > WARNING:
        return False
    for j in range(first, first + count):
        for e in range(plan.target_start[j], plan.target_start[j + 1]):
            y[plan.place[e]] = found[plan.row[e]]
    return True


@procedure
def _is_kept(kept: Array[f64], plan: SlopePlan, t: f64, x: Array[f64], u: Array[f64], epoch: f64) -> bool:
    """Whether the derivatives that are kept, after the point they belong to, are those of this point."""
    if kept[0] != epoch or kept[1] != t:
        return False
    same = True
    for k in range(plan.states):
        same = same and kept[KEPT + k] == x[k]
    for k in range(plan.inputs):
        same = same and kept[KEPT + plan.states + k] == u[k]
    return same


@procedure
def fmu_slopes(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]
) -> None:
    """All derivatives that are not zero by structure, in the order of the layout."""
    if not is_current(contexts, p):
        return
    context = contexts[int(p.slot)]
    plan = context.plans[number]
    size = plan.states + plan.inputs
    fill_in(context, plan, x, u)
    kept = context.kept[plan.kept :]
    found = kept[KEPT + size :]
    if not _is_kept(kept, plan, t, x, u, context.epoch):
        point = context.room
        for k in range(plan.states):
            point[k] = x[k]
        for k in range(plan.inputs):
            point[plan.states + k] = u[k]
        for colour in range(plan.colours):
            asks = plan.is_offered and context.mode == CONTINUOUS and plan.argument[plan.colour_start[colour]] > 0
            if not (asks and _by_the_fmu(context, plan, colour, t, point, found)):
                _by_differences(contexts, number, colour, t, p, point, found)
        kept[0] = context.epoch
        kept[1] = t
        for k in range(size):
            kept[KEPT + k] = point[k]
    for k in range(plan.derivatives):
        y[k] = found[k]
