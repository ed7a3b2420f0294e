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
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.continuation import from_residual, from_simplified
from tellegen.engine.newton import Newton, least_change, solve
from tellegen.engine.values import Starts, values_text
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.ir.show_sorted import equation_text, initial_equation_text, unknown_text
from tellegen.ir.sorted import BoolArray

_NUDGES = (1e-6, 1e-3, 1e-1, 1.0)
_SMALL = 500  # unknowns up to which a dense least-squares step is affordable
_SHOWN = 5


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
    """Consistent y and y' at the initial time."""
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
        raise _failure(system, first)
    if result.elimination is not None:
        model.pivots[key] = result.elimination
    system.place(result.u)
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
        conditions = program.initial_size + int(starts.fixed.sum())
        raise NumericError(
            "E303",
            f"the initial conditions contradict each other: {conditions} conditions for {int(is_state.sum())} states "
            f"({equations} equations, {unknowns} unknowns at the start)",
            advice="remove initial equations or fixed start values, or set fixed=False on some of them",
        ) from None
    free = np.zeros(2 * size, bool)
    free[matched] = True
    return free[:size], free[size:]


def _failure(system: InitialSystem, result: Newton) -> NumericError:
    """The error with the equations that are worst off and the unknowns they contain."""
    model = system.model.sorted
    residual = system.residual(result.u)
    bad = ~np.isfinite(residual)
    pattern = system.pattern
    matrix = csc_array((system.jacobian(result.u), pattern.indices, pattern.indptr), shape=pattern.shape)
    sizes = abs(matrix) @ np.maximum(np.abs(result.u), 1.0) if np.isfinite(matrix.data).all() else np.ones(len(bad))
    relative = np.where(bad, np.inf, np.abs(residual) / np.where(sizes > 0, sizes, 1.0))
    worst = [int(k) for k in np.argsort(-relative)[:_SHOWN] if relative[k] > 0]
    rows = csr_array(matrix)
    details = ["equations furthest from being satisfied:"]
    columns: list[int] = []
    for k in worst:
        text = (
            equation_text(model, k)
            if k < len(model.unknowns)
            else initial_equation_text(model, k - model.equation_count)
        )
        details.append(f"  {text}   (off by {residual[k]:.3g})")
        columns += [int(c) for c in rows.indices[rows.indptr[k] : rows.indptr[k + 1]]]
    details.append("unknowns in them, with their last values:")
    details += [f"  {_unknown(system, c, float(result.u[c]))}" for c in dict.fromkeys(columns[: 2 * _SHOWN])]
    reason = {
        "singular": "the equations do not determine all unknowns there (singular Jacobian)",
        "not finite": "equations cannot be evaluated at the start values (division by zero, logarithm or root of a "
        "negative number)",
        "no progress": "Newton's method makes no progress",
    }[result.ended]
    return NumericError(
        "E301",
        f"no consistent initial values found at t = {system.point.t:g}: {reason}",
        details=details,
        advice="give start values near the solution to the unknowns above (start=..., or initial={'path': value})",
    )


def _unknown(system: InitialSystem, column: int, value: float) -> str:
    model = system.model.sorted
    if column < len(system.values):
        return values_text(model.flat, int(model.unknowns[system.values[column]]), value)
    return f"{unknown_text(model, int(system.rates[column - len(system.values)]), rate=True)} = {value:.6g}"
