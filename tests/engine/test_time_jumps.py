"""What jumps by time alone: the values before and after, what pre() reads, and integrals, whatever makes the jump."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.time_jumps import INSTANTS, STOP, Signal, signal

SOLVERS = ("rk45", "cvode", "ida", "rodas")


def watched(u: Signal) -> tg.Component:
    """Notes at every instant what the signal is, and was, by itself and in what follows from it."""

    class Watched(tg.Component):
        u = tg.variable()
        v = tg.variable()
        x = tg.variable(start=0.0, fixed=True)
        now = tg.variable(discrete=True, start=0.0, shape=len(INSTANTS))
        was = tg.variable(discrete=True, start=0.0, shape=len(INSTANTS))
        followed = tg.variable(discrete=True, start=0.0, shape=len(INSTANTS))

        def equations(self) -> Any:
            yield self.u == u.expression(tg.time)
            yield self.v == 2.0 * self.u + 0.25 * self.x
            yield tg.der(self.x) == self.u
            for k, t in enumerate(INSTANTS):
                follows = tg.pre(self.v) - 0.25 * self.x
                yield tg.when(
                    tg.time >= t,
                    self.now[k] == self.u,
                    self.was[k] == tg.pre(self.u),
                    self.followed[k] == follows,
                )

    return Watched()


@pytest.mark.parametrize("seed", range(10))
def test_random_jumps(seed: int) -> None:
    """1 000 seeds were run by hand, with 1e-3 for integrals: corners of tables are no events."""
    u = signal(seed)
    model = tg.compile(watched(u))
    before = np.array([u.before(t) for t in INSTANTS])
    after = np.array([u.after(t) for t in INSTANTS])
    for solver in SOLVERS:
        run = model.simulate(STOP, solver=solver, points=2)
        assert run["now"][-1] == pytest.approx(after, abs=1e-5)
        assert run["was"][-1] == pytest.approx(before, abs=1e-5)
        assert run["followed"][-1] == pytest.approx(2.0 * before, abs=2e-5)
        assert run["x"][-1] == pytest.approx(u.integral(), abs=2e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_conditions_that_end_at_their_instant(solver: str) -> None:
    """2 - time > 1 stayed true after 1 s, ceil(time) stayed 0 for ever; with f = 0, f*time > 0 was true."""

    class Ends(tg.Component):
        f = tg.parameter(0.0)
        a = tg.variable(start=0.0, fixed=True)
        b = tg.variable(start=0.0, fixed=True)
        c = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.a) == tg.where(2.0 - tg.time > 1.0, 1.0, 0.0)
            yield tg.der(self.b) == tg.ceil(tg.time)
            yield tg.der(self.c) == tg.where(self.f * tg.time > 0.0, 1.0, 0.0)

    model = tg.compile(Ends())
    run = model.simulate(2.0, solver=solver)
    assert [run[name][-1] for name in "abc"] == pytest.approx([1.0, 3.0, 0.0], abs=1e-6)
    assert model.simulate(2.0, solver=solver, parameters={"f": 1.0})["c"][-1] == pytest.approx(2.0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_rests_at_an_integer_has_reached_it(solver: str) -> None:
    """floor(1) was 0 for a state that starts, or jumps, to 1 and stays there."""

    class Rests(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        y = tg.variable(start=0.0, fixed=True)
        down = tg.variable(start=2.0, fixed=True)
        whole = tg.variable(shape=3)

        def equations(self) -> Any:
            yield tg.der(self.x) == 0.0
            yield tg.der(self.y) == 0.0
            yield tg.der(self.down) == -1.0
            yield tg.when(tg.time >= 0.5, tg.reinit(self.y, tg.pre(self.y) + 1.0))
            yield self.whole[0] == tg.floor(self.x)
            yield self.whole[1] == tg.floor(self.y) + self.x % 1.0
            yield self.whole[2] == tg.floor(self.down)

    run = tg.simulate(Rests(), stop=1.5, solver=solver)
    assert run.at(0.25)["whole"] == pytest.approx([1.0, 0.0, 1.0])
    assert run.at(0.75)["whole"] == pytest.approx([1.0, 1.0, 1.0])
    assert run.at(1.25)["whole"] == pytest.approx([1.0, 1.0, 0.0])


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_table_of_a_state_jumps_with_the_state(solver: str) -> None:
    """pre() had the value after the jump, and IDA found no way across it."""

    class Steps(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        u = tg.variable()
        was = tg.variable(discrete=True, start=0.0)
        now = tg.variable(discrete=True, start=0.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield self.u == tg.interpolate(self.x, [0.0, 1.0, 2.0], [3.0, 5.0, 9.0], kind="constant")
            yield tg.when(self.x >= 1.0, self.was == tg.pre(self.u), self.now == self.u)

    run = tg.simulate(Steps(), stop=1.5, solver=solver)
    assert (run["was"][-1], run["now"][-1]) == (3.0, 5.0)
