"""Consistent initial values: what start values, fixed flags and initial equations leave open is solved for.

    states at their starts, no initial equations:   solve F(t0, x, x', z) = 0 for x' and z
    initial equations or fixed algebraic variables: as many states are released as such conditions exist
    steady state:                                   solve F(t0, x, 0, z) = 0 for x and z

Which states are released is decided by a minimum-cost matching: every equation gets an unknown, and taking the value
of a state that the user did not release costs most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.continuation import from_residual, from_simplified
from tellegen.engine.event_texts import happening_texts, switching_values
from tellegen.engine.events import EventMachine
from tellegen.engine.initial_report import check_promises, failure, too_many_conditions
from tellegen.engine.newton import Newton, least_change, solve
from tellegen.engine.values import Starts
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.ir.sorted import BoolArray

_NUDGES = (1e-6, 1e-3, 1e-1, 1.0)
_SMALL = 500  # unknowns up to which a dense least-squares step is affordable


@dataclass(frozen=True, eq=False)
class Point:
    """Time and the numbers held fixed."""

    t: float
    p: FloatArray


class InitialSystem:
    """The equations at the initial time as a square system in the unknowns that are free.

    As many unknowns as equations without the initial ones: a steady state was asked for in their place.
    """

    def __init__(self, model: CompiledModel, point: Point, y: FloatArray, free: tuple[BoolArray, BoolArray]) -> None:
        self.model, self.point = model, point
        self.y, self.yp = y.copy(), np.zeros(len(y))
        self.values, self.rates = (np.flatnonzero(part) for part in free)
        self.extra = model.program.initial_size if len(self.values) + len(self.rates) > len(y) else 0

    def at(self, point: Point) -> InitialSystem:
        """The same unknowns with other numbers held fixed."""
        other = copy(self)
        other.point, other.y, other.yp = point, self.y.copy(), self.yp.copy()
        return other

    def place(self, u: FloatArray) -> None:
        """Put the free unknowns into y and y'."""
        self.y[self.values] = u[: len(self.values)]
        self.yp[self.rates] = u[len(self.values) :]

    def residual(self, u: FloatArray) -> FloatArray:
        """Equations, then initial equations."""
        self.place(u)
        own = self.model.residual(self.point.t, self.y, self.yp, self.point.p)
        if not self.extra:
            return own
        extra = np.zeros(self.extra)
        self.model.entries["initial_residual"](self.point.t, self.y, self.yp, self.point.p, extra)
        return np.concatenate([own, extra])

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Derivatives with respect to the free unknowns, on `pattern`."""
        self.place(u)
        program = self.model.program
        blocks = [("jacobian", program.pattern)]
        if self.extra:
            blocks.append(("initial_jacobian", program.initial_pattern))
        parts = []
        for weights in ((1.0, 0.0), (0.0, 1.0)):
            for name, pattern in blocks:
                parts.append(np.zeros(pattern.count))
                self.model.entries[name](self.point.t, *weights, self.y, self.yp, self.point.p, parts[-1])
        return np.concatenate(parts)[self._chosen]

    @cached_property
    def _all_entries(self) -> tuple[Any, Any, Any]:
        """Row, column and presence of all derivatives, by values (columns from 0), then by rates (columns from n)."""
        program = self.model.program
        patterns = [program.pattern, *([program.initial_pattern] if self.extra else [])]
        rows = np.concatenate([first + p.indices for first, p in zip((0, program.size), patterns, strict=False)])
        columns = np.concatenate([p.column_of_entry for p in patterns])
        present = [getattr(p, name) for name in ("by_value", "by_rate") for p in patterns]
        return np.tile(rows, 2), np.concatenate([columns, len(self.y) + columns]), np.concatenate(present)

    @cached_property
    def _chosen(self) -> Any:
        """The derivatives by free unknowns, in the order of the pattern."""
        rows, columns, present = self._all_entries
        place = self._place
        chosen = np.flatnonzero((place[columns] >= 0) & present)
        return chosen[np.lexsort((rows[chosen], place[columns[chosen]]))]

    @cached_property
    def _place(self) -> Any:
        """The number of the free unknown in each column, -1 where it is held."""
        place = np.full(2 * len(self.y), -1)
        place[np.concatenate([self.values, len(self.y) + self.rates])] = np.arange(len(self.values) + len(self.rates))
        return place

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self._pattern

    @cached_property
    def _pattern(self) -> Pattern:
        rows, columns, _ = self._all_entries
        free = len(self.values) + len(self.rates)
        counts = np.bincount(self._place[columns[self._chosen]], minlength=free)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return Pattern((len(self.y) + self.extra, free), indptr, rows[self._chosen].astype(np.int32))


def initialize(
    model: CompiledModel, point: Point, starts: Starts, steady: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Consistent y and y' at the initial time; the discrete part in `point.p` is brought to rest as well."""
    if model.sorted.events is None:
        return _solved(model, point, starts, steady)
    machine = EventMachine(model, point.p)
    machine.guess(point.t, starts.value)
    y, yp = _solved(model, point, starts, steady)
    done = machine.settle(point.t, y, yp, lambda *_: _solved(model, point, starts, steady), first=True)
    if done.failed is not None:
        raise NumericError(
            "E305",
            f"the initial values do not come to rest at t = {point.t:g}: {done.failed}",
            details=[*happening_texts(model, done), *switching_values(model, done, y)],
            advice="give start values on one side of the conditions that switch",
        )
    return y, yp


def _solved(model: CompiledModel, point: Point, starts: Starts, steady: bool) -> tuple[FloatArray, FloatArray]:
    """Consistent y and y' for the present discrete values."""
    free = _free(model, starts, steady)
    system = InitialSystem(model, point, starts.value, free)
    key = ("initial", *(part.tobytes() for part in free))
    guess = np.concatenate([starts.value[system.values], np.zeros(len(system.rates))])
    scale = np.concatenate([starts.nominal[system.values], np.ones(len(system.rates))])
    first = solve(system, guess, scale, model.pivots.get(key))
    result = first
    for attempt in _attempts(system, guess, scale) if first.ended != "converged" else ():
        result = attempt()
        if result.ended == "converged":
            break
    if result.ended != "converged":
        system.place(first.u)
        raise failure(system, first, steady)
    if result.elimination is not None:
        model.pivots[key] = result.elimination
    system.place(result.u)
    check_promises(model, starts, system.y)
    return system.y, system.yp


def _attempts(system: InitialSystem, guess: FloatArray, scale: FloatArray) -> Iterator[Callable[[], Newton]]:
    """What to try when Newton's method fails from the guess, the surest first."""
    point = system.point
    if system.model.sorted.has_homotopy:

        def blended(h: float) -> InitialSystem:
            p = point.p.copy()
            p[system.model.sorted.homotopy_place] = h
            return system.at(Point(point.t, p))

        yield lambda: from_simplified(blended, guess, scale)
    random = np.random.default_rng(3).uniform(0.5, 1.0, len(guess))
    # A guess of zero is often the one point where a derivative vanishes or a logarithm fails.
    nudged = [guess + nudge * scale * random for nudge in _NUDGES]
    yield from (lambda u=u: solve(system, u, scale) for u in nudged)
    yield from (lambda u=u: from_residual(system, u, scale) for u in (guess, nudged[0], nudged[-1]))
    if len(guess) <= _SMALL:
        yield lambda: least_change(system, guess, scale)


def continued(model: CompiledModel, point: Point, y: FloatArray, yp: FloatArray) -> tuple[Any, Any] | None:
    """Consistent y and y' on the other side of a jump: states go on, everything else is solved for again."""
    is_state = model.sorted.is_state
    system = InitialSystem(model, point, y, (~is_state, is_state))
    guess = np.concatenate([y[system.values], yp[system.rates]])
    result = solve(system, guess, np.ones(len(guess)))
    system.place(result.u)
    return (system.y, system.yp) if result.ended == "converged" else None


def _free(model: CompiledModel, starts: Starts, steady: bool) -> tuple[BoolArray, BoolArray]:
    """Which values and which derivatives are solved for."""
    is_state = model.sorted.is_state
    if steady:
        return np.ones(len(is_state), bool), np.zeros(len(is_state), bool)
    held_algebraic = starts.fixed & ~is_state
    if not model.program.initial_size and not held_algebraic.any() and not _more_wanted(model, starts):
        return ~is_state, is_state.copy()
    return _released(model, starts)


def _more_wanted(model: CompiledModel, starts: Starts) -> bool:
    """Whether values were asked for that no state stands for, while some state could do without its own."""
    is_state, tied = model.sorted.is_state, model.sorted.is_tied
    spare = is_state & tied & ~starts.wanted & ~starts.fixed
    return bool((starts.wanted & ~is_state).any() and spare.any())


def _released(model: CompiledModel, starts: Starts) -> tuple[BoolArray, BoolArray]:
    """Free unknowns by minimum-cost matching of all equations; see the top of this file."""
    is_state, program = model.sorted.is_state, model.program
    size = len(is_state)
    everything = (~starts.fixed, is_state)
    probe = InitialSystem(model, Point(0.0, np.zeros(0)), starts.value, everything)
    rows = np.concatenate([program.pattern.indices, program.size + program.initial_pattern.indices])
    columns = np.concatenate([program.pattern.column_of_entry, program.initial_pattern.column_of_entry])
    equations = program.size + program.initial_size
    pairs = [(rows[~starts.fixed[columns]], columns[~starts.fixed[columns]])]
    pairs.append((rows[is_state[columns]], size + columns[is_state[columns]]))
    weights = np.concatenate([starts.cost, np.ones(size)])
    r, c = (np.concatenate([pair[k] for pair in pairs]) for k in (0, 1))
    graph = csr_array((weights[c], (r, c)), shape=(equations, 2 * size))
    unknowns = len(probe.values) + len(probe.rates)
    try:
        _, matched = min_weight_full_bipartite_matching(graph)
    except ValueError:
        raise too_many_conditions(model, starts, graph, unknowns) from None
    free = np.zeros(2 * size, bool)
    free[matched] = True
    return free[:size], free[size:]
