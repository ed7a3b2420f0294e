"""Random hybrid models integrated by SciPy, with events by the rules of Modelica.

Cases that no program can be held to are left out (UnclearCaseError): events closer than a tolerance can tell, growth,
conditions that are touched or slid along.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from modelica.random_hybrids import FUNCTIONS, STOP, Branch, Hybrid, Relation

POINTS = 41
_CLOSE = 2e-3  # between events
_SLOW = 0.02  # the least rate with which a condition passes zero
_MOMENT = 1e-6
_MOST_EVENTS = 60
_MOST_ROUNDS = 20


class UnclearCaseError(Exception):
    """A case without a robust solution."""


class Oracle:
    """Rows of states (in units of their sizes) and held values at POINTS times."""

    def __init__(self, model: Hybrid) -> None:
        self.model = model
        self.branches: list[Branch] = [branch for clause in model.clauses for branch in clause]
        conditions = [branch.condition for branch in self.branches]
        self.relations = [model.z_condition, *(each for each in conditions if isinstance(each, Relation))]
        self.x = np.array(model.start, float)
        self.d = np.array(model.held, float)
        self.holds = [relation.value(self.names(self.x, self.d)) > 0 for relation in self.relations]
        self.events: list[float] = []

    def names(self, x: Any, d: Any) -> dict[str, Any]:
        """What expressions read; before an event both values are the same."""
        names = {f"{letter}{i}": value for i, value in enumerate(x) for letter in "XP"}
        names |= {f"{letter}{j}": value for j, value in enumerate(d) for letter in "DQ"}
        right = eval(self.model.y_right, FUNCTIONS, names)
        y = right / 1.5
        for _ in range(30):  # Newton: the derivative is between 1 and 1.5
            step = (y + 0.5 * np.tanh(y) - right) / (1.0 + 0.5 / np.cosh(y) ** 2)
            y -= step
            if abs(step) < 1e-15 * (1.0 + abs(y)):
                break
        return names | {"Y": y}

    def rates(self, t: float, x: Any) -> Any:
        """x' with the present conditions."""
        model = self.model
        names = self.names(x, self.d)
        z = eval(model.z_yes if self.holds[0] else model.z_no, FUNCTIONS, names)
        return (
            model.A @ x
            + model.b * np.sin(model.w * t + model.p)
            + model.by_z * z
            + model.by_y * names["Y"]
            + model.by_d @ self.d
        )

    def run(self) -> Any:
        """The rows."""
        times = np.linspace(0.0, STOP, POINTS)
        rows = [np.concatenate([self.x, self.d])]
        ticks = {
            k: each.condition.start for k, each in enumerate(self.branches) if not isinstance(each.condition, Relation)
        }
        watched = [k for k, relation in enumerate(self.relations) if "D" not in relation.what]
        if min(abs(self._value(k)) for k in range(len(self.relations))) < 1e-3:
            raise UnclearCaseError("a condition is nearly zero at the start")
        t = 0.0
        while True:
            end = min([STOP, *ticks.values()])
            roots = [self._root(k) for k in watched]
            part = solve_ivp(
                self.rates,
                (t, end),
                self.x,
                "DOP853",
                rtol=1e-10,
                atol=1e-12,
                events=roots,
                dense_output=True,
                max_step=0.02,
            )
            t = float(part.t[-1])
            self.x = part.y[:, -1].copy()
            inside = times[len(rows) :]
            inside = inside[(inside < t) | (t >= STOP)]
            rows += [np.concatenate([part.sol(time), self.d]) for time in inside]
            if np.abs(self.x).max() > 50:
                raise UnclearCaseError("it grows")
            if t >= STOP:
                return np.array(rows)
            passing = (
                [k for k, found in zip(watched, part.t_events, strict=True) if len(found)] if part.status == 1 else []
            )
            now = [k for k, tick in ticks.items() if abs(tick - t) < 1e-12]
            self._check(t, passing, now, times)
            self._event(t, passing, now)
            for k in now:
                ticks[k] += self.branches[k].condition.period  # type: ignore[union-attr]

    def _value(self, k: int) -> float:
        return self.relations[k].value(self.names(self.x, self.d))

    def _rate(self, t: float, k: int) -> float:
        later = self.x + _MOMENT * self.rates(t, self.x)
        return (self.relations[k].value(self.names(later, self.d)) - self._value(k)) / _MOMENT

    def _root(self, k: int) -> Any:
        sign = -1.0 if self.holds[k] else 1.0

        def value(_: float, x: Any) -> float:
            return sign * self.relations[k].value(self.names(x, self.d))

        value.terminal = True  # type: ignore[attr-defined]
        value.direction = 1.0  # type: ignore[attr-defined]
        return value

    def _check(self, t: float, passing: list[int], now: list[int], times: Any) -> None:
        if len(self.events) > _MOST_EVENTS:
            raise UnclearCaseError("many events")
        if len(passing) + len(now) > 1 or (self.events and t - self.events[-1] < _CLOSE):
            raise UnclearCaseError("events close together")
        if np.abs(times - t).min() < _MOMENT:
            raise UnclearCaseError("an event at an output point")
        if any(abs(self._rate(t, k)) < _SLOW for k in passing):
            raise UnclearCaseError("a condition is touched")

    def _event(self, t: float, passing: list[int], now: list[int]) -> None:
        self._iterate({k: not self.holds[k] for k in passing}, now)
        for k in range(len(self.relations)):
            value = self._value(k)
            if k not in passing and abs(value) < 1e-4:
                raise UnclearCaseError("a condition is nearly zero after an event")
            if k in passing and abs(value) < _MOMENT:
                rate = self._rate(t, k)
                if (rate > 0) != self.holds[k] or abs(rate) < _SLOW:
                    raise UnclearCaseError("it slides")
        self.events.append(t)

    def _iterate(self, passed: dict[int, bool], now: list[int]) -> None:
        """Rounds in which clauses act on the values of the last round; reinits come at the end of theirs."""
        for round_ in range(_MOST_ROUNDS):
            names = self.names(self.x, self.d)
            d = self.d.copy()
            x = self.x.copy()
            holds = [self._judged(k, names, passed) for k in range(len(self.relations))]
            number = 0
            relation = 0
            for clause in self.model.clauses:
                acts: Branch | None = None
                for branch in clause:
                    if isinstance(branch.condition, Relation):
                        relation += 1
                        present = names | {f"D{j}": value for j, value in enumerate(d)}
                        holds[relation] = self._judged(relation, present, passed)
                        is_edge = holds[relation] and not self.holds[relation]
                    else:
                        is_edge = number in now and round_ == 0
                    number += 1
                    acts = branch if is_edge and acts is None else acts
                for j, value in acts.sets if acts else ():
                    d[j] = eval(value, FUNCTIONS, names)
                for i, value in acts.reinits if acts else ():
                    x[i] = eval(value, FUNCTIONS, names)
            is_over = np.array_equal(x, self.x) and np.array_equal(d, self.d) and holds == self.holds
            self.x = x
            self.d = d
            self.holds = holds
            if is_over:
                return
        raise UnclearCaseError("events that never end")

    def _judged(self, k: int, names: dict[str, Any], passed: dict[int, bool]) -> bool:
        value = self.relations[k].value(names)
        return passed[k] if k in passed and abs(value) < 1e-7 else value > 0


def largest_difference(model: Hybrid, solution: Any, rows: Any, first_index: int) -> float:
    """Of a run and the rows, in units of the largest value of each trajectory; elements count from `first_index`."""
    at = solution.at(np.linspace(0.0, STOP, POINTS) * model.time)
    n = len(model.start)
    names = [*(f"x[{i + first_index}]" for i in range(n)), *(f"d[{j + first_index}]" for j in range(len(model.held)))]
    sizes = [*model.sizes, *np.ones(len(model.held))]
    found = np.array([at[name] / size for name, size in zip(names, sizes, strict=True)]).T
    return float((np.abs(found - rows).max(0) / np.abs(rows).max(0)).max())
