"""Consistent initial values: what start values, fixed flags and initial equations leave open is solved for.

    states at their starts, no initial equations:   solve F(t0, x, x', z) = 0 for x' and z
    initial equations or fixed algebraic variables: as many states are released as such conditions exist
    steady state:                                   solve F(t0, x, 0, z) = 0 for x and z (steady_values.py)
    reinit in that instant:                         states jump from there (engine/initialization/initial_event.py)

Which states are released is decided by a minimum-cost matching: every equation gets an unknown, and taking the value
of a state that the user did not release costs most.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.events import non_finite_assignments as event_faults
from tellegen.engine.events.event_descriptions import happening_texts, switching_values
from tellegen.engine.events.event_handler import Happening
from tellegen.engine.initialization.initial_event import Instant, at_rest, reinits, steady_instant, with_jumps
from tellegen.engine.initialization.initial_solver import InitialSolver
from tellegen.engine.initialization.initial_system import Free, InitialSystem, Point
from tellegen.engine.initialization.initialization_failure import check_promises, failure, too_many_conditions
from tellegen.engine.initialization.sampled_fixed_point import Ticks, sampled_variables
from tellegen.engine.initialization.steady_values import SteadyValues, moving_on
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.errors import NumericError
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match_cheapest
from tellegen.ir.model import FloatArray, IntArray
from tellegen.start.records import dataclass

_STATE = 0.5  # of values that cost the same to give up, that of a state is kept


def initialize(
    model: NativeModel, point: Point, starts: Starts, steady: bool = False, jumps: bool = True
) -> Consistent:
    """Consistent y and y' at the initial time; the discrete part in `point.p` is brought to rest as well.

    Without `jumps` states stay where the initial conditions put them, although a reinit is due in that instant.
    """
    known = _steady_values(model, starts) if steady else None
    if model.reduced.events is None:
        return _solved(model, point, starts) if known is None else known.at(point)
    before = point.p.copy()
    sampled = known is not None and len(sampled_variables(model)) > 0
    if known is not None and sampled:
        point.p[:] = _ticks(point, known).settled(point.p)
    y, yp, done = _at_rest(model, point, starts, known, not sampled)
    if done.failed is None and not steady:  # in steady state every start value is a guess, also a fixed one
        check_promises(model, starts, y)
    if jumps and done.failed is None and reinits(model, done):
        y, yp, done = with_jumps(
            model, point, before, Consistent(y, yp), lambda _, y, yp: continued(model, point, y, yp)
        )
    if done.failed is not None:
        raise _not_converged(model, point, done, y)
    if model.reduced.events.reads_initial:
        return _released_from_start(model, point, y, yp)
    return Consistent(y, yp)


def _steady_values(model: NativeModel, starts: Starts) -> SteadyValues:
    return SteadyValues(model, starts, lambda point: _solved(model, point, starts))


def _ticks(point: Point, known: SteadyValues) -> Ticks:
    """The clocks of a model whose continuous part is in steady state."""
    model = known.model

    def rest(p: FloatArray) -> Consistent:
        at = Point(point.t, p)
        y, yp, done = _at_rest(model, at, known.starts, known, ticks=False)
        if done.failed is not None:
            raise _not_converged(model, at, done, y)
        return Consistent(y, yp)

    return Ticks(model, point.t, rest, lambda p, y, yp: continued(model, Point(point.t, p), y, yp))


def _not_converged(model: NativeModel, point: Point, done: Happening, y: FloatArray) -> NumericError:
    return NumericError(
        "E305",
        f"event iteration at the initial time did not converge, t = {point.t:g}: {done.failed}",
        details=[*happening_texts(model, done), *switching_values(model, done, y)],
        advice=event_faults.ADVICE
        if done.not_finite
        else "give start values clearly on one side of the conditions that switch",
    )


def initialize_run(model: NativeModel, point: Point, starts: Starts, steady: bool) -> Consistent:
    """Consistent y and y' for a run: sources that stand still in a steady state move from now on."""
    found = initialize(model, point, starts, steady)
    if steady and model.reduced.is_derivative.any():
        return moving_on(continued(model, point, *found), point)
    return found


@dataclass(frozen=True, eq=False)
class StartJump:
    """The initial instant of a model in which states jump: values and numbers before, and conditions that fired."""

    before: Consistent
    p: FloatArray
    fired: IntArray


def jump_at_start(model: NativeModel, point: Point, starts: Starts, steady: bool) -> StartJump | None:
    """What happens in the initial instant where a reinit is due in it."""
    events = model.reduced.events
    assert events is not None
    first = point.p.copy()
    y, yp, done = _at_rest(model, point, starts, _steady_values(model, starts) if steady else None)
    if not reinits(model, done):
        return None
    p = point.p.copy()
    *_, done = with_jumps(model, point, first, Consistent(y, yp), lambda _, y, yp: continued(model, point, y, yp))
    fired = np.array([int(events.first_condition[when]) + branch for when, branch in done.fired], np.int64)
    return StartJump(Consistent(y, yp), p, fired)


def _at_rest(
    model: NativeModel, point: Point, starts: Starts, steady: SteadyValues | None, ticks: bool = True
) -> Instant:
    """Initial values, and discrete values at rest; in steady state without `ticks` no clock is due."""
    if steady is not None:
        return steady_instant(model, point, starts.value, lambda: steady.at(point), ticks)
    _, solver = initial_system(model, point, starts)
    return at_rest(point, solver, lambda: _solved(model, point, starts))


def _released_from_start(model: NativeModel, point: Point, y: FloatArray, yp: FloatArray) -> Consistent:
    """What holds after the initial instant, where equations with tg.initial() are others: states continue."""
    found = continued(model, point, y, yp)
    if found is None:
        raise NumericError(
            "E305",
            f"no consistent values after initialization at t = {point.t:g}, where tg.initial() is no longer true",
            advice="the equations that hold after initialization must be solvable for the initial states",
        )
    return found


def _solved(model: NativeModel, point: Point, starts: Starts) -> Consistent:
    """Consistent y and y' for the present discrete values."""
    system, solver = initial_system(model, point, starts)
    for attempt in solver.attempts():
        result = attempt()
        if result.ended == "converged":
            system.assign(result.u)
            check_promises(model, starts, system.y)
            return Consistent(system.y, system.yp)
    result, part = solver.culprit()
    system.assign(result.u)
    raise failure(solver, result, part)


def initial_system(model: NativeModel, point: Point, starts: Starts) -> tuple[InitialSystem, InitialSolver]:
    """The equations to solve, and the solver that starts from the start values."""
    system = InitialSystem(model, point, starts.value, free_at_start(model, starts))
    guess = np.concatenate([starts.value[system.values], np.zeros(len(system.rates))])
    size = starts.scales.size
    scale = np.concatenate([size[system.values], size[system.rates]])
    solver = InitialSolver(system, guess, scale)
    solver.begin_simplified()
    return system, solver


def continued(model: NativeModel, point: Point, y: FloatArray, yp: FloatArray) -> Consistent | None:
    """Consistent y and y' on the other side of a jump: states continue, everything else is solved for again."""
    is_state = model.reduced.is_state
    system = InitialSystem(model, point, y, Free(~is_state, is_state))
    guess = np.concatenate([y[system.values], yp[system.rates]])
    solver = InitialSolver(system, guess, np.ones(len(guess)))
    result = solver.natively(in_parts=False)
    if result.ended != "converged":
        result = solver.as_a_whole()
    if result.ended != "converged" and solver.parts:
        result, _ = solver.in_parts(solver.parts)
    system.assign(result.u)
    return Consistent(system.y, system.yp) if result.ended == "converged" else None


def free_at_start(model: NativeModel, starts: Starts) -> Free:
    """Which values and which derivatives are solved for."""
    is_state = model.reduced.is_state
    held_algebraic = starts.fixed & ~is_state
    if not model.program.initial_size and not held_algebraic.any() and not _more_wanted(model, starts):
        return Free(~is_state, is_state.copy())
    return _released(model, starts)


def _more_wanted(model: NativeModel, starts: Starts) -> bool:
    """Whether values were asked for that no state stands for, while some state could do without its own."""
    is_state = model.reduced.is_state
    tied = model.reduced.is_tied
    spare = is_state & tied & ~starts.wanted & ~starts.fixed
    return bool((starts.wanted & ~is_state).any() and spare.any())


def _released(model: NativeModel, starts: Starts) -> Free:
    """Free unknowns by minimum-cost matching of all equations; see the top of this file."""
    is_state = model.reduced.is_state
    program = model.program
    size = len(is_state)
    everything = Free(~starts.fixed, is_state)
    probe = InitialSystem(model, Point(0.0, np.zeros(0)), starts.value, everything)
    patterns = (program.pattern, program.initial_pattern)
    rows = np.concatenate([program.pattern.indices, program.size + program.initial_pattern.indices])
    columns = np.concatenate([pattern.column_of_entry for pattern in patterns])
    by_value = np.concatenate([pattern.by_value for pattern in patterns]) & ~starts.fixed[columns]
    by_rate = np.concatenate([pattern.by_rate for pattern in patterns]) & is_state[columns]
    r = np.concatenate([rows[by_value], rows[by_rate]])
    c = np.concatenate([columns[by_value], size + columns[by_rate]])
    pattern = incidence(r, c, (program.size + program.initial_size, 2 * size))
    weights = np.concatenate([starts.cost + _STATE * is_state, np.ones(size)])
    matched = match_cheapest(pattern, weights)
    if (matched < 0).any():
        raise too_many_conditions(model, starts, pattern, len(probe.values) + len(probe.rates))
    free = np.zeros(2 * size, bool)
    free[matched] = True
    return Free(free[:size], free[size:])
