"""What must hold of rows that look alike: slots, what is bound to them, and the statements they came from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.check.faults import Indices, expression_faults, repeated, within
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.flat import Group
from tellegen.ir.reduced import INTEGRATION, KNOWN, PARAMETER, UNKNOWN, UNUSED, ReducedGroup, ReducedModel


def group_faults(model: ReducedModel, group: ReducedGroup) -> Iterator[str]:
    """What is wrong with the slots of a group, or with what is bound to them."""
    slots = len(group.kinds)
    width = group.bindings.shape[1]
    if slots != width:
        yield f"{width} columns of bindings for {slots} slots"
    if len(group.source_rows) != group.rows:
        yield f"{len(group.source_rows)} sources for {group.rows} rows"
    nodes = walk(group.residual)
    for node in nodes:
        if not isinstance(node, Slot | Der):
            continue
        if not 0 <= node.index < slots:
            yield f"slot {node.index} of {slots}"
        if group.kinds[node.index] == UNUSED:
            yield f"slot {node.index} is read, but nothing is bound to it"
        if isinstance(node, Der) and group.kinds[node.index] != UNKNOWN:
            yield f"derivative of slot {node.index}, which is not an unknown"
    yield from expression_faults(nodes)
    yield from _binding_faults(model, group)


def _binding_faults(model: ReducedModel, group: ReducedGroup) -> Iterator[str]:
    solved = model.position
    given = model.known_position
    for slot, kind in enumerate(group.kinds):
        bound = group.bindings[:, slot]
        if kind == PARAMETER:
            if not within(bound, model.parameter_indices):
                yield f"slot {slot} is bound to a parameter that does not exist"
        elif kind in (UNKNOWN, KNOWN):
            if not within(bound, model.variable_count):
                yield f"slot {slot} is bound to a variable that does not exist"
            lost = bound[(solved if kind == UNKNOWN else given)[bound] < 0]
            if len(lost):
                yield f"slot {slot} is bound to variable {lost[0]}, which is not {_MEANT[kind]}"
        elif kind != UNUSED:
            yield f"slot {slot} is of the kind '{kind}'"


_MEANT = {UNKNOWN: "an unknown", KNOWN: "an input or a discrete variable"}


def source_faults(groups: tuple[ReducedGroup, ...], statements: tuple[Group, ...]) -> Iterator[str]:
    """Every row stands for one statement, no statement stands twice, and none is left out of its derivatives."""
    begin = np.cumsum([0, *(statement.rows for statement in statements)])
    of_order: dict[int, list[Indices]] = {}
    for group in groups:
        if group.source == INTEGRATION:
            continue
        if not 0 <= group.source < len(statements):
            yield f"rows of statement {group.source} of {len(statements)}"
        if not within(group.source_rows, statements[group.source].rows):
            yield f"rows that statement {group.source} does not have"
        of_order.setdefault(group.order, []).append(begin[group.source] + group.source_rows)
    lower: Indices | None = None
    for order in sorted(of_order):
        found = np.concatenate(of_order[order])
        if repeated(found):
            yield "a statement that occurs twice" + (f", differentiated {order} times" if order else "")
        if order and (lower is None or not np.isin(found, lower).all()):
            yield f"a derivative of order {order} without the one below it"
        lower = found
