"""Arrays and aliases in the descriptions of exported FMUs: one variable for an array, one number for all its names."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.importers.fmu.archive_files import open_fmu
from tellegen.importers.fmu.evaluations import Evaluated
from tellegen.importers.fmu.fmu_use import FmuUse

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

STOP = 2.0
RTOL = 1e-6


class Masses(tg.Component):
    """Three masses with springs between them, pushed by an input each, and a matrix of gains."""

    force = tg.input("N", shape=3)
    k = tg.parameter([1.0, 2.0, 3.0], "N/m", shape=3)
    m = tg.parameter(1.0, "kg")
    gain = tg.parameter([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]], "1/m", shape=(2, 3))
    x = tg.variable("m", start=[0.1, 0.2, 0.3], fixed=True, shape=3)
    v = tg.variable("m/s", start=0.0, fixed=True, shape=3)
    y = tg.output("1", shape=2)
    last = tg.variable("m", description="the same as x[2]")

    def equations(self) -> Iterator[Any]:
        """Newton's law of each, and what is measured."""
        for i in range(3):
            yield tg.der(self.x[i]) == self.v[i]
            before = self.x[i - 1] if i else 0.0 * self.x[0]
            yield self.m * tg.der(self.v[i]) == self.force[i] - self.k[i] * (self.x[i] - before)
        for row in range(2):
            yield self.y[row] == sum(self.gain[row, i] * self.x[i] for i in range(3))
        yield self.last == self.x[2]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tg.ExportedFmu:
    """FMI 3.0."""
    return tg.export_fmu(Masses(), tmp_path_factory.mktemp("arrays") / "masses.fmu", stop=STOP)


def test_arrays_are_one_variable_with_dimensions(exported: tg.ExportedFmu) -> None:
    assert validation.validate_fmu(str(exported.path)) == []
    read = fmpy.read_model_description(str(exported.path))
    by_name = {each.name: each for each in read.modelVariables}
    shapes = {name: tuple(by_name[name].shape) for name in ("force", "k", "gain", "x", "v", "der(x)", "der(v)", "y")}
    assert shapes == dict.fromkeys(("force", "k", "x", "v", "der(x)", "der(v)"), (3,)) | {"gain": (2, 3), "y": (2,)}
    assert [float(value) for value in by_name["gain"].start.split()] == [1.0, 2.0, 0.0, 0.0, 1.0, 3.0]
    assert by_name["der(x)"].derivative is by_name["x"]
    assert "x[0]" not in by_name
    dependencies = {each.variable.name: {d.name for d in each.dependencies} for each in read.outputs}
    assert dependencies == {"y": {"x", "gain"}}


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_an_importer_reads_and_sets_arrays(exported: tg.ExportedFmu, kind: str) -> None:
    given = {"x": [0.3, 0.0, -0.1], "k": [2.0, 1.0, 4.0], "gain": [0.0, 1.0, 1.0, 2.0, 0.0, 0.0]}
    found = fmpy.simulate_fmu(
        str(exported.path),
        fmi_type=kind,
        start_values=given,
        output=["x", "y", "last"],
        output_interval=0.1,
        relative_tolerance=0.01 * RTOL,
    )
    initial = {f"x[{i}]": value for i, value in enumerate(given["x"])}
    here = tg.simulate(
        Masses(k=given["k"], gain=np.reshape(given["gain"], (2, 3))), stop=STOP, initial=initial, rtol=0.01 * RTOL
    )
    for i in range(3):
        np.testing.assert_allclose(found["x"][:, i], here.at(found["time"])[f"x[{i}]"], atol=10.0 * RTOL)
    for i in range(2):
        np.testing.assert_allclose(found["y"][:, i], here.at(found["time"])[f"y[{i}]"], atol=10.0 * RTOL)
    assert (found["last"] == found["x"][:, 2]).all()


def dependencies(model: Any, reference: int, names: dict[int, str]) -> set[tuple[int, str, int]]:
    """What elements of a variable depend on: element, name and element of another; FMPy's own call asks a class."""
    count = ctypes.c_size_t()
    model.fmi3GetNumberOfVariableDependencies(model.component, reference, ctypes.byref(count))
    elements, others = ((ctypes.c_size_t * count.value)() for _ in range(2))
    references = (ctypes.c_uint32 * count.value)()
    kinds = (ctypes.c_int * count.value)()
    model.fmi3GetVariableDependencies(model.component, reference, elements, references, others, kinds, count.value)
    return {(element, names[of], other) for element, of, other in zip(elements, references, others, strict=True)}


def test_derivatives_by_arrays_are_those_of_their_elements(exported: tg.ExportedFmu, tmp_path: Path) -> None:
    read = fmpy.read_model_description(str(exported.path))
    reference = {each.name: each.valueReference for each in read.modelVariables}
    model = fmpy.fmi3.FMU3Model(
        guid=read.guid,
        modelIdentifier=read.modelExchange.modelIdentifier,
        unzipDirectory=fmpy.extract(str(exported.path), unzipdir=str(tmp_path)),
        instanceName="masses",
    )
    model.instantiate()
    model.enterInitializationMode()
    model.exitInitializationMode()
    unknowns = [reference["der(v)"], reference["y"]]
    columns = [model.getDirectionalDerivative(unknowns, [reference["x"]], list(row), 5) for row in np.eye(3)]
    rates = np.array([[-1.0, 0.0, 0.0], [2.0, -2.0, 0.0], [0.0, 3.0, -3.0]])
    gains = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]])
    np.testing.assert_allclose(np.transpose(columns), np.vstack([rates, gains]), atol=1e-12)
    rows = [model.getAdjointDerivative(unknowns, [reference["x"]], list(row), 3) for row in np.eye(5)]
    np.testing.assert_allclose(rows, np.vstack([rates, gains]), atol=1e-12)
    names = {value: name for name, value in reference.items()}
    assert dependencies(model, reference["der(v)"], names) == {
        *((i, "force", i) for i in (1, 2, 3)),
        *((i, "x", i) for i in (1, 2, 3)),
        *((2, "x", 1), (3, "x", 2)),
        *((i, "k", i) for i in (1, 2, 3)),
        (0, "m", 1),
    }
    model.terminate()
    model.freeInstance()


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_other_names_of_a_value_are_aliases(tmp_path: Path, version: str) -> None:
    class Branch(tg.Component):
        i = tg.variable("mA", start=1.0, fixed=True)
        same = tg.variable("A", description="the same current")
        other_way = tg.variable("A")
        small = tg.variable("A", max=1.0)
        tau = tg.parameter(1.0, "s")

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.i) == -self.i / self.tau
            yield self.same == self.i
            yield self.other_way == -self.i
            yield self.small == self.i

    exported = tg.export_fmu(Branch(), tmp_path / "branch.fmu", version=version, stop=STOP)
    assert validation.validate_fmu(str(exported.path)) == []
    variables = {each.name: each for each in exported.description.variables}
    if version == "3.0":
        assert [(alias.name, alias.description) for alias in variables["i"].aliases] == [("same", "the same current")]
        assert "same" not in variables
    else:
        assert variables["same"].reference == variables["i"].reference
    assert variables["other_way"].reference != variables["i"].reference
    assert variables["small"].reference != variables["i"].reference
    found = fmpy.simulate_fmu(str(exported.path), output=["i", "same", "other_way"], output_interval=0.5)
    assert (found["same"] == found["i"]).all()
    assert (found["other_way"] == -found["i"]).all()
    imported = tg.simulate(tg.read_fmu(exported.path, variables=["same"])(), stop=STOP)
    assert imported["same"][-1] == pytest.approx(1e-3 * np.exp(-STOP), rel=10 * RTOL)


def test_elements_may_stay_variables(tmp_path: Path) -> None:
    exported = tg.export_fmu(Masses(), tmp_path / "masses.fmu", stop=STOP, arrays=False)
    names = {each.name for each in exported.description.variables}
    assert {"x[0]", "der(x[2])", "gain[1,2]"} <= names
    assert not any(each.dimensions for each in exported.description.variables)


def test_arrays_are_read_again(exported: tg.ExportedFmu) -> None:
    class Driven(tg.Component):
        masses = tg.read_fmu(exported.path, kind="me")(k=[2.0, 2.0, 2.0])

        def equations(self) -> Iterator[Any]:
            for i in range(3):
                yield self.masses.force[i] == 0.1 * i

    class Own(tg.Component):
        masses = Masses(k=[2.0, 2.0, 2.0])

        def equations(self) -> Iterator[Any]:
            for i in range(3):
                yield self.masses.force[i] == 0.1 * i

    there = tg.simulate(Driven(), stop=STOP)
    here = tg.simulate(Own(), stop=STOP)
    for i in range(2):
        assert there[f"masses.y[{i}]"][-1] == pytest.approx(float(here[f"masses.y[{i}]"][-1]), rel=10 * RTOL)
    poles = [np.sort_complex(tg.linearize(each).eigenvalues) for each in (Driven(), Own())]
    np.testing.assert_allclose(*poles, atol=1e-12)  # by the FMU's own derivatives, by all elements of arrays at once


def test_elements_of_arrays_depend_on_what_the_library_says(exported: tg.ExportedFmu) -> None:
    """The description says of whole arrays only that they depend on others."""
    use = FmuUse(open_fmu(exported.path), "me")
    layout = use.layouts[Evaluated.DERIVATIVES]  # x, v, then force, after time
    assert layout.depends == ((0, 4), (0, 5), (0, 6), (0, 1, 7), (0, 1, 2, 8), (0, 2, 3, 9))
