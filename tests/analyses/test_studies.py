"""Studies: designs, outputs, results. The numbers are compared with closed-form solutions and against single runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import scipy.stats
import xarray as xr

import tellegen as tg
from analyses.study_models import Blows, Decay, Ishigami, Steps
from tellegen.analyses.studies.outputs import REDUCTIONS

mpl.use("Agg")
DECAY = tg.compile(Decay())


def peak(solution: tg.Solution) -> Any:
    """The largest value."""
    return solution["x"].max()


def test_a_grid_has_a_dimension_for_each_parameter() -> None:
    study = tg.study(
        DECAY, {"T": [1.0, "500 ms"], "u": [0.0, 2.0, 3.0]}, outputs=["x", "final(x)"], stop=1.0, points=11
    )
    assert study["x"].dims == ("T", "u", "time")
    assert study["x"].attrs == {"units": "V", "description": "what decays"}
    assert study["T"].attrs["units"] == "s"
    T, u, time = study["T"], study["u"], study["time"]
    exact = u + (1.0 - u) * np.exp(-time / T)
    xr.testing.assert_allclose(study["x"], exact.transpose("T", "u", "time"), atol=2e-5)  # rtol 1e-6 of the runs
    assert float(study.data.sel(T=0.5, u=2.0)["final(x)"]) == pytest.approx(2.0 - np.exp(-2.0), abs=1e-5)
    assert (study["outcome"] == "success").all()
    assert study.complete
    assert len(study) == 6


def test_runs_are_those_of_simulate() -> None:
    study = tg.study(DECAY, tg.sobol({"T": (0.5, 2.0), "u": (-1.0, 1.0)}, 16), outputs=["x", peak], stop=2.0)
    for k in range(16):
        values = {name: float(study[name][k]) for name in ("T", "u")}
        alone = DECAY.simulate(2.0, parameters=values)
        assert np.array_equal(study["x"][k], alone["x"])
        assert study["peak"][k] == alone["x"].max()


@pytest.mark.parametrize("executor", ["serial", "threads", "processes"])
def test_every_executor_gives_the_same(executor: str) -> None:
    over = {"T": np.linspace(0.5, 2.0, 1500)}
    study = tg.study(DECAY, over, outputs=["final(x)", peak], stop=1.0, executor=executor, workers=2, points=100)
    assert np.allclose(study["final(x)"], np.exp(-1.0 / over["T"]), atol=1e-5)
    assert (study["peak"] == 1.0).all()


def test_threads_share_what_a_model_remembers() -> None:
    """Every run has another instant, which the model looks up and forgets; half of them lie after the end."""
    model = tg.compile(Steps())
    over = {"at": np.linspace(0.5, 1.5, 1000)}
    study = tg.study(model, over, outputs="final(x)", stop=1.0, executor="threads", workers=4, points=2)
    assert (study["outcome"] == "success").all()
    assert np.allclose(study["final(x)"], np.clip(1.0 - over["at"], 0.0, None), atol=1e-6)


def test_an_executor_of_ones_own() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        study = tg.study(DECAY, {"T": [0.5, 1.0, 2.0]}, outputs="final(x)", stop=1.0, executor=pool)
    assert np.allclose(study["final(x)"], np.exp(-1.0 / np.array([0.5, 1.0, 2.0])), atol=1e-5)


def test_start_values_and_common_values() -> None:
    study = tg.study(DECAY, {"x": [1.0, 4.0]}, outputs=["x", "final(x)"], stop=1.0, parameters={"T": "1 s"})
    assert study["x"].dims == ("start(x)", "time")
    assert np.allclose(study["final(x)"], np.array([1.0, 4.0]) * np.exp(-1.0), atol=1e-5)
    study = tg.study(DECAY, {"T": [1.0, 2.0]}, outputs="final(x)", stop=1.0, initial={"x": 3.0})
    assert np.allclose(study["final(x)"], 3.0 * np.exp(-1.0 / np.array([1.0, 2.0])), atol=1e-5)


def test_a_table_has_a_run_in_each_row() -> None:
    table = pd.DataFrame({"T": [1.0, 2.0], "u": [5.0, 6.0]})
    study = tg.study(DECAY, table, outputs="final(x)", stop=1.0)
    assert study["final(x)"].dims == ("run",)
    frame = study.to_pandas()
    assert list(frame.columns) == ["T", "u", "final(x)", "outcome"]
    assert np.allclose(frame["final(x)"], [5.0 - 4.0 * np.exp(-1.0), 6.0 - 5.0 * np.exp(-0.5)], atol=1e-5)


def test_samples_have_their_distributions() -> None:
    over = {"T": "±10 %", "u": scipy.stats.norm(3.0, 0.5), "x": [1.0, 2.0]}
    for design in (tg.monte_carlo, tg.latin_hypercube, tg.sobol):
        study = tg.study(DECAY, design(over, 512), outputs={"T0": "T"}, stop=0.01, points=2, executor="serial")
        T, u, x = (study[name].values for name in ("T", "u", "start(x)"))
        assert 1.8 <= T.min() < 1.82 < 2.18 < T.max() <= 2.2
        assert np.array_equal(T, study["T0"])  # what the run itself had
        assert np.mean(u) == pytest.approx(3.0, abs=5 * 0.5 / np.sqrt(512))
        assert np.std(u) == pytest.approx(0.5, rel=0.2)
        assert set(x) == {1.0, 2.0}
        assert 200 < (x == 1.0).sum() < 312


def test_a_hypercube_has_one_run_in_each_part() -> None:
    study = tg.study(DECAY, tg.latin_hypercube({"T": (1.0, 2.0)}, 50, seed=3), outputs="final(x)", stop=0.1, points=2)
    assert sorted((50 * (study["T"].values - 1.0)).astype(int)) == list(range(50))


def test_the_same_seed_gives_the_same_runs() -> None:
    designs: list[Any] = [tg.monte_carlo({"T": (1.0, 2.0)}, 5, seed=seed).unit for seed in (1, 1, 2)]
    assert np.array_equal(designs[0], designs[1])
    assert not np.array_equal(designs[0], designs[2])


def test_reductions() -> None:
    outputs = [f"{name}(x)" for name in REDUCTIONS]
    study = tg.study(DECAY, {"T": [1.0]}, outputs=outputs, stop=1.0, points=2001)
    e = np.exp(-1.0)
    exact = {"final": e, "max": 1.0, "min": e, "mean": 1.0 - e, "rms": np.sqrt((1.0 - e**2) / 2.0)}
    for name, value in exact.items():
        assert study[f"{name}(x)"].item() == pytest.approx(value, rel=1e-6), name


def test_curves_with_events_stand_on_one_grid() -> None:
    over = {"at": [0.3, 0.55], "way": ["up", "down"]}
    study = tg.study(Steps(), over, outputs=["y", "mean(y)", "final(x)"], stop=1.0, points=11)
    assert list(study["start(way)"].values) == ["up", "down"]
    assert (
        study["y"].sel({"at": 0.3, "start(way)": "up"}).values.tolist() == [0.0] * 3 + [1.0] * 8
    )  # after the jump at 0.3
    assert study["y"].sel({"at": 0.55, "start(way)": "down"}).values.tolist() == [0.0] * 6 + [-1.0] * 5
    assert np.allclose(study["final(x)"], [[0.7, -0.7], [0.45, -0.45]], atol=1e-9)
    assert np.allclose(study["mean(y)"], study["final(x)"], atol=1e-9)


def test_functions_may_return_arrays() -> None:
    study = tg.study(DECAY, {"T": [1.0, 2.0]}, outputs={"ends": lambda s: s["x"][[0, -1]]}, stop=1.0)
    assert study["ends"].dims == ("T", "ends_0")
    assert np.allclose(study["ends"], [[1.0, np.exp(-1.0)], [1.0, np.exp(-0.5)]], atol=1e-5)


def test_performance_functions_are_outputs() -> None:
    outputs = [tg.final("x"), tg.integral("x") / 2.0]
    study = tg.study(DECAY, {"T": [1.0, 2.0]}, outputs=outputs, stop=1.0)
    assert study.outputs == ("final(x)", "integral(x) / 2")
    T = study["T"].values
    assert np.allclose(study["final(x)"], np.exp(-1.0 / T), atol=1e-5)
    assert np.allclose(study["integral(x) / 2"], T / 2.0 * (1.0 - np.exp(-1.0 / T)), atol=1e-5)


def test_without_outputs_the_states_are_kept() -> None:
    assert tg.study(DECAY, {"T": [1.0]}, stop=1.0).outputs == ("x",)


@pytest.mark.slow
def test_sobol_indices_of_ishigami() -> None:
    """S1 = 0.3139, 0.4424, 0; ST = 0.5576, 0.4424, 0.2437 for a = 7, b = 0.1; 1024 samples are good to some percent."""
    around = (-np.pi, np.pi)
    design = tg.saltelli({"a": around, "b": around, "c": around}, 1024)
    study = tg.study(Ishigami(), design, outputs="final(y)", stop=1.0, points=2)
    found = study.sobol_indices()
    assert found["S1"].to_numpy() == pytest.approx([0.3139, 0.4424, 0.0], abs=0.03)
    assert found["ST"].to_numpy() == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.03)
    assert (found["S1 ±"] > 0.0).all()
    assert len(found.plot().axes[0].patches) == 6
    assert "SobolIndices of final(y)" in repr(found)


def test_indices_know_distributions() -> None:
    """final(x) = u for large times: all of its variance is that of u."""
    over = {"u": scipy.stats.norm(3.0, 0.5), "T": (0.01, 0.02)}
    found = tg.study(DECAY, tg.saltelli(over, 128), outputs="final(x)", stop=1.0, points=2).sobol_indices()
    assert found["S1"]["u"] == pytest.approx(1.0, abs=0.1)  # of 128 samples
    assert found["ST"]["T"] == pytest.approx(0.0, abs=1e-6)


def test_statistics() -> None:
    design = tg.sobol({"x": (1.0, 3.0)}, 256)
    table = tg.study(DECAY, design, outputs=["final(x)"], stop=2.0).statistics()
    assert table.loc["final(x)", "mean"] == pytest.approx(2.0 * np.exp(-1.0), rel=1e-3)
    assert table.loc["final(x)", "95%"] == pytest.approx(2.9 * np.exp(-1.0), rel=1e-2)


def test_failed_runs_are_kept_with_their_reason() -> None:
    study = tg.study(Blows(), {"k": [0.5, 2.0, 0.25]}, outputs=["x", "final(x)", peak], stop=1.0, points=101)
    assert study["outcome"].values[[0, 2]].tolist() == ["success"] * 2
    assert study["outcome"].values[1] not in ("success", "")
    assert study["reached"].values[1] == pytest.approx(0.5, abs=0.02)
    assert np.isnan(study["final(x)"].values[1])
    assert np.isnan(study["peak"].values[1])
    curve = study["x"].values[1]
    assert curve[:40] == pytest.approx(
        1.0 / (1.0 - 2.0 * study["time"].values[:40]), rel=1e-4
    )  # errors grow at the pole
    assert np.isnan(curve[52:]).all()
    assert study["final(x)"].values[[0, 2]] == pytest.approx([2.0, 4.0 / 3.0], rel=1e-5)
    failures = study.failures()
    assert failures["k"].tolist() == [2.0]
    assert "without bound" in failures["reason"].iloc[0]
    assert "1 failed" in repr(study)


def test_samples_beyond_bounds_are_failed_runs() -> None:
    design = tg.monte_carlo({"T": scipy.stats.norm(0.5, 0.5)}, 64)
    study = tg.study(DECAY, design, outputs="final(x)", stop=1.0)
    bad = study["T"].values < 0.0
    assert 0 < bad.sum() < 64
    assert set(study["outcome"].values[bad]) == {"E156"}
    assert (study["outcome"].values[~bad] == "success").all()
    assert "minimum" in study.failures()["reason"].iloc[0]


def test_a_study_in_which_every_run_failed_says_so() -> None:
    with pytest.warns(UserWarning, match="every run failed, the first one with"):
        study = tg.study(Blows(), {"k": [2.0, 3.0]}, outputs=["x", "final(x)"], stop=1.0)
    assert study["x"].shape == (2, 500)


def test_a_function_that_fails_later_is_a_failed_run() -> None:
    def picky(solution: tg.Solution) -> float:
        if solution["T"] > 1.5:
            raise ValueError("too slow")
        return 1.0

    study = tg.study(DECAY, {"T": [1.0, 2.0]}, outputs=[picky, "final(x)"], stop=1.0)
    assert study["outcome"].values.tolist() == ["success", "output-failed"]
    assert study["reason"].values[1] == "the output 'picky' failed: ValueError: too slow"
    assert np.isfinite(study["final(x)"]).all()


def test_plots_of_all_kinds(tmp_path: Path) -> None:
    one = tg.study(DECAY, {"T": [0.5, 1.0, 2.0]}, outputs=["x", "final(x)"], stop=1.0, points=20)
    assert len(one.plot().axes) == 3  # two panels and a scale of colours
    two = tg.study(DECAY, {"T": [0.5, 1.0], "u": [1.0, 2.0, 3.0]}, outputs=["final(x)"], stop=1.0, points=20)
    two.plot("final(x)").savefig(tmp_path / "map.png")
    many = tg.study(DECAY, tg.sobol({"T": (0.5, 2.0)}, 64), outputs=["x", "final(x)"], stop=1.0, points=20)
    axes = many.plot().axes
    assert [line.get_label() for line in axes[0].get_lines()] == ["median"]
    assert len(axes[1].patches) == 8
    with pytest.raises(tg.DesignError, match="E603"):
        many.plot("y")


def test_files(tmp_path: Path) -> None:
    study = tg.study(DECAY, {"T": [0.5, 1.0]}, outputs=["x", "final(x)"], stop=1.0, points=20)
    study.to_netcdf(tmp_path / "decay.nc")
    with xr.open_dataset(tmp_path / "decay.nc") as again:
        assert np.array_equal(again["x"].values, study["x"].values)
        assert again["outcome"].values.tolist() == ["success", "success"]
