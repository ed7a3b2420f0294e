"""The correction of states by the projection kernel, against NumPy's pseudoinverse."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tellegen.engine.runtime.algebra.projection import correct, find_ranks
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

UNIT = load(correct, find_ranks)


def component(J: np.ndarray, gap: np.ndarray, x: np.ndarray) -> tuple[SimpleNamespace, SimpleNamespace]:
    """A model of one component: the work vector holds the states, the residuals and the derivatives."""
    m, n = J.shape
    w = np.concatenate([x, gap, J.ravel()])
    ode = SimpleNamespace(w=w, parameters=np.zeros(1), state_index=np.arange(n))
    starts = {"row_start": [0, m], "column_start": [0, n], "entry_start": [0, m * n]}
    pr = SimpleNamespace(components=1, size=np.ones(n), **{name: np.array(ends) for name, ends in starts.items()})
    pr.residual, pr.state = n + np.arange(m), np.arange(n)
    pr.entry_row, pr.entry_column = np.divmod(np.arange(m * n), n)
    pr.entry_place, pr.of_parameter, pr.sign = n + m + np.arange(m * n), np.zeros(m * n, int), np.ones(m * n)
    pr.rank, pr.share, pr.atol, pr.rtol, pr.smallest = np.array([min(m, n)]), np.ones(n), np.ones(n), 0.0, 1e-10
    pr.longest, pr.length, pr.most_length = np.zeros((3, m))
    pr.jacobian, pr.factor, pr.order = np.zeros(m * n), np.zeros(m * m), np.zeros(m, int)
    pr.gap, pr.left, pr.multiplier, pr.change, pr.weight = (np.zeros(k) for k in (m, m, m, n, n))
    pr.residual_now, pr.residual_row, pr.open, pr.opened = 0.0, 0, 0.0, 0
    return ode, pr


@pytest.mark.parametrize("seed", range(12))
def test_the_least_change(seed: int) -> None:
    """Of random rank, with rows of very different lengths; weights are sizes of the states."""
    random = np.random.default_rng(seed)
    m, n = random.integers(1, 5), random.integers(2, 7)
    rank = random.integers(1, min(m, n) + 1)
    lengths = 10.0 ** random.uniform(-3, 3, m)
    J = lengths[:, None] * (random.normal(size=(m, rank)) @ random.normal(size=(rank, n)))
    gap = J @ random.normal(size=n)
    x = random.normal(size=n)
    ode, pr = component(J, gap, x.copy())
    pr.atol = 10.0 ** random.uniform(-2, 2, n)
    pr.rank[:] = 0
    evaluate(UNIT, "find_ranks", ode, pr, x)
    assert pr.rank[0] == rank
    moved = x.copy()
    size = evaluate(UNIT, "correct", ode, pr, moved)
    W = np.diag(pr.atol)
    expected = -W @ np.linalg.lstsq(J @ W / lengths[:, None], gap / lengths, rcond=1e-9)[0]
    assert moved - x == pytest.approx(expected, rel=1e-6, abs=1e-9 * np.abs(expected).max())
    assert size == pytest.approx(np.abs(expected / pr.atol).max(), rel=1e-6)
    assert pr.open < 1e-6 * np.abs(gap / lengths).max()


def test_what_is_held_stays_and_what_contradicts_is_open() -> None:
    J = np.array([[1.0, 1.0], [2.0, 2.0]])
    ode, pr = component(J, np.array([1.0, 3.0]), np.zeros(2))
    pr.share = np.array([0.0, 1.0])
    pr.rank[:] = 1
    x = np.zeros(2)
    evaluate(UNIT, "correct", ode, pr, x)
    assert x[0] == 0.0
    assert x[1] in (-1.0, -1.5)
    assert pr.open == pytest.approx(0.5)


def test_residuals_at_states_near_the_evaluated_ones() -> None:
    """The model was evaluated at zero; at (1, 0) the residual is larger by its derivative."""
    ode, pr = component(np.array([[3.0, 4.0]]), np.array([5.0]), np.zeros(2))
    x = np.array([1.0, 0.0])
    evaluate(UNIT, "correct", ode, pr, x)
    assert x == pytest.approx([1.0 - 8.0 * 3.0 / 25.0, -8.0 * 4.0 / 25.0])
