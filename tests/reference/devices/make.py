"""Make the reference curves of semiconductors anew: run ngspice on every netlist of this folder, write CSV.

    python tests/reference/devices/make.py                all netlists
    python tests/reference/devices/make.py mos_output     these

The netlists have a card .dc (a characteristic, or operating points over a source) or .tran (from the operating point)
and a card .print with the signals. A netlist with .tran is run a second time with a quarter of its largest step: how
far that moves the curves, as a part of their range, is written into the head.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
ASKED = re.compile(r"^\.print (dc|tran) (.*)$", re.M)
STEP = re.compile(r"^(\.tran \S+ \S+ 0) ([\d.]+)n$", re.M)


def ngspice(netlist: str) -> np.ndarray:
    """The swept voltage or the time, and the signals, a column each: what .print asks for is written to a file."""
    even = r"linearize \2" if STEP.search(netlist) else ""
    netlist = ASKED.sub(rf".control\nset numdgt=12\nrun\n{even}\nwrdata out.txt \2\n.endc", netlist)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.cir").write_text(netlist)
        done = subprocess.run(["ngspice", "-b", "in.cir"], cwd=folder, capture_output=True, text=True, check=False)
        if "abort" in done.stdout + done.stderr or not (Path(folder) / "out.txt").exists():
            sys.exit(f"ngspice fails:\n{netlist}\n{done.stdout}{done.stderr}")
        table = np.loadtxt(Path(folder) / "out.txt")
    return np.column_stack([table[:, 0], table[:, 1::2]])  # wrdata repeats the first column before every signal


def make(name: str) -> None:
    """Write the curves of one netlist."""
    netlist = (FOLDER / f"{name}.cir").read_text()
    asked = ASKED.search(netlist)
    assert asked is not None
    finer = STEP.sub(lambda found: f"{found[1]} {float(found[2]) / 4:g}n", netlist)
    table = ngspice(finer)
    told = subprocess.run(["ngspice", "--version"], capture_output=True, text=True, check=True).stdout
    head = [netlist.splitlines()[0].lstrip("* "), f"{re.findall(r'ngspice-[0-9]+', told)[0]} on {name}.cir"]
    if finer != netlist:
        moved = np.quantile(np.abs(table - ngspice(netlist))[:, 1:] / np.ptp(table[:, 1:], axis=0), 0.99, axis=0)
        head += [f"with a quarter of its largest step, which moves 99 % of the points by at most {moved.max():.0e}"]
    head += [",".join(["sweep" if asked[1] == "dc" else "time", *asked[2].split()])]
    np.savetxt(FOLDER / f"{name}.csv", table, fmt="%.9g", delimiter=",", header="\n".join(head))
    print(f"{name}: {len(table)} rows", *head[2:-1])


if __name__ == "__main__":
    for chosen in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.cir")):
        make(chosen)
