"""Exported FMUs in ecos and in libcosim (with Modelon's FMI Library), frameworks in C++, against tg.simulate.

    apt-get install libtbb12; pip install ecospy libcosimpy
    python -m benchmarks.fmi.other_importers [example ...]

Deviations are those of the worst state at the end, in parts of the largest.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from benchmarks.fmi.export_examples import STOPS, last_component
from tellegen.units import parse_unit

EXAMPLES = ("dc_drive", "bouncing_ball", "buck_converter")
STEPS = 100


def in_ecos(path: Path, names: list[str], stop: float) -> np.ndarray:
    """Values at the end of a run of an FMU in ecos."""
    ecos: Any = import_module("ecospy")
    with ecos.EcosSimulationStructure() as structure:
        structure.add_model("model", str(path))
        with ecos.EcosSimulation(structure=structure, step_size=stop / STEPS) as simulation:
            simulation.init()
            simulation.step(STEPS)
            assert abs(simulation.get_time() - stop) < 1e-9 * stop
            values = np.array([simulation.get_real(f"model::{name}") for name in names])
            simulation.terminate()
            return values


def in_libcosim(path: Path, variables: list[Any], stop: float) -> np.ndarray:
    """The same in libcosim, whose times are integers: nanoseconds."""
    execution: Any = import_module("libcosimpy.CosimExecution").CosimExecution
    slave: Any = import_module("libcosimpy.CosimSlave").CosimLocalSlave
    observer: Any = import_module("libcosimpy.CosimObserver").CosimObserver.create_last_value()
    run = execution.from_step_size(step_size=round(stop / STEPS * 1e9))
    number = run.add_local_slave(local_slave=slave(fmu_path=str(path), instance_name="one"))
    run.add_observer(observer)
    run.simulate_until(target_time=round(stop * 1e9))
    references = [each.reference for each in variables]
    return np.array(observer.last_real_values(slave_index=number, variable_references=references))


def show(name: str, folder: Path) -> None:
    """The rows of an example."""
    model = tg.compile(last_component(name))
    stop = STOPS[name]
    solution = tg.simulate(model, stop)
    for version in ("2.0", "3.0"):
        fmu = tg.export_fmu(model, folder / f"{name}{version[0]}.fmu", version=version, stop=stop)
        variables = fmu.description.variables
        places = {each.derivative_of for each in variables if each.derivative_of is not None}
        names = [variables[k].name for k in sorted(places)]
        wanted = np.array([parse_unit(solution.unit(each)).to_si(solution[each][-1]) for each in names])
        importers = {"ecos": lambda: in_ecos(fmu.path, names, stop)}  # noqa: B023  # called at once
        if version == "2.0":
            states = [variables[k] for k in sorted(places)]
            importers["libcosim"] = lambda: in_libcosim(fmu.path, states, stop)  # noqa: B023
        for importer, run in importers.items():
            began = time.perf_counter()
            found = run()
            seconds = time.perf_counter() - began
            off = np.max(np.abs(found - wanted)) / np.max(np.abs(wanted))
            what = f"{names[0]} = {float(found[0])!r:20} {off:8.1e} off {seconds:6.2f} s"
            print(f"{name:15} FMI {version} {importer:9} {what}", flush=True)


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=EXAMPLES)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.names:
            show(name, Path(folder))


if __name__ == "__main__":
    main()
