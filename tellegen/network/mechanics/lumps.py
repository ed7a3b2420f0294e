"""Lumps: the sets of bodies that are rigidly connected (algorithm B of A. Diaz-Calderon's thesis, 2000, section 4.3.2).

    bodies 0..4, rigid connections (0, 2), (2, 3)  ->  labels 0 1 0 0 2

Only connections without any freedom are passed in: a prismatic joint, which that thesis draws as a sliding vector and a
fixed edge, separates two lumps like every other joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tellegen.graph.sets import connected_sets, grouped

Ints = np.ndarray[Any, np.dtype[np.int64]]


def lumps(count: int, rigid: Sequence[tuple[int, int]]) -> Ints:
    """The lump of each of `count` bodies; lumps are numbered in the order of their first bodies."""
    pairs = np.array(rigid, np.int64).reshape(-1, 2)
    labels = np.asarray(connected_sets(count, pairs[:, 0], pairs[:, 1]), np.int64)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def members(labels: Ints) -> list[list[int]]:
    """The bodies of each lump, in their order."""
    order, begins = grouped(labels)
    return [order[begin:end].tolist() for begin, end in pairwise(begins)]
