"""FMUs for Co-Simulation of another program against ours: CPU seconds of the same number of steps by the same caller.

    TELLEGEN_MSL=/path/to/msl python -m benchmarks.fmi.step_speed /path/to/fmi-cross-check/fmus/2.0/cs/linux64

The models are examples of the Modelica Standard Library that MapleSim exported for the cross-check of FMI; ours are
made of the same classes. Then the DC drive, of which there is no other FMU. Steps go through ctypes (fmpy), about a
microsecond of each; the least of five runs counts.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import fmpy
from fmpy.fmi2 import FMU2Slave

import tellegen as tg
from benchmarks.fmi.export_examples import last_component

RUNS = 5


class Case(NamedTuple):
    """A model of the Modelica Standard Library, and how the cross-check runs it."""

    name: str
    model: str
    stop: float
    step: float


CASES = (
    Case("PID_Controller", "Modelica.Blocks.Examples.PID_Controller", 4.0, 1e-2),
    Case("CoupledClutches", "Modelica.Mechanics.Rotational.Examples.CoupledClutches", 1.5, 1e-2),
    Case("CoupledClutches", "Modelica.Mechanics.Rotational.Examples.CoupledClutches", 1.5, 1e-4),
    Case("ControlledTemperature", "Modelica.Thermal.HeatTransfer.Examples.ControlledTemperature", 10.0, 1e-3),
)


def seconds(path: Path, stop: float, step: float) -> float:
    """CPU of all steps of a run."""
    description: Any = fmpy.read_model_description(str(path), validate=False)
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        fmpy.extract(str(path), unzipdir=folder)
        for _ in range(RUNS):
            slave = FMU2Slave(
                guid=description.guid,
                modelIdentifier=description.coSimulation.modelIdentifier,
                unzipDirectory=folder,
                instanceName="one",
            )
            slave.instantiate()
            slave.setupExperiment(startTime=0.0, stopTime=stop)
            slave.enterInitializationMode()
            slave.exitInitializationMode()
            began = time.process_time()
            for k in range(round(stop / step)):
                slave.doStep(k * step, step)
            best = min(best, time.process_time() - began)
            slave.terminate()
            slave.freeInstance()
    return best


def own(model: Any, stop: float, folder: str) -> Path:
    """The model as an FMU."""
    path = Path(folder, "own.fmu")
    tg.export_fmu(model, path, version="2.0", kind=("cs",), stop=stop)
    return path


def main() -> None:
    """The table."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    print(f"{'model':24} {'steps':>6} {'ours':>10}   others")
    with tempfile.TemporaryDirectory() as folder:
        library = tg.load_modelica(
            *(Path(os.environ["TELLEGEN_MSL"], name) for name in ("Modelica", "ModelicaServices", "Complex.mo"))
        )
        for case in CASES:
            mine = seconds(own(library[case.model], case.stop, folder), case.stop, case.step)
            row = f"{case.name:24} {round(case.stop / case.step):6} {1e3 * mine:7.2f} ms"
            for path in sorted(asked.folder.glob(f"MapleSim/*/{case.name}/{case.name}.fmu"))[-2:]:
                theirs = seconds(path, case.stop, case.step)
                row += f"   MapleSim {path.parts[-3]} {1e3 * theirs:7.2f} ms ({theirs / mine:.1f} x)"
            print(row, flush=True)
        for step in (1e-2, 1e-3):
            mine = seconds(own(last_component("dc_drive"), 2.0, folder), 2.0, step)
            print(f"{'DC drive':24} {round(2.0 / step):6} {1e3 * mine:7.2f} ms", flush=True)


if __name__ == "__main__":
    main()
