"""tg.trajectory: the inputs over time that lead a plant from a start to an end at the least cost, within limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import DesignError, users_call, warn_user
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.predictive.intervals import Intervals, Plant, Watched, intervals_of
from tellegen.predictive.problem import wrong
from tellegen.predictive.trajectories.collocation import Collocation, watched_for_rates
from tellegen.predictive.trajectories.found_trajectory import Trajectory
from tellegen.predictive.trajectories.nonlinear_program import Guess, NonlinearProgram
from tellegen.predictive.trajectories.problem import METHODS, Goal, TrajectoryProblem, trajectory_problem
from tellegen.predictive.trajectories.quadratic_steps import Found, Search
from tellegen.stages import flatten_model
from tellegen.variation.stretched import INTERVAL, stretched

_RTOL = 1e-9
_ROUGH = 1e-4  # in units of sizes: an interval that ends further from where the plant does is too long
_MISSED = 1e-5  # in units of sizes: an end condition or limit that is missed by more cannot be met


@users_call
def trajectory(
    plant: Any,
    stop: float | str | tuple[float | str, float | str],
    *,
    goal: Goal,
    limits: Mapping[str, Any],
    intervals: int = 40,
    method: str = "shooting",
    initial: Mapping[str, float] | None = None,
    guess: Mapping[str, Any] | None = None,
) -> Trajectory:
    """The best way from a start to an end: inputs that are constant in each of so many equal `intervals`.

    stop                how long it lasts, or the shortest and the longest time: then the duration is searched too
    goal                where it ends and what is least: tg.Goal(end={"x": 1.0, "v": 0.0}, minimize="time")
    limits              by path (low, high), in declared units: of the inputs that may be set, and of variables at the
                        ends of intervals
    method              "shooting" integrates each interval; "collocation" puts polynomials through three points of it
    initial             start values other than declared
    guess               by path of a state or an input: a number, values for all intervals, or a function of time; else
                        straight lines from the start to the end

    Intervals need not meet while it is searched (multiple shooting), so unstable plants can be led far. First
    derivatives are exact, steps are those of sequential quadratic programming. An end condition or limit that cannot
    be met is named (E692).
    """
    if method not in METHODS:
        raise wrong(f"method={method!r}", f"one of {', '.join(map(repr, METHODS))}")
    flat = flatten_model(plant)
    problem = trajectory_problem(flat, stop, goal, limits, intervals)
    length = np.sqrt(problem.duration.low * problem.duration.high) / problem.count
    given = replace(problem.given, disturbances=(INTERVAL,), gains=np.ones(1))
    watched = Watched(given, problem.outputs, 1.0)
    slow = stretched(flat, float(length))
    made = Plant(slow, watched, _RTOL, {})
    runs = intervals_of(made) if method == "shooting" else _collocation(slow, made, watched)
    first = _guessed(problem, made, float(length), initial or {}, guess or {})
    program = NonlinearProgram(problem, runs, first)
    search = Search(program)
    known = any(path in made.states for path in guess or {})
    point = search.best_of([first] if known else [first, _rolled_out(runs, first)])
    found = None if point is None else search.run(point)
    if found is None:
        advice = "give a guess of inputs and states with which each interval can be run"
        raise DesignError("E692", f"{flat.name} cannot be run along the first guess", location=here(), advice=advice)
    _refuse_missed(problem, found)
    if not found.success:
        warn_user(f"the trajectory of {flat.name} may not be the best one: {found.message}")
    if method == "collocation":
        _warn_of_long_intervals(made, found, program.sizes.states)
    return Trajectory(flat, problem, made.states, found, runs.where)


def _warn_of_long_intervals(plant: Plant, found: Found, sizes: FloatArray) -> None:
    """Polynomials that are not the solution: where intervals end, compared with runs of the plant by itself."""
    guess = found.point.guess
    errors = []
    for state, inputs, end in zip(guess.states[:-1], guess.inputs, found.point.ends.values, strict=True):
        held = dict(zip(plant.held, [*inputs.tolist(), guess.length], strict=True))
        start = dict(zip(plant.states, state.tolist(), strict=True))
        run = plant.compiled.simulate(1.0, points=[1.0], parameters=held, initial=start, rtol=_RTOL)
        errors.append([float(run[path][-1]) for path in plant.states] - end[: len(state)])
    worst = np.abs(np.array(errors)).max(axis=0) / sizes
    if worst.max() > _ROUGH:
        path = plant.states[int(np.argmax(worst))]
        warn_user(
            f"intervals are too long for collocation: '{path}' is wrong by {worst.max():.1e} of its size at the end of "
            "one; give more intervals, or method='shooting'"
        )


def _collocation(slow: FlatModel, plant: Plant, watched: Watched) -> Intervals:
    """Collocation with the rates of a plant that is run for moments."""
    rates = Plant(slow, watched_for_rates(plant.states, watched), _RTOL, {})
    return Collocation(plant, intervals_of(rates))


def _guessed(
    problem: TrajectoryProblem, plant: Plant, length: float, initial: Mapping[str, float], guess: Mapping[str, Any]
) -> Guess:
    """Straight lines from the start to the end for states that have a value there, and what the user knows better."""
    names = problem.given.names
    known = (*plant.states, *names)
    stranger = next((path for path in guess if path not in known), None)
    if stranger is not None:
        raise wrong(f"the guess names '{stranger}'", f"there are {', '.join(known)}")
    start = _start(plant, initial)
    count = problem.count
    states = np.tile(start, (count + 1, 1))
    parts = np.linspace(0.0, 1.0, count + 1)
    for path, value in zip(problem.reached, problem.ends, strict=True):
        if path in plant.states:
            k = plant.states.index(path)
            states[:, k] = start[k] + parts * (value - start[k])
    given = problem.given
    inputs = np.tile(np.clip(np.zeros(len(names)), given.low, given.high), (count, 1))
    for path, value in guess.items():
        if path in plant.states:
            states[1:, plant.states.index(path)] = _values(path, value, length, range(1, count + 1))
        else:
            inputs[:, names.index(path)] = _values(path, value, length, range(count))
    return Guess(states, np.clip(inputs, given.low, given.high), length)


def _rolled_out(runs: Intervals, first: Guess) -> Guess:
    """The same inputs, with states as the plant goes with them."""
    states = first.states.copy()
    for k, inputs in enumerate(first.inputs):
        held = np.append(inputs, first.length)
        states[k + 1] = runs.run(states[k][None, :], held[None, :]).values[0, : states.shape[1]]
    return Guess(states, first.inputs, first.length)


def _values(path: str, value: Any, length: float, numbers: range) -> FloatArray:
    """A guess at the times of these intervals."""
    times = np.array([length * k for k in numbers])
    try:
        found = np.asarray([value(t) for t in times] if isinstance(value, Callable) else value, float)
        found = np.broadcast_to(found, times.shape)
    except (TypeError, ValueError):
        found = np.full(times.shape, np.nan)
    if not np.isfinite(found).all():
        raise wrong(f"the guess of '{path}' is not a number, {len(times)} of them, or a function of time", "{'u': 0.5}")
    return found


def _start(plant: Plant, initial: Mapping[str, float]) -> FloatArray:
    """The states at the start."""
    run = plant.compiled.simulate(1e-9, points=[1e-9], initial=dict(initial) or None)
    return np.array([float(run[path][0]) for path in plant.states])


def _refuse_missed(problem: TrajectoryProblem, found: Found) -> None:
    """E692, where the least that is missed is not nothing."""
    missed = found.slacks
    if not (missed > _MISSED).any():
        return
    point = found.point
    reached = len(problem.reached)
    lines = []
    for k in np.flatnonzero(missed > _MISSED):
        if k < reached:
            value = float(point.ends.values[-1, point.guess.states.shape[1] + k])
            lines.append(f"'{problem.reached[k]}' ends at {value:.6g}, not at {problem.ends[k]:g}")
        else:
            path = problem.limited[k - reached]
            values = point.limited[:, k - reached]
            low, high = problem.lowest[k - reached], problem.highest[k - reached]
            worst = float(values[np.argmax(np.maximum(low - values, values - high))])
            lines.append(f"'{path}' is {worst:.6g}, outside of its limits {low:g} ... {high:g}")
    if found.pressing:
        lines.append(f"{' and '.join(repr(path) for path in found.pressing)} would have to go beyond the limits")
    what = "no trajectory was found that keeps all conditions; as near as it comes, " + "; ".join(lines)
    raise DesignError(
        "E692",
        what,
        location=here(),
        advice="allow more time, wider limits or more intervals; or give a guess that is nearer",
    )
