"""Netlists against ngspice: what `tg.read_spice` makes of them, curves stored in tests/reference by the make.py there.

The errors are parts of the range of each curve. How far ngspice's own curves move when its largest step is quartered
stands in the head of every file, from 1e-8 to 1e-4. Its trapezoidal rule is of second order, so that the stored curves,
those of the smaller step, should be right to a fifteenth of that; where switches close between two steps it is of first
order, and they are right to a third. A half is allowed, and 2e-6 for its Newton iterations (reltol 1e-6). Tellegen adds
little at rtol 1e-8.

ngspice 39 has Boltzmann's constant and the elementary charge of 2014, Tellegen those of 2019: thermal voltages differ
by 3e-7 of their value, which shows in transistors at rest. The comparison is made with the temperature at which kT/q is
the same in both.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from validation import ngspice_circuits
from validation.measured import within

FOLDER = Path(__file__).parents[1] / "reference"
NAMES = sorted(path.stem for path in FOLDER.glob("*.cir"))
TEMPERATURE = 300.15 * (1.38064852e-23 / 1.6021766208e-19) / (1.380649e-23 / 1.602176634e-19) - 273.15  # degC
BY_HAND = {"scr_bridge": ("rl.v", "l1.i"), "windings": ("r2.v", "c3.v", "l.i[0]")}


def curves(name: str) -> tuple[list[str], Any, list[float]]:
    """Labels and columns of a reference file, time first, and how far ngspice's own curves moved."""
    path = FOLDER / f"{name}.csv"
    heads = [line for line in path.read_text().splitlines() if line.startswith("#")]
    moved = [float(text) for text in heads[2].rpartition(":")[2].split()]
    return heads[-1].lstrip("# ").split(","), np.loadtxt(path, delimiter=",").T, moved


def read(name: str) -> Any:
    """The netlist at ngspice's thermal voltage."""
    text = (FOLDER / f"{name}.cir").read_text()
    return tg.read_spice(text=text.replace(".end\n", f".options temp={TEMPERATURE!r} tnom={TEMPERATURE!r}\n.end\n"))


def path_of(circuit: Any, label: str) -> str:
    """`v(out)` is out.v, `i(l1)` is l1.i."""
    found = re.fullmatch(r"([vi])\((.*)\)", label)
    assert found is not None
    return f"{circuit.nodes[found[2]]}.v" if found[1] == "v" else f"{found[2]}.i"


def compared(name: str) -> tuple[Any, list[tuple[str, float, float]]]:
    """The solution; label, error and tolerance of every curve."""
    labels, (time, *columns), moved = curves(name)
    circuit = read(name)
    s = tg.simulate(circuit, float(time[-1]), rtol=1e-8, points=len(time))
    values = s.at(time)
    rows = []
    for label, wanted, own in zip(labels[1:], columns, moved, strict=True):
        error = np.abs(values[path_of(circuit, label)] - wanted)[1:] / np.ptp(wanted)
        rows.append((label, float(error.max()), 2e-6 + own / 2))
    return s, rows


@pytest.mark.parametrize("name", NAMES)
def test_against_ngspice(name: str) -> None:
    for label, error, tolerance in compared(name)[1]:
        within(f"{name.replace('_', ' ')}, {label}", error, tolerance, "ngspice 39, of the range")


@pytest.mark.parametrize("name", BY_HAND)
def test_parts_that_netlists_do_not_have(name: str) -> None:
    """Thyristors, and coupled inductors as one part."""
    _, (time, *columns), _ = curves(name)
    s = tg.simulate(getattr(ngspice_circuits, name)(), float(time[-1]), rtol=1e-8, points=len(time))
    values = s.at(time)
    for mine, wanted in zip(BY_HAND[name], columns, strict=True):
        error = (values[mine] - wanted)[1:] / np.ptp(wanted)
        within(f"{name.replace('_', ' ')} by hand, {mine}", error, 1e-5, "ngspice 39, of the range")


@pytest.mark.parametrize("solver", ["auto", "cvode", "rodas"])
@pytest.mark.parametrize("rtol", [1e-6, 1e-8])
def test_an_inductor_behind_a_blocking_diode(solver: str, rtol: float) -> None:
    """A current of 1e-12 A decides over volts: with the usual tolerance runs fail, or are wrong by 99 %."""
    labels, (time, *columns), _ = curves("rl_rectifier")
    circuit = read("rl_rectifier")
    s = tg.simulate(circuit, float(time[-1]), rtol=rtol, solver=solver, points=len(time))
    for label, wanted in zip(labels[1:], columns, strict=True):
        error = np.abs(s[path_of(circuit, label)] - wanted) / np.ptp(wanted)
        within(f"rl rectifier with {solver}, rtol {rtol:g}: {label}", error, 10.0 * rtol, "ngspice 39, of the range")


@pytest.mark.parametrize("rtol", [1e-6, 1e-8])
def test_an_inductor_behind_a_blocking_diode_with_ida(rtol: float) -> None:
    """IDA, which has all unknowns in its error test, is right, or warns, or ends with the advice to use auto."""
    labels, (time, *columns), _ = curves("rl_rectifier")
    circuit = read("rl_rectifier")
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        s = tg.simulate(circuit, float(time[-1]), rtol=rtol, solver="ida", points=time[1:], throw=False)
    if not s.success:
        assert "solver='auto'" in s.outcome.advice
        return
    if issued:
        assert "l1.i" in str(issued[0].message) or "beyond what any junction stands" in str(issued[0].message)
        return
    values = s.at(time)
    for label, wanted in zip(labels[1:], columns, strict=True):
        error = np.abs(values[path_of(circuit, label)] - wanted) / np.ptp(wanted)
        within(f"rl rectifier with ida, rtol {rtol:g}: {label}", error, 50.0 * rtol, "ngspice 39, of the range")


def test_every_netlist_has_its_curves() -> None:
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(NAMES)
    assert len(NAMES) >= 25
    for path in FOLDER.glob("*.csv"):
        assert path.stat().st_size < 60_000
