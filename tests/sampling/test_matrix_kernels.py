"""Kernels that compute with matrices: exponentials against SciPy, in odd units, and elimination that needs pivots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from tellegen.ir.expressions.expr import Const, Slot
from tellegen.sampling.exponential import exact_step
from tellegen.sampling.tape import Matrix, Tape, identity, solve

SIZE = 3
PERIOD = 0.7
Array = np.ndarray[Any, np.dtype[np.float64]]


@pytest.fixture(scope="module")
def exact() -> Any:
    """F, G and Q of x' = A x + noise, as a function of the entries of A and of variances."""
    tape = Tape(SIZE * SIZE + SIZE)
    a: Matrix = [[Slot(SIZE * i + j) for j in range(SIZE)] for i in range(SIZE)]
    noise: Matrix = [[Slot(SIZE * SIZE + i) if i == j else Const(0.0) for j in range(SIZE)] for i in range(SIZE)]
    step = exact_step(tape, a, Const(PERIOD), noise)
    every = [value for matrix in (step.transition, step.integral, step.noise) for row in matrix for value in row]
    kernel: Any = tape.function("exact", every).callable

    def run(a: Array, variances: Array) -> Array:
        return np.array(kernel(*a.ravel(), *variances)).reshape(3, SIZE, SIZE)

    return run


@pytest.mark.parametrize("size", [1e-9, 1.0, 20.0])
def test_exponentials(exact: Any, size: float) -> None:
    """Against Van Loan's blocks, from nothing to 14 time constants."""
    rng = np.random.default_rng(2)
    a = size * (rng.normal(size=(SIZE, SIZE)) - 1.5 * np.eye(SIZE))
    W = np.diag([1.0, 2.0, 0.5])
    F, G, Q = exact(a, np.diag(W))
    one, zero = np.eye(SIZE), np.zeros((SIZE, SIZE))
    assert np.abs(F - expm(a * PERIOD)).max() < 1e-13 * max(np.abs(F).max(), 1.0)
    integral = expm(np.block([[a, one], [zero, zero]]) * PERIOD)[:SIZE, SIZE:]
    assert np.abs(G - integral).max() < 1e-13 * np.abs(integral).max()
    residual = a @ Q + Q @ a.T + W - F @ W @ F.T  # integrated by parts: what Q has to fulfil
    assert np.abs(residual).max() < 1e-12 * (np.abs(a).max() * np.abs(Q).max() + 2.0)


def test_odd_units_lose_nothing(exact: Any) -> None:
    """States in units of 1e-9, 1 and 1e9: the norm of A is 1e18 times larger, and all is as exact as before."""
    rng = np.random.default_rng(3)
    a = rng.normal(size=(SIZE, SIZE)) - 1.5 * np.eye(SIZE)
    units = np.array([2.0**-30, 1.0, 2.0**30])
    ratio = units[:, None] / units
    variances = np.array([1.0, 2.0, 0.5])
    plain = exact(a, variances)
    odd = exact(a * ratio, variances * units**2)
    assert np.abs(odd[0] / ratio - plain[0]).max() < 1e-14
    assert np.abs(odd[1] / ratio - plain[1]).max() < 1e-14
    assert np.abs(odd[2] / np.outer(units, units) - plain[2]).max() < 1e-14


def test_elimination_exchanges_rows() -> None:
    tape = Tape(SIZE * SIZE)
    a: Matrix = [[Slot(SIZE * i + j) for j in range(SIZE)] for i in range(SIZE)]
    kernel: Any = tape.function("inverse", [value for row in solve(tape, a, identity(SIZE)) for value in row]).callable
    given = np.array([[0.0, 2.0, 1.0], [1e-20, 1.0, 3.0], [4.0, 0.0, 1.0]])
    assert np.abs(np.array(kernel(*given.ravel())).reshape(SIZE, SIZE) @ given - np.eye(SIZE)).max() < 1e-15
