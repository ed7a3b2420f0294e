"""Every example as an FMU: exported, validated, run by fmpy both ways and compared with tg.simulate.

    python benchmarks/fmi/export_examples.py [--version 2.0] [name ...]

The last component class of each file that can be made without arguments is taken. Each has a process of its own.
Deviations from a run with rtol=1e-9 are those of the worst state at 100 equally spaced times, in parts of its largest
value, or of 1e-3 (in SI units) where that is smaller: symmetric mechanisms have states that are roundings about zero.
fmpy takes the tolerance and the output interval that the FMU proposes. "own" are runs here with rtol=1e-6, with the
solver that tg.simulate chooses and with CVODE: what CVODE adds to the equations of the model itself. At instants where
a state jumps either side counts as right: the five largest deviations are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import shlex
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.units import parse_unit

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
STOPS = {"bouncing_ball": 3.0, "buck_converter": 0.02, "dc_drive": 2.0, "rectifier": 0.06, "heat_rod": 100.0}
STOPS |= {"motor_heat": 4.0, "grid_inverter": 0.3, "two_tanks": 600.0, "hydraulic_servo": 5.0, "stick_slip": 5.0}
STOPS |= {
    "thermostat_house": 86400.0,
    "cascade_drive": 0.2,
    "generator_short_circuit": 0.5,
    "six_pulse_rectifier": 0.06,
    "squeezing_mechanism": 0.03,
    "filter_design": 0.02,
    "gear_ratio": 5.0,
    "dog_clutch": 2.0,
    "pneumatic_cylinder": 4.5,
    "heat_pump": 86400.0,
    "grid_feeder": 86400.0,
    "tolerance_study": 0.002,
}
MODELS = {"fmu_controller": "Controller", "car": "car_on_the_bump", "many_parameters": "wall"}
"""What the model is called where it is not the last class."""
SECONDS = 90  # of CPU
LEFT_OUT = 5
FEW = 20
SMALL = 1e-3


def loaded(name: str) -> Any:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(EXAMPLES))
    spec.loader.exec_module(module)
    return module


def last_component(name: str) -> Any:
    """The model of an example; None where there is none."""
    module = loaded(name)
    if name in MODELS:
        return getattr(module, MODELS[name])()
    classes = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, tg.Component)]
    own = [each for each in classes if each.__module__ == name]
    return own[-1]() if own else None


def column(found: Any, name: str) -> Any:
    """A variable, or an element of one that is an array in the FMU."""
    if name in found.dtype.names:
        return found[name]
    whole, _, index = name.rstrip("]").rpartition("[")
    return found[whole][(slice(None), *map(int, index.split(",")))]


@dataclass(frozen=True)
class Reference:
    """The states of a model that are compared, as accurately as they can be had."""

    solution: tg.Solution
    names: list[str]
    stop: float

    def deviation(self, times: Any, values: Callable[[str], Any]) -> float:
        """Of the worst state in SI units, but for a few rows."""
        worst = 0.0
        step = self.stop / 100.0
        rows = np.append(np.diff(times) > 0.0, True) & (np.abs(times / step - np.round(times / step)) < 1e-6)
        there = self.solution.at(np.minimum(times[rows], self.solution.time[-1]))
        for name in self.names:
            here = parse_unit(self.solution.unit(name)).to_si(there[name])
            off = np.sort(np.abs(values(name)[rows] - here))
            off = off[: max(len(off) - LEFT_OUT, 1)]
            worst = max(worst, float(off.max()) / max(float(np.abs(here).max()), SMALL))
        return worst

    def of_run(self, solution: tg.Solution) -> float:
        """The deviation of a run here."""
        times = np.linspace(0.0, self.stop, 101)
        found = solution.at(np.minimum(times, solution.time[-1]))
        return self.deviation(times, lambda name: parse_unit(solution.unit(name)).to_si(found[name]))


def compared(model: Any, description: Any) -> list[str]:
    """The states as the model has them at first; the first variables where it has none."""
    reduced = model.reduced
    variables = {each.name for each in description.variables if each.base == "Float64"}
    states = [variable_text(reduced, int(v)) for v in reduced.unknowns[reduced.is_state]]
    continuous = [each.name for each in description.variables if each.variability in (None, "continuous")]
    known = set(reduced.flat.variables.names())
    names = [name for name in states if name in variables or name.rpartition("[")[0] in variables]
    return names or [name for name in continuous if name in known][:FEW]


def tight_run(compiled: Any, stop: float, initial: Any) -> Any:
    """A run to compare with; without states IDA may find no step that small, and instants are solved one by one."""
    try:
        return tg.simulate(compiled, stop, points=101, initial=initial, rtol=1e-9)
    except tg.TellegenError:
        if compiled.reduced.is_state.any():
            raise
        return tg.simulate(compiled, stop, points=101, initial=initial, rtol=1e-9, solver="rk45")


def line_of(name: str, version: str) -> str:
    """What is known of one example."""
    import fmpy
    from fmpy.validation import validate_fmu

    warnings.simplefilter("ignore")
    component = last_component(name)
    if component is None:
        return f"{name:26} no component"
    compiled = tg.compile(component)
    starts = getattr(sys.modules[name], "start_values", None)
    initial = starts() if starts is not None else None
    stop = STOPS.get(name, compiled.flat.experiment.stop or 1.0)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model.fmu"))
        try:
            exported = tg.export_fmu(compiled, path, version=version, stop=stop, initial=initial, python=True)
        except tg.TellegenError as error:
            return f"{name:26} {error.code}: {str(error).splitlines()[0][:90]}"
        seconds = time.process_time() - began
        problems = validate_fmu(path)
        names = compared(compiled, exported.description)
        tight = tight_run(compiled, stop, initial)
        reference = Reference(tight, names, stop)
        columns = []
        variables = {each.name for each in exported.description.variables}
        output = list(dict.fromkeys(name if name in variables else name.rpartition("[")[0] for name in names))
        for kind in ("CoSimulation", "ModelExchange"):
            ran = time.process_time()
            try:
                found = fmpy.simulate_fmu(
                    path, fmi_type=kind, stop_time=stop, output_interval=stop / 500, output=output
                )
                off = f"{reference.deviation(found['time'], partial(column, found)):9.1e}"
            except Exception:  # FMPy raises nothing more special
                off = "    fails"
            columns.append(f"{off} {time.process_time() - ran:7.2f} s")
        for solver in ("auto", "cvode"):
            try:
                own = tg.simulate(compiled, stop, points=101, initial=initial, rtol=1e-6, solver=solver)
                columns.append(f"{reference.of_run(own):9.1e}")
            except tg.TellegenError as error:
                columns.append(f"{error.code:>9}")
        size = next(iter(exported.sizes.values())) / 1000.0
        verdict = "valid" if not problems else f"PROBLEMS {problems[0][:60]}"
        return f"{name:26} {exported.solver:6} {size:6.0f} kB {seconds:6.2f} s {' '.join(columns)}  {verdict}"


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--version", default="3.0")
    parser.add_argument("--one", action="store_true", help="in this process")
    asked = parser.parse_args()
    if asked.one:
        print(line_of(asked.names[0], asked.version), flush=True)
        return
    print(f"{'example':26} solver  library  export   CS: off, time     ME: off, time      own: off, CVODE")
    for name in asked.names or sorted(path.stem for path in EXAMPLES.glob("*.py")):
        command = shlex.join([sys.executable, __file__, name, "--one", "--version", asked.version])
        limited = ["bash", "-c", f"ulimit -t {SECONDS}; exec {command}"]
        done = subprocess.run(limited, capture_output=True, text=True, check=False)
        last = (done.stderr.strip().splitlines() or [f"no end after {SECONDS} s"])[-1]
        print(done.stdout.strip().splitlines()[-1] if done.stdout.strip() else f"{name:26} FAILED {last[:90]}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
