"""Sampled systems against SciPy's discrete systems and against plain loops in NumPy.

Blocks that hear only other blocks compute in the same order as the loops: what differs is rounding (1e-12 of numbers of
order one). Loops around a continuous plant are as good as its integration: 1e-8 at rtol = 1e-10.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import linalg, signal, stats

import tellegen as tg
from shared_models import shared_model
from tellegen.library import electrical as el
from tellegen.library import sampled
from validation.measured import within

CLOCK = tg.Clock("10 ms")
EXAMPLES = Path(__file__).parents[2] / "examples"
COUNT = 100
MIDDLE: Any = (np.arange(COUNT) + 0.5) * CLOCK.period
STOP = COUNT * CLOCK.period
A = [[0.9, 0.2, 0.0], [-0.1, 0.8, 0.1], [0.0, 0.3, 0.5]]
B = [[0.1, 0.0], [0.0, 0.5], [0.2, 0.0]]
C = [[1.0, 0.0, 0.0], [0.0, 0.5, 1.0]]
D = [[0.0, 0.1], [0.2, 0.0]]


def ticks(count: int, period: float = CLOCK.period) -> Any:
    """The first instants of a clock."""
    return np.arange(count) * period


def noise(seed: int, **values: Any) -> sampled.UniformNoise:
    return sampled.UniformNoise(clock=CLOCK, seed=seed, **values)


class Linear(tg.Component):
    """Noise into a transfer function and a state space of two inputs."""

    first = noise(1)
    second = noise(2)
    filter = sampled.TransferFunction(clock=CLOCK, b=[0.5, 0.2], a=[2.0, -1.0, 0.3, 0.1])
    direct = sampled.TransferFunction(clock=CLOCK, b=[1.0, 0.2, -0.3], a=[1.0, -1.2, 0.5])
    space = sampled.StateSpace(clock=CLOCK, A=A, B=B, C=C, D=D, x=tg.variable(start=[1.0, 2.0, 3.0]))

    def connections(self):
        yield self.first.y, self.filter.u, self.direct.u, self.space.u[0]
        yield self.second.y, self.space.u[1]


def test_linear_systems() -> None:
    at = tg.simulate(Linear(), STOP).at(MIDDLE)
    u = np.column_stack([at["first.y"], at["second.y"]])
    for name, b, a in (
        ("filter", [0.5, 0.2], [2.0, -1.0, 0.3, 0.1]),
        ("direct", [1.0, 0.2, -0.3], [1.0, -1.2, 0.5]),
    ):
        _, y = signal.dlsim(signal.dlti(b, a, dt=CLOCK.period), u[:, :1])[:2]
        within("Transfer function in z", at[f"{name}.y"] - y[:, 0], 1e-12, "scipy.signal.dlsim")
    _, y = signal.dlsim(signal.dlti(A, B, C, D, dt=CLOCK.period), u, x0=[1.0, 2.0, 3.0])[:2]
    within("State space, 3 states, 2 inputs, 2 outputs", at["space.y"] - y, 1e-12, "scipy.signal.dlsim")


class Controller(tg.Component):
    """A PID that hears nothing but noise: reference, measurement, manual value and mode."""

    r = noise(11)
    m = noise(12)
    manual = noise(13)
    mode = noise(14, low=0.2, high=1.2)
    pid = sampled.PID(clock=CLOCK, kp=2.0, ki=30.0, kd=0.01, Tf=0.02, b=0.7, kt=20.0, y_min=-1.5, y_max=2.0)

    def connections(self):
        yield self.r.y, self.pid.reference
        yield self.m.y, self.pid.measured
        yield self.manual.y, self.pid.manual
        yield self.mode.y, self.pid.automatic


def test_pid() -> None:
    at = tg.simulate(Controller(), STOP).at(MIDDLE)
    T, integral, derivative, last, expected = CLOCK.period, 0.0, 0.0, None, []
    for r, m, manual, mode in zip(*(at[f"{name}.y"] for name in ("r", "m", "manual", "mode")), strict=True):
        change = 0.0 if last is None else m - last
        derivative, last = (0.02 * derivative - 0.01 * change) / (0.02 + T), m
        direct = 2.0 * (0.7 * r - m) + derivative
        wish = direct + integral
        if mode > 0.5:
            y = min(max(wish, -1.5), 2.0)
            integral += T * (30.0 * (r - m) + 20.0 * (y - wish))
        else:
            y = min(max(manual, -1.5), 2.0)
            integral = y - direct
        expected.append(y)
    assert {-1.5, 2.0} < set(expected)  # both limits were reached
    within("PID with limits, back-calculation, manual mode", at["pid.y"] - expected, 1e-12, "loop in NumPy")


class Plant(tg.Component):
    """x'' + 0.4 x' + x = u, and a lead compensator in z around it."""

    control = sampled.TransferFunction(clock=CLOCK.every(20), b=[8.0, -6.6], a=[1.0, -0.3])
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.control.y - 0.4 * self.v - self.x
        yield self.control.u == 1.0 - self.x


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_closed_loop_against_the_exact_discretization(solver: str) -> None:
    T = 20 * CLOCK.period
    plant = tuple(np.array(m) for m in ([[0.0, 1.0], [-1.0, -0.4]], [[0.0], [1.0]], [[1.0, 0.0]], [[0.0]]))
    discrete: Any = signal.cont2discrete(plant, T, method="zoh")
    F, G = discrete[:2]
    x, old, states = np.array([1.0, 0.0]), 0.0, []
    for _ in range(50):
        states.append(x)
        e = 1.0 - x[0]
        y, old = old + 8.0 * e, -6.6 * e + 0.3 * (old + 8.0 * e)
        x = F @ x + G[:, 0] * y
    solution = shared_model(Plant).simulate(50 * T, rtol=1e-10, atol=1e-12, solver=solver)
    at = solution.at(ticks(50, T))
    error = np.column_stack([at["x"], at["v"]]) - states
    within("Closed sampled loop", error, 1e-8, "scipy.signal.cont2discrete", solver)


class Cascade(tg.Component):
    """Position control every 30 ms around speed control every 10 ms, 2 ms later; the speed is sampled every 5 ms."""

    slow = sampled.PID(clock=CLOCK.every(3), kp=4.0)
    fast = sampled.PID(clock=CLOCK.shift("2 ms"), kp=3.0, ki=20.0)
    sensor = sampled.ZeroOrderHold(clock=CLOCK.times(2))
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == 5.0 * self.fast.y - 2.0 * self.v - self.x
        yield self.slow.reference == 1.0
        yield self.slow.measured == self.x
        yield self.sensor.u == self.v

    def connections(self):
        yield self.slow.y, self.fast.reference
        yield self.sensor.y, self.fast.measured


def test_rates_and_offsets_against_a_loop_of_milliseconds() -> None:
    F = linalg.expm(1e-3 * np.array([[0.0, 1.0, 0.0], [-1.0, -2.0, 5.0], [0.0, 0.0, 0.0]]))
    x, wanted, seen, integral, states = np.zeros(3), 0.0, 0.0, 0.0, []
    for k in range(1000):
        states.append(x[:2])
        if k % 30 == 0:
            wanted = 4.0 * (1.0 - x[0])
        if k % 5 == 0:
            seen = x[1]
        if k % 10 == 2:
            x = np.array([*x[:2], 3.0 * (wanted - seen) + integral])
            integral += 10e-3 * 20.0 * (wanted - seen)
        x = F @ x
    solution = tg.simulate(Cascade(), 1.0, rtol=1e-10, atol=1e-12)
    at = solution.at(ticks(1000, 1e-3))
    error = np.column_stack([at["x"], at["v"]]) - states
    within("Cascade of three rates with an offset", error, 1e-8, "loop of matrix exponentials")


MODEL = {"A": [[1.0, 0.1], [-0.2, 0.9]], "B": [[0.0], [0.1]]}
Q = [[1e-3, 2e-4], [2e-4, 1e-2]]


class Filters(tg.Component):
    """Kalman filters with one and with two measurements, whose noises are correlated."""

    u = noise(21)
    first = noise(22)
    second = noise(23)
    one = sampled.KalmanFilter(
        clock=CLOCK, **MODEL, C=[[1.0, 0.5]], Q=Q, R=[[0.1]], P=tg.variable(start=[[1.0, 0.2], [0.2, 2.0]])
    )
    two = sampled.KalmanFilter(
        clock=CLOCK,
        **MODEL,
        C=[[1.0, 0.0], [0.3, 1.0]],
        D=[[0.0], [0.2]],
        Q=Q,
        R=[[0.1, 0.05], [0.05, 0.3]],
        P=tg.variable(start=[[1.0, 0.2], [0.2, 2.0]]),
        x=tg.variable(start=[0.5, -0.5]),
    )
    observer = sampled.Observer.steady(clock=CLOCK, **MODEL, C=[[1.0, 0.5]], Q=Q, R=[[0.1]])

    def connections(self):
        yield self.u.y, self.one.u[0], self.two.u[0], self.observer.u[0]
        yield self.first.y, self.one.y[0], self.two.y[0], self.observer.y[0]
        yield self.second.y, self.two.y[1]


def kalman(at: Any, C: Any, D: Any, R: Any, x: Any, measured: tuple[str, ...]) -> tuple[Any, Any]:
    """Estimates and the last gain, as the textbook has them."""
    F, G, C, D, R, x = (np.array(matrix) for matrix in (MODEL["A"], MODEL["B"], C, D, R, x))
    P, estimates, K = np.array([[1.0, 0.2], [0.2, 2.0]]), [], np.zeros(0)
    for k in range(COUNT):
        u, y = np.array([at["u.y"][k]]), np.array([at[f"{name}.y"][k] for name in measured])
        K = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        x = x + K @ (y - C @ x - D @ u)
        estimates.append(x)
        x = F @ x + G @ u
        P = F @ (np.eye(2) - K @ C) @ P @ F.T + Q
    return np.array(estimates), K


def test_kalman_filter() -> None:
    at = tg.simulate(Filters(), STOP).at(MIDDLE)
    xe, K = kalman(at, [[1.0, 0.5]], [[0.0]], [[0.1]], [0.0, 0.0], ("first",))
    within("Kalman filter, one measurement", at["one.xe"] - xe, 1e-10, "loop in NumPy")
    C, D, R = [[1.0, 0.0], [0.3, 1.0]], [[0.0], [0.2]], [[0.1, 0.05], [0.05, 0.3]]
    xe, K = kalman(at, C, D, R, [0.5, -0.5], ("first", "second"))
    within("Kalman filter, two correlated measurements", at["two.xe"] - xe, 1e-10, "loop in NumPy")
    within("Kalman filter, gain after 100 ticks", at["two.K"][-1] - K, 1e-10, "loop in NumPy")
    F, c = np.array(MODEL["A"]), np.array([[1.0, 0.5]])
    P = linalg.solve_discrete_are(F.T, c.T, np.array(Q), np.array([[0.1]]))
    steady = P @ c.T / (c @ P @ c.T + 0.1)
    within("Kalman filter, steady gain", at["one.K"][-1] - steady, 1e-9, "scipy.linalg.solve_discrete_are")
    difference = at["one.xe"][-1] - at["observer.xe"][-1]
    within("Observer with the steady gain, after 100 ticks", difference, 1e-5, "Kalman filter")


def test_kalman_filter_of_six_states_and_three_measurements() -> None:
    """Written out in one expression it took ten seconds to compile; with its matrices as variables half a second."""
    rng = np.random.default_rng(7)
    F, C = 0.3 * rng.standard_normal((6, 6)), rng.standard_normal((3, 6))
    R = 0.1 * np.eye(3) + 0.05
    filter = sampled.KalmanFilter(clock=CLOCK, A=F, C=C, Q=0.1 * np.eye(6), R=R, P=tg.variable(start=np.eye(6)))

    class Constant(tg.Component):
        kalman = filter

        def equations(self):
            yield self.kalman.y == [1.0, -2.0, 0.5]

    at = tg.simulate(Constant(), STOP).at(MIDDLE[:20])
    x, P, expected = np.zeros(6), np.eye(6), []
    for _ in range(20):
        K = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        x = x + K @ (np.array([1.0, -2.0, 0.5]) - C @ x)
        expected.append(x)
        x, P = F @ x, F @ (P - K @ C @ P) @ F.T + 0.1 * np.eye(6)
    within("Kalman filter, 6 states, 3 measurements", at["kalman.xe"] - expected, 1e-10, "loop in NumPy")


class Pulses(tg.Component):
    """The integral of the pulses, and duties that change from period to period, beyond the limits too."""

    wanted = noise(31, low=-1.3, high=1.3)
    plain = sampled.PWM(clock=CLOCK)
    locked = sampled.PWM(clock=CLOCK, code="locked_anti_phase")
    centred = sampled.PWM(clock=CLOCK, centred=True)
    centred_locked = sampled.PWM(clock=CLOCK, code="locked_anti_phase", centred=True)
    mean = sampled.PWM(clock=CLOCK, switching=False)
    area = tg.variable("s", shape=5, start=0.0, fixed=True)

    def equations(self):
        pulses = (self.plain, self.locked, self.centred, self.centred_locked, self.mean)
        yield tg.der(self.area) == [pwm.y for pwm in pulses]

    def connections(self):
        yield self.wanted.y, self.plain.duty, self.locked.duty, self.centred.duty, self.centred_locked.duty
        yield self.wanted.y, self.mean.duty


def test_pwm_has_the_mean_of_its_duty() -> None:
    """Exact but for rounding: some 1e-16 s in an integral of order one, of a period of 10 ms."""
    solution = tg.simulate(Pulses(), STOP)
    area = solution.at(ticks(COUNT))["area"]
    duty = np.clip(solution.at(MIDDLE)["wanted.y"][:-1], -1.0, 1.0)
    mean = np.diff(area, axis=0) / CLOCK.period
    within("PWM, mean over a period, 2 codes, aligned and centred", mean - duty[:, None], 1e-12, "duty")
    assert set(np.unique(solution["plain.y"])) == {-1.0, 0.0, 1.0}
    assert set(np.unique(solution["locked.y"])) <= {-1.0, 0.0, 1.0}


class Winding(tg.Component):
    """An H bridge with both codes on a winding of 2 ohm and 1 mH, at 5 kHz."""

    code = tg.parameter("sign_magnitude", structural=True)
    pwm = sampled.PWM(clock=tg.Clock(rate="5 kHz"), code=code)
    bridge = sampled.HBridge(V=24.0, R=0.5)
    r = el.Resistor(R=1.5)
    l = el.Inductor(L=1e-3, i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    ground = el.Ground()
    duty = tg.parameter(0.3, "1")

    def equations(self):
        yield self.pwm.duty == self.duty

    def connections(self):
        yield self.pwm.y, self.bridge.s
        yield self.bridge.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.bridge.n, self.ground.p


@pytest.mark.parametrize(("code", "levels"), [("sign_magnitude", (1.0, 0.0)), ("locked_anti_phase", (1.0, -1.0))])
def test_ripple_of_the_current(code: str, levels: tuple[float, float]) -> None:
    """After 20 time constants: exponentials towards V/R and 0, or towards V/R and -V/R."""
    solution = tg.simulate(Winding(code=code), 10.2e-3, rtol=1e-10, atol=1e-12)
    on = (0.3 - levels[1]) / (levels[0] - levels[1])
    high, low = (24.0 / 2.0 * level for level in levels)  # where the current tends to
    a, b = np.exp(-2e-4 * on * 2.0 / 1e-3), np.exp(-2e-4 * (1.0 - on) * 2.0 / 1e-3)
    top = (high * (1.0 - a) + low * a * (1.0 - b)) / (1.0 - a * b)
    bottom = low * (1.0 - b) + top * b
    late = solution["l.i"][solution.time >= 10e-3]
    within(f"Current of a winding, {code}", [late.max() - top, late.min() - bottom], 1e-7, "closed-form solution, A")


class Generators(tg.Component):
    plain = sampled.UniformNoise(clock=CLOCK, seed=5)
    normal = sampled.GaussianNoise(clock=CLOCK, seed=5, mean=1.0, sigma=2.0)
    neighbour = sampled.GaussianNoise(clock=CLOCK, seed=6, mean=1.0, sigma=2.0)


def test_noise_is_that_of_the_paper_and_well_distributed() -> None:
    count = 1500
    solution = tg.simulate(Generators(), count * CLOCK.period, points=2)
    at = solution.at(ticks(count) + 0.5 * CLOCK.period)
    first, second = 5 * 1234567891 % 2147483563, 5 * 1234567891 % 2147483399
    states = []
    for _ in range(count):  # in integers, as L'Ecuyer writes it
        first, second = 40014 * first % 2147483563, 40692 * second % 2147483399
        states.append((first, second))
    np.testing.assert_array_equal(np.column_stack([at["plain.first"], at["plain.second"]]), states)
    assert stats.kstest(at["plain.y"], "uniform", (-1.0, 2.0)).pvalue > 0.01
    assert stats.kstest((at["normal.y"] - 1.0) / 2.0, "norm").pvalue > 0.01
    for other in (at["neighbour.y"], np.roll(at["normal.y"], 1)):
        assert abs(np.corrcoef(at["normal.y"], other)[0, 1]) < 3.5 / np.sqrt(count)


class Converters(tg.Component):
    u = noise(41, low=-1.4, high=1.4)
    adc = sampled.ADC(clock=CLOCK, bits=5, low=-1.0, high=1.0)
    dac = sampled.DAC(clock=CLOCK, bits=4, low=-1.0, high=1.0)
    quantizer = sampled.Quantizer(clock=CLOCK, q=0.3)
    encoder = sampled.Encoder(clock=CLOCK, lines=256)

    def connections(self):
        yield self.u.y, self.adc.u, self.quantizer.u, self.encoder.phi
        yield self.adc.code, self.dac.code


def test_converters() -> None:
    at = tg.simulate(Converters(), STOP).at(MIDDLE)
    u = at["u.y"]
    code = np.clip(np.floor((u + 1.0) * 16 + 0.5), 0, 31)
    assert {0.0, 31.0} < set(code)
    within("ADC, 5 bits", at["adc.y"] - (code / 16 - 1.0), 1e-15, "loop in NumPy")
    np.testing.assert_array_equal(at["adc.code"], code)
    within(
        "DAC, 4 bits, codes beyond its range", at["dac.y"] - (np.minimum(code, 15) / 8 - 1.0), 1e-15, "loop in NumPy"
    )
    within("Quantizer", at["quantizer.y"] - 0.3 * np.floor(u / 0.3 + 0.5), 1e-15, "loop in NumPy")
    count = np.floor(u * 1024 / (2 * np.pi))
    np.testing.assert_array_equal(at["encoder.count"], count)
    speed = np.diff(count, prepend=count[0]) * 2 * np.pi / 1024 / CLOCK.period
    within("Encoder, 256 lines, four edges, speed", at["encoder.speed"] - speed, 1e-12, "loop in NumPy, rad/s")


def test_encoder_feedback_against_matrix_exponentials() -> None:
    """The drive of examples/encoder_velocity.py every 10 ms for 2 s: every count, and the states to 1e-7 of them.

    Rounding down is a discontinuity, so one count off would show at once: as 0.6 rad/s in the next speed.
    """
    drive = runpy.run_path(str(EXAMPLES / "encoder_velocity.py"))["fast"]()
    solution = tg.simulate(drive, 2.0, rtol=1e-10, atol=1e-12)
    ounce_inch = 0.45359237 * 9.80665 / 16.0 * 0.0254
    N, R, L, kb, kt = 12.5, 2.4, 4.8e-3, 0.0401, 5.6 * ounce_inch
    J, d = (41.077 + N**2 * 0.0044) * ounce_inch, N**2 * 0.0137 * ounce_inch
    F = np.zeros((4, 4))  # current, speed and angle of the link, voltage
    F[0] = [-R / L, -kb * N / L, 0.0, 1.0 / L]
    F[1, :2] = [N * kt / J, -d / J]
    F[2, 1] = 1.0
    F = linalg.expm(0.01 * F)
    x, last, states, counts = np.zeros(4), 0.0, [], []
    for _ in range(200):
        count = np.floor(x[2] * 1024 / (2 * np.pi))
        x[3] = 5.0 * (5.0 - (count - last) * 2 * np.pi / 1024 / 0.01)
        last = count
        states.append(x[:3])
        counts.append(count)
        x = F @ x
    at = solution.at(ticks(200) + 1e-9)
    np.testing.assert_array_equal(at["sensor.count"], counts)
    at = solution.at(ticks(200))
    error = np.column_stack([at["motor.i"], at["link.w"], at["link.phi"]]) - states
    within("Encoder feedback (Vaze, section 9.3), every 10 ms", error, 1e-7, "loop of matrix exponentials")
