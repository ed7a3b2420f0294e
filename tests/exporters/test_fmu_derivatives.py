"""Directional and adjoint derivatives of exported models, against central differences and tg.linearize."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from exporters.random_equations import random_model

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("ziglang")

WAY = 1e-5
CLOSE = 2e-8
"""Central differences of smooth functions of order one: their own error is about WAY**2 and 1e-16 / WAY."""


class Model:
    """An instance of Model Exchange in FMPy, at a point."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.description = fmpy.read_model_description(str(path))
        self.is_new = self.description.fmiVersion.startswith("3")
        self.reference = {each.name: each.valueReference for each in self.description.modelVariables}
        made = fmpy.fmi3.FMU3Model if self.is_new else fmpy.fmi2.FMU2Model
        self.fmu = made(
            guid=self.description.guid,
            modelIdentifier=self.description.modelExchange.modelIdentifier,
            unzipDirectory=fmpy.extract(str(path), unzipdir=str(folder)),
            instanceName="one",
        )
        self.fmu.instantiate()
        if not self.is_new:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.update()
        self.fmu.enterContinuousTimeMode()

    def update(self) -> None:
        """Discrete states."""
        _ = self.fmu.updateDiscreteStates() if self.is_new else self.fmu.newDiscreteStates()

    def get(self, names: list[str]) -> Any:
        references = [self.reference[name] for name in names]
        return np.array(self.fmu.getFloat64(references) if self.is_new else self.fmu.getReal(references))

    def set(self, name: str, value: float) -> None:
        if name == "time":
            self.fmu.setTime(value)
        elif self.is_new:
            self.fmu.setFloat64([self.reference[name]], [value])
        else:
            self.fmu.setReal([self.reference[name]], [value])

    def moved(self, name: str, value: float, unknowns: list[str]) -> Any:
        """Unknowns with another value of something, which counts as an event where it is none of a state."""
        before = float(self.get([name])[0])
        self.fmu.enterEventMode()
        self.set(name, value)
        self.update()
        self.fmu.enterContinuousTimeMode()
        found = self.get(unknowns)
        self.fmu.enterEventMode()
        self.set(name, before)
        self.update()
        self.fmu.enterContinuousTimeMode()
        return found

    def differences(self, known: str, unknowns: list[str]) -> Any:
        here = float(self.get([known])[0])
        high = self.moved(known, here + WAY, unknowns)
        return (high - self.moved(known, here - WAY, unknowns)) / (2.0 * WAY)

    def directional(self, unknowns: list[str], knowns: list[str], seed: list[float]) -> Any:
        ask = self.fmu.getDirectionalDerivative
        places = [[self.reference[name] for name in names] for names in (unknowns, knowns)]
        return np.array(ask(*places, seed))

    def adjoint(self, unknowns: list[str], knowns: list[str], seed: list[float]) -> Any:
        places = [[self.reference[name] for name in names] for names in (unknowns, knowns)]
        return np.array(self.fmu.getAdjointDerivative(*places, seed, len(knowns)))

    def close(self) -> None:
        self.fmu.terminate()
        self.fmu.freeInstance()


KNOWNS = [*(f"x[{k}]" for k in range(4)), "u[0]", "u[1]", "a", "b", "time"]
UNKNOWNS = [*(f"der(x[{k}])" for k in range(4)), *(f"z[{k}]" for k in range(3)), "y[0]", "y[1]", "c", "d", "x[1]"]


def check(seed: int, version: str, folder: Path) -> None:
    """All derivatives of a random model."""
    rng = np.random.default_rng(seed)
    component = random_model(seed)
    exported = tg.export_fmu(component, folder / "random.fmu", version=version, kind=("me",), stop=0.1, arrays=False)
    model = Model(exported.path, folder / "unzipped")
    for name, value in zip(KNOWNS[:6], rng.uniform(-0.9, 0.9, 6), strict=True):
        model.set(name, value)
    model.set("time", 0.7)
    model.fmu.enterEventMode()
    model.update()
    model.fmu.enterContinuousTimeMode()
    matrix = np.stack([model.directional(UNKNOWNS, [name], [1.0]) for name in KNOWNS], axis=1)
    expected = np.stack([model.differences(name, UNKNOWNS) for name in KNOWNS], axis=1)
    assert np.abs(matrix - expected).max() <= CLOSE * max(1.0, np.abs(expected).max())
    direction = rng.normal(size=len(KNOWNS))
    together = model.directional(UNKNOWNS, KNOWNS, list(direction))
    np.testing.assert_allclose(together, matrix @ direction, rtol=0.0, atol=1e-12 * np.abs(matrix).sum())
    if version == "3.0":
        weights = rng.normal(size=len(UNKNOWNS))
        found = model.adjoint(UNKNOWNS, KNOWNS, list(weights))
        np.testing.assert_allclose(found, weights @ matrix, rtol=0.0, atol=1e-12 * np.abs(matrix).sum())
    model.close()


@pytest.mark.parametrize(("seed", "version"), [(1, "3.0"), (2, "2.0")])
def test_derivatives_of_random_models_are_those_of_differences(seed: int, version: str, tmp_path: Path) -> None:
    check(seed, version, tmp_path)


def test_derivatives_are_those_of_linearize(tmp_path: Path) -> None:
    """At the initial values, with states and inputs: A, B, C and D."""
    component = random_model(7)
    expected = tg.linearize(component)
    exported = tg.export_fmu(component, tmp_path / "random.fmu", kind=("me",), stop=0.1, arrays=False)
    flags = exported.description.model_exchange
    assert flags is not None
    assert (flags.directional_derivatives, flags.adjoint_derivatives) == (True, True)
    model = Model(exported.path, tmp_path / "unzipped")
    unknowns = [*(f"der({name})" for name in expected.states), *expected.outputs]
    knowns = [*expected.states, *expected.inputs]
    found = np.stack([model.directional(unknowns, [name], [1.0]) for name in knowns], axis=1)
    whole = np.block([[expected.A, expected.B], [expected.C, expected.D]])
    np.testing.assert_allclose(found, whole, rtol=0.0, atol=1e-13 * np.abs(whole).max())
    model.close()


class Delayed(tg.Component):
    """A signal that comes late, and an event."""

    u = tg.input()
    x = tg.variable(start=1.0, fixed=True)
    late = tg.variable()

    def equations(self) -> Iterator[Any]:
        """A lag with feedback of the past."""
        yield self.late == tg.delay(self.x, 0.1)
        yield tg.der(self.x) == self.u - 2.0 * self.late - self.x


def test_what_is_not_known_is_refused(tmp_path: Path) -> None:
    exported = tg.export_fmu(Delayed(), tmp_path / "delayed.fmu", kind=("me",), stop=0.5, arrays=False)
    model = Model(exported.path, tmp_path / "unzipped")
    assert model.directional(["der(x)"], ["x"], [1.0]) == pytest.approx([-1.0])
    assert model.directional(["der(x)"], ["u"], [1.0]) == pytest.approx([1.0])
    for unknown, known in (("der(x)", "time"), ("x", "der(x)"), ("x", "late")):
        with pytest.raises(Exception, match="irectionalDerivative"):
            model.directional([unknown], [known], [1.0])
    model.close()
