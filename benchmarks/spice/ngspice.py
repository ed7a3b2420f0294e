"""Runs of ngspice: the curves in its raw files, and the time it took.

Analyses in a `.control` block write no raw file of their own accord: ngspice gets a copy that does after each of them.
"""

from __future__ import annotations

import re
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_ANALYSES = ("run", "tran", "op", "dc", "ac", "noise")  # commands of scripts
_HEAD = re.compile(rb"Plotname: (.*)\n(?s:.*?)No\. Variables: *(\d+)\s+No\. Points: *(\d+)\s+(?s:.*?)Variables:\s*\n")


@dataclass(frozen=True)
class Curves:
    """One analysis: columns by their names, the first of them is the time, the frequency or what is swept."""

    analysis: str
    names: tuple[str, ...]
    columns: Any

    def __getitem__(self, name: str) -> Any:
        return self.columns[self.names.index(name)]


@dataclass(frozen=True)
class Run:
    """What ngspice made of a netlist."""

    curves: tuple[Curves, ...]
    seconds: float
    message: str


def run_ngspice(netlist: Path, limit: float = 60.0) -> Run:
    """Run a netlist in batch mode; seconds are those of the processor."""
    text = netlist.read_text(errors="replace")
    if re.search(r"^\s*\.control\b", text, re.IGNORECASE | re.MULTILINE) is None:
        return _run(netlist, limit)
    copy = netlist.with_name(f"scripted_{netlist.name}")  # beside it, for what it includes
    with tempfile.TemporaryDirectory() as folder:
        copy.write_text(_with_files(text, folder))
        try:
            return _run(copy, limit, Path(folder))
        finally:
            copy.unlink()


def _with_files(text: str, folder: str) -> str:
    """A netlist whose script appends the results of each analysis to a file."""
    lines = []
    scripted = False
    for line in text.splitlines():
        word = (line.split() or [""])[0].lower()
        scripted = word == ".control" or (scripted and word != ".endc")
        lines.append(line)
        if scripted and word in _ANALYSES:
            lines += ["set appendwrite", "set filetype=binary", f"write {folder}/all.raw"]
    return "\n".join(lines) + "\n"


def _run(netlist: Path, limit: float, scripted: Path | None = None) -> Run:
    before = _child_seconds()
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder, "out.raw")
        try:
            done = subprocess.run(
                ["ngspice", "-b", "-r", str(raw), str(netlist.resolve())],
                cwd=netlist.parent,
                capture_output=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Run((), limit, "timeout")
        message = (done.stdout + done.stderr).decode(errors="replace")
        files = sorted(scripted.glob("*.raw")) if scripted is not None else []
        curves = [each for file in files for each in read_raw(file.read_bytes())]
        kinds = {each.analysis for each in curves}  # which the script has run: what follows it here is not asked for
        batch = read_raw(raw.read_bytes()) if raw.exists() else ()
        curves += [each for each in batch if each.analysis not in kinds]
    return Run(tuple(curves), _child_seconds() - before, message)


def read_raw(content: bytes) -> tuple[Curves, ...]:
    """The analyses of a raw file, binary or as text."""
    found = []
    position = 0
    while head := _HEAD.search(content, position):
        count = int(head[2])
        points = int(head[3])
        kind = np.dtype(complex) if b"complex" in content[head.start() : head.end()] else np.dtype(float)
        rows = content[head.end() :].split(b"\n", count + 1)
        if len(rows) <= count or not all(rows[:count]):
            break  # of a run that failed
        names = tuple(row.split()[1].decode(errors="replace").lower() for row in rows[:count])
        begin = head.end() + sum(len(row) + 1 for row in rows[: count + 1])
        size = count * points * kind.itemsize
        values = np.frombuffer(content[begin : begin + size], kind)
        if len(values) == count * points and rows[count].startswith(b"Binary"):
            found.append(Curves(head[1].decode().strip(), names, values.reshape(points, count).T))
        position = begin + size if rows[count].startswith(b"Binary") else head.end()
    return tuple(found)


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
