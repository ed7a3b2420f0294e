"""Parameters given by expressions, in the order they can be computed.

    b = 2*a,  c = a + b,  a = 3        ->    [a = 3],  [b = 2*a],  [c = a + b]

Bindings are stamped groups (slot 0 is what is computed), so the rows of one group may be needed at different times.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.ir.flat import Group, Table
from tellegen.ir.show.statements import show_template


def in_order(bindings: Iterable[Group], parameters: Table) -> list[Group]:
    """Rows gathered so that every parameter is computed before it is used; E154 for those in a circle."""
    waiting = [group for group in bindings if group.rows]
    unknown = np.zeros(parameters.count, bool)
    for group in waiting:
        unknown[group.bindings[:, 0]] = True
    ordered: list[Group] = []
    while waiting:
        ready = [~unknown[group.bindings[:, 1:]].any(axis=1) for group in waiting]
        if not any(part.any() for part in ready):
            raise _circle(parameters, waiting)
        found = [_rows(group, part) for group, part in zip(waiting, ready, strict=True) if part.any()]
        for group in found:
            unknown[group.bindings[:, 0]] = False
        ordered += found
        waiting = [_rows(group, ~part) for group, part in zip(waiting, ready, strict=True) if not part.all()]
    return ordered


def _rows(group: Group, chosen: Any) -> Group:
    return group if chosen.all() else Group(group.template, group.bindings[chosen], group.spans)


def _circle(parameters: Table, waiting: list[Group]) -> LanguageError:
    shown = []
    for group in waiting[:6]:
        names = [parameters.name(int(index)) for index in group.bindings[0]]
        shown.append(f"{show_template(group.template, names)}   at {group.template.location}")
    return LanguageError(
        "E154",
        "circular parameter definitions",
        location=waiting[0].template.location,
        details=shown,
        advice="give one of them a number",
    )
