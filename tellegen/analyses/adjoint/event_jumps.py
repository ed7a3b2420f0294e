"""What events do to weights: the transpose of what they do to tangents (engine/runs/sensitivity_jumps.py).

Forward, tangents are carried to the instant as it moves, go through what the event assigns, and are carried back:

    x_j+ = E(x_j- + x'- dt_j, ...) - x'+ dt_j,     dt_j = -g_j / (dg/dt)      g passes zero at the event

Backward the same is read from the end: weights on x+ become weights on what the actions read, on values before the
event, and on the instant; the last go to whatever moves the root function g. Actions of one instant are equations of
the same instant: together with the model's own they are solved by following them until nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.local_weights import LocalPoint, Weights
from tellegen.analyses.adjoint.weighted_partials import ByParameters
from tellegen.analyses.sensitivities.value_slopes import Instants, Slopes, slopes
from tellegen.engine.events.event_tables import event_tables
from tellegen.engine.events.impulse_structure import impulse_structure
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.discrete_history import Happened
from tellegen.errors import NotReversibleError, warn_user
from tellegen.ir.events import ASSIGN, REINIT
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here

_ROUNDS = 100
_SAME = 1e-12  # of the weights: nothing changes any more
_FAR = 1e-6  # of a value that was assigned: it was computed in another way
_NEAR = 1e-9
_AT_ONCE = 1e-4


@dataclass(frozen=True, eq=False)
class Side:
    """One side of an event: the run there, and the equations around it."""

    point: LocalPoint
    parameters: ByParameters

    @property
    def at(self) -> Instants:
        """Time, unknowns and numbers."""
        return self.point.at

    def pulled(self, weights: Weights) -> tuple[FloatArray, FloatArray]:
        """Weights on states alone, and by time; what parameters get is added to theirs."""
        q = self.point.multipliers(weights)
        self.parameters.weighed(self.at, q[None], weights.p)
        return self.point.on_states(weights, q), weights.t + self.parameters.against_time(self.at, q)


@dataclass(frozen=True, eq=False)
class _Action:
    """A value that an event assigned: to a place of y (reinit) or of p."""

    array: str
    position: int
    sign: float
    slopes: Slopes


class Jumps:
    """The events of a model."""

    def __init__(self, model: NativeModel) -> None:
        self.model = model
        self.tables = event_tables(model)
        self.events = self.tables.events
        self.shared = self.tables.shared

    def back(self, before: Side, after: Side, what: Happened, weights: Weights, moves: bool) -> Weights:
        """Weights before an event (on states, parameters) for those after it; `weights.t` are those on its instant."""
        if self._has_impulses(before, after, what):
            raise not_backwards(f"at t = {what.time:.6g} states jump together by impulses")
        here_ = after.point
        functions = len(weights.t)
        weights = weights.copy()
        weights.t -= np.einsum("n,nm->m", here_.rates, weights.y)
        self._past_moves_on(weights.p)
        during = self._during(before.at, after.at)
        side = Side(after.point.at_numbers(during), after.parameters)
        inside = self._through_actions(side, self._actions(what.fired, during), weights)
        out = Weights(len(weights.y), len(weights.p), functions)
        out.y[:] = inside.y
        out.p[:] = inside.p
        out.t[:] = inside.t
        for position, source in self.pairs("unknown_pre"):
            out.y[source] += out.p[position]
            out.p[position] = 0.0
        on_states, by_time = before.pulled(out)
        out.y[:] = on_states
        gamma = by_time + np.einsum("n,nm->m", before.point.rates, on_states)
        out.t[:] = 0.0
        if moves and np.any(gamma):
            self._move(before, what, gamma, out)
        return out

    def _has_impulses(self, before: Side, after: Side, what: Happened) -> bool:
        """Whether constraints may have let states jump together (engine/events/impulses.py)."""
        structure = impulse_structure(self.model)
        if structure is None:
            return False
        changed = before.at.p[structure.places] != after.at.p[structure.places]
        shared = self.shared
        starts = shared["action_start"]
        actions = np.concatenate([np.arange(0), *(np.arange(starts[k], starts[k + 1]) for k in what.fired)])
        reinits = shared["action_index"][actions[shared["action_verb"][actions] == REINIT]]
        return bool(changed.any() or self.model.reduced.is_tied[reinits].any())

    def at_start(self, side: Any, weights: Weights) -> Weights:
        """The same at the initial instant: conditions that hold there have just become true."""
        self._past_moves_on(weights.p)
        at = side.at
        events = self.events
        p = at.p.copy()
        for position, source in self.pairs("discrete_pre"):
            p[position] = side.p[source]
        p[events.initial_index] = 1.0
        p[events.samples.flag] = 0.0
        for k, _ in self._ticks(at, p):
            p[events.samples.flag[k]] = 1.0
        during = Instants(at.t, at.y, at.yp, p)
        true = np.zeros(max(events.conditions.count, 1))
        self.model.entries["conditions"](float(at.t[0]), at.y[0], at.yp[0], p, true)
        spans = zip(events.first_condition[:-1].tolist(), events.first_condition[1:].tolist(), strict=True)
        fired = {when: int(np.argmax(true[a:b] > 0.5)) for when, (a, b) in enumerate(spans) if (true[a:b] > 0.5).any()}
        chosen = [int(events.first_condition[when]) + branch for when, branch in fired.items()]
        found = self._through_actions(side, self._actions(chosen, during, jumps=False), weights)
        for position, source in self.pairs("discrete_pre"):
            found.p[source] += found.p[position]
            found.p[position] = 0.0
        return found

    # -- what is assigned ------------------------------------------------------------------------------------------
    def pairs(self, kind: str) -> list[tuple[int, int]]:
        """Where pre() is read, and what it is the past of."""
        return list(zip(self.shared[f"{kind}_index"].tolist(), self.shared[f"{kind}_source"].tolist(), strict=True))

    def _past_moves_on(self, p: FloatArray) -> None:
        """After an event pre() of a discrete variable is its new value."""
        for position, source in self.pairs("discrete_pre"):
            p[source] += p[position]
            p[position] = 0.0

    def _during(self, before: Instants, after: Instants) -> Instants:
        """Unknowns as they are after the event, pre() as it was before."""
        p = after.p.copy()
        for position, source in self.pairs("discrete_pre"):
            p[position] = before.p[source]
        for position, source in self.pairs("unknown_pre"):
            p[position] = before.y[0, source]
        return Instants(after.t, after.y, after.yp, p)

    def assigned(self, fired: Any) -> IntArray:
        """Where the actions of conditions assign discrete variables."""
        shared = self.shared
        spans = [np.arange(shared["action_start"][k], shared["action_start"][k + 1]) for k in fired]
        actions = np.concatenate([np.zeros(0, np.int64), *spans])
        return shared["action_index"][actions[shared["action_verb"][actions] == ASSIGN]]

    def _actions(self, fired: Any, at: Instants, jumps: bool = True) -> list[_Action]:
        """All that was assigned, with derivatives; rejects what was computed in several rounds."""
        shared = self.shared
        model = self.model.reduced
        wanted: list[tuple[str, int, float, int]] = []
        always = self.events.always
        for variable, sign, number in zip(always.variable, always.sign, always.value.tolist(), strict=True):
            wanted.append(("p", int(model.known_position[variable]), float(sign), number))
        for condition in dict.fromkeys(np.asarray(fired).tolist()):
            for k in range(int(shared["action_start"][condition]), int(shared["action_start"][condition + 1])):
                verb = int(shared["action_verb"][k])
                if verb == ASSIGN or (verb == REINIT and jumps):
                    array = "p" if verb == ASSIGN else "y"
                    position = int(shared["action_index"][k])
                    wanted.append((array, position, float(shared["action_sign"][k]), int(shared["action_value"][k])))
        out = []
        for array, position, sign, number in wanted:
            found = slopes(model, self.events.values, number, at)
            assert found is not None, "every action has a value"
            if found.y or found.yp or found.p or found.t:
                out.append(_Action(array, position, sign, found))
            now = float(at.p[position] if array == "p" else at.y[0, position])
            if abs(sign * found.value - now) > _FAR * max(abs(now), abs(found.value), 1e-9):
                raise not_backwards(
                    f"at t = {float(at.t[0]):.6g} when clauses are activated in several "
                    "event iterations that depend on each other"
                )
            if not (found.y or found.yp or found.p or found.t):
                out.append(_Action(array, position, sign, found))  # a constant: what was there before is forgotten
        return out

    def _through_actions(self, side: Any, actions: list[_Action], weights: Weights) -> Weights:
        """Weights on what was before the actions, and on what these read."""
        kappa = np.zeros((len(actions), len(weights.t)))
        for _ in range(_ROUNDS):
            now = weights.copy()
            for action, weight in zip(actions, kappa, strict=True):
                _spread(action, weight, now)
            now.y[:], now.t[:] = side.pulled(now)
            found = np.array([getattr(now, action.array)[action.position] for action in actions]).reshape(kappa.shape)
            change = np.abs(found - kappa).max(initial=0.0)
            kappa = found
            if change <= _SAME * np.abs(kappa).max(initial=0.0):
                for action in actions:
                    getattr(now, action.array)[action.position] = 0.0
                return now
        raise not_backwards(f"at t = {float(side.at.t[0]):.6g} an assigned value depends on itself")

    # -- how the instant moves -------------------------------------------------------------------------------------
    def _move(self, before: Side, what: Happened, gamma: FloatArray, out: Weights) -> None:
        """Weights on the instant, given to what moves it."""
        found = [self._instant(before, zero) for zero in self._zeros(what, before.at)]
        found = [each for each in found if each is not None]
        if not found:
            return
        first = found[0]
        size = np.abs(before.at.y[0]).max(initial=1e-300)
        largest = max(np.abs(each.y).max(initial=0.0) * size for each in found)
        if any(np.abs(each.y - first.y).max(initial=0.0) * size > _AT_ONCE * largest for each in found[1:]):
            warn_user(
                f"{self.model.flat.name}: conditions switch at the same instant, t = {what.time:.6g}, that would move "
                "apart: gradients hold for the first"
            )
        out.y += first.y * gamma
        out.p += first.p * gamma

    def _zeros(self, what: Happened, at: Instants) -> list[Slopes]:
        """The root functions that pass zero here; else relations of time, and clocks: start + n period - t."""
        events = self.events
        model = self.model.reduced
        if len(what.passing):
            found = [slopes(model, events.relations.differences, int(k), at) for k in what.passing]
        else:
            found = [slopes(model, events.instants.differences, int(k), at) for k in self._instants(at)]
            for k, tick in self._ticks(at, at.p):
                start, period = (slopes(model, events.samples.values, 2 * k + part, at) for part in (0, 1))
                assert start is not None
                assert period is not None
                moving = [*start.p, *((position, tick * slope) for position, slope in period.p)]
                found.append(Slopes(0.0, [], [], moving, -1.0))
        return [each for each in found if each is not None]

    def _ticks(self, at: Instants, p: FloatArray) -> list[tuple[int, float]]:
        """The samples that are due now, and which tick it is."""
        t = float(at.t[0])
        count = len(self.events.samples.flag)
        if not count:
            return []
        clock = np.zeros(2 * count)
        self.model.entries["samples"](t, at.y[0], at.yp[0], p, clock)
        ticks = (t - clock[::2]) / clock[1::2]
        due = (np.abs(ticks - np.round(ticks)) <= _NEAR * np.maximum(np.abs(ticks), 1.0)) & (np.round(ticks) >= 0)
        return [(int(k), float(np.round(ticks[k]))) for k in np.flatnonzero(due)]

    def _instants(self, at: Instants) -> Any:
        count = self.events.instants.differences.count
        t = float(at.t[0])
        values = np.zeros((2, max(count, 1)))
        for row, moment in enumerate((t, t + 1.0)):
            if count:
                self.model.entries["instants"](moment, at.y[0], at.yp[0], at.p, values[row])
        rate = values[1] - values[0]
        near = np.abs(values[0]) <= _NEAR * np.abs(rate) * max(abs(t), 1e-6)
        return np.flatnonzero(near & (rate != 0))[:count]

    def _instant(self, before: Side, zero: Slopes) -> Weights | None:
        """How an instant follows states and parameters: one column, -g_x / (dg/dt)."""
        one = Weights(before.at.y.shape[1], len(before.at.p), 1)
        _spread(_Action("y", 0, 1.0, zero), np.ones(1), one)
        on_states, by_time = before.pulled(one)
        rate = float(by_time[0] + before.point.rates @ on_states[:, 0])
        if not rate:
            return None
        one.y[:] = -on_states / rate
        one.p[:] = -one.p / rate
        return one


def _spread(action: _Action, weight: FloatArray, out: Weights) -> None:
    """Weights on a value, given to what it is computed from."""
    weight = weight * action.sign
    for array in ("y", "yp", "p"):
        for position, slope in getattr(action.slopes, array):
            getattr(out, array)[position] += weight * slope
    out.t += weight * action.slopes.t


def not_backwards(why: str) -> NotReversibleError:
    """E643."""
    return NotReversibleError(
        "E643", f"the adjoint gradient cannot be computed: {why}", location=here(), advice='method="forward"'
    )
