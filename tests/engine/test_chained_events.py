"""Events that set each other off at one instant: pre() is the value after the last event iteration, as in Modelica.

Oracles: conservation of momentum, collisions computed one by one, finite differences.
"""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg

SOLVERS = ("rk45", "cvode", "ida", "rodas")


class Balls(tg.Component):
    """Balls on a line that touch each other; the first one comes along and hits the second."""

    n = tg.parameter(3, structural=True)
    m = tg.parameter(1.0, "kg", shape=n)
    e = tg.parameter(1.0, "1", "restitution")
    x = tg.variable("m", start=0.0, fixed=True, shape=n)
    v = tg.variable("m/s", start=0.0, fixed=True, shape=n)
    hits = tg.integer("of a ball and the next one", shape=n - 1)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == 0.0
        for a in range(self.n - 1):
            b = a + 1
            impulse = (1 + self.e) / (1 / self.m[a] + 1 / self.m[b]) * (tg.pre(self.v[a]) - tg.pre(self.v[b]))
            yield tg.when(
                (self.x[a] >= self.x[b]) & (self.v[a] > self.v[b]),
                tg.reinit(self.v[a], tg.pre(self.v[a]) - impulse / self.m[a]),
                tg.reinit(self.v[b], tg.pre(self.v[b]) + impulse / self.m[b]),
                self.hits[a] == tg.pre(self.hits[a]) + 1,
            )


def balls(masses: np.ndarray, e: float) -> Balls:
    """A row of balls, the first half a metre to the left with one metre per second."""
    n = len(masses)
    at_first = np.eye(n)[0]
    return Balls(
        n=n, m=masses, e=e, x=tg.variable(start=-0.5 * at_first, fixed=True), v=tg.variable(start=at_first, fixed=True)
    )


def collided(masses: np.ndarray, e: float) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and numbers of hits, by collisions one after the other."""
    v = np.eye(len(masses))[0]
    hits = np.zeros(len(masses) - 1)
    while True:
        due = np.flatnonzero(v[:-1] > v[1:])
        if not len(due):
            return v, hits
        for a in due:
            impulse = (1 + e) / (1 / masses[a] + 1 / masses[a + 1]) * (v[a] - v[a + 1])
            v[a] -= impulse / masses[a]
            v[a + 1] += impulse / masses[a + 1]
            hits[a] += 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_newtons_cradle(solver: str) -> None:
    """Equal balls exchange velocities: the last one leaves with that of the first."""
    solution = tg.simulate(balls(np.ones(5), 1.0), 1.0, solver=solver)
    np.testing.assert_allclose(solution["v"][-1], [0, 0, 0, 0, 1], atol=1e-12)
    np.testing.assert_array_equal(solution["hits"][-1], [1, 1, 1, 1])


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_different_balls(seed: int) -> None:
    """Random masses: elastic collisions run to and fro at one instant; of two balls also others."""
    rng = np.random.default_rng(seed)
    masses = 10.0 ** rng.uniform(-1, 1, rng.integers(2, 7))
    e = 1.0 if len(masses) > 2 else rng.uniform(0.1, 1.0)
    solution = tg.simulate(balls(masses, e), 0.6, solver=str(rng.choice(SOLVERS)))
    at = np.flatnonzero(solution.time == solution.events[0].time)[-1]  # later on they may catch up with each other
    v, hits = collided(masses, e)
    np.testing.assert_allclose(solution["v"][at], v, atol=1e-12)
    np.testing.assert_array_equal(solution["hits"][at], hits)
    assert solution["v"][at] @ masses == pytest.approx(masses[0], rel=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_transitions_at_one_instant(solver: str) -> None:
    """x := x + 1, then x := 10 x; a discrete variable does the same."""

    class Chain(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        n = tg.variable(discrete=True, start=1.0)

        def equations(self):
            yield tg.modes(
                tg.mode("a", tg.der(self.x) == 0),
                tg.mode("b", tg.der(self.x) == 0),
                tg.mode("c", tg.der(self.x) == 0),
                tg.transition(
                    "a", "b", tg.time > 0.5, tg.reinit(self.x, tg.pre(self.x) + 1), self.n == tg.pre(self.n) + 1
                ),
                tg.transition(
                    "b", "c", self.x > 0, tg.reinit(self.x, 10 * tg.pre(self.x)), self.n == 10 * tg.pre(self.n)
                ),
            )

    solution = tg.simulate(Chain(), 1.0, solver=solver)
    assert (solution["x"][-1], solution["n"][-1]) == (20.0, 20.0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_a_reinit_makes_true_is_not_lost(solver: str) -> None:
    """The other branch of the same clause, and a clause on the edge of a discrete variable set beside the reinit."""

    class Both(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        b = tg.boolean()
        edges = tg.integer()

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when((self.x > 1.0) & (self.x < 2.0), tg.reinit(self.x, 10.0), self.b == True).elsewhen(  # noqa: E712
                self.x > 5.0, tg.reinit(self.x, tg.pre(self.x) + 100.0)
            )
            yield tg.when(tg.edge(self.b), self.edges == tg.pre(self.edges) + 1)

    solution = tg.simulate(Both(), 1.5, solver=solver)
    assert solution["x"][-1] == pytest.approx(110.5, abs=1e-6)
    assert solution["edges"][-1] == 1


def test_sensitivities_through_a_chain_of_impacts() -> None:
    """Forward sensitivities of the last ball's speed, against central differences."""
    masses = np.array([1.0, 0.4, 2.0])
    wanted = ("e", "m[0]", "m[1]", "m[2]")
    found = tg.sensitivity(balls(masses, 0.8), 0.6, wrt=list(wanted), rtol=1e-9)
    h = 1e-6
    for k, name in enumerate(wanted):
        step = np.eye(4)[k] * h
        up, down = (collided(masses + s * step[1:], 0.8 + s * step[0])[0][-1] for s in (1.0, -1.0))
        assert found["v[2]", name][-1] == pytest.approx((up - down) / (2 * h), rel=1e-6)


def test_a_new_value_that_runs_away_says_why() -> None:
    """w follows from v, so the clause computes a value from itself by way of w; only the run shows it."""

    class Ball(tg.Component):
        h = tg.variable("m", start=1.0, fixed=True)
        v = tg.variable("m/s", start=0.0, fixed=True)
        w = tg.variable("m/s")

        def equations(self):
            yield tg.der(self.h) == self.v
            yield tg.der(self.v) == -9.81
            yield self.w == 2.0 * self.v
            yield tg.when(self.h < 0, tg.reinit(self.v, -self.w))

    with pytest.raises(tg.NumericError, match=r"(?s)reinit\(v, -w\).*tg\.pre"):
        tg.simulate(Ball(), 1.0)
