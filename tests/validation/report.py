"""Run all validation tests and write their figures into docs/validation.md, with plots into docs/validation/.

python tests/validation/report.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "validation.md"
PLOTS = ROOT / "docs" / "validation"

HEAD = """# Validation

What Tellegen computes, compared with closed-form solutions, published values and independent programs. Every row is an
assertion of a test in `tests/validation` or `tests/library`; the page is written by
`python tests/validation/report.py`. The error is the largest one found, absolute in the unit stated with the reference,
relative where none is stated; the tolerance is what the test allows and explains.

![the pendulum in Cartesian coordinates](validation/pendulum.png)
![errors follow the tolerance](validation/convergence.png)

"""

TITLES = {
    "test_test_set": "Stiff and differential-algebraic problems",
    "test_analytic": "Closed solutions",
    "test_convergence": "Convergence with the tolerance",
    "test_energy": "Energy and power",
    "test_small_parts": "Small parts of all domains",
    "test_power_balance": "Power balance of every component of the library",
    "test_dc_motor": "The DC motor with gearbox (Vaze, example E1)",
    "test_modes": "The motor with limited current (Vaze, example E2)",
    "test_machines": "Machines, with Vaze's example E2 from library parts",
    "test_induction": "Induction machines",
    "test_synchronous": "Synchronous machines",
    "test_ac_forms": "AC machines in three phases and in d and q",
    "test_field_oriented": "Field-oriented drives",
    "test_op_amp_drive": "Velocity control with an op-amp (Vaze, example E8)",
    "test_solenoid": "A solenoid valve",
    "test_magnetic": "Magnetic circuits",
    "test_thermal": "Heat transfer",
    "test_hydraulic": "Hydraulics: oil, restrictions, valves",
    "test_hydraulic_machines": "Hydraulics: cylinders, pumps, accumulators",
    "test_water_hammer": "Water hammer",
    "test_fluid": "Fluids: vessels, pipes, valves and pumps",
    "test_fluid_conservation": "Fluids: conservation of mass, energy and species",
    "test_heat_exchangers": "Heat exchangers",
    "test_pneumatic": "Pneumatics: choked flow, tanks, mixing",
    "test_pneumatic_machines": "Pneumatics: valves, cylinders, lines",
    "test_media": "Ideal gases and moist air",
    "test_real_fluids": "Real fluids, evaporators, Rankine cycle and heat pump",
    "test_sensitivity_tables": "Sensitivities of the slider-cranks (Vaze, chapters 3 and 4)",
    "test_robust_design": "Robust design: tolerances, yields, least sensitive designs, costs",
    "test_metamodels": "Metamodels of the slider-crank (Vaze, chapter 6)",
    "test_optima": "Optima that are known",
    "test_optimal_inputs": "Inputs by optimal control",
    "test_suspension": "Comfort and grip of a suspension",
    "test_warm_storage": "Capacitors and inductors that depend on temperature",
    "test_index": "Index reduction",
    "test_mechanisms": "Mechanisms in Cartesian coordinates",
    "test_slider_crank": "Slider-cranks driven by a motor (Vaze, examples E3, E4 and E5)",
    "test_planar": "Planar mechanisms",
    "test_networks": "Resistor networks",
    "test_blocks": "Signal blocks",
    "test_sampled": "Sampled systems",
    "test_ngspice": "Circuits against ngspice",
    "test_devices": "Semiconductors against ngspice",
    "test_electrical": "Electrical components",
    "test_electrical_sources": "Sources of voltage and current",
    "test_switching_parts": "Electrical switches",
    "test_opamps": "Operational amplifiers",
    "test_rectifiers": "Rectifiers of ideal diodes and thyristors",
    "test_switches": "Switches and pulses",
    "test_diode_networks": "Networks of ideal diodes",
    "test_converters": "Switching converters",
    "test_friction": "Dry friction, brakes and clutches",
    "test_gears": "Gears, belts and levers",
    "test_stops": "Backlash, gaps and end stops",
    "test_drives": "Sources and sensors of motion and force",
    "test_polyphase": "Three phases",
    "test_transformers": "Three-phase transformers",
    "test_grid": "The grid, sensors and switches of three phases",
    "test_power_converters": "Rectifiers, inverters and choppers",
    "test_photovoltaic": "Photovoltaics",
}


def measured() -> list[dict[str, Any]]:
    """Run the tests; all that `within` wrote down."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures"
        environment = {**os.environ, "TELLEGEN_VALIDATION": str(path)}
        folders = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "library" / "test_power_balance.py")]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *folders]
        subprocess.run(command, cwd=ROOT, env=environment, check=False)
        return [json.loads(line) for line in path.read_text().splitlines()]


def worst(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each case and solver: the one nearest to its tolerance."""
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        key = (row["case"], row["solver"])
        if key not in kept or row["error"] / row["tolerance"] > kept[key]["error"] / kept[key]["tolerance"]:
            kept[key] = row
    return list(kept.values())


def table(rows: list[dict[str, Any]]) -> str:
    """The tables, one for each file of tests."""
    text = HEAD
    for module, title in TITLES.items():
        mine = [row for row in rows if row["module"] == module]
        if mine:
            text += f"## {title}\n\n| case | against | solver | error | tolerance |\n|---|---|---|---|---|\n"
            for row in mine:
                figures = f"{row['error']:.1e} | {row['tolerance']:.0e}"
                text += f"| {row['case']} | {row['against']} | {row['solver']} | {figures} |\n"
            text += "\n"
    return text.rstrip() + "\n"


def plots(rows: list[dict[str, Any]]) -> None:
    """The pictures of the page."""
    import matplotlib.pyplot as plt
    import numpy as np

    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    import tellegen as tg
    from validation.test_mechanisms import Pendulum, swing

    PLOTS.mkdir(exist_ok=True)
    s = tg.simulate(Pendulum(), 100.0, rtol=1e-8, points=2001)
    angle, _ = swing(s.time, np.pi / 2, 0.0)
    figure, axes = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
    axes[0].plot(s.time, s["x"], label="x of the index-3 DAE")
    axes[0].plot(s.time, np.sin(angle), "--", label="minimal coordinates, DOP853")
    axes[0].legend(loc="upper right")
    axes[0].set_ylabel("x [m]")
    axes[1].semilogy(s.time, np.abs(s["x"] ** 2 + s["y"] ** 2 - 1.0) + 1e-17)
    axes[1].set_ylabel("|x² + y² - L²| [m²]")
    axes[1].set_xlabel("time [s]")
    figure.savefig(PLOTS / "pendulum.png", dpi=110)
    figure, axis = plt.subplots(figsize=(8, 4), layout="constrained")
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row["module"] == "test_convergence":
            name, rtol = row["case"].split(", rtol = ")
            lines.setdefault(f"{name}, {row['solver']}", []).append((float(rtol), row["error"]))
    for name, points in lines.items():
        axis.loglog(*zip(*sorted(points), strict=True), "o-", label=name)
    axis.set(xlabel="rtol", ylabel="largest error")
    axis.legend()
    figure.savefig(PLOTS / "convergence.png", dpi=110)


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    figures = worst(measured())
    PAGE.write_text(table(figures), encoding="utf-8")
    plots(figures)
