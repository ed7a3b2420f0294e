"""Binding another implementation to one of many components: how much of a full compilation it costs.

A ladder of n branches (interfaces) and n capacitors, one branch of which is a lamp. Measured is the CPU time until a
run can begin (the seconds of the run itself, a second run of the same model, are taken off):

    full     the system is built, bound and compiled by a process that has never seen it, with an empty cache of
             machine code on disk and again with the objects of the first one; of that, building the system
    bound    the system exists and was compiled before; one branch in the middle is bound to the lamp

The copy is frozen by the branch that was bound, and one template more is translated. What grows with the number of
components (numbering, ordering) is done again; it is array code, and most of the rest.

    python benchmarks/rebinding.py [n ...]      (2 n components each)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from _timing import console
from rich.table import Table

import tellegen as tg
from tellegen.compile import import_stages
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


def until_run(make: Callable[[], tg.Component]) -> float:
    """CPU seconds from nothing to a run, less those of the run."""
    begin = time.process_time()
    compiled = tg.compile(make())
    compiled.simulate(stop=STOP, points=2)
    ready = time.process_time()
    compiled.simulate(stop=STOP, points=2)
    return (ready - begin) - (time.process_time() - ready)


def with_lamp(system: tg.System, n: int) -> tg.Component:
    """The system with a lamp as branch number n."""
    return tg.bind(system, {f"r{n}": "lamp"})


def measured(n: int) -> dict[str, float]:
    """Seconds of a full compilation and of bindings, in this process."""
    import_stages()  # so that nothing compiled is taken from disk: only machine code is
    tg.compile(coil()).simulate(stop=STOP)  # what all models share
    begin = time.process_time()
    system = ladder(n)
    built = time.process_time() - begin
    full = built + until_run(lambda: with_lamp(system, n // 7))
    tg.compile(system).simulate(stop=STOP, points=2)
    bound = min(until_run(lambda k=k: with_lamp(system, n // k)) for k in (2, 3, 5, 6))
    return {"built": built, "full": full, "bound": bound}


def in_process(n: int, cache: str) -> dict[str, float]:
    """The same in a process of its own, with this folder for machine code."""
    environment = {**os.environ, "TELLEGEN_CACHE": cache}
    command = [sys.executable, __file__, "--measure", str(n)]
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return json.loads(text.splitlines()[-1])


def main() -> None:
    """One process for each size and state of the cache."""
    sizes = [int(word) for word in sys.argv[1:]] or [500, 5_000]
    table = Table("components", "objects on disk", "full", "of it building", "bound again", "share")
    for n in sizes:
        with tempfile.TemporaryDirectory() as cache:
            first = in_process(n, cache)
            later = [in_process(n, cache) for _ in range(3)]
        best = {key: min(found[key] for found in later) for key in first}
        bound = min(first["bound"], best["bound"])
        for label, found in (("none", first), ("kept", best)):
            share = f"{100 * bound / found['full']:.0f} %"
            columns = (found["full"], found["built"], bound)
            table.add_row(str(2 * n), label, *(f"{value:.3f} s" for value in columns), share)
    console.print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measured(int(sys.argv[2]))))
    else:
        main()
