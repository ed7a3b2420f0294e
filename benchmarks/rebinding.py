"""Binding another implementation to one of many components: how much of a compilation it costs.

A ladder of n branches (interfaces) and n capacitors. The first compilation begins with an empty cache on disk. Then one
branch in the middle is bound to another implementation; both end when a run can begin, so the seconds of the run
itself (a second run of the same model) are taken off. Only what is new is traced and translated: one template more.
What grows with the number of components (connections, numbering, ordering) is done again.

    python benchmarks/rebinding.py [n ...]      (2 n components each)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from _timing import console
from rich.table import Table

import tellegen as tg
from tellegen.library import electrical as el

STOP = 1e-3


class Branch(tg.Interface):
    """A resistor of some kind."""

    p = el.Pin()
    n = el.Pin()
    R = tg.parameter(1.0, "ohm", semantics="resistance")


class Linear(tg.Component, implements=Branch, name="linear", default=True):
    """Ohm's law."""

    def equations(self) -> Iterator[Any]:
        """Voltage and current."""
        yield self.p.v - self.n.v == self.R * self.p.i
        yield self.p.i + self.n.i == 0


class Lamp(tg.Component, implements=Branch, name="lamp"):
    """A filament."""

    def equations(self) -> Iterator[Any]:
        """Voltage and current."""
        yield self.p.v - self.n.v == self.R * (1.0 + 0.1 * self.p.i**2) * self.p.i
        yield self.p.i + self.n.i == 0


def ladder(n: int) -> tg.System:
    """Branches and capacitors, one Python object each."""
    system = tg.System("ladder")
    system.add(source=el.SineVoltage(V=1.0, f=0.05), ground=el.Ground())
    system.connect(system.source.n, system.ground.p)
    previous = system.source.p
    for k in range(n):
        branch = Branch(R=1.0)
        capacitor = el.Capacitor(C=1.0)
        system.add(**{f"r{k}": branch, f"c{k}": capacitor})
        system.connect(previous, branch.p)
        system.connect(branch.n, capacitor.p)
        system.connect(capacitor.n, system.ground.p)
        previous = branch.n
    return system


def coil() -> tg.System:
    """A model without anything of the ladder but its ground."""
    system = tg.System("coil")
    system.add(source=el.ConstantVoltage(V=1.0), coil=el.Inductor(L=1.0), ground=el.Ground())
    system.connect(system.source.n, system.coil.n, system.ground.p)
    system.connect(system.source.p, system.coil.p)
    return system


def until_run(make: Any) -> float:
    """CPU seconds from nothing to a run, less those of the run."""
    begin = time.process_time()
    compiled = tg.compile(make())
    compiled.simulate(stop=STOP)
    ready = time.process_time()
    compiled.simulate(stop=STOP)
    return (ready - begin) - (time.process_time() - ready)


def measured(n: int) -> dict[str, float]:
    """Seconds of the first compilation and of bindings, in this process."""
    tg.compile(coil()).simulate(stop=STOP)  # imports, and what all models share
    system = ladder(n)
    full = until_run(lambda: system)
    bound = min(until_run(lambda k=k: tg.bind(system, {f"r{n // k}": "lamp"})) for k in (2, 3, 5))
    return {"full": full, "bound": bound}


def main() -> None:
    """One process for each size, with a cache of its own."""
    sizes = [int(word) for word in sys.argv[1:]] or [500, 5_000]
    table = Table("components", "first compilation", "one bound again", "share")
    for n in sizes:
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "TELLEGEN_CACHE": cache}
            command = [sys.executable, __file__, "--measure", str(n)]
            text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        found = json.loads(text.splitlines()[-1])
        share = f"{100 * found['bound'] / found['full']:.0f} %"
        table.add_row(str(2 * n), f"{found['full']:.2f} s", f"{found['bound']:.2f} s", share)
    console.print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measured(int(sys.argv[2]))))
    else:
        main()
