"""Stamps of kinds become groups of the flat model: the same template, one row for each instance."""

from __future__ import annotations

import numpy as np

from tellegen.flatten.layout import Layout
from tellegen.ir.flat import Group
from tellegen.ir.model import Stamp

SECTIONS = ("equation", "initial", "when", "assert", "invariant", "parameter", "start")


def stamp_all(layout: Layout) -> dict[str, list[Group]]:
    """All groups by section. A kind that stands in several nodes gives one group."""
    found: dict[int, list[tuple[int, Stamp]]] = {}
    for number, node in enumerate(layout.tree.nodes):
        for stamp in node.kind.stamps:
            found.setdefault(id(stamp), []).append((number, stamp))
    groups: dict[str, list[Group]] = {section: [] for section in SECTIONS}
    for positions in found.values():
        stamp = positions[0][1]
        parts = []
        spans = []
        first = 0
        for number, _ in positions:
            rows = bind(layout, number, stamp)
            if len(rows):
                spans.append((number, first, stamp.rows))
                parts.append(rows)
                first += len(rows)
        if parts:
            bindings = parts[0] if len(parts) == 1 else np.concatenate(parts)
            groups[stamp.section].append(Group(stamp.template, bindings, tuple(spans)))
    return groups


def bind(layout: Layout, node_number: int, stamp: Stamp) -> np.ndarray:
    """The binding matrix of a stamp for all instances of a node."""
    count = layout.tree.nodes[node_number].count
    out = np.empty((count, stamp.rows, len(stamp.refs)), dtype=np.int32)
    for s, ref in enumerate(stamp.refs):
        out[:, :, s] = layout.indices(node_number, ref)  # one element serves all rows by broadcasting
    return out.reshape(count * stamp.rows, len(stamp.refs))
