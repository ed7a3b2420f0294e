"""The motor with limited current of S. A. Vaze's dissertation (example E2), from components, by every integrator.

The figures are those of an independent model listed in the seeds, printed with six or seven digits: the tolerance is
half a unit of the last one and what the integration at rtol = 1e-9 adds.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el
from validation.measured import within

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "current_limit.py"
SEED = "seed E2 (independent model)"
LISTED = {3.0: (13.855434, 0.185272), 5.0: (18.215457, 0.112364), 10.0: (21.277724, 0.061158)}


def drive(**parts: Any) -> tg.Component:
    return runpy.run_path(str(EXAMPLE))["Drive"](**parts)


@pytest.mark.parametrize("volts", [1.0, -1.0])
def test_motor_with_limited_current(volts: float) -> None:
    solution = tg.simulate(drive(source=el.ConstantVoltage(V=volts)), 10.0, rtol=1e-9)
    limit = "high" if volts > 0 else "low"
    assert [event.what[0] for event in solution.events] == [
        f"winding.mode: linear -> {limit}",
        f"winding.mode: {limit} -> linear",
    ]
    enter, leave = (event.time for event in solution.events)
    case = f"E2, {limit} limit"
    within(f"{case}, reached at", enter - 1.83287e-3, 0.6e-8, f"{SEED}, s")
    within(f"{case}, left at", leave - 2.004732, 0.6e-6, f"{SEED}, s")
    within(f"{case}, speed when reached", volts * solution.at(enter)["rotor.w"] - 0.0055232, 0.6e-7, f"{SEED}, rad/s")
    within(f"{case}, speed when left", volts * solution.at(leave)["rotor.w"] - 9.975062, 0.6e-6, f"{SEED}, rad/s")
    for t, (speed, current) in LISTED.items():
        row = solution.at(t)
        within(f"{case}, speed at {t:g} s", volts * row["rotor.w"] - speed, 0.6e-6, f"{SEED}, rad/s")
        within(f"{case}, current at {t:g} s", volts * row["winding.i"] - current, 0.6e-6, f"{SEED}, A")
