"""Mechanisms against tables that other programs and closed solutions have given.

The tables were made with pinocchio and DOP853 (rtol 1e-13) and checked with MuJoCo; the pendulum is Jacobi's elliptic
functions with 30 digits, the governor Radau IIA at rtol 1e-10. They have errors of 1e-9 or less, the governor 1e-7.
At rtol 1e-9 runs reach 1e-6 of the range in all of them; chaos makes the end of the double pendulum the hardest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import tellegen as tg
from library.multibody.mechanisms import Furuta, Governor, Pendulum, Seeker, chain
from validation.measured import within

RUN: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-10, "points": 101}


def compare(s: Any, table: list[list[float]], paths: list[str], scale: float = 1.0) -> Any:
    """The largest differences of a run to the rows of a table, which begin with the time, over a scale."""
    rows = np.array(table)
    at = [int(np.argmin(abs(s.time - t))) for t in rows[:, 0]]
    assert np.allclose(s.time[at], rows[:, 0], atol=1e-12)
    found = np.stack([s[path][at] for path in paths], axis=1)
    return (found - rows[:, 1:]) / scale


def test_pendulum_by_elliptic_functions() -> None:
    """Table 01, released from the horizontal: sin(phi/2) = k sn(K - w t, k) with k = sin(pi/4)."""
    s = tg.simulate(Pendulum(), stop=10.0, **RUN)
    m = 0.5
    w = np.sqrt(9.81)
    sn, _, _, _ = ellipj(ellipk(m) - w * s.time, m)
    angle = 2 * np.arcsin(np.sqrt(m) * sn)
    error = np.stack([s["point.r"][:, 0] + np.sin(angle), s["point.r"][:, 1] + np.cos(angle)])
    within("Pendulum in space, IFToMM A01", error, 1e-6, "elliptic functions, m")
    assert abs(s["point.r"][-1] - [-0.275087462576, -0.961419205099, 0.0]).max() < 1e-6


def test_double_pendulum_with_skew_axes() -> None:
    table = [
        [1.0, 2.82868462071, 0.181947423919, -1.78869450892, 1.92971888067],
        [3.0, 2.33151111401, 0.672481232468, -3.56067449365, -0.885681718205],
        [5.0, 1.53072671507, 0.174577753489, -1.01938005694, -12.0107713871],
    ]
    s = tg.simulate(chain(2, [0.3, -0.5], [0.0, 2.0]), stop=5.0, **RUN)
    error = compare(s, table, ["joints[0].phi", "joints[1].phi", "joints[0].w", "joints[1].w"], 12.0)
    within("Double pendulum with skew axes", error, 1e-6, "pinocchio and MuJoCo, of the range")


def test_chain_of_ten() -> None:
    table = [
        [1.0, 1.39352317018, -0.00322112266741, 0.0349744589921, 0.0179585735381],
        [2.0, 2.97526808366, 0.238536442936, 0.286429553148, -0.279197666019],
    ]
    s = tg.simulate(chain(10), stop=2.0, **RUN)
    assert s.stats["solver"] == "rk45"  # there are twenty states; by its thousand unknowns it would be CVODE's
    error = compare(s, table, [f"joints[{k}].phi" for k in range(4)])
    last = [-0.0306793588593, 0.168390352165, -0.675016552935, -0.512587402429, 0.493035673055, -0.262774007996]
    assert abs(s["joints.phi"][-1, 4:] - last).max() < 1e-6
    within("Chain of ten bodies", error, 1e-6, "pinocchio and MuJoCo, rad")


def test_flyball_governor() -> None:
    """Spring-dampers with time constants of 20 ms against a swing of 1 s."""
    table = [
        [0.5, 0.743249424786, 0.259491381543, 5.10341542197, 0.0521197801606],
        [1.0, 0.50142092238, 0.521833301626, 6.27112574188, -0.122151492898],
        [2.0, 0.505909294297, 0.516663797365, 6.23622361444, -0.240783146983],
        [10.0, 0.619622917061, 0.390073701845, 5.54820362266, -0.747603354165],
    ]
    s = tg.simulate(Governor(), stop=10.0, **RUN)
    error = compare(s, table, ["slide.s", "joints[0].phi", "shaft.w", "slide.v"])
    within("Flyball governor, IFToMM A05", error, 1e-5, "Radau IIA at rtol 1e-10")
    assert abs(s["joints[0].phi"] - s["joints[1].phi"]).max() < 1e-9


def test_furuta_pendulum() -> None:
    table = [
        [1.0, 1.42756729001, -1.53897125938, 1.48709906061, 7.85365095233],
        [3.0, 2.22779344824, 1.21632023908, 2.20851244214, -6.66408049035],
        [5.0, 3.70076084134, 0.681615079181, -0.912454873664, 8.85402602574],
    ]
    s = tg.simulate(Furuta(), stop=5.0, **RUN)
    error = compare(s, table, ["column.phi", "hinge.phi", "column.w", "hinge.w"], 8.0)
    within("Furuta pendulum with a torque and dampers", error, 1e-6, "pinocchio and MuJoCo, of the range")


def test_seeker_gimbal_along_its_trajectory() -> None:
    """Inverse dynamics: the torques that a wanted motion takes, among them gyroscopic ones."""
    table = [
        [0.0, 1.0, 0.0, -0.410575543085, 0.0],
        [0.1, 0.309016994375, 0.951056516295, -0.119252681888, -0.173468480573],
        [0.2, -0.809016994375, 0.587785252292, 0.321303885352, -0.108865594498],
        [0.43, 0.637423989749, -0.770513242776, -0.249075216387, 0.141323972608],
    ]
    s = tg.simulate(Seeker(), stop=0.5, **RUN)
    error = compare(s, table, ["yaw.phi", "pitch.phi", "yaw.tau", "pitch.tau"])
    within("Torques of a gimbal along a trajectory", error, 1e-9, "recursive Newton-Euler of pinocchio, N m")
    assert abs(s["yaw.tau"]).max() == pytest.approx(0.410575543085, rel=1e-9)
