"""Analyses without time, here and by ngspice: operating points, sweeps, small signals and noise.

A value agrees within 1 % of itself, of what its curve ranges over or of a hundredth of the largest voltage or current.
Sweeps are compared point by point; where a curve jumps, one of the neighbouring points may be the one. ngspice adds up
its steps, so that roundings may take its last point, and writes the last .dc card first: a sweep of its is compared
with ours over the same values, with one point more or less.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.spice.ngspice import Curves

WIDTH = 0.01
FLOORS = {"v": 1e-6, "i": 1e-9}
"""Values below these are noise."""

KINDS = {
    "Operating Point": "op",
    "DC transfer characteristic": "dc",
    "AC Analysis": "ac",
    "Noise Spectral Density Curves": "noise",
}
_NOISE = ("onoise_spectrum", "v(onoise_spectrum)")
_TRAN = re.compile(r"\s*\.?tran\s", re.IGNORECASE)

Paths = Callable[[str, Any], str | None]


def of_ngspice(curves: tuple[Curves, ...]) -> dict[str, Curves]:
    """The first analysis of each kind; of sweeps all, one after the other."""
    found: dict[str, Curves] = {}
    for each in curves:
        if each.analysis not in KINDS or not each.columns.size:
            continue
        kind = KINDS[each.analysis]
        first = found.setdefault(kind, each)
        is_repeated = any(before is not each and np.array_equal(before.columns, each.columns) for before in curves)
        if kind == "dc" and first is not each and first.names == each.names and not is_repeated:
            found[kind] = Curves(first.analysis, first.names, np.concatenate([first.columns, each.columns], axis=1))
    return found


def _single_sweeps(curves: Curves) -> list[Curves]:
    """The sweeps one after the other, each from where its value jumps back to where it began."""
    values = np.real(curves.columns[0])
    steps = np.diff(values)
    step = np.median(steps) if len(steps) else 0.0
    cuts = np.flatnonzero(np.abs(steps - step) > 0.5 * abs(step)) + 1 if step else np.arange(1, len(values))
    return [Curves(curves.analysis, curves.names, part) for part in np.split(curves.columns, cuts, axis=1)]


def _worst_sweeps(theirs: Curves, run: Any, paths: dict[str, str]) -> tuple[float, str]:
    """Each sweep of ngspice beside the one of ours over the same values that is nearest to it."""
    left = list(run.dc)
    found = (0.0, "")
    for part in _single_sweeps(theirs):
        values = np.real(part.columns[0])
        candidates = []
        for k, sweep in enumerate(left):
            ours = np.atleast_1d(sweep.values)
            count = min(len(ours), len(values))
            if abs(len(ours) - len(values)) <= 1 and np.allclose(ours[:count], values[:count], rtol=1e-9, atol=1e-12):
                short = Curves(part.analysis, part.names, part.columns[:, :count])
                mine = {path: np.atleast_1d(sweep[path])[:count] for path in paths.values()}
                candidates.append((*_worst_of(short, paths, mine.__getitem__, "dc"), k))
        if not candidates:
            return (np.inf, f".dc from {values[0]:g} to {values[-1]:g} in {len(values)} points is not among ours")
        error, detail, k = min(candidates)
        left.pop(k)
        found = max(found, (error, detail))
    return found


def run_here(netlist: Path) -> Any:
    """All of them by tg.run_spice; .tran is left out, which is compared apart."""
    import tellegen as tg

    lines = netlist.read_text(errors="replace").splitlines()
    lines = [f"* {line}" if _TRAN.match(line) and k else line for k, line in enumerate(lines)]
    copy = netlist.with_name(f"standing_{netlist.name}")  # beside it, for what it includes
    copy.write_text("\n".join(lines) + "\n")
    try:
        return tg.run_spice(copy)
    finally:
        copy.unlink()


def worst(theirs: dict[str, Curves], run: Any, circuit: Any, path_of: Paths) -> tuple[float, str]:
    """The largest deviation in widths, and where it is."""
    found = (0.0, "")
    for kind, curves in theirs.items():
        if kind == "noise":
            found = max(found, _worst_noise(curves, run))
            continue
        paths = {name: path for name in curves.names if (path := path_of(name, circuit)) is not None}
        if kind == "ac" and not _same_frequencies(curves, run):
            found = max(found, (np.inf, f".ac has other frequencies than the {curves.columns.shape[1]} of ngspice"))
            continue
        if kind == "dc":
            found = max(found, _worst_sweeps(curves, run, paths))
        else:
            found = max(found, _worst_of(curves, paths, lambda path, kind=kind: _ours(kind, run, path), kind))
    return found


def _same_frequencies(curves: Curves, run: Any) -> bool:
    wanted = np.real(curves.columns[0])
    ours = np.asarray([] if run.ac is None else run.ac.frequencies)
    return len(ours) == len(wanted) and np.allclose(ours, wanted, rtol=1e-6)


def _worst_of(curves: Curves, paths: dict[str, str], value: Callable[[str], Any], kind: str) -> tuple[float, str]:
    """The largest deviation of one analysis."""
    found = (0.0, "")
    largest = {letter: max([np.abs(curves[n]).max() for n in paths if n[0] == letter], default=0.0) for letter in "vi"}
    for name, path in paths.items():
        ours = value(path)
        wanted = curves[name]
        if ours is None and kind == "ac":  # .print chooses what is computed
            continue
        if ours is None or len(ours) != len(wanted):
            count = 0 if ours is None else len(ours)
            return (np.inf, f".{kind} has {count} points here and {len(wanted)} of ngspice")
        size = np.maximum(np.abs(wanted), max(np.ptp(np.abs(wanted)), 1e-2 * largest[name[0]], FLOORS[name[0]]))
        off = _nearest(ours, wanted) / size
        k = int(np.argmax(off))
        if off[k] / WIDTH > found[0]:
            at = f"{name} of .{kind}, point {k}: ngspice {wanted[k]:.6g}, here {ours[k]:.6g}"
            found = (float(off[k] / WIDTH), f"{off[k]:.1e} of the range of {at}")
    return found


def _worst_noise(curves: Curves, run: Any) -> tuple[float, str]:
    """Of the noise of the output, in V per root of hertz."""
    name = next(name for name in _NOISE if name in curves.names)
    wanted = np.real(curves[name])
    if run.noise is None or len(run.noise.amplitude) != len(wanted):
        return (np.inf, f".noise has other frequencies than the {len(wanted)} of ngspice")
    off = np.abs(run.noise.amplitude - wanted) / wanted
    k = int(np.argmax(off))
    return (float(off[k] / WIDTH), f"{off[k]:.1e} of the noise, point {k}: ngspice {wanted[k]:.6g}")


def _nearest(ours: Any, theirs: Any) -> Any:
    """How far each point is from ours and from the straight lines to our neighbouring points."""
    off = np.abs(ours - theirs)
    if np.iscomplexobj(ours) or len(ours) < 3:
        return off
    around = np.stack([np.append(ours[0], ours[:-1]), ours, np.append(ours[1:], ours[-1])])
    outside = np.maximum(np.maximum(around.min(0) - theirs, theirs - around.max(0)), 0.0)
    jumps = np.ptp(around, axis=0) > 0.2 * max(np.ptp(ours), 1e-30)
    return np.where(jumps, outside, off)


def _ours(kind: str, run: Any, path: str) -> Any:
    """A quantity in an analysis of one kind; None where there is none."""
    if kind == "op":
        return None if run.op is None else np.atleast_1d(run.op[path])
    known = run.ac is not None and path in run.ac.outputs
    return run.ac_value(path) if known else None
