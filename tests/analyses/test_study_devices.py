"""Studies in lanes: what is not for lanes, failures, bad input, files, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import tellegen as tg
from ensembles.lane_models import Lorenz

DESIGN = {"r": [20.0, 22.0, 24.0, 26.0, 28.0]}


class Pump(tg.Component):
    """Runs away where its gain is large."""

    gain = tg.parameter(1.0, min=0.0)
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.gain * self.x**2 - self.x


class Delayed(tg.Component):
    """Reads what was."""

    k = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.k * tg.delay(self.x, 0.1)


def test_a_run_that_fails_has_its_reason() -> None:
    gains = {"gain": [0.1, 0.5, 0.9, 1.5, 3.0]}
    lanes = tg.study(Pump(), gains, outputs=["final(x)"], stop=2.0, device="cpu", executor="serial")
    single = tg.study(Pump(), gains, outputs=["final(x)"], stop=2.0, executor="serial")
    assert list(lanes["outcome"].values) == list(single["outcome"].values)
    assert list(lanes["reason"].values) == list(single["reason"].values)
    assert lanes["outcome"].values[-1] != "success"
    assert np.allclose(lanes["final(x)"], single["final(x)"], rtol=1e-5, equal_nan=True)


def test_a_number_beyond_its_bound_is_said() -> None:
    numbers = tg.monte_carlo({"gain": norm(0.2, 0.15)}, 20, seed=4)
    study = tg.study(Pump(), numbers, outputs=["final(x)"], stop=1.0, device="cpu", executor="serial")
    wrong = study["gain"].values < 0.0
    assert wrong.any()
    assert (study["outcome"].values[wrong] == "E156").all()
    assert (study["outcome"].values[~wrong] == "success").all()


class Greeted(tg.Component):
    """Acts at the start, and counts how often its level is low."""

    k = tg.parameter(1.0)
    low = tg.parameter(0.5)
    x = tg.variable(start=0.2, fixed=True)
    hits = tg.integer("times that it was low")
    first = tg.integer("set at the start")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.k * tg.sin(3.0 * tg.time)
        yield tg.when(self.x < self.low, self.hits == tg.pre(self.hits) + 1)
        yield tg.when(tg.initial(), self.first == 7)


def test_what_acts_at_the_start() -> None:
    grid = {"k": [1.0, 2.0, 3.0], "low": [0.1, 0.5]}
    given: dict[str, Any] = {"outputs": ["final(hits)", "final(first)", "final(x)"], "stop": 4.0, "executor": "serial"}
    lanes = tg.study(Greeted(), grid, device="auto", **given)
    single = tg.study(Greeted(), grid, **given)
    for output in given["outputs"]:
        assert np.allclose(lanes[output], single[output], rtol=1e-5)


def test_auto_says_why_runs_are_made_one_by_one() -> None:
    study = tg.study(Delayed(), {"k": [1.0, 2.0]}, outputs=["final(x)"], stop=1.0, device="auto", executor="serial")
    assert study.success
    assert study.device == "single runs: it has delays"
    assert "it has delays" in str(study)


@tg.function(opaque=True)
def halved(x: float) -> float:
    """Python code, which lanes cannot call."""
    return 0.5 * x


class Called(tg.Component):
    """Calls a function of its own at samples alone."""

    k = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    u = tg.variable(discrete=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.u - self.k * self.x
        yield tg.when(tg.sample(0.0, 0.1), self.u == halved(self.x))


def test_actions_that_call_functions_are_left_to_single_runs() -> None:
    given: dict[str, Any] = {"outputs": ["final(x)"], "stop": 1.0, "executor": "serial"}
    study = tg.study(Called(), {"k": [1.0, 2.0]}, device="auto", **given)
    assert study.device == "single runs: its actions call functions of their own"
    assert np.array_equal(study["final(x)"], tg.study(Called(), {"k": [1.0, 2.0]}, **given)["final(x)"])


def test_a_model_that_is_not_for_lanes_is_an_error_where_lanes_were_asked_for() -> None:
    with pytest.raises(tg.DesignError, match="it has delays") as caught:
        tg.study(Delayed(), {"k": [1.0, 2.0]}, outputs=["final(x)"], stop=1.0, device="cpu")
    assert caught.value.code == "E609"
    with pytest.raises(tg.DesignError, match="computed by Python"):
        tg.study(Lorenz(), DESIGN, outputs={"top": lambda s: s["z"].max()}, stop=1.0, device="cpu")
    with pytest.raises(tg.DesignError, match="no device 'tpu'"):
        tg.study(Lorenz(), DESIGN, outputs=["final(z)"], stop=1.0, device="tpu")


def test_a_study_in_lanes_continues_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "lorenz.study"
    arguments: dict[str, Any] = {"outputs": ["final(z)", "z"], "stop": 1.0, "points": 5, "save": file}
    compiled = tg.compile(Lorenz())
    first = tg.study(compiled, DESIGN, device="cpu", workers=1, **arguments)
    again = tg.study(compiled, DESIGN, device="cpu", workers=1, **arguments)
    assert again.device == ""  # nothing was left to do
    assert np.array_equal(first["z"], again["z"])


def test_units_arrays_and_grids_are_those_of_single_runs() -> None:
    class Rods(tg.Component):
        k = tg.parameter(0.5, "1/s")
        T = tg.variable("degC", shape=(3,), start=[300.0, 320.0, 340.0], fixed=True)

        def equations(self) -> Iterator[Any]:
            for i in range(3):
                yield tg.der(self.T[i]) == -self.k * (self.T[i] - 290.0)

    grid = {"T[0]": [20.0, 30.0], "k": [0.1, 0.5, 1.0]}
    given: dict[str, Any] = {"outputs": ["T", "final(T)", "max(T[1])"], "stop": 2.0, "points": 4}
    lanes = tg.study(Rods(), grid, device="cpu", workers=1, **given)
    single = tg.study(Rods(), grid, executor="serial", **given)
    for output in given["outputs"]:
        assert lanes[output].dims == single[output].dims
        assert np.allclose(lanes[output], single[output], rtol=1e-6)


def test_performance_functions_on_devices() -> None:
    """Most are computed there; one that is not is named, and makes single runs with the same numbers."""
    given: dict[str, Any] = {"stop": 1.0, "executor": "serial"}
    lanes = tg.study(Pump(), {"gain": [0.1, 0.5]}, outputs=[tg.final("x"), tg.peak("x")], device="cpu", **given)
    asked = {"final(x)": tg.final("x"), "peak(x)": tg.peak("x"), "own": lambda s: s["x"][-1]}
    both = tg.study(Pump(), {"gain": [0.1, 0.5]}, outputs=asked, device="auto", **given)
    assert lanes.device.startswith("cpu: ")
    assert both.device == "single runs: the output 'own' is computed by Python"
    assert np.allclose(lanes["final(x)"], both["final(x)"], rtol=1e-5)
    assert np.allclose(lanes["peak(x)"], both["peak(x)"], rtol=1e-5)
