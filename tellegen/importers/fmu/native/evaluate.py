"""What a run calls of an FMU at every evaluation, natively: set a point, read derivatives, outputs or indicators.

An FMU keeps its discrete state to itself, so its functions are not functions of their arguments alone. An evaluation
therefore names the instance (a slot of a table) and the *epoch*: every event gives an instance a number that was never
used before. Values of an epoch that is over cannot be computed again; they are NaN, never those of another one.

fmu_derivatives, fmu_reals, ...      signature of C functions of a model (foreign.py), after the table of instances and
                                     the number of a plan
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure

INITIALIZING = 1
CONTINUOUS = 2
SLOTS = 1024.0
"""Instances of one FMU in a process that can be evaluated at the same time."""
WARNING = 1  # the last status after which results may be used
_NAN = float("nan")
_LACKING = -1.2345678987654321e-287  # ir/expressions/expr.py: LACKING
_DIFFERENCE = 2e-5  # of a time: difference quotients look so far (native/slopes.py)
_SMALLEST_TIME = 1e-3

Get = Callable[[Address, Array[f64], i64], i32]
Access = Callable[[Address, Array[i32], i64, Array[f64], i64], i32]
"""References, their number, values, their number (more where variables are arrays).

FMI 2.0 does without the last argument; calling conventions allow one too many."""


EvaluateAt = Callable[[Address, f64, Array[f64], Array[f64]], i32]
"""Time and states; results, NaN where there are none (exporters/fmu/c/model.h: Direct)."""

Directional2 = Callable[[Address, Array[i32], i64, Array[i32], i64, Array[f64], Array[f64]], i32]
Directional3 = Callable[[Address, Array[i32], i64, Array[i32], i64, Array[f64], i64, Array[f64], i64], i32]
"""Unknowns and knowns with their numbers, a seed, the sensitivity; FMI 3.0 with the numbers of these."""


class SlopePlan(Record):
    """How the derivatives of an evaluation are found (native/slopes.py).

    Arguments come colour after colour, time as number 0. Those from target_start[j] on are the results that depend on
    argument j, with the places of the derivatives.
    """

    entry: i64
    states: i64
    inputs: i64
    values: i64
    first: i64  # of the references of its results, and how many
    count: i64
    colours: i64
    colour_start: Array[i32]
    argument: Array[i32]
    target_start: Array[i32]
    row: Array[i32]
    place: Array[i32]
    is_offered: bool
    unknowns: Array[i32]
    unknown_count: i64
    knowns: Array[i32]
    known_count: i64  # of variables, where some are arrays: then all are named in every call
    ones: Array[f64]
    derivatives: i64  # how many there are
    lacks_arguments: bool  # some may be LACKING: results that do not depend on them are asked for
    kept: i64  # where those of the last point stand, among those of all plans


class FmuContext(Record):
    """One instance: its functions, and the point that was set last."""

    component: Address
    epoch: f64
    mode: i64
    start: f64
    has_moved: bool
    states: i64
    has_others: bool  # whether anything but derivatives is evaluated: outputs, indicators
    inputs: i64
    input_values: i64  # more than inputs where these are arrays
    last_time: f64
    start_states: Array[f64]
    last_states: Array[f64]
    last_inputs: Array[f64]
    input_references: Array[i32]
    references: Array[i32]
    set_time: Callable[[Address, f64], i32]
    set_states: Get
    set_reals: Access
    get_reals: Access
    get_derivatives: Get
    get_indicators: Get
    is_direct: bool  # an FMU of Tellegen: two functions, and what they are given before time and states
    goes_directly: bool  # once a run is under way; what was set last is not known then
    is_plain: bool  # and there is nothing to be set but time and states
    direct: Address
    rates_at: EvaluateAt
    roots_at: EvaluateAt
    is_version2: bool
    get_directional2: Directional2
    get_directional3: Directional3
    plans: Array[SlopePlan]
    room: Array[f64]
    filling: Array[f64]  # states and inputs as they were last given, for arguments that are lacking
    kept: Array[f64]  # derivatives, with the points and epochs they belong to (native/slopes.py)
    parameters: Array[i32]  # that sensitivities are asked by (native/influences.py)
    parameter_count: i64
    start_influences: Array[f64]  # of these on the states that the run started with


class Call(Record):
    """The last arguments of a call, which are numbers of the model."""

    slot: f64
    epoch: f64


@procedure(inline=True)
def _is_new(now: Array[f64], last: Array[f64], count: i64) -> bool:
    """Whether numbers differ from those of the last time; they are remembered."""
    for k in range(count):
        if now[k] != last[k]:
            for j in range(k, count):
                last[j] = now[j]
            return True
    return False


@procedure(inline=True)
def set_inputs(context: FmuContext, u: Array[f64], inputs: i64) -> i64:
    """Continuous inputs, if they have changed."""
    if inputs > 0 and _is_new(u, context.last_inputs, inputs):
        return int(context.set_reals(context.component, context.input_references, context.inputs, u, inputs))
    return 0


@procedure(inline=True)
def _is_apart(t: f64, start: f64) -> bool:
    """Whether a time is further from another one than difference quotients look."""
    return abs(t - start) > _DIFFERENCE * max(abs(t), _SMALLEST_TIME)


@procedure(inline=True)
def _is_new_point(context: FmuContext, t: f64, x: Array[f64]) -> bool:
    """Whether time or states differ from those of the last time; they are remembered, where others ask about them."""
    moved = context.goes_directly or not context.has_others or _is_new(x, context.last_states, context.states)
    if t == context.last_time:
        return moved
    if not context.has_moved:
        context.has_moved = _is_apart(t, context.start)
    context.last_time = t
    return True


@procedure(inline=True)
def set_point(context: FmuContext, t: f64, x: Array[f64], u: Array[f64], inputs: i64) -> i64:
    """Time, states and inputs; what is as it was is not set, so that an FMU keeps what it has computed."""
    status = 0
    if context.mode == CONTINUOUS and _is_new_point(context, t, x):
        status = int(context.set_time(context.component, t))
        if context.states > 0:
            status = max(status, int(context.set_states(context.component, x, context.states)))
    status = max(status, set_inputs(context, u, inputs))
    return status


@procedure(inline=True)
def is_slot(call: Call) -> bool:
    """Whether there is such an instance."""
    return call.slot >= 0.0 and call.slot < SLOTS


@procedure(inline=True)
def is_current(contexts: Array[FmuContext], call: Call) -> bool:
    """Whether the call is about the present epoch of its instance."""
    if not is_slot(call):
        return False
    context = contexts[int(call.slot)]
    return context.epoch == call.epoch and context.mode > 0


@procedure(inline=True)
def _judge(status: i64, results: Array[f64], count: i64) -> None:
    """What an FMU could not compute is NaN: the solver tries a smaller step."""
    if status > WARNING:
        for k in range(count):
            results[k] = _NAN


@procedure
def _fill(plan: SlopePlan, filling: Array[f64], x: Array[f64], u: Array[f64]) -> None:
    """Put what was given last where an argument is lacking; the call has copies of its arguments then."""
    states = plan.states
    for k in range(states):
        if x[k] == _LACKING:
            x[k] = filling[k]
        else:
            filling[k] = x[k]
    for k in range(plan.inputs):
        if u[k] == _LACKING:
            u[k] = filling[states + k]
        else:
            filling[states + k] = u[k]


@procedure(inline=True)
def fill_in(context: FmuContext, plan: SlopePlan, x: Array[f64], u: Array[f64]) -> None:
    """The same where arguments may lack at all."""
    if plan.lacks_arguments:
        _fill(plan, context.filling, x, u)


@procedure
def _takes_inputs(context: FmuContext, u: Array[f64], inputs: i64) -> bool:
    """Give an FMU of Tellegen its inputs; whether it takes them."""
    return set_inputs(context, u, inputs) <= WARNING


@procedure
def fmu_derivatives(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]
) -> None:
    """The derivatives of the states; while an instance initializes, by their references."""
    if is_slot(p):
        context = contexts[int(p.slot)]
        if context.is_plain and context.epoch == p.epoch:
            context.rates_at(context.direct, t, x, y)
        elif context.epoch == p.epoch and context.mode > 0:
            _derivatives(context, context.plans[number], t, x, u, y)


@procedure
def _derivatives(context: FmuContext, plan: SlopePlan, t: f64, x: Array[f64], u: Array[f64], y: Array[f64]) -> None:
    """The same where there is more to be set."""
    fill_in(context, plan, x, u)
    if not context.goes_directly:
        _derivatives_by_fmi(context, plan, t, x, u, y)
    elif context.inputs == 0 or _takes_inputs(context, u, plan.inputs):
        context.rates_at(context.direct, t, x, y)


@procedure(seldom=True)
def _derivatives_by_fmi(
    context: FmuContext, plan: SlopePlan, t: f64, x: Array[f64], u: Array[f64], y: Array[f64]
) -> None:
    """The same by functions of FMI."""
    count = context.states
    status = set_point(context, t, x, u, plan.inputs)
    if context.mode == CONTINUOUS:
        context.goes_directly = context.is_direct and context.has_moved
        context.is_plain = context.goes_directly and context.inputs == 0 and not plan.lacks_arguments
        status = max(status, int(context.get_derivatives(context.component, y, count)))
    else:
        known = context.references[plan.first :]
        status = max(status, int(context.get_reals(context.component, known, plan.count, y, count)))
    _judge(status, y, count)


@procedure
def fmu_reals(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]
) -> None:
    """Outputs by their references."""
    if not is_current(contexts, p):
        return
    context = contexts[int(p.slot)]
    plan = context.plans[number]
    fill_in(context, plan, x, u)
    status = set_point(context, t, x, u, plan.inputs)
    known = context.references[plan.first :]
    count = plan.values
    status = max(status, int(context.get_reals(context.component, known, plan.count, y, count)))
    _judge(status, y, count)


@procedure
def fmu_start(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]
) -> None:
    """The states that a run starts with; those that initialization ended with, once it has."""
    if not is_current(contexts, p):
        return
    context = contexts[int(p.slot)]
    plan = context.plans[number]
    count = plan.values
    if context.mode == CONTINUOUS:
        for k in range(count):
            y[k] = context.start_states[k]
        return
    status = set_point(context, t, x, u, plan.inputs)
    status = max(status, int(context.get_reals(context.component, context.references, plan.count, y, count)))
    _judge(status, y, count)


@procedure
def fmu_indicators(
    contexts: Array[FmuContext], number: i64, t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]
) -> None:
    """The event indicators; there are none yet while an instance initializes."""
    if is_slot(p):
        context = contexts[int(p.slot)]
        if context.is_plain and context.epoch == p.epoch:
            context.roots_at(context.direct, t, x, y)
        elif context.epoch == p.epoch and context.mode > 0:
            _indicators(context, context.plans[number], t, x, u, y)


@procedure
def _indicators(context: FmuContext, plan: SlopePlan, t: f64, x: Array[f64], u: Array[f64], y: Array[f64]) -> None:
    """The same where there is more to be set."""
    if not context.goes_directly:
        _indicators_by_fmi(context, plan, t, x, u, y)
    elif context.inputs == 0 or _takes_inputs(context, u, plan.inputs):
        context.roots_at(context.direct, t, x, y)


@procedure(seldom=True)
def _indicators_by_fmi(
    context: FmuContext, plan: SlopePlan, t: f64, x: Array[f64], u: Array[f64], y: Array[f64]
) -> None:
    """The same by functions of FMI."""
    count = plan.values
    if context.mode == INITIALIZING:
        for k in range(count):
            y[k] = 1.0
        return
    status = set_point(context, t, x, u, plan.inputs)
    status = max(status, int(context.get_indicators(context.component, y, count)))
    _judge(status, y, count)
