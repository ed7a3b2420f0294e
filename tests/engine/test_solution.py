"""Solutions: values between the points, derivatives, tables, files, pictures, texts."""

from __future__ import annotations

import gzip
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import tellegen as tg
from analyses.test_linearize import Pendulum
from engine.test_models import RC, Drive, Resonator, Rods
from tellegen.library import electrical as el


class Oscillator(tg.Component):
    x = tg.variable("m", "deflection", start=1.0)
    v = tg.variable("m/s", start=0.0)
    e = tg.variable("m2/s2", "energy")

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -1.0 * self.x
        yield self.e == 1.0 * self.x**2 + self.v**2


def test_between_the_points_the_error_is_that_of_the_run() -> None:
    """Cubics through the points would be off by 1e-5."""
    errors, energies = [], []
    times = np.linspace(0.05, 5.9, 77)
    for points in (25, 49, 97):
        dense = tg.simulate(Oscillator(), 6.0, points=points, rtol=1e-11, atol=1e-13).at(times)
        errors.append(np.abs(dense["x"] - np.cos(times)).max())
        energies.append(np.abs(dense["e"] - dense["x"] ** 2 - dense["v"] ** 2).max())
    assert max(errors) < 1e-10
    assert max(energies) < 1e-10  # algebraic variables obey their equations between the points too


def test_at_an_instant_and_at_many() -> None:
    solution = tg.simulate(Drive(), 2.0)
    now = solution.at(0.777)
    assert now["motor.p.v"] - now["motor.n.v"] == pytest.approx(12.0, rel=1e-12)
    assert now["source.i"] == -now["motor.i"]
    assert now["load.a"] == pytest.approx(now["der(load.w)"])
    assert now["motor.R"] == 2.4
    many = solution.at([0.1, 0.777])
    assert isinstance(many, tg_solution())
    assert many["load.w"][1] == now["load.w"]
    assert many["der(load.w)"].shape == (2,)
    assert many.to_pandas("load.w").index.tolist() == [0.1, 0.777]
    assert solution.at(solution.time[7])["load.w"] == solution["load.w"][7]
    assert solution.at(2.0)["load.w"] == solution["load.w"][-1]
    with pytest.raises(tg.LanguageError, match="E186"):
        solution.at(2.1)


def tg_solution() -> Any:
    from tellegen.engine.results.solution import Solution

    return Solution


def test_switches_between_the_points_are_where_they_are() -> None:
    solution = tg.simulate(RC(source=el.StepVoltage(V=10.0, start_time=1e-3)), 5e-3, points=6)
    for t, voltage in ((0.99e-3, 0.0), (1.01e-3, 10.0), (2.5e-3, 10.0)):
        assert solution.at(t)["source.v"] == voltage


def test_a_snapshot_starts_another_run() -> None:
    whole = tg.simulate(Resonator(), 2e-3, rtol=1e-9)
    rest = tg.simulate(Resonator(), 2e-3, start=1e-3, rtol=1e-9, initial=whole.at(1e-3))
    assert rest["c.v"][-1] == pytest.approx(whole["c.v"][-1], abs=1e-5)


def test_derivatives() -> None:
    solution = tg.simulate(Oscillator(), 6.0, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(solution["der(x)"], -np.sin(solution.time), atol=1e-8)
    np.testing.assert_allclose(solution["der(v)"], -np.cos(solution.time), atol=1e-8)
    assert solution.unit("der(x)") == "m/s"
    assert solution.unit("der(v)") == "m/s2"
    assert "der(x)" in solution
    with pytest.raises(tg.LanguageError, match="E165"):
        solution["der(e)"]
    with pytest.raises(tg.LanguageError, match="E100"):
        solution["der(y)"]


def test_derivatives_made_by_index_reduction() -> None:
    class Shaft(tg.Component):
        a = tg.variable("rad", start=0.0)
        b = tg.variable("rad")
        wa = tg.variable("rad/s", start=1.0)
        wb = tg.variable("rad/s")
        tau = tg.variable("N.m")

        def equations(self) -> Any:
            yield tg.der(self.a) == self.wa
            yield tg.der(self.b) == self.wb
            yield 2.0 * tg.der(self.wa) == -self.tau
            yield 4.0 * tg.der(self.wb) == self.tau - 3.0
            yield self.b == 2.0 * self.a

    solution = tg.simulate(Shaft(), 1.0)
    acceleration = -3.0 / (2.0 + 2.0 * 4.0)
    np.testing.assert_allclose(solution["der(wa)"], acceleration, rtol=1e-9)
    np.testing.assert_allclose(solution["der(b)"], 2.0 * solution["wa"], rtol=1e-9)
    now = solution.at(0.123)
    assert now["a"] == pytest.approx(solution["wa"][0] * 0.123 + 0.5 * acceleration * 0.123**2, abs=1e-6)
    assert now["b"] == pytest.approx(2.0 * now["a"], rel=1e-12)


def test_csv_comes_back_digit_by_digit(tmp_path: Path) -> None:
    solution = tg.simulate(Drive(), 2.0, points=20)
    solution.to_csv(tmp_path / "all.csv")
    table = pd.read_csv(tmp_path / "all.csv")
    assert table.columns[0] == "time [s]"
    assert len(table.columns) == 1 + len(solution.names())
    assert table["load.w [rad/s]"].tolist() == solution["load.w"].tolist()
    solution.to_csv(tmp_path / "some.csv", "load.w", "motor.R", "der(motor.i)")
    table = pd.read_csv(tmp_path / "some.csv")
    assert list(table.columns) == ["time [s]", "load.w [rad/s]", "motor.R [ohm]", "der(motor.i) [A/s]"]


def test_csv_is_the_file_that_pandas_writes(tmp_path: Path) -> None:
    solution = tg.simulate(Drive(), 2.0, points=20)
    solution.unknowns[3, :] = [np.nan, np.inf, 1e-7, *solution.unknowns[3, 3:]][: solution.unknowns.shape[1]]
    solution.to_csv(tmp_path / "ours.csv")
    solution.to_csv(tmp_path / "packed.csv.gz")
    frame = solution.to_pandas().reset_index()
    units = frame.attrs["units"]
    frame.columns = [f"{name} [{units[name]}]" if units[name] else name for name in frame.columns]
    frame.to_csv(tmp_path / "pandas.csv", index=False)
    written = (tmp_path / "ours.csv").read_bytes()
    assert b",," in written
    assert b"inf" in written
    assert written == (tmp_path / "pandas.csv").read_bytes()
    assert gzip.decompress((tmp_path / "packed.csv.gz").read_bytes()) == written


def test_netcdf_and_xarray(tmp_path: Path) -> None:
    solution = tg.simulate(Rods(), 1.0, points=5)
    solution.to_netcdf(tmp_path / "rods.nc")
    with xr.open_dataset(tmp_path / "rods.nc") as back:
        np.testing.assert_array_equal(back["bundle.T"].isel(bundle=1), solution["bundle[1].T"])
        assert back["single.T"].attrs["units"] == "K"
        assert back.attrs["model"] == "Rods"
    assert solution.to_xarray("bundle.T")["bundle.T"].shape == (5, 3, 10)
    assert solution.to_xarray()["bundle.T"].dims == ("time", "bundle", "bundle.T_0")
    assert not [name for name in solution.to_xarray() if "[" in str(name)]


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = tg.simulate(Drive(), 2.0, points=5)
    with monkeypatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda _: None)
        with pytest.raises(tg.ExportError, match=r"tellegen\[parquet\]"):
            solution.to_parquet(tmp_path / "drive.parquet")
    pytest.importorskip("pyarrow")
    solution.to_parquet(tmp_path / "drive.parquet")
    table = pd.read_parquet(tmp_path / "drive.parquet")
    assert table["load.w"].tolist() == solution["load.w"].tolist()
    assert table.attrs["units"]["load.w"] == "rad/s"


def test_pictures() -> None:
    solution = tg.simulate(Drive(), 2.0, points=50)
    figure = solution.plot("motor.i", "source.i", "load.w", "motor.R")
    assert [axis.get_ylabel() for axis in figure.axes] == ["[A]", "[rad/s]", "[ohm]"]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert "angular velocity" in figure.axes[1].get_title(loc="left")
    figure.canvas.draw()
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert legend.get_window_extent().x0 >= figure.axes[0].get_window_extent().x1  # beside, not over the curves
    assert len(solution.plot().axes) >= 2
    assert len(tg.simulate(Rods(), 1.0, points=5).plot("single.T").axes[0].get_lines()) == 10
    assert solution.plot("motor.i", title="Run 1").get_suptitle() == "Run 1"


def test_texts() -> None:
    solution = tg.simulate(Drive(), 2.0, points=50)
    assert "Drive: 50 points to t = 2 s, complete" in repr(solution)
    assert str(solution).splitlines()[1].split() == ["variable", "first", "last", "unit"]
    assert ">motor.i</td>" in solution._repr_html_()
    assert solution.name == "Drive"
    assert solution.success
    assert solution.message == "reached the stop time"
    assert len(solution) == 50


def last_speed(compiled: Any, resistance: float) -> Any:
    return compiled.simulate(2.0, parameters={"motor.R": resistance})


@pytest.mark.slow
def test_process_pool() -> None:
    """Compiled models go to another process, solutions come back."""
    compiled = tg.compile(Drive())
    values = [1.0, 2.4, 5.0]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        far = list(pool.map(last_speed, [compiled] * 3, values))
    for resistance, solution in zip(values, far, strict=True):
        near = compiled.simulate(2.0, parameters={"motor.R": resistance})
        np.testing.assert_array_equal(solution["load.w"], near["load.w"])
        assert solution.at(0.5)["load.w"] == near.at(0.5)["load.w"]


def test_pickles_leave_caches_behind() -> None:
    solution = tg.simulate(Drive(), 2.0, points=50)
    solution["der(motor.i)"]
    again = pickle.loads(pickle.dumps(solution))
    np.testing.assert_array_equal(again["load.w"], solution["load.w"])
    np.testing.assert_array_equal(again["der(motor.i)"], solution["der(motor.i)"])
    assert again.outcome == solution.outcome


def test_between_the_points_where_states_change() -> None:
    """A pendulum through its lowest point, where the height tells nothing about the position."""
    start = {"x": 2.0, "y": 0.0, "vx": 0.0}
    times = np.linspace(0.07, 5.93, 41)
    exact = tg.simulate(Pendulum(), 6.0, initial=start, rtol=1e-9, points=times)
    between = tg.simulate(Pendulum(), 6.0, initial=start, rtol=1e-9, points=400).at(times)
    for name, size in (("x", 2.0), ("y", 2.0), ("vx", 6.0), ("vy", 6.0), ("force", 15.0)):
        np.testing.assert_allclose(between[name], exact[name][1:], atol=2e-6 * size)


def test_an_error_brings_what_was_computed() -> None:
    class Grows(tg.Component):
        x = tg.variable(start=1.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.x**2

    with pytest.raises(tg.NumericError, match="E310") as caught:
        tg.simulate(Grows(), 2.0)
    assert 0.9 < caught.value.solution.time[-1] < 1.01
