"""Stability margins, Nyquist and Nichols plots: closed-form loops, python-control and a dense scan on random ones."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.analyses.linearization.linear_model import LinearModel
from tellegen.analyses.linearization.margins import Margins, margins_of
from tellegen.analyses.linearization.open_loop import OpenLoop, open_loop
from tellegen.errors import LanguageError

control = pytest.importorskip("control")

TWO_PI = 2.0 * math.pi


class Plant(tg.Component):
    """K / (s (1 + s T)^2), of the error that a controller would see."""

    K = tg.parameter(2.0)
    T = tg.parameter(0.1)
    u = tg.input()
    a = tg.variable(start=0.0)
    b = tg.variable(start=0.0)
    y = tg.output()

    def equations(self):
        yield self.T * tg.der(self.a) == self.u - self.a
        yield self.T * tg.der(self.b) == self.a - self.b
        yield tg.der(self.y) == self.K * self.b


@pytest.fixture(scope="module")
def linear() -> LinearModel:
    return tg.linearize(Plant())


def loop_of(system: Any, dead_time: float = 0.0) -> OpenLoop:
    """A loop from a system of python-control."""
    dt = system.dt if system.dt else None
    return OpenLoop(system.A, system.B[:, 0], system.C[0], float(system.D[0, 0]), dt, dead_time, "u", "y")


def test_closed_form_of_an_integrator_with_two_lags(linear: LinearModel) -> None:
    found = linear.margins()
    assert found.stable
    # the phase is -90 - 2 atan(w T) = -180 at w = 1/T, where |L| = K T / 2
    assert found.gain_margin == pytest.approx(2.0 / (2.0 * 0.1), rel=1e-10)
    assert found.phase_crossovers[0].frequency == pytest.approx(10.0 / TWO_PI, rel=1e-10)
    w = TWO_PI * found.gain_crossovers[0].frequency
    assert 2.0 / (w * (1.0 + (0.1 * w) ** 2)) == pytest.approx(1.0, rel=1e-10)
    phase = 90.0 - 2.0 * math.degrees(math.atan(0.1 * w))
    assert found.phase_margin == pytest.approx(phase, rel=1e-9)
    assert found.delay_margin == pytest.approx(math.radians(phase) / w, rel=1e-9)
    grid = 1j * np.geomspace(0.01, 100.0, 400_001)
    peak = np.abs(1.0 / (1.0 + 2.0 / (grid * (1.0 + 0.1 * grid) ** 2))).max()
    assert found.sensitivity_peak == pytest.approx(peak, rel=1e-8)
    assert found.modulus_margin == pytest.approx(1.0 / peak, rel=1e-8)


def test_margins_are_where_the_simulated_loop_becomes_unstable(linear: LinearModel) -> None:
    """The closed loop as a model of its own: with a little less than the margin it decays, with a little more not."""

    class Loop(tg.Component):
        gain = tg.parameter(1.0)
        plant = Plant()

        def equations(self):
            yield self.plant.u == -self.gain * self.plant.y

    margin = linear.margins().gain_margin
    for gain, stable in ((0.99 * margin, True), (1.01 * margin, False)):
        assert tg.linearize(Loop(), parameters={"gain": gain}).stable is stable


@pytest.mark.parametrize("dead_time", [0.0, 0.2, 0.7, 0.9])
def test_closed_form_of_an_integrator_with_dead_time(dead_time: float) -> None:
    system = control.ss([[0.0]], [[1.0]], [[2.0]], [[0.0]])
    found = margins_of(loop_of(system, dead_time), "integrator")
    assert found.stable is (2.0 * dead_time < math.pi / 2)
    assert found.phase_margin == pytest.approx(90.0 - math.degrees(2.0 * dead_time), rel=1e-9)
    if found.stable:
        assert found.delay_margin == pytest.approx(math.pi / 4.0 - dead_time, rel=1e-9)
        expected = math.pi / (4.0 * dead_time) if dead_time else math.inf
        assert found.gain_margin == pytest.approx(expected, rel=1e-9)


def test_a_sampled_integrator() -> None:
    """x[k+1] = x[k] + 0.5 u[k]: the loop is unstable from the gain 4 on, at half the sample rate."""
    found = margins_of(loop_of(control.ss([[1.0]], [[0.5]], [[1.0]], [[0.0]], 0.1)), "integrator")
    assert found.stable
    assert found.gain_margin == pytest.approx(4.0, rel=1e-9)
    assert found.phase_crossovers[-1].frequency == pytest.approx(5.0)


def test_a_conditionally_stable_loop_also_has_a_lower_limit() -> None:
    s = control.tf("s")
    system = control.ss(40.0 * (s + 1.0) ** 2 / s**3 / (1.0 + 0.05 * s) / (1.0 + 0.01 * s))
    found = margins_of(loop_of(system), "conditional")
    reference = control.stability_margins(system, returnall=True)[0]
    assert found.stable
    assert found.gain_reduction == pytest.approx(min(reference), rel=1e-6)
    assert found.gain_margin == pytest.approx(max(reference), rel=1e-6)


def test_a_mode_that_the_loop_does_not_see_need_not_decay() -> None:
    """A speed loop: the angle is a state and turns on; from the speed to the angle is an integrator of its own."""
    a = np.array([[-2.0, 0.0], [1.0, 0.0]])
    found = margins_of(OpenLoop(a, np.array([3.0, 0.0]), np.array([1.0, 0.0]), 0.0, None, 0.0, "u", "w"), "speed")
    assert found.stable
    grows = np.array([[-2.0, 0.0], [1.0, 0.1]])
    found = margins_of(OpenLoop(grows, np.array([3.0, 0.0]), np.array([1.0, 0.0]), 0.0, None, 0.0, "u", "w"), "speed")
    assert not found.stable


def test_an_unstable_loop_says_so() -> None:
    s = control.tf("s")
    found = margins_of(loop_of(control.ss(100.0 / (s * (s + 1.0) * (s + 2.0)))), "unstable")
    assert not found.success
    assert "unstable" in found.message
    assert "unstable" in str(found)


def random_loop(rng: np.random.Generator) -> Any:
    """A stable system of up to six states, some with an integrator, some in discrete time, in any units of time."""
    n = int(rng.integers(1, 7))
    gain = 10.0 ** rng.uniform(-1.0, 1.5)
    np.random.seed(int(rng.integers(1 << 31)))
    if rng.random() < 0.4:
        system = control.drss(n, 1, 1)
        return control.ss(system.A, gain * system.B, system.C, gain * system.D, 10.0 ** rng.uniform(-3.0, 0.0))
    system = control.rss(n, 1, 1, strictly_proper=bool(rng.random() < 0.7))
    scale = 10.0 ** rng.uniform(-3.0, 3.0)
    system = control.ss(scale * system.A, scale * gain * system.B, system.C, gain * system.D)
    return system * control.tf([scale], [1.0, 0.0]) if rng.random() < 0.3 else system


def agrees_with_a_scan(found: Margins, loop: OpenLoop) -> None:
    """As many crossings as a scan of 100 000 frequencies shows, and a peak that is not below it."""
    high = math.pi / loop.dt if loop.dt else loop.frequencies[-1]
    w = np.geomspace(loop.frequencies[0], high, 100_001)
    response = loop.response(w)
    above = np.abs(response) > 1.0
    assert len(found.gain_crossovers) == np.count_nonzero(above[1:] != above[:-1])
    left = (response.imag[1:] > 0.0) != (response.imag[:-1] > 0.0)
    last = 0.5 / loop.dt * (1.0 - 1e-9) if loop.dt else math.inf
    inner = [each for each in found.phase_crossovers if 0.0 < each.frequency < last]
    assert len(inner) == np.count_nonzero(left[:-1] & (response.real[1:-1] < 0.0))
    peak = 1.0 / np.abs(1.0 + response).min()
    assert found.sensitivity_peak >= peak * (1.0 - 1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_random_loops(seed: int) -> None:
    system = random_loop(np.random.default_rng(seed))
    loop = loop_of(system)
    found = margins_of(loop, "random")
    agrees_with_a_scan(found, loop)
    poles = control.feedback(system).poles()
    assert found.stable is bool((np.abs(poles) < 1.0 if system.dt else poles.real < 0.0).all())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gains, phases, _, at_phase, at_gain, _ = control.stability_margins(system, returnall=True)
    own = {round(math.log(each.frequency), 6): each.phase_margin for each in found.gain_crossovers}
    for phase, w in zip(phases, at_gain, strict=True):
        assert own[round(math.log(w / TWO_PI), 6)] == pytest.approx((phase + 180.0) % 360.0 - 180.0, abs=1e-4)
    mine = np.array([each.gain_margin for each in found.phase_crossovers])
    for gain, w in zip(gains, at_phase, strict=True):  # those of python-control; where L vanishes it finds roundings
        if gain < 1e12 and w > 0.0:
            assert np.abs(mine / gain - 1.0).min() < 1e-5


@pytest.mark.parametrize("seed", range(10))
def test_random_loops_with_dead_time(seed: int) -> None:
    """Stability as that of a Padé approximation, whose error is small up to the frequencies that matter."""
    rng = np.random.default_rng(100 + seed)
    s = control.tf("s")
    lag = 10.0 ** rng.uniform(-1.0, 1.0)
    system = control.ss(10.0 ** rng.uniform(-0.5, 1.0) / (1.0 + lag * s) / (1.0 + 0.3 * lag * s))
    dead_time = 10.0 ** rng.uniform(-1.5, 0.3)
    loop = loop_of(system, dead_time)
    found = margins_of(loop, "late")
    late = control.tf(*control.pade(dead_time, 8))
    assert found.stable is bool((control.feedback(system * control.ss(late)).poles().real < 0.0).all())
    agrees_with_a_scan(found, loop)


def test_input_and_output_are_named_where_there_are_several() -> None:
    linear = tg.linearize(Plant(), inputs=["u", "K"], outputs=["y", "a"])
    with pytest.raises(LanguageError, match="one input, and the linear model has 2"):
        linear.margins()
    with pytest.raises(LanguageError, match="no output 'z'"):
        linear.margins("u", "z")
    with pytest.raises(LanguageError, match="dead_time"):
        linear.margins("u", "y", dead_time=-1.0)
    with pytest.raises(LanguageError, match="feedback"):
        linear.margins("u", "y", feedback="none")
    assert linear.margins("u", "y").gain_margin == pytest.approx(10.0)


def test_positive_feedback_is_negative_feedback_of_the_other_sign(linear: LinearModel) -> None:
    class Inverted(tg.Component):
        plant = Plant()
        u = tg.input()
        y = tg.output()

        def equations(self):
            yield self.plant.u == self.u
            yield self.y == -self.plant.y

    other = tg.linearize(Inverted()).margins(feedback="positive")
    assert other.gain_margin == pytest.approx(linear.margins().gain_margin)
    assert other.phase_margin == pytest.approx(linear.margins().phase_margin)


@pytest.mark.parametrize("kind", ["nyquist", "nichols"])
@pytest.mark.parametrize("dead_time", [0.0, 0.05])
def test_plots(linear: LinearModel, kind: str, dead_time: float) -> None:
    figure = linear.plot(kind, dead_time=dead_time)
    axis = figure.axes[0]
    assert kind in figure.get_suptitle()
    assert "phase margin" in axis.get_title(loc="left")
    w = open_loop(linear, None, None, dead_time, "negative").frequencies
    expected = 2.0 / (1j * w * (1.0 + 0.1j * w) ** 2) * np.exp(-1j * w * dead_time)
    if kind == "nyquist":
        curve = next(line for line in axis.get_lines() if line.get_label() == "positive frequencies")
        np.testing.assert_allclose(curve.get_xdata() + 1j * curve.get_ydata(), expected, rtol=1e-9)
        return
    decibel = 20.0 * np.log10(np.abs(expected))
    shown = np.abs(decibel) <= 60.0
    curve = next(line for line in axis.get_lines() if len(line.get_xdata()) == np.count_nonzero(shown))
    np.testing.assert_allclose(curve.get_ydata(), decibel[shown], rtol=1e-9, atol=1e-9)
    direction = np.exp(1j * np.radians(curve.get_xdata()))
    np.testing.assert_allclose(direction, (expected / np.abs(expected))[shown], rtol=1e-9)
    assert -360.0 < curve.get_xdata()[np.abs(curve.get_ydata()).argmin()] <= 0.0


def test_lines_of_the_nichols_plot_are_gains_of_the_closed_loop(linear: LinearModel) -> None:
    axis = linear.plot("nichols").axes[0]
    found = set()
    for line in axis.get_lines():
        if line.get_color() == "#cccccc":
            loop = 10.0 ** (line.get_ydata() / 20.0) * np.exp(1j * np.radians(line.get_xdata()))
            closed = 20.0 * np.log10(np.abs(loop / (1.0 + loop)))
            np.testing.assert_allclose(closed, closed[0], rtol=1e-6)
            assert np.abs(np.diff(line.get_xdata())).max() < 90.0  # drawn without jumps
            found.add(round(float(closed[0]), 6))
    assert found == {0.5, 1.0, 3.0, 6.0, 12.0}


def test_there_is_no_such_plot(linear: LinearModel) -> None:
    with pytest.raises(LanguageError, match="nyquist"):
        linear.plot("nyqist")
