"""Limits, play, levels and tables, integrators with limits and resets: against closed-form solutions of sines and
ramps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks


class Driven(tg.Component):
    """u = 2 sin(t) into everything."""

    sine = blocks.Sine(amplitude=2.0, f=1.0 / (2 * np.pi))
    limiter = blocks.Limiter(u_max=1.2, u_min=-0.4)
    variable = blocks.VariableLimiter(limit1=0.5, limit2=-1.5)
    zone = blocks.DeadZone(u_max=0.7, u_min=-0.3)
    play = blocks.Backlash(b=1.0, Td=1e-4)
    slew = blocks.SlewRateLimiter(rising=0.8, falling=-0.5, Td=1e-4)
    quantizer = blocks.Quantizer(step=0.25)
    fixed = blocks.FixedDelay(delay_time=0.7)

    def connections(self) -> Any:
        yield self.sine.y, self.limiter.u, self.variable.u, self.zone.u, self.play.u, self.slew.u
        yield self.sine.y, self.quantizer.u, self.fixed.u


@pytest.fixture(scope="module")
def run() -> tg.Solution:
    return tg.simulate(Driven(), 10.0, rtol=1e-8)


def test_shapes(run: tg.Solution) -> None:
    t, u = run.time, 2.0 * np.sin(run.time)
    np.testing.assert_allclose(run["limiter.y"], np.clip(u, -0.4, 1.2), atol=1e-12)
    np.testing.assert_allclose(run["variable.y"], np.clip(u, -1.5, 0.5), atol=1e-12)
    np.testing.assert_allclose(run["zone.y"], u - np.clip(u, -0.3, 0.7), atol=1e-12)
    away = np.abs(u / 0.25 - np.floor(u / 0.25) - 0.5) > 1e-6
    np.testing.assert_allclose(run["quantizer.y"][away], 0.25 * np.floor(u / 0.25 + 0.5)[away], atol=1e-12)
    np.testing.assert_allclose(run["fixed.y"], np.where(t < 0.7, 0.0, 2.0 * np.sin(t - 0.7)), atol=1e-5)


def test_play_follows_half_a_gap_behind_and_rests_in_between(run: tg.Solution) -> None:
    """The lag of 1e-4 s at up to 2 per second: good to 2e-4."""
    fine = np.linspace(0.0, 10.0, 100001)
    u, y = 2.0 * np.sin(fine), np.zeros(len(fine))
    for k in range(1, len(fine)):
        y[k] = min(max(y[k - 1], u[k] - 0.5), u[k] + 0.5)
    np.testing.assert_allclose(run["play.y"], np.interp(run.time, fine, y), atol=4e-4)


def test_slew_rate(run: tg.Solution) -> None:
    """Up by 0.8 per second until the sine is met on its way down, then down by 0.5 per second."""
    fine = np.linspace(0.0, 10.0, 100001)
    u, y, step = 2.0 * np.sin(fine), np.zeros(len(fine)), 1e-4
    for k in range(1, len(fine)):
        y[k] = y[k - 1] + min(max(u[k] - y[k - 1], -0.5 * step), 0.8 * step)
    np.testing.assert_allclose(run["slew.y"], np.interp(run.time, fine, y), atol=4e-4)
    inner = np.diff(run["slew.y"])[np.diff(run.time) > 1e-9] / np.diff(run.time)[np.diff(run.time) > 1e-9]
    assert inner.max() < 0.8 + 1e-6
    assert inner.min() > -0.5 - 1e-6


class Limited(tg.Component):
    """u = cos(t): the free integral would be sin(t)."""

    drive = blocks.Cosine(f=1.0 / (2 * np.pi))
    free = blocks.LimIntegrator(out_max=2.0)
    cut = blocks.LimIntegrator(out_max=0.5, out_min=-0.25)
    reset = blocks.Integrator(use_reset=True, set=-1.0)
    pulse = blocks.BooleanPulse(period=2.0, start_time=1.0)

    def connections(self) -> Any:
        yield self.drive.y, self.free.u, self.cut.u, self.reset.u
        yield self.pulse.y, self.reset.reset


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_integrators_with_limits_and_resets(solver: str) -> None:
    run = shared_model(Limited).simulate(9.0, solver=solver, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(run["free.y"], np.sin(run.time), atol=1e-6)
    assert run["cut.y"].max() == pytest.approx(0.5, abs=1e-9)
    assert run["cut.y"].min() == pytest.approx(-0.25, abs=1e-9)
    assert run.at(1.2)["cut.y"] == 0.5

    def cut(t: float) -> float:  # it leaves a limit when the cosine turns, not when the free integral comes back
        if t < np.pi / 2:
            return min(np.sin(t), 0.5)
        if t < 3 * np.pi / 2:
            return max(0.5 + np.sin(t) - 1.0, -0.25)
        return min(-0.25 + np.sin(t) + 1.0, 0.5) if t < 5 * np.pi / 2 else 0.5 + np.sin(t) - 1.0

    np.testing.assert_allclose(run["cut.y"], [cut(t) for t in run.time], atol=1e-6)
    last = run.time - (run.time - 1.0) % 2.0
    away = (np.abs((run.time - 1.0) % 2.0) > 1e-9) & (run.time > 1.0)
    exact = -1.0 + np.sin(run.time) - np.sin(last)
    np.testing.assert_allclose(run["reset.y"][away], exact[away], atol=1e-6)


ROWS = np.array([[0.0, 1.0, -1.0], [1.0, 3.0, 0.0], [2.5, 2.0, 4.0], [4.0, 2.5, 5.0]])
MAP = np.array([[0.0, 0.0, 1.0, 3.0], [0.0, 1.0, 2.0, 0.0], [2.0, 0.5, -1.0, 4.0], [5.0, 3.0, 3.5, 2.0]])


class Looked(tg.Component):
    """Tables at arguments that go from -1 to 6."""

    ramp = blocks.Ramp(offset=-1.0, height=7.0, duration=7.0)
    half = blocks.Gain(k=0.5)
    one = blocks.CombiTable1D(table=ROWS[:, :2], smoothness="monotone", extrapolation="hold")
    several = blocks.CombiTable1Ds(table=ROWS)
    each = blocks.CombiTable1Dv(table=ROWS, smoothness="akima", extrapolation="hold")
    surface = blocks.CombiTable2D(table=MAP, extrapolation="hold")

    def connections(self) -> Any:
        yield self.ramp.y, self.half.u, self.one.u, self.several.u, self.each.u[0], self.surface.u1
        yield self.half.y, self.each.u[1], self.surface.u2


def test_tables() -> None:
    """Values at output points are interpolated by the solver, to its tolerance of 1e-6."""
    run = tg.simulate(Looked(), 7.0)
    u, x = run["ramp.y"], np.clip(run["ramp.y"], 0.0, 4.0)
    pchip = interpolate.PchipInterpolator(ROWS[:, 0], ROWS[:, 1])
    np.testing.assert_allclose(run["one.y"], pchip(x), atol=1e-5)
    for k in (1, 2):
        slopes = np.diff(ROWS[:, k]) / np.diff(ROWS[:, 0])
        ends = np.where(u < 0, u * slopes[0], np.where(u > 4.0, (u - 4.0) * slopes[-1], 0.0))
        line = np.interp(u, ROWS[:, 0], ROWS[:, k]) + ends
        np.testing.assert_allclose(run[f"several.y[{k - 1}]"], line, atol=1e-5)
    akima = interpolate.Akima1DInterpolator(ROWS[:, 0], ROWS[:, 1:])
    np.testing.assert_allclose(run["each.y[0]"], akima(x)[:, 0], atol=1e-5)
    np.testing.assert_allclose(run["each.y[1]"], akima(np.clip(0.5 * u, 0.0, 4.0))[:, 1], atol=1e-5)
    grid = interpolate.RegularGridInterpolator((MAP[1:, 0], MAP[0, 1:]), MAP[1:, 1:])
    at = np.column_stack([np.clip(u, 0.0, 5.0), np.clip(0.5 * u, 0.0, 3.0)])
    np.testing.assert_allclose(run["surface.y"], grid(at), atol=1e-5)


def test_leaving_a_table_can_be_told() -> None:
    class Model(tg.Component):
        ramp = blocks.Ramp(height=5.0, duration=5.0)
        table = blocks.CombiTable1D(table=ROWS[:, :2], extrapolation="error")

        def connections(self) -> Any:
            yield self.ramp.y, self.table.u

    with pytest.raises(tg.NumericError, match="the table holds from 0 to 4"):
        tg.simulate(Model(), 5.0)
    table = blocks.CombiTable1D(table=ROWS[:, :2], verbose_extrapolation=True)
    with pytest.warns(UserWarning, match="the table holds from 0 to 4"):
        warned = tg.simulate(Model(table=table), 5.0, throw=False)
    assert warned.warnings[0].time == pytest.approx(4.0, abs=1e-6)
    assert not tg.simulate(Model(), 3.9).warnings


@pytest.mark.parametrize(
    ("block", "told"),
    [
        (blocks.Limiter(u_max=-1.0), "u_min must not be above u_max"),
        (blocks.LimPID(y_max=-1.0, u_m=0.0, u_s=1.0), "y_min must not be above y_max"),
        (blocks.Filter(filter_type="band_pass", f_min=5.0, f_cut=2.0), "f_min must be below f_cut"),
    ],
)
def test_limits_in_the_wrong_order_are_refused(block: Any, told: str) -> None:
    with pytest.raises(tg.NumericError, match=told):
        tg.simulate(block, stop=1.0)


def test_a_time_constant_of_zero_is_told_as_such() -> None:
    with pytest.raises(tg.LanguageError, match=r"'Ti' is 0 s, but must be above 0"):
        tg.simulate(blocks.LimPID(Ti=0.0, u_m=0.0, u_s=1.0), stop=1.0)
