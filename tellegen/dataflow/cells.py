"""Which rows belong together: those of one instance of a component, and sums with the rows that read them.

link[0]:  a0 = ...   b0 = ...      cell 0        a sum that only link[1] reads: cell 1
link[1]:  a1 = ...   b1 = ...      cell 1
belt:     x[k] = ... for 100 k     cells 2 .. 101: long vectors are taken apart
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.model import IntArray
from tellegen.ir.reduced import ReducedModel

LONGEST_VECTOR = 36
"""Equations of vectors and matrices up to this size are rows of one cell, longer ones a cell for each element."""


def cells_of(model: ReducedModel, reader: IntArray, read: IntArray) -> IntArray:
    """Per row the number of its cell; row reader[k] reads what row read[k] computes."""
    owner = np.full((model.equation_count, 3), -1, np.int64)  # node, instance, element of a long vector
    for offset, group in zip(model.offsets, model.groups, strict=False):
        spans = model.flat.equations[group.source].spans if group.source >= 0 else ()
        if spans:
            owner[offset : offset + group.rows] = _owners(np.array(spans), group.source_rows)
    cell = np.full(len(owner), -1, np.int64)
    owned = owner[:, 0] >= 0
    cell[owned] = np.unique(_number(owner[owned]), return_inverse=True)[1]
    for near, far in ((read, reader), (reader, read)):
        _join(cell, near, far)
    alone = np.flatnonzero(cell < 0)
    cell[alone] = cell.max(initial=-1) + 1 + np.arange(len(alone))
    return cell


def _owners(spans: Any, rows: IntArray) -> Any:
    """Node, instance and, of long vectors, element of each row of a group of the FlatModel."""
    node, first, per_instance = spans[np.searchsorted(spans[:, 1], rows, side="right") - 1].T
    instance, element = np.divmod(rows - first, per_instance)
    return np.column_stack([node, instance, np.where(per_instance > LONGEST_VECTOR, element, 0)])


def _number(owners: Any) -> IntArray:
    """One number for each row of three, in their order: ten times as fast to sort."""
    sizes = owners.max(axis=0, initial=0) + 1
    return (owners[:, 0] * sizes[1] + owners[:, 1]) * sizes[2] + owners[:, 2]


def _join(cell: IntArray, near: IntArray, far: IntArray) -> None:
    """Rows `near` without a cell join that of the rows `far`, where it is one cell."""
    mine = (cell[near] < 0) & (cell[far] >= 0)
    least = np.full(len(cell), np.iinfo(np.int64).max)
    most = np.full(len(cell), -1, np.int64)
    np.minimum.at(least, near[mine], cell[far[mine]])
    np.maximum.at(most, near[mine], cell[far[mine]])
    found = (least == most) & (cell < 0)
    cell[found] = most[found]
