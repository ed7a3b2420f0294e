"""Semiconductors against ngspice: characteristics, operating points and switching, from tests/reference/devices.

ngspice iterates to reltol 1e-10 in the characteristics, and Tellegen until nothing moves, so that 1e-6 of each value is
allowed. Where a value is small ngspice is less exact, and the error is compared with the number that stands beside the
signal instead: it adds its Gmin = 1e-12 S to a few nodes besides the junctions (which ones depends on how it sorts its
matrix), that is some 1e-12 A, and through a small resistance it resolves about 1e-15 A.

In the runs over time the errors are parts of the range of each curve, without the instants at which the slope of the
source jumps and with it the current of capacitances. How far ngspice's curves move with a quarter of the step
stands in the head of each file: up to 8e-5 where signals are steep; 1e-4 is allowed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from validation import device_circuits
from validation.measured import within

FOLDER = Path(__file__).parents[1] / "reference" / "devices"
NODES = 1e-5  # A: Gmin at a node with some volts, over the tolerance
RESOLVED = 1e-8  # A: what is lost in a small resistance, over the tolerance

POINTS: dict[str, dict[str, float]] = {
    "diode_curves": {"d1.i": 0.0, "d2.i": RESOLVED, "d3.i": RESOLVED, "d4.i": RESOLVED},
    "diode_forward": {"d1.i": 0.0, "d2.i": 0.0, "d3.i": RESOLVED},
    "bjt_output": {"q1.C.i": 0.0, "q2.C.i": 0.0, "q3.C.i": 0.0, "q4.C.i": 0.0, "q2.B.v": 0.0, "q4.B.v": 0.0},
    "bjt_gummel": {"q1.C.i": 1e-11, "q1.B.i": 1e-11, "q2.C.i": 1e-11, "q2.B.i": 1e-11},  # Gmin is 1e-18 S here
    "mos_output": {"m1.D.i": NODES, "m2.D.i": NODES, "m3.D.i": NODES, "m4.D.i": NODES},
    "mos_transfer": {"m1.D.i": NODES, "m2.D.i": NODES, "m3.D.i": NODES, "m4.D.i": NODES},
    "hot_curves": {"d1.i": 1e-11, "q1.B.i": 1e-11, "q1.C.i": 1e-11, "q2.C.i": 1e-11},  # Gmin is 1e-18 S here
    "common_emitter_point": {"q1.C.v": 0.0, "q1.B.v": 0.0, "q1.E.v": 0.0, "v1.i": NODES},
    "push_pull_point": {"rl.v": 0.0, "q1.E.v": 0.0, "q2.B.v": 0.0, "vp.i": NODES},
    "cmos_inverter_point": {"m1.D.v": 0.1, "vdd.i": NODES},
}
RUNS = {
    "reverse_recovery": ("d1.v", "v1.i"),
    "bjt_switch": ("q1.C.v", "q1.B.v", "v1.i"),
    "cmos_switch": ("c1.v", "v1.i", "vdd.i"),
}


def curves(name: str) -> tuple[list[str], Any]:
    """Names and columns of a reference file."""
    path = FOLDER / f"{name}.csv"
    heads = [line for line in path.read_text().splitlines() if line.startswith("#")]
    return heads[-1].lstrip("# ").split(","), np.loadtxt(path, delimiter=",").T


@pytest.mark.parametrize("name", POINTS)
def test_points(name: str) -> None:
    labels, (swept, *columns) = curves(name)
    model = tg.compile(getattr(device_circuits, name)())
    points = [tg.steady_state(model, parameters={"v1.V": float(value)}) for value in swept]
    for label, (mine, least), wanted in zip(labels[1:], POINTS[name].items(), columns, strict=True):
        error = (np.array([point[mine] for point in points]) - wanted) / np.maximum(np.abs(wanted), least)
        within(f"{name.replace('_', ' ')}, {label}", error, 1e-6, "ngspice 39")


@pytest.mark.parametrize("name", RUNS)
def test_runs(name: str) -> None:
    labels, (time, *columns) = curves(name)
    model = getattr(device_circuits, name)()
    run = tg.simulate(model, float(time[-1]), rtol=1e-8, initial="steady", points=len(time))
    corners = run.time[1:][np.diff(run.time) == 0.0]  # rows that stand twice: the slope of the source jumps
    assert len(corners) == 4
    smooth = np.abs(time[:, None] - corners).min(axis=1) > 1e-12
    values = run.at(time)
    for label, mine, wanted in zip(labels[1:], RUNS[name], columns, strict=True):
        error = (values[mine] - wanted) / np.ptp(wanted)
        within(f"{name.replace('_', ' ')}, {label}", error[smooth], 1e-4, "ngspice 39, of the range")


def test_every_netlist_has_its_curves_and_its_test() -> None:
    names = {path.stem for path in FOLDER.glob("*.cir")}
    assert names == {path.stem for path in FOLDER.glob("*.csv")} == {*POINTS, *RUNS}
