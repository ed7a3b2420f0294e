"""Examples exported and read back for Model Exchange: the time of a run against that of the model itself.

    python -m benchmarks.fmi.import_speed [name ...]

Both have the same solver, tolerances (one absolute tolerance for all states, for what is known of sizes of variables
is lost in an FMU) and output times. "long" is a run of many evaluations (the ball keeps almost all of its speed, and
bounces a thousand times), where what each evaluation and event costs counts; "short" is one of the same model over a
thousandth of that time, where the start counts. CPU time, the least of several runs, the
two models alternating. "off" is by how much the states of the FMU's run differ from the model's own, at the output
times of the long run, in parts of the largest value of each; at instants where a state jumps either side is right:
the five largest differences are left out.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from benchmarks.fmi.export_examples import LEFT_OUT, last_component
from tellegen.units import parse_unit

REPEATS = 7
POINTS = 201
SHORT = 1e-3


@dataclass(frozen=True)
class Run:
    """How an example is run, and how long the trial run of its export is."""

    stop: float
    solver: str
    rtol: float = 1e-8
    atol: float = 1e-10
    trial: float = 0.01  # of the stop time
    parameters: Mapping[str, float] = field(default_factory=dict)


RUNS = {
    "dc_drive": Run(2000.0, "rk45"),
    "bouncing_ball": Run(1000.0, "rk45", trial=0.002, parameters={"e": 0.9999}),
    "buck_converter": Run(0.2, "rk45"),
    "suspension": Run(3000.0, "rk45"),
    "clutch_drive_train": Run(20.0, "rk45", 1e-6, 1e-7, trial=1.0),
    "pmsm_drive": Run(2.0, "rk45"),
    "two_tanks": Run(1e5, "rk45"),
    "stick_slip": Run(50.0, "rk45"),
}


@dataclass(frozen=True)
class Ran:
    """A run: its CPU seconds and result."""

    seconds: float
    solution: Any

    @property
    def evaluations(self) -> int:
        """How often the right-hand side was asked for."""
        return int(self.solution.stats["rhs_evaluations"])


def ran(model: Any, run: Run, stop: float) -> Ran:
    """One run."""
    began = time.process_time()
    times = np.linspace(0.0, stop, POINTS)
    found = tg.simulate(
        model,
        stop=stop,
        solver=run.solver,
        parameters=run.parameters,
        rtol=run.rtol,
        atol=run.atol,
        points=times,
        max_steps=10**7,
    )
    return Ran(time.process_time() - began, found)


def sampled(solution: Any, name: str, times: np.ndarray) -> np.ndarray:
    """A variable at output times, after what happens there, in SI units."""
    unit = parse_unit(solution.unit(name) or "1")
    values = unit.scale * np.asarray(solution[name]) + unit.offset
    return values[np.searchsorted(solution.time, times, side="right") - 1]


def deviation(own: Any, imported: Any, states: list[tuple[str, str]]) -> float:
    """Of the states of two runs, by their names in each."""
    if not (own.success and imported.success):
        return float("nan")
    times = np.linspace(own.time[0], own.time[-1], POINTS)
    worst = 0.0
    for name, there in states:
        mine = sampled(own, name, times)
        off = np.sort(np.abs(mine - sampled(imported, there, times)))[:-LEFT_OUT]
        worst = max(worst, float(off[-1]) / max(float(np.abs(mine).max()), 1e-3))
    return worst


def line_of(name: str) -> str:
    """What is known of one example."""
    run = RUNS[name]
    own = tg.compile(last_component(name))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.fmu")
        try:
            tg.export_fmu(own, path, stop=run.stop * run.trial, rtol=1e-6, kind=("me",), arrays=False)
        except tg.TellegenError as error:
            return f"{name:20} {error.code}: {str(error).splitlines()[0][:80]}"
        read = tg.read_fmu(path, kind="me")
        states = [(each.variable.name, each.member) for each in read.fmu.quantities.states]
        imported = tg.compile(read())
        columns = []
        off = float("nan")
        for stop in (run.stop, SHORT * run.stop):
            pairs = [(ran(own, run, stop), ran(imported, run, stop)) for _ in range(REPEATS)]
            least = min(pair[0].seconds for pair in pairs), min(pair[1].seconds for pair in pairs)
            counts = pairs[0][0].evaluations, pairs[0][1].evaluations
            columns.append(
                f"{counts[0]:8d} {counts[1]:8d} {1e3 * least[0]:9.3f} {1e3 * least[1]:9.3f} {least[1] / least[0]:6.2f}"
            )
            if stop == run.stop:
                off = deviation(pairs[0][0].solution, pairs[0][1].solution, states)
    return f"{name:20} {len(states):5d} {run.solver:6} {' | '.join(columns)} {off:8.1e}"


def main() -> None:
    """The table."""
    warnings.simplefilter("ignore")
    half = "   evals      FMU    own ms    FMU ms  ratio"
    print(f"{'example':20} states solver {half} | {half}   (long | short)      off")
    for name in sys.argv[1:] or RUNS:
        print(line_of(name), flush=True)


if __name__ == "__main__":
    main()
