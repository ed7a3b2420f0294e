"""Runs on a GPU are those of lanes; where there is no driver of NVIDIA's these are skipped (-m gpu)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from ensembles.lane_models import Ball, Lorenz, Oscillator, Robertson, SampledLoop, TwoTanks
from ensembles.test_elimination import Wall
from ensembles.test_lane_tables import SmoothTables
from ensembles.test_loops import Rectifier, Valves
from tellegen.ensembles.devices import gpu as device
from tellegen.ensembles.devices.cuda import GpuError, gpu


def _is_there() -> bool:
    try:
        gpu()
    except GpuError:
        return False
    return True


pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not _is_there(), reason="no GPU here")]

CASES: list[tuple[type[tg.Component], dict[str, Any], list[str], float]] = [
    (Oscillator, {"ratio": (0.05, 0.3), "begin": (5.0, 20.0)}, ["x", "final(v)", "rms(x)"], 3.0),
    (TwoTanks, {"high": (0.9, 1.2), "low": (0.3, 0.5), "leak": (0.25, 0.4)}, ["a", "final(changes)", "mean(b)"], 30.0),
    (Ball, {"e": (0.55, 0.85), "push_at": (0.2, 1.5)}, ["h", "final(bounces)"], 1.9),
    (Robertson, {"k1": (0.03, 0.05)}, ["final(c)", "max(b)"], 1e4),
    (SampledLoop, {"gain": (0.5, 2.0), "period": (0.08, 0.3), "limit": (0.3, 0.9)}, ["x", "z", "final(begun)"], 3.0),
    (Valves, {"k1": (0.5, 1.5), "low": (0.3, 0.6), "high": (1.2, 1.8)}, ["h", "final(switched)", "mean(q)"], 20.0),
    (Rectifier, {"r.R": (5.0, 20.0), "load.R": (50.0, 200.0)}, ["c.v", "max(d.i)"], 0.03),
    (Wall, {"G": (50.0, 200.0)}, ["final(T[25])"], 0.5),
    (SmoothTables, {"gain": (0.5, 4.0), "shift": (-0.3, 0.3)}, ["v", "final(x)"], 5.0),
]


@pytest.mark.parametrize(("model", "ranges", "outputs", "stop"), CASES)
def test_the_same_runs(model: type[tg.Component], ranges: dict[str, Any], outputs: list[str], stop: float) -> None:
    compiled = tg.compile(model())
    design = tg.monte_carlo(ranges, 1000, seed=5)
    given: dict[str, Any] = {"outputs": outputs, "stop": stop, "points": 30, "executor": "serial"}
    on_gpu = tg.study(compiled, design, device="gpu", **given)
    in_lanes = tg.study(compiled, design, device="cpu", **given)
    assert on_gpu.device.startswith("gpu: ")
    assert (on_gpu["outcome"] == in_lanes["outcome"]).all()
    for output in outputs:
        size = float(np.nanmax(np.abs(in_lanes[output])))
        assert float(np.nanmax(np.abs(on_gpu[output] - in_lanes[output]))) < 1e-6 * size, output


def test_what_is_measured() -> None:
    compiled = tg.compile(TwoTanks())
    design = tg.monte_carlo({"high": (0.9, 1.2), "low": (0.3, 0.5), "leak": (0.25, 0.4)}, 1000, seed=5)
    outputs = {
        "peak": tg.peak("a"),
        "least": tg.lowest("b", start=5.0),
        "mean": tg.mean("max(a, b)"),
        "end": tg.final("a*b"),
    }
    on_gpu, in_lanes = (tg.study(compiled, design, outputs=outputs, stop=30.0, device=one) for one in ("gpu", "cpu"))
    assert on_gpu.device.startswith("gpu: ")
    for output in outputs:
        size = float(np.abs(in_lanes[output]).max())
        assert float(np.abs(on_gpu[output] - in_lanes[output]).max()) < 1e-6 * size, output


def test_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    design = tg.monte_carlo({"r": (20.0, 30.0)}, 1000)
    whole = tg.study(Lorenz(), design, outputs=["final(z)"], stop=1.0, device="gpu")
    monkeypatch.setattr(device, "_MOST_RUNS", 64)
    parts = tg.study(Lorenz(), design, outputs=["final(z)"], stop=1.0, device="gpu")
    assert np.array_equal(whole["final(z)"], parts["final(z)"])


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_SHARE", 1e-12)
    with pytest.raises(tg.DesignError, match="free memory is too small"):
        tg.study(Lorenz(), {"r": [20.0, 21.0]}, outputs=["final(z)"], stop=1.0, device="gpu")
