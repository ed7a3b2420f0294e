"""The seeker from CAD with its drives (V4) against equations written by hand and integrated by SciPy."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import scipy

import tellegen as tg

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "seeker.py"
K, RA, LA, JR, D, GEAR = 0.05, 2.3, 1e-3, 4e-6, 1e-5, 30.0
KP, KD, LIMIT = 300.0, 12.0, 24.0
WANTED = np.array([0.14, -0.14])


def by_hand(ring: Any, camera: Any) -> Any:
    """Pitch and yaw, their speeds, and two currents: bodies are balanced, so gravity does nothing."""

    def rates(_: float, x: Any) -> Any:
        q, v, i = x[:2], x[2:4], x[4:]
        u = np.clip(KP * (WANTED - q) - KD * v, -LIMIT, LIMIT)
        s, c = np.sin(q[1]), np.cos(q[1])
        reflected = GEAR**2 * JR
        pitched = ring[1, 1] + camera[0, 0] * s**2 + camera[1, 1] * c**2 + reflected
        change = 2.0 * (camera[0, 0] - camera[1, 1]) * s * c  # of it with yaw
        torque = GEAR * K * i - GEAR**2 * D * v
        a = [
            (torque[0] - change * v[0] * v[1]) / pitched,
            (torque[1] + 0.5 * change * v[0] ** 2) / (camera[2, 2] + reflected),
        ]
        return np.concatenate([v, a, (u - RA * i - K * GEAR * v) / LA])

    return rates


def test_six_states_and_steps_of_both_axes() -> None:
    script = runpy.run_path(str(EXAMPLE))
    seeker = tg.Assembly.load(script["SAVED"])
    compiled = tg.compile(script["seeker_with_drives"](seeker))
    assert compiled.reduced.is_state.sum() == 6
    ring, camera = (seeker.lumps[k].mass.I for k in (1, 2))
    times = np.linspace(0.0, 0.3, 61)
    solution = compiled.simulate(0.3, points=61, rtol=1e-9)
    tight = {"method": "Radau", "rtol": 1e-9, "atol": 1e-11, "max_step": 1e-3}
    expected = scipy.integrate.solve_ivp(by_hand(ring, camera), (0.0, 0.3), np.zeros(6), t_eval=times, **tight).y
    for k, axis in enumerate(("pitch", "yaw")):
        np.testing.assert_allclose(solution[f"mechanism.{axis}.phi"], expected[k], atol=2e-7)
        np.testing.assert_allclose(solution[f"{axis}.motor.ia"], expected[4 + k], atol=2e-4)
        assert abs(solution[f"mechanism.{axis}.phi"][-1] - WANTED[k]) < 1e-3
