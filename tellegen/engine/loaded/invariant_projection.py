"""The projection of one system's states onto the invariants of its model, as Python sees it.

A run begins with the ranks of the components: found where it starts and at two more points, for a start may be a
singular position (a crank at its dead centre), where rows repeat each other that do not elsewhere.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from tellegen.engine.loaded.invariant_components import Components, components, projection_record
from tellegen.engine.loaded.redundant_rows import limit_ranks
from tellegen.engine.request.scales import declared_scales
from tellegen.engine.runtime.algebra.projection_record import NEVER
from tellegen.engine.runtime.runtimes import projection_runtime
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.engine.loaded.ode_system import OdeSystem

_NO_PIVOT = 1e-8  # of rows of length one: nearer to a singular position a constraint is left to the equations
_REPEATED = 1e-10  # a row that has a part of length 1e-5 that others lack counts for the rank
_MOVE = 0.1  # of the sizes of states: how far the other points are where ranks are judged
_SHORTER = (1.0, 0.2, 0.04)
_CORRECTIONS = 12
_CLOSED = 1e-9  # of the sizes of states
_BESIDE = 1e-4  # of the states: how far the points are where the derivative along the solution is judged
_SEEN = 1e-9  # of the length of a row: a change of its residual over that way
_CANCELLED = 1e-5  # of its terms: what may be left of a derivative that is zero
_ADDRESSES = [ctypes.c_void_p] * 3
_CORRECT = ctypes.CFUNCTYPE(ctypes.c_double, *_ADDRESSES)
_FIND_RANKS = ctypes.CFUNCTYPE(None, *_ADDRESSES)
_PROJECT_ERROR = ctypes.CFUNCTYPE(None, *_ADDRESSES, ctypes.c_void_p)


@dataclass(frozen=True, eq=False)
class Defect:
    """How fast the residuals change along the solution, which should be zero; the terms of that; what is rounding."""

    rate: FloatArray
    terms: FloatArray
    noise: FloatArray

    def exceeds(self, terms: FloatArray) -> BoolArray:
        """Rows whose residuals change, with terms of such a size."""
        return (self.rate > self.noise) & (self.rate > _CANCELLED * terms)


class InvariantProjection:
    """Components, their native record, and how to work with it outside of a step."""

    def __init__(self, system: OdeSystem, of: Components) -> None:
        self.system = system
        self.components = of
        self.count = len(system.states)
        self.record = projection_record(of, self.count)
        code = projection_runtime().addresses
        self._correct = _CORRECT(code["correct"])
        self._find_ranks = _FIND_RANKS(code["find_ranks"])
        self._project_error = _PROJECT_ERROR(code["project_error"])
        self._unit = np.ones(self.count)
        reduced = system.model.reduced
        nominal = reduced.flat.variables.column("nominal")[reduced.written]
        self._declared = declared_scales(nominal).size[system.states]
        self.record.set(size=self._declared)
        self._x = np.zeros(self.count)
        self._began = 0.0
        self._full_rank = np.minimum(np.diff(of.row_start), np.diff(of.column_start)).astype(np.int32)
        self.forget_ranks()

    @property
    def rank(self) -> IntArray:
        """How many rows of each component are independent of each other."""
        return self.record.kept["rank"]

    @property
    def is_singular(self) -> bool:
        """Whether rows were left out where they were looked at last, for they repeat each other nearly."""
        return self.record.get_double("reach") == 0.0

    def forget_ranks(self) -> None:
        """Other parameters may make other rows repeat each other."""
        self.rank.fill(-1)

    def begin(self, t: float, x: FloatArray, atol: FloatArray, rtol: float) -> None:
        """Project the steps of a run that begins at these states with these tolerances."""
        if (self.rank < 0).any():
            self.judge_ranks(t, x)
        self._began = t
        self.record.refer(atol=atol)
        self.record.put(rtol=rtol, smallest=_NO_PIVOT, drift=0.0, largest=0.0)
        self.record.put(reach_before=0.0, reach_time=t, singular_at=NEVER)
        self.record.set(count=0, drifted=0, lost=0, most_lost=0, lost_row=0)
        self.record.kept["share"].fill(1.0)
        self._forget_lengths()
        code = projection_runtime().addresses
        self.system.record.set(projection=self.record.address, project=code["project"])

    def end(self) -> None:
        """No more projection."""
        self.system.record.set(projection=0)

    def measure_by(self, size: FloatArray, share: FloatArray) -> None:
        """Corrections relative to the sizes of states, of which only those with a share of one are moved."""
        self.record.refer(atol=size)
        self.record.put(rtol=0.0, smallest=_REPEATED)
        self.record.kept["share"][:] = share
        self._forget_lengths()

    def _forget_lengths(self) -> None:
        """Of rows, which are relative to the longest they have been."""
        self.record.kept["longest"].fill(0.0)
        self.record.kept["most_length"].fill(0.0)

    def correction(self, x: FloatArray) -> tuple[FloatArray, float]:
        """The next correction of states at which the system was evaluated, and its largest part in sizes."""
        self._x[:] = x
        self._rank_rows(self._x)
        size = self._correct(self.system.record.address, self.record.address, self._x.ctypes.data)
        return self._x - x, size

    def judge_ranks(self, t: float, x: FloatArray) -> None:
        """The rank of each component: the highest at the start and at two points near it."""
        if self._full_rank.max(initial=0) <= 1:  # single rows, as of quaternions
            self.rank[:] = self._full_rank
            return
        system = self.system
        kept = system.w.copy()
        x = x.copy()
        self.measure_by(system.scale[system.states], self._unit)
        ranks = []
        random = np.random.default_rng(11)
        for part in (0.0, _MOVE, _MOVE):
            way = part * system.scale[system.states] * random.uniform(-1.0, 1.0, self.count)
            moved = self._moved(t, x, way)
            if moved is not None:
                ranks.append(self.rank.copy())
        self.rank[:] = np.max(ranks, axis=0) if ranks else self._full_rank
        limit_ranks(system, self.components, self.rank, t, x)
        system.w[:] = kept

    def _rank_rows(self, x: FloatArray) -> None:
        """The rank of each component at states at which the system was evaluated."""
        self.rank.fill(0)
        self._find_ranks(self.system.record.address, self.record.address, x.ctypes.data)

    def _moved(self, t: float, x: FloatArray, way: FloatArray) -> FloatArray | None:
        """States that satisfy the invariants, some way along the directions that these leave free."""
        if not self.system.rhs(t, x):
            return None
        way = way.copy()
        self._rank_rows(x)
        self._project_error(self.system.record.address, self.record.address, x.ctypes.data, way.ctypes.data)
        for part in _SHORTER:
            point = x + part * way
            if self._closed(t, point):
                return point
        return None

    def _closed(self, t: float, x: FloatArray) -> bool:
        """Bring states onto the invariants, in place; whether that succeeds."""
        for _ in range(_CORRECTIONS):
            if not self.system.rhs(t, x):
                return False
            change, size = self.correction(x)
            x += change
            if not np.isfinite(size) or size > 1.0:
                return False
            if size < _CLOSED:
                return True
        return False

    def unkept(self, t: float, x: FloatArray) -> int:
        """A row whose residual the equations do not keep constant near these states, -1 if there is none.

        Along the solution the terms of its time derivative cancel each other. Where they do not, two points near these
        states decide: what is at rest has nothing but roundings and the compliance of joints, small against the terms
        of a motion, and in a singular position nothing cancels.
        """
        here = self._defect(t, x)
        if here is None or not here.exceeds(here.terms).any():
            return -1
        size = self._sizes(x)
        random = np.random.default_rng(5)
        ways = [_MOVE * size * random.uniform(-1.0, 1.0, self.count) for _ in range(2)]
        terms = np.max([here.terms, *(self._terms() for way in ways if self.system.rhs(t, x + way))], axis=0)
        beside = [self._defect(t, point) for point in self._satisfying(t, x, ways)]
        wrong = [one.exceeds(terms) for one in (here, *beside) if one is not None]
        often = np.mean(wrong, axis=0) > 0.5
        return int(np.argmax(often)) if often.any() else -1

    def _satisfying(self, t: float, x: FloatArray, ways: list[FloatArray]) -> list[FloatArray]:
        """The points at the ends of some ways, brought onto the invariants, as far as they can be."""
        ranks = self.rank.copy()
        self.measure_by(self._sizes(x), self._unit)
        moved = [self._moved(t, x, way) for way in ways]
        self.rank[:] = ranks
        return [point for point in moved if point is not None]

    def _terms(self) -> FloatArray:
        """What the derivatives of the residuals add up from where the system was evaluated, in magnitude."""
        of = self.components
        system = self.system
        terms = np.zeros(len(of.residual))
        by_state = of.derivatives(system.y, system.p) * system.rates[of.state_of_entry]
        np.add.at(terms, of.row_of_entry, np.abs(by_state))
        return terms

    def _sizes(self, x: FloatArray) -> FloatArray:
        return np.maximum(np.abs(x), self._declared)

    def _defect(self, t: float, x: FloatArray) -> Defect | None:
        """What the equations leave of the derivatives of the residuals, by a difference quotient along the solution."""
        system = self.system
        of = self.components
        if not system.rhs(t, x):
            return None
        terms = self._terms()
        size = self._sizes(x)
        rates = system.rates[: self.count].copy()
        step = min(_BESIDE / max(float(np.max(np.abs(rates) / size)), 1e-300), abs(t - self._began))
        noise = _SEEN * of.row_lengths(system.y, system.p, size)
        if step == 0.0 or not system.rhs(t + step, x + step * rates):
            return None
        change = system.y[of.residual].copy()
        if not system.rhs(t - step, x - step * rates):
            return None
        return Defect(0.5 / step * np.abs(change - system.y[of.residual]), terms, noise / step)


def projection_of(system: OdeSystem) -> InvariantProjection | None:
    """The projection of a system's states; None for models without invariants."""
    found = components(system.model.reduced, system.states)
    return None if found is None else InvariantProjection(system, found)
