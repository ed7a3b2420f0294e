"""Parameters given by expressions, in the order they can be computed.

    b = 2*a,  c = a + b,  a = 3        ->    [a = 3],  [b = 2*a],  [c = a + b]

Bindings are stamped groups (slot 0 is what is computed), so the rows of one group may be needed at different times.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.ir.flat import Group


def in_order(bindings: Iterable[Group], count: int) -> tuple[list[Group], list[Group]]:
    """Rows gathered so that every one of `count` parameters is computed before it is used; and those in a circle."""
    waiting = [group for group in bindings if group.rows]
    unknown = np.zeros(count, bool)
    for group in waiting:
        unknown[group.bindings[:, 0]] = True
    ordered: list[Group] = []
    while waiting:
        ready = [~unknown[group.bindings[:, 1:]].any(axis=1) for group in waiting]
        if not any(part.any() for part in ready):
            break
        found = [_rows(group, part) for group, part in zip(waiting, ready, strict=True) if part.any()]
        for group in found:
            unknown[group.bindings[:, 0]] = False
        ordered += found
        waiting = [_rows(group, ~part) for group, part in zip(waiting, ready, strict=True) if not part.all()]
    return ordered, waiting


def _rows(group: Group, chosen: Any) -> Group:
    return group if chosen.all() else Group(group.template, group.bindings[chosen], group.spans)
