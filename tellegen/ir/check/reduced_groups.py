"""What must hold of rows that look alike: slots, what is bound to them, and the statements they came from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from tellegen.ir.check.faults import Indices, expression_faults, repeated, within
from tellegen.ir.expressions.expr import Der, Expr, Slot, walk
from tellegen.ir.flat import Group
from tellegen.ir.reduced import INTEGRATION, KNOWN, PARAMETER, UNKNOWN, UNUSED, ReducedGroup, ReducedModel


def group_faults(model: ReducedModel, groups: tuple[ReducedGroup, ...]) -> Iterator[str]:
    """What is wrong with the slots of groups, or with what is bound to them."""
    if not groups:
        return
    for group in groups:
        slots = len(group.kinds)
        width = group.bindings.shape[1]
        if slots != width:
            yield f"{width} columns of bindings for {slots} slots"
        if len(group.source_rows) != group.rows:
            yield f"{len(group.source_rows)} sources for {group.rows} rows"
        yield from _slot_faults(group.residual, group.kinds)
    yield from _binding_faults(model, groups)


@lru_cache(maxsize=4096)
def _slot_faults(residual: Expr, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Of an expression and what its slots are; most passes leave most of them as they are."""
    nodes = walk(residual)
    found: list[str] = []
    for node in nodes:
        if not isinstance(node, Slot | Der):
            continue
        if not 0 <= node.index < len(kinds):
            found.append(f"slot {node.index} of {len(kinds)}")
        elif kinds[node.index] == UNUSED:
            found.append(f"slot {node.index} is read, but nothing is bound to it")
        elif isinstance(node, Der) and kinds[node.index] != UNKNOWN:
            found.append(f"derivative of slot {node.index}, which is not an unknown")
    return *found, *expression_faults(nodes)


def _binding_faults(model: ReducedModel, groups: tuple[ReducedGroup, ...]) -> Iterator[str]:
    """What is wrong with what is bound to slots: parameters and variables that exist, and are what they are read as."""
    slots = [_slots_by_kind(group.kinds) for group in groups]
    limits = {
        PARAMETER: (model.parameter_indices, None, "a parameter"),
        UNKNOWN: (model.variable_count, model.position, "a variable"),
        KNOWN: (model.variable_count, model.known_position, "a variable"),
    }
    for kind, (count, position, what) in limits.items():
        parts = [group.bindings[:, mine[kind]] for group, mine in zip(groups, slots, strict=True) if kind in mine]
        bound = np.concatenate([np.zeros(0, np.int64), *(part.ravel() for part in parts)])
        if not within(bound, count):
            yield f"a slot is bound to {what} that does not exist"
        elif position is not None:
            lost = bound[position[bound] < 0]
            if len(lost):
                yield f"a slot is bound to variable {lost[0]}, which is not {_MEANT[kind]}"
    for kind in {kind for mine in slots for kind in mine} - {*limits, UNUSED}:
        yield f"a slot is of the kind '{kind}'"


@lru_cache(maxsize=4096)
def _slots_by_kind(kinds: tuple[str, ...]) -> dict[str, list[int]]:
    return {kind: [slot for slot, each in enumerate(kinds) if each == kind] for kind in set(kinds)}


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
