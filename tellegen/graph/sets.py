"""Connected sets: which of n things are joined by pairs, which lead to others. Integers in, integers out."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.graph import small
from tellegen.graph.arrays import Array
from tellegen.graph.incidence import Incidence, incidence
from tellegen.start.on_use import scipy

Ints = np.ndarray[Any, np.dtype[np.int64]]


def connected_sets(count: int, a: Array, b: Array) -> Any:
    """A label for each of `count` things, equal for those that the pairs a[k], b[k] join."""
    if count == 0:
        return np.zeros(0, np.int32)
    if small.is_small(count):
        return np.array(small.connected(incidence(a, b, (count, count)).columns_of_rows), np.int32)
    pairs = scipy.sparse.coo_array((np.ones(len(a), np.int8), (a, b)), (count, count))
    return scipy.sparse.csgraph.connected_components(pairs.tocsr(), directed=False)[1]


def reachable(graph: Incidence, start: Array) -> Any:
    """Per node of a directed graph: whether it is one of those marked at the start or can be reached from them."""
    count = graph.shape[0]
    if small.is_small(count):
        return np.array(small.reachable(graph.columns_of_rows, np.flatnonzero(start).tolist()), bool)
    first = np.flatnonzero(start)
    indptr = np.append(graph.indptr, len(graph.indices) + len(first))  # one more node leads to all of the start
    whole = Incidence(indptr, np.concatenate([graph.indices, first]).astype(np.int32), (count + 1, count + 1))
    found = np.zeros(count + 1, bool)
    found[scipy.sparse.csgraph.breadth_first_order(whole.matrix, count, return_predecessors=False)] = True
    return found[:count]


def grouped(labels: Array) -> tuple[Any, Any]:
    """Things in the order of their labels, and where each label's range begins (with the end appended)."""
    order = np.argsort(labels, kind="stable")
    inner = labels[order]
    begins = np.flatnonzero(np.concatenate([[True], inner[1:] != inner[:-1]])) if len(labels) else np.zeros(0, int)
    return order, np.concatenate([begins, [len(labels)]])


def distinct_rows(matrix: Array) -> list[tuple[Any, Any]]:
    """The different rows of a matrix of integers or flags in their order, each with the numbers of its rows."""
    if not len(matrix):
        return []
    if (matrix == matrix[0]).all():
        return [(matrix[0], np.arange(len(matrix)))]
    order, begins = grouped(_row_numbers(matrix))
    return [(matrix[order[a]], order[a:b]) for a, b in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)]


def sorted_rows(matrix: Array) -> Any:
    """The numbers of the rows of a matrix in their order."""
    return np.argsort(_row_numbers(matrix), kind="stable") if len(matrix) else np.zeros(0, np.int64)


def _row_numbers(matrix: Array) -> Any:
    """A number for each row, in the order of the rows: many times as fast to sort as the rows themselves."""
    least = matrix.min(axis=0).astype(np.int64)
    sizes = matrix.max(axis=0).astype(np.int64) - least + 1
    if np.log2(sizes.astype(float)).sum() > 62:
        return np.unique(matrix, axis=0, return_inverse=True)[1].ravel()
    numbers = np.zeros(len(matrix), np.int64)
    for column, (first, size) in enumerate(zip(least.tolist(), sizes.tolist(), strict=True)):
        if size > 1:
            numbers = numbers * size + (matrix[:, column] - first if first else matrix[:, column])
    return numbers


def connected_parts(shape: tuple[int, int], row: Array, column: Array) -> list[tuple[Any, Any, Any]]:
    """Rows, columns and entries of a matrix that hang together; columns without an entry are in none."""
    m, n = shape
    labels = connected_sets(m + n, row, m + np.asarray(column))
    count = int(labels.max(initial=-1)) + 1

    def of_label(part: Array) -> list[Any]:
        order = np.argsort(part, kind="stable")
        bounds = np.searchsorted(part[order], np.arange(count + 1))
        return [order[bounds[k] : bounds[k + 1]] for k in range(count)]

    found = zip(of_label(labels[:m]), of_label(labels[m:]), of_label(labels[np.asarray(row)]), strict=True)
    return [part for part in found if len(part[0])]
