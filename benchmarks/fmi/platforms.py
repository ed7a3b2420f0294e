"""Exported FMUs on other platforms: the libraries for Linux, ARM and Windows run by an importer in C, digit for digit.

    apt-get install wine64 qemu-user libc6-arm64-cross
    python -m benchmarks.fmi.platforms [example ...]

`importer.c` is compiled by the wheel ziglang for each platform (for Windows this takes two minutes the first time). It
runs under wine and qemu; a platform whose program is missing is left out. Each FMU runs as Co-Simulation and as Model
Exchange; its state is saved by a process halfway, and a new process on every platform continues from there. Libraries
of macOS cannot run here: with the wheel `lief` their exported functions and what they need are listed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from benchmarks.fmi.export_examples import STOPS, last_component
from tellegen.exporters.binaries.link import linker_for
from tellegen.exporters.binaries.platforms import PLATFORMS, Platform
from tellegen.units import parse_unit

EXAMPLES = ("dc_drive", "bouncing_ball", "buck_converter")
STEPS = {"cs": 100, "me": 20_000}
LAUNCHERS: dict[str, tuple[str, ...]] = {
    "linux64": (),
    "linux-aarch64": ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"),
    "win64": ("wine64",),
}
BESIDE_PATH = "/usr/lib/wine"  # where Debian keeps wine64
SECONDS = 300


@dataclass(frozen=True)
class Machine:
    """A platform that can be run here: how programs are started, and the importer."""

    platform: Platform
    launcher: tuple[str, ...]
    importer: Path


@dataclass(frozen=True)
class Exported:
    """An FMU, unpacked."""

    name: str
    stop: float
    fmu: tg.ExportedFmu
    folder: Path
    names: list[str]
    references: list[str]
    reference_run: np.ndarray
    """The values at the end in tg.simulate."""

    def library(self, platform: Platform) -> Path:
        """That of a platform."""
        (found,) = (self.folder / "binaries" / platform.version3).iterdir()
        return found


def machine(platform: Platform, folder: Path) -> Machine | None:
    """The platform, if its programs can be started here."""
    launcher = LAUNCHERS.get(platform.name)
    if launcher is None:
        return None
    if launcher:
        program = shutil.which(launcher[0], path=os.pathsep.join((os.environ["PATH"], BESIDE_PATH)))
        if program is None:
            return None
        launcher = (program, *launcher[1:])
    importer = folder / f"importer-{platform.name}{'.exe' if platform.suffix == '.dll' else ''}"
    source = str(Path(__file__).with_name("importer.c"))
    libraries = [] if platform.suffix == ".dll" else ["-ldl", "-lm"]
    flags = ["-O2", "-g0", "-ffp-contract=off"]
    linker_for(platform).run([*flags, source, *libraries, "-o", str(importer)], str(folder))
    return Machine(platform, launcher, importer)


def exported(name: str, folder: Path) -> Exported:
    """An example as an FMU for all platforms."""
    model = tg.compile(last_component(name))
    stop = STOPS.get(name, 1.0)
    path = folder / f"{name}.fmu"
    fmu = tg.export_fmu(model, path, platforms="all", stop=stop, python=True)
    unpacked = folder / name
    with zipfile.ZipFile(path) as archive:
        archive.extractall(unpacked)
    variables = fmu.description.variables
    states = [
        variables[k] for k in sorted({each.derivative_of for each in variables if each.derivative_of is not None})
    ]
    solution = tg.simulate(model, stop)
    values = np.array([parse_unit(solution.unit(each.name)).to_si(solution[each.name][-1]) for each in states])
    references = [str(each.reference) for each in states]
    return Exported(name, stop, fmu, unpacked, [each.name for each in states], references, values)


def run(on: Machine, fmu: Exported, kind: str, *options: str) -> tuple[np.ndarray, float]:
    """The states at the end, and the seconds that the process took."""
    given = [str(fmu.library(on.platform)), fmu.fmu.description.token, kind, repr(fmu.stop), str(STEPS[kind])]
    environment = {**os.environ, "WINEDEBUG": "-all"}
    began = time.perf_counter()
    done = subprocess.run(
        [*on.launcher, str(on.importer), *given, *options, *fmu.references],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env=environment,
    )
    seconds = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{fmu.name} {kind} on {on.platform.name}: {done.stderr.strip()}")
    reached, *values = (float(line) for line in done.stdout.split())
    assert abs(reached - fmu.stop) <= 1e-12 * fmu.stop, reached
    return np.array(values), seconds


def off(found: np.ndarray, wanted: np.ndarray) -> str:
    """Of the worst state, in parts of the largest; "equal" if all bits are."""
    if np.array_equal(found, wanted):
        return "equal"
    return f"{np.max(np.abs(found - wanted)) / np.max(np.abs(wanted)):.1e}"


def show_runs(fmu: Exported, machines: list[Machine], folder: Path) -> None:
    """The rows of an FMU."""
    for kind in ("cs", "me"):
        first: np.ndarray | None = None
        for on in machines:
            values, seconds = run(on, fmu, kind)
            first = values if first is None else first
            row = f"{fmu.name:15} {kind}  {on.platform.name:14} {fmu.names[0]} = {float(values[0])!r:20}"
            row += f" {off(values, first):>8} {off(values, fmu.reference_run):>8} {seconds:6.2f} s"
            if kind == "cs":
                row += continued(fmu, on, machines, values, folder / f"{fmu.name}-{on.platform.name}.state")
            print(row, flush=True)


def continued(fmu: Exported, on: Machine, machines: list[Machine], values: np.ndarray, state: Path) -> str:
    """A state saved on one platform, taken up by a new process on each."""
    run(on, fmu, "cs", "-save", str(state))
    ends = (f"{each.platform.name} {off(run(each, fmu, 'cs', '-restore', str(state))[0], values)}" for each in machines)
    return f"   continued on {', '.join(ends)}"


def show_libraries(fmu: Exported) -> None:
    """What the libraries of a model export and need."""
    if find_spec("lief") is None:
        print("without the wheel lief libraries are not inspected")
        return
    lief: Any = import_module("lief")
    for platform in PLATFORMS.values():
        library = lief.parse(str(fmu.library(platform)))
        is_mac = platform.suffix == ".dylib"
        exports = [each.name.removeprefix("_") for each in library.exported_functions]
        count = sum(name.startswith("fmi3") for name in exports)
        needed = sorted({each.name.removeprefix("_") for each in library.imported_functions})
        libraries = [each.name if is_mac else each for each in library.libraries]
        print(f"{platform.name:15} {fmu.fmu.sizes[platform.name] / 1000.0:5.0f} kB, {count} functions fmi3...")
        print(f"{'':15} others {[name for name in exports if not name.startswith('fmi3')]}")
        print(f"{'':15} needs {', '.join(needed)} of {', '.join(libraries)}")
        if is_mac:
            least = ".".join(map(str, library.build_version.minos))
            print(f"{'':15} {library.header.cpu_type.name}, macOS {least}, signed: {library.has_code_signature}")


def main() -> None:
    """The tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=EXAMPLES)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        machines = [on for platform in PLATFORMS.values() if (on := machine(platform, folder)) is not None]
        print("example, kind, platform, first state, off linux64, off tg.simulate, process, saved state continued")
        for name in asked.names:
            show_runs(exported(name, folder), machines, folder)
        show_libraries(exported(asked.names[0], folder))


if __name__ == "__main__":
    main()
