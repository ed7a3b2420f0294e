"""Random networks of discrete variables against an interpreter of MLS 8.5 and 8.6 written for this test.

Booleans given by equations of earlier ones, of pre() of any and of instants; counters in when-clauses with one or two
conditions and `initial()`; initial equations of pre() and of counters. The interpreter solves the equations in order
with pre() fixed, fires what becomes true against the values of the iteration before, moves pre() and repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from modelica_start import as_in_modelica

CASES = 12  # in the suite; 600 more were tried
INSTANTS = (0.25, 0.5, 0.75)
_ITERATIONS = 40

Rule = Callable[["Values"], Any]
"""A Boolean expression: of plain Booleans for the interpreter, of symbols for the model."""


@dataclass
class Values:
    """What expressions read: present values, those before, the instants passed, and how to combine them."""

    now: list[Any]
    past: list[Any]
    passed: list[Any]
    opposite: Callable[[Any], Any]


@dataclass
class Case:
    """A network: rules of Booleans, conditions of counters, initial values."""

    rules: list[Rule]
    conditions: list[list[Rule]]
    at_start: list[bool]  # whether a counter has `initial()` among its conditions
    first_past: list[bool]
    first_count: list[int]


def random_rule(draw: np.random.Generator, earlier: int, count: int) -> Rule:
    """Two random leaves, negated or not, combined."""

    def leaf() -> Rule:
        kind = int(draw.integers(3 if earlier else 2))
        number = int(draw.integers([len(INSTANTS), count, max(earlier, 1)][kind]))
        flip = bool(draw.integers(2))

        def read(values: Values) -> Any:
            found = (values.passed, values.past, values.now)[kind][number]
            return values.opposite(found) if flip else found

        return read

    left = leaf()
    right = leaf()
    is_and = bool(draw.integers(2))
    return lambda values: (left(values) & right(values)) if is_and else (left(values) | right(values))


def random_case(seed: int) -> Case:
    draw = np.random.default_rng(seed)
    count = int(draw.integers(2, 5))
    counters = 3
    return Case(
        [random_rule(draw, k, count) for k in range(count)],
        [[random_rule(draw, count, count) for _ in range(int(draw.integers(1, 3)))] for _ in range(counters)],
        [bool(draw.integers(2)) for _ in range(counters)],
        [bool(draw.integers(2)) for _ in range(count)],
        [int(draw.integers(5)) for _ in range(counters)],
    )


def component(case: Case) -> tg.Component:
    """The network as a model; x makes it one with a state."""
    count = len(case.rules)
    counters = len(case.conditions)

    class Network(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        b = tg.boolean(shape=count)
        n = tg.integer(shape=counters)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 0.0
            values = Values(
                [self.b[k] for k in range(count)],
                [tg.pre(self.b[k]) for k in range(count)],
                [tg.time >= instant for instant in INSTANTS],
                lambda value: ~value,
            )
            for k, rule in enumerate(case.rules):
                yield self.b[k] == rule(values)
            for k, conditions in enumerate(case.conditions):
                more = self.n[k] == tg.pre(self.n[k]) + 1
                all_conditions = [rule(values) for rule in conditions] + [tg.initial()] * case.at_start[k]
                when = tg.when(all_conditions[0], more)
                for condition in all_conditions[1:]:
                    when = when.elsewhen(condition, more)
                yield when

        def initial_equations(self) -> Iterator[Any]:
            for k, value in enumerate(case.first_past):
                yield tg.pre(self.b[k]) == value
            for k, value in enumerate(case.first_count):
                yield tg.pre(self.n[k]) == value

    return Network()


class NoEndError(Exception):
    """Event iteration goes in circles."""


@dataclass
class Interpreter:
    """Solves a case as the specification says."""

    case: Case
    now: list[bool] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    held: list[list[bool]] = field(default_factory=list)

    def run(self) -> Iterator[list[int]]:
        """Booleans and counters after initialization, after its event iteration, and after every instant."""
        self.now = self._solved(self.case.first_past, 0.0)
        self.counts = [a + b for a, b in zip(self.case.first_count, self.case.at_start, strict=True)]
        self.held = self._conditions(self.case.first_past, 0.0)
        yield [*self.now, *self.counts]
        for time in (0.0, *INSTANTS):
            self._iterate(time)
            yield [*self.now, *self.counts]

    def _iterate(self, time: float) -> None:
        for _ in range(_ITERATIONS):
            past = self.now
            self.now = self._solved(past, time)
            conditions = self._conditions(past, time)
            pairs = zip(conditions, self.held, strict=True)
            fires = [any(a and not b for a, b in zip(new, old, strict=True)) for new, old in pairs]
            self.held = conditions
            self.counts = [n + fired for n, fired in zip(self.counts, fires, strict=True)]
            if self.now == past and not any(fires):
                return
        raise NoEndError

    def _values(self, past: list[bool], time: float) -> Values:
        return Values([], past, [time >= instant for instant in INSTANTS], lambda value: not value)

    def _solved(self, past: list[bool], time: float) -> list[bool]:
        values = self._values(past, time)
        for rule in self.case.rules:
            values.now.append(bool(rule(values)))
        return values.now

    def _conditions(self, past: list[bool], time: float) -> list[list[bool]]:
        values = self._values(past, time)
        values.now = self.now
        return [[bool(rule(values)) for rule in rules] for rules in self.case.conditions]


def check(case: Case) -> bool:
    """Compare model and interpreter; False where event iteration does not end."""
    try:
        expected = list(Interpreter(case).run())
    except NoEndError:
        return False
    solution = tg.simulate(as_in_modelica(component(case)), 1.0, solver="rk45")
    rows = np.concatenate([solution["b"], solution["n"]], axis=1)
    assert rows[0].tolist() == expected[0]
    time = solution.time
    before = [int(np.flatnonzero(time < instant)[-1]) for instant in INSTANTS]
    for row, values in zip([*before, len(time) - 1], expected[1:], strict=True):
        assert rows[row].tolist() == values, f"at t = {time[row]}"
    return True


def random_checks(count: int, first: int) -> int:
    """How many of the cases have an end, all of which agreed."""
    return sum(check(random_case(seed)) for seed in range(first, first + count))


def test_random_networks() -> None:
    assert random_checks(CASES, 0) >= CASES // 3


@pytest.mark.parametrize("seed", [0])
def test_the_interpreter_tells_a_difference(seed: int) -> None:
    """A network with another initial value ends elsewhere."""
    case = random_case(seed)
    other = random_case(seed)
    other.first_count[0] += 1
    assert list(Interpreter(case).run()) != list(Interpreter(other).run())
