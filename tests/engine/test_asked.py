"""What a run is asked for: times, points, tolerances, names, as users write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen import units
from tellegen.errors import LanguageError


class Tank(tg.Component):
    h = tg.variable("m", "level", start=1.0, fixed=True)
    k = tg.parameter(2.0, "1/s")

    def equations(self):
        yield tg.der(self.h) == -self.k * self.h


class Two(tg.Component):
    tanks = Tank.array(2)


class Swing(tg.Component):
    x = tg.variable("m", start=1.0)
    v = tg.variable("m/s")
    c = tg.parameter(0.37, "1/s2")

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -self.c * self.x


@pytest.fixture(scope="module")
def tank() -> Any:
    return tg.compile(Tank())


@pytest.mark.parametrize(
    "points", [0.01, 10.5, 1, -5, [], [0.5, 2.0], [-0.1, 0.5], [0.5, 0.2], [0.5, 0.5], "50", True, None, [[0.1, 0.2]]]
)
def test_points_that_are_none(tank: Any, points: Any) -> None:
    with pytest.raises(LanguageError, match="E184"):
        tank.simulate(1.0, points=points)


@pytest.mark.parametrize(
    ("run", "code"),
    [
        ({"parameters": {"k": 10**400}}, "E122"),
        ({"initial": {"h": 10**400}}, "E122"),
        ({"rtol": 10**400}, "E182"),
        ({"atol": 10**400}, "E182"),
        ({"points": 10**400}, "E184"),
        ({"start": -(10**400)}, "E181"),
        ({"max_steps": 10**400}, "E192"),
    ],
)
def test_numbers_larger_than_any_float(tank: Any, run: dict[str, Any], code: str) -> None:
    with pytest.raises(LanguageError, match=code):
        tank.simulate(1.0, **run)
    with pytest.raises(LanguageError, match="E122"):
        Tank(k=10**400)


@pytest.mark.parametrize(
    ("points", "times"),
    [
        (3, [0.0, 0.5, 1.0]),
        (3.0, [0.0, 0.5, 1.0]),
        (np.int64(3), [0.0, 0.5, 1.0]),
        ([0.25, 0.5], [0.0, 0.25, 0.5]),
        ([0.0, 1.0], [0.0, 1.0]),
        (np.array([0.1, 1.0 + 1e-13]), [0.0, 0.1, 1.0]),
        (range(2), [0.0, 1.0]),
    ],
)
def test_points_are_the_start_and_exactly_these(tank: Any, points: Any, times: list[float]) -> None:
    assert tank.simulate(1.0, points=points).time.tolist() == times


def test_times_are_seconds_or_texts(tank: Any) -> None:
    solution = tank.simulate("500 ms", start="0.1 s")
    assert (solution.time[0], solution.time[-1]) == (0.1, 0.5)
    assert solution.at("200 ms")["h"] == pytest.approx(float(solution.at(0.2)["h"]))
    assert len(solution.at(["200 ms", 0.3])) == 2
    for t in ("2 m", "soon", None, [None], np.nan):
        with pytest.raises(LanguageError, match="E186"):
            solution.at(t)


@pytest.mark.parametrize("stop", ["20 m", "soon", np.inf, np.nan, -1.0, [1.0]])
def test_ends_that_are_none(tank: Any, stop: Any) -> None:
    with pytest.raises(LanguageError, match="E181"):
        tank.simulate(stop)


@pytest.mark.parametrize("tolerance", [{"rtol": 0.5}, {"rtol": "1e-3"}, {"rtol": 0}, {"atol": -1}, {"rtol": np.nan}])
def test_tolerances_that_are_none(tank: Any, tolerance: dict[str, Any]) -> None:
    with pytest.raises(LanguageError, match="E182"):
        tank.simulate(1.0, **tolerance)


@pytest.mark.parametrize(
    ("keyword", "meant"), [("t_end", "stop"), ("tol", "rtol"), ("stopp", "stop"), ("params", "parameters")]
)
def test_keywords_that_do_not_exist(tank: Any, keyword: str, meant: str) -> None:
    for simulate in (tank.simulate, lambda *args, **more: tg.simulate(Tank(), *args, **more)):
        with pytest.raises(LanguageError, match=f"E173.*perhaps you meant '{meant}'"):
            simulate(**{keyword: 1.0})
    with pytest.raises(LanguageError, match="E173"):
        tg.linearize(Tank(), input="k")  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("value", [None, np.nan, [1.0, None], "two"])
def test_values_that_are_no_numbers(tank: Any, value: Any) -> None:
    with pytest.raises(LanguageError, match=r"E12[12]"):
        tank.simulate(1.0, parameters={"k": value})


def test_names_are_texts(tank: Any) -> None:
    solution = tank.simulate(1.0, points=5)
    for wrong in (0, None, ("h", "k")):
        with pytest.raises(LanguageError, match="E174"):
            solution[wrong]
    with pytest.raises(LanguageError, match="E174"):
        solution.plot(3)
    assert 0 not in solution


def test_a_list_of_names_counts_as_its_members(tank: Any, tmp_path: Path) -> None:
    solution = tank.simulate(1.0, points=5)
    assert len(solution.plot(["h", "der(h)"]).axes) == 2
    assert list(solution.to_pandas(["h", "k"])) == ["h", "k"]
    solution.to_csv(tmp_path / "h.csv", ["h"])
    assert (tmp_path / "h.csv").read_text().startswith("time [s],h [m]\n")
    one = tg.linearize(tank, inputs="k", outputs="h")
    assert (one.inputs, one.outputs) == (("k",), ("h",))


@pytest.mark.parametrize("write", ["to_csv", "to_netcdf"])
def test_files_that_cannot_be_written(tank: Any, tmp_path: Path, write: str) -> None:
    solution = tank.simulate(1.0, points=5)
    with pytest.raises(tg.ExportError, match="E404") as caught:
        getattr(solution, write)(tmp_path / "none" / "h")
    assert caught.value.location is not None
    assert caught.value.location.file == __file__


def test_legends_are_names_of_the_solution() -> None:
    solution = tg.simulate(Two(), 1.0, points=5)
    labels = [line.get_label() for line in solution.plot("tanks.h", "tanks[1].h").axes[0].get_lines()]
    assert labels == ["tanks[0].h", "tanks[1].h", "tanks[1].h"]
    assert all(label in solution for label in labels)


def test_a_mode_without_damping_lasts_for_ever() -> None:
    linear = tg.linearize(Swing())
    (mode,) = linear.modes
    assert (mode.eigenvalue.real, mode.damping, mode.time_constant) == (0.0, 0.0, np.inf)
    assert not linear.stable


def test_rounding_is_no_damping() -> None:
    from tellegen.analyses.linearization.modes import without_rounding

    values = without_rounding([1e-17 + 1j, -1e-3 + 1j, -2.0])
    assert values.tolist() == [1j, -1e-3 + 1j, -2.0]


def test_what_pint_calls_nm_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until 0.25 it is the count of a yarn, from 0.26 on unknown; to us it is a torque."""
    known = units.registry()

    class Later:
        def Unit(self, text: str) -> Any:
            if text == "Nm":
                raise ValueError(text)
            return known.Unit(text)

        def __contains__(self, text: str) -> bool:
            return text != "Nm" and text in known

    for registry in (known, Later()):
        monkeypatch.setattr(units, "registry", lambda registry=registry: registry)
        with pytest.raises(units.UnitTextError, match="'Nm/Foo' is not a unit: 'Foo' is unknown"):
            units.parse_unit("Nm/Foo")
