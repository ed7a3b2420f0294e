"""Networks of heat by the Rosenbrock method in lanes: factors for their patterns, against matrix exponentials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import tellegen as tg
from ensembles.test_lanes import ensemble
from tellegen.ensembles.devices.ptx import ptx, shared_numbers
from tellegen.ensembles.kernel import ADAPTIVE
from tellegen.ensembles.model.elimination import elimination

_NODES = 12
_STOP = 0.8


class Wall(tg.Component):
    """Equal layers between a room and the street."""

    G = tg.parameter(100.0)
    C = tg.parameter(1.0)
    T = tg.variable(shape=(50,), start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Each layer has two neighbours."""
        T = self.T
        for k in range(50):
            warm = 1.0 if k == 0 else T[k - 1]
            cold = 0.0 if k == 49 else T[k + 1]
            yield self.C * tg.der(T[k]) == self.G * (warm - T[k]) - self.G * (T[k] - cold)


class Web(tg.Component):
    """Nodes with links between any of them, each with a conductance of its own: eliminating them makes fill."""

    scale = tg.parameter(1.0)
    x = tg.variable(shape=(_NODES,), start=[float(k) for k in range(_NODES)], fixed=True)

    def equations(self) -> Iterator[Any]:
        """What flows in from all others."""
        a = web_matrix()
        for k in range(_NODES):
            flow = sum(float(a[k, j]) * self.x[j] for j in range(_NODES) if a[k, j])
            yield tg.der(self.x[k]) == self.scale * flow


def web_matrix() -> Any:
    """Stable and not symmetric; time constants from 0.01 to 10."""
    random = np.random.default_rng(4)
    links = np.where(random.random((_NODES, _NODES)) < 0.25, 10.0 ** random.uniform(-1, 1, (_NODES, _NODES)), 0.0)
    np.fill_diagonal(links, 0.0)
    return links - np.diag(links.sum(axis=1) + 10.0 ** np.linspace(-1, 2, _NODES))


@pytest.mark.parametrize(("model", "varied", "output"), [(Wall, "G", "T[25]"), (Web, "scale", "x[5]")])
def test_against_matrix_exponentials(model: type[tg.Component], varied: str, output: str) -> None:
    middle = 100.0 if model is Wall else 1.0
    design = tg.monte_carlo({varied: (0.5 * middle, 2.0 * middle)}, 20, seed=2)
    study = tg.study(model(), design, outputs=[f"final({output})"], stop=_STOP, device="cpu", workers=1, solver="rodas")
    assert "rodas" in study.device
    for value, found in zip(study[varied].values, study[f"final({output})"], strict=True):
        if model is Wall:
            a = value * (np.eye(50, k=1) + np.eye(50, k=-1) - 2.0 * np.eye(50))
            steady = np.linalg.solve(a, -value * np.eye(50)[0])
            exact = (steady - expm(_STOP * a) @ steady)[25]
        else:
            exact = (expm(_STOP * value * web_matrix()) @ np.arange(_NODES))[5]
        assert found == pytest.approx(exact, rel=1e-5, abs=1e-6)


def test_equal_elements_are_kept_once() -> None:
    """Of 148 factors of the wall: 50 reciprocals of pivots, and one for all that stand beside the diagonal."""
    found = ensemble(Wall(), "G", "T[25]", _STOP, "rodas").model
    assert 51 <= found.constants["WORK"] - found.constants["FACTORS"] <= 52


def test_chains_are_eliminated_from_both_ends() -> None:
    pattern = {(i, j) for i in range(8) for j in range(8) if abs(i - j) <= 1}
    found = elimination(8, pattern)
    assert set(found.order[:2]) == {0, 7}
    assert found.entries == pattern  # no fill


def test_the_work_of_large_runs_in_shared_memory() -> None:
    found = ensemble(Wall(), "G", "T[25]", _STOP, "rodas").model
    assert shared_numbers(found) % 2 == 1  # threads of a warp at different banks
    shared = ptx(found, ADAPTIVE, "sm_90", is_shared=True)
    assert "ld.shared" in shared
    assert ".local" not in shared  # nothing of it is left in memory of a thread
    assert ".local" in ptx(found, ADAPTIVE, "sm_90")
