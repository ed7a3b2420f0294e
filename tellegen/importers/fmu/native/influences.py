"""How results of an FMU move with its parameters, natively: what sensitivities by these need.

An FMU gets its parameters once, when a run begins. An *influence* is zero, and stands beside a result in an equation;
its derivatives by the parameters are those of the result: directional derivatives of the FMU by tunable parameters
once a run is under way, central differences while an instance initializes, where parameters may still be set. What is
not known is NaN, and no gradient is silently wrong.

fmu_no_influence, fmu_influences     as in evaluate.py; parameters stand after the inputs
"""

from __future__ import annotations

from tellegen.importers.fmu.native.evaluate import (
    CONTINUOUS,
    WARNING,
    Call,
    FmuContext,
    SlopePlan,
    is_current,
    set_point,
)
from tellegen.importers.fmu.native.slopes import INDICATORS, START, evaluate_plan, step_of
from tellegen.procedures.language import Array, f64, i64, procedure

_NAN = float("nan")


@procedure
def fmu_no_influence(
    contexts: Array[FmuContext],
    number: i64,
    t: f64,  # noqa: ARG001  # it depends on nothing
    x: Array[f64],  # noqa: ARG001
    u: Array[f64],  # noqa: ARG001
    p: Call,
    y: Array[f64],
) -> None:
    """Zero for each result."""
    if is_current(contexts, p):
        for k in range(contexts[int(p.slot)].plans[number].values):
            y[k] = 0.0


@procedure
def _set(context: FmuContext, j: i64, value: f64) -> bool:
    """Set a parameter in initialization mode; whether the FMU takes it."""
    room = context.room
    room[0] = value
    return int(context.set_reals(context.component, context.parameters[j:], 1, room, 1)) <= WARNING


@procedure
def _by_differences(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, j: i64, y: Array[f64]
) -> None:
    """The derivatives of all results by a parameter in initialization mode."""
    context = contexts[int(p.slot)]
    plan = context.plans[number]
    value = u[plan.inputs + j]
    step = step_of(value)
    point = context.room[1:]
    ahead = point[plan.states + plan.inputs :]
    back = ahead[plan.values :]
    for k in range(plan.states):
        point[k] = x[k]
    for k in range(plan.inputs):
        point[plan.states + k] = u[k]
    is_set = _set(context, j, value + step)
    evaluate_plan(contexts, number, t, point, p, ahead)
    is_set = _set(context, j, value - step) and is_set
    evaluate_plan(contexts, number, t, point, p, back)
    is_set = _set(context, j, value) and is_set
    for k in range(plan.values):
        y[k * context.parameter_count + j] = (ahead[k] - back[k]) / (2.0 * step) if is_set else _NAN


@procedure
def _by_the_fmu(context: FmuContext, plan: SlopePlan, j: i64, y: Array[f64]) -> None:
    """The same by a directional derivative."""
    found = context.room
    results = plan.unknown_count
    status = WARNING + 1
    if context.is_version2:
        get2 = context.get_directional2
        status = int(get2(context.component, plan.unknowns, results, context.parameters[j:], 1, plan.ones, found))
    else:
        get3 = context.get_directional3
        knowns = context.parameters[j:]
        status = int(get3(context.component, plan.unknowns, results, knowns, 1, plan.ones, 1, found, plan.values))
    for k in range(plan.values):
        y[k * context.parameter_count + j] = found[k] if status <= WARNING else _NAN


@procedure
def fmu_influences(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]
) -> None:
    """The derivatives of all results by all parameters that sensitivities are asked by."""
    if not is_current(contexts, p):
        return
    context = contexts[int(p.slot)]
    plan = context.plans[number]
    count = plan.values * context.parameter_count
    starts = context.start_influences
    is_under_way = context.mode == CONTINUOUS
    if plan.entry == INDICATORS:  # no function of FMI has them
        for k in range(count):
            y[k] = _NAN if is_under_way else 0.0
    elif plan.entry == START and is_under_way:
        for k in range(count):
            y[k] = starts[k]
    elif is_under_way:
        is_set = set_point(context, t, x, u, plan.inputs) <= WARNING
        for j in range(context.parameter_count):
            _by_the_fmu(context, plan, j, y)
        if not is_set:
            for k in range(count):
                y[k] = _NAN
    else:
        for j in range(context.parameter_count):
            _by_differences(contexts, number, t, x, u, p, j, y)
        if plan.entry == START:
            for k in range(count):
                starts[k] = y[k]
