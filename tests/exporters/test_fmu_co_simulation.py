"""What Co-Simulation of FMI 3.0 has besides steps: event mode, early return, intermediate updates; enumerations."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tellegen as tg

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

IMPACT = math.sqrt(2.0 / 9.81)  # of a fall of one metre


class Ball(tg.Component):
    """A ball that is falling or rising."""

    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    way = tg.enumeration(["falling", "rising"], start="falling")

    def equations(self) -> Iterator[Any]:
        """Free fall and impact."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.x < 0, tg.reinit(self.v, -0.5 * tg.pre(self.v)), self.way == "rising")


class Opened(NamedTuple):
    """An instance in step mode, and the references of its variables."""

    slave: Any
    reference: dict[str, int]

    def value(self, name: str) -> float:
        """Of a variable, now."""
        return float(self.slave.getFloat64([self.reference[name]])[0])

    def close(self) -> None:
        self.slave.terminate()
        self.slave.freeInstance()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tg.ExportedFmu:
    """The ball."""
    return tg.export_fmu(Ball(), tmp_path_factory.mktemp("ball") / "ball.fmu", stop=1.0)


def opened(exported: tg.ExportedFmu, folder: Path, **options: Any) -> Opened:
    description = fmpy.read_model_description(str(exported.path))
    if not (folder / "modelDescription.xml").exists():  # several instances have one library
        fmpy.extract(str(exported.path), unzipdir=str(folder))
    slave = fmpy.fmi3.FMU3Slave(
        guid=description.guid,
        modelIdentifier=description.coSimulation.modelIdentifier,
        unzipDirectory=str(folder),
        instanceName="ball",
    )
    slave.instantiate(**options)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    if options.get("eventModeUsed"):
        slave.updateDiscreteStates()
        slave.enterStepMode()
    return Opened(slave, {each.name: each.valueReference for each in description.modelVariables})


def test_with_event_mode_a_step_ends_at_the_event(exported: tg.ExportedFmu, tmp_path: Path) -> None:
    ball = opened(exported, tmp_path, eventModeUsed=True, earlyReturnAllowed=True)
    is_event, terminates, is_early, reached = ball.slave.doStep(0.0, 0.6)
    assert (is_event, terminates, is_early) == (True, False, True)
    assert reached == pytest.approx(IMPACT, rel=1e-6)
    before = ball.value("v")
    assert before == pytest.approx(-9.81 * IMPACT, rel=1e-6)
    ball.slave.enterEventMode()
    ball.slave.updateDiscreteStates()
    assert ball.value("v") == pytest.approx(-0.5 * before, rel=1e-6)
    assert list(ball.slave.getInt64([ball.reference["way"]])) == [1]
    ball.slave.enterStepMode()
    is_event, _, is_early, end = ball.slave.doStep(reached, 0.6 - reached)
    assert (is_event, is_early, end) == (False, False, 0.6)
    at_once = opened(exported, tmp_path / "other")
    at_once.slave.doStep(0.0, 0.6)
    assert ball.value("x") == pytest.approx(at_once.value("x"), rel=1e-9)
    ball.close()
    at_once.close()


def test_an_importer_sees_intermediate_points_and_may_return_there(exported: tg.ExportedFmu, tmp_path: Path) -> None:
    seen: list[float] = []

    def look(_environment: Any, time: float, *flags: Any) -> None:
        seen.append(time)
        returns, until = flags[-2:]
        returns[0] = len(seen) == 1
        until[0] = time

    ball = opened(exported, tmp_path, earlyReturnAllowed=True, intermediateUpdate=look)
    _, _, is_early, reached = ball.slave.doStep(0.0, 0.6)
    assert is_early
    assert reached == seen[0] == pytest.approx(IMPACT, rel=1e-6)
    _, _, is_early, reached = ball.slave.doStep(reached, 0.6 - reached)
    assert (is_early, reached, seen[-1]) == (False, 0.6, 0.6)
    ball.close()


def test_enumerations_are_types_with_their_names(exported: tg.ExportedFmu) -> None:
    assert validation.validate_fmu(str(exported.path)) == []
    description = fmpy.read_model_description(str(exported.path))
    (kind,) = description.typeDefinitions
    assert [(item.name, int(item.value)) for item in kind.items] == [("falling", 0), ("rising", 1)]
    found = fmpy.simulate_fmu(str(exported.path), fmi_type="CoSimulation", output=["way"], output_interval=0.1)
    assert [int(value) for value in found["way"]] == [int(time > IMPACT) for time in found["time"]]


class Swing(tg.Component):
    """A pendulum."""

    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Gravity."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -tg.sin(self.x)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_the_proposed_tolerance_is_for_importers(tmp_path: Path, version: Any) -> None:
    """Co-Simulation integrates with rtol where it is asked for what the FMU proposes, else as it is asked to."""
    exported = tg.export_fmu(Swing(), tmp_path / "swing.fmu", version=version, stop=20.0, rtol=1e-4)
    assert exported.description.experiment.tolerance == 1e-7

    def ends(tolerance: float) -> float:
        found = fmpy.simulate_fmu(
            str(exported.path),
            fmi_type="CoSimulation",
            stop_time=20.0,
            output_interval=20.0,
            output=["x"],
            relative_tolerance=tolerance,
        )
        return float(found["x"][-1])

    assert ends(1e-7) == ends(1e-4)
    assert ends(0.9e-7) != ends(1e-4)


class MemoryInUse(ctypes.Structure):
    """What the C library says of its memory (mallinfo2)."""

    _fields_ = [(f"field{k}", ctypes.c_size_t) for k in range(10)]

    @classmethod
    def now(cls) -> int:
        """Bytes that are allocated."""
        ask = ctypes.CDLL(None).mallinfo2
        ask.restype = cls
        return int(ask().field7)


def steps_of(ball: Opened, count: int) -> float:
    """So many steps of a millisecond, a second at a time, with states saved and restored; the last height."""
    for k in range(count):
        if k % 1000 == 0:
            ball.slave.reset()
            ball.slave.enterInitializationMode()
            ball.slave.exitInitializationMode()
        ball.slave.doStep((k % 1000) * 1e-3, 1e-3)
        if k % 10 == 0:
            state = ball.slave.getFMUState()
            ball.slave.setFMUState(state)
            ball.slave.freeFMUState(state)
    return ball.value("x")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="asks the GNU C library")
def test_steps_leave_no_memory_and_instances_and_threads_agree(exported: tg.ExportedFmu, tmp_path: Path) -> None:
    # benchmarks/fmi/soak.py does a million steps
    balls = [opened(exported, tmp_path) for _ in range(20)]
    height = steps_of(balls[0], 500)
    before = MemoryInUse.now()
    assert steps_of(balls[0], 5500) == height
    assert MemoryInUse.now() - before < 20_000  # a byte lost in every call would be more, and states are larger
    assert {steps_of(ball, 500) for ball in balls} == {height}
    found: list[float] = []
    threads = [threading.Thread(target=lambda ball=ball: found.append(steps_of(ball, 2500))) for ball in balls[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [height, height]
    for ball in balls:
        ball.close()


@pytest.mark.parametrize(("time", "step"), [(0.0, -0.1), (0.0, math.nan), (5.0, 0.1), (math.nan, 0.1)])
def test_steps_that_lead_nowhere_are_errors(exported: tg.ExportedFmu, tmp_path: Path, time: float, step: float) -> None:
    """Backwards, not numbers, or from where the model does not stand; one of no length does nothing."""
    ball = opened(exported, tmp_path)
    ball.slave.doStep(0.0, 0.0)
    assert ball.value("x") == 1.0
    with pytest.raises(Exception, match="fmi3DoStep failed"):
        ball.slave.doStep(time, step)
    ball.close()


def test_steps_are_as_tight_as_the_errors_of_a_run_ask_for(tmp_path: Path) -> None:
    """A pendulum that begins near its upper equilibrium: fifty tolerances off, with steps of the tolerance itself."""

    class Upright(tg.Component):
        phi = tg.variable(start=0.1, fixed=True)
        w = tg.variable(start=0.0, fixed=True)
        fast = tg.variable(start=0.1, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.phi) == self.w
            yield tg.der(self.w) == tg.sin(self.phi)
            yield tg.der(self.fast) == 1e4 * (self.phi - self.fast)
            yield tg.region(self.phi < 6.0, "nearly around")

    with pytest.warns(UserWarning, match="nearly around") as warned:
        exported = tg.export_fmu(
            Upright(), tmp_path / "upright.fmu", kind=("cs",), stop=15.0, rtol=1e-6, solver="rodas"
        )
    assert len(warned) == 1  # there were two runs
    found = fmpy.simulate_fmu(str(exported.path), output=["phi"], stop_time=15.0, output_interval=1.0)
    with pytest.warns(UserWarning, match="nearly around"):
        exact = tg.simulate(Upright(), stop=15.0, rtol=1e-11).at(found["time"])["phi"]
    assert abs(found["phi"] - exact).max() < 1e-5 * abs(exact).max()
