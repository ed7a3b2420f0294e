"""Tables in time: against SciPy between the points, exact at the corners, read from files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import interpolate, io

import tellegen as tg
from tellegen.library import blocks
from tellegen.library.blocks.tables.table_data import read_table
from waiting import costs_at_most

TIMES = np.array([0.5, 1.0, 1.75, 3.0, 4.0])
VALUES = np.array([[1.0, 4.0], [2.0, -1.0], [0.0, 0.5], [0.5, 2.0], [1.5, 2.5]])
TABLE = np.column_stack([TIMES, VALUES])


@pytest.mark.parametrize("start", [0.0, 2.2])
@pytest.mark.parametrize("kind", ["linear", "cubic", "akima", "monotone"])
def test_smoothness(kind: str, start: float) -> None:
    run = tg.simulate(
        blocks.CombiTimeTable(table=TABLE, smoothness=kind, verbose_extrapolation=False), 4.0, start=start
    )
    t = np.linspace(max(start, 0.5), 3.999, 97)
    curve: Any = {
        "linear": lambda: interpolate.make_interp_spline(TIMES, VALUES, k=1),
        "cubic": lambda: interpolate.CubicSpline(TIMES, VALUES, bc_type="natural"),
        "akima": lambda: interpolate.Akima1DInterpolator(TIMES, VALUES),
        "monotone": lambda: interpolate.PchipInterpolator(TIMES, VALUES),
    }[kind]()
    # the solution is interpolated by cubics between its rows, so that a curve of straight lines or cubics is exact
    np.testing.assert_allclose(run.at(t)["y"], curve(t), atol=1e-9)


def test_outside() -> None:
    def ends(**how: Any) -> Any:
        run = tg.simulate(blocks.CombiTimeTable(table=TABLE, verbose_extrapolation=False, **how), 6.0)
        return run.at([0.25, 5.0])["y"]

    np.testing.assert_allclose(ends(), [[0.5, 6.5], [2.5, 3.0]], atol=1e-12)
    np.testing.assert_allclose(ends(extrapolation="hold"), [[1.0, 4.0], [1.5, 2.5]], atol=1e-12)
    for t, y in ((0.25, 3.75), (5.0, 1.5)):
        inside = interpolate.make_interp_spline(TIMES, VALUES, k=1)(y)
        run = tg.simulate(blocks.CombiTimeTable(table=TABLE, extrapolation="periodic"), 6.0)
        np.testing.assert_allclose(run.at(t)["y"], inside, atol=1e-12)
    with pytest.raises(tg.NumericError, match=r"the table holds from 0\.5 s to 4 s"):
        tg.simulate(blocks.CombiTimeTable(table=TABLE, extrapolation="error"), 6.0, start=1.0)
    shifted = blocks.CombiTimeTable(table=TABLE, offset=[10.0, 20.0], start_time=1.0, verbose_extrapolation=False)
    late = tg.simulate(shifted, 3.0)
    np.testing.assert_allclose(late.at([0.5, 2.0])["y"], [[10.0, 20.0], [12.0, 19.0]], atol=1e-9)


def test_before_start_time_a_table_is_its_offset() -> None:
    """As the docstring of Table says: start_time switches it on, shift_time alone moves its points."""
    points = {"times": [0.0, 1.0], "values": [3.0, 5.0]}
    late, moved = (tg.simulate(blocks.Table(**points, **{name: 2.0}), 4.0) for name in ("start_time", "shift_time"))
    np.testing.assert_allclose(late.at([1.0, 2.5, 3.5])["y"], [0.0, 4.0, 5.0], atol=1e-9)
    np.testing.assert_allclose(moved.at([1.0, 2.5, 3.5])["y"], [3.0, 4.0, 5.0], atol=1e-9)


def test_corners_and_jumps_are_rows() -> None:
    run = tg.simulate(blocks.Table(times=[0.2, 0.5, 0.5, 1.2], values=[1.0, 2.0, 5.0, -1.0]), 1.5)
    for corner in (0.2, 0.5, 1.2):
        assert np.abs(run.time - corner).min() < 2e-16
    both = run["y"][np.flatnonzero(run.time == 0.5)]
    assert both[0] == pytest.approx(2.0, abs=1e-12)
    assert both[-1] == 5.0


def test_ten_thousand_points_are_no_burden() -> None:
    """Between two corners a table costs the same whatever its length."""

    class Model(tg.Component):
        table = blocks.Table(times=(0.0, 1.0), values=(0.0, 1.0))
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1000.0 * (self.table.y - self.x)

    def compiled(count: int) -> Any:
        times = np.concatenate([[0.0, 1.0], np.linspace(2.0, 3.0, count)])
        return tg.compile(Model(table=blocks.Table(times=times, values=np.sin(times))))

    short, long = compiled(3), compiled(10_000)
    assert costs_at_most(10.0, lambda: long.simulate(0.9), lambda: short.simulate(0.9))


def test_files(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "a.csv", TABLE, delimiter=",", header="time,left,right", comments="")
    np.savetxt(tmp_path / "b.txt", TABLE, header="a comment")
    np.save(tmp_path / "c.npy", TABLE)
    np.savez(tmp_path / "d.npz", other=TABLE[:, :2], curve=TABLE)
    io.savemat(tmp_path / "e.mat", {"other": TABLE[:, :2], "curve": TABLE})
    rows = "\n".join(" ".join(f"{x:.17g}" for x in row) for row in TABLE)
    (tmp_path / "f.txt").write_text(f"#1\ndouble other(2,2)\n0 0\n1 1\ndouble curve(5,3) # two curves\n{rows}\n")
    for name in ("a.csv", "b.txt", "c.npy", "d.npz", "e.mat", "f.txt"):
        curve = "" if name[0] in "abc" else "curve"
        block = blocks.CombiTimeTable(file=tmp_path / name, table_name=curve, verbose_extrapolation=False)
        assert block.columns == 2
        np.testing.assert_array_equal(read_table(tmp_path / name, curve), TABLE)
        np.testing.assert_allclose(tg.simulate(block, 4.0).at(1.5)["y"], [2.0 / 3.0, 0.0], atol=1e-9)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.csv", None, "there is no such file"),
        ("gone.mat", None, "there is no such file"),
        ("odd.csv", "1,2\n3,4,5\n", "its rows have different lengths"),
        ("words.csv", "a,b\n1,2\n3,x\n", "could not convert string to float: 'x'"),
        ("data.xlsx", "", "'.xlsx' files are not known"),
        ("broken.mat", "no matrix at all", "no table could be read"),
        ("two.txt", "#1\ndouble a(2,2)\n0 0 1 1\ndouble b(2,2)\n0 0 1 1\n", "it has 2 matrices"),
        ("thin.csv", "1\n2\n3\n", "a table needs two rows or more and 2 columns"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(tg.LanguageError, match=message) as caught:
        tg.flatten(blocks.CombiTable1D(file=tmp_path / name))
    assert caught.value.code in ("E191", "E702")
    assert caught.value.location is not None
    assert caught.value.advice


def test_tables_travel_down_and_through_subclasses(tmp_path: Path) -> None:
    """A table may be the structural parameter of the component around it; a file may be that of a subclass."""

    class Driven(tg.Component):
        times = tg.parameter((0.0, 1.0), structural=True)
        values = tg.parameter((0.0, 1.0), structural=True)
        table = blocks.Table(times=times, values=values)
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.table.y

    run = tg.simulate(Driven(times=[0.0, 1.0, 2.0], values=[0.0, 2.0, 2.0]), 2.0)
    assert run["x"][-1] == pytest.approx(3.0, abs=1e-6)
    np.savetxt(tmp_path / "curve.csv", [[0.0, 1.0], [2.0, 5.0]], delimiter=",")

    class Own(blocks.CombiTable1D):
        file = tg.parameter(str(tmp_path / "curve.csv"), structural=True)

    assert tg.simulate(Own(u=1.0), 1.0)["y"][-1] == pytest.approx(3.0)


_RAMP = ((0.0, 0.0), (1.0, 1.0), (2.0, 3.0))


def test_a_curve_extended_after_its_last_point_is_warned_of() -> None:
    """It goes on with two per second, which the points do not say."""

    class Alone(tg.Component):
        curves = blocks.CombiTimeTable(table=_RAMP)

    with pytest.warns(UserWarning, match="the table ends at 2 s and is extended with its last slope"):
        solution = tg.simulate(Alone(), 3.0)
    assert solution["curves.y"][-1, 0] == pytest.approx(5.0)
    assert solution.warnings[0].time == pytest.approx(2.0)


@pytest.mark.parametrize(
    "given",
    [
        {"table": _RAMP, "verbose_extrapolation": False},
        {"table": _RAMP, "extrapolation": "hold"},
        {"table": _RAMP, "extrapolation": "periodic"},
        {"table": (*_RAMP, (2.5, 3.0))},
    ],
)
def test_other_ends_are_silent(given: dict[str, object]) -> None:
    class Alone(tg.Component):
        curves = blocks.CombiTimeTable(**given)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tg.simulate(Alone(), 3.0)


def test_a_run_that_stops_at_the_last_point_is_silent() -> None:
    class Alone(tg.Component):
        curves = blocks.CombiTimeTable(table=_RAMP)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tg.simulate(Alone(), 2.0)
