"""Events: located to the tolerance, iterated to rest, both sides kept, told in the user's words."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Ball(tg.Component):
    """A ball that bounces and counts."""

    h = tg.variable("m", "height", start=1.0, fixed=True)
    v = tg.variable("m/s", "speed", start=0.0, fixed=True)
    e = tg.parameter(0.8, "1", "restitution")
    n = tg.integer("bounces")

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)


def bounces(count: int) -> np.ndarray:
    """Analytic times: the first fall, then flights that shrink by e."""
    first = np.sqrt(2 / 9.81)
    return first + np.concatenate([[0.0], np.cumsum(2 * first * 0.8 ** np.arange(1, count))])


def test_bouncing_ball_against_the_closed_solution() -> None:
    """Bounce times to 1e-9 at rtol 1e-10: the parabolas are exact for BDF of order 2 and up."""
    solution = tg.simulate(Ball(), 3.0, rtol=1e-10, atol=1e-12)
    times = [event.time for event in solution.events]
    assert all("reinit(v" in event.what[0] for event in solution.events)
    np.testing.assert_allclose(times, bounces(6), atol=1e-9)
    assert solution["n"][-1] == 6
    assert solution["h"].min() > -1e-9


def test_both_sides_of_a_jump_are_kept() -> None:
    solution = tg.simulate(Ball(), 1.0, rtol=1e-8)
    k = int(np.flatnonzero(np.diff(solution.time) == 0.0)[0])
    before, after = solution["v"][k], solution["v"][k + 1]
    assert after == pytest.approx(-0.8 * before)
    assert before == pytest.approx(-np.sqrt(2 * 9.81), rel=1e-6)
    assert solution.at(float(solution.time[k]) - 0.01)["n"] == 0
    assert solution.at(float(solution.time[k]) + 0.01)["n"] == 1


def test_halving_the_tolerance_improves_event_times() -> None:
    class Drag(tg.Component):
        h = tg.variable(start=1.0, fixed=True)
        v = tg.variable(start=0.0, fixed=True)
        hit = tg.boolean()

        def equations(self):
            yield tg.der(self.h) == self.v
            yield tg.der(self.v) == -9.81 + 0.5 * self.v**2
            yield self.hit == (self.h < 0)

    times = []
    for rtol in (1e-4, 1e-6, 1e-8, 1e-11):
        solution = tg.simulate(Drag(), 0.6, rtol=rtol, atol=1e-3 * rtol)
        times.append(float(solution.time[int(np.argmax(solution["hit"] > 0.5))]))
    errors = np.abs(np.array(times[:-1]) - times[-1])
    assert (errors < [1e-4, 1e-6, 1e-8]).all()


def test_zeno_ends_with_a_clear_outcome() -> None:
    solution = tg.simulate(Ball(), 6.0, throw=False)
    assert solution.outcome.code == "chattering"
    assert solution.outcome.time == pytest.approx(bounces(200)[-1], abs=1e-2)
    assert "h < 0" in solution.outcome.details[1]


class Late(tg.Component):
    """A step of voltage into a low-pass, in the middle of the run."""

    s = el.StepVoltage(V=5.0, start_time=1e-3)
    r = el.Resistor(R=1e3)
    c = el.Capacitor(C=1e-6, v=tg.variable(start=0.0, fixed=True))
    g = el.Ground()

    def connections(self):
        yield self.s.p, self.r.p
        yield self.r.n, self.c.p
        yield self.s.n, self.c.n, self.g.p


@pytest.mark.parametrize("solver", ["auto", "ida", "cvode", "rk45"])
def test_time_events_are_hit_exactly(solver: str) -> None:
    solution = shared_model(Late).simulate(10e-3, solver=solver)
    assert (solution.time == 1e-3).sum() == 2
    exact = np.where(solution.time < 1e-3, 0.0, 5.0 * (1 - np.exp(-(solution.time - 1e-3) / 1e-3)))
    np.testing.assert_allclose(solution["c.v"], exact, atol=2e-5)


def test_steady_state_and_linear_model_see_the_flags_of_their_time() -> None:
    assert tg.steady_state(Late())["c.v"] == pytest.approx(0.0, abs=1e-12)
    linear = tg.linearize(Late(), outputs=["c.v"])
    np.testing.assert_allclose(linear.A, [[-1e3]], rtol=1e-9)


class Thermostat(tg.Component):
    """Heats below 19, rests above 21."""

    T = tg.variable(start=15.0, fixed=True)
    on = tg.boolean(start=True)

    def equations(self):
        yield tg.der(self.T) == -0.1 * (self.T - 10.0) + tg.where(self.on, 2.0, 0.0)
        yield tg.when(self.T > 21.0, self.on == False).elsewhen(self.T < 19.0, self.on == True)  # noqa: E712


def test_thermostat_cycles_with_the_analytic_period() -> None:
    solution = tg.simulate(Thermostat(), 60.0, rtol=1e-9)
    heating = 10.0 * np.log((30.0 - 19.0) / (30.0 - 21.0))  # towards 30 with time constant 10
    cooling = 10.0 * np.log((21.0 - 10.0) / (19.0 - 10.0))
    flips = solution.time[1:][np.diff(solution["on"]) != 0]
    np.testing.assert_allclose(np.diff(flips), np.resize([cooling, heating], len(flips) - 1), atol=1e-6)
    inside = solution["T"][solution.time > 20.0]
    assert inside.min() > 19.0 - 1e-6
    assert inside.max() < 21.0 + 1e-6


class Sampled(tg.Software):
    """A discrete integrator in ordinary Python."""

    error = tg.input("1")
    command = tg.output("1")
    total = tg.variable("1", start=0.0)
    gain = tg.parameter(2.0, "1")
    period = tg.parameter("100 ms", "s")

    def outputs(self) -> float:
        return self.total + self.gain * self.error

    def next_states(self) -> float:
        return self.total + self.period * self.error


class Loop(tg.Component):
    """A lag controlled by it."""

    control = Sampled()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield self.control.error == 1.0 - self.x
        yield tg.der(self.x) == -self.x + self.control.command


def test_sampled_software_against_the_exact_recursion() -> None:
    solution = tg.simulate(Loop(), 2.0, rtol=1e-9)
    x, total, held = 0.0, 0.0, []
    decay = np.exp(-0.1)
    for _ in range(20):
        command = total + 2.0 * (1.0 - x)
        total += 0.1 * (1.0 - x)
        held.append((x, command))
        x = x * decay + command * (1 - decay)
    at = solution.at([0.1 * k + 0.05 for k in range(20)])
    np.testing.assert_allclose(at["control.command"], [command for _, command in held], atol=1e-6)
    half = np.exp(-0.05)
    np.testing.assert_allclose(at["x"], [x * half + c * (1 - half) for x, c in held], atol=1e-6)


class Phase(enum.Enum):
    """Of a cycle."""

    FILL = 0
    DRAIN = 1


def test_enumerations_and_discrete_equations() -> None:
    class Tank(tg.Component):
        level = tg.variable(start=0.0, fixed=True)
        phase = tg.enumeration(Phase)
        high = tg.boolean()

        def equations(self):
            yield tg.der(self.level) == tg.where(self.phase == Phase.FILL, 1.0, -2.0)
            yield self.high == (self.level > 0.5)
            yield tg.when(self.level > 1.0, self.phase == Phase.DRAIN).elsewhen(
                self.level < 0.2, self.phase == Phase.FILL
            )

    solution = tg.simulate(Tank(), 3.0, rtol=1e-9)
    turns = solution.time[1:][np.diff(solution["phase"]) != 0]
    np.testing.assert_allclose(turns[:3], [1.0, 1.4, 2.2], atol=1e-7)
    level, high = solution["level"], solution["high"] > 0.5
    clear = np.abs(level - 0.5) > 1e-6
    assert (high[clear] == (level[clear] > 0.5)).all()


def test_a_relay_drives_an_integrator() -> None:
    """A discrete real on the right side of an equation: a triangle between -1 and 1, turning every two seconds."""

    class Relay(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        u = tg.variable(start=1.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == self.u
            yield tg.when(self.x > 1.0, self.u == -1.0).elsewhen(self.x < -1.0, self.u == 1.0)

    solution = tg.simulate(Relay(), 20.0, rtol=1e-9)
    turns = solution.time[1:][np.diff(solution["u"]) != 0]
    np.testing.assert_allclose(turns, np.arange(1.0, 20.0, 2.0), atol=1e-7)
    assert np.abs(solution["x"]).max() < 1.0 + 1e-7


def test_pulses_are_never_stepped_over() -> None:
    """A pulse of 0.5 s in a quiet run of 100 s, by time and by a state."""

    class Pulse(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        y = tg.variable(start=0.0, fixed=True)
        z = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == -self.x + tg.where((tg.time > 50.0) & (tg.time < 50.5), 1.0, 0.0)
            yield tg.der(self.y) == 1.0
            yield tg.der(self.z) == tg.where((self.y > 20.0) & (self.y < 20.5), 1.0, 0.0)

    solution = tg.simulate(Pulse(), 100.0)
    assert solution["x"].max() == pytest.approx(1 - np.exp(-0.5), abs=1e-5)
    assert solution["z"][-1] == pytest.approx(0.5, abs=1e-6)


def test_actions_of_one_instant_are_simultaneous_equations() -> None:
    """b == 10 a reads the new a, in whatever order they are written, also across two when-statements."""

    class Pair(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        a = tg.integer()
        b = tg.integer()
        c = tg.integer()

        def equations(self):
            tick = tg.sample(0.25, 0.5)
            yield tg.der(self.x) == 1.0
            yield tg.when(tick, self.b == 10 * self.a, self.a == tg.pre(self.a) + 1)
            yield tg.when(tick, self.c == self.b + 1)

    solution = tg.simulate(Pair(), 1.5)
    np.testing.assert_allclose(solution["a"][-1], 3)
    np.testing.assert_allclose(solution["b"], 10 * solution["a"])
    np.testing.assert_allclose(solution["c"][-1], 31)


def test_terminate_ends_the_run_successfully() -> None:
    class Ramp(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(self.x > 0.7, tg.terminate("high enough"))

    solution = tg.simulate(Ramp(), 5.0)
    assert solution.outcome.ok
    assert "high enough" in solution.outcome.message
    assert solution.time[-1] == pytest.approx(0.7, abs=1e-6)


def test_an_assertion_in_a_when_names_the_time() -> None:
    class Fuse(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(self.x > 0.5, tg.assert_(self.x < 0.1, "the fuse has blown"))  # noqa: PT009

    with pytest.raises(tg.NumericError, match=r"(?s)t = 0.5.*the fuse has blown"):
        tg.simulate(Fuse(), 1.0)


def test_initial_and_pre_of_a_discrete_value() -> None:
    class Counter(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer()
        first = tg.variable(start=0.0, discrete=True)

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.sample(0.25, 0.5), self.n == tg.pre(self.n) + 1)
            yield tg.when(tg.initial(), self.first == 42.0)

    solution = tg.simulate(Counter(), 2.0)
    assert solution["n"][-1] == 4
    assert solution["first"][0] == 42.0
    np.testing.assert_allclose(solution.at([0.2, 0.3, 0.8, 1.3, 1.8])["n"], [0, 1, 2, 3, 4])


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_terminal_is_the_last_instant(solver: str) -> None:
    class Meter(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        last = tg.variable(start=-1.0, discrete=True)
        ends = tg.integer()

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield tg.when(tg.terminal(), self.last == self.x, self.ends == tg.pre(self.ends) + 1)

    solution = tg.simulate(Meter(), 2.0, solver=solver)
    assert solution["last"][-2:] == pytest.approx([-1.0, 2.0])
    assert solution["ends"][-1] == 1
    assert solution.time[-2] == solution.time[-1] == 2.0


def test_relations_in_no_event_are_left_alone() -> None:
    class Quiet(tg.Component):
        x = tg.variable(start=-1.0, fixed=True)
        y = tg.variable()

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield self.y == tg.no_event(tg.where(self.x > 0, self.x**2, 0.0))

    solution = tg.simulate(Quiet(), 2.0)
    assert solution.events == ()
    np.testing.assert_allclose(solution["y"], np.maximum(solution["x"], 0.0) ** 2, atol=1e-6)


def test_half_wave_rectifier_of_an_ideal_diode() -> None:
    """A switch in resistances: conducting 1 mohm, blocking 1 Mohm; the load sees the positive half waves."""

    class Diode(el.OnePort):
        def equations(self) -> Any:
            yield self.v == tg.where(self.v > 0, 1e-3, 1e6) * self.i

    class Rectifier(tg.Component):
        s = el.SineVoltage(V=10.0, f=50.0)
        d = Diode()
        r = el.Resistor(R=100.0)
        g = el.Ground()

        def connections(self):
            yield self.s.p, self.d.p
            yield self.d.n, self.r.p
            yield self.s.n, self.r.n, self.g.p

    solution = tg.simulate(Rectifier(), 0.04, rtol=1e-8)
    half = np.maximum(10.0 * np.sin(2 * np.pi * 50.0 * solution.time), 0.0)
    np.testing.assert_allclose(solution["r.v"], half, atol=2e-3)  # 1e-4 of 10 V leak through 1 Mohm
    flips = [event.time for event in solution.events]
    np.testing.assert_allclose(np.unique(np.round(flips, 6)), [0.0, 0.01, 0.02, 0.03], atol=1e-6)


def test_many_balls_at_once() -> None:
    class Many(tg.Component):
        balls = Ball.array(200)

    solution = tg.simulate(Many(), 1.0, rtol=1e-8, points=11)
    assert (solution["balls.n"][-1] == 1).all()
    np.testing.assert_allclose(solution["balls.h"][-1], solution["balls.h"][-1][0], atol=1e-9)


def test_an_event_of_a_long_law_is_a_line() -> None:
    class Spinning(tg.Component):
        disc = rot.Inertia(J=0.1, w=tg.variable(start=5.0, fixed=True))
        bearing = rot.BearingFriction(tau_Coulomb=0.2, tau_Stribeck=0.3)

        def connections(self) -> Any:
            yield self.disc.flange_b, self.bearing.flange_a

    (stop,) = tg.simulate(Spinning(), stop=5.0).events
    assert stop.what[0].startswith("bearing.mode == where(")
    assert all(len(text) <= 240 for text in stop.what)


class Turns(tg.Component):
    """Counts the maxima of a signal that is given, so that its rate is no state's."""

    x = tg.variable()
    v = tg.variable()
    n = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield self.x == tg.sin(tg.time)
        yield self.v == tg.der(self.x)
        yield tg.when(tg.der(self.x) < 0, self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_conditions_read_rates_that_index_reduction_made_variables(solver: str) -> None:
    s = shared_model(Turns).simulate(10.0, solver=solver)
    assert s["n"][-1] == 2
    assert np.allclose([event.time for event in s.events], [0.5 * np.pi, 2.5 * np.pi], atol=1e-6)


class Chirp(tg.Component):
    """A parabola, which explicit steps follow at any length, and a condition that they have to be short for."""

    a = tg.parameter(50.0)
    x = tg.variable(start=0.0, fixed=True)
    n = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.a * tg.time
        yield tg.when(tg.sin(self.x) > 0.5, self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("a", [5.0, 20.0, 50.0, 80.0, 200.0])
def test_no_firing_of_a_fast_condition_on_a_slow_state_is_missed(a: float, rtol: float) -> None:
    """40 to 1592 firings, ever faster, up to 300 in a second; each is found, where it should be."""
    solution = tg.simulate(Chirp(a=a), stop=10.0, rtol=rtol)
    assert solution.outcome.ok
    assert solution.history is not None
    times = np.sqrt(2.0 * (np.arcsin(0.5) + 2.0 * np.pi * np.arange(2000)) / a)
    found = [event.time for event in solution.history.log if len(event.fired)]
    np.testing.assert_allclose(found, times[times < 10.0], atol=1e-9)
