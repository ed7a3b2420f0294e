"""Examples of the Modelica library rebuilt from our parts, against points of the published results.

The last three have no published curve at hand: their points are of a run of the library's own text.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from validation import msl_parts
from validation.measured import within

Points = list[tuple[float, float]]

POINTS: list[tuple[str, float, str, Points]] = [
    ("HeatingMOSInverter", 5.0, "capacitor.v", [(0.2, 0.0177582), (0.9, 4.9983), (2.6, 4.25541), (4.2, 0.714602)]),
    ("HeatingMOSInverter", 5.0, "heat.T", [(0.2, 294.389), (0.9, 297.224), (2.6, 299.493), (4.2, 299.903)]),
    ("SchmittTrigger", 1.0, "amplifier.out.v", [(0.01, 15.0), (0.045, -15.0), (0.3, 15.0), (0.86, -15.0)]),
    (
        "SchmittTrigger",
        1.0,
        "amplifier.out.i",
        [(0.01, -6.25e-4), (0.045, 6.25e-4), (0.3, -6.25e-4), (0.86, 6.25e-4)],
    ),
    ("Backlash", 1.0, "backlash.phi_rel", [(0.1, 0.249713), (0.35, -0.768687), (0.6, 0.231664), (1.0, -0.15557)]),
    ("Backlash", 1.0, "backlash.w_rel", [(0.1, 52.8887), (0.35, 4.79002), (0.6, 13.7596), (1.0, -7.02293)]),
    ("ElastoGap", 5.0, "gap2.s_rel", [(0.5, 1.21427), (1.7, 2.88568), (3.2, 1.24641), (5.0, 2.70789)]),
    ("ElastoGap", 5.0, "gap1.v_rel", [(0.5, -3.42698), (1.7, 1.94704), (3.2, -1.09829), (5.0, 0.53753)]),
    ("ThreeTanks", 200.0, "tanks[0].level", [(20.0, 6.84128), (60.0, 5.03766), (120.0, 3.73131), (200.0, 3.66667)]),
    ("ThreeTanks", 200.0, "tanks[1].level", [(20.0, 2.67363), (60.0, 3.0098), (120.0, 3.63422), (200.0, 3.66667)]),
    ("ThreeTanks", 200.0, "tanks[2].level", [(20.0, 4.48543), (60.0, 5.95245), (120.0, 6.63407), (200.0, 6.66667)]),
    ("NandGate", 1e-07, "c4.v", [(5e-09, 4.99824), (1.7e-08, 4.99654), (3.3e-08, 4.99467), (7.4e-08, 4.99681)]),
    ("NandGate", 1e-07, "c7.v", [(5e-09, 0.0502226), (1.7e-08, 1.22524), (3.3e-08, 0.00246483), (7.4e-08, 0.00246865)]),
    ("HeatLosses", 2.0, "mass1.s", [(0.3, 0.16246), (0.8, -0.0294571), (1.4, 0.188421), (2.0, -0.0806734)]),
    ("HeatLosses", 2.0, "slide.s", [(0.3, 0.302389), (0.8, 0.349371), (1.4, 0.269616), (2.0, 0.275994)]),
    ("SignalGenerator", 1.0, "c.v", [(0.01, 3.99996), (0.06, -4.00196), (0.5, 0.0200021), (0.98, -7.96014)]),
]
ANALOG = "Electrical.Analog.Examples."
SIGNALS = {
    ("Electrical_Analog", ANALOG + "HeatingMOSInverter"): {"Capacitor1.v": "capacitor.v", "HeatCapacitor1.T": "heat.T"},
    ("Electrical_Analog", ANALOG + "OpAmps.SchmittTrigger"): {
        "opAmp.out.v": "amplifier.out.v",
        "opAmp.out.i": "amplifier.out.i",
    },
    ("Mechanics_Rotational", "Mechanics.Rotational.Examples.Backlash"): {
        "elastoBacklash.phi_rel": "backlash.phi_rel",
        "elastoBacklash.w_rel": "backlash.w_rel",
        "springDamper.phi_rel": "spring_damper.phi_rel",
    },
    ("Mechanics_Translational", "Mechanics.Translational.Examples.ElastoGap"): {
        "elastoGap2.s_rel": "gap2.s_rel",
        "elastoGap1.v_rel": "gap1.v_rel",
        "springDamper1.v_rel": "spring1.v_rel",
    },
    ("Fluid", "Fluid.Examples.Tanks.ThreeTanks"): {
        "tank1.level": "tanks[0].level",
        "tank2.level": "tanks[1].level",
        "tank3.level": "tanks[2].level",
        "tank1.medium.T": "tanks[0].T",
    },
}
TUBE = 2e-3
"""Half the width and the height of the tube, of the ranges of time and signal."""


@cache
def run(name: str, stop: float) -> tg.Solution:
    return tg.simulate(getattr(msl_parts, name)(), stop, rtol=1e-7, points=2001)


@pytest.mark.parametrize(("name", "stop", "signal", "points"), POINTS, ids=[f"{p[0]}-{p[2]}" for p in POINTS])
def test_points_of_the_published_curves(name: str, stop: float, signal: str, points: Points) -> None:
    solution = run(name, stop)
    times = [t for t, _ in points]
    values = np.array([y for _, y in points])
    size = max(np.ptp(solution[signal]), abs(solution[signal]).min(), 1e-3)
    error = (solution.at(times)[signal] - values) / size
    within(f"{name} of the Modelica library, {signal}", error, TUBE, "published results, of the range")


@pytest.mark.parametrize(("file", "model"), SIGNALS, ids=lambda name: name.split(".")[-1])
def test_whole_published_curves(file: str, model: str) -> None:
    path = Path(os.environ.get("TELLEGEN_MSL_REFERENCES", "../shared/modelica")) / "references" / f"{file}.npz"
    if not path.exists():
        pytest.skip("the published curves are not here: TELLEGEN_MSL_REFERENCES names their folder")
    stored = np.load(path)
    name = model.split(".")[-1]
    for theirs, ours in SIGNALS[file, model].items():
        t = stored[f"Modelica.{model}|{theirs}|t"]
        y = stored[f"Modelica.{model}|{theirs}|y"].astype(float)
        solution = run(name, float(t[-1]))
        near = [np.abs(t - at) <= TUBE * (t[-1] - t[0]) for at in t]
        low = np.array([y[around].min() for around in near])
        high = np.array([y[around].max() for around in near])
        found = solution.at(t)[ours]
        height = TUBE * max(np.ptp(y), abs(y).min(), 1e-3)
        assert (found >= low - height).all(), (name, theirs)
        assert (found <= high + height).all(), (name, theirs)
