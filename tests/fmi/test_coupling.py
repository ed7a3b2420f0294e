"""Masters of Co-Simulation, on two masses that were cut between their springs: orders, step-size control, refusals."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from fmi.fmu_sources import write_fmu
from tellegen.fmi.archive import Archive
from tellegen.fmi.read_description import read_description
from tellegen.importers.fmu.archive_files import open_fmu
from tellegen.importers.fmu.fmu_use import FmuUse

LINKS = [("left.x", "right.x_other"), ("right.x", "left.x_other")]
STOP = 2.0
K = 4.0
COUPLING = 2.5


class Mass(tg.Component):
    """A mass of 1 kg between a spring to the wall and one to the other mass, whose position is an input."""

    x_other = tg.input("m")
    x = tg.output("m")
    v = tg.output("m/s")
    x0 = tg.parameter(0.0, "m")
    position = tg.variable("m", start=0.0)
    speed = tg.variable("m/s", start=0.0, fixed=True)

    def initial_equations(self) -> Any:
        yield self.position == self.x0

    def equations(self) -> Any:
        yield tg.der(self.position) == self.speed
        yield tg.der(self.speed) == -K * self.position - COUPLING * (self.position - self.x_other)
        yield self.x == self.position
        yield self.v == self.speed


def closed(t: Any) -> Any:
    """The position of the left mass, which begins at 1 m while the right one is at rest: two modes."""
    return 0.5 * (np.cos(np.sqrt(K) * t) + np.cos(np.sqrt(K + 2.0 * COUPLING) * t))


@pytest.fixture(scope="module", params=["3.0", "2.0"])
def path(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mass") / "mass.fmu"
    tg.export_fmu(Mass(), path, version=request.param, stop=STOP, rtol=1e-10, kind=("cs",))
    return path


def error(path: Path, step: float, **options: Any) -> float:
    """Of the left mass, the largest of a run."""
    pair = tg.couple_fmus({"left": path, "right": path}, LINKS, **options)
    found = tg.simulate(pair(left_x0=1.0, communication_step=step), stop=STOP, points=8)
    return deviation(found, step)


def deviation(found: Any, step: float) -> float:
    """From the closed solution at the last communication points before output times."""
    times = np.arange(1, 7) * STOP / 7.0
    points = step * np.floor(times / step)
    rows = np.searchsorted(found.time, times - 1e-9)
    return float(np.abs(found["left_x"][rows] - closed(points)).max())


@pytest.mark.parametrize("master", ["jacobi", "gauss-seidel"])
@pytest.mark.parametrize(("extrapolation", "order"), [("constant", 1), ("linear", 2)])
def test_orders_of_convergence(path: Path, master: Any, extrapolation: Any, order: int) -> None:
    errors = [error(path, step, master=master, extrapolation=extrapolation) for step in (0.04, 0.02, 0.01)]
    found = np.log2(np.array(errors[:-1]) / errors[1:])
    assert found == pytest.approx(order, abs=0.15)


def test_second_order_is_more_accurate(path: Path) -> None:
    first = error(path, 0.01, extrapolation="constant")
    second = error(path, 0.01, extrapolation="linear")
    assert second < 0.05 * first


@pytest.mark.parametrize("master", ["jacobi", "gauss-seidel"])
def test_steps_are_as_small_as_the_tolerance_needs(path: Path, master: Any) -> None:
    """The error of a run follows the tolerance, whatever the communication step."""
    errors = [error(path, 0.2, master=master, extrapolation="linear", rtol=rtol) for rtol in (1e-4, 1e-6)]
    assert error(path, 0.2, master=master, extrapolation="linear") > 1e-2
    assert errors[0] < 5e-3
    assert errors[1] < 1e-4
    assert errors[1] < 0.1 * errors[0]


def test_an_fmu_that_cannot_go_back_is_refused(path: Path, tmp_path: Path) -> None:
    archive = Archive(path)
    description = read_description(archive.read("modelDescription.xml"), "mass")
    assert description.co_simulation is not None
    forgetful = replace(description, co_simulation=replace(description.co_simulation, keeps_state=False))
    other = write_fmu(tmp_path / "forgetful.fmu", forgetful, library_of(path))
    with pytest.raises(tg.FmuError, match=r"forgetful\.fmu \('right'\) cannot save its state"):
        tg.couple_fmus({"left": path, "right": other}, LINKS, rtol=1e-4)
    assert error_of_both(path, other) < 0.1


def library_of(path: Path) -> bytes:
    """The library of an FMU."""
    use = FmuUse(open_fmu(path), "cs")
    return use.file.library_path(use.interface).read_bytes()


def error_of_both(path: Path, other: Path) -> float:
    """Without a tolerance every FMU will do."""
    pair = tg.couple_fmus({"left": path, "right": other}, LINKS)
    return deviation(tg.simulate(pair(left_x0=1.0, communication_step=0.01), stop=STOP, points=8), 0.01)


def test_mistakes(path: Path) -> None:
    with pytest.raises(tg.FmuError, match="'seidel' is not known"):
        tg.couple_fmus({"left": path}, [], master="seidel")  # type: ignore[arg-type]
    with pytest.raises(tg.FmuError, match="there is no part 'middle'"):
        tg.couple_fmus({"left": path}, [("middle.x", "left.x_other")])
    with pytest.raises(tg.FmuError, match="'left' has no input 'x'"):
        tg.couple_fmus({"left": path}, [("left.x", "left.x")])
    with pytest.raises(tg.FmuError, match=r"'left\.v' is in m/s, 'right\.x_other' in m"):
        tg.couple_fmus({"left": path, "right": path}, [("left.v", "right.x_other")])
    with pytest.raises(tg.FmuError, match=r"rtol=0\.0 is no accuracy"):
        tg.couple_fmus({"left": path}, [], rtol=0.0)


def test_components_are_pickled(path: Path) -> None:
    pair = tg.couple_fmus({"left": path, "right": path}, LINKS)
    again = pickle.loads(pickle.dumps(pair(left_x0=1.0, communication_step=0.05)))
    assert tg.simulate(again, stop=0.1)["left_x"][-1] == pytest.approx(closed(0.1), abs=0.01)
