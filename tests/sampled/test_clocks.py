"""Clocks: exact relations between rates, ticks that coincide, and the order in which blocks act."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, sampled


def test_rates_are_exact_fractions() -> None:
    base = tg.Clock(rate="3 kHz")
    assert base.every(3) == tg.Clock("1 ms")
    assert base.every(10).exact_period == Fraction(1, 300)
    assert tg.Clock(1 / 300) == tg.Clock(rate=300)
    assert tg.Clock("33.3 us").exact_period == Fraction(333, 10**7)
    assert base.times(4).every(12).shift("0.5 ms") == tg.Clock(1e-3, offset=5e-4)
    assert base.shift(-1e-4).offset == -1e-4
    assert hash(tg.Clock("1 ms")) == hash(tg.Clock(rate=1000))
    assert repr(tg.Clock("1 ms", offset="0.2 ms")) == "Clock(0.001, offset=0.0002)"


class Counter(sampled.Sampled):
    """Counts its ticks and keeps the instant of the last."""

    count = tg.integer()
    at = tg.variable("s", discrete=True, start=-1.0)

    def equations(self):
        yield tg.when(self.clock.tick, self.count == tg.pre(self.count) + 1, self.at == tg.time)


class TwoRates(tg.Component):
    """1 kHz and 300 Hz of one base; both tick together every 10 ms."""

    base = tg.Clock(rate="3 kHz")
    fast = Counter(clock=base.every(3))
    slow = Counter(clock=base.every(10))
    both = tg.integer("instants at which both ticked")
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield tg.when(
            self.slow.clock.tick,
            self.both == tg.pre(self.both) + tg.where(self.fast.count != tg.pre(self.fast.count), 1, 0),
        )


def test_no_tick_is_lost_or_doubled_in_ten_seconds() -> None:
    """Those at 0, 1, ..., 10 000 ms, the end included; the instants are k times the period, not a sum."""
    solution = tg.simulate(TwoRates(), 10.0, points=2)
    assert solution["fast.count"][-1] == 10001
    assert solution["slow.count"][-1] == 3001
    assert solution["both"][-1] == 1001
    assert len(np.unique(solution.time)) == 10001 + 3001 - 1001  # one instant for both
    ticks = np.unique(solution["fast.at"])
    np.testing.assert_allclose(ticks[1:] if ticks[0] < 0 else ticks, np.arange(10001) * 1e-3, rtol=0, atol=4e-15)


def test_offsets_shift_every_tick() -> None:
    class Two(tg.Component):
        a = Counter(clock=tg.Clock("100 ms"))
        b = Counter(clock=tg.Clock("100 ms").shift("30 ms"))

    solution = tg.simulate(Two(), 0.36, points=2)
    assert (solution["a.count"][-1], solution["b.count"][-1]) == (4, 4)
    np.testing.assert_allclose(np.unique(solution["b.at"])[1:], [0.03, 0.13, 0.23, 0.33], atol=1e-15)


class AddOne(sampled.SampledSISO):
    def equations(self):
        yield tg.when(self.clock.tick, self.y == self.u + 1.0)


class Chain(tg.Component):
    """Five blocks in a row, declared in the wrong order; all see the values of the same tick."""

    last = AddOne()
    c = AddOne()
    b = AddOne()
    a = AddOne()
    first = sampled.ZeroOrderHold()
    ramp = blocks.Table(times=[0.0, 1.0], values=[0.0, 1.0])

    def connections(self):
        yield self.ramp.y, self.first.u
        yield self.first.y, self.a.u
        yield self.a.y, self.b.u
        yield self.b.y, self.c.u
        yield self.c.y, self.last.u


def test_a_chain_of_one_clock_acts_in_the_order_of_the_data() -> None:
    solution = tg.simulate(Chain(), 0.0105)
    ticks: Any = np.arange(11) * 1e-3
    np.testing.assert_allclose(solution.at(ticks + 5e-4)["last.y"], ticks + 4.0, atol=1e-12)


class Equations(tg.Component):
    """Three blocks with equations of the plant in between."""

    last = AddOne()
    b = AddOne()
    a = sampled.ZeroOrderHold()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield self.last.u == 2.0 * self.b.y - self.x
        yield self.b.u == 3.0 * self.a.y + self.x
        yield self.a.u == self.x


def test_a_chain_through_equations_sees_one_instant() -> None:
    ticks: Any = np.arange(11) * 1e-3
    solution = tg.simulate(Equations(), 0.0105, rtol=1e-10)
    np.testing.assert_allclose(solution.at(ticks + 5e-4)["last.y"], 2.0 * (4.0 * ticks + 1.0) - ticks + 1.0, atol=1e-9)


class Across(tg.Component):
    """Fast feeds slow and slow feeds fast: at a common tick the data flow decides, in between the value is held."""

    fast_clock = tg.Clock("1 ms")
    ramp = blocks.Table(times=[0.0, 1.0], values=[0.0, 1000.0])
    fast = sampled.ZeroOrderHold(clock=fast_clock)
    slow = AddOne(clock=fast_clock.every(3))
    again = AddOne(clock=fast_clock)

    def connections(self):
        yield self.ramp.y, self.fast.u
        yield self.fast.y, self.slow.u
        yield self.slow.y, self.again.u


def test_order_of_ticks_of_different_clocks() -> None:
    solution = tg.simulate(Across(), 0.0065)
    held = solution.at([1e-3 * k + 5e-4 for k in range(7)])
    np.testing.assert_allclose(held["slow.y"], [1, 1, 1, 4, 4, 4, 7], atol=1e-9)
    np.testing.assert_allclose(held["again.y"], [2, 2, 2, 5, 5, 5, 8], atol=1e-9)


def test_a_delay_closes_a_loop() -> None:
    """y = u + 1 around a delay counts the ticks."""

    class Loop(tg.Component):
        plus = AddOne()
        delay = sampled.UnitDelay()

        def connections(self):
            yield self.plus.y, self.delay.u
            yield self.delay.y, self.plus.u

    assert tg.simulate(Loop(), 0.0105)["plus.y"][-1] == 11.0


class Half(sampled.SampledSISO):
    k = tg.parameter(0.5)

    def equations(self):
        yield tg.when(self.clock.tick, self.y == self.k * self.u + 1.0)


class Circle(tg.Component):
    """y = k y + 1 over two blocks and no delay."""

    a = Half()
    b = Half()

    def connections(self):
        yield self.a.y, self.b.u
        yield self.b.y, self.a.u


def test_a_loop_without_a_delay_comes_to_rest_or_is_refused() -> None:
    assert tg.simulate(Circle(), 0.01)["a.y"][-1] == pytest.approx(2.0, rel=1e-12)
    with pytest.raises(tg.NumericError, match="does not converge"):
        tg.simulate(Circle(), 0.01, parameters={"a.k": -3.0, "b.k": 3.0})


def test_holds() -> None:
    """Of t^2: the last sample, its extrapolation through the last two, the sample before, and one by parameters."""

    class Holds(tg.Component):
        zero = sampled.ZeroOrderHold(clock=tg.Clock(0.1))
        one = sampled.FirstOrderHold(clock=tg.Clock(0.1))
        delay = sampled.UnitDelay(clock=tg.Clock(0.1))
        periodic = sampled.PeriodicSampler(period=0.2, start_time=0.05)
        t = tg.variable("s", start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.t) == 1.0
            for block in (self.zero, self.one, self.delay, self.periodic):
                yield block.u == (self.t / 1.0) ** 2

    solution = tg.simulate(Holds(), 1.0, rtol=1e-9, parameters={"periodic.period": 0.25})
    t: Any = np.arange(1, 10) * 0.1
    at = solution.at(t + 0.04)
    np.testing.assert_allclose(at["zero.y"], t**2, atol=1e-7)
    np.testing.assert_allclose(at["one.y"], t**2 + (t**2 - (t - 0.1) ** 2) / 0.1 * 0.04, atol=1e-7)
    np.testing.assert_allclose(at["delay.y"], (t - 0.1) ** 2, atol=1e-7)
    instants = 0.05 + 0.25 * np.floor((t + 0.04 - 0.05) / 0.25 + 1e-9)
    np.testing.assert_allclose(at["periodic.y"], instants**2, atol=1e-7)
    assert solution["periodic.ticks"][-1] == 4


def test_clocks_are_parameters_of_a_parent() -> None:
    class Inner(tg.Component):
        clock = tg.parameter(tg.Clock("1 ms"), structural=True)
        a = Counter(clock=clock)

        def build(self):
            self.b = Counter(clock=self.clock.every(2))

    class Outer(tg.Component):
        inner = Inner(clock=tg.Clock("10 ms"))

    solution = tg.simulate(Outer(), 0.055)
    assert (solution["inner.a.count"][-1], solution["inner.b.count"][-1]) == (6, 3)


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_every_solver_hits_the_ticks(solver: str) -> None:
    class One(tg.Component):
        n = Counter(clock=tg.Clock(1 / 7))
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == -self.x

    solution = tg.simulate(One(), 1.01, solver=solver)
    np.testing.assert_array_equal(np.unique(solution["n.at"])[-7:], np.arange(1, 8) * (1 / 7))
