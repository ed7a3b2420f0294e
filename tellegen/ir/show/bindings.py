"""Which implementation stands for which interface, as a table for reports and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.sheet import Table

if TYPE_CHECKING:
    from tellegen.ir.flat import FlatModel

_SHOWN = 20


def binding_table(flat: FlatModel) -> Table | str:
    """The bindings of a model; nothing for a model without interfaces."""
    rows = flat.binding_rows
    if not rows:
        return ""
    left = len(rows) - _SHOWN
    return Table(("interface", "implementation"), [*rows[:_SHOWN], *([(f"... {left} more", "")] if left > 0 else [])])
