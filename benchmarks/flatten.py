"""How building and flattening grow with the size of a model.

An RC ladder of n resistors and n capacitors, from component objects and from component arrays. Prints seconds (the
best of several runs; machines are noisy), peak memory and the exponent of growth between neighbouring sizes.

    python benchmarks/flatten.py [largest n of objects] [largest n of arrays]
"""

from __future__ import annotations

import gc
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.stages import build_model


def from_objects(n: int) -> Any:
    """The ladder, one Python object for each component."""
    system = tg.System("ladder")
    system.add(source=el.SineVoltage(V=1.0, f=0.05), ground=el.Ground())
    system.connect(system.source.n, system.ground.p)
    ground = system.ground.p
    previous = system.source.p
    for k in range(n):
        resistor = el.Resistor(R=1.0)
        capacitor = el.Capacitor(C=1.0)
        system.add(**{f"r{k}": resistor, f"c{k}": capacitor})
        system.connect(previous, resistor.p)
        system.connect(resistor.n, capacitor.p)
        system.connect(capacitor.n, ground)
        previous = resistor.n
    return system


class ArrayLadder(tg.Component):
    """The ladder from two arrays of components."""

    n = tg.parameter(10, structural=True)
    source = el.SineVoltage(V=1.0, f=0.05)
    ground = el.Ground()
    r = el.Resistor.array(n, R=1.0)
    c = el.Capacitor.array(n, C=1.0)

    def connections(self) -> Any:
        """The same topology, slice by slice."""
        yield self.source.p, self.r[0].p
        yield self.r.n[:-1], self.r.p[1:]
        yield self.r.n, self.c.p
        yield self.c.n, self.ground.p
        yield self.source.n, self.ground.p


def from_arrays(n: int) -> Any:
    """The ladder from arrays."""
    return ArrayLadder(n=n)


MAKERS: dict[str, Callable[[int], Any]] = {"objects": from_objects, "arrays": from_arrays}


def measure(maker: str, n: int) -> tuple[float, float, int, int]:
    """Seconds to build, seconds to freeze and flatten, tracings, variables."""
    gc.collect()
    begin = time.perf_counter()
    component = MAKERS[maker](n)
    built = time.perf_counter()
    model = build_model(component)
    flat = tg.flatten(model)
    return built - begin, time.perf_counter() - built, model.traced, flat.variables.count


def peak_memory(maker: str, n: int) -> float:
    """Peak resident memory in MB of a process that does one run, over that of one that only imports."""
    code = "import flatten; flatten.measure({!r}, {}); print(flatten.own_peak())"
    position = Path(__file__).resolve().parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(position), str(position.parent)])}
    sizes = []
    for size in (2, n):
        command = [sys.executable, "-c", code.format(maker, size)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
        sizes.append(float(done.stdout))
    return sizes[1] - sizes[0]


def own_peak() -> float:
    """Peak resident memory of this process in MB. (getrusage would report the parent's, carried over by fork.)"""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def main() -> None:
    """Print the table."""
    largest = [int(argument) for argument in sys.argv[1:]] + [100_000, 1_000_000][len(sys.argv) - 1 :]
    table = Table("from", "n", "build s", "flatten s", "total s", "exponent", "peak MB", "tracings", "variables")
    for maker, limit in zip(MAKERS, largest, strict=True):
        previous: tuple[int, float] | None = None
        for n in (1_000, 20_000, 100_000, 1_000_000):
            if n > limit:
                continue
            runs = [measure(maker, n) for _ in range(5 if n <= 20_000 else 3)]
            build, flat, traced, variables = min(runs, key=lambda run: run[0] + run[1])
            total = build + flat
            exponent = "" if previous is None else f"{math.log(total / previous[1]) / math.log(n / previous[0]):.2f}"
            previous = (n, total)
            row = [maker, f"{n:,}", f"{build:.3f}", f"{flat:.3f}", f"{total:.3f}", exponent]
            table.add_row(*row, f"{peak_memory(maker, n):.0f}", str(traced), f"{variables:,}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
