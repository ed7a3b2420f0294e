"""What a flow carries along a pipe (tg.transport, spatialDistribution): both directions, profiles, jumps, every solver.

The reference goes back along the characteristic in small steps until it leaves the pipe, and finds the place by SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg

SOLVERS = ("rk45", "rodas", "cvode", "ida")
POINTS = (0.0, 0.3, 0.3, 1.0)
VALUES = (5.0, 4.0, 0.0, 1.0)


class Pipe(tg.Component):
    """x = A sin(t) + B t: the flow turns again and again, and its content has a jump at the start."""

    A = tg.parameter(0.8)
    B = tg.parameter(0.1)
    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)
    y0 = tg.variable()
    y1 = tg.variable()

    def equations(self):
        t = tg.time
        v = self.A * tg.cos(t) + self.B
        yield tg.der(self.x) == v
        out = tg.transport(2 + tg.sin(3 * t), -tg.cos(2 * t), self.x, v >= 0, points=POINTS, values=VALUES)
        yield self.y0 == out.out0
        yield self.y1 == out.out1
        yield tg.der(self.z) == self.y0 + self.y1 - self.z


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function is zero."""
    found: Any = brentq(function, low, high, xtol=1e-15)
    return found


def left(end: float, t: float, moved: Callable[[float], float]) -> float:
    """What is at an end where the content leaves it; it was inside of the pipe a moment ago."""

    def place(s: float) -> float:
        return end - (moved(t) - moved(s))

    s = t
    while s > 0.0:
        before = max(s - 1e-3, 0.0)
        at = place(before)
        if at < 0.0 or at > 1.0:
            border = 0.0 if at < 0.0 else 1.0
            entered = root(lambda q, border=border: place(q) - border, before, s)
            return 2 + np.sin(3 * entered) if border == 0.0 else -np.cos(2 * entered)
        s = before
    at = place(0.0)
    return float(np.interp(at, POINTS[:2], VALUES[:2]) if at < POINTS[1] else np.interp(at, POINTS[2:], VALUES[2:]))


def at_ends(a: float, b: float, t: float) -> tuple[float, float]:
    """What is at both ends."""
    forward = a * np.cos(t) + b >= 0.0
    came = left(1.0 if forward else 0.0, t, lambda s: a * np.sin(s) + b * s)
    return (2 + np.sin(3 * t), came) if forward else (came, -np.cos(2 * t))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("a", "b"), [(0.8, 0.1), (2.5, 0.0)])
def test_flow_that_turns(a: float, b: float, solver: str) -> None:
    solution = tg.simulate(Pipe(A=a, B=b), 12.0, solver=solver, rtol=1e-7)
    t = solution.time
    chosen = np.arange(5, len(t) - 1, 11)
    quiet = [k for k in chosen if np.diff(t[k - 1 : k + 2]).min() > 1e-9]  # away from jumps, which have two values
    expected = np.array([at_ends(a, b, t[k]) for k in quiet])
    found = np.column_stack([solution["y0"][quiet], solution["y1"][quiet]])
    allowed = 1e-7 if solver in ("rk45", "rodas") else 2e-5
    assert len(quiet) > 40
    assert np.abs(found - expected).max() < allowed
    between = solution.at(t[quiet[7]] + 1e-3)
    assert (between["y0"], between["y1"]) == pytest.approx(at_ends(a, b, t[quiet[7]] + 1e-3), abs=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_jump_leaves_one_length_later(solver: str) -> None:
    """A step that enters at t = 1, where x = 1/2, leaves where x = 3/2, at t = sqrt(3); it is an event there."""

    class Front(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer()
        y = tg.variable(start=0.0, fixed=True)
        z = tg.variable()

        def equations(self):
            yield tg.der(self.x) == tg.time
            step = tg.where(tg.time > 1.0, 1.0, 0.0)
            yield self.z == tg.transport(step, 0.0, self.x, tg.time >= 0.0).out1
            yield tg.der(self.y) == self.z
            yield tg.when(self.z > 0.5, self.n == tg.pre(self.n) + 1)

    solution = tg.simulate(Front(), 3.0, solver=solver)
    (front,) = [event.time for event in solution.events if "n :=" in event.what[0]]
    assert front == pytest.approx(np.sqrt(3.0), abs=1e-5)  # x is as accurate as the run
    assert solution["y"][-1] == pytest.approx(3.0 - np.sqrt(3.0), abs=1e-5)
    assert solution["n"][-1] == 1
    assert solution.stats["steps"] < 1000


def test_a_closed_loop_of_pipes_conserves_what_it_carries() -> None:
    """What leaves enters again: after each turn the content is the same. Its corners are events for six turns."""

    class Ring(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        y = tg.variable()

        def equations(self):
            yield tg.der(self.x) == 1.0
            values = (0.0, 2.0, 1.0, 0.0)
            yield (
                self.y
                == tg.transport(self.y, 0.0, self.x, tg.time >= 0.0, points=(0, 0.25, 0.5, 1), values=values).out1
            )

    solution = tg.simulate(Ring(), 5.0)
    where = 1.0 - solution.time % 1.0
    inside = np.abs(where - 0.5) < 0.49
    expected = np.interp(where, (0, 0.25, 0.5, 1), (0.0, 2.0, 1.0, 0.0))
    assert np.abs(solution["y"] - expected)[inside].max() < 1e-6


def test_a_pipe_at_rest() -> None:
    class Rest(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        y = tg.variable()

        def equations(self):
            v = tg.where(tg.time < 1.0, 0.5, tg.where(tg.time < 3.0, 0.0, 0.5))
            yield tg.der(self.x) == v
            yield self.y == tg.transport(tg.time, 0.0, self.x, v >= 0.0, values=(7.0, 7.0)).out1

    solution = tg.simulate(Rest(), 6.0)
    t = solution.time
    left_at = np.where(t > 4.0, np.where(t > 5.0, t - 2.0, t - 4.0), 7.0)
    quiet = np.min([np.abs(t - jump) for jump in (4.0, 5.0)], axis=0) > 1e-9
    assert np.abs(solution["y"] - left_at)[quiet].max() < 1e-8


MODELICA = """model Lines
  parameter Real L = 2;
  Real v = 1 + 0.5*sin(time);
  Real x(start = 0, fixed = true);
  Real T0[2], T1[2];
  Real h0, h1;
equation
  der(x) = v/L;
  (T0, T1) = spatialDistribution({sin(time), 3}, {0, 0}, x, v >= 0, {0, 1}, {{0, 1}, {5, 5}});
  (h0, h1) = spatialDistribution(in0 = 1 + time, in1 = 0, x = x, positiveVelocity = v >= 0, initialPoints = {0, 0.5, 1},
    initialValues = {1, 1, L});
end Lines;"""


def test_spatial_distribution_in_modelica(tmp_path: Path) -> None:
    file = tmp_path / "Lines.mo"
    file.write_text(MODELICA)
    solution = tg.simulate(tg.load_modelica(file)["Lines"], stop=8.0, rtol=1e-8)

    def moved(t: float) -> float:
        return (t + 0.5 * (1 - np.cos(t))) / 2

    for k in range(3, len(solution.time), 25):
        t = solution.time[k]
        place = 1.0 - moved(t)
        entered = root(lambda s, t=t: moved(s) - moved(t) + 1, 0.0, t) if place < 0 else 0.0
        expected = (
            (np.sin(entered), 3.0, 1 + entered) if place < 0 else (place, 5.0, np.interp(place, (0.5, 1), (1, 2)))
        )
        assert (solution["T1[1]"][k], solution["T1[2]"][k], solution["h1"][k]) == pytest.approx(expected, abs=1e-7)
        assert (solution["T0[1]"][k], solution["h0"][k]) == pytest.approx((np.sin(t), 1 + t), abs=1e-12)


def test_a_run_in_two_parts() -> None:
    model = tg.compile(Pipe())
    middle = model.simulate(5.0, rtol=1e-8).at(5.0)
    end = model.simulate(9.0, rtol=1e-8, initial=middle)
    assert (end["y0"][-1], end["y1"][-1]) == pytest.approx(at_ends(0.8, 0.1, 9.0), abs=1e-6)


def test_what_is_refused() -> None:
    class Short(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == tg.transport(1.0, 0.0, self.x, tg.time >= 0, points=(0, 1), values=(1, 2, 3)).out1

    with pytest.raises(tg.LanguageError, match="2 points and 3 values"):
        tg.simulate(Short(), 1.0)
