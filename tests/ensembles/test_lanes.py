"""Runs in lanes are the runs of the scalar engine, each with its own steps and events; closed solutions agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from ensembles.lane_models import (
    Arrives,
    Ball,
    Bridge,
    Delayed,
    Jumps,
    Lorenz,
    Oscillator,
    Pole,
    Robertson,
    SampledLoop,
    Slider,
    TwoTanks,
    Wakes,
)
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import request_run
from tellegen.ensembles.devices.host import HostKernel, lanes_here
from tellegen.ensembles.kernel import ADAPTIVE, FIXED
from tellegen.ensembles.prepare import Ensemble, prepare
from tellegen.ensembles.wanted import Varied, Wanted

RTOL = 1e-6


def both(model: Any, design: Any, outputs: list[str], **run: Any) -> tuple[tg.Study, tg.Study]:
    """A study in lanes and the same one of single runs."""
    compiled = tg.compile(model)
    lanes = tg.study(compiled, design, outputs=outputs, device="cpu", workers=1, **run)
    single = tg.study(compiled, design, outputs=outputs, executor="serial", **run)
    return lanes, single


def worst(lanes: tg.Study, single: tg.Study, output: str) -> float:
    """The largest difference relative to the largest value, over all runs."""
    return float(np.nanmax(np.abs(lanes[output] - single[output])) / np.nanmax(np.abs(single[output])))


def ensemble(model: tg.Component, path: str, output: str, stop: float, solver: str = "auto") -> Ensemble:
    compiled = tg.compile(model)
    request = request_run(compiled.flat.experiment, stop, solver=solver)
    first = compiled.run(request)
    varied = (Varied(find(compiled.flat, path), False),)
    return prepare(compiled, request, first, varied, Wanted((output,), False, False))


def test_closed_solution_with_computed_parameters_and_starts() -> None:
    design = tg.monte_carlo({"ratio": (0.05, 0.3), "mass": (1.0, 3.0), "begin": (5.0, 20.0)}, 50, seed=3)
    study = tg.study(Oscillator(), design, outputs=["final(x)", "max(v)"], stop=3.0, device="cpu", workers=1)
    ratio, mass, begin = (study[name].values for name in ("ratio", "mass", "begin"))
    own = np.sqrt(8.0 / mass)
    damped = own * np.sqrt(1.0 - ratio**2)
    decay = np.exp(-ratio * own * 3.0)
    exact = 0.01 * begin * decay * (np.cos(damped * 3.0) + ratio * own / damped * np.sin(damped * 3.0))
    assert np.abs(study["final(x)"].values - exact).max() < 10 * RTOL * 0.2
    assert study.success
    assert study.device == f"cpu: {lanes_here()} lanes on 1 core, rk45"


def test_two_hundred_runs_with_events_in_different_order() -> None:
    ranges = {"high": (0.9, 1.2), "low": (0.3, 0.5), "inflow": (0.45, 0.7), "leak": (0.25, 0.4)}
    outputs = ["a", "final(b)", "final(changes)", "max(a)", "min(b)", "mean(a)", "rms(b)"]
    lanes, single = both(TwoTanks(), tg.monte_carlo(ranges, 200, seed=1), outputs, stop=20.0, points=20, solver="rk45")
    assert lanes.success
    assert single.success
    assert len(np.unique(single["final(changes)"])) > 3
    assert np.array_equal(lanes["final(changes)"], single["final(changes)"])
    for output in ("a", "final(b)", "max(a)", "min(b)", "mean(a)", "rms(b)"):
        assert worst(lanes, single, output) < 10 * RTOL, output


@pytest.mark.parametrize("solver", ["rk45", "rodas"])
def test_steps_stay_as_long_after_an_event(solver: str) -> None:
    """A switch changes rates, not how fast they change: to the 50 steps of a run comes one for each event."""
    found = ensemble(TwoTanks(), "inflow", "a", 20.0, solver)
    results = HostKernel(found.model, ADAPTIVE).run(found.numbers(np.linspace(0.45, 0.7, 16)[:, None]))
    steps, rejected, events = results.counts
    assert (results.status == 0.0).all()
    assert events.min() > 8
    assert (steps + rejected <= 50.0 + 1.1 * events).all()


def test_steps_do_not_try_what_was_long_enough_at_rest() -> None:
    """A push after a long rest: the first step is about as long as the rates then allow."""
    found = ensemble(Wakes(), "fast", "x", 10.0, "rk45")
    results = HostKernel(found.model, ADAPTIVE).run(found.numbers(np.array([[1e3], [1e5]])))
    assert results.counts[1].max() <= 2.0  # rejected steps


def test_impacts_and_instants() -> None:
    """Runs whose impacts accumulate are left to the scalar engine, which ends them and says why."""
    ranges = {"e": (0.55, 0.85), "g": (9.0, 10.0), "push_at": (0.2, 1.5), "push": (-2.0, 3.0)}
    lanes, single = both(Ball(), tg.monte_carlo(ranges, 100, seed=2), ["h", "final(bounces)"], stop=1.9, points=40)
    assert (lanes["outcome"] == single["outcome"]).all()
    assert (lanes["reason"] == single["reason"]).all()
    good = (single["outcome"] == "success").values
    assert 20 < good.sum()
    assert np.array_equal(lanes["final(bounces)"][good], single["final(bounces)"][good])
    assert np.abs(lanes["h"] - single["h"]).values[good].max() < 1e-9  # parabolas: steps are exact


def test_stiff_runs_by_the_rosenbrock_method() -> None:
    design = tg.monte_carlo({"k1": (0.03, 0.05)}, 16)
    lanes, single = both(Robertson(), design, ["final(c)", "max(b)", "a"], stop=1e4, points=20)
    assert "rodas" in lanes.device
    for output in ("final(c)", "a"):
        assert worst(lanes, single, output) < 10 * RTOL


def test_start_values_are_varied_too() -> None:
    lanes, single = both(Lorenz(), tg.grid({"x": [0.5, 1.0, 2.0], "y": [0.0, 1.0]}), ["final(z)"], stop=1.0)
    assert lanes["final(z)"].dims == single["final(z)"].dims
    assert worst(lanes, single, "final(z)") < 10 * RTOL


@pytest.mark.parametrize("entry", [ADAPTIVE, FIXED])
def test_results_do_not_depend_on_the_number_of_lanes(entry: str) -> None:
    found = ensemble(Lorenz(), "r", "z", 1.0, "rk45")
    numbers = found.numbers(np.linspace(20.0, 30.0, 21)[:, None])
    object.__setattr__(numbers, "fixed_steps", 200)
    results = [HostKernel(found.model, entry, lanes).run(numbers).reduced for lanes in (1, 2, 4, 8)]
    for other in results[1:]:
        assert np.array_equal(other, results[0])


def test_threads_make_the_same_runs() -> None:
    found = ensemble(Lorenz(), "r", "z", 1.0, "rk45")
    kernel = HostKernel(found.model, ADAPTIVE)
    numbers = found.numbers(np.linspace(20.0, 30.0, 333)[:, None])
    assert np.array_equal(kernel.run(numbers, 1).reduced, kernel.run(numbers, 3).reduced)


def test_runs_that_slide_end_as_single_ones() -> None:
    design = tg.grid({"pull": [-0.3, 0.3, 0.7, 1.5], "line": [0.5, 5.0]})
    lanes, single = both(Slider(), design, ["final(x)"], stop=6.0, points=10, solver="rk45")
    assert (lanes["outcome"] == single["outcome"]).all()
    assert len(np.unique(single["outcome"])) > 1
    assert np.allclose(lanes["final(x)"], single["final(x)"], rtol=1e-5, equal_nan=True)


def test_samples_levels_modes_and_what_acts_at_the_start() -> None:
    ranges = {"gain": (0.5, 2.0), "lag": (0.3, 1.0), "period": (0.08, 0.3), "offset": (0.0, 0.2), "limit": (0.3, 0.9)}
    outputs = ["x", "z", "final(drive)", "final(ticks)", "final(begun)", "final(slow)", "mean(drive)"]
    lanes, single = both(
        SampledLoop(), tg.monte_carlo(ranges, 200, seed=4), outputs, stop=3.0, points=20, solver="rk45"
    )
    assert lanes.success
    assert single["final(begun)"].min() >= 1
    for output in ("final(ticks)", "final(begun)"):
        assert len(np.unique(single[output])) > 2
        assert np.array_equal(lanes[output], single[output]), output
    for output in outputs:
        assert worst(lanes, single, output) < 10 * RTOL, output


def test_at_an_output_point_that_is_an_event_the_values_after_it_count() -> None:
    """As in single runs: a clock whose ticks are output points lagged by one point, a jump was seen one point later."""
    ends = {"period": [0.2, 0.25, 0.5], "at": [0.0, 0.5, 2.0]}
    lanes, single = both(Jumps(), ends, ["ticks", "x"], stop=2.0, points=21, solver="rk45")
    assert "one by one" not in str(lanes.device)
    for output in ("ticks", "x"):
        np.testing.assert_allclose(lanes[output], single[output], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(lanes["ticks"].sel(at=0.0, period=0.2), 1.0 + np.arange(21) // 2)
    np.testing.assert_allclose(lanes["x"].sel(at=0.5, period=0.2).values[[4, 5, 6, 7]], [0.4, 1.5, 1.6, 0.7])


def test_runs_with_a_pole_end_as_single_ones() -> None:
    lanes, single = both(Pole(), {"a": np.linspace(0.1, 1.2, 23)}, ["final(y)"], stop=4.0, points=20, solver="rk45")
    assert (lanes["outcome"] == single["outcome"]).all()
    assert len(np.unique(single["outcome"])) == 2
    assert np.allclose(lanes["final(y)"], single["final(y)"], rtol=1e-6, equal_nan=True)


def test_clouds_of_gradients() -> None:
    """Exact derivatives of every run: those of tg.sensitivity, and of closed solutions, in lanes as in single runs."""
    compiled = tg.compile(Oscillator())
    design = tg.monte_carlo({"mass": (1.0, 3.0), "begin": (5.0, 20.0), "ratio": (0.05, 0.3)}, 20, seed=3)
    wrt = ["mass", "begin", "v"]
    given: dict[str, Any] = {"outputs": ["x", "final(v)"], "sensitivities": wrt, "stop": 3.0, "points": 5}
    lanes = tg.study(compiled, design, device="cpu", workers=1, **given)
    assert lanes.device.startswith("cpu: ")
    parameters = {path: float(lanes[path][7]) for path in ("mass", "begin", "ratio")}
    single = tg.sensitivity(compiled, 3.0, wrt=wrt, points=5, parameters=parameters)
    for path in wrt:
        assert np.allclose(lanes[f"d x/d {path}"][7], single["x", path], rtol=1e-5, atol=1e-8)
        assert np.isclose(lanes[f"d final(v)/d {path}"][7], single["v", path][-1], rtol=1e-5)
    exact = lanes["x"] / lanes["begin"]  # it is linear in where it begins
    assert np.allclose(lanes["d x/d begin"], exact.transpose(*lanes["d x/d begin"].dims), rtol=1e-4, atol=1e-8)
    assert lanes["d x/d begin"].attrs["units"] == "m/(cm)"


def test_tangents_of_a_model_that_time_switches_are_made_in_lanes() -> None:
    given: dict[str, Any] = {"sensitivities": ["rate"], "stop": 2.0, "points": 5, "device": "cpu", "workers": 1}
    study = tg.study(Delayed(), {"rate": [0.5, 1.0, 3.0]}, outputs=["final(x)", "x"], **given)
    rate = study["rate"].values
    exact = -2.0 * np.exp(-2.0 * rate) + (np.exp(-rate) * (1.0 + rate) - 1.0) / rate**2
    assert np.allclose(study["d final(x)/d rate"], exact, rtol=1e-5)
    assert np.allclose(study["d x/d rate"].sel(time=1.0), -np.exp(-rate), rtol=1e-5)


def test_tangents_that_jump_are_left_to_single_runs() -> None:
    given: dict[str, Any] = {"outputs": ["final(h)"], "sensitivities": ["g"], "stop": 0.7, "solver": "rk45"}
    study = tg.study(Ball(), {"g": [9.0, 10.0]}, device="auto", executor="serial", **given)
    assert "tangents jump" in study.device
    step = 1e-5
    ends = tg.study(Ball(), {"g": [9.0 - step, 9.0 + step]}, outputs=["final(h)"], stop=0.7, executor="serial")
    slope = np.diff(ends["final(h)"])[0] / (2.0 * step)
    assert np.isclose(study["d final(h)/d g"][0], slope, rtol=1e-5)
    with pytest.raises(tg.DesignError, match="has no derivatives in a study"):
        tg.study(Ball(), {"g": [9.0, 10.0]}, **dict[str, Any](given, outputs=["max(h)"]))


def test_linear_loops_are_solved_in_lanes() -> None:
    design = tg.monte_carlo({"c.C": (5e-4, 2e-3), "load.R": (10.0, 40.0), "r.R": (0.5, 2.0)}, 24, seed=5)
    lanes, single = both(Bridge(), design, ["c.v", "max(r.i)"], stop=0.03, points=20)
    assert lanes.success
    for output in ("c.v", "max(r.i)"):
        assert worst(lanes, single, output) < 10 * RTOL, output


def test_runs_that_end_by_themselves() -> None:
    """Their curves stop there, and means are those of the time that they had."""
    design = tg.monte_carlo({"a": (0.1, 2.0), "goal": (0.3, 1.5)}, 30, seed=5)
    lanes, single = both(Arrives(), design, ["x", "final(x)", "mean(x)"], stop=3.0, points=20, solver="rk45")
    assert "one by one" not in lanes.device
    assert 0 < np.isnan(single["x"]).any(axis=1).sum() < 30
    assert np.array_equal(np.isnan(lanes["x"]), np.isnan(single["x"]))
    assert np.allclose(lanes["reached"], single["reached"], rtol=1e-9)
    for output in ("x", "final(x)", "mean(x)"):
        assert worst(lanes, single, output) < 10 * RTOL, output
