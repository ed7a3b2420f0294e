"""Exported FMUs, read and run by fmpy: an importer that knows nothing of Tellegen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
import pytest

import tellegen as tg
from tellegen.errors import ExportError
from tellegen.exporters.binaries.objects import with_rounded_products
from tellegen.exporters.binaries.platforms import PLATFORMS

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

STOP = 1.0
RTOL = 1e-6
NAMES = ("x", "v", "count", "y", "k", "held")


class Hopper(tg.Component):
    """A ball with a counter of bounces, a sampled height, a loop that is not linear and an input."""

    u = tg.input("m/s2", "push")
    length = tg.parameter(1.0, "m")
    y = tg.output("1", "what is measured")
    g = tg.parameter(9.81, "m/s2", "gravity")
    e = tg.parameter(0.8, "1", "restitution", min=0.0, max=1.0)
    twice = tg.parameter(2.0 * g, "m/s2")
    x = tg.variable("mm", start=1000.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    k = tg.variable("1", start=0.5)
    count = tg.integer("bounces so far")
    held = tg.variable("m", discrete=True)

    def equations(self) -> Iterator[Any]:
        """Free fall and impact, a sampled height, a cubic."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u - self.g
        yield self.k + 0.1 * self.k**3 == (self.x + self.held) / self.length
        yield self.y == self.k + self.twice / self.g
        yield tg.when(self.x < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.count == tg.pre(self.count) + 1)
        yield tg.when(tg.sample(0.0, 0.13), self.held == self.x)


class Fmus(NamedTuple):
    """The model, its run here, and its FMUs by version."""

    model: Any
    solution: tg.Solution
    exported: dict[str, tg.ExportedFmu]


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> Fmus:
    """Both versions, for this machine."""
    folder = tmp_path_factory.mktemp("fmus")
    model = tg.compile(Hopper())
    exported = {
        version: tg.export_fmu(model, folder / f"hopper{version[0]}.fmu", version=version, stop=STOP)
        for version in ("2.0", "3.0")
    }
    return Fmus(model, tg.simulate(model, stop=STOP, points=201), exported)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_an_importer_finds_nothing_wrong(fmus: Fmus, version: str) -> None:
    path = str(fmus.exported[version].path)
    assert validation.validate_fmu(path) == []
    description = fmpy.read_model_description(path)
    by_name = {each.name: each for each in description.modelVariables}
    x = by_name["x"]
    assert (x.unit, x.displayUnit, float(x.start)) == ("m", "mm", 1.0)
    assert (by_name["g"].causality, by_name["twice"].causality) == ("parameter", "calculatedParameter")
    assert (by_name["u"].causality, by_name["y"].causality) == ("input", "output")
    assert by_name["count"].variability == "discrete"
    assert by_name["der(x)"].derivative is by_name["x"]
    assert float(description.defaultExperiment.stopTime) == STOP


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_an_importer_computes_what_we_do(fmus: Fmus, version: str, kind: str) -> None:
    found = simulated(fmus.exported[version], kind)
    ticks = found["time"] / 0.13
    away = np.abs(ticks - np.round(ticks)) > 1e-6  # at a tick either side of the jump is right
    grid = away & (np.abs(found["time"] - np.round(found["time"], 2)) < 1e-9)
    assert grid.sum() > 80
    for name in NAMES:
        here = fmus.solution.at(np.minimum(found["time"][grid], STOP))[name]
        here = here * (1e-3 if name == "x" else 1.0)
        off = np.abs(found[name][grid] - here)
        assert off.max() <= 10.0 * RTOL * max(np.abs(here).max(), 1.0), name


def test_parameters_and_starts_are_those_of_the_importer(fmus: Fmus) -> None:
    given = {"g": 1.62, "x": 0.5, "e": 0.5}
    found = simulated(fmus.exported["3.0"], "CoSimulation", given)
    here = tg.simulate(fmus.model, stop=STOP, parameters={"g": 1.62, "e": 0.5}, initial={"x": 500.0})
    for name, scale in (("x", 1e-3), ("v", 1.0), ("y", 1.0)):
        assert found[name][-1] == pytest.approx(float(here[name][-1]) * scale, rel=10 * RTOL), name


def test_inputs_change_at_communication_points(fmus: Fmus) -> None:
    force = np.array([(0.0, 0.0), (0.2, 0.0), (0.2, 4.0), (1.0, 4.0)], dtype=[("time", float), ("u", float)])
    found = simulated(fmus.exported["3.0"], "CoSimulation", input=force)
    fall = 1.0 - 0.5 * 9.81 * 0.2**2
    t = 0.1
    expected = fall - 9.81 * 0.2 * t - 0.5 * (9.81 - 4.0) * t**2
    assert np.interp(0.3, found["time"], found["x"]) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_saved_state_continues_bit_by_bit(fmus: Fmus, version: str, tmp_path: Path) -> None:
    path = str(fmus.exported[version].path)
    description = fmpy.read_model_description(path)
    references = [each.valueReference for each in description.modelVariables if each.name in ("x", "v", "y")]
    unzipped = fmpy.extract(path, unzipdir=str(tmp_path))
    slave = instance(unzipped, description, version)
    advance(slave, 0.0, 40)
    state = slave.getFMUState() if version == "3.0" else slave.getFMUstate()
    serialize = slave.serializeFMUState if version == "3.0" else slave.serializeFMUstate
    content = serialize(state)
    advance(slave, 0.4, 40)
    first = floats(slave, references, version)
    (slave.setFMUState if version == "3.0" else slave.setFMUstate)(state)
    assert serialize(state) == content
    advance(slave, 0.4, 40)
    assert floats(slave, references, version) == first
    other = instance(unzipped, description, version)
    restored = other.deserializeFMUState(content) if version == "3.0" else other.deSerializeFMUstate(content)
    (other.setFMUState if version == "3.0" else other.setFMUstate)(restored)
    advance(other, 0.4, 40)
    assert floats(other, references, version) == first
    for each in (slave, other):
        each.terminate()
        each.freeInstance()


def test_the_same_model_gives_the_same_bytes(fmus: Fmus, tmp_path: Path) -> None:
    again = tg.export_fmu(tg.compile(Hopper()), tmp_path / "again.fmu", stop=STOP)
    assert again.path.read_bytes() == fmus.exported["3.0"].path.read_bytes()
    assert "FMI 3.0" in repr(again)
    assert again.sizes[next(iter(again.sizes))] < 300_000


def test_a_stiff_model_gets_the_rosenbrock_method(tmp_path: Path) -> None:
    class Stiff(tg.Component):
        x = tg.variable(start=2.0, fixed=True)
        y = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == self.y
            yield tg.der(self.y) == 1000.0 * (1.0 - self.x**2) * self.y - self.x

    exported = tg.export_fmu(Stiff(), tmp_path / "stiff.fmu", stop=1000.0)
    assert exported.solver == "rodas"
    found = fmpy.simulate_fmu(str(exported.path), fmi_type="CoSimulation", output=["x"], output_interval=50.0)
    here = tg.simulate(Stiff(), stop=1000.0)
    off = np.abs(found["x"] - here.at(found["time"])["x"])
    assert np.sort(off)[-3] < 1e-4  # but for the fast transition, whose instant is as exact as the tolerance


def test_initial_equations_are_solved_for_the_parameters_of_the_importer(tmp_path: Path) -> None:
    class Settled(tg.Component):
        u = tg.parameter(2.0)
        x = tg.variable()
        z = tg.variable(start=1.0)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == self.u - self.z
            yield self.z + self.z**3 == 2.0 * self.x

        def initial_equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 0.5

    exported = tg.export_fmu(Settled(), tmp_path / "settled.fmu", stop=STOP)
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(
            str(exported.path), fmi_type=kind, start_values={"u": 3.0}, output=["x", "z"], output_interval=0.1
        )
        assert found["z"][0] == pytest.approx(2.5, rel=1e-9)
        assert found["x"][0] == pytest.approx((2.5 + 2.5**3) / 2.0, rel=1e-9)
        here = tg.simulate(Settled(), STOP, parameters={"u": 3.0})
        assert found["x"][-1] == pytest.approx(float(here["x"][-1]), rel=1e-5)


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_a_model_may_end_the_run(tmp_path: Path, kind: str) -> None:
    class Filling(tg.Component):
        level = tg.variable("m", start=0.0, fixed=True)
        rate = tg.parameter(1.0, "m/s")
        full = tg.parameter(0.503, "m")

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.level) == self.rate
            yield tg.when(self.level > self.full, tg.terminate("full"))

    exported = tg.export_fmu(Filling(), tmp_path / "filling.fmu", stop=STOP)
    found = fmpy.simulate_fmu(str(exported.path), fmi_type=kind, output=["level"], output_interval=0.01)
    assert 0.5 <= found["time"][-1] <= 0.52


def test_what_needs_python_is_refused(tmp_path: Path) -> None:
    @tg.function
    def opaque(x: float) -> float:
        return x if x > 0 else 0.0

    class Calls(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == -opaque(self.x)

    with pytest.raises(ExportError, match="opaque") as refused:
        tg.export_fmu(Calls(), tmp_path / "calls.fmu")
    assert refused.value.code == "E442"


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("E440", {"version": "1.0"}),
        ("E440", {"kind": ("se",)}),
        ("E441", {"solver": "cvode"}),
        ("E447", {"platforms": "linux32"}),
        ("E447", {"platforms": ()}),
    ],
)
def test_what_there_is_not_is_refused(fmus: Fmus, tmp_path: Path, code: str, options: dict[str, Any]) -> None:
    with pytest.raises(ExportError) as refused:
        tg.export_fmu(fmus.model, tmp_path / "no.fmu", **options)
    assert refused.value.code == code


def simulated(exported: tg.ExportedFmu, kind: str, given: dict[str, float] | None = None, input: Any = None) -> Any:
    """A run by fmpy with the tolerance that the FMU proposes; Model Exchange with its CVODE."""
    return fmpy.simulate_fmu(
        str(exported.path),
        fmi_type=kind,
        stop_time=STOP,
        output_interval=0.01,
        output=NAMES,
        start_values=given or {},
        input=input,
    )


def instance(unzipped: str, description: Any, version: str, heard: list[tuple[str, str]] | None = None) -> Any:
    """A slave of Co-Simulation, initialized; its messages are added to those heard."""
    made = fmpy.fmi3.FMU3Slave if version == "3.0" else fmpy.fmi2.FMU2Slave
    slave = made(
        guid=description.guid,
        modelIdentifier=description.coSimulation.modelIdentifier,
        unzipDirectory=unzipped,
        instanceName="one",
    )
    slave.instantiate(**({} if heard is None else listener(heard, version)))
    if version == "2.0":
        slave.setupExperiment(startTime=0.0, stopTime=STOP)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    return slave


def listener(heard: list[tuple[str, str]], version: str) -> dict[str, Any]:
    """A logger that reads no further arguments."""
    if version == "3.0":
        return {"logMessage": lambda *said: heard.append((said[-2].decode(), said[-1].decode()))}
    default = fmpy.fmi2.defaultCallbacks
    logger = fmpy.fmi2.fmi2CallbackLoggerTYPE(lambda *said: heard.append((said[3].decode(), said[4].decode())))
    others = (default.allocateMemory, default.freeMemory, default.stepFinished, default.componentEnvironment)
    return {"callbacks": fmpy.fmi2.fmi2CallbackFunctions(logger, *others)}


def advance(slave: Any, start: float, steps: int) -> None:
    for k in range(steps):
        slave.doStep(start + 0.01 * k, 0.01)


def floats(slave: Any, references: list[int], version: str) -> list[float]:
    return list(slave.getFloat64(references) if version == "3.0" else slave.getReal(references))


def test_products_are_rounded_on_every_platform() -> None:
    """A processor that fuses a product and a sum would take other steps than the rest."""
    text = """
        declare double @llvm.fmuladd.f64(double, double, double)
        define double @f(double %a, double %b, double %c) {
          %d = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
          ret double %d
        }
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(PLATFORMS["linux-aarch64"].triple).create_target_machine(opt=2)
    assembly = [machine.emit_assembly(llvm.parse_assembly(each)) for each in (text, with_rounded_products(text))]
    assert ["fmadd" in each for each in assembly] == [True, False]
    assert "fmul" in assembly[1]


def test_room_for_work_takes_no_room_in_the_library(tmp_path: Path) -> None:
    """Dense factors of 240 unknowns alone would be 460 kB."""

    class Rod(tg.Component):
        T = tg.variable("K", start=300.0, fixed=True, shape=80)
        flow = tg.variable("W", shape=81)
        law = tg.variable("1", start=1.0, shape=79)
        g = tg.parameter(1.0, "W/K")
        c = tg.parameter(1.0, "J/K")
        T_0 = tg.parameter(300.0, "K")

        def equations(self) -> Iterator[Any]:
            yield self.flow[0] == 1.0
            yield self.flow[80] == 0.0
            for k in range(79):
                yield self.law[k] + 0.01 * self.law[k] ** 3 == self.T[k] / self.T_0 + 0.01 * self.law[max(k - 1, 0)]
                yield self.flow[k + 1] == self.g * (self.T[k] - self.T[k + 1]) * self.law[k]
            for k in range(80):
                yield self.c * tg.der(self.T[k]) == self.flow[k] - self.flow[k + 1]

    exported = tg.export_fmu(Rod(), tmp_path / "rod.fmu", stop=STOP, solver="rodas")
    assert next(iter(exported.sizes.values())) < 400_000
    found = fmpy.simulate_fmu(str(exported.path), fmi_type="CoSimulation", output=["T"], output_interval=0.1)
    here = tg.simulate(Rod(), stop=STOP)
    assert found["T"][-1, 0] == pytest.approx(float(here["T[0]"][-1]), rel=10 * RTOL)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_messages_reach_importers_that_read_the_first_text_alone(fmus: Fmus, tmp_path: Path, version: str) -> None:
    path = str(fmus.exported[version].path)
    description = fmpy.read_model_description(path)
    heard: list[tuple[str, str]] = []
    slave = instance(fmpy.extract(path, unzipdir=str(tmp_path)), description, version, heard)
    slave.setDebugLogging(True, ["logEvents"])
    advance(slave, 0.0, 60)
    assert ("logEvents", "event") in heard
    with pytest.raises(fmpy.fmi1.FMICallException):
        floats(slave, [99999], version)
    assert heard[-1][0] == "logStatusError"
    assert "cannot be accessed" in heard[-1][1]
    slave.terminate()
    slave.freeInstance()


def test_delays_that_vary_and_pipes(tmp_path: Path) -> None:
    """x' = -x(t/2) (its series: test_varying_delays.py), and a step that enters a pipe at 1 s and leaves it at 3 s."""

    class Carried(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        s = tg.variable(start=0.0, fixed=True)
        z = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == -tg.delay(self.x, 0.5 * tg.time, 10.0)
            yield tg.der(self.s) == 0.5
            yield tg.der(self.z) == tg.transport(tg.where(tg.time > 1.0, 1.0, 0.0), 0.0, self.s, tg.time >= 0.0).out1

    exported = tg.export_fmu(Carried(), tmp_path / "carried.fmu", stop=5.0, rtol=1e-8)
    for kind, allowed in (("CoSimulation", 1e-8), ("ModelExchange", 2e-5)):
        found = fmpy.simulate_fmu(str(exported.path), fmi_type=kind, output=["x", "z"], output_interval=0.05)
        assert found["x"][-1] == pytest.approx(0.02795797822, abs=allowed)
        assert found["z"][-1] == pytest.approx(2.0, abs=allowed)


def test_steps_longer_than_a_delay_are_warned_of(tmp_path: Path) -> None:
    class Delayed(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == -tg.delay(self.x, 0.1)

    exported = tg.export_fmu(Delayed(), tmp_path / "delayed.fmu", stop=STOP, kind=("me",))
    description = fmpy.read_model_description(str(exported.path))
    heard: list[tuple[str, str]] = []
    model = fmpy.fmi3.FMU3Model(
        guid=description.guid,
        modelIdentifier=description.modelExchange.modelIdentifier,
        unzipDirectory=fmpy.extract(str(exported.path), unzipdir=str(tmp_path / "unzipped")),
        instanceName="one",
    )
    model.instantiate(**listener(heard, "3.0"))
    model.enterInitializationMode()
    model.exitInitializationMode()
    model.enterContinuousTimeMode()
    for t in (0.05, 0.15):
        model.setTime(t)
        model.completedIntegratorStep()
    assert not heard
    model.setTime(0.3)
    model.completedIntegratorStep()
    assert "longer than a delay" in heard[-1][1]
    model.terminate()
    model.freeInstance()


class Wärme(tg.Component):
    """Größen „mit“ <Umlauten> & 'quotes'."""

    größe = tg.variable(start=1.0, fixed=True)
    Ω = tg.parameter(2.0, "1/s", 'a <tag> & "quotes" 日本語')

    def equations(self) -> Any:
        yield tg.der(self.größe) == -self.Ω * self.größe


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_names_in_all_letters_are_flat(version: Any, tmp_path: Path) -> None:
    path = tmp_path / "names.fmu"
    tg.export_fmu(Wärme(), path, version=version)
    assert validation.validate_fmu(str(path)) == []
    found = fmpy.simulate_fmu(str(path), stop_time=1.0, output=["größe"], start_values={"Ω": 3.0})
    assert found["größe"][-1] == pytest.approx(np.exp(-3.0), rel=1e-4)
