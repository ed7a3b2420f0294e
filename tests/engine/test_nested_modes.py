"""Modes inside a mode, at the instants at which the mode around them is left, entered or entered from itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg

SOLVERS = ["auto", "rk45", "cvode", "ida"]


class Moving(tg.Component):
    """What the solvers need beside a machine: a state."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 1.0


GUARDS: dict[str, Callable[[float], Any]] = {
    "after": tg.after,
    "time": lambda t: tg.time >= t,
    "sample": lambda t: tg.sample(t, 100.0),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("outer", GUARDS)
@pytest.mark.parametrize("inner", ["after", "sample"])
def test_an_inner_transition_due_when_the_mode_around_is_left_is_not_taken(outer: str, inner: str, solver: str) -> None:
    """At t = 1 both are due: "run" is left, and "a" is not entered for a second time."""

    class Machine(tg.StateMachine):
        entered = tg.integer("times a was entered")
        left = tg.integer("times b was left")

        def modes(self) -> Iterator[Any]:
            guard = GUARDS[inner](0.5) if inner == "after" else tg.sample(0.5, 0.5)
            cycle = tg.modes(
                tg.mode("a", entry=self.entered == tg.pre(self.entered) + 1),
                tg.mode("b", exit=self.left == tg.pre(self.left) + 1),
                tg.transition("a", "b", guard),
                tg.transition("b", "a", guard),
                name="in",
            )
            yield tg.mode("run", cycle)
            yield tg.mode("idle")
            yield tg.transition("run", "idle", GUARDS[outer](1.0))

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 2.0, solver=solver)
    assert solution["s.entered"][-1] == 1
    assert solution["s.left"][-1] == 1  # with the mode around it
    taken = [(event.time, text) for event in solution.events for text in event.what if "->" in text]
    assert taken == [(0.5, "s.mode.run.in: a -> b"), (1.0, "s.mode: run -> idle")]


@pytest.mark.parametrize("solver", SOLVERS)
def test_many_cycles(solver: str) -> None:
    """In each visit of "run", 1 s long, "a" is entered at its begin and never at its end: 10 visits in 15 s."""

    class Machine(tg.StateMachine):
        k = tg.integer("times a was entered")

        def modes(self) -> Iterator[Any]:
            cycle = tg.modes(
                tg.mode("a", entry=self.k == tg.pre(self.k) + 1),
                tg.mode("b"),
                tg.transition("a", "b", tg.after(0.5)),
                tg.transition("b", "a", tg.after(0.5)),
            )
            yield tg.mode("run", cycle)
            yield tg.mode("idle")
            yield tg.transition("run", "idle", tg.after(1.0))
            yield tg.transition("idle", "run", tg.after(0.5))

    class Plant(Moving):
        s = Machine()

    assert tg.simulate(Plant(), 14.9, solver=solver)["s.k"][-1] == 10


@pytest.mark.parametrize("solver", SOLVERS)
def test_three_levels_wait_for_the_outermost(solver: str) -> None:
    """All three levels are due at t = 1; only the outermost acts, and those inside end once."""

    class Machine(tg.StateMachine):
        k = tg.integer("times p was entered")
        m = tg.integer("times a was entered")
        ends = tg.integer("times q was left")

        def modes(self) -> Iterator[Any]:
            deep = tg.modes(
                tg.mode("p", entry=self.k == tg.pre(self.k) + 1),
                tg.mode("q", exit=self.ends == tg.pre(self.ends) + 1),
                tg.transition("p", "q", tg.after(0.125)),
                tg.transition("q", "p", tg.after(0.125)),
                name="deep",
            )
            middle = tg.modes(
                tg.mode("a", entry=self.m == tg.pre(self.m) + 1),
                tg.mode("b", deep),
                tg.transition("a", "b", tg.after(0.25)),
                tg.transition("b", "a", tg.after(0.75)),
                name="in",
            )
            yield tg.mode("run", middle)
            yield tg.mode("idle")
            yield tg.transition("run", "idle", tg.after(1.0))
            yield tg.transition("idle", "run", tg.after(1.0))

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 7.9, solver=solver)  # four visits of "run": from 0, 2, 4 and 6 on
    assert solution["s.m"][-1] == 4
    assert solution["s.k"][-1] == 4 * 3  # at 0.25, 0.5 and 0.75 of each visit
    assert solution["s.ends"][-1] == 4 * 3  # at 0.5, 0.75 and with "run"


def test_a_jump_that_ends_the_guard_of_the_outer_mode_does_not_let_the_inner_one_act() -> None:
    """The transition out of "run" sets x back, so its guard no longer holds in the instant in which it acts."""

    class Plant(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer("times the inner transition was taken")

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1.0
            inner = tg.modes(
                tg.mode("a"),
                tg.mode("b"),
                tg.transition("a", "b", (self.x < 0.5) & (tg.time > 0.9), self.n == tg.pre(self.n) + 1),
            )
            yield tg.modes(
                tg.mode("run", inner),
                tg.mode("idle"),
                tg.transition("run", "idle", self.x > 1.0, tg.reinit(self.x, 0.0)),
            )

    solution = tg.simulate(Plant(), 2.0)
    assert solution["mode"][-1] == 1
    assert solution["n"][-1] == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_transition_to_the_same_mode_begins_the_modes_inside_again(solver: str) -> None:
    """Slow to x = 1 in 1 s, fast to 3 in 0.5 s, then from the beginning: cycles of 1.5 s."""

    class Plant(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer("cycles")
        slow = tg.integer("times slow was entered")
        fast = tg.integer("times fast was left")

        def equations(self) -> Iterator[Any]:
            inner = tg.modes(
                tg.mode("slow", tg.der(self.x) == 1.0, entry=self.slow == tg.pre(self.slow) + 1),
                tg.mode("fast", tg.der(self.x) == 4.0, exit=self.fast == tg.pre(self.fast) + 1),
                tg.transition("slow", "fast", self.x > 1.0),
                name="speed",
            )
            yield tg.modes(
                tg.mode("go", inner),
                tg.mode("rest", tg.der(self.x) == 0.0),
                tg.transition("go", "go", self.x > 3.0, tg.reinit(self.x, 0.0), self.n == tg.pre(self.n) + 1),
                tg.transition("go", "rest", tg.time > 100.0),
            )

    solution = tg.simulate(Plant(), 4.0, solver=solver, rtol=1e-9)
    assert solution["n"][-1] == 2
    assert solution["slow"][-1] == 3
    assert solution["fast"][-1] == 2
    times = [event.time for event in solution.events if "mode: go -> go" in event.what]
    np.testing.assert_allclose(times, [1.5, 3.0], atol=1e-7)
    assert solution["x"][-1] == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("deep_in", ["first", "second"])
def test_all_depths_begin_again(deep_in: str, solver: str) -> None:
    """ "go" is entered from itself every 2 s; the deepest modes lie in the first or in the second mode inside it."""

    class Machine(tg.StateMachine):
        enters = tg.integer("times p was entered")
        leaves = tg.integer("times q was left")
        firsts = tg.integer("times first was entered")

        def modes(self) -> Iterator[Any]:
            deep = tg.modes(
                tg.mode("p", entry=self.enters == tg.pre(self.enters) + 1),
                tg.mode("q", exit=self.leaves == tg.pre(self.leaves) + 1),
                tg.transition("p", "q", tg.after(0.5)),
                name="deep",
            )
            parts = {"first": [], "second": [], deep_in: [deep]}
            long = 1.0 if deep_in == "second" else 10.0
            middle = tg.modes(
                tg.mode("first", parts["first"], entry=self.firsts == tg.pre(self.firsts) + 1),
                tg.mode("second", parts["second"]),
                tg.transition("first", "second", tg.after(long)),
                name="in",
            )
            yield tg.mode("go", middle)
            yield tg.mode("stop")
            yield tg.transition("go", "stop", tg.time > 50.0)
            yield tg.transition("go", "go", tg.after(2.0))

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 7.9, solver=solver)  # "go" begins at 0, 2, 4, 6
    assert solution["s.firsts"][-1] == 4
    assert solution["s.enters"][-1] == 4  # with the first mode, or 1 s later with the second one
    assert solution["s.leaves"][-1] == 3  # with "go"
    taken = [event.time for event in solution.events if f"s.mode.go.in.{deep_in}.deep: p -> q" in event.what]
    begin = 0.5 if deep_in == "first" else 1.5
    assert taken == [begin, 2 + begin, 4 + begin, 6 + begin]


def test_an_inner_self_transition_begins_only_what_is_inside_it() -> None:
    """The middle mode is entered from itself every second; that the outer one is not shows in its clock."""

    class Machine(tg.StateMachine):
        enters = tg.integer("times p was entered")
        n = tg.integer("times middle was entered from itself")

        def modes(self) -> Iterator[Any]:
            deep = tg.modes(
                tg.mode("p", entry=self.enters == tg.pre(self.enters) + 1),
                tg.mode("q"),
                tg.transition("p", "q", tg.after(0.75)),
                tg.transition("q", "p", tg.after(0.5)),
                name="deep",
            )
            middle = tg.modes(
                tg.mode("m", deep),
                tg.mode("never"),
                tg.transition("m", "never", tg.time > 50.0),
                tg.transition("m", "m", tg.after(1.0), self.n == tg.pre(self.n) + 1),
                name="in",
            )
            yield tg.mode("go", middle)
            yield tg.mode("stop")
            yield tg.transition("go", "stop", tg.after(4.5))

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 6.0)
    assert solution["s.n"][-1] == 4
    assert solution["s.enters"][-1] == 5
    assert solution.events[-1].time == 4.5


def test_a_guard_of_a_self_transition_that_goes_on_holding_does_not_stop_the_modes_inside() -> None:
    """It acts when it becomes true, at t = 1, and not after that; the modes inside run on."""

    class Machine(tg.StateMachine):
        def modes(self) -> Iterator[Any]:
            inner = tg.modes(
                tg.mode("a"),
                tg.mode("b"),
                tg.transition("a", "b", tg.after(0.75)),
                tg.transition("b", "a", tg.after(0.75)),
                name="in",
            )
            yield tg.mode("go", inner)
            yield tg.mode("stop")
            yield tg.transition("go", "stop", tg.time > 50.0)
            yield tg.transition("go", "go", tg.time > 1.0)

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 3.0)
    taken = [(event.time, text) for event in solution.events for text in event.what if "->" in text]
    assert taken == [
        (0.75, "s.mode.go.in: a -> b"),
        (1.0, "s.mode: go -> go"),
        (1.75, "s.mode.go.in: a -> b"),
        (2.5, "s.mode.go.in: b -> a"),
    ]


def test_a_transition_that_waits_for_a_self_transition_is_taken_after_it() -> None:
    class Machine(tg.StateMachine):
        n = tg.integer()

        def modes(self) -> Iterator[Any]:
            yield tg.mode("a")
            yield tg.mode("b")
            yield tg.transition("a", "a", tg.time > 1.0, self.n == tg.pre(self.n) + 1)
            yield tg.transition("a", "b", tg.time > 1.0)

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 2.0)
    assert solution["s.n"][-1] == 1
    assert solution["s.mode"][-1] == 1


def test_the_first_mode_inside_is_entered_before_it_is_left() -> None:
    """The guard of its transition holds already when the mode around it is entered."""

    class Machine(tg.StateMachine):
        enters = tg.integer()
        leaves = tg.integer()

        def modes(self) -> Iterator[Any]:
            inner = tg.modes(
                tg.mode(
                    "a",
                    entry=self.enters == tg.pre(self.enters) + 1,
                    exit=self.leaves == tg.pre(self.leaves) + 1,
                ),
                tg.mode("b"),
                tg.transition("a", "b", tg.time > 0.5),
            )
            yield tg.mode("idle")
            yield tg.mode("run", inner)
            yield tg.transition("idle", "run", tg.after(1.0))
            yield tg.transition("run", "idle", tg.after(1.0))

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 3.5)
    assert solution["s.enters"][-1] == solution["s.leaves"][-1] == 2


def test_every_mode_is_entered_once_at_the_start() -> None:
    """The guard of "a" holds from the beginning: "a" is entered and left, "b" is entered, each once."""

    class Machine(tg.StateMachine):
        a_in = tg.integer()
        a_out = tg.integer()
        b_in = tg.integer()

        def modes(self) -> Iterator[Any]:
            count = [n == tg.pre(n) + 1 for n in (self.a_in, self.a_out, self.b_in)]
            yield tg.mode("a", entry=count[0], exit=count[1])
            yield tg.mode("b", entry=count[2])
            yield tg.transition("a", "b", tg.time >= 0.0)

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 1.0)
    assert [solution[f"s.{name}"][-1] for name in ("a_in", "a_out", "b_in")] == [1, 1, 1]


def test_a_guard_that_holds_from_the_beginning_in_modes_with_a_clock() -> None:
    class Machine(tg.StateMachine):
        def modes(self) -> Iterator[Any]:
            yield tg.mode("a")
            yield tg.mode("b")
            yield tg.mode("c")
            yield tg.transition("a", "b", tg.time >= 0.0)
            yield tg.transition("b", "c", tg.after(0.5))

    class Plant(Moving):
        s = Machine()

    solution = tg.simulate(Plant(), 1.0)
    assert solution["s.mode"][0] == 1
    assert [event.time for event in solution.events if "s.mode: b -> c" in event.what] == [0.5]
