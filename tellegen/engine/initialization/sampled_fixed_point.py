"""Sampled parts in steady state: discrete values that a tick of their clocks leaves as they are.

    integral := pre(integral) + T*ki*(reference - x),  der(x) == -x + u       nothing changes where x == reference

Let y(z) be the steady state of everything continuous for discrete values z, and g(y, z) what a tick makes of them. The
fixed point g(y(z), z) = z is found by Newton's method, with a tick of the simulator itself as the function and
difference quotients for its derivatives. Where g - z cannot change (an integral with the gain zero), z keeps its start
value.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tellegen.engine.events.event_handler import EventHandler, Solve
from tellegen.engine.initialization.initialization_failure import never_settles
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.ir.events import ASSIGN, Events
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import PARAMETER
from tellegen.start.records import dataclass

_STEP = 1e-6  # of the size of a value, for difference quotients
_EXACT = 1e-12  # of the size of a value
_SAME = 1e-9  # the same where rounding allows no more
_ZERO = 1e-7  # of the largest singular value: difference quotients are as exact as that
_ITERATIONS = 30
_SHORTEST = 1e-3

Rest = Callable[[FloatArray], Consistent]
"""The steady state of the continuous part for discrete values in p; flags in p follow."""
Follow = Callable[[FloatArray, FloatArray, FloatArray], Consistent | None]
"""Everything that follows from the states in y, for discrete values in p; arguments are p, y and y'."""


def sampled_variables(model: NativeModel) -> IntArray:
    """Real variables that when-statements with a clock assign: their positions among the parameters."""
    events = model.reduced.events
    if events is None or not len(events.samples.flag):
        return np.zeros(0, np.int64)
    variables = model.reduced.flat.variables
    actions = events.actions
    condition = events.first_condition[actions.when] + actions.branch
    chosen = (actions.verb == ASSIGN) & np.isin(condition, _of_clocks(events))
    targets = np.unique(actions.target[chosen])
    real = [int(v) for v in targets if variables.declaration(int(v)).type == "real"]
    return model.reduced.known_position[real].astype(np.int64)


def _of_clocks(events: Events) -> IntArray:
    """The conditions that read a sample."""
    found = [np.zeros(0, np.int64)]
    for group, numbers in zip(events.conditions.groups, events.conditions.indices, strict=True):
        for slot, kind in enumerate(group.kinds):
            if kind == PARAMETER:
                found.append(numbers[np.isin(group.bindings[:, slot], events.samples.flag)])
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class _Looked:
    """Discrete values, the steady state for them, and by how much a tick changes them."""

    p: FloatArray
    y: FloatArray
    change: FloatArray


class Ticks:
    """The ticks of all clocks at one instant."""

    def __init__(self, model: NativeModel, t: float, rest: Rest, follow: Follow) -> None:
        self.model = model
        self.t = t
        self.rest = rest
        self.follow = follow
        self.positions = sampled_variables(model)

    def settled(self, p: FloatArray) -> FloatArray:
        """The discrete values at the fixed point, from those in p."""
        first = p[self.positions].copy()
        p = p.copy()
        p = self._after(p, self.rest(p).y)
        here = self._look(p, p[self.positions])
        slopes = np.zeros((0, 0))
        influence = np.zeros((0, 0))
        for _ in range(_ITERATIONS):
            if (np.abs(here.change) <= _EXACT * self._size(here.p)).all():
                return here.p
            slopes, influence = self._derivatives(here)
            step = self._step(here, slopes, first)
            shorter = self._shortened(here, step, slopes)
            if shorter is None:
                break
            here = shorter
        return self._free_running(here, slopes, influence)

    def _look(self, p: FloatArray, z: FloatArray) -> _Looked:
        p = p.copy()
        p[self.positions] = z
        y = self.rest(p).y
        return _Looked(p, y, self._after(p, y)[self.positions] - z)

    def _after(self, p: FloatArray, y: FloatArray) -> FloatArray:
        """The discrete values after a tick of all clocks, states held."""
        p = p.copy()
        y = y.copy()
        machine = EventHandler(self.model, p)
        machine.bind(y, np.zeros(len(y)), self._held(p))
        machine.begin(self.t)
        machine.start(self.t)
        machine.record.kept["tick_time"][:] = self.t
        machine.happen(self.t)
        done = machine.happening()
        if done.failed is not None:
            raise never_settles(self.model, self.positions, done.failed)
        return p

    def _held(self, p: FloatArray) -> Solve:
        return lambda _, y, yp: self.follow(p, y, yp)

    # -- Newton's method --------------------------------------------------------------------------------------------
    def _size(self, p: FloatArray) -> FloatArray:
        return np.maximum(np.abs(p[self.positions]), 1.0)

    def _derivatives(self, here: _Looked) -> tuple[FloatArray, FloatArray]:
        """Of the changes by the discrete values, and of the steady state by them."""
        z = here.p[self.positions]
        steps = _STEP * self._size(here.p)
        moved = [self._look(here.p, z + step) for step in np.diag(steps)]
        slopes = np.array([(other.change - here.change) / step for other, step in zip(moved, steps, strict=True)]).T
        influence = np.array([(other.y - here.y) / step for other, step in zip(moved, steps, strict=True)]).T
        return slopes, influence

    def _step(self, here: _Looked, slopes: FloatArray, first: FloatArray) -> FloatArray:
        """Newton's step; combinations that no tick changes go back to their start values."""
        size = self._size(here.p)
        left, values, _ = np.linalg.svd(slopes * size / size[:, None])
        null = left[:, values <= _ZERO * max(values[0], 1.0)].T / size
        kept = np.array([w for w in null if self._is_kept(here, w)]).reshape(-1, len(size))
        matrix = np.vstack([slopes / size[:, None], kept]) * size
        wanted = np.concatenate([-here.change / size, kept @ (first - here.p[self.positions])])
        return size * np.linalg.lstsq(matrix, wanted, rcond=_ZERO)[0]

    def _is_kept(self, here: _Looked, w: FloatArray) -> bool:
        """Whether a tick leaves a combination as it is, wherever the states are."""
        is_state = self.model.reduced.is_state
        random = np.random.default_rng(7).uniform(0.5, 1.0, len(here.y))
        moved = here.y + np.where(is_state, _STEP * np.maximum(np.abs(here.y), 1.0) * random, 0.0)
        found = self.follow(here.p.copy(), moved, np.zeros(len(moved)))
        if found is None:
            return False
        change = self._after(here.p, found[0])[self.positions] - here.p[self.positions]
        return abs(float(w @ change)) <= _SAME * float(np.abs(w) @ self._size(here.p))

    def _shortened(self, here: _Looked, step: FloatArray, slopes: FloatArray) -> _Looked | None:
        """The next point, nearer to the fixed point by the size of the next correction; None where there is none."""
        size = self._size(here.p)
        inverse = np.linalg.pinv(slopes * size / size[:, None], rcond=_ZERO)
        before = np.abs(inverse @ (here.change / size)).max()
        part = 1.0
        while part >= _SHORTEST:
            other = self._look(here.p, here.p[self.positions] + part * step)
            if np.abs(inverse @ (other.change / size)).max() <= max((1.0 - part / 4.0) * before, _SAME):
                return other
            part /= 2.0
        return None

    def _free_running(self, here: _Looked, slopes: FloatArray, influence: FloatArray) -> FloatArray:
        """What never settles (a counter, a random number) may go on where nothing else depends on it."""
        loose = np.abs(here.change) > _SAME * self._size(here.p)
        size = self._size(here.p)
        on_others = np.abs(slopes * size / size[:, None])[~loose][:, loose].max(initial=0.0)
        on_unknowns = np.abs(influence[:, loose] * size[loose]).max(initial=0.0)
        if max(on_others, on_unknowns) > _STEP:
            raise never_settles(self.model, self.positions[loose], "they change at every tick")
        return here.p
