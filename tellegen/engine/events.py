"""Events while a model runs: flags, when-statements and discrete variables, iterated until nothing changes.

    root of h - 0 found at t  ->  flag of `h < 0` goes up  ->  its when fires: v := -e*pre(v)  ->  algebraic unknowns
    are solved for again  ->  flags are looked at once more ... and when all is quiet the integrator starts anew

Numbers are computed natively for all rows at once; Python only looks at what changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.event_values import EventValues
from tellegen.ir.events import ASSERT, ASSIGN, OPERATORS, REINIT, TERMINATE, Events
from tellegen.ir.model import FloatArray
from tellegen.ir.sorted import KNOWN

_ITERATIONS = 200
Solve = Callable[[float, FloatArray, FloatArray], "tuple[FloatArray, FloatArray] | None"]
"""Consistent y and y' at a time for the present discrete values, states given; None when there are none."""


@dataclass
class Happening:
    """What an event did."""

    switched: list[int] = field(default_factory=list)  # relations (numbers of Events.relations)
    fired: list[tuple[int, int]] = field(default_factory=list)  # when-statements and branches
    reinitialized: bool = False
    message: str | None = None  # of terminate
    failed: str | None = None  # of an assertion, or because the iteration does not end


class EventMachine:
    """The discrete part of one run; it owns the discrete values, which stand in the vector of parameters."""

    def __init__(self, model: CompiledModel, p: FloatArray) -> None:
        events = model.sorted.events
        assert events is not None
        self.model, self.events, self.p = model, events, p
        self.numbers = EventValues(model, events, p)
        sorted_model = model.sorted
        self._pre_discrete = sorted_model.known_position[events.pre_variable] >= 0
        self._pre_known = sorted_model.known_position[events.pre_variable[self._pre_discrete]]
        self._pre_unknown = sorted_model.position[events.pre_variable[~self._pre_discrete]]
        self.was_true = np.zeros(events.conditions.count, bool)
        self._passing: tuple[Any, FloatArray] | None = None
        self._follow = _followers(events)
        counts = np.diff(events.first_condition)
        self._when_of = np.repeat(np.arange(events.whens), counts)
        self._branch_of = np.arange(len(self._when_of)) - np.repeat(events.first_condition[:-1], counts)

    # -- time ---------------------------------------------------------------------------------------------------
    def next_instant(self, t: float, y: FloatArray, yp: FloatArray) -> float:
        """The next time at which a relation of time switches or a sample is due; infinity when there is none."""
        instants = self._instants(y, yp)
        later = instants[instants > t * (1.0 + 4e-16) + 1e-300] if len(instants) else instants
        return float(min(np.min(later, initial=np.inf), min(self._sample_times(t, y, yp), default=np.inf)))

    def _instants(self, y: FloatArray, yp: FloatArray) -> FloatArray:
        """When each relation of time switches: the zero of a function that is linear in time."""
        if not self.events.instants.differences.count:
            return np.zeros(0)
        at_zero, at_one = (self.numbers.instants(t, y, yp).copy() for t in (0.0, 1.0))
        with np.errstate(all="ignore"):
            return at_zero / (at_zero - at_one)

    def _sample_times(self, t: float, y: FloatArray, yp: FloatArray) -> list[float]:
        """The next time of every sample after t."""
        if not len(self.events.samples.flag):
            return []
        pairs = self.numbers.samples(t, y, yp).reshape(-1, 2)
        start, period = pairs[:, 0], pairs[:, 1]
        with np.errstate(all="ignore"):
            passed = np.floor((t - start) / period * (1.0 + 1e-12) + 1e-9)
        return np.where(t < start - 1e-12 * period, start, start + (passed + 1.0) * period).tolist()

    def _raise_samples(self, t: float, y: FloatArray, yp: FloatArray) -> None:
        flags = self.events.samples.flag
        if len(flags):
            pairs = self.numbers.samples(t, y, yp).reshape(-1, 2)
            start, period = pairs[:, 0], pairs[:, 1]
            ticks = (t - start) / period
            near = np.abs(ticks - np.round(ticks)) < 1e-9 * np.maximum(1.0, np.abs(ticks))
            self.p[flags] = (near & (ticks > -1e-9)).astype(float)

    # -- iteration ------------------------------------------------------------------------------------------------
    def remember(self, y: FloatArray) -> None:
        """Put the present values where pre() reads them."""
        places = self.events.pre_place
        self.p[places[self._pre_discrete]] = self.p[self._pre_known]
        self.p[places[~self._pre_discrete]] = y[self._pre_unknown]

    def stays_quiet(self, start: float, stop: float, y: FloatArray) -> bool:
        """Whether nothing can happen in between: only relations of time are there, and none switches."""
        events = self.events
        if events.whens or len(events.always[0]) or events.relations.differences.count or len(events.samples.flag):
            return False
        return self.next_instant(start, y, np.zeros(len(y))) >= stop

    def guess(self, t: float, y: FloatArray) -> None:
        """Flags from start values, for a first look at the equations."""
        with np.errstate(all="ignore"):
            self._switch(t, y, np.zeros(len(y)), Happening())

    def settle(
        self, t: float, y: FloatArray, yp: FloatArray, solve: Solve, first: bool = False, roots: Any = None
    ) -> Happening:
        """Iterate at time t until nothing changes; y and y' are brought up to date in place.

        `roots` are the directions (1 up, -1 down) in which relations pass zero here. Such a one counts as it will be
        just behind, until something else changes its value: the point itself may lie on either side by a rounding.
        """
        done = Happening()
        self._passing = None
        if roots is not None and len(roots):
            self._passing = (roots, self.numbers.differences(t, y, yp).copy())
        self.p[self.events.initial_place] = float(first)
        self.remember(y)
        self._raise_samples(t, y, yp)
        for _ in range(_ITERATIONS):
            changed = self._switch(t, y, yp, done)
            changed |= self._compute_always(t, y, yp)
            changed |= self._fire(t, y, yp, done)
            self._lower_samples()
            if done.message is not None or done.failed is not None or not changed:
                break
            self._discrete_past()
            consistent = solve(t, y, yp)
            if consistent is None:
                done.failed = "no consistent values were found after the event"
                break
            y[:], yp[:] = consistent
        else:
            done.failed = "the conditions at this instant never come to rest"
        self.p[self.events.initial_place] = 0.0
        if first:
            self.resume(t, y, yp)
        return done

    def resume(self, t: float, y: FloatArray, yp: FloatArray) -> None:
        """Go on from values at rest: conditions that hold now have not just become true."""
        self.was_true = self.numbers.conditions(t, y, yp) > 0.5

    def leaving(self, here: tuple[float, FloatArray, FloatArray], ahead: tuple[float, FloatArray, FloatArray]) -> Any:
        """Directions of the relations that will have switched a moment ahead without a root that could be seen.

        An integrator sees none in a function that starts at zero, or on the wrong side of it by a rounding.
        """
        relations = self.events.relations
        g = self.numbers.differences(*here).copy()
        later = self.numbers.differences(*ahead)
        flags = self.p[relations.flag] > 0.5
        unseen = (g == 0.0) | (_truth(g, relations.operator, False, here[0]) != flags)
        wrong = unseen & (_truth(later, relations.operator, False, ahead[0]) != flags) & (later != 0.0)
        return np.where(wrong, np.sign(later), 0).astype(np.int32)

    def _lower_samples(self) -> None:
        self.p[self.events.samples.flag] = 0.0

    def _discrete_past(self) -> None:
        """Within an event, the past of discrete values is the iteration before; that of states is before the event."""
        self.p[self.events.pre_place[self._pre_discrete]] = self.p[self._pre_known]

    def _switch(self, t: float, y: FloatArray, yp: FloatArray, done: Happening) -> bool:
        """Set the flags of all relations; True if one changed."""
        events, changed = self.events, False
        for relations, of_time in ((events.relations, False), (events.instants, True)):
            if not relations.differences.count:
                continue
            g = (self.numbers.instants if of_time else self.numbers.differences)(t, y, yp)
            if self._passing is not None and not of_time:
                roots, before = self._passing
                g = np.where((roots != 0) & (g == before), roots, g)
            new = _truth(g, relations.operator, of_time, t)
            old = self.p[relations.flag] > 0.5
            different = np.flatnonzero(new != old)
            if len(different):
                changed = True
                self.p[relations.flag[different]] = new[different]
                if not of_time:
                    done.switched += different.tolist()
        return changed

    def _compute_always(self, t: float, y: FloatArray, yp: FloatArray) -> bool:
        variables, signs, numbers = self.events.always
        if not len(variables):
            return False
        values = signs * self.numbers.values(t, y, yp, numbers)[numbers]
        places = self.model.sorted.known_position[variables]
        changed = bool((self.p[places] != values).any())
        self.p[places] = values
        return changed

    def _fire(self, t: float, y: FloatArray, yp: FloatArray, done: Happening) -> bool:
        """Take the actions of when-statements whose condition has become true."""
        if not self.events.whens:
            return False
        true = self.numbers.conditions(t, y, yp) > 0.5
        rising = np.flatnonzero(true & ~self.was_true)
        self.was_true = true.copy()
        if not len(rising):
            return False
        _, first = np.unique(self._when_of[rising], return_index=True)  # the first branch of each
        chosen = rising[first]
        keys = set(zip(self._when_of[chosen].tolist(), self._branch_of[chosen].tolist(), strict=True))
        done.fired += sorted(keys)
        actions = self.events.actions
        candidates = np.flatnonzero(np.isin(actions.when, self._when_of[chosen]))
        mine = [k for k in candidates.tolist() if (int(actions.when[k]), int(actions.branch[k])) in keys]
        asked = actions.value[mine]
        values = self.numbers.values(t, y, yp, asked).copy()
        changed = self._act(mine, values, y, done)
        for _ in range(len(mine) if self._follow[asked].any() else 0):  # values that read what was just assigned
            again = self.numbers.values(t, y, yp, asked).copy()
            if (again[asked] == values[asked]).all():
                break
            values = again
            changed |= self._act(mine, values, y, done)
        return changed

    def _act(self, mine: list[int], values: FloatArray, y: FloatArray, done: Happening) -> bool:
        actions, model, changed = self.events.actions, self.model.sorted, False
        for k in mine:
            verb, value = int(actions.verb[k]), float(values[actions.value[k]]) * int(actions.sign[k])
            if verb == ASSIGN:
                place = model.known_position[actions.target[k]]
                changed |= bool(self.p[place] != value)
                self.p[place] = value
            elif verb == REINIT:
                y[model.position[actions.target[k]]] = value
                done.reinitialized = changed = True
            elif verb == TERMINATE:
                done.message = self.events.messages[k]
            elif verb == ASSERT and value <= 0.5:
                done.failed = self.events.messages[k]
        return changed


def _followers(events: Events) -> Any:
    """Which values of actions read discrete variables that actions assign: they are equations of the same instant."""
    follow = np.zeros(max(events.values.count, 1), bool)
    assigned = events.actions.target[events.actions.verb == ASSIGN]
    for group, places in zip(events.values.groups, events.values.places, strict=True):
        for slot, kind in enumerate(group.kinds):
            if kind == KNOWN:
                follow[places] |= np.isin(group.bindings[:, slot], assigned)
    return follow


def _truth(g: FloatArray, operator: Any, of_time: bool, t: float) -> Any:
    """The relations, given left - right. One of time counts as it will be just after the instant."""
    if of_time:
        g = np.where(np.abs(g) <= 1e-14 * abs(t), 0.0, g)
        return np.where(operator >= 2, g >= 0.0, g < 0.0)
    above = np.where(operator == OPERATORS["gt"], g > 0.0, g >= 0.0)
    return np.where(operator >= OPERATORS["gt"], above, np.where(operator == OPERATORS["lt"], g < 0.0, g <= 0.0))
