"""tg.discretize: linear components against SciPy, nonlinear ones by their order, names, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.signal import cont2discrete

import tellegen as tg
from sampling.c_programs import random_inputs, samples_in_python
from sampling.controllers import Bent, Cascade, Knotted, Linear
from tellegen.library import blocks

PERIOD = 0.1
IN_SCIPY = {"tustin": "bilinear", "zoh": "zoh", "euler": "euler", "backward": "backward_diff"}


def recursion(matrices: Any, method: str, inputs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The outputs of SciPy's matrices."""
    made: Any = cont2discrete(matrices, PERIOD, IN_SCIPY[method])
    A, B, C, D, _ = made
    x = np.zeros(len(A))
    out = []
    for u in inputs:
        out.append(C @ x + D @ u)
        x = A @ x + B @ u
    return np.array(out)


@pytest.mark.parametrize("method", IN_SCIPY)
def test_linear_components_have_the_matrices_of_scipy(method: str) -> None:
    """Entries of very different size, one of them fast: exp(A T) is halved ten times."""
    rng = np.random.default_rng(5)
    A = rng.normal(size=(3, 3)) - np.diag([1.0, 2.0, 300.0 if method != "euler" else 3.0])
    B, C, D = rng.normal(size=(3, 2)), rng.normal(size=(2, 3)), rng.normal(size=(2, 2))
    given = random_inputs(["u[0]", "u[1]"], 12, 2)
    made = tg.discretize(Linear(A=A, B=B, C=C, D=D), PERIOD, method)
    found = samples_in_python(made, PERIOD, given, "y[1]")
    wanted = recursion((A, B, C, D), method, np.array(list(given.values())).T)[:, 1]
    assert np.abs(np.array(found) - wanted).max() < 1e-12 * np.abs(wanted).max()


def test_matrices_follow_the_parameters_of_the_run() -> None:
    """exp(-T/lag) with a lag that is given when the model is run."""

    class Held(tg.Component):
        part = tg.discretize(blocks.FirstOrder(k=2.0, T=1.0), PERIOD, "zoh")

        def equations(self) -> Any:
            yield self.part.u == 1.0

    run = tg.simulate(Held(), stop=0.25, parameters={"part.T": 0.05})
    assert abs(run["part.y"][-1] - 2.0 * (1.0 - np.exp(-0.2 / 0.05))) < 1e-14


ORDERS = {"tustin": 2, "rosenbrock": 2, "euler": 1, "backward": 1}


@pytest.mark.parametrize("method", ORDERS)
def test_order_of_nonlinear_components(method: str) -> None:
    """An input that rises from rest; the method that holds it for a period is given a constant one."""

    class Driven(tg.Component):
        def equations(self) -> Any:
            rising = 3.0 * tg.sin(2.0 * tg.time) ** 2
            yield self.part.u == (1.5 if method == "rosenbrock" else rising)

    def final(part: Any, step: float) -> float:
        driven = type("Driven", (Driven,), {"part": part})()
        run = tg.simulate(driven, stop=1.6 + 0.4 * step, points=2, rtol=1e-10 if step == 0.0 else 1e-6)
        return float(run["part.a"][-1])

    exact = final(Bent(), 0.0)
    errors = [abs(final(tg.discretize(Bent(), step, method), step) - exact) for step in (0.04, 0.02)]
    assert abs(np.log2(errors[0] / errors[1]) - ORDERS[method]) < 0.2
    assert errors[1] < {1: 0.05, 2: 1e-3}[ORDERS[method]]


def test_loops_are_solved_with_the_step() -> None:
    """Order two, from a loop that Newton's method of the step solves as well."""

    class Driven(tg.Component):
        def equations(self) -> Any:
            yield self.part.u == tg.sin(3.0 * tg.time) ** 2

    def final(part: Any, stop: float) -> float:
        return float(tg.simulate(type("Driven", (Driven,), {"part": part})(), stop=stop, rtol=1e-9)["part.x"][-1])

    exact = final(Knotted(), 1.0)
    errors = [abs(final(tg.discretize(Knotted(), step), 1.0 + 0.3 * step) - exact) for step in (0.04, 0.02)]
    assert abs(np.log2(errors[0] / errors[1]) - 2.0) < 0.1
    assert errors[1] < 1e-4


def test_parts_keep_their_names() -> None:
    """Parameters, inputs, outputs and states of parts; the limit holds at every sample."""
    made = tg.discretize(Cascade(), "1 ms", "tustin")

    class Drive(tg.Component):
        control = made
        i = tg.variable("A", start=0.0, fixed=True)
        w = tg.variable("rad/s", start=0.0, fixed=True)

        def equations(self) -> Any:
            yield 5e-3 * tg.der(self.i) == self.control.voltage - 2.0 * self.i - 0.1 * self.w
            yield 1e-3 * tg.der(self.w) == 0.1 * self.i
            yield self.control.wanted == 100.0
            yield self.control.speed == self.w
            yield self.control.current == self.i

    run = tg.simulate(Drive(), stop=0.6, parameters={"control.outer.k": 0.6, "control.inner.y_max": 20.0})
    assert run["control.voltage"].max() == 20.0
    assert "control.inner.xi" in run
    continuous = type("Continuous", (Drive,), {"control": Cascade()})
    same = tg.simulate(continuous(), stop=0.6, parameters={"control.outer.k": 0.6, "control.inner.y_max": 20.0})
    assert abs(run.at(0.1)["w"] - same.at(0.1)["w"]) < 0.02 * 100.0


class Cart(tg.Component):
    """A mass that a force moves."""

    u = tg.input("N")
    m = tg.parameter(2.0, "kg")
    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v
        yield self.m * tg.der(self.v) == self.u


def test_inverse_models_are_sampled() -> None:
    """Feed-forward by the inverse of the plant and feedback of the rest, continuous and sampled with 500 Hz."""
    inverse = tg.inverse(Cart(), {"x": "x"}, {"u": "u"}, filter=tg.critical_damping(cutoff="2 Hz"))
    control = tg.two_degrees_of_freedom(inverse, blocks.PI(k=20.0, T=1.0))

    def equations(self: Any) -> Any:
        yield self.control.r == tg.where(tg.time > 0.1, 1.0, 0.0)
        yield self.control.y == self.cart.x
        yield self.cart.u == self.control.u

    ends = []
    for part in (control, tg.discretize(control, "2 ms")):
        body = {"cart": Cart(m=2.2), "control": part, "equations": equations}
        ends.append(tg.simulate(type("Loop", (tg.Component,), body)(), stop=0.6)["cart.x"][-1])
    assert abs(ends[1] - ends[0]) < 5e-3


def test_declared_units_stay() -> None:
    """A lag of a temperature in degC with a time constant in ms; the start is that of the model."""

    class Sensor(tg.Component):
        true = tg.input("degC")
        shown = tg.output("degC")
        lag = tg.parameter(200.0, "ms")
        T = tg.variable("degC", start=20.0, fixed=True)

        def equations(self) -> Any:
            yield self.lag * tg.der(self.T) == self.true - self.T
            yield self.shown == self.T

    class Held(tg.Component):
        sensor = tg.discretize(Sensor(), PERIOD, "zoh")

        def equations(self) -> Any:
            yield self.sensor.true == 273.15 + 30.0

    run = tg.simulate(Held(), stop=0.45, parameters={"sensor.lag": "400 ms"})
    assert abs(run["sensor.shown"][0] - 20.0) < 1e-12
    assert abs(run["sensor.T"][-1] - (30.0 - 10.0 * np.exp(-1.0))) < 1e-12


def test_constants_beside_linear_terms() -> None:
    """x' = u - x + 3: the constant is one more input."""

    class Offset(tg.Component):
        u = tg.input()
        y = tg.output()
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.u - self.x + 3.0
            yield self.y == self.x - 0.5

    found = samples_in_python(tg.discretize(Offset(), PERIOD, "zoh"), PERIOD, {"u": [0.0] * 4}, "y")
    wanted = 2.5 - 2.0 * np.exp(-PERIOD * np.arange(4))
    assert np.abs(found - wanted).max() < 1e-14


@pytest.mark.parametrize("method", ["rosenbrock", "tustin"])
def test_states_stop_at_their_limits(method: str) -> None:
    """The limit holds at every sample, and is left as soon as the input turns."""
    made = tg.discretize(blocks.LimIntegrator(k=1.0, out_max=0.3), PERIOD, method)
    found = samples_in_python(made, PERIOD, {"u": [1.0] * 6 + [-1.0] * 10}, "y")
    ahead = 0.5 * PERIOD if method == "tustin" else 0.0  # the rule of trapezoids counts half of the first sample
    assert np.allclose(found[:6], np.minimum(PERIOD * np.arange(6) + ahead, 0.3), atol=1e-12)
    assert np.allclose(np.diff(found[6:12]), -PERIOD, atol=1e-12)
    assert (max(found), min(found), found[-1]) == (0.3, -0.3, -0.3)


def test_conditions_are_remembered_from_sample_to_sample() -> None:
    """A hysteresis; an edge, which equations ask for and initial() suppresses."""
    made = tg.discretize(blocks.Hysteresis(), PERIOD)
    assert samples_in_python(made, PERIOD, {"u": [0.5, 1.5, 0.5, -0.5, 0.5, 1.5]}, "y") == [0, 1, 1, 0, 0, 1]
    made = tg.discretize(blocks.Edge(), PERIOD)
    assert samples_in_python(made, PERIOD, {"u": [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]}, "y") == [0, 0, 1, 0, 0, 1]


def test_too_few_iterations_are_warned_of() -> None:
    """A diode-like law that is driven hard: three iterations end far away."""

    class Steep(tg.Component):
        u = tg.input()
        y = tg.output()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == -50.0 * (tg.exp(self.x) - 1.0) + self.u
            yield self.y == self.x

    with pytest.warns(UserWarning, match="3 iterations of Newton's method at a sample are too few here"):
        samples_in_python(tg.discretize(Steep(), 0.1, "backward"), 0.1, {"u": [2000.0] * 3}, "y")
    found = samples_in_python(tg.discretize(Steep(), 0.1, "backward", iterations=60), 0.1, {"u": [2000.0] * 30}, "y")
    assert found[-1] == pytest.approx(np.log(41.0), rel=1e-9)


REFUSED = {
    "delay": (lambda: blocks.FixedDelay(), "tustin", "has a delay"),
    "method": (lambda: blocks.PI(k=1.0, T=1.0), "tusten", "method='tusten'; perhaps you meant 'tustin'"),
    "loop": (Knotted, "euler", "an algebraic loop of z needs iterations"),
    "not linear": (Bent, "zoh", "it is not linear"),
    "already": (lambda: blocks.UniformNoise(), "tustin", "it is sampled already"),
    "no output": (lambda: _Silent(), "tustin", "it has no output"),
    "its time": (lambda: _Timed(), "rosenbrock", "depend on the time itself"),
}


class _Silent(tg.Component):
    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.u


class _Timed(tg.Component):
    u = tg.input()
    y = tg.output(start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.y) == self.u * tg.time


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_sampled(case: str) -> None:
    make, method, words = REFUSED[case]
    with pytest.raises(tg.DesignError, match=words):
        tg.discretize(make(), PERIOD, method)


class Stepped(tg.Component):
    """A rate with steps of the state."""

    u = tg.input()
    y = tg.output()
    x = tg.variable(start=0.0, fixed=True)
    here = tg.parameter(False, structural=True)

    def equations(self) -> Iterator[Any]:
        steps = tg.floor(3.0 * self.x)
        yield tg.der(self.x) == (tg.no_event(steps) if self.here else steps) - self.x + self.u
        yield self.y == self.x


def test_steps_of_states_are_judged_at_samples() -> None:
    with pytest.raises(tg.DesignError, match=r"E686: Stepped: floor, ceil, % and // of a state wait for an event"):
        tg.discretize(Stepped(), 0.1, "euler")
    assert tg.discretize(Stepped(here=True), 0.1, "euler") is not None


def test_periods_are_positive() -> None:
    with pytest.raises(tg.LanguageError, match="the period of a clock cannot be -1 ms"):
        tg.discretize(blocks.PI(k=1.0, T=1.0), "-1 ms")
