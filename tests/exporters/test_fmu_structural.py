"""FMUs with structural parameters: what an importer chooses in configuration mode is the model of that size."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from fmi.fmu_sources import write_fmu
from tellegen.fmi.description import Dimension, ModelDescription, ModelExchange, Variable

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")
fmi3 = pytest.importorskip("fmpy.fmi3")

STOP = 2.0
SIZES = (2, 5)  # with different code: the loops of small models are written out
KINDS = (1, 3)


class Cell(tg.Component):
    """Follows its left neighbour."""

    left = tg.input()
    k = tg.parameter(2.0)
    T = tg.variable(start=1.0, fixed=True)
    q = tg.variable(start=0.5, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Two states, which stand apart from those of the other cells."""
        yield tg.der(self.T) == self.k * (self.left - self.T) + self.q
        yield tg.der(self.q) == -self.q


class Chain(tg.Component):
    """An array of components, a matrix, and balls that bounce."""

    n = tg.parameter(SIZES[0], structural=True)
    m = tg.parameter(KINDS[0], structural=True)
    cells = Cell.array(n)
    gain = tg.parameter(1.0, shape=(n, m))
    h = tg.variable(shape=n, start=1.0, fixed=True)
    w = tg.variable(shape=n, start=0.0, fixed=True)
    y = tg.output(shape=m)

    def equations(self) -> Iterator[Any]:
        """All have the size n or m."""
        yield self.cells[0].left == 3.0
        if self.n > 1:
            yield self.cells[1:].left == self.cells[:-1].T
        for j in range(self.m):
            yield self.y[j] == (j + 1) * sum(self.gain[i, j] * self.cells[i].T for i in range(self.n))
        for i in range(self.n):
            yield tg.der(self.h[i]) == self.w[i]
            yield tg.der(self.w[i]) == -9.81 * (1.0 + 0.1 * i)
            yield tg.when(self.h[i] < 0.0, tg.reinit(self.w[i], -0.8 * tg.pre(self.w[i])))


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tg.ExportedFmu:
    path = tmp_path_factory.mktemp("structural") / "chain.fmu"
    return tg.export_fmu(Chain(), path, stop=STOP, rtol=1e-8, structural={"n": SIZES, "m": KINDS})


class Slave:
    """An instance in FMPy."""

    def __init__(self, exported: tg.ExportedFmu, folder: str) -> None:
        read = fmpy.read_model_description(str(exported.path))
        self.references = {each.name: each.valueReference for each in read.modelVariables}
        interface = read.coSimulation.modelIdentifier
        self.fmu = fmi3.FMU3Slave(guid=read.guid, unzipDirectory=folder, modelIdentifier=interface, instanceName="one")
        self.fmu.instantiate()

    def configure(self, **sizes: int) -> None:
        self.fmu.enterConfigurationMode()
        for name, value in sizes.items():
            self.fmu.setUInt64([self.references[name]], [value])
        self.fmu.exitConfigurationMode()

    def run(self, stop: float = STOP) -> None:
        self.fmu.enterInitializationMode(startTime=0.0)
        self.fmu.exitInitializationMode()
        self.fmu.enterStepMode()
        self.fmu.doStep(currentCommunicationPoint=0.0, communicationStepSize=stop)

    def numbers(self, name: str, count: int) -> np.ndarray:
        return np.array(self.fmu.getFloat64([self.references[name]], nValues=count))


@pytest.fixture(scope="module")
def folder(exported: tg.ExportedFmu) -> str:
    return str(fmpy.extract(str(exported.path)))


def expected(n: int, m: int) -> dict[str, np.ndarray]:
    """The last values here, under the names of the FMU."""
    run = tg.simulate(Chain(n=n, m=m), stop=STOP, rtol=1e-8)
    last = {"cells.T": [run[f"cells[{i}].T"][-1] for i in range(n)], "h": [run[f"h[{i}]"][-1] for i in range(n)]}
    return {name: np.array(values) for name, values in {**last, "y": [run[f"y[{j}]"][-1] for j in range(m)]}.items()}


def test_the_description_has_dimensions_that_are_parameters(exported: tg.ExportedFmu) -> None:
    assert validation.validate_fmu(str(exported.path)) == []
    variables = exported.description.variables
    by_name = {each.name: each for each in variables}
    named = {
        each.name: [variables[d.variable].name for d in each.dimensions if d.variable is not None]
        for each in variables
        if each.dimensions
    }
    assert named["gain"] == ["n", "m"]
    assert named["cells.T"] == named["der(cells.T)"] == named["h"] == named["event_indicators_0"] == ["n"]
    assert named["y"] == ["m"]
    assert by_name["n"].causality == "structuralParameter"
    assert by_name["n"].base == "UInt64"
    assert (by_name["m"].attributes.minimum, by_name["m"].attributes.maximum) == KINDS


def test_an_importer_chooses_sizes(exported: tg.ExportedFmu, folder: str) -> None:
    slave = Slave(exported, folder)
    for n, m in ((SIZES[1], KINDS[1]), (SIZES[0], KINDS[1])):
        slave.configure(n=n, m=KINDS[0])
        slave.configure(m=m)
        slave.run()
        for name, values in expected(n, m).items():
            np.testing.assert_allclose(slave.numbers(name, len(values)), values, atol=1e-6)
        slave.fmu.terminate()
        slave.fmu.reset()
        assert slave.fmu.getUInt64([slave.references["n"]]) == [SIZES[0]]
    slave.fmu.freeInstance()


def test_values_set_before_are_kept_where_they_fit(exported: tg.ExportedFmu, folder: str) -> None:
    slave = Slave(exported, folder)
    slave.fmu.setFloat64([slave.references["gain"]], [2.0] * SIZES[0] * KINDS[0])
    slave.configure(m=KINDS[1])  # gain has other sizes now
    slave.run(1e-3)
    assert slave.numbers("gain", SIZES[0] * KINDS[1]) == pytest.approx(1.0)
    slave.fmu.terminate()
    slave.fmu.reset()
    slave.fmu.setFloat64([slave.references["gain"]], [2.0] * SIZES[0] * KINDS[0])
    slave.configure(n=SIZES[1])
    slave.configure(n=SIZES[0])
    assert slave.numbers("gain", SIZES[0] * KINDS[0]) == pytest.approx(1.0)
    slave.fmu.setFloat64([slave.references["h"]], [5.0] * SIZES[0])
    slave.configure(m=KINDS[1])
    slave.run(1e-3)
    assert slave.numbers("h", SIZES[0]) == pytest.approx(5.0, abs=1e-5)
    slave.fmu.terminate()
    slave.fmu.freeInstance()


def test_what_cannot_be_is_an_error(exported: tg.ExportedFmu, folder: str) -> None:
    slave = Slave(exported, folder)
    n = slave.references["n"]
    for wrong in (
        lambda: slave.configure(n=4),
        lambda: slave.fmu.setUInt64([n], [SIZES[1]]),
        slave.fmu.exitConfigurationMode,
        lambda: slave.fmu.setFloat64([slave.references["h"]], [1.0] * SIZES[1]),
    ):
        with pytest.raises(fmpy.fmi1.FMICallException):
            wrong()
    assert slave.fmu.getUInt64([n]) == [SIZES[0]]
    slave.fmu.enterConfigurationMode()
    with pytest.raises(fmpy.fmi1.FMICallException):
        slave.fmu.setFloat64([slave.references["h"]], [1.0] * SIZES[0])
    slave.fmu.exitConfigurationMode()
    slave.run(1e-3)
    with pytest.raises(fmpy.fmi1.FMICallException):
        slave.fmu.enterConfigurationMode()
    slave.fmu.freeInstance()


def test_states_carry_their_sizes(exported: tg.ExportedFmu, folder: str) -> None:
    small, large = Slave(exported, folder), Slave(exported, folder)
    large.configure(n=SIZES[1])
    for slave in (small, large):
        slave.run(1.0)
    state = small.fmu.getFMUState()
    saved = small.fmu.serializeFMUState(state)
    restored = large.fmu.deserializeFMUState(saved)
    large.fmu.setFMUState(restored)
    assert large.fmu.getUInt64([large.references["n"]]) == [SIZES[0]]
    for slave in (small, large):
        slave.fmu.doStep(currentCommunicationPoint=1.0, communicationStepSize=0.5)
    assert (small.numbers("h", SIZES[0]) == large.numbers("h", SIZES[0])).all()
    for slave, one in ((small, state), (large, restored)):
        slave.fmu.freeFMUState(one)
        slave.fmu.freeInstance()


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_other_sizes_leave_no_memory(exported: tg.ExportedFmu, folder: str) -> None:
    slave = Slave(exported, folder)
    before = 0
    for k in range(1500):
        if k == 300:
            gc.collect()
            before = resident_bytes()
        slave.configure(n=SIZES[k % 2], m=KINDS[k // 2 % 2])
    assert resident_bytes() - before < 400_000  # one image lost each time would be 12 MB
    slave.fmu.freeInstance()


@pytest.mark.parametrize("n", SIZES)
def test_read_back_at_any_size(exported: tg.ExportedFmu, n: int) -> None:
    component = tg.read_fmu(exported.path, structural={"n": n, "m": KINDS[1]}, kind="me")
    found = tg.simulate(pickle.loads(pickle.dumps(component())), stop=STOP, rtol=1e-8)
    for name, values in expected(n, KINDS[1]).items():
        mine = [found[f"{name.replace('.', '_')}[{i}]"][-1] for i in range(len(values))]
        np.testing.assert_allclose(mine, values, atol=1e-6)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 6}, "cannot be 6"),
        ({"n": 2.0}, "cannot be 2.0"),
        ({"k": 2}, "has no structural parameter 'k'"),
    ],
)
def test_wrong_sizes_of_an_import(exported: tg.ExportedFmu, given: dict[str, Any], words: str) -> None:
    with pytest.raises(tg.TellegenError, match=words) as raised:
        tg.read_fmu(exported.path, structural=given)
    assert raised.value.code == "E521"


def test_arrays_without_elements_are_refused(tmp_path: Path) -> None:
    description = ModelDescription(
        version="3.0",
        name="Empty",
        token="{empty}",
        variables=(
            Variable("time", 0, causality="independent"),
            Variable("n", 1, "UInt64", "structuralParameter", "fixed", start=(2,)),
            Variable("k", 2, "Float64", "parameter", "fixed", start=(1.0, 2.0), dimensions=(Dimension(variable=1),)),
        ),
        model_exchange=ModelExchange("Empty"),
    )
    path = tmp_path / "empty.fmu"
    write_fmu(path, description, b"")
    with pytest.raises(tg.TellegenError, match="no elements with these values") as raised:
        tg.read_fmu(path, structural={"n": 0})
    assert raised.value.code == "E521"


class Uneven(tg.Component):
    """One state more than n, or other equations."""

    n = tg.parameter(2, structural=True)
    more = tg.parameter(3, structural=True)
    x = tg.variable(shape=more, start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Decays."""
        yield tg.der(self.x) == -self.x


class Longer(tg.Component):
    """An array of another size than the parameter."""

    n = tg.parameter(2, structural=True)

    def build(self) -> None:
        """A part with one more."""
        self.part = Uneven(more=self.n + 1)


class Switched(tg.Component):
    """Another state above three."""

    n = tg.parameter(2, structural=True)
    x = tg.variable(start=1.0, fixed=True)
    z = tg.variable(start=1.0)

    def equations(self) -> Iterator[Any]:
        """Not a size."""
        yield tg.der(self.x) == -self.x
        yield (self.z if self.n > 3 else tg.der(self.z)) == self.x


@pytest.mark.parametrize(
    ("model", "asked", "words"),
    [
        (Longer(), {"n": (2, 3)}, "part.x has 3 elements where n = 2"),
        (Switched(), {"n": (2, 4)}, r"der\(z\) is a variable at some sizes alone"),
        (Chain(), {"k": (1, 2)}, "'k' is not a structural parameter"),
        (Chain(), {"n": (1.5,)}, "'n' cannot be 1.5"),
        (Chain(), {"n": ()}, "no values of 'n'"),
        (Chain(), {"n": 4}, "not a list"),
        (Chain(), {"n": range(2000)}, "2000 combinations"),
    ],
)
def test_models_in_which_more_than_sizes_differ(tmp_path: Path, model: Any, asked: Any, words: str) -> None:
    with pytest.raises(tg.TellegenError, match=words) as raised:
        tg.export_fmu(model, tmp_path / "model.fmu", structural=asked)
    assert raised.value.code == "E459"


@pytest.mark.parametrize("option", [{"version": "2.0"}, {"arrays": False}])
def test_sizes_need_arrays(tmp_path: Path, option: dict[str, Any]) -> None:
    with pytest.raises(tg.TellegenError, match="E459"):
        tg.export_fmu(Chain(), tmp_path / "model.fmu", structural={"n": SIZES}, **option)
