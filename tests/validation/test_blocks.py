"""Signal blocks against SciPy's linear systems, filter designs and integrators, and against closed-form solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize
from scipy import signal as scipy_signal
from scipy.linalg import toeplitz

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library.blocks.dynamics.filters import FAMILIES, KINDS
from validation.measured import ALL, within

signal: Any = scipy_signal  # its stubs know one of the forms of each argument only
brentq: Any = optimize.brentq

TF = ([2.0, 1.0, 5.0], [0.5, 1.5, 3.0, 2.0])
A, B, C, D = [[-1.0, 2.0], [-3.0, -0.5]], [[1.0, 0.0], [0.5, 2.0]], [[1.0, 1.0]], [[0.0, 0.3]]


class Linear(tg.Component):
    """A step of 1 at 0 into every linear block."""

    integrator = blocks.Integrator(k=2.0, y_start=0.5)
    first_order = blocks.FirstOrder(k=3.0, T=0.4)
    second_order = blocks.SecondOrder(k=2.0, w=5.0, D=0.3)
    derivative = blocks.Derivative(k=0.7, T=0.2)
    pi = blocks.PI(k=2.0, T=0.5)
    pid = blocks.PID(k=2.0, Ti=0.5, Td=0.2, Nd=5.0)
    tf = blocks.TransferFunction(b=TF[0], a=TF[1])
    pade = blocks.PadeDelay(delay_time=0.5, n=5)
    ss = blocks.StateSpace(A=A, B=B, C=C, D=D)
    step = blocks.Step()

    def connections(self) -> Any:
        yield self.step.y, self.integrator.u, self.first_order.u, self.second_order.u, self.derivative.u
        yield self.step.y, self.pi.u, self.pid.u, self.tf.u, self.pade.u, self.ss.u[0], self.ss.u[1]


def pade(n: int, T: float) -> tuple[Any, Any]:
    """Pade's approximation of exp(-sT): b(s) - a(s) exp(-sT) vanishes up to s^2n, a linear system for a and b."""
    series = [1.0]
    for k in range(1, 2 * n + 1):
        series.append(-series[-1] * T / k)
    products = np.tril(toeplitz(series))[:, : n + 1]  # coefficients of the series times a(s)
    a = np.append(1.0, np.linalg.solve(products[n + 1 :, 1:], -products[n + 1 :, 0]))
    b = products[: n + 1] @ a
    return b[::-1], a[::-1]


RESPONSES: dict[str, tuple[Any, Any]] = {
    "first_order": ([3.0], [0.4, 1.0]),
    "second_order": ([2.0 * 25.0], [1.0, 3.0, 25.0]),
    "derivative": ([0.7, 0.0], [0.2, 1.0]),
    "pi": ([2.0, 2.0 / 0.5], [1.0, 0.0]),
    "pid": (np.polyadd([2.0 * 0.2 / 0.04, 0.0, 0.0], np.polymul([2.0, 4.0], [1.0, 25.0])), [1.0, 25.0, 0.0]),
    "tf": TF,
    "pade": pade(5, 0.5),
}


@pytest.mark.parametrize("solver", ALL)
def test_step_responses(solver: str) -> None:
    """At rtol 1e-9 the errors of the run are below 1e-6; SciPy's responses are exact (matrix exponentials)."""
    run = shared_model(Linear).simulate(4.0, solver=solver, rtol=1e-9, atol=1e-11, points=201)
    for name, (b, a) in RESPONSES.items():
        _, exact = signal.step((b, a), T=run.time)
        within(f"{name}, step response", run[f"{name}.y"] - exact, 1e-6, "scipy.signal.step", solver)
    _, exact, _ = signal.lsim((A, B, C, D), np.ones((len(run.time), 2)), run.time)
    within("ss, step response", run["ss.y[0]"] - exact, 1e-6, "scipy.signal.lsim", solver)
    within("integrator", run["integrator.y"] - 0.5 - 2.0 * run.time, 1e-8, "0.5 + 2 t", solver)


def design(family: str, kind: str, order: int, f: tuple[float, float]) -> Any:
    """The same filter by SciPy, as zeros, poles and gain."""
    band = 2 * np.pi * np.array(f if kind.startswith("band") else f[1])
    word = {"low_pass": "low", "high_pass": "high", "band_pass": "bandpass", "band_stop": "bandstop"}[kind]
    if family == "butterworth":
        return signal.butter(order, band, word, analog=True, output="zpk")
    p = np.full(order, -1.0 / np.sqrt(10.0 ** (0.3 / order) - 1.0))
    if family == "bessel":
        p = signal.besselap(order, norm="mag")[1]
        p = p / brentq(lambda w: np.prod(np.abs(1.0 - 1j * w / p) ** 2) - 10.0**0.3, 0.9, 1.1, xtol=1e-15)
    if family == "chebyshev_i":
        return signal.cheby1(order, 0.5, band, word, analog=True, output="zpk")
    change = {"low": signal.lp2lp_zpk, "high": signal.lp2hp_zpk}.get(word)
    if change is not None:
        return change([], p, np.prod(-p).real, band)
    change = signal.lp2bp_zpk if word == "bandpass" else signal.lp2bs_zpk
    return change([], p, np.prod(-p).real, np.sqrt(band[0] * band[1]), band[1] - band[0])


def response(model: Any, f: Any) -> Any:
    """The frequency response of a block, from its exact linear model."""
    linear = tg.linearize(model, inputs=["u"], outputs=["y"])
    states = np.eye(len(linear.A))
    return np.array(
        [(linear.C @ np.linalg.solve(2j * np.pi * x * states - linear.A, linear.B) + linear.D)[0, 0] for x in f]
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_filters(family: str, kind: str) -> None:
    """Rounding alone: the poles of order 6 are good to 1e-12, and multiply errors of the response by the order."""
    f = np.geomspace(0.3, 300.0, 60)
    for order in (1, 2, 3, 6):
        model = blocks.Filter(
            analog_filter=family,
            filter_type=kind,
            order=order,
            f_cut=20.0,
            f_min=5.0,
            gain=2.5,
            normalized=family != "chebyshev_i",
        )
        _, exact = signal.freqs_zpk(*design(family, kind, order, (5.0, 20.0)), worN=2 * np.pi * f)
        ripple = (
            10.0 ** (0.5 / 20) if family == "chebyshev_i" and order % 2 == 0 else 1.0
        )  # SciPy counts from the crest
        found = response(model, f)
        error = (found - 2.5 * ripple * exact) / 2.5
        within(f"{family} {kind}, orders 1 to 6", error, 1e-8, "frequency response of SciPy's design")


def test_low_pass_blocks_and_normalization() -> None:
    f = np.geomspace(0.3, 300.0, 60)
    for n in (1, 2, 5):
        _, exact = signal.freqs_zpk(*design("butterworth", "low_pass", n, (0.0, 20.0)), worN=2 * np.pi * f)
        within("LowpassButterworth", response(blocks.LowpassButterworth(n=n, f=20.0), f) - exact, 1e-9, "SciPy")
        lags = 1.0 / (1.0 + 1j * f / 20.0) ** n
        found = response(blocks.CriticalDamping(n=n, f=20.0, normalized=False), f)
        within("CriticalDamping, not normalized", found - lags, 1e-9, "1/(1 + s/w)^n")
    for family in FAMILIES:
        for order in (1, 2, 5):
            at = response(blocks.Filter(analog_filter=family, order=order, f_cut=20.0), [20.0])
            cut = np.sqrt(0.5) if family == "butterworth" else 10.0 ** (-3.0 / 20.0)
            within(f"{family} at the cut-off", abs(at) - cut, 1e-9, "-3 dB exactly; Butterworth 1/sqrt(2)")
    lags = response(blocks.CriticalDamping(n=3, f=20.0), [20.0])
    within("CriticalDamping at the cut-off", abs(lags) - np.sqrt(0.5), 1e-9, "1/sqrt(2)")
    with pytest.raises(tg.TellegenError, match="E704"):
        tg.compile(blocks.Filter(analog_filter="chebyshev_i", order=3, A_ripple=3.5))


@pytest.mark.filterwarnings("ignore:.*ill-conditioned matrix")  # of SciPy's reference, which is still good enough
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_pade_delays(n: int) -> None:
    f = np.linspace(0.0, n / (2 * np.pi) / 0.3, 40)
    found = response(blocks.PadeDelay(delay_time=0.3, n=n), f)
    within("PadeDelay, amplitude", abs(found) - 1.0, 1e-9, "an all-pass")
    coefficients = pade(n, 0.3)
    _, exact = signal.freqs(*coefficients, worN=2 * np.pi * f)
    within("PadeDelay, response", found - exact, 1e-6, "power series")
    if n >= 5:
        within("PadeDelay, phase up to n/T", found - np.exp(-2j * np.pi * f * 0.3), 5e-3, "exp(-s T)")


class Loop(tg.Component):
    """A plant with a large set-point step: the controller is at its limit for a while."""

    control = blocks.LimPID(k=6.0, Ti=0.5, Td=0.1, y_max=1.5, y_min=-0.5, wp=0.7, wd=0.2, Ni=0.8, Nd=8.0)
    plant = blocks.TransferFunction(b=[1.0], a=[0.5, 1.5, 1.0])
    wanted = blocks.Step(start_time=0.2)

    def connections(self) -> Any:
        yield self.wanted.y, self.control.u_s
        yield self.plant.y, self.control.u_m
        yield self.control.y, self.plant.u


@pytest.mark.parametrize("solver", ALL)
def test_limited_pid_in_its_loop(solver: str) -> None:
    """Against the same equations written down by hand and integrated by DOP853 between the corners."""

    def output(t: float, x: Any) -> tuple[float, float, float, float]:
        r, m = float(t >= 0.2), x[0]
        slope = 8.0 * (0.2 * r - m - x[3])
        free = 6.0 * (0.7 * r - m + x[2] + slope)
        return min(max(free, -0.5), 1.5), free, slope, r

    def rates(t: float, x: Any) -> list[float]:
        y, free, slope, r = output(t, x)
        second = x[1]
        return [second, 2.0 * (y - x[0]) - 3.0 * second, (r - x[0] + (y - free) / (6.0 * 0.8)) / 0.5, slope / 0.1]

    run = shared_model(Loop).simulate(6.0, solver=solver, rtol=1e-9, atol=1e-11)
    before = integrate.solve_ivp(
        rates, (0.2, 6.0), np.zeros(4), "DOP853", dense_output=True, rtol=1e-11, atol=1e-13, max_step=1e-2
    )
    t = run.time[run.time > 0.2]
    exact = before.sol(t)
    within("LimPID, plant", run["plant.y"][run.time > 0.2] - exact[0], 2e-6, "the equations by DOP853", solver)
    command = np.array([output(*row)[0] for row in zip(t, exact.T, strict=True)])
    within("LimPID, output", run["control.y"][run.time > 0.2] - command, 2e-5, "the equations by DOP853", solver)
    assert (run["control.y"] == 1.5).any(), "it must have been at its limit"


@pytest.mark.parametrize("kind", ["P", "PI", "PD", "PID"])
def test_types_of_controllers_at_rest_and_for_small_signals(kind: str) -> None:
    """The linear model of each type against its transfer function, within the limits; the loop can start at rest."""
    block = blocks.LimPID(controller_type=kind, k=3.0, Ti=0.5, Td=0.2, y_max=1e3, wd=0.5, Nd=5.0)
    linear = tg.linearize(block, inputs=["u_s", "u_m"], outputs=["y"], at=0.1)
    s = 2j * np.pi * 1.7
    found = (linear.C @ np.linalg.solve(s * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D)[0]
    integral = 1.0 / (0.5 * s) if "I" in kind else 0.0
    slope = 0.2 * s / (1.0 + 0.2 / 5.0 * s) if "D" in kind else 0.0
    exact = [3.0 * (1.0 + integral + 0.5 * slope), -3.0 * (1.0 + integral + slope)]
    within(f"LimPID, {kind} for small signals", found - exact, 1e-9, "its transfer functions")
    assert len(linear.A) == ("I" in kind) + ("D" in kind)
    rest = tg.simulate(
        Loop(control=blocks.LimPID(controller_type=kind, y_max=5.0), wanted=blocks.Step(offset=0.5)),
        1.0,
        initial="steady",
    )
    exact = 1.5 if "I" in kind else 0.75  # of 1.5 a gain of 1 leaves one half
    within(f"LimPID, {kind} at rest", rest["plant.y"][0] - exact, 1e-6, "the loop at rest")


class Vibration(tg.Component):
    """A weakly damped answer to a step, and all meters on it."""

    step = blocks.Step(height=2.0, start_time=0.1)
    plant = blocks.SecondOrder(w=10.0, D=0.3)
    peak = blocks.Peak(T=1e-4)
    overshoot = blocks.Overshoot(u_final=2.0, T=1e-4)
    rise = blocks.RiseTime(u_final=2.0, start_time=0.1)
    settling = blocks.SettlingTime(u_final=2.0, start_time=0.1, band=0.05)

    def connections(self) -> Any:
        yield self.step.y, self.plant.u
        yield self.plant.y, self.peak.u, self.overshoot.u, self.rise.u, self.settling.u


def test_meters_of_a_step_response() -> None:
    """Followers lag 1e-4 s behind: the peak is told too low by about (w T)^2/2 = 5e-7, late by T."""
    run = tg.simulate(Vibration(), 3.0, rtol=1e-9, atol=1e-11)
    w, damping = 10.0, 0.3
    wd = w * np.sqrt(1.0 - damping**2)

    def part(t: float) -> float:
        return 1.0 - np.exp(-damping * w * t) * (np.cos(wd * t) + damping * w / wd * np.sin(wd * t))

    over = np.exp(-np.pi * damping / np.sqrt(1.0 - damping**2))
    within("Overshoot", run["overshoot.y"][-1] - over, 2e-6, "exp(-pi D/sqrt(1 - D^2))")
    within("Peak, value", run["peak.y_max"][-1] - 2.0 * (1.0 + over), 4e-6, "closed-form solution")
    within("Peak, time [s]", run["peak.t_max"][-1] - 0.1 - np.pi / wd, 3e-4, "pi/w_d")
    rise = brentq(lambda t: part(t) - 0.9, 0.0, 0.3) - brentq(lambda t: part(t) - 0.1, 0.0, 0.3)
    within("RiseTime [s]", run["rise.y"][-1] - rise, 1e-6, "closed-form solution")
    grid = np.linspace(0.0, 2.9, 290001)
    outside = grid[np.abs(np.array([part(t) for t in grid[::10]]) - 1.0).repeat(10)[: len(grid)] > 0.05].max()
    settled = brentq(lambda t: abs(part(t) - 1.0) - 0.05, outside - 2e-3, outside + 2e-3)
    within("SettlingTime [s]", run["settling.y"][-1] - settled, 1e-6, "closed-form solution")
    assert run["peak.y_min"][-1] == 0.0


class Means(tg.Component):
    """A sine with an offset on all meters of means."""

    sine = blocks.Sine(amplitude=3.0, f=10.0, offset=1.0)
    mean = blocks.Mean(f=10.0)
    rectified = blocks.RectifiedMean(f=10.0)
    rms = blocks.RootMeanSquare(f=10.0)
    since_start = blocks.ContinuousMean()
    rms_since_start = blocks.ContinuousRMS()
    integral = blocks.Integral(start_time=0.25)
    energy = blocks.EnergyMeter()

    def connections(self) -> Any:
        yield self.sine.y, self.mean.u, self.rectified.u, self.rms.u, self.since_start.u, self.rms_since_start.u
        yield self.sine.y, self.integral.u, self.energy.u1, self.energy.u2


def test_meters_of_means() -> None:
    run = tg.simulate(Means(), 1.05, rtol=1e-9, atol=1e-12)
    turn = np.arcsin(1.0 / 3.0)  # |1 + 3 sin x| over a turn, by its antiderivative between the zeros
    rectified = (2.0 * turn + 6.0 * np.cos(turn)) / np.pi
    rms = np.sqrt(1.0 + 4.5)
    for name, exact in (("mean", 1.0), ("rectified", rectified), ("rms", rms)):
        within(f"{name} over a period", run[f"{name}.y"][-1] - exact, 1e-6, "closed-form solution")
    one = run.at(1.0)
    within("ContinuousMean", one["since_start.y"] - 1.0, 1e-6, "closed-form solution")
    within("ContinuousRMS", one["rms_since_start.y"] - rms, 1e-6, "closed-form solution")
    integral = 0.75 + 3.0 / (2 * np.pi * 10.0) * (np.cos(2 * np.pi * 2.5) - np.cos(2 * np.pi * 10.0))
    within("Integral", one["integral.y"] - integral, 1e-6, "closed-form solution")
    within("EnergyMeter [J]", one["energy.E"] - 5.5, 1e-6, "closed-form solution")
    assert run["mean.y"][0] == 0.0
    late = tg.simulate(Means(), 1.05, start=0.13, rtol=1e-9, atol=1e-12)
    assert late.at(0.25)["mean.y"] == 0.0, "a period that was not seen as a whole is not told"
    within("rms, run from mid-period", late["rms.y"][-1] - rms, 1e-6, "closed-form solution")
    within("ContinuousMean, run from 0.13 s", late.at(0.93)["since_start.y"] - 1.0, 1e-6, "closed-form solution")
