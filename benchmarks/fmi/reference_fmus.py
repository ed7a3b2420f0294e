"""The Reference FMUs of the Modelica Association in both versions, both kinds.

    python -m benchmarks.fmi.reference_fmus FMUS TABLES

FMUS has the FMUs for this machine as NAME2.fmu and NAME3.fmu, TABLES their published results as NAME/NAME_out.csv.
Co-Simulation is compared with the published results, which the same FMUs computed with the explicit Euler method; Model
Exchange with a run of FMPy with rtol=1e-10, for its results have no error of Euler's, at the times between events (but
for Stair, which counts at the times compared, where FMPy has the value after the event). Deviations are those of the
worst variable that is a number, in parts of its largest value.
"""

from __future__ import annotations

import csv
import sys
import warnings
from pathlib import Path
from typing import Any

import fmpy
import numpy as np

import tellegen as tg

BOTH = ("BouncingBall", "Dahlquist", "Feedthrough", "Resource", "Stair", "VanDerPol")
MODELS = {"2.0": BOTH, "3.0": (*BOTH, "Clocks", "Roberts", "StateSpace")}
KINDS = {"cs": "CoSimulation", "me": "ModelExchange"}
SHORTER = {"Roberts": 100.0}  # its own end, 1e8 s, takes 1e10 steps of Euler's method
WITHOUT_RESULTS = ("Roberts",)  # what is published with it are results of BouncingBall


def published(path: Path) -> dict[str, Any]:
    """The columns of a table that are numbers; arrays are written with spaces."""
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    found: dict[str, Any] = {}
    for k, name in enumerate(rows[0]):
        words = [row[k].replace("true", "1").replace("false", "0").split() for row in rows[1:]]
        try:
            found[name] = np.array([[float(word) for word in each] for each in words])
        except ValueError:  # strings and binaries
            continue
    return found


def run_here(path: Path, kind: str, stop: float, step: float) -> Any:
    """A run, and its class."""
    made = tg.read_fmu(path, kind=kind)  # type: ignore[arg-type]
    given = {"communication_step": step} if kind == "cs" else {}
    return made, tg.simulate(made(**given), stop=stop, rtol=1e-9, points=round(stop / step) + 1)


def deviation(made: Any, solution: Any, reference: dict[str, Any]) -> str:
    """Of the worst variable, and how many there are."""
    quantities = made.fmu.quantities
    listed = (*quantities.states, *quantities.outputs, *quantities.discrete_outputs, *quantities.discrete_inputs)
    worst = 0.0
    count = 0
    times = reference["time"].ravel()
    found = solution.at(np.clip(times, 0.0, solution.time[-1]))
    for each in listed:
        if each.variable.name in reference:
            there = np.asarray(reference[each.variable.name], float)
            names = [f"{each.member}[{k}]" for k in range(each.count)] if each.shape else [each.member]
            here = np.stack([np.asarray(found[name], float) + np.zeros(len(times)) for name in names], axis=1)
            off = np.abs(here - there.reshape(here.shape))
            worst = max(worst, float(off.max()) / max(float(np.abs(there).max()), 1e-9))
            count += 1
    return f"{worst:8.1e} of {count} variables" if count else "no variable in common"


def in_fmpy(path: Path, kind: str, stop: float, step: float) -> dict[str, Any]:
    """The same FMU in FMPy."""
    result = fmpy.simulate_fmu(
        str(path), fmi_type=KINDS[kind], stop_time=stop, output_interval=step, relative_tolerance=1e-10
    )
    names = [name for name in result.dtype.names or () if result[name].dtype.kind in "fiub"]
    steps = result["time"] / step
    kept = np.append(np.diff(result["time"]) > 0.0, True) & (np.abs(steps - np.round(steps)) < 1e-6)
    return {name: result[name][kept].reshape(int(kept.sum()), -1) for name in names}


def line_of(fmus: Path, tables: Path, name: str, version: str, kind: str) -> str:
    """What is known of one FMU."""
    path = fmus / f"{name}{version[0]}.fmu"
    experiment = fmpy.read_model_description(str(path)).defaultExperiment
    stop = float(experiment.stopTime) if experiment is not None and experiment.stopTime else 1.0
    stop = SHORTER.get(name, stop)
    step = float(experiment.stepSize) if experiment is not None and experiment.stepSize else stop / 100.0
    table = tables / name / f"{name}_out.csv"
    try:
        made, solution = run_here(path, kind, stop, step)
        has_results = kind == "cs" and table.exists() and name not in WITHOUT_RESULTS
        reference = published(table) if has_results else in_fmpy(path, kind, stop, step)
        return deviation(made, solution, reference)
    except tg.TellegenError as error:
        return f"{error.code}: {error.message[:90]}"
    except Exception as error:  # FMPy raises plain exceptions
        return f"FMPy: {str(error)[:90]}"


def main() -> None:
    """The table."""
    warnings.simplefilter("ignore")
    fmus = Path(sys.argv[1])
    tables = Path(sys.argv[2])
    for version, names in MODELS.items():
        for name in names:
            for kind in KINDS:
                print(f"FMI {version} {kind} {name:14} {line_of(fmus, tables, name, version, kind)}", flush=True)


if __name__ == "__main__":
    main()
