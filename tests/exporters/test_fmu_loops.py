"""Loops in exported FMUs: points that an importer's integrator tries, in any order, with a solution or without one."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from exporters.whole_examples import example
from tellegen.errors import ExportError

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("ziglang")


class Root(tg.Component):
    """A loop that has a solution where x is not negative."""

    x = tg.variable(start=1.0, fixed=True)
    root = tg.variable(start=1.0)
    low = tg.boolean()

    def equations(self) -> Iterator[Any]:
        """root is the square root of x."""
        yield self.root**2 == self.x
        yield tg.der(self.x) == -self.root
        yield self.low == (self.root < 0.1)


def test_a_point_without_a_solution_stays_one_whatever_is_asked(tmp_path: Path) -> None:
    """Before, the second question was answered with the numbers of the point before, as if nothing had happened."""
    exported = tg.export_fmu(Root(), tmp_path / "root.fmu", kind="me", stop=1.0)
    read = fmpy.read_model_description(str(exported.path))
    assert read.modelExchange.needsCompletedIntegratorStep
    model = fmpy.fmi3.FMU3Model(
        guid=read.guid,
        modelIdentifier=read.modelExchange.modelIdentifier,
        unzipDirectory=fmpy.extract(str(exported.path), unzipdir=str(tmp_path / "root")),
        instanceName="root",
    )
    model.instantiate()
    model.enterInitializationMode()
    model.exitInitializationMode()
    model.updateDiscreteStates()
    model.enterContinuousTimeMode()
    numbers = np.zeros(1)
    pointer = numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    root = next(each.valueReference for each in read.modelVariables if each.name == "root")

    def at(x: float) -> None:
        numbers[0] = x
        model.setContinuousStates(pointer, 1)

    for ask in (
        lambda: model.getContinuousStateDerivatives(pointer, 1),
        lambda: model.getEventIndicators(pointer, 1),
        lambda: model.getFloat64([root]),
    ):
        at(4.0)
        assert model.getFloat64([root])[0] == pytest.approx(2.0, rel=1e-9)
        at(-1.0)
        for _ in range(2):
            with pytest.raises(fmpy.fmi1.FMICallException, match="discard"):
                model.getContinuousStateDerivatives(pointer, 1)
        with pytest.raises(fmpy.fmi1.FMICallException, match="discard"):
            ask()
    at(9.0)
    assert model.getFloat64([root])[0] == pytest.approx(3.0, rel=1e-9)
    model.terminate()
    model.freeInstance()


def test_loops_of_valves_that_close(tmp_path: Path) -> None:
    """IDA ends this run, and the Rosenbrock method does not solve its loops; FMPy's CVODE gives up at the first point
    that it cannot evaluate, so loops have to be followed to where they have a solution."""
    model = example("pneumatic_cylinder:Axis")
    with pytest.warns(UserWarning, match="stiff"):
        exported = tg.export_fmu(model, tmp_path / "axis.fmu", stop=0.5)
    assert exported.solver == "rk45"
    expected = tg.simulate(model, 0.5, rtol=1e-8)["load.s"][-1]
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(str(exported.path), fmi_type=kind, stop_time=0.5, output=["load.s"])
        assert found["load.s"][-1] == pytest.approx(expected, rel=1e-6), kind


class Cubic(tg.Component):
    """Three solutions at first, of which the lowest ends where slope * t is 0.385; and nothing that is integrated."""

    slope = tg.parameter(0.3)
    y = tg.variable(start=-1.0)

    def equations(self) -> Iterator[Any]:
        """A curve with a fold."""
        yield self.y**3 - self.y == self.slope * tg.time


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_loops_without_states_are_followed(tmp_path: Path, kind: str) -> None:
    exported = tg.export_fmu(Cubic(), tmp_path / "cubic.fmu", kind="me" if kind == "ModelExchange" else "cs")
    found = fmpy.simulate_fmu(str(exported.path), fmi_type=kind, stop_time=1.0, output=["y"])
    roots = [min(np.roots([1.0, 0.0, -1.0, -0.3 * t]).real) for t in found["time"]]
    np.testing.assert_allclose(found["y"], roots, atol=1e-8)


def test_loops_without_states_whose_solution_ends_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no states, and a loop whose solution ends") as caught:
        tg.export_fmu(Cubic(slope=0.6), tmp_path / "cubic.fmu")
    assert caught.value.code == "E443"
