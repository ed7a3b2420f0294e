"""Controllers in C, compiled by the wheel ziglang and run sample by sample."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg

STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")
ZIG = (sys.executable, "-m", "ziglang", "cc")
CORTEX_M = ("-target", "thumb-linux-musleabihf", "-mcpu=cortex_m4")


def compiled(folder: Path, components: Mapping[str, Any]) -> tuple[ctypes.CDLL, dict[str, Any]]:
    """Controllers by name, written to a folder and compiled without a warning."""
    made = {name: tg.write_c(component, folder / f"{name}.c") for name, component in components.items()}
    library = folder / "controllers.so"
    for name in components:
        zig("-O1", "-fPIC", "-c", str(folder / f"{name}.c"), "-o", str(folder / f"{name}.o"))
    objects = [str(folder / f"{name}.o") for name in components]
    linker = ("gcc",) if shutil.which("gcc") is not None else ZIG  # zig makes a C library first, for 20 seconds
    subprocess.run([*linker, "-shared", *objects, "-lm", "-o", str(library)], check=True)
    return ctypes.CDLL(str(library)), made


def zig(*arguments: str) -> None:
    """Run the compiler; a warning is an error."""
    done = subprocess.run([*ZIG, *STRICT, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Running:
    """One controller in C."""

    def __init__(self, library: ctypes.CDLL, made: Any) -> None:
        self.place = {field: k for k, field in enumerate(made.fields)}
        self.numbers = (ctypes.c_double * len(made.fields))()
        self.functions = {what: getattr(library, f"{made.name}_{what}") for what in ("init", "step")}
        self.functions["init"](self.numbers)

    def step(self, inputs: Mapping[str, float], output: str) -> float:
        """The output of one sample."""
        for name, value in inputs.items():
            self.numbers[self.place[f"in.{name}"]] = value
        self.functions["step"](self.numbers)
        return self.numbers[self.place[f"out.{output}"]]


def samples_in_c(library: ctypes.CDLL, made: Any, inputs: Mapping[str, Sequence[float]], output: str) -> list[float]:
    """The outputs for rows of inputs."""
    running = Running(library, made)
    count = len(next(iter(inputs.values())))
    return [running.step({name: row[k] for name, row in inputs.items()}, output) for k in range(count)]


def samples_in_python(component: Any, period: float, inputs: Mapping[str, Sequence[float]], output: str) -> list[float]:
    """The same by a run of the component."""
    count = len(next(iter(inputs.values())))
    edges = [period * (k - 0.5) for k in range(count)]

    def equations(self: Any) -> Any:
        for path, row in inputs.items():
            name, _, element = path.partition("[")
            signal = getattr(self.part, name)
            target = signal[int(element[:-1])] if element else signal
            yield target == tg.interpolate(tg.time, edges, list(row), kind="constant")

    driven = type("Driven", (tg.Component,), {"part": component, "equations": equations})()
    run = tg.simulate(driven, stop=period * (count - 0.5), points=2)
    return run.at([period * (k + 0.25) for k in range(count)])[f"part.{output}"].tolist()


def random_inputs(names: Sequence[str], count: int, seed: int, size: float = 1.0) -> dict[str, list[float]]:
    """Rows of noise."""
    rng = np.random.default_rng(seed)
    return {name: (size * rng.normal(size=count)).tolist() for name in names}
