"""Netlists whose scripts change the circuit: each analysis of ngspice beside the one of ours that is nearest to it.

ngspice runs a script command by command; ours are the steps of `tg.run_spice`. What ngspice runs twice with the same
results counts once. Where a script is read to its end, everything that ngspice ran must be among ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from benchmarks.spice import standing
from benchmarks.spice.ngspice import Curves

TRANSIENT = "Transient Analysis"
_LEFT = "not read: all from"


class Tools(Protocol):
    """How one analysis is compared (compare.py)."""

    def path_of(self, name: str, circuit: Any) -> str | None:
        """A curve of ngspice as it is called here."""
        ...

    def error(self, curves: Curves, solution: Any, circuit: Any) -> tuple[float, str]:
        """The largest deviation of a run over time."""
        ...

    def finer(self, curves: Curves, index: int) -> Curves | None:
        """The run over time of this number, with smaller steps."""
        ...


class Dense:
    """A solution at other instants."""

    def __init__(self, solution: Any, times: Any) -> None:
        self.time = times[times <= solution.time[-1] * (1.0 + 1e-9)]
        self._values = solution.at(np.minimum(self.time, solution.time[-1]))

    def __getitem__(self, path: str) -> Any:
        return self._values[path]


def are_changed(circuit: Any) -> bool:
    """Whether the script of a netlist has several stages."""
    return any("stages of the script" in note for note in circuit.notes)


def different(curves: tuple[Curves, ...]) -> tuple[Curves, ...]:
    """All but repetitions."""
    found: list[Curves] = []
    for each in curves:
        if each.columns.size and not any(_same(each, before) for before in found):
            found.append(each)
    return tuple(found)


def _same(a: Curves, b: Curves) -> bool:
    return a.analysis == b.analysis and a.columns.shape == b.columns.shape and np.array_equal(a.columns, b.columns)


def judged(netlist: Path, theirs: tuple[Curves, ...], circuit: Any, tools: Tools) -> tuple[float, str]:
    """The largest deviation of all stages."""
    import tellegen as tg

    run = tg.run_spice(netlist)
    runs = [step.run for step in run.steps] or [run]
    found = (0.0, "")
    transients = [each.tran for each in runs if each.tran is not None]
    index = 0
    for curves in different(theirs):
        if curves.analysis == TRANSIENT:
            if not transients:
                return _missing(circuit, ".tran")
            error, detail, k = min((*tools.error(curves, each, circuit), k) for k, each in enumerate(transients))
            if error > 1.0 and (finer := tools.finer(curves, index)) is not None:
                error, detail, k = min((*tools.error(finer, each, circuit), k) for k, each in enumerate(transients))
            index += 1
            transients.pop(k)
        elif curves.analysis in standing.KINDS:
            kind = standing.KINDS[curves.analysis]
            fitting = [each for each in runs if getattr(each, kind)]
            if not fitting:
                return _missing(circuit, f".{kind}")
            error, detail = min(standing.worst({kind: curves}, each, circuit, tools.path_of) for each in fitting)
        else:
            continue
        found = max(found, (error, detail))
    return found


def _missing(circuit: Any, kind: str) -> tuple[float, str]:
    import tellegen as tg

    note = next((note for note in circuit.notes if _LEFT in note), None)
    if note is not None:
        raise tg.NetlistError("E506", f"its script is {note[note.index(_LEFT) :].rstrip(')')}")
    return (np.inf, f"ngspice has one {kind} more")
