"""Rings of CMOS inverters: an operating point that Newton's method does not find from zero, and the run from there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.engine.initialization.steady import steady_values
from tellegen.engine.linear_algebra.damped_newton import Newton

SUPPLY = 3.3
THRESHOLD = 0.7
LOAD = 20e-15
NMOS = "level=1 vto=0.7 kp=110u gamma=0.4 phi=0.7 lambda=0.04"
PMOS = "level=1 vto=-0.7 kp=50u gamma=0.5 phi=0.7 lambda=0.05"
CHARGES = "tox=20n cgso=0.2n cgdo=0.2n cj=0.4m mj=0.5 pb=0.9"


def ring(stages: int, charges: str = "") -> Any:
    """So many inverters in a ring, one node held at zero until the run begins."""
    lines = [f"x{k} n{k} n{(k + 1) % stages} vdd inv" for k in range(stages)]
    return tg.read_spice(
        text=f"""ring
vdd vdd 0 {SUPPLY}
.model nm nmos({NMOS} {charges})
.model pm pmos({PMOS} {charges})
.subckt inv i o vdd
m1 o i 0 0 nm w=2u l=1u ad=4p as=4p
m2 o i vdd vdd pm w=5u l=1u ad=4p as=4p
c1 o 0 20f
.ends
"""
        + "\n".join([*lines, ".ic v(n0)=0", ".tran 0.05n 10n", ".end"])
    )


def drain_current(gain: float, slope: float, gate: Any, drain: Any) -> Any:
    """Shichman and Hodges, for a source at the potential of the bulk."""
    over = np.maximum(gate - THRESHOLD, 0.0)
    inside = np.minimum(drain, over)
    return gain * (1 + slope * drain) * (over - 0.5 * inside) * inside


def potentials(stages: int, times: Any) -> Any:
    """Of nodes 0, 1, ..., by SciPy."""

    def slopes(_: float, v: Any) -> Any:
        gate = np.roll(v, 1)
        down = drain_current(2 * 110e-6, 0.04, gate, v)
        up = drain_current(5 * 50e-6, 0.05, SUPPLY - gate, SUPPLY - v)
        return (up - down) / LOAD

    begin = np.where(np.arange(stages) % 2 == 1, SUPPLY, 0.0)
    return solve_ivp(slopes, (0.0, times[-1]), begin, "LSODA", times, rtol=1e-9, atol=1e-9).y


def nodes(solution: tg.Solution, stages: int, times: Any) -> Any:
    """Potentials of nodes 0, 1, ...: the inputs of the inverters."""
    values = solution.at(times)
    return np.array([values[f"x{k}.m1.G.v"] for k in range(stages)])


@pytest.mark.parametrize("solver", ["ida", "cvode"])
def test_a_ring_of_inverters_against_scipy(solver: str) -> None:
    """Edges rise by 30 V/ns: 1e-3 V are 3e-5 ns, a thousand times less than an edge lasts."""
    stages = 21
    times = np.linspace(0.0, 2e-9, 11)
    solution = tg.simulate(ring(stages), times[-1], solver=solver, rtol=1e-7, points=times)
    np.testing.assert_allclose(nodes(solution, stages, times), potentials(stages, times), atol=1e-3)


def test_a_ring_of_101_inverters_with_charges() -> None:
    """Every second node is at the supply; what begins at the first ones does not depend on how long the ring is."""
    stages = 101
    times = np.linspace(0.0, 1e-10, 5)
    found = nodes(tg.simulate(ring(stages, CHARGES), times[-1], points=times), stages, times)
    np.testing.assert_allclose(found[:, 0], np.where(np.arange(stages) % 2 == 1, SUPPLY, 0.0), atol=1e-6)
    short = nodes(tg.simulate(ring(11, CHARGES), times[-1], points=times), 11, times)
    np.testing.assert_allclose(found[:3], short[:3], atol=1e-4)
    assert short[0, -1] > 0.2  # it has begun


@pytest.mark.parametrize("way", ["limited steps", "leak stepping"])
def test_a_ring_of_401_inverters_is_not_left_to_settle(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which would take a step for each stage: limited steps take 43 iterations for any length, shrinking leaks 130."""
    monkeypatch.setattr(steady_values, "_settled", lambda _: pytest.fail("the ring was left to settle"))
    if way == "leak stepping":
        monkeypatch.setattr(steady_values, "_limited", lambda _, solver, __: Newton("no progress", solver.guess, 0))
    found = nodes(tg.simulate(ring(401), 1e-15), 401, np.zeros(1))[:, 0]
    np.testing.assert_allclose(found, np.where(np.arange(401) % 2 == 1, SUPPLY, 0.0), atol=1e-6)
