"""Netlists of a folder, read and run here and by ngspice: which are accepted, which agree, which are refused and why.

    python -m benchmarks.spice.compare FOLDER [--limit 60] [--only a,b]    a folder, or a file with a path in each line

The limit is one of processor seconds for each netlist, so that the load of the machine does not count.

Transient analyses are compared at all top-level nodes and at the currents of voltage sources, by the tube rule: a curve
agrees where every point of ngspice's has one of ours nearby, within 1 % of the curve's range (of curves that hardly
move 1e-4 of the largest voltage or current) and 0.2 % of the run in time. ngspice has the tolerances of the netlist, by
default 1e-3 of a step; where a curve does not agree it is compared once more with a finer one. Operating points,
sweeps and small signals are compared as well (standing.py). Each netlist has a process of its own.
The first point of ngspice, the operating point before sources begin to move, is not compared: currents and their slopes
jump there.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.spice import stages, standing
from benchmarks.spice.ngspice import Curves, run_ngspice

WIDTH = 0.01
AHEAD = 0.002
POINTS = 4001
MOST_POINTS = 20_000
FINE_STEPS = 10_000
NEAREST = 1e-9  # of the run: distance of two points
FLOORS = {"v": 1e-6, "i": 1e-9}
"""Ranges below these are noise."""


_TRAN = re.compile(r"\s*\.?tran\s", re.IGNORECASE)


@dataclass
class Verdict:
    """What became of a netlist."""

    name: str
    state: str  # match, differs, refused, failed, traceback, slow, or not run by ngspice
    detail: str = ""
    seconds: float = 0.0
    ngspice: float = 0.0


def judged(netlist: Path) -> Verdict:
    """Run a netlist here and there, and compare."""
    import tellegen as tg

    theirs = run_ngspice(netlist)
    verdict = Verdict(netlist.stem, "", ngspice=theirs.seconds)
    curves = next((each for each in theirs.curves if each.analysis == stages.TRANSIENT and each.columns.size), None)
    others = standing.of_ngspice(theirs.curves)
    if curves is None and not others:
        verdict.state = "not run by ngspice"
        return verdict
    begin = time.process_time()
    found: list[tuple[float, str]] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            circuit = tg.read_spice(netlist)
            if stages.are_changed(circuit):
                found.append(stages.judged(netlist, theirs.curves, circuit, _Tools(netlist)))
            else:
                if others:
                    found.append(standing.worst(others, standing.run_here(netlist), circuit, path_of))
                if curves is not None:
                    found.append(_over_time(netlist, curves, circuit))
    except tg.TellegenError as error:
        verdict.state = "failed" if str(error).startswith("E3") else "refused"
        verdict.detail = str(error).splitlines()[0]
        return verdict
    except Exception as error:  # what users must never see is counted here
        verdict.state = "traceback"
        verdict.detail = f"{type(error).__name__}: {error}"
        return verdict
    verdict.seconds = time.process_time() - begin
    error, verdict.detail = max(found)
    verdict.state = "match" if error <= 1.0 else "differs"
    return verdict


def _over_time(netlist: Path, curves: Curves, circuit: Any) -> tuple[float, str]:
    """The worst of the transient analysis."""
    import tellegen as tg

    model = tg.compile(circuit)
    if model.flat.experiment.stop is None:
        raise tg.NetlistError("E506", "its .tran comes after commands of a script that change the circuit")
    found = worst(curves, tg.simulate(model, points=moments(curves)), circuit)
    if found[0] > 1.0 and (finer := with_smaller_steps(netlist, curves)) is not None:
        error, detail = worst(finer, tg.simulate(model, points=moments(finer)), circuit)
        found = (error, f"with smaller steps of ngspice {detail}")
    return found


_FINER = (
    ".options reltol=1e-5 abstol=1e-14 vntol=1e-8 trtol=1 chgtol=1e-18 method=gear",  # the trapezoidal rule rings
    ".options reltol=1e-5 abstol=1e-14 vntol=1e-8 trtol=1 method=gear",
    ".options trtol=1",
)
"""With 1e-14 C, as usual, currents into small charges overshoot for some steps after an edge."""


@dataclass(frozen=True)
class _Tools:
    """What stages are compared by."""

    netlist: Path

    def path_of(self, name: str, circuit: Any) -> str | None:
        """A curve of ngspice as it is called here."""
        return path_of(name, circuit)

    def error(self, curves: Curves, solution: Any, circuit: Any) -> tuple[float, str]:
        """The largest deviation of a run over time."""
        dense = stages.Dense(solution, moments(curves))
        return worst(curves, dense, circuit)

    def finer(self, curves: Curves, index: int) -> Curves | None:
        """The run over time of this number, with smaller steps."""
        return with_smaller_steps(self.netlist, curves, index)


def with_smaller_steps(netlist: Path, curves: Curves, index: int = 0) -> Curves | None:
    """What ngspice finds with a hundredth of its tolerance and many steps: its own errors may be of several percent.

    Where it does not get to the end with that tolerance it has its usual one.
    """
    found = (_with_options(netlist, curves, options, index) for options in _FINER)
    return next((each for each in found if each is not None), None)


def _with_options(netlist: Path, curves: Curves, options: str, index: int) -> Curves | None:
    times = np.real(curves["time"])
    step = (times[-1] - times[0]) / FINE_STEPS
    text = netlist.read_text(errors="replace").splitlines()
    uic = " uic" if any(_TRAN.match(line) and "uic" in line.lower() for line in text) else ""
    first = next((line.split()[1] for line in text if _TRAN.match(line)), f"{step:.9g}")  # edges of pulses
    card = f"tran {first} {times[-1]:.12g} {times[0]:.12g} {step:.9g}{uic}"
    text = [("." if line.lstrip()[:1] == "." else "") + card if _TRAN.match(line) else line for line in text]
    text.insert(1, options)
    copy = netlist.with_name(f"finer_{netlist.name}")  # beside it, for what it includes
    copy.write_text("\n".join(text) + "\n")
    try:
        found = stages.different(run_ngspice(copy).curves)
    finally:
        copy.unlink()
    runs = [each for each in found if each.analysis == stages.TRANSIENT]
    return runs[index] if index < len(runs) else None


def moments(curves: Curves) -> Any:
    """Where our curves are wanted: regularly, and at ngspice's own points, which are dense where something happens."""
    times = np.real(thinned(curves)["time"])
    wanted = np.unique(np.concatenate([np.linspace(times[0], times[-1], POINTS), times]))
    return wanted[np.append(True, np.diff(wanted) > NEAREST * (times[-1] - times[0]))]


def thinned(curves: Curves) -> Curves:
    """At those of its points that our curves are asked for: between these ours may have a peak that nobody sees."""
    stride = 1 + curves.columns.shape[1] // MOST_POINTS
    return Curves(curves.analysis, curves.names, curves.columns[:, ::stride])


def worst(curves: Curves, solution: Any, circuit: Any) -> tuple[float, str]:
    """The largest deviation in widths of the tube, and where it is."""
    curves = thinned(curves)
    times = np.real(curves["time"])
    if not len(solution.time):
        return (math.inf, "it ends where the curves of ngspice have not begun")
    inside = times <= solution.time[-1] * (1.0 + 1e-9)
    found = (0.0, "")
    paths = {name: path for name in curves.names[1:] if (path := path_of(name, circuit)) is not None}
    largest = {kind: max([np.abs(curves[n]).max() for n in paths if n[0] == kind], default=0.0) for kind in "vi"}
    near = Nearby(times[inside], solution)
    for name, path in paths.items():
        theirs = np.real(curves[name])[inside]
        off = near.deviation(theirs, path)
        off[0] = 0.0
        size = max(np.ptp(theirs), 1e-2 * largest[name[0]], FLOORS[name[0]])
        k = int(np.argmax(off))
        if off[k] / (WIDTH * size) > found[0]:
            at = f"{name} at t = {times[k]:.4g}: ngspice {theirs[k]:.6g}, here {near.value(path, times[k]):.6g}"
            found = (float(off[k] / (WIDTH * size)), f"{off[k] / size:.1e} of the range of {at}")
    return found


class Nearby:
    """Our curves within a short time of ngspice's points."""

    def __init__(self, times: Any, solution: Any) -> None:
        self._solution = solution
        ahead = AHEAD * (times[-1] - times[0])
        first = np.searchsorted(solution.time, times - ahead, "left")
        after = np.searchsorted(solution.time, times + ahead, "right")
        self._windows = np.stack([first, np.maximum(after, first + 1)], axis=1).ravel()

    def deviation(self, theirs: Any, path: str) -> Any:
        """How far each point is from the nearest of our curve."""
        values = np.append(self._solution[path], self._solution[path][-1])
        low = np.minimum.reduceat(values, self._windows)[::2]
        high = np.maximum.reduceat(values, self._windows)[::2]
        return np.maximum(np.maximum(low - theirs, theirs - high), 0.0)

    def value(self, path: str, t: float) -> float:
        """Of our curve at an instant."""
        return float(np.interp(t, self._solution.time, self._solution[path]))


def path_of(name: str, circuit: Any) -> str | None:
    """`v(out)` and `i(v1)` as they are called here; None for what is inside of subcircuits."""
    kind, _, rest = name.partition("(")
    inner = rest.rstrip(")")
    if kind == "v" and inner in circuit.nodes:
        return f"{circuit.nodes[inner]}.v"
    if kind == "i" and inner.startswith("v") and hasattr(circuit, inner):
        return f"{inner}.i"
    return None


def verdict_of(netlist: Path, limit: float) -> Verdict:
    """In a process of its own."""
    command = [sys.executable, "-m", "benchmarks.spice.compare", "--one", str(netlist)]
    seconds = math.ceil(limit)

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limited)
    if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        return Verdict(netlist.stem, "slow", f"more than {seconds} s")
    try:
        return Verdict(**json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError, TypeError):
        return Verdict(netlist.stem, "traceback", f"exit status {done.returncode}: {done.stderr[-200:]}")


def netlists(folder: Path) -> list[Path]:
    """Those of a folder, or those that a file names."""
    if folder.is_file():
        return [Path(line) for line in folder.read_text().splitlines() if line.strip()]
    return sorted(each for each in folder.rglob("*") if each.suffix.lower() in (".cir", ".sp", ".net", ".spi"))


def main() -> None:
    """A line for each netlist, then the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="beginnings of names, separated by commas")
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--one", action="store_true", help="one netlist, as JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(asdict(judged(options.folder))))
        return
    verdicts = []
    for file in netlists(options.folder):
        if not file.stem.startswith(tuple(options.only.split(","))):
            continue
        verdict = verdict_of(file, options.limit)
        verdicts.append(verdict)
        times = f"{verdict.seconds:6.2f} s, ngspice {verdict.ngspice:6.2f} s"
        print(f"{verdict.name:36} {verdict.state:10} {times}  {verdict.detail[:170]}", flush=True)
    print(dict(Counter(verdict.state for verdict in verdicts)))


if __name__ == "__main__":
    main()
