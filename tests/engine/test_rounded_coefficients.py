"""Loops with coefficients that are what roundings left of zero, such as cos(pi/2): no row is divided by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg

SIZE = 5


def random_matrix(seed: int) -> Any:
    """Regular, of numbers of size one, noise and zeros; every column needs one that is not noise."""
    random = np.random.default_rng(seed)
    while True:
        sizes = random.choice([0.0, 1e-16, 1.0], (SIZE, SIZE), p=[0.3, 0.35, 0.35])
        matrix = sizes * random.uniform(0.5, 1.5, (SIZE, SIZE))
        if np.linalg.cond(np.where(sizes == 1.0, matrix, 0.0)) < 100.0:
            return matrix


def loop(matrix: Any) -> type[tg.Component]:
    """matrix z == (x, 1, 2, 3, ...), where x decays."""

    class Loop(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        z = tg.variable(shape=SIZE)

        def equations(self) -> Any:
            yield tg.der(self.x) == -self.x
            for row, numbers in enumerate(matrix.tolist()):
                terms = [number * self.z[k] for k, number in enumerate(numbers) if number]
                yield sum(terms[1:], terms[0]) == (self.x if row == 0 else float(row))

    return Loop


@pytest.mark.parametrize("seed", range(12))
def test_a_loop_with_rounded_zeros(seed: int) -> None:
    """Compared with NumPy's solution."""
    matrix = random_matrix(seed)
    solution = tg.simulate(loop(matrix)(), 1.0, points=3, solver="rk45")
    right = np.arange(float(SIZE))
    right[0] = solution["x"][-1]
    assert solution["z"][-1] == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-9)
