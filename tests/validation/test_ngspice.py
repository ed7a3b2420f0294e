"""Circuits against ngspice on the same netlists: curves stored in tests/reference, made by the make.py there.

The errors are parts of the range of each curve. How far ngspice's own curves move when its largest step is quartered
stands in the head of every file: from 2e-7 to 1e-4 (converters). Its trapezoidal rule is of second order, so that
the stored curves, those of the smaller step, are right to a sixteenth of that: 1e-5 is allowed for all. Tellegen adds
little at rtol 1e-8. The same constants (k, q, 27 degC, Gmin = 1 pS) are in both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from validation import ngspice_circuits
from validation.measured import within

FOLDER = Path(__file__).parents[1] / "reference"

SIGNALS = {
    "half_wave": ("c1.v", "v1.i"),
    "full_wave": ("c1.v", "v1.i"),
    "rlc_pulse": ("c1.v", "v1.i"),
    "clipper": ("cp.v", "v1.i"),
    "doubler": ("c2.v", "d2.p.v"),
    "buck": ("c1.v", "l1.i"),
    "boost": ("c1.v", "l1.i"),
    "scr_bridge": ("rl.v", "l1.i"),
    "windings": ("r2.v", "c3.v", "l.i[0]"),
    "controlled": ("c1.v", "rh.v", "c3.v", "rm.v"),
}
TOLERANCE = 1e-5


def curves(name: str) -> tuple[list[str], Any]:
    """Names and columns of a reference file, time first."""
    path = FOLDER / f"{name}.csv"
    heads = [line for line in path.read_text().splitlines() if line.startswith("#")]
    return heads[-1].lstrip("# ").split(","), np.loadtxt(path, delimiter=",").T


@pytest.mark.parametrize("name", SIGNALS)
def test_against_ngspice(name: str) -> None:
    labels, (time, *columns) = curves(name)
    model = getattr(ngspice_circuits, name)()
    s = tg.simulate(model, float(time[-1]), rtol=1e-8, points=len(time))
    values = s.at(time)
    for label, mine, wanted in zip(labels[1:], SIGNALS[name], columns, strict=True):
        error = (values[mine] - wanted) / np.ptp(wanted)
        within(f"{name.replace('_', ' ')}, {label}", error[1:], TOLERANCE, "ngspice 39, of the range")


def test_every_netlist_has_its_curves_and_its_test() -> None:
    assert {path.stem for path in FOLDER.glob("*.cir")} == {path.stem for path in FOLDER.glob("*.csv")} == set(SIGNALS)
    for path in FOLDER.glob("*.csv"):
        assert path.stat().st_size < 100_000
