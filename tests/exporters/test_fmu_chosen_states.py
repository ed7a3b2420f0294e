"""Exported models that choose their states while they run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
pytest.importorskip("ziglang")

STOP = 4.0
RTOL = 1e-7
NAMES = ("x", "y", "vx", "vy", "pull")


class Pendulum(tg.Component):
    """Once over the top and around: neither x nor y can be the state all the time."""

    length = tg.parameter(1.0, "m")
    g = tg.parameter(9.81, "m/s2")
    x = tg.variable("m", start=0.6, fixed=True)
    y = tg.variable("m", start=-0.8)
    vx = tg.variable("m/s", start=6.0, fixed=True)
    vy = tg.variable("m/s")
    pull = tg.variable("1/s2")

    def equations(self) -> Iterator[Any]:
        """A point on a rod."""
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.vx) == -self.pull * self.x
        yield tg.der(self.vy) == -self.pull * self.y - self.g
        yield self.x**2 + self.y**2 == self.length**2


@pytest.fixture(scope="module", params=["3.0", "2.0"])
def pendulum(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tg.ExportedFmu:
    path = tmp_path_factory.mktemp("fmu") / "pendulum.fmu"
    return tg.export_fmu(Pendulum(), path, stop=STOP, rtol=RTOL, version=request.param)


def test_both_ways_follow_the_pendulum_around(pendulum: tg.ExportedFmu) -> None:
    path = str(pendulum.path)
    assert validation.validate_fmu(path) == []
    here = tg.simulate(Pendulum(), STOP, rtol=1e-10, points=81)
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(
            path, fmi_type=kind, stop_time=STOP, output_interval=STOP / 80, output=NAMES, relative_tolerance=RTOL
        )
        at = here.at(np.minimum(found["time"], STOP))
        assert min(here["x"]) < -0.9
        for name in NAMES:  # errors of fmpy's CVODE after each restart, and the growth of errors over the top
            off = np.abs(found[name] - at[name]).max() / np.abs(at[name]).max()
            assert off < (1e-5 if kind == "CoSimulation" else 1e-3), (kind, name)
        rod = found["x"] ** 2 + found["y"] ** 2
        assert np.abs(rod - 1.0).max() < 1e-8


def test_a_state_is_restored_with_the_choice_it_was_saved_with(pendulum: tg.ExportedFmu, tmp_path: Path) -> None:
    description = fmpy.read_model_description(str(pendulum.path))
    unzipped = fmpy.extract(str(pendulum.path), unzipdir=str(tmp_path))
    references = [each.valueReference for each in description.modelVariables if each.name in NAMES]

    def instance() -> Any:
        made = fmpy.fmi3.FMU3Slave if pendulum.version == "3.0" else fmpy.fmi2.FMU2Slave
        identifier = description.coSimulation.modelIdentifier
        slave = made(guid=description.guid, modelIdentifier=identifier, unzipDirectory=unzipped, instanceName="one")
        slave.instantiate()
        if pendulum.version == "2.0":
            slave.setupExperiment(startTime=0.0, stopTime=STOP)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        return slave

    def values(slave: Any) -> list[float]:
        return list(slave.getFloat64(references) if pendulum.version == "3.0" else slave.getReal(references))

    first, second = instance(), instance()
    is_new = pendulum.version == "3.0"
    for k in range(60):  # in each of these a state that was saved goes on in the other instance
        first.doStep(0.05 * k, 0.05)
        content = (
            first.serializeFMUState(first.getFMUState()) if is_new else first.serializeFMUstate(first.getFMUstate())
        )
        state = second.deserializeFMUState(content) if is_new else second.deSerializeFMUstate(content)
        (second.setFMUState if is_new else second.setFMUstate)(state)
        first.doStep(0.05 * k + 0.05, 0.01)
        second.doStep(0.05 * k + 0.05, 0.01)
        assert values(first) == values(second)
        state = first.deserializeFMUState(content) if is_new else first.deSerializeFMUstate(content)
        (first.setFMUState if is_new else first.setFMUstate)(state)
    for each in (first, second):
        each.terminate()
        each.freeInstance()
