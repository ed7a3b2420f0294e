"""Rings of inverters and adders of NAND gates, beside ngspice in the same run: CPU seconds, growth, memory.

    python -m benchmarks.transistors [--rings 11,101,1001] [--bits 1,4,16,64] [--rtol 1e-3] [--points 101] [--limit 900]

Rings are CMOS inverters with a load, without charges of their own and with them, one node held until the run begins;
adders are bipolar (45 transistors a bit). Each circuit and program has its own process. Of ours, `read` is from the
text to the compiled model, `start` a run of no length (the operating point), `run` all of .tran including that and one
curve; of ngspice it is the whole. Machine code comes from the cache, so run it twice. ngspice has its default
tolerances (reltol 1e-3, charges 1e-14 C) and gives its own 59 to 113 points; ours are --rtol and --points. Errors are
the largest deviations of one node, at these points, from ngspice with reltol 1e-6 and 4 000 steps at least, in volts,
for circuits that this does not take minutes for. Memory is the most that a process had which read the circuit and ran
it once; it grows by so many kilobytes for each transistor more than in the smaller circuit. A process of Python, NumPy
and LLVM has 90 MB before it has any.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.table import Table

from benchmarks._timing import console

MOS = "level=1 vto={vto} kp={kp} gamma=0.45 phi=0.7 lambda=0.045 {charges}"
CHARGES = "tox=20n cgso=0.2n cgdo=0.2n cj=0.4m mj=0.5 pb=0.9"
INVERTER = """.subckt inv i o vdd
m1 o i 0 0 nm w=2u l=1u ad=4p as=4p
m2 o i vdd vdd pm w=5u l=1u ad=4p as=4p
c1 o 0 20f
.ends
"""
ADDER = """.subckt nand 1 2 3 4
q1 9 5 1 qmod
d1 0 1 dmod
q2 9 5 2 qmod
d2 0 2 dmod
rb 4 5 4k
r1 4 6 1.6k
q3 6 9 8 qmod
r2 8 0 1k
rc 4 7 130
q4 7 6 10 qmod
dv 10 3 dmod
q5 3 8 0 qmod
.ends
.subckt onebit 1 2 3 4 5 6
x1 1 2 7 6 nand
x2 1 7 8 6 nand
x3 2 7 9 6 nand
x4 8 9 10 6 nand
x5 3 10 11 6 nand
x6 3 11 12 6 nand
x7 10 11 13 6 nand
x8 12 13 4 6 nand
x9 11 7 5 6 nand
.ends
.model dmod d
.model qmod npn(bf=75 rb=100 cje=1pf cjc=3pf)
vcc 99 0 dc 5
"""
_MEMORY = ["/usr/bin/time", "-f", "peak %M"]  # a child of Python's begins with the memory of that
_MOST_FOR_FINE = 60.0  # seconds for a curve that others are compared with


def ring(stages: int, charges: str) -> str:
    """So many inverters, 1 ns of their oscillation."""
    models = (("nm", "nmos", 0.7, "110u"), ("pm", "pmos", -0.7, "50u"))
    head = [f".model {n} {kind}({MOS.format(vto=vto, kp=kp, charges=charges)})" for n, kind, vto, kp in models]
    stages_of = [f"x{k} n{k} n{(k + 1) % stages} vdd inv" for k in range(stages)]
    return "\n".join(["ring", "vdd vdd 0 3.3", *head, INVERTER, *stages_of, ".ic v(n0)=0", ".tran 0.05n 1n", ".end"])


def adder(bits: int) -> str:
    """So many bits, each with pulses of its own, 50 ns."""
    lines = []
    for k in range(bits):
        carry = f"c{k}" if k else "0"
        lines.append(f"va{k} a{k} 0 pulse(0 3 1n 10n 10n 10n {50 * (1 + k % 3)}n)")
        lines.append(f"vb{k} b{k} 0 pulse(0 3 1n 10n 10n 20n {100 * (1 + k % 3)}n)")
        lines.append(f"x{k} a{k} b{k} {carry} s{k} c{k + 1} 99 onebit")
        lines.append(f"rl{k} s{k} 0 1k")
    return "\n".join(["adder", ADDER, *lines, f"rm c{bits} 0 1k", ".tran 1n 50n", ".end"])


@dataclass(frozen=True)
class Cost:
    """CPU seconds, megabytes and the error in volts; NaN where a run came to no end or nobody knows."""

    read: float = math.nan
    start: float = math.nan
    run: float = math.nan
    megabytes: float = math.nan
    error: float = math.nan


@dataclass(frozen=True, eq=False)
class Curve:
    """The potential of a node over time."""

    time: np.ndarray
    value: np.ndarray
    megabytes: float = math.nan  # of the program that computed it

    def distance(self, fine: Curve) -> float:
        """The largest deviation from a fine one, at the points of this one."""
        return float(np.abs(np.interp(self.time, fine.time, fine.value) - self.value).max())


def ours(netlist: Path, watched: str, options: argparse.Namespace) -> Cost:
    """In this process: memory of the first run, times of later ones, whose machine code is there."""
    wanted = {"rtol": options.rtol, "points": options.points}
    import tellegen as tg

    marks = [time.process_time()]
    model = tg.compile(tg.read_spice(netlist))
    marks.append(time.process_time())
    megabytes = math.nan
    for stop in (None, 1e-15, 1e-15, None):
        solution = tg.simulate(model, stop, **wanted)
        curve = Curve(solution.time, solution[f"{watched}.v"])
        marks.append(time.process_time())
        if math.isnan(megabytes):
            megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    read, _, _, start, run = (late - early for early, late in itertools.pairwise(marks))
    fine = fine_curve(netlist, watched)
    error = math.nan if fine is None else curve.distance(fine)
    return Cost(read, start, run, megabytes, error)


def theirs(netlist: Path, limit: float, watched: str) -> Cost:
    """ngspice in batch mode; the process that measures is for this run alone until the cost is taken."""
    found = curve_of_ngspice(netlist, limit, watched)
    if found is None:
        return Cost()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    fine = fine_curve(netlist, watched)
    error = math.nan if fine is None else found.distance(fine)
    return Cost(0.0, math.nan, used.ru_utime + used.ru_stime, found.megabytes, error)


def fine_curve(netlist: Path, watched: str) -> Curve | None:
    """By ngspice with small tolerances and steps; None where it takes too long."""
    text = netlist.read_text()
    stop = re.search(r"\.tran \S+ (\d+)n", text)
    assert stop is not None
    step = f"{float(stop[1]) / 4:g}p"
    text = text.replace(stop[0], f".options reltol=1e-6 abstol=1e-15 vntol=1e-9\n.tran {step} {stop[1]}n 0 {step}")
    with tempfile.TemporaryDirectory() as folder:
        fine = Path(folder, "fine.cir")
        fine.write_text(text)
        return curve_of_ngspice(fine, _MOST_FOR_FINE, watched)


def curve_of_ngspice(netlist: Path, limit: float, watched: str) -> Curve | None:
    """A node's potential by ngspice in batch mode; None where it takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder, "out.raw")
        try:
            command = [*_MEMORY, "ngspice", "-b", "-r", str(raw), str(netlist)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return None
        head, body = raw.read_bytes().split(b"Binary:\n", 1)
    names = re.findall(r"^\s+\d+\s+(\S+)", head.decode().split("Variables:\n")[1], re.MULTILINE)
    values = np.frombuffer(body, float).reshape(-1, len(names))
    kilobytes = re.search(r"peak (\d+)$", done.stderr.rstrip())
    megabytes = float(kilobytes[1]) / 1024.0 if kilobytes else math.nan
    return Curve(values[:, 0], values[:, names.index(f"v({watched})")], megabytes)


def measured(who: str, netlist: Path, watched: str, options: argparse.Namespace) -> Cost:
    """One program and circuit in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.transistors", "--one", who, str(netlist), watched]
    command += ["--rtol", str(options.rtol), "--points", str(options.points)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
        return Cost(*json.loads(done.stdout.splitlines()[-1]))
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return Cost()


@dataclass(frozen=True)
class Family:
    """Circuits of one kind in growing numbers, and the node whose potential is compared."""

    name: str
    watched: str
    transistors: int  # of one stage or bit
    members: dict[int, str]


def families(options: argparse.Namespace) -> Iterator[Family]:
    """All that are measured."""
    rings = [int(n) for n in options.rings.split(",") if n]
    bits = [int(n) for n in options.bits.split(",") if n]
    yield Family("ring", "n1", 2, {n: ring(n, "") for n in rings})
    yield Family("ring with charges", "n1", 2, {n: ring(n, CHARGES) for n in rings})
    yield Family("adder, bits", "c1", 45, {n: adder(n) for n in bits})


@dataclass(frozen=True)
class Row:
    """A circuit in both programs."""

    transistors: int
    ours: Cost
    theirs: Cost

    def numbers(self, before: Row | None) -> tuple[float, ...]:
        """As in the table; growth is from the smaller circuit before it."""
        own = self.ours
        other = self.theirs
        costs = (own.read, own.start, own.run, *self._growth(before), other.run, own.run / (other.run or math.nan))
        return (*costs, own.megabytes, other.megabytes, *self._memory(before), own.error, other.error)

    def _growth(self, before: Row | None) -> tuple[float, float]:
        """The exponents of run times, ours and ngspice's."""
        if before is None:
            return math.nan, math.nan
        more = math.log(self.transistors / before.transistors)
        pairs = ((self.ours, before.ours), (self.theirs, before.theirs))
        own, other = (math.log(late.run / early.run) / more for late, early in pairs)
        return own, other

    def _memory(self, before: Row | None) -> tuple[float, float]:
        """Kilobytes of a transistor, ours and ngspice's."""
        if before is None:
            return math.nan, math.nan
        more = self.transistors - before.transistors
        pairs = ((self.ours, before.ours), (self.theirs, before.theirs))
        own, other = (1024.0 * (late.megabytes - early.megabytes) / more for late, early in pairs)
        return own, other


def main() -> None:
    """A table with a row for each circuit, and the growth exponent of its run from the smaller one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rings", default="11,101,1001")
    parser.add_argument("--bits", default="1,4,16,64")
    parser.add_argument("--rtol", type=float, default=1e-3)
    parser.add_argument("--points", type=int, default=101)
    parser.add_argument("--limit", type=float, default=900.0)
    parser.add_argument("--one", nargs=3, metavar=("WHO", "NETLIST", "NODE"), help="one measurement, as JSON")
    options = parser.parse_args()
    if options.one:
        who, path, watched = options.one
        netlist = Path(path)
        found = ours(netlist, watched, options) if who == "ours" else theirs(netlist, options.limit, watched)
        print(json.dumps(list(vars(found).values())))
        return
    both = ("MB", "ngspice MB", "kB each", "ngspice kB", "error", "ngspice error")
    table = Table("circuit", "n", "read", "start", "run", "growth", "ngspice growth", "ngspice", "ratio", *both)
    with tempfile.TemporaryDirectory() as folder:
        for family in families(options):
            before: Row | None = None
            for count, text in family.members.items():
                netlist = Path(folder, "circuit.cir")
                netlist.write_text(text)
                own, other = (measured(who, netlist, family.watched, options) for who in ("ours", "ngspice"))
                row = Row(count * family.transistors, own, other)
                cells = [family.name, str(count), *(f"{value:.3g}" for value in row.numbers(before))]
                before = row
                table.add_row(*cells)
                print(*cells, file=sys.stderr)  # the last ones may take minutes
    console.print(table)


if __name__ == "__main__":
    main()
