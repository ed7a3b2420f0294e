"""Gradients by many parameters: forward (a copy of the model for each) and adjoint (the run backwards).

A ladder of resistors and capacitors with all its values as parameters: one function, the voltage at its end.
The second table has the same ladder with more and more of its parameters. Everything is measured in the same run;
"first" is with compiling, "again" without.

    python benchmarks/adjoint.py [largest number of cells]
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from _timing import best, exponent, ratio, seconds, show

import tellegen as tg
from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.derivatives.gradients import gradients
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.library import electrical as el

SIZES = (10, 25, 50, 100)
COUNTS = (2, 10, 50, 200)
RUN: dict[str, Any] = {"stop": 1.0, "rtol": 1e-6}


def ladder(cells: int) -> tg.System:
    """Resistors and capacitors in a row, driven by a sine."""
    s = tg.System(f"ladder{cells}")
    s.add(source=el.SineVoltage(V=1.0, f=1.0), g=el.Ground())
    before = s["source"].p
    for k in range(cells):
        capacitor = el.Capacitor(C=0.1 / cells, v=tg.variable(start=0.0, fixed=True))
        s.add(**{f"r{k}": el.Resistor(R=1.0 + 0.01 * k), f"c{k}": capacitor})
        s.connect(before, s[f"r{k}"].p)
        s.connect(s[f"r{k}"].n, s[f"c{k}"].p)
        s.connect(s[f"c{k}"].n, s["g"].p)
        before = s[f"c{k}"].p
    s.connect(s["source"].n, s["g"].p)
    return s


def names(cells: int) -> list[str]:
    """All parameters of a ladder, from its end to its beginning."""
    return [name for k in range(cells)[::-1] for name in (f"r{k}.R", f"c{k}.C")]


def measured(compiled: Any, wrt: list[str], cells: int, functions: int) -> tuple[list[str], float, float]:
    """A row of a table, and the times of both methods."""
    of = [tg.final(f"c{cells - 1}.v"), *(tg.rms(f"c{k}.v") for k in range(functions - 1))]
    plain, _ = best(lambda: compiled.simulate(**RUN))
    begin = time.perf_counter()
    made = SensitivityModel(compiled, wrt)
    request = made.request(**RUN)
    gradients(made, of, "forward", request)
    first_forward = time.perf_counter() - begin
    forward, one = best(lambda: gradients(made, of, "forward", request), 2)
    begin = time.perf_counter()
    backward = AdjointModel(made)
    backward.gradients(of, request)
    first_adjoint = time.perf_counter() - begin
    adjoint, other = best(lambda: backward.gradients(of, request))
    away = np.abs(one.matrix - other.matrix).max() / np.abs(one.matrix).max()
    row = [
        f"{cells} cells",
        str(len(compiled.reduced.unknowns)),
        f"{functions} / {len(wrt)}",
        seconds(plain),
        seconds(first_forward),
        seconds(forward),
        seconds(first_adjoint),
        seconds(adjoint),
        ratio(forward, adjoint),
        f"{away:.0e}",
    ]
    return row, forward, adjoint


COLUMNS = [
    *(
        "model",
        "unknowns",
        "of / by",
        "plain run",
        "forward first",
        "forward again",
        "adjoint first",
        "adjoint again",
    ),
    *("forward / adjoint", "apart"),
]


def main(largest: int) -> None:
    """Both tables."""
    rows = []
    times = []
    for cells in [cells for cells in SIZES if cells <= largest]:
        row, forward, adjoint = measured(tg.compile(ladder(cells)), names(cells), cells, 1)
        rows.append(row)
        times.append((2 * cells, forward, adjoint))
    growth = [exponent((times[0][0], times[0][k]), (times[-1][0], times[-1][k])) for k in (1, 2)]
    note = f"time grows with the number of cells to the power of {growth[0]:.1f} forward, {growth[1]:.1f} backward"
    show("All parameters of a ladder", COLUMNS, rows, note)
    compiled = tg.compile(ladder(largest))
    counts = [count for count in COUNTS if count <= 2 * largest]
    rows = [measured(compiled, names(largest)[:count], largest, 1)[0] for count in counts]
    rows.append(measured(compiled, names(largest)[: counts[-1]], largest, 4)[0])
    show("One ladder, more and more parameters, and more functions", COLUMNS, rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
