"""Closed loops, ball joints and free bodies against tables of other programs (tests/library/multibody/loops.py).

The tables: DOP853 at rtol 1e-13 on joint coordinates with closures of a fixed rank (pinocchio's mass matrices), Taylor
series for the free body, one equation for the row of windows; errors of 1e-8 or less.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

import tellegen as tg
from library.multibody.loops import Bricard, DampedFourBar, FourBar, SliderCrank, Top, Truss, Tumbling, windows
from library.multibody.test_tables import compare
from tellegen.library import multibody as mb
from tellegen.library import rotational
from validation.measured import within


@cache
def compiled(cls: type[tg.Component]) -> tg.CompiledModel:
    """One for all solvers."""
    return tg.compile(cls())


@pytest.fixture(scope="module")
def four_bar() -> Any:
    return tg.compile(FourBar())


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_a_free_body_turns_over(solver: str) -> None:
    """At rtol 1e-8, as the table asks; with angular velocities in axes of the world as states all solvers miss it."""
    table = [
        [10.0, -0.874573437891, 0.484996187341, 0.505001220548],
        [25.0, 0.0842622632721, -0.996493788735, 0.0493292645115],
        [40.0, 0.00201720755617, 1.00004796429, 0.00824760826594],
    ]
    s = compiled(Tumbling).simulate(stop=40.0, points=41, rtol=1e-8, solver=solver)
    error = compare(s, table, ["rate.w[0]", "rate.w[1]", "rate.w[2]"])
    within(f"Free body about its middle axis, {solver}", error, 1e-6, "Taylor series, rad/s")


def test_a_heavy_top() -> None:
    table = [
        [0.05, 0.225741117525, 0.973431984276, -0.0383551801788],
        [1.0, 0.173343964098, 0.64008859207, -0.748490791134],
        [2.0, -0.150416822746, -0.724165591637, -0.67302226956],
    ]
    s = tg.simulate(Top(), stop=2.0, points=401, rtol=1e-9)
    within("Heavy top", compare(s, table, ["tip.r[0]", "tip.r[1]", "tip.r[2]"]), 1e-6, "DOP853, m")


@pytest.mark.parametrize("solver", ["auto", "rk45", "rodas", "cvode"])
def test_a_planar_loop_in_space(four_bar: Any, solver: str) -> None:
    """Assembled from a rough guess; three of its five closures repeat others, and nobody says so."""
    table = [
        [1.0, 11.8963564018, -10.7470120119, -0.401878027204, 8.33551095028],
        [2.0, 22.873438309, -22.0518746345, -0.794474840703, 18.8232963223],
        [3.0, 33.6134774177, -33.0427947508, -0.314911689272, 9.62067406216],
    ]
    s = four_bar.simulate(stop=3.0, points=301, rtol=1e-9, solver=solver)
    error = compare(s, table, ["j1.phi", "j2.phi", "j3.phi", "j1.w"], 33.0)
    within(f"Four-bar in space, {solver}", error, 1e-6, "Lagrange's equations, of the range")


def test_a_loop_that_should_not_move() -> None:
    """Bricard: the rank of its closures is lower than their number for good, with other rows as it moves.

    The force that nothing determines is zero, so that all forces are functions of the state: a run that begins in the
    middle of another one has the same.
    """
    table = [
        [2.5, -0.999983185293, -0.999999999859, -1.68145660525e-05],
        [5.0, 0.999932742302, -0.999999997738, -6.72554365276e-05],
        [10.0, 0.999730987303, -0.999999963826, -0.000268976513074],
    ]
    s = compiled(Bricard).simulate(stop=10.0, points=201, rtol=1e-8)
    error = compare(s, table, ["corner.r[0]", "corner.r[1]", "corner.r[2]"])
    within("Bricard's loop, IFToMM A04", error, 1e-6, "DOP853 with a fixed rank, m")
    half = {f"j{k}.{name}": s[f"j{k}.{name}"][100] for k in range(1, 7) for name in ("phi", "w")}
    again = compiled(Bricard).simulate(stop=1e-3, points=2, initial=half)
    for name in ("cut.force", "cut.torque"):
        assert np.abs(s[name][100]).max() > 1.0
        assert np.abs(again[name][0] - s[name][100]).max() < 1e-8


WINDOWS = [
    [2.0, 0.057815795768],
    [5.0, -0.811310461004],
    [10.0, 0.32845811154],
]
"""Table 06 for two windows; others by the same equation, theta'' = c sin(theta)."""


def windows_by_one_equation(count: int, times: Any) -> Any:
    """x of the first tip of a row of parallelograms."""
    c = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    run = solve_ivp(lambda _, y: [y[1], c * np.sin(y[0])], (0, 10), [0, 1], "DOP853", times, rtol=1e-13, atol=1e-13)
    return np.sin(run.y[0])


@pytest.mark.parametrize(("count", "rtol", "allowed"), [(2, 1e-8, 2e-6), (2, 1e-10, 5e-8), (8, 1e-8, 3e-6)])
def test_a_row_of_windows_through_singular_positions(count: int, rtol: float, allowed: float) -> None:
    """Ten times all bars are in line, with as many freedoms as bars: steps go across without looking at that point."""
    s = tg.simulate(windows(count), stop=10.0, points=201, rtol=rtol, atol=rtol / 10, solver="rk45")
    exact = windows_by_one_equation(count, s.time)
    if count == 2:
        assert abs(np.interp([row[0] for row in WINDOWS], s.time, exact) - [row[1] for row in WINDOWS]).max() < 1e-10
    within(
        f"Row of {count} windows, IFToMM A02, rtol {rtol:g}",
        -np.sin(s["foot[0].phi"]) - exact,
        allowed,
        "one equation, m",
    )


@pytest.mark.parametrize(("count", "rtol"), [(1, 1e-4), (2, 1e-8), (3, 1e-6)])
def test_ida_ends_where_a_loop_is_singular(count: int, rtol: float) -> None:
    """IDA leaves by another way, mostly with the loop closed; at 1e-4 the constraints pass each other at a distance."""
    model = tg.compile(windows(count))
    s = model.simulate(stop=10.0, points=201, rtol=rtol, atol=rtol / 10, solver="ida", throw=False)
    assert s.outcome.code == "singular-position"
    assert "the loop that right[" in s.outcome.details[0]
    assert abs(np.sin(s["foot[0].phi"]) + windows_by_one_equation(count, s.time)).max() < 100 * rtol


@pytest.mark.parametrize("solver", ["rodas", "cvode"])
def test_a_wrong_way_out_of_a_singular_position_is_reported(solver: str) -> None:
    """Steps that end there see nothing but roundings: an error, or a warning that names the loop."""
    model = tg.compile(windows(2))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        s = model.simulate(stop=10.0, points=41, rtol=1e-8, atol=1e-9, solver=solver, throw=False)
    if s.outcome.ok and abs(np.sin(s["foot[0].phi"]) + windows_by_one_equation(2, s.time)).max() > 1e-3:
        said = [str(one.message) for one in caught]
        assert any("the loop that right[" in text for text in said), said


def test_a_slider_crank_in_space() -> None:
    table = [
        [1.0, 0.211721661394, 10.9135907299],
        [2.5, 0.256552872784, 26.2768490429],
        [5.0, 0.240719573732, 54.3333321683],
    ]
    s = tg.simulate(SliderCrank(), stop=5.0, points=201, rtol=1e-9, solver="rk45")
    within("Slider-crank in space", compare(s, table, ["slide.s", "hinge.phi"], 54.0), 1e-6, "DOP853, of the range")


@pytest.mark.parametrize("how", ["fixed", "asked for"])
def test_a_flywheel_leaves_the_start_of_a_loop_alone(how: str) -> None:
    """What is fixed, or asked for by initial=, is held where an inertia is tied to the joint, too."""
    asked = {"phi": 0.3, "w": 8.0}
    given = {name: tg.variable(start=value, fixed=True) for name, value in asked.items()} if how == "fixed" else {}

    class Flywheel(FourBar):
        """The same with a rotor on the crank."""

        j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, **given)
        flywheel = rotational.Inertia(J=0.1)

        def connections(self) -> Any:
            yield self.flywheel.flange_b, self.j1.axis

    initial = None if how == "fixed" else {f"j1.{name}": value for name, value in asked.items()}
    s = tg.simulate(Flywheel(), stop=0.01, initial=initial)
    assert s["j1.phi"][0] == pytest.approx(0.3, abs=1e-12)
    assert s["flywheel.w"][0] == pytest.approx(8.0, abs=1e-12)
    assert s["j2.phi"][0] == pytest.approx(0.844613, abs=1e-6)


@pytest.mark.parametrize("drive", ["speed", "position", "geared position"])
def test_a_crank_that_is_driven_at_constant_speed(drive: str) -> None:
    """Its angle is given, the loop follows, and the work of the drive is the energy of the bars."""

    class Driven(FourBar):
        """The same, turned by 8 rad/s whatever that takes."""

        j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=tg.variable(start=0.3, fixed=drive == "speed"))
        motor = rotational.ConstantSpeed(w_fixed=8.0) if drive == "speed" else rotational.Position(exact=True)
        gear = rotational.IdealGear(ratio=5.0 if drive == "geared position" else 1.0)

        def equations(self) -> Any:
            if drive != "speed":
                yield self.motor.phi_ref == self.gear.ratio * (0.3 + 8.0 * tg.time)

        def connections(self) -> Any:
            yield self.motor.flange, self.gear.flange_a
            yield self.gear.flange_b, self.j1.axis

    s = tg.simulate(Driven(), stop=1.0, rtol=1e-9, points=2001)
    assert s["j1.phi"] == pytest.approx(0.3 + 8.0 * s.time, abs=1e-7)
    pin = 0.3 * np.column_stack([np.sin(s["j1.phi"]), np.cos(s["j1.phi"])])
    end = s["rocker.frame_b.r_0"][:, [0, 2]]
    assert np.linalg.norm(end - pin, axis=1) == pytest.approx(1.0, abs=1e-8)
    energy = np.zeros(len(s.time))
    for name, length in (("crank", 0.3), ("coupler", 1.0), ("rocker", 0.7)):
        middle = 0.5 * (s[f"{name}.frame_a.r_0"] + s[f"{name}.frame_b.r_0"])
        moving = 0.5 * (s[f"{name}.frame_a.v_0"] + s[f"{name}.frame_b.v_0"])
        spin = s[f"{name}.frame_a.w"][:, 1]
        energy += 0.5 * (moving**2).sum(axis=1) + length**2 / 24 * spin**2 + 9.81 * middle[:, 2]
    work = cumulative_simpson(s["j1.tau"] * 8.0, x=s.time, initial=0.0)
    assert np.ptp(energy) > 1.0
    assert energy - energy[0] == pytest.approx(work, abs=1e-5)


def test_loops_stay_closed(four_bar: Any) -> None:
    s = four_bar.simulate(stop=20.0, rtol=1e-8)
    assert s.stats["drift"] < 1e-7


def test_sensitivities_pass_through_loops(four_bar: Any) -> None:
    """The loop is assembled anew for every length of the coupler, which the exact derivatives include."""
    run = {"stop": 0.3, "rtol": 1e-9, "points": 11}
    name = "coupler.m"
    exact = tg.sensitivity(four_bar, wrt=[name], **run)
    h = 1e-4
    ends = [four_bar.simulate(parameters={name: 1.0 + sign * h}, **run)["j1.phi"][-1] for sign in (1.0, -1.0)]
    assert exact["j1.phi", name][-1] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5)


@pytest.mark.filterwarnings("error", "ignore:.*looks stiff")
@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode"])
def test_what_has_stopped_swinging_keeps_its_loop_closed(solver: str) -> None:
    """No warning: forces of the weight strain the joints by no more than their compliance, 1e-10."""
    model = compiled(DampedFourBar)
    for rtol in (1e-4, 1e-10):
        s = model.simulate(stop=100.0, points=11, solver=solver, rtol=rtol)
        assert s.stats["drift"] < 10.0 * rtol
        assert abs(s["j1.w"][-1]) < 1e-3


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode"])
def test_what_cannot_move_keeps_its_loop_closed(solver: str) -> None:
    """Velocities without any freedom are no reason for small steps, nor for a warning that they were not controlled."""
    truss = compiled(Truss)
    for rtol in (1e-4, 1e-8):
        s = truss.simulate(stop=100.0, points=11, solver=solver, rtol=rtol)
        assert s["left.phi"] == pytest.approx(np.pi / 6, abs=1e-12)
        assert s.stats["drift"] < 1e-6
        assert s.stats["steps"] < 2000


def test_a_body_tumbles_for_hours() -> None:
    """Three hours, 1 720 turns: the quaternion has the length one, and what integration added to it is reported."""
    s = compiled(Tumbling).simulate(stop=3 * 3600.0, points=1001, solver="rk45", rtol=1e-10)
    R = s["body.frame_a.R"]
    assert abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max() < 1e-14
    Q = s["body_mass.Q"]
    assert abs((Q**2).sum(axis=1) - 1.0).max() < 1e-12
    assert s.stats["projections"] >= s.stats["steps"]
    assert 0.0 < s.stats["drift"] < 1e-8
    w = s["rate.w"]
    momentum = np.einsum("tji,tj->ti", R, w * [1.0, 2.0, 3.0])  # in the world
    assert abs(momentum - momentum[0]).max() < 1e-7
