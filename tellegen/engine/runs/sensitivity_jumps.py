"""What events do to tangents (sensitivities): the instant moves, so both sides of a jump move with it.

Let an event happen where g(t, y, p) passes zero, and let y_j be the tangents in direction j. The instant changes by

    dt_j = -g_j / (dg/dt),     g_j the tangent of g along y_j

Carried to the instant as it moves the tangents are y_j + y' dt_j. The event acts on these (its own tangents stand in
the model: variation/augment.py), and what comes out is carried back: y_j+ = (...) - y'+ dt_j. This covers jumps of
derivatives (a diode), of states (an impact) and of held values (a sampled signal), and instants that are given by
parameters. Instants that nothing moves (dt_j = 0) need none of it.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from tellegen.engine.events.event_descriptions import relation_texts
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.errors import RunFailedError
from tellegen.ir.events import Values
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.flat import Tangents
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import PARAMETER, UNKNOWN, ReducedGroup
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial

_STEP = 1e-6  # part of the run for the central difference dg/dt
_NEAR = 1e-9
_AT_ONCE = 1e-4  # of dt: relations that pass zero at once must agree on how the instant moves

_partial = lru_cache(maxsize=4096)(partial)  # the same few relations at every event


class TangentJumps:
    """The tangents of one run with events."""

    def __init__(self, model: NativeModel, machine: EventHandler, tangents: Tangents, span: float) -> None:
        self.model = model
        self.machine = machine
        self.step = _STEP * span
        reduced = self.reduced = model.reduced
        self.tangent_index = tangents.variable
        self.direction_index = tangents.direction
        self.time_index = tangents.time
        self.columns = self.tangent_index.shape[1]
        self._homes: dict[int, IntArray] = {}  # of values, by identity: the group and the row that compute each number
        self._owner = np.full(reduced.flat.variables.count, -1)  # of each variable what it is a tangent of
        self._column = np.zeros(len(self._owner), np.int64)  # and in which direction
        has = self.tangent_index >= 0
        self._owner[self.tangent_index[has]] = np.nonzero(has)[0]
        self._column[self.tangent_index[has]] = np.nonzero(has)[1]

    def moved(self, t: float, at_root: bool) -> FloatArray | None:
        """How the instant of the event that is about to happen moves in each direction; None if it does not."""
        machine = self.machine
        if at_root:
            found = [self._of_root(t, int(k)) for k in machine.passing()]
        else:
            found = self._of_instants(t)
        found = [each for each in found if each is not None]
        if not found or not any(each.any() for each in found):
            return None
        largest = max(np.abs(each).max() for each in found)
        if not np.isfinite(found).all():
            what = f"the tangent of a condition is not a number, t = {t:g}: how far its event moves is not known"
            raise RunFailedError("E310", what, details=relation_texts(self.model, machine.passing()))
        if any(np.abs(each - found[0]).max() > _AT_ONCE * largest for each in found[1:]):
            texts = relation_texts(self.model, machine.passing())
            warnings.warn(
                f"{self.reduced.flat.name}: conditions switch at the same instant, t = {t:.6g}, that would move apart "
                f"({', '.join(texts)}): after it, sensitivities hold for the first",
                stacklevel=2,
            )
        return found[0]

    def carry(self, y: FloatArray, yp: FloatArray, shift: FloatArray, t: float) -> None:
        """Add y' dt to the tangents of states, and bring the other unknowns up to date; time itself moves by dt.

        A model may have changed its states since it began, and those of tangents may be others than those of unknowns.
        """
        reduced = self.reduced
        states = self.machine.record.kept["state_index"]
        variables = reduced.unknowns[states]
        is_inside = variables < len(self._owner)
        is_tangent = np.zeros(len(states), bool)
        is_tangent[is_inside] = self._owner[variables[is_inside]] >= 0
        variables = variables[is_tangent]
        owner = self._owner[variables]
        base = reduced.position[reduced.representative[owner]]
        rate = np.where(base >= 0, reduced.sign[owner] * self._known_rates(y, yp)[base], 0.0)  # else it is a constant
        y[states[is_tangent]] += rate * shift[self._column[variables]]
        if len(self.time_index):
            self.machine.p[self.time_index] += shift
        self.machine.solve_again(t)

    def _known_rates(self, y: FloatArray, yp: FloatArray) -> FloatArray:
        """y', with the rates of all unknowns whose rates are unknowns as well, whether they are states now or not."""
        candidates = self.reduced.candidates
        if candidates is None:
            return yp
        out = yp.copy()
        position = self.reduced.position
        for lower, upper in pairwise(candidates.chain.T):
            has_rate = upper >= 0
            out[position[lower[has_rate]]] = y[position[upper[has_rate]]]
        return out

    # -- how an instant moves -----------------------------------------------------------------------------------
    def _of_root(self, t: float, relation: int) -> FloatArray | None:
        rate = self._rates(t)[relation]
        assert self.reduced.events is not None
        if not rate:
            return None
        return self._shift(self.reduced.events.relations.differences, relation, t, rate)

    def _rates(self, t: float) -> FloatArray:
        """How fast relations pass zero along the solution, by a central difference; nothing is changed."""
        machine = self.machine
        kept = self.machine.record.kept
        step = self.step
        y = kept["y"]
        yp = kept["yp"]
        states = kept["state_index"]
        here = y.copy(), yp.copy()
        at = []
        for side in (1.0, -1.0):
            y[:], yp[:] = here
            y[states] += side * step * yp[states]
            machine.solve_again(t + side * step)
            at.append(machine.differences(t + side * step))
        y[:], yp[:] = here
        return (at[0] - at[1]) / (2.0 * step)

    def _of_instants(self, t: float) -> list[FloatArray | None]:
        """Relations of time that are at zero now: left - right is linear in time."""
        events = self.reduced.events
        assert events is not None
        count = events.instants.differences.count
        if not count:
            return self._of_ticks(t)
        kept = self.machine.record.kept
        p = self.machine.p
        at = np.zeros((2, count))
        for row, moment in enumerate((t, t + 1.0)):
            self.model.entries["instants"](moment, kept["y"], kept["yp"], p, at[row])
        rate = at[1] - at[0]
        now = np.abs(at[0]) <= _NEAR * np.abs(rate) * max(abs(t), self.step)
        passing = np.flatnonzero(now & (rate != 0))
        return [*self._shifts(events.instants.differences, passing, t, rate[passing]), *self._of_ticks(t)]

    def _of_ticks(self, t: float) -> list[FloatArray | None]:
        """Samples that are due now: tick n of start + n * period."""
        events = self.reduced.events
        kept = self.machine.record.kept
        assert events is not None
        count = len(events.samples.flag)
        clocks = np.zeros(2 * count)
        if count:
            self.model.entries["samples"](t, kept["y"], kept["yp"], self.machine.p, clocks)
        ticks = (t - clocks[::2]) / clocks[1::2]
        found: list[FloatArray | None] = []
        for k in np.flatnonzero(np.abs(ticks - np.round(ticks)) <= _NEAR * np.maximum(np.abs(ticks), 1.0)):
            start, period = (self._shift(events.samples.values, 2 * int(k) + part, t, -1.0) for part in (0, 1))
            if start is not None and period is not None:
                found.append(start + np.round(ticks[k]) * period)
        return found

    def _shift(self, values: Values, number: int, t: float, rate: float) -> FloatArray | None:
        found = self._shifts(values, np.array([number]), t, np.array([rate]))
        return found[0] if found else None

    def _shifts(self, values: Values, numbers: Any, t: float, rates: FloatArray) -> list[FloatArray]:
        """How the instants move at which each of these values passes zero, for those that some group computes."""
        homes = self._homes.get(id(values))
        if homes is None:  # a signal of many pieces has hundreds of relations: looked for once
            homes = np.full((values.count, 2), -1)
            for number, indices in enumerate(values.indices):
                homes[indices, 0] = number
                homes[indices, 1] = np.arange(len(indices))
            self._homes[id(values)] = homes
        found: list[FloatArray] = []
        group_number, row = homes[numbers].T
        for number in np.unique(group_number[group_number >= 0]):
            mine = np.flatnonzero(group_number == number)
            found.extend(-self._tangents(values.groups[number], row[mine], t) / rates[mine, None])
        return found

    def _tangents(self, group: ReducedGroup, rows: Any, t: float) -> FloatArray:
        """The tangents of rows of a group of values."""
        leaves = [node for node in walk(group.residual) if isinstance(node, Slot | Der)]
        at: dict[bool, dict[int, Any]] = {False: {}, True: {}}
        for leaf in leaves:
            at[isinstance(leaf, Der)][leaf.index] = self._values(group, rows, leaf)
        total = np.zeros((len(rows), self.columns))
        for leaf in leaves:
            change = self._changes(group, rows, leaf)
            if change.any():
                factor = evaluate(_partial(group.residual, leaf), at[False], time=t, ders=at[True])
                total += np.broadcast_to(factor, len(rows))[:, None] * change
        return total

    def _values(self, group: ReducedGroup, rows: Any, leaf: Slot | Der) -> FloatArray:
        kept = self.machine.record.kept
        model = self.reduced
        bound = group.bindings[rows, leaf.index]
        kind = group.kinds[leaf.index]
        if kind == UNKNOWN:
            return (kept["yp"] if isinstance(leaf, Der) else kept["y"])[model.position[bound]]
        return self.machine.p[bound if kind == PARAMETER else model.known_position[bound]]

    def _changes(self, group: ReducedGroup, rows: Any, leaf: Slot | Der) -> FloatArray:
        """The tangents of a leaf in rows of a group; zeros where it has none."""
        kept = self.machine.record.kept
        model = self.reduced
        p = self.machine.p
        bound = group.bindings[rows, leaf.index]
        kind = group.kinds[leaf.index]
        out = np.zeros((len(rows), self.columns))
        if kind == PARAMETER:
            has = bound < len(self.direction_index)
            out[has] = p[self.direction_index[bound[has]]]
            return out
        has = bound < len(self.tangent_index)
        has[has] = (self.tangent_index[bound[has]] >= 0).all(axis=1)
        tangent = self.tangent_index[bound[has]]
        own = model.representative[tangent]
        position = model.position[own]
        known_position = model.known_position[own]
        values = np.where(known_position >= 0, p[np.maximum(known_position, 0)], 0.0)
        if kind == UNKNOWN:
            solved = kept["yp"] if isinstance(leaf, Der) else kept["y"]
            values = np.where(position >= 0, solved[np.maximum(position, 0)], values)
        out[has] = model.sign[tangent] * values
        return out
