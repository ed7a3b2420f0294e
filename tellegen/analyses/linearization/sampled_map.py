"""A sampled loop as a linear map from tick to tick: the plant flows while discrete values are held, clocks update them.

    x' = A x + Bz z + Bu u        between ticks, z held
    z+ = Gx x + Gz z- + Gu u      at a tick, by exact derivatives of what it assigns

The map goes over the shortest time after which all clocks tick together again, with the inputs held meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from scipy.linalg import expm

from tellegen.analyses.sensitivities.value_slopes import Instants, Slopes, slopes
from tellegen.engine.events.event_tables import event_tables
from tellegen.engine.initialization.sampled_fixed_point import sampled_variables
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.errors import NumericError
from tellegen.ir.events import ASSIGN, Events
from tellegen.ir.model import FloatArray, IntArray

_MOST_TICKS = 10_000
_FINEST = 1000  # periods are multiples of this part of the shortest one
_SAME = 1e-9  # of the shortest period


@dataclass(frozen=True, eq=False)
class Deviations:
    """How unknowns and rates follow states, held values and inputs: one column each, in this order."""

    values: FloatArray
    rates: FloatArray
    states: int
    held: int


def held_positions(model: NativeModel) -> IntArray:
    """Discrete real variables, by their positions among the parameters: those of clocks, and those equations give."""
    positions = sampled_variables(model)
    if not len(positions):
        return positions
    events = model.reduced.events
    assert events is not None
    variables = model.reduced.flat.variables
    given = [int(v) for v in events.always.variable if variables.declaration(int(v)).type == "real"]
    return np.union1d(positions, model.reduced.known_position[given].astype(np.int64))


class TickMap:
    """The ticks of a model around a point; `direction` is how all parameters follow the inputs."""

    def __init__(self, model: NativeModel, point: Snapshot, held: IntArray, direction: FloatArray) -> None:
        self.model = model
        self.point = point
        self.held = held
        self.direction = direction
        events = model.reduced.events
        assert events is not None
        self.events: Events = events
        self.shared = event_tables(model).shared

    def over_a_period(self, by: Deviations) -> tuple[float, FloatArray, FloatArray]:
        """The time it takes, the map of (states, held values, inputs) over it, and that of its first tick."""
        offsets, periods = self._clocks()
        period = _common_period(self.model, periods)
        origin = offsets[int(np.argmax(periods))]
        instants = self._schedule((offsets - origin) % periods, periods, period)
        flow = np.zeros((by.values.shape[1], by.values.shape[1]))
        flow[: by.states] = by.rates[self.model.reduced.is_state]
        ticks = {due: self._tick(due, by) for _, due in instants}
        total = np.eye(len(flow))
        ends = [*(t for t, _ in instants[1:]), period]
        for (t, due), end in zip(instants, ends, strict=True):
            total = expm(flow * (end - t)) @ ticks[due] @ total
        return period, total, ticks[instants[0][1]]

    # -- clocks -----------------------------------------------------------------------------------------------------
    def _clocks(self) -> tuple[FloatArray, FloatArray]:
        point = self.point
        out = np.zeros(2 * len(self.events.samples.flag))
        self.model.entries["samples"](point.t, point.unknowns, point.rates, point._p, out)
        return out[::2], out[1::2]

    def _schedule(self, first: FloatArray, periods: FloatArray, whole: float) -> list[tuple[float, tuple[int, ...]]]:
        """The instants of one period, with the clocks that are due."""
        near = _SAME * periods.min()
        found: list[tuple[float, int]] = []
        for k, (start, period) in enumerate(zip(first, periods, strict=True)):
            start = 0.0 if period - start < near else start
            found += [(float(start + n * period), k) for n in range(round(whole / period))]
        found.sort()
        out: list[tuple[float, tuple[int, ...]]] = []
        for t, k in found:
            if out and t - out[-1][0] <= near:
                out[-1] = (out[-1][0], (*out[-1][1], k))
            else:
                out.append((t, (k,)))
        return out

    # -- one tick ---------------------------------------------------------------------------------------------------
    def _tick(self, due: tuple[int, ...], by: Deviations) -> FloatArray:
        """The map of (states, held values, inputs) over the ticks of some clocks at one instant."""
        at = self._during(due)
        count = by.states
        number = {int(position): k for k, position in enumerate(self.held)}
        after = np.zeros((by.held, by.held))  # how new values follow new values of others
        before = np.zeros((by.held, by.values.shape[1]))  # and what was before
        before[:, count : count + by.held] = np.eye(by.held)
        for position, sign, found in self._assigned(at):
            if position not in number:
                continue
            row = np.zeros(before.shape[1])  # by states, new held values, inputs
            past = np.zeros(before.shape[1])  # by states, old held values, inputs
            self._collect(found, by, row, past)
            k = number[position]
            after[k] = sign * row[count : count + by.held]
            row[count : count + by.held] = 0.0
            before[k] = sign * (row + past)
        total = np.eye(before.shape[1])
        total[count : count + by.held] = np.linalg.solve(np.eye(by.held) - after, before)
        return total

    def _collect(self, found: Slopes, by: Deviations, row: FloatArray, past: FloatArray) -> None:
        """The derivatives of a value by what is after the tick (row) and what was before it (past)."""
        first = by.states
        number = {int(position): k for k, position in enumerate(self.held)}
        source = {kind: self._pairs(kind) for kind in ("discrete_pre", "unknown_pre")}
        for index, slope in found.y:
            row += slope * by.values[index]
        for index, slope in found.yp:
            row += slope * by.rates[index]
        for position, slope in found.p:
            if position in number:
                row[first + number[position]] += slope
            elif position in source["discrete_pre"]:
                old = source["discrete_pre"][position]
                if old in number:
                    past[first + number[old]] += slope
            elif position in source["unknown_pre"]:
                past += slope * by.values[source["unknown_pre"][position]]
            else:
                row[first + by.held :] += slope * self.direction[position]

    def _pairs(self, kind: str) -> dict[int, int]:
        """Where pre() is read, and what it is the past of."""
        positions, sources = (self.shared[f"{kind}_{what}"].tolist() for what in ("index", "source"))
        return dict(zip(positions, sources, strict=True))

    def _during(self, due: tuple[int, ...]) -> Instants:
        """The point with the samples of some clocks raised, and pre() as everything is."""
        point = self.point
        p = point._p.copy()
        p[self.events.samples.flag] = 0.0
        p[self.events.samples.flag[list(due)]] = 1.0
        for position, old in self._pairs("discrete_pre").items():
            p[position] = p[old]
        for position, old in self._pairs("unknown_pre").items():
            p[position] = point.unknowns[old]
        return Instants(np.array([point.t]), point.unknowns[None], point.rates[None], p)

    def _assigned(self, at: Instants) -> list[tuple[int, float, Slopes]]:
        """What the tick assigns: the position among the parameters, a sign and the value."""
        events = self.events
        shared = self.shared
        reduced = self.model.reduced
        wanted = [
            (int(reduced.known_position[variable]), float(sign), int(number))
            for variable, sign, number in zip(
                events.always.variable, events.always.sign, events.always.value, strict=True
            )
        ]
        for condition in self._fired(at):
            for k in range(int(shared["action_start"][condition]), int(shared["action_start"][condition + 1])):
                if int(shared["action_verb"][k]) == ASSIGN:
                    number = int(shared["action_value"][k])
                    wanted.append((int(shared["action_index"][k]), float(shared["action_sign"][k]), number))
        found: list[tuple[int, float, Slopes]] = []
        for position, sign, number in wanted:
            value = slopes(reduced, events.values, number, at)
            assert value is not None, "every action has a value"
            found.append((position, sign, value))
        return found

    def _fired(self, at: Instants) -> list[int]:
        """Of each when-statement the first branch that a clock makes true."""
        events = self.events
        true: Any = np.zeros((2, max(events.conditions.count, 1)))
        quiet = at.p.copy()
        quiet[events.samples.flag] = 0.0
        for row, p in zip(true, (quiet, at.p), strict=True):
            self.model.entries["conditions"](float(at.t[0]), at.y[0], at.yp[0], p, row)
        rises = (true[1] > 0.5) & ~(true[0] > 0.5)
        spans = zip(events.first_condition[:-1].tolist(), events.first_condition[1:].tolist(), strict=True)
        return [a + int(np.argmax(rises[a:b])) for a, b in spans if rises[a:b].any()]


def _common_period(model: NativeModel, periods: FloatArray) -> float:
    """The shortest time that is a multiple of all periods."""
    shortest = float(periods.min())
    ratios = [Fraction(float(period) / shortest).limit_denominator(_FINEST) for period in periods]
    whole = Fraction(lcm(*(r.numerator for r in ratios)), gcd(*(r.denominator for r in ratios)))
    exact = all(abs(float(r) * shortest - period) <= _SAME * period for r, period in zip(ratios, periods, strict=True))
    if exact and sum(float(whole / r) for r in ratios) <= _MOST_TICKS:
        return float(whole) * shortest
    raise NumericError(
        "E304",
        f"{model.flat.name} has clocks that do not tick together again soon, so there is no map from tick to tick",
        advice="give the clocks periods that are small multiples of one another",
    )
