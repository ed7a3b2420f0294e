"""Dynamic state selection: a pendulum in Cartesian coordinates through all quadrants, against the angle."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from shared_models import shared_model
from structure.test_index_reduction import Pendulum


def reference(times: np.ndarray, angle: float, speed: float) -> np.ndarray:
    """Angle from the downward vertical by a Runge-Kutta code of order 8."""
    exact = solve_ivp(
        lambda _, q: [q[1], -9.81 * np.sin(q[0])],
        (0.0, float(times[-1])),
        [angle, speed],
        "DOP853",
        rtol=1e-12,
        atol=1e-13,
        t_eval=times,
    )
    return exact.y[0]


@pytest.mark.parametrize(("rtol", "allowed"), [(1e-5, 5e-3), (1e-7, 1e-4)])
def test_swinging(rtol: float, allowed: float) -> None:
    """10 s, eight swings from the horizontal. LSODA on the angle has errors of 1e-3 and 1e-5 at these tolerances; BDF
    restarts at every change of states, which costs up to a factor of ten."""
    solution = shared_model(Pendulum).simulate(10.0, rtol=rtol, atol=1e-2 * rtol, points=201)
    angle = reference(solution.time, np.pi / 2, 0.0)
    assert np.abs(solution["x"] - np.sin(angle)).max() < allowed
    assert np.abs(solution["y"] + np.cos(angle)).max() < allowed
    assert np.abs(solution["x"] ** 2 + solution["y"] ** 2 - 1).max() < 100 * rtol
    assert solution.stats["state_changes"] > 10


def test_going_over_the_top() -> None:
    """From below with 8 m/s (the top needs sqrt(4 g) = 6.26): x and y pass zero in turn, always at speed."""
    given = {"x": 0.0, "y": -1.0, "x.der": 8.0, "y.der": 0.0}
    solution = tg.simulate(Pendulum(), 5.0, rtol=1e-7, atol=1e-9, points=201, initial=given)
    angle = reference(solution.time, 0.0, 8.0)
    assert angle[-1] > 4 * np.pi
    assert np.abs(solution["x"] - np.sin(angle)).max() < 1e-3
    assert np.abs(solution["y"] + np.cos(angle)).max() < 1e-3


def test_a_good_choice_is_kept() -> None:
    """Small swings around the bottom: x stays the best state after the start."""
    given = {"x": 0.1, "y": -np.sqrt(0.99)}
    solution = tg.simulate(Pendulum(), 10.0, rtol=1e-6, initial=given)
    assert solution.stats.get("state_changes", 0) <= 1


class Clocked(Pendulum):
    """A pendulum with events at known instants that change nothing."""

    count = tg.integer("events")

    def equations(self):
        yield tg.when(tg.sample(0.0, 0.1), self.count == tg.pre(self.count) + 1)


@pytest.mark.parametrize("rtol", [1e-6, 1e-7, 1e-8])
def test_events_at_known_instants(rtol: float) -> None:
    """A step that ends exactly at an instant is not followed by one beyond it: the run goes on from where it was."""
    solution = shared_model(Clocked).simulate(5.0, rtol=rtol, atol=1e-2 * rtol, points=4001)
    times, position = np.unique(solution.time, return_inverse=True)
    angle = reference(times, np.pi / 2, 0.0)[position]
    assert solution["count"][-1] == 51
    assert np.abs(solution["x"] - np.sin(angle)).max() < 2e3 * rtol
