"""Statements of one instant whose conditions read what others assign: they count with the values of the instant."""

from __future__ import annotations

import operator
import random
from typing import Any, NamedTuple

import pytest

import tellegen as tg

SOLVERS = ("rk45", "rodas", "cvode", "ida")
_COMPARE = {"<": operator.lt, ">=": operator.ge, ">": operator.gt}


class Branch(NamedTuple):
    """When a clock has passed an instant and another variable fulfils a comparison, a constant or a sum is assigned."""

    instant: float
    reads: int | None
    compare: str
    limit: int
    value: int
    adds: bool

    def holds(self, t: Any, d: Any) -> Any:
        due = t >= self.instant
        if self.reads is None:
            return due
        compared = _COMPARE[self.compare](d[self.reads], self.limit)
        return due & compared if not isinstance(compared, bool) else due and compared


def statements(seed: int) -> list[list[Branch]]:
    """Statement k assigns variable k, and reads variables before it."""
    rng = random.Random(seed)

    def branch(k: int) -> Branch:
        reads = rng.randrange(k) if k and rng.random() < 0.8 else None
        instant = rng.choice([-1.0, 0.0, 0.5, 1.0, 1.5])
        compare = rng.choice(list(_COMPARE))
        return Branch(instant, reads, compare, rng.randint(-1, 3), rng.randint(-2, 5), rng.random() < 0.4)

    return [[branch(k) for _ in range(rng.randint(1, 3))] for k in range(rng.randint(3, 6))]


def expected(whens: list[list[Branch]], instants: list[float]) -> list[int]:
    """Rounds in which the statements are looked at in order, until nothing changes."""
    d = [0] * len(whens)
    was = [[False] * len(branches) for branches in whens]
    for t in instants:
        changed = True
        while changed:
            before = list(d)
            fired = False
            for k, branches in enumerate(whens):
                held = [branch.holds(t, d) for branch in branches]
                rising = [b for b, branch in enumerate(branches) if held[b] and not was[k][b]]
                if rising:
                    fired = True
                    branch = branches[rising[0]]
                    d[k] = before[k] + branch.value if branch.adds else branch.value
                was[k] = held
            changed = fired or d != before
    return d


def chain(seed: int, by_time: bool, shown: bool) -> tg.Component:
    """The statements in any order; what conditions read may be an algebraic unknown that shows the variable."""
    whens = statements(seed)
    order = random.Random(seed).sample(range(len(whens)), len(whens))

    class Chain(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        d = tg.variable(discrete=True, start=[0.0] * len(whens), shape=len(whens))
        y = tg.variable(shape=len(whens))

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield self.y == self.d + 0.0 * self.x
            clock = tg.time if by_time else self.x
            read = self.y if shown else self.d
            for k in order:
                statement = None
                for branch in whens[k]:
                    value = tg.pre(self.d[k]) + branch.value if branch.adds else branch.value
                    arguments = (branch.holds(clock, read), self.d[k] == value)
                    statement = tg.when(*arguments) if statement is None else statement.elsewhen(*arguments)
                yield statement

    return Chain()


@pytest.mark.parametrize("seed", range(8))
def test_random_statements(seed: int) -> None:
    """A condition acted on the value before its instant, and the right branch did not act any more."""
    wanted = expected(statements(seed), [0.0, 0.5, 1.0, 1.5])
    model = tg.compile(chain(seed, by_time=seed % 2 == 0, shown=seed % 3 == 0))
    for solver in SOLVERS:
        assert model.simulate(2.0, solver=solver, points=2)["d"][-1].tolist() == wanted


@pytest.mark.parametrize("start", [1.0, 0.0, -1.0])
def test_the_other_branch_acts(start: float) -> None:
    """At the start and later: d is 5 by the time the conditions on it count."""

    class Both(tg.Component):
        start = tg.parameter(1.0)
        x = tg.variable(start=0.0, fixed=True)
        d = tg.variable(discrete=True, start=0.0)
        low = tg.integer()
        high = tg.integer()

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            due = self.x >= self.start
            low = self.low == tg.pre(self.low) + 1
            high = self.high == tg.pre(self.high) + 1
            yield tg.when(due & (self.d < 3), low).elsewhen(due & (self.d >= 3), high)
            yield tg.when(due, self.d == 5.0)

    run = tg.simulate(Both(), 2.0, parameters={"start": start})
    assert [run[name][-1] for name in ("low", "high", "d")] == [0, 1, 5]
