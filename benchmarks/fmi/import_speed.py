"""Examples exported and read back for Model Exchange: the time of a run against that of the model itself.

    python -m benchmarks.fmi.import_speed [name ...]

Both have the same solver, tolerance and output times. "long" is a run of many evaluations, where what each costs
counts; "short" is one of the same model over a thousandth of that time, where the start counts. CPU time, the least
of several runs, the two models alternating.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tellegen as tg
from benchmarks.fmi.export_examples import last_component

REPEATS = 7
POINTS = 201
SHORT = 1e-3


@dataclass(frozen=True)
class Run:
    """How an example is run."""

    stop: float
    solver: str
    rtol: float = 1e-8


RUNS = {
    "dc_drive": Run(200.0, "rk45"),
    "bouncing_ball": Run(4.0, "rk45"),
    "buck_converter": Run(0.2, "rk45"),
    "suspension": Run(300.0, "rk45"),
    "clutch_drive_train": Run(20.0, "rk45"),
    "pmsm_drive": Run(2.0, "rk45"),
    "two_tanks": Run(1e5, "rk45"),
    "stick_slip": Run(50.0, "rk45"),
    "heat_rod": Run(1000.0, "cvode", 1e-6),
}


def seconds(model: Any, run: Run, stop: float) -> tuple[float, int]:
    """Of one run, with its number of evaluations."""
    began = time.process_time()
    found = tg.simulate(model, stop=stop, solver=run.solver, rtol=run.rtol, points=POINTS, max_steps=10**9)
    return time.process_time() - began, int(found.stats["rhs_evaluations"])


def line_of(name: str) -> str:
    """What is known of one example."""
    run = RUNS[name]
    own = tg.compile(last_component(name))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.fmu")
        try:
            tg.export_fmu(own, path, stop=run.stop * SHORT, kind=("me",))
        except tg.TellegenError as error:
            return f"{name:20} {error.code}: {str(error).splitlines()[0][:80]}"
        imported = tg.compile(tg.read_fmu(path, kind="me")())
        columns = []
        for stop in (run.stop, SHORT * run.stop):
            pairs = [(seconds(own, run, stop), seconds(imported, run, stop)) for _ in range(REPEATS)]
            least = min(pair[0][0] for pair in pairs), min(pair[1][0] for pair in pairs)
            counts = pairs[0][0][1], pairs[0][1][1]
            columns.append(
                f"{counts[0]:8d} {counts[1]:8d} {1e3 * least[0]:9.3f} {1e3 * least[1]:9.3f} {least[1] / least[0]:6.2f}"
            )
    return f"{name:20} {int(imported.reduced.is_state.sum()):5d} {run.solver:6} {' | '.join(columns)}"


def main() -> None:
    """The table."""
    warnings.simplefilter("ignore")
    half = "   evals      FMU    own ms    FMU ms  ratio"
    print(f"{'example':20} states solver {half} | {half}   (long | short)")
    for name in sys.argv[1:] or RUNS:
        print(line_of(name), flush=True)


if __name__ == "__main__":
    main()
