"""The search for pivots: right factors, little fill, and singular matrices are reported, whatever they look like."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import tellegen as tg
from engine.test_linear import pattern_of
from seeds import each_seed
from tellegen.engine.linear_algebra import pivots
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.runtime.algebra import markowitz
from tellegen.library import electrical as el
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load


def random_matrix(seed: int) -> Any:
    """A sparse matrix with rows of different units: regular, of rank one less, or without a complete matching."""
    random = np.random.default_rng(seed)
    count = int(random.integers(1, (8, 40, 150)[seed % 3]))
    matrix: Any = sparse.random_array((count, count), density=min(1.0, 2.0 / count), rng=random).toarray()
    matrix[np.arange(count), random.permutation(count)] += random.uniform(0.5, 1.5, count)
    if seed % 4 == 1 and count > 2:
        matrix[1] = 3.0 * matrix[0]
    if seed % 4 == 2 and count > 2:
        matrix[:, [0, 1]] = 0.0
        matrix[0, [0, 1]] = 1.0
    return matrix * 10.0 ** random.uniform(-3, 3, (count, 1))


def solved(matrix: Any, right: Any) -> Any:
    """The solution; a pivot that is zero but for rounding counts as none."""
    pattern, values = pattern_of(matrix)
    lu = SparseLU(pattern, choose_pivots(pattern, values))
    lu.factor(values)
    found = lu.solve(right)
    if np.abs(found).max() > 1e9:
        raise SingularMatrixError
    return found


@each_seed(range(120))
def test_regular_matrices_are_solved_and_singular_ones_reported(seed: int) -> None:
    """Scaled to rows of size one, so that NumPy's rank and residuals mean something; 1e-9 allows a condition of 1e6."""
    matrix = random_matrix(seed)
    scaled = matrix / np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-300)
    if np.linalg.matrix_rank(scaled, tol=1e-11) < len(matrix):
        with pytest.raises(SingularMatrixError):
            solved(matrix, np.ones(len(matrix)))
        return
    expected = np.random.default_rng(seed).normal(size=len(matrix))
    size = np.linalg.cond(scaled) * 1e-13
    np.testing.assert_allclose(solved(matrix, matrix @ expected), expected, atol=1e-9 + size)


@pytest.mark.parametrize("seed", range(12))
def test_the_kernel_stays_inside_its_arrays(seed: int) -> None:
    """The reference evaluation raises an error for an index out of range; its pivots are those of the native code."""
    pattern, values = pattern_of(random_matrix(3 * seed))
    memory = pivots.PivotSearchMemory(pattern, values)
    record = memory.record
    search = SimpleNamespace(**{name: record.kept.get(name, 0) for name in record.number})
    search.threshold = record.get_double("threshold")
    search.rows, search.columns = (SimpleNamespace(**lines.kept) for lines in memory.lines)
    status = evaluate(load(markowitz.choose_pivots), "choose_pivots", search)
    try:
        order = pivots._order(pattern, values)
    except SingularMatrixError:
        assert status == markowitz.SINGULAR
        return
    if status == markowitz.REGULAR:
        np.testing.assert_array_equal(search.row_order, order.rows)
        np.testing.assert_array_equal(search.column_order, order.columns)


def grid(n: int) -> Any:
    """Currents and potentials of n x n nodes, each tied to its neighbours: Ohm's law of edges and sums at nodes."""
    number = np.arange(n * n).reshape(n, n)
    ends = np.concatenate(
        [
            np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()]),
            np.stack([number[:-1].ravel(), number[1:].ravel()]),
        ],
        axis=1,
    )
    edges = ends.shape[1]
    each = np.arange(edges)
    signs = np.repeat([1.0, -1.0], edges)
    incidence = sparse.coo_array((signs, (ends.ravel(), np.tile(each, 2))), shape=(n * n, edges))
    return sparse.block_array(
        [[sparse.eye_array(edges), -incidence.T], [incidence, 0.1 * sparse.eye_array(n * n)]], format="csc"
    )


def test_fill_of_grids_grows_without_a_cliff() -> None:
    """n**2 log n entries and no more: nested dissection has 8 n**2 log2(n**2) in each factor of a grid."""
    for n in (10, 15, 20, 25, 28, 32, 35, 40, 50):
        pattern, values = pattern_of(grid(n))
        fill = choose_pivots(pattern, values).fill
        assert fill < 16 * n**2 * np.log2(n**2) + 3 * pattern.count, n


def test_a_search_takes_little_memory() -> None:
    """Room for twice the entries, of which circuits fill in half as many again, and 4 bytes for each in the table."""
    pattern, values = pattern_of(sparse.eye_array(4000) + sparse.eye_array(4000, k=1))
    search = pivots.PivotSearchMemory(pattern, values)
    arrays = [each for record in (search.record, *search.lines) for each in record.kept.values()]
    assert sum(each.nbytes for each in arrays if isinstance(each, np.ndarray)) < 180 * pattern.count


PARTS = (
    ("L", 1, 0), ("C", 2, 0), ("C", 3, 0), ("L", 4, 0), ("R", 5, 1), ("L", 6, 3), ("L", 7, 2), ("C", 3, 6), ("R", 2, 7),
    ("VS", 4, 3), ("C", 7, 0), ("VS", 3, 1), ("IS", 4, 5), ("VS", 6, 3), ("L", 3, 1), ("L", 1, 6), ("V", 7, 5),
)  # fmt: skip


def test_a_steady_state_that_does_not_exist_is_an_error() -> None:
    """Inductors parallel to voltage sources at rest: rank 37 of 41. SuperLU ended the process on it."""
    made = {
        "L": lambda: el.Inductor(L=1.5),
        "C": lambda: el.Capacitor(C=0.5),
        "R": lambda: el.Resistor(R=2.0),
        "V": lambda: el.ConstantVoltage(V=-1.2),
        "VS": lambda: el.SineVoltage(V=1.1, f=0.3, phase=3.0),
        "IS": lambda: el.SineCurrent(I=-1.7, f=0.4, phase=0.6),
    }
    system = tg.System("net")
    system.add(g=el.Ground())
    nodes: dict[int, list[Any]] = {0: [system.g.p]}
    for k, (kind, a, b) in enumerate(PARTS):
        part = made[kind]()
        system.add(**{f"e{k}": part})
        nodes.setdefault(a, []).append(part.p)
        nodes.setdefault(b, []).append(part.n)
    for joined in nodes.values():
        system.connect(*joined)
    with pytest.raises(tg.NumericError, match="E30"):
        tg.steady_state(system)
