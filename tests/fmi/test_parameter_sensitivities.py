"""Sensitivities by tunable parameters of imported FMUs: those of the model itself, and where they are not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import tellegen as tg

pytest.importorskip("ziglang")


class Cell(tg.Component):
    """Rates, an output and the start of a state depend on parameters; one of them is computed from two others."""

    u = tg.input()
    y = tg.output()
    a = tg.parameter(2.0)
    b = tg.parameter(0.5)
    c = tg.parameter(3.0)
    ab = tg.parameter(a * b)
    x = tg.variable(start=0.5)
    v = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v - self.ab * self.x**2
        yield tg.der(self.v) == self.u * self.c - self.x * self.a
        yield self.y == self.c * self.x + self.u

    def initial_equations(self) -> Any:
        yield self.x**3 + self.x == self.b * self.c


def system(first: Any, second: Any) -> Any:
    """Two cells in a row, the second with a parameter that the system gives it."""

    class System(tg.Component):
        k = tg.parameter(1.3)
        first_cell = first
        second_cell = second

        def equations(self) -> Any:
            yield self.first_cell.u == self.k * tg.sin(tg.time)
            yield self.second_cell.u == self.first_cell.y

    return System()


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_they_are_those_of_the_model_itself(version: Literal["2.0", "3.0"], tmp_path: Path) -> None:
    """The states that a run starts with are found by differences, 1e-9 off; all else is exact."""
    path = tmp_path / "cell.fmu"
    tg.export_fmu(Cell(), path, kind="me", version=version)
    read = tg.read_fmu(path, sensitivities=["a", "b", "c"])
    wrt = ["first_cell.a", "first_cell.b", "first_cell.c", "second_cell.a", "k"]
    own = tg.sensitivity(system(Cell(), Cell(a=2.5)), stop=2.0, wrt=wrt, rtol=1e-9)
    found = tg.sensitivity(system(read(), read(a=2.5)), stop=2.0, wrt=wrt, rtol=1e-9)
    for name in wrt:
        for signal in ("first_cell.y", "second_cell.x", "second_cell.y"):
            expected = own[signal, name]
            points = np.linspace(0, len(expected) - 1, 9).astype(int)
            scale = np.abs(expected).max()
            at = [np.searchsorted(found.time, own.time[k]) for k in points]
            assert found.time[at] == pytest.approx(own.time[points])
            assert found[signal, name][at] == pytest.approx(expected[points], abs=2e-7 * scale), (signal, name)


def test_a_parameter_that_follows_from_one_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "cell.fmu"
    tg.export_fmu(Cell(), path, kind="me")

    def driven(part: Any) -> Any:
        class Driven(tg.Component):
            k = tg.parameter(0.7)
            cell = part(a=3.0 * k)

            def equations(self) -> Any:
                yield self.cell.u == 1.0

        return Driven()

    read = tg.read_fmu(path, sensitivities="a")
    expected, found = (
        tg.sensitivity(driven(part), stop=1.0, wrt=["k"], rtol=1e-9)["cell.x", "k"][-1] for part in (Cell, read)
    )
    assert found == pytest.approx(expected, rel=1e-7)
    with pytest.raises(tg.TellegenError, match=r"E647.*cell\.b"):
        tg.sensitivity(driven(read), stop=1.0, wrt=["cell.b"])


class Quiet(tg.Component):
    """A condition that never becomes true."""

    x = tg.variable(start=0.0, fixed=True)
    R = tg.parameter(2.0)
    level = tg.parameter(5.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == tg.where(self.x > self.level, 1.0, 2.0) - self.R * self.x


class Crossing(Quiet):
    """It becomes true, at an instant that moves with its parameters."""

    level = tg.parameter(0.25)


class Switched(tg.Component):
    """An instant that is known in advance, and is a parameter."""

    x = tg.variable(start=0.0, fixed=True)
    R = tg.parameter(2.0)
    T = tg.parameter(0.5)

    def equations(self) -> Any:
        yield tg.der(self.x) == tg.where(tg.time > self.T, 1.0, 0.0) - self.R * self.x


class Counting(tg.Component):
    """Adds up a parameter."""

    x = tg.variable(start=0.0, fixed=True)
    R = tg.parameter(2.0)
    total = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.total - self.x
        yield tg.when(tg.sample(0.0, 0.25), self.total == tg.pre(self.total) + self.R)


def alone(part: Any, path: Path, **given: Any) -> Any:
    """An FMU of a component by itself."""
    tg.export_fmu(part, path, kind="me", stop=1.0)
    read = tg.read_fmu(path, **given)

    class Alone(tg.Component):
        part = read()

    return Alone()


def test_conditions_that_do_not_change_do_no_harm(tmp_path: Path) -> None:
    model = alone(Quiet(), tmp_path / "quiet.fmu", sensitivities="R")
    found = tg.sensitivity(model, stop=1.0, wrt=["part.R"], rtol=1e-9)["part.x", "part.R"][-1]
    closed_form = -0.5 + 1.5 * np.exp(-2.0)  # of 2/R*(1 - exp(-R)) by R
    assert found == pytest.approx(closed_form, rel=1e-7)


@pytest.mark.parametrize("part", [Crossing, Switched, Counting])
def test_events_have_none(part: Any, tmp_path: Path) -> None:
    """How the instant of an event, and what it does, move with a parameter: FMI does not say, zero would be wrong."""
    model = alone(part(), tmp_path / "part.fmu", sensitivities="R")
    with pytest.raises(tg.TellegenError, match="E647"):
        tg.sensitivity(model, stop=1.0, wrt=["part.R"])


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "cell.fmu"
    tg.export_fmu(Cell(), path)
    with pytest.raises(tg.TellegenError, match=r"E521.*no parameter 'aa'"):
        tg.read_fmu(path, sensitivities="aa")
    with pytest.raises(tg.TellegenError, match=r"E520.*no derivatives"):
        tg.read_fmu(path, kind="cs", sensitivities="a")
