"""Steady values: all derivatives zero, time-dependent sources frozen: F(t0, y, 0) = 0 for the equations as written.

What index reduction has added says how constraints move on with time; in steady state nothing does, so differentiated
equations are left out and the derivatives that became unknowns are zero. Where the equations leave something open,
conserved quantities determine it from the initial values (conserved_quantities.py); what is still open is named. Where
Newton's method finds no way there, the model is left to settle (pseudo_transient.py). Closed loops settle in their own
way (steady_on_invariants.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from tellegen.engine.initialization.assembly.attempt import refuse_open_loops
from tellegen.engine.initialization.initial_solver import InitialSolver, other_ways
from tellegen.engine.initialization.initial_system import Free, InitialSystem, Layout, Point
from tellegen.engine.initialization.initialization_failure import (
    MOVES,
    failure,
    keeps_changing,
    nothing_at_rest,
    undetermined,
    violates_invariant,
)
from tellegen.engine.initialization.steady.conserved_quantities import Conserved, WithConserved, conserved
from tellegen.engine.initialization.steady.pseudo_transient import settled
from tellegen.engine.initialization.steady.steady_on_invariants import settle_on_invariants
from tellegen.engine.linear_algebra.damped_newton import Newton, System, least_change, solve
from tellegen.engine.linear_algebra.explicit_unknowns import Following, Level, explicit_levels
from tellegen.engine.linear_algebra.exponent_widths import Exponents
from tellegen.engine.linear_algebra.leak_stepping import by_leak_stepping
from tellegen.engine.linear_algebra.leaks import leaks
from tellegen.engine.linear_algebra.limited_newton import LimitedNewton, limited
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import Elimination, SingularMatrixError, choose_pivots
from tellegen.engine.linear_algebra.rank_deficiency import LARGEST, is_singular, null_vector
from tellegen.engine.linear_algebra.rounding_noise import rounding_noise
from tellegen.engine.loaded.invariant_components import components
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import KNOWN, PARAMETER
from tellegen.start.on_use import scipy

_NUDGE = 0.1  # of the size of an unknown: the guess itself may be a point where derivatives vanish
_AWAY = 1e-3  # of the size of an unknown: how far another steady state is looked for
_FAR = 1e-6
_EXACT = 1e-8  # of the terms of an equation
_BEYOND = 1e6  # times the size of an unknown: hardly what was meant
_CONDUCTING = 27.0  # widths of an exponential: 0.7 V of a junction
_FIRST_ATTEMPTS = 3  # to solve the equations before it is asked what they conserve


Attempts = tuple[Callable[[], Newton], ...]
"""Ways to a solution, the best ones first."""


def steady_free(model: NativeModel) -> Free:
    """All unknowns but derivatives."""
    derivative = model.reduced.is_derivative
    return Free(~derivative, np.zeros(len(derivative), bool))


def _steady_layout(model: NativeModel) -> Layout:
    return Layout(model, steady_free(model), model.reduced.is_as_written)


def steady_system(model: NativeModel, point: Point, starts: Starts) -> tuple[InitialSystem, InitialSolver]:
    """The equations to solve, and the solver that starts from the start values."""
    y = np.where(model.reduced.is_derivative, 0.0, starts.value)
    system = InitialSystem.of_layout(model, point, y, model.derived(_steady_layout))
    return system, InitialSolver(system, starts.value[system.values], starts.scales.size[system.values])


def steady_values(model: NativeModel, point: Point, starts: Starts, initial: Callable[[], Consistent]) -> Consistent:
    """Steady values for the present discrete values; `initial` computes the initial values of a run from there.

    What is conserved is looked for only where the equations depend on each other at an arbitrary point.
    """
    system, solver = steady_system(model, point, starts)
    if model.reduced.invariants is not None and (found := _on_invariants(system, starts)) is not None:
        return found
    equations: System = system
    limits = tuple(_with_limits(solver))
    u = _independent_solution(solver, limits)
    if u is None:
        laws = conserved(system, solver.guess, solver.scale)
        if laws is None:
            u = _by_equations(solver, limits)
        else:
            equations = WithConserved(system, laws, initial().y[system.values])
            u = _by_conservation(solver, equations, laws)
    _refuse_others(equations, solver, u)
    system.assign(u)
    _refuse_open_invariants(system, starts)
    return Consistent(system.y, system.yp)


def _on_invariants(system: InitialSystem, starts: Starts) -> Consistent | None:
    """The steady state with closed loops, if one was found; an error where it is one of a continuum."""
    ended = settle_on_invariants(system.model, system.point, starts)
    if ended is None:
        refuse_open_loops(system.model, system.point, starts)
        return None
    if ended.moving_share.any():
        raise keeps_changing(system, ended.moving_share[system.values], MOVES)
    if ended.open_share.any():
        raise undetermined(system, ended.open_share[system.values])
    system.y[:] = ended.found.y
    _refuse_open_invariants(system, starts)
    return ended.found


def nearby_steady_values(model: NativeModel, point: Point, starts: Starts) -> Consistent | None:
    """What Newton's method finds from the start values without further search, if the equations determine it there."""
    system, solver = steady_system(model, point, starts)
    found = solver.natively()
    if found.ended != "converged" or not _is_regular(system, found.u):
        return None
    system.assign(found.u)
    return Consistent(system.y, system.yp)


def noise_of_steady_values(model: NativeModel, point: Point, starts: Starts) -> FloatArray:
    """How far roundings move each unknown of steady values: the start values, where the equations are independent."""
    system, solver = steady_system(model, point, starts)
    values = system.jacobian(solver.guess)
    noise = np.zeros(len(starts.value))
    try:
        factors = SparseLU(system.pattern, choose_pivots(system.pattern, values))
        factors.factor(values)
    except SingularMatrixError:
        return noise
    noise[system.values] = rounding_noise(factors, values, np.abs(solver.guess))
    return noise


def _refuse_open_invariants(system: InitialSystem, starts: Starts) -> None:
    """E301 or E302 for values that satisfy the equations alone: at rest these say nothing of invariants."""
    reduced = system.model.reduced
    states = np.flatnonzero(reduced.is_state)
    of = components(reduced, states)
    if of is None:
        return
    gap = np.abs(system.y[of.residual]) / of.row_lengths(system.y, system.point.p, starts.scales.size[states])
    if gap.max() > _FAR:
        refuse_open_loops(system.model, system.point, replace(starts, value=system.y))
        raise violates_invariant(system, int(of.residual[np.argmax(gap)]))


class SteadyValues:
    """Steady values of a model at an instant; event iteration asks for those of the same discrete values repeatedly.

    Those that are `near` the start values, as where a sweep goes on, need no search.
    """

    def __init__(
        self, model: NativeModel, starts: Starts, initial: Callable[[Point], Consistent], near: bool = False
    ) -> None:
        self.model = model
        self.starts = starts
        self.initial = initial
        self.near = near and model.reduced.invariants is None
        self._found: dict[bytes, Consistent] = {}

    def at(self, point: Point) -> Consistent:
        """Those for the discrete values in the parameters of a point; what was found last is the guess."""
        key = point.p[self.model.derived(_read_by_equations)].tobytes()
        if key not in self._found:
            last = next(reversed(self._found.values()), None)
            starts = self.starts if last is None else replace(self.starts, value=last.y)
            found = nearby_steady_values(self.model, point, starts) if self.near else None
            self._found[key] = found or steady_values(self.model, point, starts, lambda: self.initial(point))
        y, yp = self._found[key]
        return Consistent(y.copy(), yp.copy())


def _read_by_equations(model: NativeModel) -> IntArray:
    """The positions of parameters, discrete values and flags that equations read."""
    reduced = model.reduced
    given = reduced.known_position[reduced.linear.indices]
    found = [given[given >= 0]]
    for group in (*reduced.groups, *reduced.initial):
        for slot, kind in enumerate(group.kinds):
            bound = group.bindings[:, slot]
            if kind in (PARAMETER, KNOWN):
                found.append(bound if kind == PARAMETER else reduced.known_position[bound])
    return np.unique(np.concatenate(found)).astype(np.int64)


def _independent_solution(solver: InitialSolver, limits: Attempts) -> FloatArray | None:
    """A solution, if the equations are independent there, or at an arbitrary point: with exponentials in this order."""
    if not limits and _is_regular_near(solver):
        return _by_equations(solver, limits)
    u = _regular_solution(solver, limits)
    return _by_equations(solver, limits) if u is None and limits and _is_regular_near(solver) else u


def _is_regular_near(solver: InitialSolver) -> bool:
    """Whether the equations are independent at an arbitrary point near the guess."""
    random = np.random.default_rng(11).uniform(0.5, 1.0, len(solver.guess))
    return _is_regular(solver.system, solver.guess + _NUDGE * np.maximum(np.abs(solver.guess), solver.scale) * random)


def _regular_solution(solver: InitialSolver, limits: Attempts) -> FloatArray | None:
    """What the first attempts find, if it is regular: transistors that are all off depend on rounding errors alone.

    What is conserved is so everywhere: then no point is regular.
    """
    first = islice(solver.attempts(), _FIRST_ATTEMPTS)
    found = (attempt() for attempt in (*limits, *first, lambda: _settled(solver)))
    first = next((each for each in found if each.ended == "converged"), None)
    return first.u if first is not None and _is_regular(solver.system, first.u, first.elimination) else None


def _is_regular(system: System, u: FloatArray, pivots: Elimination | None = None) -> bool:
    return not is_singular(system.pattern, system.jacobian(u), pivots)


def _by_equations(solver: InitialSolver, limits: Attempts) -> FloatArray:
    for attempt in (*limits, *solver.attempts(), lambda: _settled(solver)):
        result = attempt()
        if result.ended == "converged":
            return result.u
    result, part = solver.culprit()
    solver.system.assign(result.u)
    raise nothing_at_rest(solver.system) or failure(solver, result, part)


def _settled(solver: InitialSolver) -> Newton:
    return settled(solver.system, solver.guess, solver.scale)


def _with_limits(solver: InitialSolver) -> Iterator[Callable[[], Newton]]:
    """As circuit simulators do, where equations contain exponentials."""
    system = solver.system
    system.assign(solver.guess)
    width = system.model.derived(_exponents).widths(system.y, system.point.p)
    if np.isfinite(width).any():
        levels = system.model.derived(_explicit)
        for followed in ([], levels) if levels else ([],):
            yield lambda followed=followed: _limited(_following(system, followed), solver, width[system.values])
        for followed in ([], levels) if levels else ([],):
            yield lambda followed=followed: _with_leaks(solver, width, followed)


def _explicit(model: NativeModel) -> list[Level]:
    return explicit_levels(model.reduced)


def _following(system: InitialSystem, levels: list[Level]) -> System:
    """The system with unknowns that follow; rows and columns of levels are those of the model."""
    if not levels:
        return system
    row = np.full(len(system.kept), -1)
    row[system.rows] = np.arange(len(system.rows))
    column = np.full(len(system.y), -1)
    column[system.values] = np.arange(len(system.values))
    return Following(system, [each.within(row, column) for each in levels])


def _exponents(model: NativeModel) -> Exponents:
    return Exponents(model.reduced)


def _with_leaks(solver: InitialSolver, width: FloatArray, levels: list[Level]) -> Newton:
    """From large leaks to those of the model, where it has any."""
    system = solver.system
    positions = leaks(system.model.reduced, width)
    if not len(positions):
        return Newton("no progress", solver.guess, 0)

    def leaking(least: float) -> System:
        p = system.point.p.copy()
        p[positions] = np.maximum(p[positions], least)
        return _following(system.at(Point(system.point.t, p)), levels)

    return by_leak_stepping(leaking, solver.guess, LimitedNewton(solver.scale, width[system.values]))


def _limited(system: System, solver: InitialSolver, width: FloatArray) -> Newton:
    """From the start values; where that ends far beyond all sizes, with currents of blocked junctions, from conduction.

    A transistor in a loop of high gain may have both: 0.8 V, and -1e10 V at which its leakage carries the current.
    """
    kept = solver.system.model.caches.pivots if system is solver.system else None
    found = limited(system, solver.guess, solver.scale, width, kept)
    if found.ended != "converged" or _extent(solver, found) < _BEYOND:
        return found
    conducting = np.where(np.isfinite(width), _CONDUCTING * width, solver.guess)
    other = limited(system, conducting, solver.scale, width)
    return other if other.ended == "converged" and _extent(solver, other) < _extent(solver, found) else found


def _extent(solver: InitialSolver, found: Newton) -> float:
    return float((np.abs(found.u) / np.maximum(solver.scale, np.abs(solver.guess))).max())


def _by_conservation(solver: InitialSolver, equations: WithConserved, laws: Conserved) -> FloatArray:
    """Redundant rows hold as well, or there is no steady state: what they conserve changes at a constant rate."""
    ways = [lambda: solve(equations, equations.u0, solver.scale), *other_ways(equations, equations.u0, solver.scale)]
    result = next((found for way in ways if (found := way()).ended == "converged"), None)
    system = solver.system
    if result is None:
        raise nothing_at_rest(system) or undetermined(system, np.abs(laws.coefficients).max(axis=0))
    matrix = _dense(system, result.u)
    size = np.abs(matrix) @ np.maximum(np.abs(result.u), solver.scale)
    off = np.abs(system.residual(result.u)) > _FAR * size
    if off.any():
        raise nothing_at_rest(system) or keeps_changing(system, np.abs(laws.coefficients).max(axis=0))
    return result.u


def _refuse_others(equations: System, solver: InitialSolver, u: FloatArray) -> None:
    """An error where the steady state is one of a continuum, and nothing is conserved to choose by."""
    if len(u) > LARGEST or _is_regular(equations, u):
        return
    direction = null_vector(_dense(equations, u))
    size = np.maximum(np.abs(u), solver.scale)
    if direction is None:
        return
    step = _AWAY * direction / np.abs(direction / size).max()
    other = least_change(equations, u + step, size)
    if other.ended != "converged" or not _holds(equations, other.u):
        return
    if np.abs((other.u - u) / size).max() > 0.5 * _AWAY:
        raise undetermined(solver.system, np.abs(direction / size))


def _holds(equations: System, u: FloatArray) -> bool:
    """Whether equations hold beside their own terms: a node between two transistors that are off is at the voltage at
    which 1e-12 A balance, and nothing else is."""
    terms = np.abs(_dense(equations, u)) @ np.abs(u)
    return bool((np.abs(equations.residual(u)) <= _EXACT * terms).all())


def _dense(system: System, u: FloatArray) -> FloatArray:
    pattern = system.pattern
    values = system.jacobian(u)
    return scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape).toarray()


def moving_on(found: Consistent | None, point: Point) -> Consistent:
    """Initial values of a run from a steady state whose sources move from now on."""
    if found is not None:
        return found
    raise NumericError(
        "E305",
        f"no consistent values with the states of the steady state at t = {point.t:g}, where sources start to move",
        advice="start without initial='steady'",
    )
