"""What must hold of every FlatModel, whoever made it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.check.faults import refuse, within
from tellegen.ir.check.model import template_faults
from tellegen.ir.flat import FlatModel, Group


def check_flat(flat: FlatModel) -> None:
    """Raise E903 when a FlatModel is not well formed."""
    refuse(f"flat model {flat.name}", _flat_faults(flat))


def _flat_faults(flat: FlatModel) -> Iterator[str]:
    sections = (
        *(flat.equations, flat.initial_equations, flat.whens, flat.assertions),
        *(flat.invariants, flat.parameter_bindings, flat.start_bindings),
    )
    for group in (group for section in sections for group in section):
        yield from template_faults(group.template)
        yield from _group_faults(flat, group)
    limits = (("equalities", flat.equalities), ("sums", flat.sums.indices), ("inputs", flat.inputs))
    for name, indices in limits:
        if not within(indices.ravel(), flat.variables.count):
            yield f"{name} out of range"
    if flat.sums.rows and np.any(np.diff(flat.sums.indptr) < 1):
        yield "an empty sum of flows"
    yield from _order_faults(flat)


def _group_faults(flat: FlatModel, group: Group) -> Iterator[str]:
    if group.bindings.shape[1] != len(group.template.slots):
        yield f"{group.bindings.shape[1]} columns for {len(group.template.slots)} slots"
        return
    if not group.rows:
        return
    columns = np.ascontiguousarray(group.bindings.T)
    for slot, low, high in zip(group.template.slots, columns.min(axis=1), columns.max(axis=1), strict=True):
        limit = flat.parameters.count if slot.parameter else flat.variables.count
        if not 0 <= low <= high < limit:
            yield f"slot '{slot.name}' out of range"


def _order_faults(flat: FlatModel) -> Iterator[str]:
    """Every parameter is computed before another one reads it."""
    waiting = np.zeros(flat.parameters.count, bool)
    for group in flat.parameter_bindings:
        waiting[group.bindings[:, 0]] = True
    for group in flat.parameter_bindings:
        early = waiting[group.bindings[:, 1:]].any(axis=1)
        if early.any():
            name = flat.parameters.name(int(group.bindings[early, 0][0]))
            yield f"parameter '{name}' is computed from one that follows it"
        waiting[group.bindings[:, 0]] = False
