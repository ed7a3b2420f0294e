"""Stiff models with events: CVODE, Rodas and the automatic choice, by CPU time and error at equal tolerance.

CVODE begins with tiny steps of order one after every event, Rodas with long ones of order five; but a step of Rodas
costs about five of CVODE's. The table says which is better where; "per event" are steps from event to event. The
rule of the automatic choice (engine/integrators/solver_fallback.py) rests on it.

Errors are those of the worst state at the output times: the root mean square relative to its largest value, against
a run with rtol = 1e-10. CPU times are minima of three runs in turns, without compilation. A dash: the run fails.

    python benchmarks/stiff_events.py [name ...]
"""

from __future__ import annotations

import importlib
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from _timing import cheapest, show

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

SOLVERS = ("cvode", "rodas", "auto")
TOLERANCES = (1e-5, 1e-6, 1e-8)
REFERENCE = 1e-10
RUNS = 3


@dataclass(frozen=True)
class Case:
    """A model of an example, and a run of it."""

    example: str
    model: str
    stop: float
    points: int
    parameters: dict[str, Any] = field(default_factory=dict)

    def compiled(self) -> Any:
        """The model."""
        return tg.compile(getattr(importlib.import_module(self.example), self.model)())


CASES = {
    "buck converter": Case("buck_converter", "Buck", 10e-3, 2001, {"load.R": 100.0}),
    "six-pulse rectifier": Case("six_pulse_rectifier", "Rectifier", 0.1, 2001),
    "rectifier, weak grid": Case("six_pulse_rectifier", "Rectifier", 0.1, 2001, {"grid.S_sc": 1e5}),
    "photovoltaic plant": Case("photovoltaic", "Plant", 10.0, 2001),
    "thermostats": Case("thermostat_house", "House", 72.0 * 3600.0, 2001),
    "encoder": Case("encoder_velocity", "fast", 5.0, 1001),
    "solenoid valve": Case("solenoid_valve", "Valve", 0.12, 1201),
    "magnetic actuator": Case("magnetic_actuator", "Actuator", 4.5, 2251),
    "hydraulic servo": Case("hydraulic_servo", "Servo", 5.0, 2001),
    "stick-slip": Case("stick_slip", "Belt", 5.0, 1001),
}


def run(compiled: Any, case: Case, solver: str, rtol: float) -> Any:
    """A solution."""
    return compiled.simulate(
        case.stop, solver=solver, rtol=rtol, points=case.points, parameters=case.parameters, throw=False
    )


def unknowns_at(solution: Any, times: Any) -> Any:
    """The unknowns at output times, after what happens there."""
    return solution.unknowns[solution.time.searchsorted(times, side="right") - 1]


def error(solution: Any, reference: Any, times: Any, is_state: Any) -> float:
    """Of the worst state."""
    exact = unknowns_at(reference, times)[:, is_state]
    mean_square = ((unknowns_at(solution, times)[:, is_state] - exact) ** 2).mean(axis=0)
    return float((np.sqrt(mean_square) / np.maximum(np.abs(exact).max(axis=0), 1e-12)).max())


def measure(name: str, case: Case) -> list[list[str]]:
    """Rows of the table."""
    compiled = case.compiled()
    times = np.linspace(0.0, case.stop, case.points)
    candidates = (run(compiled, case, solver, REFERENCE) for solver in ("rodas", "cvode"))
    reference = next(solution for solution in candidates if solution.success)
    rows = []
    for rtol in TOLERANCES:
        spent = cheapest({solver: lambda s=solver, r=rtol: run(compiled, case, s, r) for solver in SOLVERS}, RUNS)
        for solver in SOLVERS:
            solution = run(compiled, case, solver, rtol)
            events = solution.stats["events"]
            figures = ["-"] * 4
            if solution.success:
                steps = solution.stats["steps"]
                figures = [f"{1e3 * spent[solver]:.1f} ms", str(steps), f"{steps / max(events, 1):.0f}"]
                figures.append(f"{error(solution, reference, times, compiled.reduced.is_state):.1e}")
            rows.append([name, f"{rtol:g}", solver, solution.stats["solver"], str(events), *figures])
    return rows


def main(names: list[str]) -> None:
    """Print the table."""
    rows = [row for name in names or CASES for row in measure(name, CASES[name])]
    show(
        "Stiff models with events",
        ("model", "rtol", "solver", "ends", "events", "CPU", "steps", "per event", "error"),
        rows,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
