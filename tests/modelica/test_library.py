"""Modelica libraries from Python: names, modifications, parts of components written in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.frontends.modelica.library import ModelicaLibrary
from tellegen.frontends.modelica.store.store import Store
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

FILE = Path(__file__).parent / "drives.mo"


@pytest.fixture(scope="module")
def library() -> tg.ModelicaLibrary:
    return tg.load_modelica(FILE)


def speed(solution: Any, V: float = 12.0, R: float = 2.0, J: float = 0.03) -> Any:
    """The drive without inductance: w' = (k (V - k w)/R)/J with k = 0.1."""
    k = 0.1
    return V / k * (1.0 - np.exp(-(k**2) / (R * J) * solution.time))


def test_a_class_is_simulated_as_it_asks_for(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["Drives.Drive"])
    assert solution.time[-1] == 2.0
    assert solution["load.w"] == pytest.approx(speed(solution), abs=1e-5)


def test_modifications_by_name_dict_and_path(library: tg.ModelicaLibrary) -> None:
    modified = library["Drives.Drive"].modified(J=0.05, source={"V": 6.0}, **{"motor.R": 4.0})
    solution = tg.simulate(modified)
    assert solution["load.w"] == pytest.approx(speed(solution, V=6.0, R=4.0, J=0.06), abs=1e-5)
    assert tg.simulate(library["Drives.Drive"])["load.w"][-1] != pytest.approx(solution["load.w"][-1], rel=0.1)


def test_strings_are_expressions_but_for_strings(library: tg.ModelicaLibrary) -> None:
    modified = library["Drives.Drive"].modified(J="0.01 + 0.04", **{"motor.name": 'with "quotes"'})
    solution = tg.simulate(modified)
    assert solution["load.w"] == pytest.approx(speed(solution, J=0.06), abs=1e-5)


@pytest.mark.parametrize("by_name", [True, False])
def test_a_class_is_redeclared(library: tg.ModelicaLibrary, by_name: bool) -> None:
    winding: Any = "Drives.Inductive" if by_name else library["Drives.Inductive"]
    solution = tg.simulate(library["Drives.Drive"].modified(motor={"Winding": winding}))
    assert solution["motor.winding.inductor.i"][0] == 0.0
    assert solution["load.w"][50] < 0.99 * speed(solution)[50]


def test_parameters_of_a_run(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["Drives.Drive"], parameters={"motor.R": 4.0})
    assert solution["load.w"] == pytest.approx(speed(solution, R=4.0), abs=1e-5)


def test_a_part_of_a_python_component(library: tg.ModelicaLibrary) -> None:
    class Mixed(tg.Component):
        source = el.ConstantVoltage(V=12.0)
        ground = el.Ground()
        motor = library["Drives.Motor"](R=4.0)
        load = rot.Inertia(J=0.02)

        def connections(self) -> Any:
            yield self.source.p, self.motor.p
            yield self.source.n, self.motor.n, self.ground.p
            yield self.motor.flange, self.load.flange_a

    solution = tg.simulate(Mixed(), stop=2.0, rtol=1e-8)
    assert solution["motor.rotor.w"] == pytest.approx(speed(solution, R=4.0), abs=1e-5)


def test_gradients_through_modelica(library: tg.ModelicaLibrary) -> None:
    """d(w at the end)/dR against the difference quotient of the closed solution."""
    found = tg.gradient(library["Drives.Drive"], of=tg.final("load.w"), wrt=["motor.R"])
    solution = tg.simulate(library["Drives.Drive"])
    slope = (speed(solution, R=2.001)[-1] - speed(solution, R=1.999)[-1]) / 0.002
    assert found["final(load.w)", "motor.R"] == pytest.approx(slope, rel=1e-4)


@pytest.mark.parametrize(
    ("modifications", "message"),
    [
        ({"resistance": 3.0}, "resistance"),
        ({"J": object()}, "cannot be <object"),
        ({"J": float("nan")}, "cannot be nan"),
        ({"J": "0.1 +"}, "expected"),
        ({"motor": {"Winding": 3}}, "is a class"),
        ({"motor": {"Winding": "Drives.Nothing"}}, "Nothing"),
        ({"J": True}, "J"),
    ],
)
def test_wrong_modifications(library: tg.ModelicaLibrary, modifications: dict[str, Any], message: str) -> None:
    with pytest.raises(tg.ModelicaError, match=message):
        tg.simulate(library["Drives.Drive"].modified(**modifications))


@pytest.mark.parametrize(
    ("name", "message"),
    [("Drives.Drives", "'Drive'"), ("Drive.Motor", "'Drives'"), ("Drives.Motor.Emf", "no class 'Emf' in Drives.Motor")],
)
def test_unknown_classes(library: tg.ModelicaLibrary, name: str, message: str) -> None:
    with pytest.raises(tg.ModelicaError, match=message):
        library[name]


@pytest.mark.parametrize(("name", "message"), [("Drives", "is a package"), ("Drives.OnePort", "is partial")])
def test_what_cannot_be_run(library: tg.ModelicaLibrary, name: str, message: str) -> None:
    with pytest.raises(tg.ModelicaError, match=message):
        tg.compile(library[name])


def test_what_there_is(library: tg.ModelicaLibrary) -> None:
    assert library.loaded == ["Drives"]
    assert "Drives.Motor" in library.models("Drives")
    assert "Drives.OnePort" not in library.models("Drives")
    assert list(library.examples("Drives")) == ["Drives.Drive"]
    assert repr(library["Drives.Drive"]) == "<model Drives.Drive: Motor at a source>"


def test_a_circle_of_parts() -> None:
    store = Store(searched=[])
    store.add_text("model A\n  B b;\nend A;\nmodel B\n  A a;\nend B;")
    with pytest.raises(tg.ModelicaError, match="A is nested without end"):
        tg.compile(ModelicaLibrary(store)["A"])
