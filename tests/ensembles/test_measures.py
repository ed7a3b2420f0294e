"""Performance functions measured in lanes are those of single runs and of closed solutions, between points as well."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from ensembles.lane_models import TwoTanks
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import request_run
from tellegen.ensembles.devices.ptx import ptx
from tellegen.ensembles.kernel import ADAPTIVE
from tellegen.ensembles.prepare import prepare
from tellegen.ensembles.wanted import Varied, Wanted, WantedMeasure
from tellegen.ir.expressions.expr import Slot

RTOL = 1e-6


class Swing(tg.Component):
    """x = sin(w t) from zero, in centimetres."""

    w = tg.parameter(2.0, "rad/s")
    x = tg.variable("cm", start=0.0, fixed=True)
    v = tg.variable("cm/s", start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -(self.w**2) * self.x


def test_closed_solutions_with_two_output_points() -> None:
    """What is between output points counts: there are none but the ends."""
    outputs = {
        "peak": tg.peak("x"),
        "when": tg.peak_time("x"),
        "late": tg.lowest("x", start=2.0, stop=2.5),
        "area": tg.integral("abs(x)"),
        "work": tg.integral("x*v + 0.1*time", 0.5, 1.5),
        "rms": tg.rms("x"),
        "over": tg.overshoot("x", final=0.5),
        "ratio": tg.peak("v") / tg.sqrt(tg.mean("v**2")),
        "end": tg.final("max(x, v)"),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = tg.study(
            Swing(), {"w": np.linspace(1.6, 2.9, 9)}, outputs=outputs, stop=3.0, points=2, device="cpu", workers=1
        )
    assert "one by one" not in study.device
    w = study["w"].values
    t = np.linspace(0.0, 3.0, 30_001)
    x = np.sin(w[:, None] * t) / w[:, None]
    v = np.cos(w[:, None] * t)
    end = np.sin(3.0 * w) / w
    exact = {
        "peak": 1.0 / w,
        "when": 0.5 * np.pi / w,
        "late": np.where(w * 2.5 < 1.5 * np.pi, np.sin(2.5 * w), np.where(w * 2.0 < 1.5 * np.pi, -1.0, np.sin(2 * w)))
        / w,
        "area": np.trapezoid(np.abs(x), t),
        "work": 0.5 * (np.sin(1.5 * w) ** 2 - np.sin(0.5 * w) ** 2) / w**2 + 0.1,
        "rms": np.sqrt(np.trapezoid(x**2, t) / 3.0),
        "over": np.maximum(1.0 / w - 0.5, 0.0) / 0.5,
        "ratio": 1.0 / np.sqrt(np.trapezoid(v**2, t) / 3.0),
        "end": np.maximum(end, np.cos(3.0 * w)),
    }
    for name, value in exact.items():
        assert np.abs(study[name].values - value).max() < 10 * RTOL * np.abs(value).max(), name


class NarrowPeaks(tg.Component):
    """A peak of time and one of a state, both of them nearly always between the points of a step."""

    at = tg.parameter(3.0, "s")
    width = tg.parameter(1e-3, "s")
    level = tg.parameter(0.5)
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable()
    z = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -0.2 * self.x
        yield self.y == tg.exp(-(((tg.time - self.at) / self.width) ** 2))
        yield self.z == 1.0 / (1.0 + ((self.x - self.level) / 1e-4) ** 2)


def test_peaks_between_steps_whatever_their_width() -> None:
    """Each run has its peaks elsewhere; none is left to single runs."""
    outputs = {
        "high": tg.peak("y"),
        "when": tg.peak_time("y"),
        "area": tg.integral("y"),
        "crossed": tg.peak_time("z"),
        "low": tg.lowest("x - 2*z"),
    }
    varied = {"at": [0.7, 3.21, 9.3], "width": [1e-5, 1e-3, 0.1], "level": [0.15, 0.9]}
    study = tg.study(NarrowPeaks(), varied, outputs=outputs, stop=10.0, points=2, device="cpu", workers=1)
    assert "one by one" not in study.device
    at, width, level = np.meshgrid(*varied.values(), indexing="ij")
    exact = {
        "high": np.ones_like(at),
        "when": at,
        "area": np.sqrt(np.pi) * width,
        "crossed": -5.0 * np.log(level),
        "low": level - 2.0,
    }
    for name, value in exact.items():
        assert study[name].values == pytest.approx(value, rel=1e-6), name


class Kicked(tg.Component):
    at = tg.parameter(3.0, "s")
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 1e4 * tg.exp(-(((tg.time - self.at) / 1e-5) ** 2)) - 0.01 * self.x


def test_runs_whose_steps_may_pass_over_what_drives_them_are_left_to_single_runs() -> None:
    with pytest.warns(UserWarning, match="stepped over a peak|changes faster"):
        study = tg.study(
            Kicked(), {"at": [2.3, 5.1]}, outputs={"x": tg.peak("x")}, stop=10.0, points=30, device="cpu", workers=1
        )
    assert "2 of 2 one by one" in study.device


def test_events_and_kinks_as_in_single_runs() -> None:
    compiled = tg.compile(TwoTanks())
    ranges = {"high": (0.9, 1.2), "low": (0.3, 0.5), "inflow": (0.45, 0.7), "leak": (0.25, 0.4)}
    given: dict[str, Any] = {
        "outputs": {
            "p": tg.peak("a"),
            "l": tg.lowest("b", start=5.0),
            "k": tg.integral("max(a, b)"),
            "m": tg.mean("a*b"),
        },
        "stop": 20.0,
        "solver": "rk45",
    }
    design = tg.monte_carlo(ranges, 6, seed=1)
    lanes = tg.study(compiled, design, device="cpu", workers=1, **given)
    single = tg.study(compiled, design, executor="serial", **given)
    assert lanes.success
    assert "one by one" not in lanes.device
    for name in given["outputs"]:
        assert np.abs(lanes[name] - single[name]).max() < 10 * RTOL * np.abs(single[name]).max(), name


def test_what_needs_curves_is_left_to_single_runs() -> None:
    given: dict[str, Any] = {"stop": 3.0, "executor": "serial"}
    study = tg.study(Swing(), {"w": [1.0, 2.0]}, outputs=[tg.time_when("x > 0.2")], device="auto", **given)
    assert study.device.startswith("single runs: time_when('x > 0.2') needs the curves of every run")
    moving = tg.peak("x", start=tg.time_when("x > 0.2"))
    with pytest.raises(tg.DesignError, match="is another instant in every run") as caught:
        tg.study(Swing(), {"w": [1.0, 2.0]}, outputs=[moving], device="cpu", **given)
    assert caught.value.code == "E609"


def test_measures_live_in_registers_too() -> None:
    compiled = tg.compile(Swing())
    request = request_run(compiled.flat.experiment, 1.0, solver="rk45")
    measures = (WantedMeasure(Slot(0), ("x",), "highest"), WantedMeasure(Slot(0), ("x",), "integral"))
    varied = (Varied(find(compiled.flat, "w"), False),)
    found = prepare(compiled, request, compiled.run(request), varied, Wanted((), False, False, measures))
    text = ptx(found.model, ADAPTIVE, "sm_90")
    assert ".local" not in text
    assert "call" not in text
