"""Events of an FMU for Model Exchange, natively: it leaves initialization, or handles an event.

    enter event mode  ->  discrete inputs  ->  update until nothing changes  ->  continuous time, with what is new

Called again with the same numbers it answers as before: while an event is iterated, actions may be evaluated again.
The initial instant is iterated with the initial equations, until the values of all discrete variables stay: an event
that changes nothing then is none. Where what an event changes comes back to the inputs, through other parts of the
model, the FMU is asked once more, from the states that it gave before.

The root of an indicator is located up to rounding. The FMU, which looks at its own conditions, sees nothing if it is
short of zero: it is then taken a moment ahead, past it.

Results: epoch, time of the next event, whether to end the run; then states, signs of indicators and discrete outputs,
which are asked for one by one by the epoch (event_values.py): what all of them depend on is in one call alone.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tellegen.importers.fmu.native.evaluate import (
    CONTINUOUS,
    INITIALIZING,
    WARNING,
    Call,
    FmuContext,
    Get,
    is_slot,
    set_inputs,
)
from tellegen.importers.fmu.native.values import TypedValue, get_typed, set_typed
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure

NEVER = 1e300
"""The time of an event that does not come."""
FIRST = 3
"""Results before the states."""
_ITERATIONS = 1000  # of an event inside an FMU
_LEAST_MOMENT = 1e-15  # of the time
_MOMENTS = 14  # each four times the last
_SAME_INSTANT = 32 * 2.220446049250313e-16
_ROUNDING = 1e-12  # relative
_NAN = float("nan")

Mode = Callable[[Address], i32]
Flags = Array[i32]
"""Booleans of FMI 3.0 are bytes: each has a word of its own, of which it is the first."""


class Step(IntEnum):
    """What is done at an event; where it fails, this says at which step."""

    NONE = 0
    OVER = 1
    EXIT_INITIALIZATION = 2
    SET_TIME = 3
    SET_STATES = 4
    SET_INPUTS = 5
    COMPLETED_STEP = 6
    ENTER_EVENT_MODE = 7
    SET_DISCRETE = 8
    UPDATE = 9
    ENDLESS = 10
    GET_DISCRETE = 11
    ENTER_CONTINUOUS = 12
    GET_STATES = 13
    GET_INDICATORS = 14


class FmuEvents(Record):
    """What an instance needs for events. `info` is the structure that FMI 2.0 fills: five integers, then a time."""

    context: FmuContext
    exit_initialization: Mode
    enter_event_mode: Mode
    enter_continuous: Mode
    get_states: Get
    needs_completed_step: bool
    completed_step: Callable[[Address, i32, Flags, Flags], i32]
    update2: Callable[[Address, Flags], i32]
    update3: Callable[[Address, Flags, Flags, Flags, Flags, Flags, Array[f64]], i32]
    info: Flags
    info_time: Array[f64]
    indicators: i64
    indicators_now: Array[f64]
    states_ahead: Array[f64]
    rates: Array[f64]
    discrete_inputs: i64
    inputs: Array[TypedValue]
    discrete_outputs: i64
    outputs: Array[TypedValue]
    room: Array[i64]
    arity: i64  # numbers of a call before the instance and its epoch
    is_known: bool
    known: Array[f64]
    known_epoch: f64
    results: Array[f64]
    next_event: f64
    terminate: bool
    failed: i64  # a Step
    status: i64
    requests: f64  # of events, by completed steps
    stops: bool  # whether one of these asked to end the run


@procedure(inline=True)
def _differs(a: f64, b: f64) -> bool:
    """Whether two numbers differ by more than a loop that is iterated leaves open."""
    return a != b and not (abs(a - b) <= _ROUNDING * max(abs(a), abs(b))) and (a == a or b == b)


@procedure
def _is_repeated(events: FmuEvents, t: f64, x: Array[f64], u: Array[f64], epoch: f64) -> bool:
    """Whether the last call had the same numbers."""
    if not events.is_known or events.known_epoch != epoch or events.known[0] != t:
        return False
    states = events.context.states
    for k in range(events.arity - 1):
        now = x[k] if k < states else u[k - states]
        if _differs(now, events.known[k + 1]):
            return False
    return True


@procedure
def _changes_nothing(events: FmuEvents, t: f64, x: Array[f64], u: Array[f64], epoch: f64) -> bool:
    """Whether a call follows the last one at the same time, with the states it gave and the same inputs."""
    if not events.is_known or events.results[0] != epoch or events.known[0] != t:
        return False
    states = events.context.states
    for k in range(states):
        if _differs(x[k], events.results[FIRST + k]):
            return False
    same = True
    for k in range(events.arity - 1 - states):
        same = same and not _differs(u[k], events.known[1 + states + k])
    return same


@procedure(inline=True)
def fail(events: FmuEvents, step: i64, status: i64) -> bool:
    """Whether a call failed; which one it was is remembered."""
    if status <= WARNING:
        return False
    if events.failed == Step.NONE:
        events.failed = step
        events.status = status
    return True


@procedure
def _set_discrete(events: FmuEvents, u: Array[f64]) -> bool:
    """Discrete inputs, of any type; whether that failed."""
    first = 0
    for k in range(events.discrete_inputs):
        value = events.inputs[k]
        if fail(events, Step.SET_DISCRETE, set_typed(events.context.component, value, u[first:], events.room)):
            return True
        first += value.count
    return False


@procedure
def _continuous_inputs(events: FmuEvents) -> i64:
    """How many numbers come before those of the discrete inputs."""
    inputs = events.arity - 1 - events.context.states
    for k in range(events.discrete_inputs):
        inputs -= events.inputs[k].count
    return inputs


@procedure
def _is_at_root(events: FmuEvents, t: f64, u: Array[f64]) -> bool:
    """Whether an event can only be due to an indicator: no time event is, and no discrete input has changed."""
    if not events.is_known or events.indicators == 0 or t >= events.next_event:
        return False
    states = events.context.states
    same = True
    for k in range(_continuous_inputs(events), events.arity - 1 - states):
        same = same and not _differs(u[k], events.known[1 + states + k])
    return same


@procedure
def _has_crossed(events: FmuEvents) -> bool:
    """Whether an indicator has another sign than after the last event; true where that is unknown."""
    now = events.indicators_now
    signs = events.results[FIRST + events.context.states :]
    if int(events.context.get_indicators(events.context.component, now, events.indicators)) > WARNING:
        return True
    found = False
    for k in range(events.indicators):
        found = found or signs[k] * now[k] < 0.0
    return found


@procedure
def _pass_root(events: FmuEvents, t: f64, x: Array[f64]) -> i64:
    """Take the FMU past the root of an indicator, by short steps of Euler's method; the status of what is set."""
    context = events.context
    component = context.component
    states = context.states
    if _has_crossed(events) or int(context.get_derivatives(component, events.rates, states)) > WARNING:
        return 0
    moment = _LEAST_MOMENT * abs(t)
    status = 0
    for _ in range(_MOMENTS):
        for k in range(states):
            events.states_ahead[k] = x[k] + moment * events.rates[k]
        status = max(int(context.set_time(component, t + moment)), status)
        status = max(int(context.set_states(component, events.states_ahead, states)), status)
        if status > WARNING or _has_crossed(events):
            return status
        moment *= 4.0
    status = max(int(context.set_time(component, t)), status)
    return max(int(context.set_states(component, x, states)), status)


@procedure
def _enter(events: FmuEvents, t: f64, x: Array[f64], u: Array[f64], at_root: bool) -> bool:
    """To event mode, with everything set; whether something failed."""
    context = events.context
    component = context.component
    inputs = _continuous_inputs(events)
    if context.mode == INITIALIZING:
        if fail(events, Step.SET_INPUTS, set_inputs(context, u, inputs)) or _set_discrete(events, u[inputs:]):
            return True
        return fail(events, Step.EXIT_INITIALIZATION, int(events.exit_initialization(component)))
    if context.start != t:
        context.has_moved = True
    if fail(events, Step.SET_TIME, int(context.set_time(component, t))):
        return True
    if context.states > 0 and fail(events, Step.SET_STATES, int(context.set_states(component, x, context.states))):
        return True
    if fail(events, Step.SET_INPUTS, set_inputs(context, u, inputs)):
        return True
    if at_root and context.states > 0 and fail(events, Step.SET_STATES, _pass_root(events, t, x)):
        return True
    if events.needs_completed_step:
        status = int(events.completed_step(component, 1, events.info, events.info[2:]))
        if fail(events, Step.COMPLETED_STEP, status):
            return True
    if fail(events, Step.ENTER_EVENT_MODE, int(events.enter_event_mode(component))):
        return True
    return _set_discrete(events, u[inputs:])


@procedure
def _update(events: FmuEvents) -> bool:
    """One iteration inside the FMU; whether it wants another one."""
    component = events.context.component
    info = events.info
    for k in range(10):
        info[k] = 0
    if events.context.is_version2:
        if fail(events, Step.UPDATE, int(events.update2(component, info))):
            return False
        events.terminate = info[1] != 0
        events.next_event = events.info_time[0] if info[4] != 0 else NEVER
    else:
        time = events.info_time
        update = events.update3
        status = int(update(component, info, info[1:], info[2:], info[3:], info[4:], time))
        if fail(events, Step.UPDATE, status):
            return False
        events.terminate = info[1] & 255 != 0
        events.next_event = time[0] if info[4] & 255 != 0 else NEVER
    return info[0] & 255 != 0 and not events.terminate


@procedure
def _updated(events: FmuEvents, t: f64) -> None:
    """Iterate until nothing changes.

    An event that is a rounding later is handled with this one: for the run it is the same instant."""
    for _ in range(_ITERATIONS):
        again = _update(events)
        if events.failed != Step.NONE or events.terminate:
            return
        following = min(events.next_event, NEVER)
        if not again and following - t > _SAME_INSTANT * abs(t):
            events.next_event = following
            return
        is_late = not again and following > t
        context = events.context
        if is_late and fail(events, Step.SET_TIME, int(context.set_time(context.component, following))):
            return
    events.failed = Step.ENDLESS


@procedure
def _leave(events: FmuEvents, y: Array[f64]) -> None:
    """Discrete outputs, then to continuous time, with states and signs of indicators."""
    context = events.context
    component = context.component
    states = context.states
    signs = y[FIRST + states :]
    outputs = signs[events.indicators :]
    first = 0
    for k in range(events.discrete_outputs):
        value = events.outputs[k]
        if fail(events, Step.GET_DISCRETE, get_typed(component, value, outputs[first:], events.room)):
            return
        first += value.count
    if fail(events, Step.ENTER_CONTINUOUS, int(events.enter_continuous(component))):
        return
    if states > 0 and fail(events, Step.GET_STATES, int(events.get_states(component, y[FIRST:], states))):
        return
    if not context.has_moved:
        for k in range(states):
            context.start_states[k] = y[FIRST + k]
    if events.indicators > 0:
        status = int(context.get_indicators(component, signs, events.indicators))
        if fail(events, Step.GET_INDICATORS, status):
            return
        for k in range(events.indicators):
            signs[k] = 1.0 if signs[k] >= 0.0 else -1.0
    y[1] = events.next_event
    y[2] = 1.0 if events.terminate or events.stops else 0.0


@procedure(inline=True)
def _begin_epoch(context: FmuContext) -> f64:
    """From now on values are those after the event; nothing that was set counts as set."""
    context.epoch += 1.0
    context.last_time = _NAN
    for k in range(context.states):
        context.last_states[k] = _NAN
    for k in range(context.input_values):
        context.last_inputs[k] = _NAN
    context.mode = CONTINUOUS
    return context.epoch


@procedure(inline=True)
def _remember(events: FmuEvents, t: f64, x: Array[f64], u: Array[f64], epoch: f64) -> None:
    """The numbers of this call."""
    events.is_known = True
    events.known_epoch = epoch
    events.known[0] = t
    states = events.context.states
    for k in range(events.arity - 1):
        events.known[k + 1] = x[k] if k < states else u[k - states]


@procedure(inline=True)
def _continues(events: FmuEvents, t: f64, epoch: f64) -> bool:
    """Whether a call is about the last event again, with other inputs: what it changed has come back through a loop."""
    return (
        events.is_known
        and events.known_epoch == epoch
        and events.known[0] == t
        and (events.results[0] == events.context.epoch)
    )


@procedure
def _handle(events: FmuEvents, t: f64, x: Array[f64], u: Array[f64]) -> None:
    """An event, with its results; `failed` says where something went wrong."""
    at_root = _is_at_root(events, t, u)
    events.is_known = False
    events.failed = Step.NONE
    events.terminate = False
    if _enter(events, t, x, u, at_root):
        return
    _updated(events, t)
    if events.failed == Step.NONE:
        _leave(events, events.results)
    if events.failed == Step.NONE:
        events.results[0] = _begin_epoch(events.context)


@procedure
def fmu_event(table: Array[FmuEvents], t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]) -> None:
    """See the top of this file; `u` are inputs and discrete inputs. Without results where something fails."""
    if not (is_slot(p) and p.epoch > 0.0):  # there is no instance: what went wrong then is the error
        return
    events = table[int(p.slot)]
    if not _is_repeated(events, t, x, u, p.epoch):
        context = events.context
        if _continues(events, t, p.epoch):
            _handle(events, t, events.results[FIRST:], u)
        elif context.epoch != p.epoch or context.mode == 0:
            events.failed = Step.OVER
        elif context.has_moved or not _changes_nothing(events, t, x, u, p.epoch):
            _handle(events, t, x, u)
        else:  # no event, and nothing to remember
            for k in range(FIRST):
                y[k] = events.results[k]
            return
        if events.failed != Step.NONE:
            return
        _remember(events, t, x, u, p.epoch)
    for k in range(FIRST):
        y[k] = events.results[k]
