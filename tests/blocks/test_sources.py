"""Sources against their formulas, at times between the output points and on both sides of every corner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks

T = np.linspace(0.0, 6.0, 613)
EXACT = 1e-12  # the formulas are computed, not integrated


def ramp(t: Any) -> Any:
    return -1.0 + 3.0 * np.clip((t - 0.5) / 2.0, 0.0, 1.0)


def exponentials(t: Any) -> Any:
    up, down = 1.0 - np.exp(-(t - 1.0) / 0.3), (1.0 - np.exp(-1.5 / 0.3)) * np.exp(-(t - 2.5) / 0.6)
    return 0.5 + np.where(t < 1.0, 0.0, 2.0 * np.where(t < 2.5, up, down))


SOURCES: dict[str, tuple[Any, Any]] = {
    "constant": (lambda: blocks.Constant(k=-3.5), lambda t: -3.5 + 0.0 * t),
    "step": (lambda: blocks.Step(height=2.0, offset=1.0, start_time=1.5), lambda t: np.where(t < 1.5, 1.0, 3.0)),
    "ramp": (lambda: blocks.Ramp(height=3.0, duration=2.0, offset=-1.0, start_time=0.5), ramp),
    "steep": (lambda: blocks.Ramp(duration=0.0, start_time=1.0), lambda t: np.where(t < 1.0, 0.0, 1.0)),
    "sine": (
        lambda: blocks.Sine(amplitude=2.0, f=0.7, phase=0.3, offset=1.0, start_time=0.4),
        lambda t: 1.0 + np.where(t < 0.4, 0.0, 2.0 * np.sin(2 * np.pi * 0.7 * (t - 0.4) + 0.3)),
    ),
    "cosine": (
        lambda: blocks.Cosine(f=0.7, phase=0.3, start_time=0.4),
        lambda t: np.where(t < 0.4, 0.0, np.cos(2 * np.pi * 0.7 * (t - 0.4) + 0.3)),
    ),
    "exp_sine": (
        lambda: blocks.ExpSine(f=0.7, phase=0.3, damping=0.8, start_time=0.4),
        lambda t: np.where(t < 0.4, 0.0, np.exp(-0.8 * (t - 0.4)) * np.sin(2 * np.pi * 0.7 * (t - 0.4) + 0.3)),
    ),
    "exponentials": (
        lambda: blocks.Exponentials(
            out_max=2.0, rise_time=1.5, rise_time_const=0.3, fall_time_const=0.6, offset=0.5, start_time=1.0
        ),
        exponentials,
    ),
    "clock": (lambda: blocks.ContinuousClock(offset=2.0, start_time=1.0), lambda t: 2.0 + np.maximum(t - 1.0, 0.0)),
    "saw": (
        lambda: blocks.SawTooth(amplitude=2.0, period=0.75, offset=1.0, start_time=0.5),
        lambda t: 1.0 + np.where(t < 0.5, 0.0, 2.0 * (((t - 0.5) / 0.75) % 1.0)),
    ),
    "boolean_step": (
        lambda: blocks.BooleanStep(start_time=2.0, start_value=True),
        lambda t: np.where(t < 2.0, 1.0, 0.0),
    ),
    "boolean_pulse": (
        lambda: blocks.BooleanPulse(width=0.25, period=0.8, start_time=0.5),
        lambda t: np.where((t >= 0.5) & ((t - 0.5) % 0.8 < 0.2), 1.0, 0.0),
    ),
    "boolean_table": (
        lambda: blocks.BooleanTable(table=[0.5, 1.25, 4.0], start_value=True),
        lambda t: np.interp(t, [0.5, 0.5, 1.25, 1.25, 4.0, 4.0], [1, 0, 0, 1, 1, 0]),
    ),
    "boolean_constant": (lambda: blocks.BooleanConstant(k=True), lambda t: 1.0 + 0.0 * t),
}


class Everything(tg.Component):
    """All of them, so that corners of one fall into steps of the others."""

    def build(self) -> None:
        for name, (source, _) in SOURCES.items():
            setattr(self, name, source())


def test_values() -> None:
    run = tg.simulate(Everything(), 6.0)
    corners = np.array([0.4, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 4.0])
    away = T[(np.abs(T[:, None] - corners).min(axis=1) > 1e-6) & (np.abs(T * 20 - np.round(T * 20)) > 1e-6)]
    at = run.at(away)
    for name, (_, formula) in SOURCES.items():
        np.testing.assert_allclose(at[f"{name}.y"], formula(away), atol=EXACT, rtol=0, err_msg=name)


@pytest.mark.parametrize("start", [0.0, 0.9, 2.7])
def test_jumps_are_seen_from_both_sides_wherever_a_run_starts(start: float) -> None:
    run = shared_model(Everything).simulate(6.0, start=start)
    for name, corner in (("step", 1.5), ("boolean_table", 1.25), ("boolean_table", 4.0), ("saw", 2.75)):
        if corner < start:
            continue
        rows = np.flatnonzero(np.abs(run.time - corner) < 1e-12)
        values = run[f"{name}.y"][rows]
        formula = SOURCES[name][1]
        assert values[0] == pytest.approx(formula(corner - 1e-12), abs=1e-9), name
        assert values[-1] == pytest.approx(formula(corner + 1e-12), abs=1e-9), name
    for name, (_, formula) in SOURCES.items():
        assert run[f"{name}.y"][-1] == pytest.approx(formula(np.array(6.0)), abs=1e-9), name


@pytest.mark.parametrize(("distance", "reached"), [(3.0, 1.0), (-0.3, -((0.3 * 2.0) ** 0.5)), (0.0, 0.0)])
def test_rest_to_rest(distance: float, reached: float) -> None:
    """Long enough to reach qd_max, too short for it (a triangle of speed), and no distance at all."""

    class Model(tg.Component):
        ptp = blocks.KinematicPTP(deltaq=distance, qd_max=1.0, qdd_max=2.0, start_time=0.5)
        v = tg.variable(start=0.0, fixed=True)
        s = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.v) == self.ptp.y
            yield tg.der(self.s) == self.v

    run = tg.simulate(Model(), 5.0, rtol=1e-9)
    np.testing.assert_allclose(run["s"], run["ptp.q"], atol=1e-8)
    np.testing.assert_allclose(run["v"], run["ptp.qd"], atol=1e-8)
    assert run["ptp.q"][-1] == distance
    assert run["ptp.qd"][-1] == 0.0
    fastest = run["ptp.qd"][np.argmax(np.abs(run["ptp.qd"]))]
    assert fastest == pytest.approx(reached, abs=1e-9)
    duration = abs(distance) / max(abs(reached), 1e-300) + abs(reached) / 2.0
    moving = run.time[np.abs(run["ptp.qd"]) > 1e-9]
    assert (moving.max(initial=0.5) - 0.5) == pytest.approx(duration, abs=0.02)
