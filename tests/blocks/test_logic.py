"""Arithmetic, functions, logic and routing: values against Python's own, instants against closed-form solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks

FUNCTIONS: dict[str, Any] = {
    **{"Abs": abs, "Sqrt": math.sqrt, "Sin": math.sin, "Cos": math.cos, "Tan": math.tan, "Asin": math.asin},
    **{"Acos": math.acos, "Atan": math.atan, "Sinh": math.sinh, "Cosh": math.cosh, "Tanh": math.tanh},
    **{"Exp": math.exp, "Log": math.log, "Log10": math.log10, "Sign": np.sign},
    **{
        "Gain": lambda u: u,
        "Power": math.exp,
        "Exponentiation": lambda u: u**2,
        "Polynomial": lambda u: u + 1.0,
        "PassThrough": lambda u: u,
    },
}
TWO: dict[str, Any] = {
    **{"Add": lambda a, b: a + b, "Feedback": lambda a, b: a - b, "Product": lambda a, b: a * b},
    **{"Division": lambda a, b: a / b, "Min": min, "Max": max, "Atan2": math.atan2},
    **{"Greater": lambda a, b: a > b, "Less": lambda a, b: a < b},
    **{"GreaterEqual": lambda a, b: a >= b, "LessEqual": lambda a, b: a <= b},
}
LOGIC: dict[str, Any] = {
    **{"And": lambda a, b: a and b, "Or": lambda a, b: a or b, "Xor": lambda a, b: a != b},
    **{"Nand": lambda a, b: not (a and b), "Nor": lambda a, b: not (a or b)},
}


@pytest.mark.parametrize("u", [0.3, 0.9])
def test_functions_of_one_signal(u: float) -> None:
    system = tg.System("functions")
    for name in FUNCTIONS:
        system.add(**{name: getattr(blocks, name)(u=u)})
    found = tg.steady_state(system)
    for name, function in FUNCTIONS.items():
        assert found[f"{name}.y"] == pytest.approx(function(u), rel=1e-12), name


@pytest.mark.parametrize(("a", "b"), [(0.7, 0.3), (-0.2, 0.5), (0.4, 0.4)])
def test_functions_of_two_signals(a: float, b: float) -> None:
    system = tg.System("functions")
    for name in TWO:
        system.add(**{name: getattr(blocks, name)(u1=a, u2=b)})
    found = tg.steady_state(system)
    for name, function in TWO.items():
        assert found[f"{name}.y"] == pytest.approx(float(function(a, b)), rel=1e-12), name


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_truth_tables(a: bool, b: bool) -> None:
    system = tg.System("logic")
    for name in LOGIC:
        system.add(**{name: getattr(blocks, name)(u1=float(a), u2=float(b))})
    system.add(no=blocks.Not(u=float(a)), one=blocks.LogicalSwitch(u1=float(a), u2=1.0, u3=float(not a)))
    system.add(other=blocks.LogicalSwitch(u1=float(a), u2=0.0, u3=float(not a)))
    found = tg.steady_state(system)
    for name, function in LOGIC.items():
        assert found[f"{name}.y"] == float(function(a, b)), name
    assert found["no.y"] == float(not a)
    assert found["one.y"] == float(a)
    assert found["other.y"] == float(not a)


def test_sums_and_matrices() -> None:
    system = tg.System("sums")
    system.add(
        three=blocks.Add3(u1=1.0, u2=2.0, u3=3.0, k1=2.0, k2=-1.0, k3=0.5),
        total=blocks.Sum(k=[1.0, -2.0, 3.0], u=[1.0, 2.0, 3.0]),
        average=blocks.Average(nu=4, u=[1.0, 2.0, 3.0, 8.0]),
        matrix=blocks.MatrixGain(K=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], u=[1.0, -1.0]),
        polynomial=blocks.Polynomial(c=[2.0, -3.0, 1.0], u=4.0),
    )
    found = tg.steady_state(system)
    assert found["three.y"] == 1.5
    assert found["total.y"] == 6.0
    assert found["average.y"] == 3.5
    assert [found[f"matrix.y[{k}]"] for k in range(3)] == [-1.0, -1.0, -1.0]
    assert found["polynomial.y"] == 2.0 * 16.0 - 12.0 + 1.0


class Chain(tg.Component):
    """A sine through comparisons with and without memory, and what counts from them."""

    sine = blocks.Sine(f=0.5)
    above = blocks.GreaterThreshold(threshold=0.5)
    below = blocks.LessThreshold(threshold=-0.5)
    memory = blocks.Hysteresis(u_low=-0.5, u_high=0.5)
    inverse = blocks.OnOffController(reference=0.0, bandwidth=1.0)
    both = blocks.RSFlipFlop()
    timer = blocks.Timer()
    switch = blocks.Switch(u1=7.0, u3=-7.0)

    def connections(self) -> Any:
        yield self.sine.y, self.above.u, self.below.u, self.memory.u, self.inverse.u
        yield self.above.y, self.both.S, self.timer.u, self.switch.u2
        yield self.below.y, self.both.R


def test_memory_and_time() -> None:
    run = tg.simulate(Chain(), 3.9)
    t = np.array([0.1, 0.5, 0.9, 1.1, 1.5, 1.9, 2.1, 2.5, 3.0, 3.5])
    at, sine = run.at(t), np.sin(np.pi * t)
    np.testing.assert_array_equal(at["above.y"], sine > 0.5)
    np.testing.assert_array_equal(at["below.y"], sine < -0.5)
    kept = (t % 2 > 1 / 6) & (t % 2 < 7 / 6)
    np.testing.assert_array_equal(at["memory.y"], kept)
    np.testing.assert_array_equal(at["both.Q"], kept)
    np.testing.assert_array_equal(at["both.QI"], ~kept)
    np.testing.assert_array_equal(at["inverse.y"], (t % 2 > 7 / 6) | ((t % 2 < 1 / 6) & (t > 1)))
    np.testing.assert_array_equal(at["switch.y"], np.where(sine > 0.5, 7.0, -7.0))
    np.testing.assert_allclose(at["timer.y"], np.where(sine > 0.5, t % 2 - 1 / 6, 0.0), atol=1e-5)


def test_start_values_of_memory() -> None:
    system = tg.System("starts")
    system.add(
        on=blocks.Hysteresis(u=0.5, pre_y_start=True),
        off=blocks.Hysteresis(u=0.5),
        above=blocks.Hysteresis(u=1.5),
        control=blocks.OnOffController(u=0.0, reference=0.0, pre_y_start=True),
        latch=blocks.RSFlipFlop(S=0.0, R=0.0, Q_start=True),
        lost=blocks.RSFlipFlop(S=1.0, R=1.0, Q_start=True),
    )
    run = tg.simulate(system, 1.0)
    for k in (0, -1):
        values = [run[name][k] for name in ("on.y", "off.y", "above.y", "control.y", "latch.Q", "lost.Q")]
        assert values == [1.0, 0.0, 1.0, 1.0, 1.0, 0.0]


def test_pre_breaks_a_logical_loop() -> None:
    """A latch of two gates: y is true from the first pulse on."""

    class Latch(tg.Component):
        pulse = blocks.BooleanTable(table=[1.0, 1.5])
        gate = blocks.Or()
        before = blocks.Pre()

        def connections(self) -> Any:
            yield self.pulse.y, self.gate.u1
            yield self.before.y, self.gate.u2
            yield self.gate.y, self.before.u

    run = tg.simulate(Latch(), 3.0)
    np.testing.assert_array_equal(run.at([0.5, 1.2, 1.7, 2.9])["gate.y"], [0.0, 1.0, 1.0, 1.0])


class Routes(tg.Component):
    """A vector made, taken apart and picked from."""

    join = blocks.Multiplex(n1=2, n2=1, u1=[1.0, 2.0], u2=[3.0])
    part = blocks.DeMultiplex(n1=1, n2=2)
    some = blocks.ExtractSignal(nin=3, extract=[2, 0])
    pick = blocks.Extractor(nin=3, out_of_range=-1.0)
    copies = blocks.Replicator(nout=3)
    ramp = blocks.Ramp(height=4.0, duration=4.0, offset=-1.0)

    def connections(self) -> Any:
        yield self.join.y, self.part.u
        yield self.join.y, self.some.u
        yield self.join.y, self.pick.u
        yield self.ramp.y, self.pick.index, self.copies.u


def test_routing() -> None:
    run = tg.simulate(Routes(), 5.0)
    assert run["part.y1"][-1].tolist() == [1.0]
    assert run["part.y2"][-1].tolist() == [2.0, 3.0]
    assert run["some.y"][-1].tolist() == [3.0, 1.0]
    assert run.at([0.2, 0.7, 1.7, 2.7, 3.7])["pick.y"].tolist() == [-1.0, 1.0, 2.0, 3.0, -1.0]
    np.testing.assert_array_equal(run["copies.y"], np.column_stack([run["ramp.y"]] * 3))
