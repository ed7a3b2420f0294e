"""Edges, timers, triggers, gates of many inputs, statistics and harmonics: against closed solutions."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks

GATES: dict[str, Any] = {
    "MultiAnd": all,
    "MultiOr": any,
    "MultiNand": lambda u: not all(u),
    "MultiNor": lambda u: not any(u),
    "OneTrue": lambda u: sum(u) == 1,
}


def test_gates_of_three_inputs() -> None:
    system = tg.System("gates")
    cases = list(product([0.0, 1.0], repeat=3))
    for k, u in enumerate(cases):
        for name in GATES:
            system.add(**{f"{name}{k}": getattr(blocks, name)(nu=3, u=list(u))})
        system.add(**{f"switch{k}": blocks.MultiSwitch(nu=3, u=list(u), expr=[1.0, 2.0, 3.0], y_default=9.0)})
    found = tg.steady_state(system)
    for k, u in enumerate(cases):
        for name, gate in GATES.items():
            assert found[f"{name}{k}.y"] == float(gate(u)), (name, u)
        assert found[f"switch{k}.y"] == next((j + 1.0 for j, on in enumerate(u) if on), 9.0)


@pytest.mark.parametrize("angle", [-7.0, -3.2, 0.4, 3.1, 9.0])
def test_arithmetic_of_several_signals(angle: float) -> None:
    three = [angle, 2.0, -1.5]
    system = tg.System("arithmetic")
    system.add(sum=blocks.MultiSum(u=three, k=[1.0, 2.0, 3.0]))
    system.add(product=blocks.MultiProduct(nu=3, u=three), ends=blocks.MinMax(nu=3, u=three))
    system.add(linear=blocks.LinearDependency(u1=angle, u2=3.0, y0=1.0, k1=2.0, k2=-1.0))
    system.add(wrap=blocks.WrapAngle(u=angle), positive=blocks.WrapAngle(u=angle, positive_range=True))
    system.add(polar=blocks.RectangularToPolar(u_re=angle, u_im=2.0))
    system.add(rectangular=blocks.PolarToRectangular(u_abs=2.0, u_arg=angle))
    system.add(long=blocks.Pythagoras(u1=angle, u2=2.0), leg=blocks.Pythagoras(u1=angle, u2=2.0, u1_is_hypotenuse=True))
    system.add(power=blocks.Power(u=angle, base=2.0), square=blocks.Exponentiation(u=angle))
    found = tg.steady_state(system)
    real = angle**2 > 4.0
    expected = {
        "sum.y": angle + 4.0 - 4.5,
        "product.y": -3.0 * angle,
        "ends.y_min": min(three),
        "ends.y_max": max(three),
        "linear.y": 2.0 * angle - 2.0,
        "wrap.y": math.atan2(math.sin(angle), math.cos(angle)),
        "positive.y": angle % math.tau,
        "polar.y_abs": math.hypot(angle, 2.0),
        "polar.y_arg": math.atan2(2.0, angle),
        "rectangular.y_re": 2.0 * math.cos(angle),
        "rectangular.y_im": 2.0 * math.sin(angle),
        "long.y": math.hypot(angle, 2.0),
        "leg.y": math.sqrt(angle**2 - 4.0) if real else 0.0,
        "leg.valid": float(real),
        "power.y": 2.0**angle,
        "square.y": angle**2,
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name


class Triggers(tg.Component):
    """Pulses of 0.15 s every 0.4 s from 0.1 s on, a ramp y = t, and everything that acts on them."""

    ramp = blocks.ContinuousClock()
    pulse = blocks.BooleanPulse(period=0.4, width=0.375, start_time=0.1)
    wave = blocks.Sine(f=1.0, phase=0.3)
    ticks = blocks.SampleTrigger(start_time=0.05, period=0.3)
    rise = blocks.Edge()
    fall = blocks.FallingEdge()
    change = blocks.Change()
    crossing = blocks.ZeroCrossing()
    samplers = blocks.TriggeredSampler.array(5, y_start=-1.0)
    peak = blocks.TriggeredMax()
    count = blocks.TriggeredAdd(u=2.0, y_start=1.0)
    late = blocks.OnDelay(delay_time=0.1)
    never = blocks.OnDelay(delay_time=0.2)
    both = blocks.LogicalDelay(delay_time=0.05)
    slope = blocks.TriggeredTrapezoid(amplitude=2.0, rising=0.3, falling=0.1, offset=0.5)
    button = blocks.RadioButtonSource(button_time_table=(0.2, 0.6))

    def connections(self) -> Any:
        yield (
            self.pulse.y,
            self.rise.u,
            self.fall.u,
            self.change.u,
            self.late.u,
            self.never.u,
            self.both.u,
            self.slope.u,
        )
        yield self.wave.y, self.crossing.u, self.peak.u
        yield self.ramp.y, self.samplers.u
        yield self.rise.y, self.samplers[0].trigger, self.count.trigger
        yield self.fall.y, self.samplers[1].trigger, self.button.reset[0]
        yield self.change.y, self.samplers[2].trigger
        yield self.crossing.y, self.samplers[3].trigger
        yield self.ticks.y, self.samplers[4].trigger, self.peak.trigger


def test_what_a_pulse_triggers() -> None:
    found = tg.simulate(Triggers(), stop=1.0, rtol=1e-9)
    risen = [0.1, 0.5, 0.9]
    fallen = [0.25, 0.65]
    crossed = [(k - 0.3 / math.pi) / 2.0 for k in (1, 2)]
    ticks = [0.05, 0.35, 0.65, 0.95]
    instants = [risen, fallen, sorted([*risen, *fallen]), crossed, ticks]
    for t in (0.07, 0.2, 0.27, 0.45, 0.62, 0.7, 0.93, 0.99):
        at = found.at(t)
        for k, times in enumerate(instants):
            last = max((x for x in times if x <= t), default=-1.0)
            assert at[f"samplers[{k}].y"] == pytest.approx(last, abs=1e-8), (k, t)
        assert at["count.y"] == 1.0 + 2.0 * sum(x <= t for x in risen)
        values = [abs(math.sin(math.tau * x + 0.3)) for x in ticks if x <= t]
        assert at["peak.y"] == pytest.approx(max(values), rel=1e-9)
        on = any(x <= t < x + 0.15 for x in risen)
        assert at["late.y"] == float(any(x + 0.1 <= t < x + 0.15 for x in risen))
        assert at["never.y"] == 0.0
        assert at["both.y1"] == float(any(x <= t < x + 0.2 for x in risen)), t
        assert at["both.y2"] == float(on and any(x + 0.05 <= t < x + 0.15 for x in risen)), t
        assert at["slope.y"] == pytest.approx(trapezoid(t, risen), abs=1e-9), t
        assert at["button.on"] == float(0.2 <= t < 0.25 or 0.6 <= t < 0.65), t


def trapezoid(t: float, risen: list[float]) -> float:
    """Up by 2/0.3 in a second while the pulse is on, down by 2/0.1 after, from 0.5."""
    for x in risen:
        if x <= t < x + 0.15:
            return 0.5 + 2.0 / 0.3 * (t - x)
        if x + 0.15 <= t < x + 0.2:
            return 0.5 + 1.0 - 20.0 * (t - x - 0.15)
    return 0.5


class Figures(tg.Component):
    """A wave of two harmonics and a constant, measured."""

    u = tg.variable()
    first = blocks.Harmonic(f=2.0)
    third = blocks.Harmonic(f=2.0, k=3, use_conjugate_complex=True)
    distortion = blocks.TotalHarmonicDistortion(f=2.0)
    whole = blocks.TotalHarmonicDistortion(f=2.0, use_first_harmonic=False)
    spread = blocks.Variance()
    deviation = blocks.StandardDeviation()
    spectrum = blocks.RealFFT(f_max=8.0, f_res=2.0)
    extrema = blocks.SignalExtrema(Ts=0.01)
    rate = blocks.Der()
    sweep = blocks.LogFrequencySweep(w_min=1.0, w_max=8.0, duration=3.0)
    chirp = blocks.SineVariableFrequencyAndAmplitude(amplitude=2.0)
    cosine = blocks.CosineVariableFrequencyAndAmplitude(amplitude=2.0, f=3.0)
    sinc = blocks.Sinc(f=1.5, start_time=0.25, offset=1.0)
    late = blocks.VariableDelay(delay_max=1.0)

    def equations(self) -> Any:
        angle = 2.0 * tg.pi * 2.0 * tg.time
        yield self.u == 3.0 * tg.cos(angle - 0.4) + 0.5 * tg.cos(3.0 * angle + 0.7)
        meters = (self.first, self.third, self.distortion, self.whole, self.spread, self.deviation, self.spectrum)
        for meter in (*meters, self.extrema, self.rate, self.late):
            yield meter.u == self.u
        yield self.late.delay_time == 0.3 + 0.1 * tg.time
        yield self.chirp.f == self.sweep.y


def test_figures_of_a_wave() -> None:
    stop = 1.25
    found = tg.simulate(Figures(), stop=stop, rtol=1e-9).at(stop)

    def wave(t: float) -> float:
        return 3.0 * math.cos(2.0 * math.tau * t - 0.4) + 0.5 * math.cos(6.0 * math.tau * t + 0.7)

    root = math.sqrt(2.0)
    samples = np.array([wave(0.01 * k) for k in range(126)])
    times = np.linspace(0.0, stop, 200001)
    values = 3.0 * np.cos(2.0 * math.tau * times - 0.4) + 0.5 * np.cos(6.0 * math.tau * times + 0.7)
    means = np.cumsum(0.5 * (values[1:] + values[:-1])) / np.arange(1, len(values))
    middle = 0.5 * (values[1:] + values[:-1])
    expected = {
        "first.y_rms": 3.0 / root,
        "first.y_arg": 0.4,
        "third.y_rms": 0.5 / root,
        "third.y_arg": 0.7,
        "distortion.y": 0.5 / 3.0,
        "distortion.valid": 1.0,
        "whole.y": 0.5 / math.hypot(3.0, 0.5),
        "spectrum.y_abs[0]": 0.0,
        "spectrum.y_abs[1]": 3.0,
        "spectrum.phase[1]": -0.4,
        "spectrum.y_abs[3]": 0.5,
        "spectrum.phase[3]": 0.7,
        "spectrum.y_abs[4]": 0.0,
        "extrema.y_max": samples.max(),
        "extrema.y_min": samples.min(),
        "extrema.t_max": 0.01 * samples.argmax(),
        "rate.y": -6.0 * math.tau * math.sin(2.0 * math.tau * stop - 0.4)
        - 3.0 * math.tau * math.sin(6.0 * math.tau * stop + 0.7),
        "sweep.y": 8.0 ** (stop / 3.0),
        "chirp.y": 2.0 * math.sin(math.tau * 3.0 / math.log(8.0) * (8.0 ** (stop / 3.0) - 1.0)),
        "cosine.y": 2.0 * math.cos(3.0 * math.tau * stop),
        "sinc.y": 1.0 + math.sin(1.5 * math.tau * 1.0) / (1.5 * math.tau * 1.0),
        "late.y": wave(stop - 0.3 - 0.1 * stop),
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-6, abs=2e-6), name
    assert found["spread.y"] == pytest.approx(float(np.mean((middle - means) ** 2)), rel=1e-4)
    assert found["deviation.y"] == pytest.approx(math.sqrt(found["spread.y"]), rel=1e-9)


class Inverse(tg.Component):
    """A lag turned round: what input gives the output 1 - exp(-t) (1 + t)?"""

    wanted = tg.variable()
    plant = blocks.FirstOrder(T=2.0, k=3.0)
    turned = blocks.InverseBlockConstraints()

    def connections(self) -> Any:
        yield self.plant.y, self.turned.u2
        yield self.turned.y2, self.plant.u

    def equations(self) -> Any:
        yield self.wanted == 1.0 - tg.exp(-tg.time) * (1.0 + tg.time)
        yield self.turned.u1 == self.wanted


def test_an_inverse_block() -> None:
    found = tg.simulate(Inverse(), stop=2.0).at(1.3)
    wanted = 1.0 - math.exp(-1.3) * 2.3
    assert found["turned.y1"] == pytest.approx((wanted + 2.0 * 1.3 * math.exp(-1.3)) / 3.0, rel=1e-9)


class Starts(tg.Component):
    """Controllers that begin at rest and with a given output, and shapes that end."""

    pi = blocks.PI(k=2.0, T=0.5, u=0.0, y_start=3.0, init_type="initial_output")
    pid = blocks.PID(k=2.0, u=0.3, y_start=3.0, init_type="initial_output")
    limited = blocks.LimPID(k=2.0, u_s=0.4, u_m=0.1, y_max=9.0, y_start=3.0, init_type="initial_output")
    forward = blocks.LimPID(controller_type="P", u_s=0.4, u_m=0.1, u_ff=2.0, k_ff=0.25, with_feed_forward=True)
    trapezoid = blocks.Trapezoid(nperiod=2.0, period=1.0, start_time=0.1)
    none = blocks.Pulse(nperiod=0.0)


def test_starts_and_ends() -> None:
    found = tg.simulate(Starts(), stop=3.0)
    begin = found.at(0.0)
    assert [begin[f"{name}.y"] for name in ("pi", "pid", "limited")] == pytest.approx([3.0, 3.0, 3.0])
    assert found.at(1.0)["pi.y"] == pytest.approx(3.0)
    assert begin["forward.y"] == pytest.approx(0.8)
    assert [found.at(t)["trapezoid.y"] for t in (0.05, 0.3, 0.7, 1.3, 2.2)] == [0.0, 1.0, 0.0, 1.0, 0.0]
    assert not found["none.y"].any()


class Heated(tg.Component):
    """A controller that is on from the start sets off a ramp."""

    x = tg.variable(start=15.0, fixed=True)
    control = blocks.OnOffController(reference=20.0, bandwidth=2.0)
    ramp = blocks.TriggeredTrapezoid(amplitude=6.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 10.0
        yield self.control.u == self.x

    def connections(self) -> Any:
        yield self.control.y, self.ramp.u


@pytest.mark.parametrize("solver", ["rk45", "ida"])
def test_what_is_set_off_at_the_start_follows_what_sets_it_off(solver: str) -> None:
    """Of the conditions on and ~on of one when-statement both become true in the initial instant, one after the other.

    Both blocks read unknowns that the other one changes, so neither is known to act first.
    """
    solution = tg.simulate(Heated(), 1.0, solver=solver)
    assert (solution["control.y"][0], solution["ramp.target"][0], solution["ramp.y"][0]) == (1.0, 1.0, 6.0)
    off = np.flatnonzero(solution["ramp.y"] == 0.0)[0]
    assert solution.time[off] == pytest.approx(0.6, abs=1e-3)  # 21 is reached
    assert (solution["ramp.y"][off:] == 0.0).all()
