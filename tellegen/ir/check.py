"""Checkers: what must hold of every Model and FlatModel, whoever made it. A fault is ours, never the user's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.errors import InternalError
from tellegen.ir.expressions.expr import Apply, Call, Der, Lookup, Slot
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.template import Template
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.model import Kind, Model, Ref


def check_model(model: Model) -> None:
    """Raise E903 when a Model is not well formed."""
    for kind in model.kinds():
        _raise(f"kind {kind.name}", _kind_faults(kind))


def check_flat(flat: FlatModel) -> None:
    """Raise E903 when a FlatModel is not well formed."""
    _raise(f"flat model {flat.name}", _flat_faults(flat))


def _raise(what: str, faults: Iterator[str]) -> None:
    fault = next(faults, None)
    if fault is not None:
        raise InternalError("E903", f"{what} is not well formed: {fault}", advice="please report this with the model")


def _template_faults(template: Template) -> Iterator[str]:
    count = len(template.slots)
    for node in template.nodes:
        if isinstance(node, (Slot, Der)) and not 0 <= node.index < count:
            yield f"slot {node.index} of {count} in {template.place}"
        if isinstance(node, Der) and (template.slots[node.index].parameter or template.slots[node.index].discrete):
            yield f"derivative of '{template.slots[node.index].name}', which does not vary continuously"
        if isinstance(node, Call) and (node.op not in OPS or OPS[node.op].arity not in (-1, len(node.args))):
            yield f"operation {node.op} with {len(node.args)} operands"
        if isinstance(node, Apply) and not 0 <= node.output < node.function.outputs:
            yield f"output {node.output} of {node.function.name}"
        if isinstance(node, Lookup) and len(node.args) != len(node.table.breaks):
            yield f"a table of {len(node.table.breaks)} arguments with {len(node.args)}"


def _kind_faults(kind: Kind) -> Iterator[str]:
    for stamp in kind.stamps:
        yield from _template_faults(stamp.template)
        if len(stamp.refs) != len(stamp.template.slots):
            yield f"{len(stamp.refs)} refs for {len(stamp.template.slots)} slots"
        for ref in stamp.refs:
            if len(ref.elements) not in (1, stamp.rows):
                yield f"{len(ref.elements)} elements for {stamp.rows} rows"
            yield from _ref_faults(kind, ref)
    for setting in kind.settings:
        yield from _ref_faults(kind, setting.ref)
        if len(setting.ref.elements) != len(setting.values):
            yield f"{len(setting.values)} values for {len(setting.ref.elements)} elements"


def _ref_faults(kind: Kind, ref: Ref) -> Iterator[str]:
    if ref.outer:
        return
    below, instances = kind, 1
    for group in ref.path:
        instances *= below.groups[group].size
        below = below.groups[group].kind
    members = below.parameters if ref.parameter else below.variables
    if not 0 <= ref.member < len(members):
        yield f"member {ref.member} of {below.name}"
    elif ref.elements.size and not 0 <= ref.elements.min() <= ref.elements.max() < instances * members[ref.member].size:
        yield f"elements of '{members[ref.member].name}' out of range"


def _flat_faults(flat: FlatModel) -> Iterator[str]:
    sections = (
        *(flat.equations, flat.initial_equations, flat.whens, flat.assertions),
        *(flat.parameter_bindings, flat.start_bindings),
    )
    for group in (group for section in sections for group in section):
        yield from _template_faults(group.template)
        yield from _group_faults(flat, group)
    limits = (("equalities", flat.equalities), ("sums", flat.sums.indices), ("inputs", flat.inputs))
    for name, indices in limits:
        if indices.size and not 0 <= indices.min() <= indices.max() < flat.variables.count:
            yield f"{name} out of range"
    if flat.sums.rows and np.any(np.diff(flat.sums.indptr) < 1):
        yield "an empty sum of flows"


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
