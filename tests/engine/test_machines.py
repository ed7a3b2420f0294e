"""State machines: supervisory logic beside a plant, exact times, actions on entry and exit, modes inside modes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg


class BatchControl(tg.StateMachine):
    """Fills the upper tank, lets it react, drains it into the lower one; stops while the lower one is full."""

    upper = tg.input("m")
    lower = tg.input("m")
    inlet = tg.boolean("valve into the upper tank")
    outlet = tg.boolean("valve between the tanks")
    batches = tg.integer("finished")
    reaction = tg.parameter(20.0, "s")

    def modes(self) -> Iterator[Any]:
        yield tg.mode("filling", self.inlet == True, self.outlet == False)  # noqa: E712
        yield tg.mode("reacting", self.inlet == False)  # noqa: E712
        yield tg.mode("draining", self.outlet == True, exit=self.batches == tg.pre(self.batches) + 1)  # noqa: E712
        yield tg.mode("waiting", self.outlet == False)  # noqa: E712
        yield tg.transition("filling", "reacting", self.upper > 0.8)
        yield tg.transition("reacting", "draining", tg.after(self.reaction) & (self.lower < 0.4))
        yield tg.transition("draining", "waiting", self.lower > 0.6)
        yield tg.transition("draining", "filling", self.upper < 0.2)
        yield tg.transition("waiting", "draining", self.lower < 0.4)


class Tanks(tg.Component):
    """Two tanks of 1 m2; the inlet gives 0.02 m/s, the pump between them 0.05 m/s, the lower one loses 0.01 m/s."""

    control = BatchControl()
    upper = tg.variable("m", start=0.0, fixed=True)
    lower = tg.variable("m", start=0.3, fixed=True)
    between = tg.variable("m/s")
    loss = tg.variable("m/s")

    def equations(self) -> Iterator[Any]:
        yield self.control.upper == self.upper
        yield self.control.lower == self.lower
        yield self.between == tg.where(self.control.outlet, 0.05, 0.0)
        yield self.loss == tg.where(self.lower > 0, 0.01, 0.0)
        yield tg.der(self.upper) == tg.where(self.control.inlet, 0.02, 0.0) - self.between
        yield tg.der(self.lower) == self.between - self.loss


def test_two_tanks_with_a_state_machine() -> None:
    """All rates are constant, so every instant follows by hand: see the comments."""
    solution = tg.simulate(Tanks(), 160.0, rtol=1e-9)
    log = [(event.time, event.what[0]) for event in solution.events if "control.mode" in event.what[0]]
    expected = [
        (40.0, "filling -> reacting"),  # 0.8 m at 0.02 m/s; the lower tank is empty since t = 30
        (60.0, "reacting -> draining"),  # 20 s later
        (72.0, "draining -> filling"),  # 0.6 m less at 0.05 m/s; the lower tank has 12 * 0.04 = 0.48 m
        (102.0, "filling -> reacting"),  # 0.6 m more
        (122.0, "reacting -> draining"),  # the lower tank is empty again since t = 120
        (134.0, "draining -> filling"),
    ]
    np.testing.assert_allclose([t for t, _ in log], [t for t, _ in expected], atol=1e-6)
    assert [text for _, text in log] == [f"control.mode: {text}" for _, text in expected]
    assert log[1][0] == log[0][0] + 20.0  # a time event: no root is searched
    assert solution["control.batches"][-1] == 2
    assert solution["lower"].max() < 0.6


def test_the_machine_waits_while_the_lower_tank_is_full() -> None:
    solution = tg.simulate(Tanks(lower=tg.variable(start=0.85, fixed=True)), 130.0, rtol=1e-9)
    log = [(round(event.time, 5), event.what[0].split(": ")[1]) for event in solution.events if "mode" in event.what[0]]
    # at t = 60 the lower tank has 0.25 m; 0.04 m/s more: 0.6 m would be reached after 8.75 s, the upper tank has 0.3625
    assert log[:4] == [
        (40.0, "filling -> reacting"),
        (60.0, "reacting -> draining"),
        (68.75, "draining -> waiting"),
        (88.75, "waiting -> draining"),
    ]
    assert solution.at(80.0)["upper"] == pytest.approx(0.8 - 8.75 * 0.05)
    assert solution.at(80.0)["control.outlet"] == 0.0


class Lamp(tg.StateMachine):
    """A traffic light with a mode of faults: modes inside a mode."""

    fault = tg.variable(discrete=True, start=0.0)
    red = tg.boolean()
    yellow = tg.boolean()
    green = tg.boolean()
    entries = tg.integer("times the cycle was entered")
    exits = tg.integer("times red was left, for whatever reason")
    blinks = tg.integer()

    def modes(self) -> Iterator[Any]:
        on, off = True, False
        cycle = tg.modes(
            tg.mode("red", self.red == on, self.green == off, exit=self.exits == tg.pre(self.exits) + 1),
            tg.mode("green", self.green == on, self.red == off),
            tg.transition("red", "green", tg.after(3.0)),
            tg.transition("green", "red", tg.after(2.0)),
            name="light",
        )
        blinking = tg.modes(
            tg.mode("bright", self.yellow == on, entry=self.blinks == tg.pre(self.blinks) + 1),
            tg.mode("dark", self.yellow == off),
            tg.transition("bright", "dark", tg.after(0.25)),
            tg.transition("dark", "bright", tg.after(0.25)),
        )
        yield tg.mode("normal", cycle, entry=self.entries == tg.pre(self.entries) + 1)
        yield tg.mode("faulty", blinking, self.red == off, self.green == off)
        yield tg.transition("normal", "faulty", self.fault > 0.5)
        yield tg.transition("faulty", "normal", self.fault < 0.5)

    def equations(self) -> Iterator[Any]:
        yield tg.when(tg.time > 6.0, self.fault == 1.0).elsewhen(tg.time > 7.1, self.fault == 0.0)


class Street(tg.Component):
    lamp = Lamp()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == tg.where(self.lamp.mode == "faulty", 1.0, 0.0)


def test_modes_inside_a_mode_are_entered_and_left_with_it() -> None:
    solution = tg.simulate(Street(), 11.0)
    log = [(event.time, text) for event in solution.events for text in event.what if "->" in text]
    assert log[:3] == [
        (3.0, "lamp.mode.normal.light: red -> green"),
        (5.0, "lamp.mode.normal.light: green -> red"),
        (6.0, "lamp.mode: normal -> faulty"),
    ]
    blinking = [round(t, 6) for t, text in log if "faulty.mode" in text]
    assert blinking == [6.25, 6.5, 6.75, 7.0]
    back = next(t for t, text in log if text == "lamp.mode: faulty -> normal")
    assert back == 7.1
    assert [round(t, 6) for t, text in log if t > 7.1] == [10.1]  # red again for its full 3 s
    at = solution.at([1.0, 4.0, 5.5, 6.1, 6.3, 6.6, 8.0, 10.5])
    np.testing.assert_array_equal(at["lamp.red"], [1, 0, 1, 0, 0, 0, 1, 0])
    np.testing.assert_array_equal(at["lamp.green"], [0, 1, 0, 0, 0, 0, 0, 1])
    np.testing.assert_array_equal(at["lamp.yellow"][3:6], [1, 0, 1])
    assert solution["lamp.entries"][-1] == 2  # at the start and at 7.1
    assert solution["lamp.exits"][-1] == 3  # at 3, at 6 with the mode around it, at 10.1
    assert solution["lamp.blinks"][-1] == 3  # 6, 6.5, 7
    assert solution["x"][-1] == pytest.approx(1.1)


def test_modes_inside_a_mode_have_equations_of_their_own() -> None:
    """A hoist: at rest, or moving and then slow at first and fast after a second; a lamp blinks beside that."""

    class Hoist(tg.Component):
        x = tg.variable("m", start=0.0, fixed=True)
        v = tg.variable("m/s")
        lamp = tg.boolean()

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == self.v
            speed = tg.modes(
                tg.mode("slow", self.v == 1.0),
                tg.mode("fast", self.v == 3.0 - 0.5 * self.x),
                tg.transition("slow", "fast", tg.after(1.0)),
                name="speed",
            )
            light = tg.modes(
                tg.mode("on", self.lamp == True),  # noqa: E712
                tg.mode("off", self.lamp == False),  # noqa: E712
                tg.transition("on", "off", tg.after(1.0)),
                tg.transition("off", "on", tg.after(1.0)),
                name="light",
            )
            yield tg.modes(
                tg.mode("resting", self.v == 0, self.lamp == False),  # noqa: E712
                tg.mode("moving", speed, light),
                tg.transition("resting", "moving", tg.after(0.5)),
                tg.transition("moving", "resting", self.x > 3.0),
                tg.transition("resting", "resting", tg.time > 100.0),
            )

    solution = tg.simulate(Hoist(), 3.0, rtol=1e-9)
    log = [(event.time, text) for event in solution.events for text in event.what if "->" in text]
    arrival = 1.5 + 2.0 * np.log(2.5 / 1.5)  # v falls from 2.5 to 1.5 with time constant 2
    assert [text for _, text in log] == [
        "mode: resting -> moving",
        "mode.moving.speed: slow -> fast",  # two transitions of one instant, side by side
        "mode.moving.light: on -> off",
        "mode.moving.light: off -> on",
        "mode: moving -> resting",
    ]
    np.testing.assert_allclose([t for t, _ in log], [0.5, 1.5, 1.5, 2.5, arrival], atol=1e-8)
    assert solution["x"][-1] == pytest.approx(3.0, abs=1e-8)
    np.testing.assert_array_equal(solution.at([0.3, 1.0, 2.0, 2.51, 2.9])["lamp"], [0, 1, 0, 1, 0])


def test_guards_at_sampling_instants() -> None:
    class Watchdog(tg.StateMachine):
        x = tg.input("1")

        def modes(self) -> Iterator[Any]:
            yield tg.mode("calm")
            yield tg.mode("alarm")
            yield tg.transition("calm", "alarm", tg.sample(0.0, 0.3) & (self.x > 1.0))

    class Plant(tg.Component):
        dog = Watchdog()
        x = tg.variable("1", start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.dog.x == self.x
            yield tg.der(self.x) == 1.0

    solution = tg.simulate(Plant(), 2.0)
    (alarm,) = [event.time for event in solution.events if "dog.mode: calm -> alarm" in event.what]
    assert alarm == pytest.approx(1.2, abs=1e-12)


def test_of_several_guards_the_first_written_wins_and_any_mode_can_fail() -> None:
    class Machine(tg.StateMachine):
        alarm = tg.boolean()

        def modes(self) -> Iterator[Any]:
            yield tg.mode("a")
            yield tg.mode("b")
            yield tg.mode("c")
            yield tg.mode("stopped", entry=self.alarm == True)  # noqa: E712
            yield tg.transition("*", "stopped", tg.time > 5.0)
            yield tg.transition("a", "b", tg.after(1.0))
            yield tg.transition("a", "c", tg.after(1.0))
            yield tg.transition(["b", "c"], "a", tg.after(1.0))

    class Plant(tg.Component):
        machine = Machine()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1.0

    solution = tg.simulate(Plant(), 8.0)
    taken = [event.what[0].split(": ")[1] for event in solution.events]
    assert taken == ["a -> b", "b -> a", "a -> b", "b -> a", "a -> stopped"]
    assert [event.time for event in solution.events] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert solution["machine.alarm"][-1] == 1.0


def test_time_in_a_mode_counts_from_the_start_of_the_run() -> None:
    class Blinker(tg.StateMachine):
        period = tg.parameter(0.5, "s")

        def modes(self) -> Iterator[Any]:
            yield tg.mode("on")
            yield tg.mode("off")
            yield tg.transition("on", "off", tg.after(self.period))
            yield tg.transition("off", "on", tg.after(self.period))

    class Plant(tg.Component):
        blinker = Blinker()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == tg.where(self.blinker.mode == "on", 1.0, 0.0)

    solution = tg.simulate(Plant(), 102.25, start=100.0)
    assert [event.time for event in solution.events] == [100.5, 101.0, 101.5, 102.0]
    assert solution["x"][-1] == pytest.approx(1.25)


def test_a_machine_waits_for_another_by_the_name_of_its_mode() -> None:
    class Leader(tg.StateMachine):
        def modes(self) -> Iterator[Any]:
            yield tg.mode("resting")
            yield tg.mode("running")
            yield tg.transition("resting", "running", tg.after(1.5))

    class Follower(tg.Component):
        leader = Leader()
        x = tg.variable(start=0.0, fixed=True)
        seen = tg.integer()

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("asleep", tg.der(self.x) == 0),
                tg.mode("awake", tg.der(self.x) == 1),
                tg.transition("asleep", "awake", self.leader.mode == "running"),
            )
            yield tg.when(self.leader.mode == "running", self.seen == 1)

    solution = tg.simulate(Follower(), 2.0)
    assert solution["x"][-1] == pytest.approx(0.5)
    assert solution["seen"][[0, -1]].tolist() == [0.0, 1.0]


def test_the_mode_at_the_start_can_be_given_by_name() -> None:
    class Plant(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("up", tg.der(self.x) == 1),
                tg.mode("down", tg.der(self.x) == -1),
                tg.transition("up", "down", self.x > 5),
                tg.transition("down", "up", self.x < -5),
            )

    assert tg.simulate(Plant(), 1.0, initial={"mode": "down"})["x"][-1] == pytest.approx(-1.0)
    with pytest.raises(tg.LanguageError, match=r"(?s)mode.*cannot be 'dwn'.*perhaps you meant 'down'"):
        tg.simulate(Plant(), 1.0, initial={"mode": "dwn"})


def test_plots_name_the_modes() -> None:
    solution = tg.simulate(Street(), 4.0)
    figure = solution.plot("x", "lamp.mode", "lamp.mode.normal.light")
    assert [label.get_text() for label in figure.axes[1].get_yticklabels()] == ["normal", "faulty"]
    assert len(figure.axes) == 3


def test_a_machine_can_be_drawn() -> None:
    figure = Lamp().plot()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert any(text.startswith("normal\n(red, green)") for text in texts)
    assert "fault > 0.5" in texts
