"""Velocity control with a PID controller and an op-amp (example E8 of S. A. Vaze's dissertation), from library parts.

The dissertation prints neither gains nor curves; the steady state follows from the motor alone and is listed in the
seeds. The way there is compared with a matrix exponential of the same loop.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm

import tellegen as tg
from validation.measured import within

EXAMPLE = runpy.run_path(str(Path(__file__).resolve().parents[2] / "examples" / "op_amp_drive.py"))
OUNCE_INCH = 0.45359237 * 9.80665 / 16.0 * 0.0254


@pytest.mark.parametrize("stage", ["Direct", "Amplified"])
def test_steady_state(stage: str) -> None:
    """Half a unit of the last digit, after 80 s: more than 20 time constants of the slowest mode (2.5 s)."""
    found = tg.simulate(EXAMPLE[stage](), 80.0, rtol=1e-8)
    seed = "seed E8 (independent model)"
    within(f"E8, {stage}, speed of the motor", found["motor.w"][-1] - 62.5, 1e-6, f"{seed}, rad/s")
    within(f"E8, {stage}, speed of the link", found["link.w"][-1] - 5.0, 1e-7, f"{seed}, rad/s")
    within(f"E8, {stage}, current", found["motor.ia"][-1] - 0.1529018, 0.6e-7, f"{seed}, A")
    within(f"E8, {stage}, voltage", found["motor.va"][-1] - 2.873214, 0.6e-6, f"{seed}, V")


def test_stage_one_is_linear() -> None:
    """Current, speed, integral and delayed speed: the controller never reaches its limit, so the loop is linear."""
    R, L, Kb, KT = 2.4, 0.0048, 0.0401, 5.6 * OUNCE_INCH
    J, B = (0.0044 + 41.077 / 12.5**2) * OUNCE_INCH, 0.0137 * OUNCE_INCH
    k, Ti, Td, Nd = 0.2, 2.5, 0.02, 10.0
    y = np.array([0.0, -k * (1.0 + Nd), k, -k * Nd])  # of the states; the reference adds k * 62.5
    A = np.array([[-R / L, -Kb / L, 0, 0], [KT / J, -B / J, 0, 0], [0, -1 / Ti, 0, 0], [0, -Nd / Td, 0, -Nd / Td]])
    A[0] += y / L
    b = np.array([k * 62.5 / L, 0.0, 62.5 / Ti, 0.0])
    rest = -np.linalg.solve(A, b)
    found = tg.simulate(EXAMPLE["Direct"](), 5.0, rtol=1e-9, points=101)
    wanted = np.array([rest - expm(A * t) @ rest for t in found.time])
    within("E8, stage 1, speed", found["motor.w"] - wanted[:, 1], 1e-5, "matrix exponential, rad/s")
    within("E8, stage 1, current", found["motor.ia"] - wanted[:, 0], 1e-5, "matrix exponential, A")


def test_the_amplifier_limits_the_start() -> None:
    """At its limit, about 21 V, the output stage drives the motor through 75 ohm: I = (v_s - Kb w)/(75 + 2.4)."""
    found = tg.simulate(EXAMPLE["Amplified"](), 10.0, rtol=1e-8, points=[2.0, 5.0, 10.0])
    limit = found["amplifier.v_s"][-3:]
    assert list(limit) == pytest.approx([21.0] * 3, abs=0.02)
    through_input = found["amplifier.v_in"][-3:] / 2e6  # joins the current of the output stage
    expected = (limit + 75.0 * through_input - 0.0401 * found["motor.w"][-3:]) / 77.4
    # the inductance takes little, because the current falls by 2 mA/s: 0.1 uA
    within("E8, stage 2, current at the limit", found["motor.ia"][-3:] - expected, 3e-7, "closed-form solution, A")
