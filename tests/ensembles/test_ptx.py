"""PTX of models, compiled by LLVM and not run: what a GPU would get, and what is said where there is none."""

from __future__ import annotations

import re

import pytest

import tellegen as tg
from ensembles.lane_models import Lorenz, Robertson, TwoTanks
from ensembles.test_lanes import ensemble
from tellegen.ensembles.devices import cuda
from tellegen.ensembles.devices.cuda import GpuError
from tellegen.ensembles.devices.ptx import KERNEL, architecture, ptx
from tellegen.ensembles.kernel import ADAPTIVE, FIXED
from tellegen.ensembles.kernels import adaptive, fixed
from tellegen.procedures.check import check
from tellegen.procedures.load import load


@pytest.mark.parametrize(
    ("model", "path", "output", "solver", "entry"),
    [
        (Lorenz, "r", "z", "rk45", FIXED),
        (Lorenz, "r", "z", "rk45", ADAPTIVE),
        (Robertson, "k1", "c", "rodas", ADAPTIVE),
        (TwoTanks, "high", "a", "rk45", ADAPTIVE),
    ],
)
def test_a_run_lives_in_registers(model: type[tg.Component], path: str, output: str, solver: str, entry: str) -> None:
    found = ensemble(model(), path, output, 1.0, solver)
    text = ptx(found.model, entry, "sm_90")
    assert f".visible .entry {KERNEL}(" in text
    assert "call" not in text  # everything is inlined, elementary functions of TwoTanks as well
    assert ".local" not in text  # no memory of a thread
    assert re.search(r"\.target sm_90", text)
    assert "fma.rn.f64" in text


def test_kernels_are_checked() -> None:
    """Types, locals without a value, missing returns: as for all procedures."""
    constants = {**ensemble(TwoTanks(), "high", "a", 1.0).model.constants, "LANES": 4}
    check(load(adaptive.adaptive_runs, fixed.fixed_runs, constants=constants))


def test_architectures() -> None:
    assert [architecture(capability) for capability in (70, 72, 90, 121)] == ["sm_70", "sm_70", "sm_90", "sm_100"]


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "_NAMES", {})
    cuda.gpu.cache_clear()
    with pytest.raises(GpuError, match="no NVIDIA driver"):
        cuda.gpu()
    with pytest.raises(tg.DesignError, match="no NVIDIA driver") as caught:
        tg.study(Lorenz(), {"r": [20.0, 21.0]}, outputs=["final(z)"], stop=0.1, device="gpu")
    assert caught.value.code == "E609"
    cuda.gpu.cache_clear()
