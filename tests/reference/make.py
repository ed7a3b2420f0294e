"""Make the reference curves anew: run ngspice on every netlist of this folder and write what it prints as CSV.

    python tests/reference/make.py              all netlists
    python tests/reference/make.py buck boost   these
    python tests/reference/make.py converters/six_pulse     one of a folder

Needs ngspice (apt-get install ngspice); the tests that use the curves do not. Every netlist is run a second time with a
quarter of its largest step: how far its curves move, as a part of their range, is the error that ngspice itself has,
and is written into the head of the file.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
STEP = re.compile(r"^(\.tran \S+ \S+ \S+) (\S+)(.*)$", re.M)  # the largest step is the fourth number
NUMBER = re.compile(r"([\d.]+)(\w?)")
WRITTEN = re.compile(r"^\.print tran (.*)$", re.M)


def ngspice(netlist: str, name: str) -> np.ndarray:
    """Time and signals, a column each, at the steps of .tran: what .print asks for is written to a file instead."""
    netlist = WRITTEN.sub(rf".control\nrun\nlinearize \1\nwrdata {name}.txt \1\n.endc", netlist)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{name}.cir").write_text(netlist)
        done = subprocess.run(["ngspice", "-b", f"{name}.cir"], cwd=folder, capture_output=True, text=True, check=False)
        if "abort" in done.stdout + done.stderr or not (Path(folder) / f"{name}.txt").exists():
            sys.exit(f"ngspice fails on {name}.cir:\n{done.stdout}{done.stderr}")
        table = np.loadtxt(Path(folder) / f"{name}.txt")
    return np.column_stack([table[:, 0], table[:, 1::2]])  # wrdata repeats the time before every signal


def finer(netlist: str) -> str:
    """The netlist with a quarter of the largest step."""

    def quarter(match: re.Match[str]) -> str:
        number = NUMBER.fullmatch(match[2])
        assert number is not None
        return f"{match[1]} {float(number[1]) / 4:g}{number[2]}{match[3]}"

    text, count = STEP.subn(quarter, netlist)
    assert count == 1, "the netlist needs a card .tran STEP STOP START LARGEST"
    return text


def make(name: str) -> None:
    """Write the curves of one netlist."""
    netlist = (FOLDER / f"{name}.cir").read_text()
    signals = re.search(WRITTEN, netlist)
    assert signals is not None
    plain = Path(name).name
    coarse, table = ngspice(netlist, plain), ngspice(finer(netlist), plain)
    moved = np.abs(table - coarse).max(axis=0)[1:] / np.ptp(table, axis=0)[1:]
    told = subprocess.run(["ngspice", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.findall(r"ngspice-\S+", told)[0]
    head = [
        f"{netlist.splitlines()[0].lstrip('* ')}",
        f"{version}: ngspice -b {name}.cir, with a quarter of the largest step written there",
        f"moved by the smaller step, of the range: {' '.join(f'{x:.1e}' for x in moved)}",
        ",".join(["time", *signals[1].split()]),
    ]
    np.savetxt(FOLDER / f"{name}.csv", table, fmt="%.10g", delimiter=",", header="\n".join(head))
    print(f"{name}: {len(table)} rows, {head[2]}")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.cir")):
        make(chosen)
