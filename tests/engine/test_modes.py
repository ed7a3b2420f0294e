"""Modes: equations that are exchanged in a run, checked against closed-form solutions and the figures of the seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import electrical as el


class SaturatedMotor(tg.Component):
    """DC motor, gear and link of E2 in the seeds (inch, ounce, second; volt and ampere)."""

    Jm = tg.parameter(0.0044)
    La = tg.parameter(0.0048)
    Ra = tg.parameter(2.4)
    Kb = tg.parameter(0.0401)
    KT = tg.parameter(5.6)
    Bv = tg.parameter(0.0137)
    ratio = tg.parameter(12.5)
    JL = tg.parameter(41.077)
    i_max = tg.parameter(0.25)
    sign = tg.parameter(1.0)
    v = tg.variable()
    w = tg.variable(start=0.0, fixed=True)
    i = tg.variable(start=0.0, fixed=True)
    torque = tg.variable()

    def equations(self) -> Iterator[Any]:
        unsaturated = self.v - self.Kb * self.w - self.Ra * self.i
        momentum = self.Jm * tg.der(self.w) + self.torque
        limit = self.i_max
        yield self.v == self.sign * 1.0
        yield self.torque == self.JL / self.ratio**2 * tg.der(self.w)
        yield tg.modes(
            tg.mode("linear", momentum == self.KT * self.i - self.Bv * self.w, self.La * tg.der(self.i) == unsaturated),
            tg.mode("high", momentum == self.KT * limit - self.Bv * self.w, tg.der(self.i) == 0),
            tg.mode("low", tg.der(self.i) == 0, momentum == -self.KT * limit - self.Bv * self.w),
            tg.transition("linear", "high", self.i > limit, tg.reinit(self.i, limit)),
            tg.transition("linear", "low", self.i < -limit, tg.reinit(self.i, -limit)),
            tg.transition("high", "linear", unsaturated < 0),
            tg.transition("low", "linear", unsaturated > 0),
        )


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_motor_with_current_saturation_of_the_seeds(sign: float) -> None:
    """E2: every figure marked [V], to the digits printed, in both directions of the current."""
    solution = tg.simulate(SaturatedMotor(sign=sign), 10.0, rtol=1e-9, atol=1e-12)
    enter, leave = solution.events
    other = "high" if sign > 0 else "low"
    assert enter.what == (f"mode: linear -> {other}",)
    assert leave.what == (f"mode: {other} -> linear",)
    assert enter.time == pytest.approx(1.83287e-3, abs=0.5e-8)
    assert leave.time == pytest.approx(2.004732, abs=0.6e-6)
    assert sign * solution.at(enter.time)["w"] == pytest.approx(0.0055232, abs=0.5e-7)
    assert sign * solution.at(leave.time)["w"] == pytest.approx(9.975062, abs=0.5e-6)
    for t, w, i in ((3.0, 13.855434, 0.185272), (5.0, 18.215457, 0.112364), (10.0, 21.277724, 0.061158)):
        assert sign * solution.at(t)["w"] == pytest.approx(w, abs=0.6e-6)
        assert sign * solution.at(t)["i"] == pytest.approx(i, abs=0.6e-6)
    inside = (solution.time > enter.time) & (solution.time < leave.time)
    np.testing.assert_array_equal(solution["i"][inside], sign * 0.25)


class Switch(el.OnePort):
    """Ideal: no voltage when closed, no current when open."""

    closing = tg.parameter(1e-3, "s")
    opening = tg.parameter(3e-3, "s")

    def equations(self) -> Iterator[Any]:
        yield tg.modes(
            tg.mode("open", self.i == 0),
            tg.mode("closed", self.v == 0),
            tg.transition("open", "closed", (tg.time > self.closing) & (tg.time < self.opening)),
            tg.transition("closed", "open", tg.time > self.opening),
        )


class Charger(tg.Component):
    """A capacitor charged through a switch, discharged through a resistor."""

    source = el.ConstantVoltage(V=5.0)
    switch = Switch()
    r = el.Resistor(R=1e3)
    c = el.Capacitor(C=1e-6, v=tg.variable(start=0.0, fixed=True))
    leak = el.Resistor(R=1e4)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.source.p, self.switch.p
        yield self.switch.n, self.r.p
        yield self.r.n, self.c.p, self.leak.p
        yield self.source.n, self.c.n, self.leak.n, self.ground.p


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_ideal_switch_in_a_circuit(solver: str) -> None:
    """In each mode another coefficient of the block is zero, so it must be solved with pivoting, by every solver."""
    solution = shared_model(Charger).simulate(5e-3, solver=solver, rtol=1e-9)
    assert [event.time for event in solution.events] == [1e-3, 3e-3]  # instants of time are exact
    tau, level = 1e-6 / (1 / 1e3 + 1 / 1e4), 5.0 * 1e4 / 1.1e4
    peak = level * (1 - np.exp(-2e-3 / tau))
    t = solution.time
    exact = np.where(t < 3e-3, level * (1 - np.exp(-np.maximum(t - 1e-3, 0) / tau)), peak * np.exp(-(t - 3e-3) / 1e-2))
    np.testing.assert_allclose(solution["c.v"], exact, atol=1e-7)
    closed = solution["switch.mode"] == 1
    assert solution["switch.v"][closed] == pytest.approx(0.0, abs=1e-12)
    assert solution["switch.i"][~closed] == pytest.approx(0.0, abs=1e-15)


def test_a_bridge_of_four_switches_turns_a_voltage_round() -> None:
    """Pairs of ideal switches work against each other: modes of several components in one block."""

    class Bridge(tg.Component):
        source = el.ConstantVoltage(V=12.0)
        a = Switch(closing=1e-3, opening=2e-3)
        b = Switch(closing=1e-3, opening=2e-3)
        c = Switch(closing=2e-3, opening=3e-3)
        d = Switch(closing=2e-3, opening=3e-3)
        load = el.Resistor(R=3.0)
        bleed = el.Resistor(R=1e6)
        ground = el.Ground()

        def connections(self) -> Iterator[Any]:
            yield self.source.p, self.a.p, self.c.p
            yield self.a.n, self.load.p, self.d.p, self.bleed.p
            yield self.c.n, self.load.n, self.b.p
            yield self.b.n, self.d.n, self.source.n, self.bleed.n, self.ground.p

    solution = tg.simulate(Bridge(), 4e-3, rtol=1e-9)
    wanted = [0.0, 4.0, -4.0, 0.0]
    np.testing.assert_allclose(solution.at([0.5e-3, 1.5e-3, 2.5e-3, 3.5e-3])["load.i"], wanted, atol=1e-9)


class TwoInSeries(tg.Component):
    """Two switches with nothing between them that would hold the potential there while both are open."""

    source = el.ConstantVoltage(V=5.0)
    a = Switch(closing=0.0)
    b = Switch()
    r = el.Resistor(R=10.0)
    c = el.Capacitor(C=1e-5, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.source.p, self.a.p
        yield self.a.n, self.b.p
        yield self.b.n, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_modes_that_are_impossible_together_end_the_run_with_their_names(solver: str) -> None:
    """Each switch alone leaves nothing open, so the structure allows them; at 3 ms both open at once."""
    solution = shared_model(TwoInSeries).simulate(5e-3, solver=solver, throw=False)
    assert not solution.outcome.ok
    assert solution.outcome.time == 3e-3
    assert solution.outcome.details == ("a.mode: closed -> open", "b.mode: closed -> open")


def test_modes_that_are_impossible_together_at_the_start_are_told() -> None:
    with pytest.raises(tg.NumericError, match=r"a\.mode|a\.v|b\.v"):
        tg.simulate(TwoInSeries(a=Switch(closing=2e-3)), 5e-3)


class Ball(tg.Component):
    """Falls, bounces, and lies when the bounce is too slow: contact as a mode with a force of its own."""

    m = tg.parameter(2.0, "kg")
    g = tg.parameter(9.81, "m/s2")
    e = tg.parameter(0.5, "1")
    slow = tg.parameter(0.1, "m/s")
    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    push = tg.variable("N")
    contact = tg.variable("N", "force of the ground")

    def equations(self) -> Iterator[Any]:
        yield self.push == tg.where(tg.time > 3.0, 25.0, 0.0)
        yield tg.der(self.h) == self.v
        yield self.m * tg.der(self.v) == self.push + self.contact - self.m * self.g
        hits = (self.h < 0) & (self.v < 0)
        yield tg.modes(
            tg.mode("flying", self.contact == 0),
            tg.mode("resting", tg.der(self.v) == 0),
            tg.transition(
                "flying", "resting", hits & (self.v > -self.slow), tg.reinit(self.v, 0), tg.reinit(self.h, 0)
            ),
            tg.transition("flying", "flying", hits, tg.reinit(self.v, -self.e * tg.pre(self.v))),
            tg.transition("resting", "flying", self.contact < 0),
        )


def test_ball_comes_to_rest_and_is_lifted_again() -> None:
    """Impacts shrink by e until one is slower than the limit; the ground then carries the weight less the push."""
    solution = tg.simulate(Ball(), 4.0, rtol=1e-10, atol=1e-12)
    fall = np.sqrt(2 / 9.81)
    speed, t, impacts = 9.81 * fall, fall, []
    while speed > 0.1:
        impacts.append(t)
        speed *= 0.5
        t += 2 * speed / 9.81
    taken = [event.time for event in solution.events if event.what == ("mode: flying -> flying",)]
    np.testing.assert_allclose(taken, impacts, atol=1e-8)
    rest = next(event.time for event in solution.events if event.what == ("mode: flying -> resting",))
    assert rest == pytest.approx(t, abs=1e-8)
    assert solution.at(2.5)["contact"] == pytest.approx(2.0 * 9.81)
    assert solution.at(2.5)["h"] == 0.0
    lift = 25.0 / 2.0 - 9.81
    assert solution.at(4.0)["h"] == pytest.approx(0.5 * lift, rel=1e-8)
    assert solution.events[-1].time == 3.0


def test_no_needless_events() -> None:
    """Guards of modes that are not active make no roots: the sine passes 0.5 eight times, the mode hears one."""

    class Once(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        y = tg.variable(start=1.0, fixed=True)
        z = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == self.y
            yield tg.der(self.y) == -self.x
            yield tg.modes(
                tg.mode("waiting", tg.der(self.z) == 0),
                tg.mode("gone", tg.der(self.z) == 1),
                tg.transition("waiting", "gone", self.x > 0.5),
            )

    solution = tg.simulate(Once(), 8 * np.pi, rtol=1e-9)
    assert len(solution.events) == solution.stats["events"] == 1
    assert solution.events[0].time == pytest.approx(np.arcsin(0.5), abs=1e-8)
    assert solution["z"][-1] == pytest.approx(8 * np.pi - np.arcsin(0.5), abs=1e-7)


def test_the_mode_at_the_start_is_found_from_the_guards() -> None:
    class Late(tg.Component):
        x = tg.variable(start=3.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("low", tg.der(self.x) == 1),
                tg.mode("middle", tg.der(self.x) == 2),
                tg.mode("high", tg.der(self.x) == 3),
                tg.transition("low", "middle", self.x > 1),
                tg.transition("middle", "high", self.x > 2),
            )

    solution = tg.simulate(Late(), 1.0)
    assert solution["mode"][0] == 2
    assert solution["x"][-1] == pytest.approx(6.0)


def test_transitions_back_and_forth_at_one_instant_are_told() -> None:
    class Restless(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("a", tg.der(self.x) == 1),
                tg.mode("b", tg.der(self.x) == -1),
                tg.transition("a", "b", self.x > 0.5),
                tg.transition("b", "a", self.x > 0.4),
            )

    with pytest.raises(tg.NumericError, match=r"(?s)t = 0.5.*back and forth.*mode: a -> b.*mode: b -> a"):
        tg.simulate(Restless(), 1.0)


def test_chattering_between_modes_is_told_by_its_transitions() -> None:
    class Sliding(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("up", tg.der(self.x) == 1),
                tg.mode("down", tg.der(self.x) == -1),
                tg.transition("up", "down", self.x > 0.5),
                tg.transition("down", "up", self.x < 0.5),
            )

    solution = tg.simulate(Sliding(), 1.0, throw=False)
    assert solution.outcome.code == "chattering"
    assert solution.outcome.time == pytest.approx(0.5, abs=1e-6)
    assert "mode: up -> down, mode: down -> up" in solution.outcome.details[1]


def test_a_jump_of_the_first_instant_is_taken() -> None:
    """The current starts beyond the limit: it is at the limit, in the mode of the limit, from the first row on."""
    solution = tg.simulate(SaturatedMotor(i=tg.variable(start=0.5, fixed=True)), 0.1)
    assert solution["i"][0] == 0.25
    assert solution["mode"][0] == 1


def test_arrays_of_components_have_a_mode_each() -> None:
    class Many(tg.Component):
        balls = Ball.array(50, e=np.linspace(0.3, 0.7, 50))

    solution = tg.simulate(Many(), 1.2, rtol=1e-8, points=13)
    second = np.sqrt(2 / 9.81) * (1 + 2 * np.linspace(0.3, 0.7, 50))  # time of the second impact
    hit = solution["balls.v"][-1] > solution["balls.v"][-2]
    np.testing.assert_array_equal(hit[second > 1.2], False)
    flat = tg.flatten(Many())
    assert len(flat.equations) == 4  # templates, however many balls
    assert len(flat.whens) == 1


def test_vectors_and_equations_in_another_order() -> None:
    """Rows are paired by what they contain, whole arrays where shapes allow, elements where they do not."""

    class Body(tg.Component):
        r = tg.variable(start=np.array([0.0, 0.0, 1.0]), fixed=True, shape=3)
        f = tg.variable(shape=3)
        s = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("free", tg.der(self.r) == self.f, self.f == np.array([1.0, 2.0, -1.0]), self.s == 7.0),
                tg.mode(
                    "held",
                    self.s == self.r[0],
                    self.f[0] == 0.0,
                    self.f[1] == 0.0,
                    self.f[2] == -1.0,
                    tg.der(self.r) == np.zeros(3),
                ),
                tg.transition("free", "held", self.r[2] < 0.5),
            )

    solution = tg.simulate(Body(), 1.0, rtol=1e-9)
    np.testing.assert_allclose(solution["r"][-1], [0.5, 1.0, 0.5], atol=1e-8)
    assert solution["s"][[0, -1]] == pytest.approx([7.0, 0.5], abs=1e-8)


def test_states_keep_their_values_and_jumps_are_taken() -> None:
    class Sawtooth(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        count = tg.integer()
        mode = tg.enumeration(["up", "down"], start="down")

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("up", tg.der(self.x) == 1.0),
                tg.mode("down", tg.der(self.x) == -2.0),
                tg.transition("up", "down", self.x > 1.0, tg.reinit(self.x, 0.5), self.count == tg.pre(self.count) + 1),
                tg.transition("down", "up", self.x < -1.0),
                variable=self.mode,
            )

    solution = tg.simulate(Sawtooth(), 5.0, rtol=1e-9)
    times = [event.time for event in solution.events]
    np.testing.assert_allclose(times, [0.5, 2.5, 3.25], atol=1e-8)
    assert solution["count"][-1] == 1
    assert solution["mode"][0] == 1
    k = int(np.flatnonzero(np.diff(solution.time) == 0.0)[0])
    assert solution["x"][k] == solution["x"][k + 1]  # no jump in the first transition


def test_the_past_of_an_enumeration_is_compared_with_names() -> None:
    """tg.pre(mode) == "b" as mode == "b", of one and of elements; names that it does not have are told."""

    class Gate(tg.Component):
        mode = tg.enumeration(["a", "b"])
        opening = tg.parameter(1.0)

        def equations(self) -> Iterator[Any]:
            yield tg.when(tg.time > self.opening, self.mode == "b")

    class Watch(tg.Component):
        gate = Gate.array(2, opening=np.array([1.0, 2.0]))
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer("ticks with the first gate at b before them")
        m = tg.integer("ticks with the second one not at b before them")

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1.0
            first, second = tg.pre(self.gate[0].mode), tg.pre(self.gate.mode)[1]
            yield tg.when(tg.sample(0.5, 0.5) & (first == "b"), self.n == tg.pre(self.n) + 1)
            yield tg.when(tg.sample(0.5, 0.5) & (second != "b"), self.m == tg.pre(self.m) + 1)

    solution = tg.simulate(Watch(), 3.0)
    assert solution["n"][-1] == 4  # 1.5, 2, 2.5, 3
    assert solution["m"][-1] == 4  # 0.5, 1, 1.5, 2

    class Typo(Gate):
        def equations(self) -> Iterator[Any]:
            yield tg.when(tg.pre(self.mode) == "bb", tg.terminate())

    with pytest.raises(tg.LanguageError, match=r"(?s)E179.*'mode' is never 'bb'"):
        tg.simulate(Typo(), 1.0)


class Fraction(tg.Component):
    """Counts by a step that is known only in the run."""

    x = tg.variable(start=0.0, fixed=True)
    step = tg.parameter(1.0)
    n = tg.integer()
    half = tg.integer()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 1.0
        yield tg.when(tg.sample(0.5, 0.5), self.n == tg.pre(self.n) + self.step, self.half == self.n / 2)


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_an_integer_that_is_given_a_fraction_ends_the_run(solver: str) -> None:
    """Steps of 2 keep both whole; of 1 the half is told at the first tick, of 0.25 the count itself."""
    assert shared_model(Fraction).simulate(1.2, parameters={"step": 2.0}, solver=solver)["half"][-1] == 2
    for step, name, value in ((1.0, "half", 0.5), (0.25, "n", 0.25)):
        solution = shared_model(Fraction).simulate(1.2, parameters={"step": step}, solver=solver, throw=False)
        assert solution.outcome.code == "assertion"
        assert solution.outcome.time == 0.5
        assert f"'{name}' is an integer" in solution.outcome.message
        assert f"{name} = {value}" in " ".join(solution.outcome.details)


def test_values_that_are_whole_by_their_form_are_not_looked_at() -> None:
    class Whole(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer()

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1.0
            old = tg.pre(self.n)
            value = tg.where(self.x > 2, -abs(old) % 7, 2 * old + tg.floor(self.x / 3) - tg.maximum(old, 3))
            yield tg.when(tg.sample(0.0, 1.0), self.n == value)

    assert not tg.flatten(Whole()).assertions
    assert tg.flatten(Fraction()).assertions


def test_of_two_jumps_of_one_instant_the_later_written_wins() -> None:
    class Twice(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 0.0
            yield tg.when(tg.time > 1.0, tg.reinit(self.x, 10.0))
            yield tg.when(tg.time >= 1.0, tg.reinit(self.x, 20.0))

    assert tg.simulate(Twice(), 2.0)["x"][-1] == 20.0
