"""Numbers in which the actions of one long when-statement differ, as columns.

    x[1] := f(u, 1);  x[2] := f(u, 2)  ...        ->      x[k] := f(u, c), where the numbers c are parameters

Actions that are alike then become rows of one template (structure/reduction/find_events.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.frontends.modelica.kinds.pending import Pending, values_of
from tellegen.frontends.modelica.kinds.rows.local_statements import Form, Local, localize
from tellegen.frontends.modelica.kinds.rows.rows import FEWEST, Column, Rows, free_numbers, without_numbers
from tellegen.ir.expressions.expr import Const, Expr, walk


def with_action_columns(rows: Rows) -> Rows:
    """The rows of a statement; of a when-statement with many actions numbers that differ between them are columns."""
    found = list(_columns(rows)) if rows.pending.section == "when" and len(rows.local.scalars) >= FEWEST else []
    rows.columns += found
    return rows


def _columns(rows: Rows) -> Iterator[Column]:
    form = rows.local.form
    differing = set(_differing(rows.pending))
    if not differing:
        return
    nodes = walk(*rows.local.expressions)
    for k in sorted(free_numbers(form)):
        node = nodes[k]
        if node in differing and isinstance(node, Const):
            yield Column(k, node, [float(node.value)] * len(rows.elements))


def _differing(pending: Pending) -> Iterator[Expr]:
    """The numbers in which many actions differ that are alike otherwise."""
    alike: dict[Form, list[Local]] = {}
    for value in values_of(pending):
        local = localize((value,), {})
        alike.setdefault(without_numbers(local.form), []).append(local)
    for members in alike.values():
        if len(members) < FEWEST:
            continue
        for k in free_numbers(members[0].form):
            found = {local.form.nodes[k] for local in members}
            if len(found) > 1:
                yield from found
