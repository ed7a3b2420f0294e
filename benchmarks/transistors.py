"""Rings of inverters and adders of NAND gates, beside ngspice in the same run: CPU seconds, growth, memory.

    python -m benchmarks.transistors [--rings 11,101,1001] [--bits 1,4] [--rtol 1e-3] [--limit 300]

Rings are CMOS inverters with a load, without charges of their own and with them, one node held until the run begins;
adders are bipolar (45 transistors a bit). Each circuit and program has its own process. Of ours, `read` is from the
text to the compiled model, `start` a run of no length (the operating point), `run` all of .tran including that; of
ngspice it is the whole. ngspice has its default tolerances (reltol 1e-3, charges 1e-14 C), ours is --rtol.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
    """CPU seconds and megabytes; NaN where a run came to no end."""

    read: float
    start: float
    run: float
    megabytes: float


def ours(netlist: Path, rtol: float) -> Cost:
    """In this process; the second of two runs, whose machine code is there."""
    import tellegen as tg

    marks = [time.process_time()]
    model = tg.compile(tg.read_spice(netlist))
    marks.append(time.process_time())
    tg.simulate(model, 1e-15, rtol=rtol)
    marks.append(time.process_time())
    tg.simulate(model, 1e-15, rtol=rtol)
    marks.append(time.process_time())
    tg.simulate(model, rtol=rtol)
    marks.append(time.process_time())
    read, _, start, run = (late - early for early, late in itertools.pairwise(marks))
    return Cost(read, start, run, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)


def theirs(netlist: Path, limit: float) -> Cost:
    """ngspice in batch mode; the process that measures is for this run alone."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["ngspice", "-b", "-r", str(Path(folder, "out.raw")), str(netlist)]
        try:
            subprocess.run(command, capture_output=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return Cost(math.nan, math.nan, math.nan, math.nan)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(0.0, math.nan, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024.0)


def measured(who: str, netlist: Path, options: argparse.Namespace) -> Cost:
    """One program and circuit in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.transistors", "--one", who, str(netlist), "--rtol", str(options.rtol)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
        return Cost(*json.loads(done.stdout.splitlines()[-1]))
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return Cost(math.nan, math.nan, math.nan, math.nan)


def families(options: argparse.Namespace) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Circuits of one kind in growing numbers."""
    rings = [int(n) for n in options.rings.split(",") if n]
    bits = [int(n) for n in options.bits.split(",") if n]
    yield "ring", [(n, ring(n, "")) for n in rings]
    yield "ring with charges", [(n, ring(n, CHARGES)) for n in rings]
    yield "adder, bits", [(n, adder(n)) for n in bits]


def main() -> None:
    """A table with a row for each circuit, and the growth exponent of its run from the smaller one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rings", default="11,101,1001")
    parser.add_argument("--bits", default="1,4")
    parser.add_argument("--rtol", type=float, default=1e-3)
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--one", nargs=2, metavar=("WHO", "NETLIST"), help="one measurement, as JSON")
    options = parser.parse_args()
    if options.one:
        who, netlist = options.one
        found = ours(Path(netlist), options.rtol) if who == "ours" else theirs(Path(netlist), options.limit)
        print(json.dumps([found.read, found.start, found.run, found.megabytes]))
        return
    table = Table("circuit", "n", "read", "start", "run", "growth", "ngspice", "ratio", "MB", "ngspice MB")
    with tempfile.TemporaryDirectory() as folder:
        for name, members in families(options):
            before = (0, math.nan)
            for count, text in members:
                netlist = Path(folder, "circuit.cir")
                netlist.write_text(text)
                own = measured("ours", netlist, options)
                other = measured("ngspice", netlist, options)
                growth = math.log(own.run / before[1]) / math.log(count / before[0]) if before[0] else math.nan
                before = (count, own.run)
                numbers = (own.read, own.start, own.run, growth, other.run, own.run / (other.run or math.nan))
                memory = (f"{own.megabytes:.0f}", f"{other.megabytes:.0f}")
                table.add_row(name, str(count), *(f"{value:.3g}" for value in numbers), *memory)
    console.print(table)


if __name__ == "__main__":
    main()
