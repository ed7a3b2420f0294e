"""One attempt to assemble a mechanism: from given states to those that satisfy the invariants (see assemble.py).

Damped Gauss-Newton steps close the loops, each component by itself (engine/loaded/invariant_components.py), and
nearest.py ends in the nearest position. Where steps end with a gap, others around the guesses are tried. Positions come
first: velocities that follow from them would otherwise be moved for closures that are still open; tangents come last
(followed.py).
"""

from __future__ import annotations

import math

import numpy as np

from tellegen.engine.initialization.assembly.closures import no_closure
from tellegen.engine.initialization.assembly.followed import Followed
from tellegen.engine.initialization.assembly.nearest import Nearest
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialization_failure import OpenInvariant, not_assembled
from tellegen.engine.initialization.velocities import velocities
from tellegen.engine.loaded.invariant_components import Components
from tellegen.engine.loaded.invariant_projection import InvariantProjection
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

_STEPS = 60
_HALVINGS = 8
_AT_REST = 1e-11  # a correction that is not worth making, in sizes of states
_ENOUGH = 1e-14
_LONGEST = 1.0
_RESTARTS = 24  # from other guesses
_AWAY = 0.5  # how far the first of these are away, in sizes of states
_LESS = 0.1  # part of the decrease that a full step promises
_ROUNDING = 1e-13
OPEN = 1e-6  # what counts as open, in sizes of states
_TANGENTS = 2  # the first level of them, after positions and velocities


def refuse_open_loops(model: NativeModel, point: Point, starts: Starts) -> None:
    """E301 where some loop cannot be closed, whatever moves, and E312 where a tangent cannot follow."""
    if model.reduced.invariants is None or model.ode.reason:
        return
    system = model.ode.lease(model, point.p, starts.scales.size)
    assert system.projection is not None
    system.y[:] = starts.value
    guess = starts.value[system.states]
    Assembly(system, system.projection, point.t, np.ones(len(guess), bool), guess).run(guess)
    system.projection.forget_ranks()
    model.ode.give_back(system)


@dataclass(frozen=True, eq=False)
class Assembly:
    """One attempt from given states, of which some are free; these are brought as near to the origin as possible."""

    system: OdeSystem
    projection: InvariantProjection
    t: float
    free: BoolArray
    origin: FloatArray

    def run(self, guess: FloatArray) -> FloatArray:
        """States that satisfy the invariants; the guess itself where it does."""
        of = self.projection.components
        x = guess.copy()
        level = levels(self.system.model, self.system.states, of)
        for number in np.unique(level):
            chosen = level == number
            part = np.zeros(len(x), bool)
            part[of.state[np.repeat(chosen, np.diff(of.column_start))]] = True
            if (part & self.free).any():
                x = self._closed(x, self.free & part, math.inf if number else _LONGEST)
                if not number:
                    x = self._closed_from_elsewhere(guess, x, chosen)
            self._check(guess, x, chosen)
            if (part & self.free).any():
                x = self._nearest(x, self.free & part, np.flatnonzero(chosen), int(number))
        return x

    def _nearest(self, x: FloatArray, share: BoolArray, chosen: IntArray, level: int) -> FloatArray:
        """The nearest states to the origin of closed components at a level."""
        system = self.system
        if level >= _TANGENTS:
            level_of = levels(system.model, system.states, self.projection.components)
            plain = np.flatnonzero(level_of == level - _TANGENTS)
            return Followed(system, self.t, self.free, self._sizes()).run(self.origin, x, plain)
        longest = math.inf if level else _LONGEST
        search = Nearest(
            system,
            self.t,
            self._sizes(),
            self.free,
            close=lambda x: self._closed(x, share, longest),
            gaps=lambda: self._gaps(self._row_lengths()),
        )
        return search.run(self.origin, x, chosen)

    def _closed(self, x: FloatArray, share: BoolArray, longest: float) -> FloatArray:
        """The states as far as they could be brought onto the invariants by moving those with a share.

        `longest` is the longest step relative to the states or their sizes: an angle must not go round.
        """
        projection = self.projection
        projection.measure_by(self._sizes(), share.astype(float))
        if not self.system.rhs(self.t, x):
            return x
        for number in range(_STEPS):
            change, size = projection.correction(x)
            if size <= (_ENOUGH if number else _AT_REST) or not np.isfinite(size):
                break
            following = self._damped(x, change, longest)
            if following is None:
                break
            x = following
        return x

    def _closed_from_elsewhere(self, guess: FloatArray, x: FloatArray, chosen: BoolArray) -> FloatArray:
        """The states, where components stay open from other guesses around: a gap may be smallest and not be closed."""
        share = self._open(x, chosen)
        if not share.any():
            return x
        random = np.random.default_rng(7)
        other = x
        for attempt in range(_RESTARTS):
            away = _AWAY * (1 + attempt // 4) * self._sizes() * random.uniform(-1.0, 1.0, len(x))
            other = self._closed(np.where(share, guess + away, other), share, _LONGEST)
            share = self._open(other, chosen)
            if not share.any():
                return other
        return x

    def _open(self, x: FloatArray, chosen: BoolArray) -> BoolArray:
        """The free states of components that are not closed."""
        out = np.zeros(len(x), bool)
        if self.system.rhs(self.t, x):
            of = self.projection.components
            is_open = chosen & (self._gaps(self._row_lengths()) > OPEN)
            out[of.state[np.repeat(is_open, np.diff(of.column_start))]] = True
        return out & self.free

    def _sizes(self) -> FloatArray:
        """Of the states. A tangent has that of its state: it has to follow from the same measure of small motions."""
        system = self.system
        size = system.scale.copy()
        tangents = system.model.reduced.flat.tangents
        if tangents is not None:
            position = system.model.reduced.position
            variable, direction = np.nonzero(tangents.variable >= 0)
            tangent = position[tangents.variable[variable, direction]]
            state = position[variable]
            known = (tangent >= 0) & (state >= 0)
            size[tangent[known]] = size[state[known]]
        return size[system.states]

    def _damped(self, x: FloatArray, change: FloatArray, longest: float) -> FloatArray | None:
        """The next states, with a step for each component that lets its residuals decrease; None where none does."""
        of = self.projection.components
        size = self.system.scale[self.system.states]
        length = self._row_lengths()
        before = self._gaps(length)
        relative = _largest_by((np.abs(change) / np.maximum(np.abs(x), size))[of.state], of.column_start)
        part = np.minimum(1.0, longest / np.maximum(relative, 1e-300))
        best = None
        for _ in range(_HALVINGS):
            way = np.ones(len(x))
            way[of.state] = np.repeat(part, np.diff(of.column_start))
            following = x + way * change
            worse = np.ones(of.count, bool)
            if self.system.rhs(self.t, following):
                worse = ~(self._gaps(length) <= (1.0 - _LESS * part) * before + _ROUNDING)
                best = following
            if not worse.any():
                break
            part = np.where(worse, 0.5 * part, part)
        return best

    def _row_lengths(self) -> FloatArray:
        """How much a residual changes with states that move by their sizes."""
        system = self.system
        return self.projection.components.row_lengths(system.y, system.p, system.scale[system.states])

    def _gaps(self, length: FloatArray) -> FloatArray:
        """The largest residual of each component."""
        of = self.projection.components
        return _largest_by(np.abs(self.system.y[of.residual]) / length, of.row_start)

    def _check(self, guess: FloatArray, x: FloatArray, chosen: BoolArray) -> None:
        """E301 or E303 where a residual of the chosen components stays."""
        of = self.projection.components
        system = self.system
        if not system.rhs(self.t, x):
            return  # the initial values fail in their own words
        gap = np.where(chosen, self._gaps(self._row_lengths()), 0.0)
        if not (gap > OPEN).any():
            return
        worst = int(np.argmax(gap))
        self._refuse_tangents(worst)
        row = int(of.row_start[worst] + np.argmax(np.abs(system.y[of.residuals_of(worst)])))
        mine = np.unique(of.state_of_entry[of.row_of_entry == row])
        value = float(system.y[of.residual[row]])
        would_close = False
        if not self.free[of.states_of(worst)].all():
            other = self._closed(guess.copy(), np.ones(len(x), bool), _LONGEST)
            would_close = system.rhs(self.t, other) and bool(self._gaps(self._row_lengths())[worst] <= OPEN)
        raise not_assembled(
            system.model,
            OpenInvariant(
                residual=int(of.residual[row]),
                value=value,
                free=system.states[mine[self.free[mine]]],
                held=system.states[mine[~self.free[mine]]],
                would_close=would_close,
            ),
            _placed(system, guess),
            _placed(system, x),
        )

    def _refuse_tangents(self, component: int) -> None:
        """E312 where a component says how a loop follows what is varied."""
        reduced = self.system.model.reduced
        tangents = reduced.flat.tangents
        if tangents is None:
            return
        unknowns = reduced.unknowns[self.system.states[self.projection.components.states_of(component)]]
        variable, direction = np.nonzero(np.isin(tangents.variable, unknowns))
        if len(variable):
            states = reduced.position[reduced.representative[variable]].astype(np.int64)
            raise no_closure(self.system.model, states, tangents.names[direction[0]])


def _placed(system: OdeSystem, x: FloatArray) -> FloatArray:
    """States at their places in the solver's vector."""
    out = np.zeros(len(system.y))
    out[system.states] = x
    return out


def _largest_by(values: FloatArray, start: IntArray) -> FloatArray:
    """The largest value of each range; zero for empty ones."""
    out = np.zeros(len(start) - 1)
    np.maximum.at(out, np.repeat(np.arange(len(out)), np.diff(start)), values)
    return out


def levels(model: NativeModel, states: IntArray, of: Components) -> IntArray:
    """The order in which components are closed: positions, velocities, and then the same of tangents."""
    late = model.derived(velocities)[states] + _TANGENTS * model.derived(_tangents)[states]
    out = np.full(of.count, 3)
    np.minimum.at(out, np.repeat(np.arange(of.count), np.diff(of.column_start)), late[of.state])
    return out


def _tangents(model: NativeModel) -> IntArray:
    """One for each unknown that is a tangent."""
    reduced = model.reduced
    found = np.zeros(len(reduced.unknowns), np.int64)
    if reduced.flat.tangents is not None:
        found[np.isin(reduced.unknowns, reduced.flat.tangents.variable)] = 1
    return found
