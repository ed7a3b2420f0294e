"""Random hybrid models as Modelica text, and the same systems for SciPy: arrays, loops, functions with records and
while, algorithms, redeclared blocks, if-equations, when/elsewhen with reinit and discrete variables.

Times of events are drawn, or are crossings of states that SciPy locates; both sides get the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp

_FUNCTIONS = {"sin": np.sin, "cos": np.cos, "tanh": np.tanh}
STOP = 2.0


@dataclass
class Case:
    """A model as text and, for the reference, the numbers that it was written with."""

    size: int
    start: np.ndarray
    matrix: np.ndarray
    gain: np.ndarray  # of the record
    power: int
    lag: float
    replaced: bool
    switch: float  # time of the if-equation
    times: np.ndarray  # of when and elsewhen
    jump: tuple[int, float]
    level: tuple[int, float]  # a state and where its crossing is counted
    wave: str
    text: str = field(default="")


def random_case(rng: np.random.Generator) -> Case:
    """One case."""
    size = int(rng.integers(2, 5))
    case = Case(
        size=size,
        start=rng.uniform(-1, 1, size).round(3),
        matrix=(rng.uniform(-1, 1, (size, size)) - 1.2 * np.eye(size)).round(3),
        gain=rng.uniform(0.2, 1.5, 2).round(3),
        power=int(rng.integers(1, 4)),
        lag=round(float(rng.uniform(0.2, 1.0)), 3),
        replaced=bool(rng.integers(2)),
        switch=round(float(rng.uniform(0.3, 1.7)), 3),
        times=np.sort(rng.uniform(0.1, 1.9, 2)).round(3),
        jump=(int(rng.integers(size)), round(float(rng.uniform(-1, 1)), 3)),
        level=(int(rng.integers(size)), round(float(rng.uniform(-0.5, 0.5)), 3)),
        wave=str(rng.choice(list(_FUNCTIONS))),
    )
    case.text = _text(case)
    return case


def _text(case: Case) -> str:
    start = ", ".join(f"{v:.17g}" for v in case.start)
    rows = "; ".join(", ".join(f"{v:.17g}" for v in row) for row in case.matrix)
    block = "redeclare Doubled lag" if case.replaced else "lag"
    i, value = (case.jump[0] + 1, case.jump[1])
    k, level = (case.level[0] + 1, case.level[1])
    return f"""
package Hybrid
  record Gain
    Real a = 1;
    Real b = 0;
  end Gain;
  function shaped "g.a*x^n + g.b, by a loop"
    input Real x;
    input Gain g;
    input Integer n;
    output Real y;
  protected
    Integer k = 0;
    Real power = 1;
  algorithm
    while k < n loop
      power := power*x;
      k := k + 1;
    end while;
    y := g.a*power + g.b;
  end shaped;
  partial block Base
    parameter Real T = 1;
    input Real u;
    output Real y(start = 0, fixed = true);
  end Base;
  block Lag
    extends Base;
  equation
    T*der(y) = u - y;
  end Lag;
  block Doubled
    extends Base;
  equation
    T*der(y) = 2*u - y;
  end Doubled;
  model Plant
    parameter Integer n = 2;
    parameter Real A[n, n] = identity(n);
    parameter Gain g;
    replaceable Lag lag constrainedby Base;
    Real x[n](each fixed = true);
    Real drive;
    Real total;
    Integer count(start = 0, fixed = true);
    discrete Real held(start = 0, fixed = true);
  equation
    for i in 1:n loop
      der(x[i]) = sum(A[i, j]*tanh(x[j]) for j in 1:n) + (if i == 1 then drive else 0.1*lag.y);
    end for;
    if time < {case.switch:.17g} then
      drive = {case.wave}(3*time);
    else
      drive = -0.5*shaped(x[2], g, {case.power});
    end if;
    lag.u = shaped(x[1], g, {case.power}) + held;
    when time >= {case.times[0]:.17g} then
      held = x[1] + pre(count);
      reinit(x[{i}], {value:.17g});
    elsewhen time >= {case.times[1]:.17g} then
      held = pre(held) - x[2];
    end when;
    when x[{k}] > {level:.17g} then
      count = pre(count) + 1;
    end when;
  algorithm
    total := 0;
    for i in 1:n loop
      if x[i] > 0 then
        total := total + i*x[i];
      else
        total := total - x[i]^2;
      end if;
    end for;
  end Plant;
  model Test
    extends Plant(n = {case.size}, A = [{rows}], g(a = {case.gain[0]:.17g}, b = {case.gain[1]:.17g}),
      x(start = {{{start}}}), {block}(T = {case.lag:.17g}));
  end Test;
end Hybrid;
"""


@dataclass
class Reference:
    """What SciPy finds at the stop time, and how near a crossing was to being missed."""

    x: np.ndarray
    y: float
    held: float
    count: int
    total: float
    margin: float


def reference(case: Case) -> Reference:
    """The system by SciPy, segment by segment."""
    state = np.append(case.start, 0.0)
    held = 0.0
    count = 0
    margin = np.inf
    number, level = case.level
    marks = sorted({0.0, case.switch, *case.times.tolist(), STOP})
    for begin, end in pairwise(marks):
        rates = _rates(case, begin >= case.switch, held)
        rising = _rising(number, level)
        found = solve_ivp(rates, (begin, end), state, "DOP853", rtol=1e-11, atol=1e-12, events=rising, max_step=0.05)
        speeds = [abs(rates(t, y)[number]) for t, y in zip(found.t_events[0], found.y_events[0], strict=True)]
        margin = min([margin, *speeds])
        count += len(found.t_events[0])
        margin = min(margin, float(np.abs(found.y[number] - level)[[0, -1]].min()))
        state = found.y[:, -1]
        if end == case.times[0]:
            held = state[0] + count
            before = state[number] > level
            state = state.copy()
            state[case.jump[0]] = case.jump[1]
            count += int(not before and state[number] > level)
            margin = min(margin, abs(state[number] - level))
        elif end == case.times[1]:
            held = held - state[1]
    x = state[:-1]
    total = sum((i + 1) * v if v > 0 else -(v**2) for i, v in enumerate(x))
    margin = min(margin, float(np.abs(x).min()))
    return Reference(x, float(state[-1]), held, count, total, margin)


def _rising(number: int, level: float) -> Callable[[float, np.ndarray], float]:
    def crossing(_: float, y: np.ndarray) -> float:
        return float(y[number] - level)

    crossing.direction = 1.0  # type: ignore[attr-defined]
    return crossing


def _rates(case: Case, is_late: bool, held: float) -> Callable[[float, np.ndarray], np.ndarray]:
    def shaped(x: float) -> float:
        return float(case.gain[0] * x**case.power + case.gain[1])

    def rates(t: float, state: np.ndarray) -> np.ndarray:
        x = state[:-1]
        y = state[-1]
        drive = -0.5 * shaped(x[1]) if is_late else float(_FUNCTIONS[case.wave](3 * t))
        change = case.matrix @ np.tanh(x) + 0.1 * y
        change[0] += drive - 0.1 * y
        inflow = (2.0 if case.replaced else 1.0) * (shaped(x[0]) + held)
        return np.append(change, (inflow - y) / case.lag)

    return rates
