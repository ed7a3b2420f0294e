"""Where the vertices of a graph stand on paper: distances on paper like distances in the graph.

Stress majorization (Gansner, Koren, North, Graph Drawing 2004): every pair pulls towards its distance in edges, near
pairs more; each round cannot make it worse, and nothing is random, so the same model looks the same every time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, shortest_path

_ROUNDS = 200
_GAP = 1.6  # between parts


def layout(tail: Any, head: Any, vertices: int) -> Any:
    """Positions of the vertices, connected parts side by side."""
    ones = np.ones(len(tail))
    graph = coo_matrix((ones, (tail, head)), shape=(vertices, vertices)).tocsr()
    count, part = connected_components(graph, directed=False)
    positions = np.zeros((vertices, 2))
    left = 0.0
    for number in range(count):
        inside = np.flatnonzero(part == number)
        own = _part(shortest_path(graph[inside][:, inside], directed=False, unweighted=True))
        own -= own.min(axis=0)
        positions[inside] = own + np.array([left, -own[:, 1].max(initial=0.0) / 2])
        left += own[:, 0].max(initial=0.0) + _GAP
    return positions


def _part(distance: Any) -> Any:
    """One connected part, its long side lying."""
    count = len(distance)
    if count == 1:
        return np.zeros((1, 2))
    angle = 2.0 * np.pi * np.arange(count) / count
    positions = np.column_stack([np.cos(angle), np.sin(angle)]) * count / 4.0
    wanted = np.where(distance > 0, distance, 1.0)
    weight = np.where(distance > 0, wanted**-2.0, 0.0)
    total = weight.sum(axis=1)
    for _ in range(_ROUNDS):
        offset = positions[:, None] - positions[None]
        length = np.maximum(np.linalg.norm(offset, axis=2), 1e-9)
        pulled = positions[None] + offset * (wanted / length)[:, :, None]
        positions = (weight[:, :, None] * pulled).sum(axis=1) / total[:, None]
    centred = positions - positions.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    return centred @ axes.T
