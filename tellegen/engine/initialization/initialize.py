"""Consistent initial values: what start values, fixed flags and initial equations leave open is solved for.

    states at their starts, no initial equations:   solve F(t0, x, x', z) = 0 for x' and z
    initial equations or fixed algebraic variables: as many states are released as such conditions exist
    steady state:                                   solve F(t0, x, 0, z) = 0 for x and z (steady/)
    reinit in that instant:                         states jump from there (engine/initialization/initial_event.py)

Which states are released is decided by a minimum-cost matching: every equation gets an unknown, and taking the value
of a state that the user did not release costs most. Where conditions repeat each other there are more of them than
unknowns: initial equations are left out and fixed values are released until the system is square. What is found has to
satisfy those as well, otherwise the conditions contradict each other.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.events import non_finite_assignments as event_faults
from tellegen.engine.events.event_handler import Happening
from tellegen.engine.initialization.initial_event import Instant, at_rest, reinits, steady_instant, with_jumps
from tellegen.engine.initialization.initial_solver import InitialSolver
from tellegen.engine.initialization.initial_system import Free, InitialSystem, Point
from tellegen.engine.initialization.initialization_failure import check_promises, failure, too_many_conditions
from tellegen.engine.initialization.sampled_fixed_point import sampled_variables
from tellegen.engine.linear_algebra.damped_newton import least_change
from tellegen.engine.linear_algebra.rank_deficiency import LARGEST
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.user_functions import raised
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.errors import NumericError, TellegenError
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.matching import match_cheapest
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.later import later
from tellegen.start.records import dataclass

with later():
    from tellegen.engine.events.event_descriptions import happening_texts, switching_values
    from tellegen.engine.initialization.sampled_fixed_point import Ticks
    from tellegen.engine.initialization.steady.steady_values import SteadyValues, moving_on

_STATE = 0.5  # of values that cost the same to give up, that of a state is kept
_FIXED = 1e6  # more than any other value costs
_OFF = 1e-6  # of its terms: what an initial equation that was left out may be off by


def initialize(
    model: NativeModel, point: Point, starts: Starts, steady: bool = False, jumps: bool = True, near: bool = False
) -> Consistent:
    """Consistent y and y' at the initial time; the discrete part in `point.p` is brought to rest as well.

    Without `jumps` states stay where the initial conditions put them, although a reinit is due in that instant. A
    steady state that is `near` the start values is looked for there first.
    """
    known = _steady_values(model, starts, near) if steady else None
    if model.reduced.events is None:
        return _solved(model, point, starts) if known is None else known.at(point)
    before = point.p.copy()
    sampled = known is not None and len(sampled_variables(model)) > 0
    if known is not None and sampled:
        point.p[:] = _ticks(point, known).settled(point.p)
    y, yp, done = _at_rest(model, point, starts, known, not sampled)
    if jumps and done.failed is None and reinits(model, done):
        y, yp, done = with_jumps(
            model, point, before, Consistent(y, yp), lambda _, y, yp: continued(model, point, y, yp)
        )
    if done.failed is not None:
        raise _not_converged(model, point, done, y)
    if model.reduced.events.reads_initial:
        return _released_from_start(model, point, y, yp)
    return Consistent(y, yp)


def _steady_values(model: NativeModel, starts: Starts, near: bool = False) -> SteadyValues:
    return SteadyValues(model, starts, lambda point: _solved(model, point, starts), near)


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


def _not_converged(model: NativeModel, point: Point, done: Happening, y: FloatArray) -> TellegenError:
    """The error of an event iteration; that of a function, where what it raised left a value open."""
    by_functions = raised().values() if done.not_finite else ()
    for each in by_functions:
        if isinstance(each.error, TellegenError):
            return each.error
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
    system, solver = initial_system(model, point, starts)
    found = at_rest(point, solver, lambda: _solved(model, point, starts))
    if found.done.failed is None:
        system.y[:] = found.y
        system.yp[:] = found.yp
        _check_conditions(system, starts)
    return found


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
        if result.ended != "converged":
            continue
        system.assign(result.u)
        if not _repeated_hold(system) and not _solved_with_repeated(solver):
            break
        _check_conditions(system, starts)
        return Consistent(system.y, system.yp)
    if not system.kept.all():
        raise too_many_conditions(model, starts, _equations_and_unknowns(model))
    result, part = solver.culprit()
    system.assign(result.u)
    raise failure(solver, result, part)


def _solved_with_repeated(solver: InitialSolver) -> bool:
    """All conditions simultaneously: those that were left out may determine what those that were kept do not."""
    system = solver.system
    if len(solver.guess) > LARGEST:
        return False
    whole = InitialSystem(system.model, system.point, system.y, system.free, np.ones_like(system.kept))
    found = least_change(whole, solver.guess, solver.scale)
    system.assign(found.u)
    return found.ended == "converged"


def _check_conditions(system: InitialSystem, starts: Starts) -> None:
    """Conditions that were not solved for have to hold as well."""
    model = system.model
    if starts.promised.any():
        check_promises(model, starts, system.y)
    released = system.free.values & starts.fixed
    if not _repeated_hold(system) or (released.any() and (released & ~starts.met_by(system.y)).any()):
        raise too_many_conditions(model, starts, _equations_and_unknowns(model))


def _repeated_hold(system: InitialSystem) -> bool:
    """Whether the initial equations that were left out hold."""
    if system.kept.all():
        return True
    left_out = InitialSystem(system.model, system.point, system.y, system.free, ~system.kept)
    left_out.yp[:] = system.yp
    u = left_out.free_values
    pattern = left_out.pattern
    terms = np.zeros(pattern.shape[0])
    entries = np.abs(left_out.jacobian(u)) * np.maximum(np.abs(u), 1.0)[pattern.column_of_entry]
    np.maximum.at(terms, pattern.indices, entries)
    return bool((np.abs(left_out.residual(u)) <= _OFF * terms).all())


def initial_system(model: NativeModel, point: Point, starts: Starts) -> tuple[InitialSystem, InitialSolver]:
    """The equations to solve, and the solver that starts from the start values."""
    chosen = free_at_start(model, starts)
    system = InitialSystem(model, point, starts.value, chosen.free, chosen.kept)
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
    solver.allow_for_roundings()
    result = solver.natively(in_parts=False)
    if result.ended != "converged":
        result = solver.as_a_whole()
    if result.ended != "converged" and solver.parts:
        result, _ = solver.in_parts(solver.parts)
    system.assign(result.u)
    return Consistent(system.y, system.yp) if result.ended == "converged" else None


def found_anew(model: NativeModel, point: Point, y: FloatArray) -> Consistent | None:
    """The unknowns of a model without states at a time, from a guess, in all ways there are."""
    nothing = model.reduced.is_state
    system = InitialSystem(model, point, y, Free(~nothing, nothing))
    solver = InitialSolver(system, y[system.values], np.ones(len(system.values)))
    for attempt in solver.attempts():
        found = attempt()
        if found.ended == "converged":
            system.assign(found.u)
            return Consistent(system.y, system.yp)
    return None


@dataclass(frozen=True, eq=False)
class FreeAtStart:
    """What is solved for, by which equations (initial ones come last), and how many conditions repeat others."""

    free: Free
    kept: BoolArray
    repeated: int = 0


def free_at_start(model: NativeModel, starts: Starts) -> FreeAtStart:
    """Which values and which derivatives are solved for; decided once for the values that are fixed."""
    is_state = model.reduced.is_state
    if _states_are_given(model, starts):
        return FreeAtStart(Free(~is_state, is_state.copy()), np.ones(model.program.size, bool))
    known = model.caches.free_at_start
    key = starts.fixed.tobytes() + starts.cost.tobytes()
    if key not in known:
        known[key] = _released(model, starts)
    return known[key]


def repeated_conditions(model: NativeModel, starts: Starts) -> int:
    """How many conditions of the start repeat others."""
    return 0 if _states_are_given(model, starts) else free_at_start(model, starts).repeated


def _states_are_given(model: NativeModel, starts: Starts) -> bool:
    """Whether start values of states are all there is: no initial equations, nothing else fixed or wanted.

    Every run asks; which values are fixed or wanted differs from run to run only where the user gives others.
    """
    if starts.states_alone and not model.program.initial_size:
        return True
    known = model.caches.states_are_given
    key = starts.fixed.tobytes() + starts.wanted.tobytes()
    if key not in known:
        held_algebraic = starts.fixed & ~model.reduced.is_state
        known[key] = not (model.program.initial_size or held_algebraic.any() or _more_wanted(model, starts))
    return known[key]


def _more_wanted(model: NativeModel, starts: Starts) -> bool:
    """Whether values were asked for that no state stands for, while some state could do without its own."""
    is_state = model.reduced.is_state
    spare = is_state & ~starts.wanted & ~starts.fixed
    return bool((starts.wanted & ~is_state).any() and spare.any())


def _released(model: NativeModel, starts: Starts) -> FreeAtStart:
    """Free unknowns by minimum-cost matching of all equations; see the top of this file."""
    is_state = model.reduced.is_state
    size = model.program.size
    pattern = _equations_and_unknowns(model)
    weights = np.concatenate([starts.cost + _STATE * is_state + _FIXED * starts.fixed, np.ones(size)])
    matched = match_cheapest(pattern, weights)
    kept = np.ones(pattern.shape[0], bool)
    if (matched < 0).any():
        is_initial = np.arange(pattern.shape[0]) >= size
        row_of = match_cheapest(pattern.transposed, is_initial.astype(float))
        kept[:] = False
        kept[row_of[row_of >= 0]] = True
        matched = match_cheapest(pattern.only(kept), weights)
    free = np.zeros(2 * size, bool)
    free[matched] = True
    repeated = (~kept).sum() + (free[:size] & starts.fixed).sum()
    return FreeAtStart(Free(free[:size], free[size:]), kept, int(repeated))


def _equations_and_unknowns(model: NativeModel) -> Incidence:
    """All equations, initial ones last, with the values (first columns) and rates of states that they contain."""
    program = model.program
    size = program.size
    patterns = (program.pattern, program.initial_pattern)
    rows = np.concatenate([program.pattern.indices, size + program.initial_pattern.indices])
    columns = np.concatenate([pattern.column_of_entry for pattern in patterns])
    by_value = np.concatenate([pattern.by_value for pattern in patterns])
    by_rate = np.concatenate([pattern.by_rate for pattern in patterns]) & model.reduced.is_state[columns]
    r = np.concatenate([rows[by_value], rows[by_rate]])
    c = np.concatenate([columns[by_value], size + columns[by_rate]])
    return incidence(r, c, (size + program.initial_size, 2 * size))
