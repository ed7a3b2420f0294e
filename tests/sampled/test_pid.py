"""What a PID promises: no windup, no bump, no kick; and many of them at once."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks, sampled


class Loop(tg.Component):
    """An integrating plant with a lag, pushed to a step that needs more than the actuator has."""

    control = sampled.PID(clock=tg.Clock("20 ms"), kp=4.0, ki=2.0, y_min=-1.0, y_max=1.0)
    wanted = blocks.Step(height=4.0)
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield 0.5 * tg.der(self.v) == self.control.y - self.v
        yield self.control.measured == self.x

    def connections(self):
        yield self.wanted.y, self.control.reference


def test_back_calculation_keeps_the_integral_small() -> None:
    model = tg.compile(Loop())
    good = model.simulate(30.0)
    wound = model.simulate(30.0, parameters={"control.kt": 0.0})
    assert good["x"].max() < 5.0 < wound["x"].max()
    assert np.abs(wound["control.integral"]).max() > 5 * np.abs(good["control.integral"]).max()
    assert abs(good["x"][-1] - 4.0) < 0.02
    assert np.abs(good["control.y"]).max() == 1.0


class Manual(tg.Component):
    """By hand until 1 s, an instant of the clock, then automatic, with the reference 1 above the measurement."""

    control = sampled.PID(clock=tg.Clock("10 ms"), kp=3.0, ki=1.0)
    mode = blocks.Step(start_time=1.0)

    def equations(self):
        yield self.control.reference == 2.0
        yield self.control.measured == 1.0
        yield self.control.manual == 0.7

    def connections(self):
        yield self.mode.y, self.control.automatic


def test_the_change_to_automatic_has_no_bump() -> None:
    solution = tg.simulate(Manual(), 1.5)
    at = solution.at([0.5, 0.995, 1.005, 1.015])["control.y"]
    np.testing.assert_allclose(at, [0.7, 0.7, 0.7, 0.7 + 10e-3 * 1.0 * 1.0], atol=1e-12)


class Kick(tg.Component):
    control = sampled.PID(clock=tg.Clock("10 ms"), kp=0.0, kd=1.0, Tf=0.05)
    wanted = blocks.Step(start_time=0.5)
    m = tg.variable(start=3.0, fixed=True)

    def equations(self):
        yield tg.der(self.m) == 2.0
        yield self.control.measured == self.m

    def connections(self):
        yield self.wanted.y, self.control.reference


def test_the_derivative_sees_the_measurement_alone() -> None:
    """It starts from zero although m does not, tends to -kd dm/dt, and does not notice the step of the reference."""
    y = tg.simulate(Kick(), 1.0, rtol=1e-9).at([0.005, 0.495, 0.505])["control.y"]
    np.testing.assert_allclose(y, [0.0, -2.0, -2.0], atol=2e-3)


class Many(tg.Component):
    n = tg.parameter(3, structural=True)
    control = sampled.PID.array(n, clock=tg.Clock("10 ms"), ki=1.0)

    def equations(self):
        yield self.control.reference == 1.0
        yield self.control.measured == 0.0


def test_arrays_of_controllers_are_one_template() -> None:
    gains: Any = [1.0, 2.0, 3.0]
    solution = tg.simulate(Many(), 0.035, parameters={"control.kp": gains})
    np.testing.assert_allclose(solution["control.y"][-1], np.array(gains) + 3 * 0.01, rtol=1e-12)
    assert tg.flatten(Many(n=200)).summary.traced == tg.flatten(Many()).summary.traced
