"""What must hold of every Model, whoever made it."""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.ir.check.faults import expression_faults, refuse
from tellegen.ir.expressions.expr import Der, Slot
from tellegen.ir.expressions.template import InvariantTemplate, Template
from tellegen.ir.model import Kind, Model, Ref


def check_model(model: Model) -> None:
    """Raise E903 when a Model is not well formed."""
    for kind in model.kinds():
        refuse(f"kind {kind.name}", _kind_faults(kind))


def template_faults(template: Template) -> Iterator[str]:
    """What is wrong with a statement over its slots."""
    count = len(template.slots)
    for node in template.nodes:
        if isinstance(node, (Slot, Der)) and not 0 <= node.index < count:
            yield f"slot {node.index} of {count} in {template.location}"
        if isinstance(node, Der) and (template.slots[node.index].parameter or template.slots[node.index].discrete):
            yield f"derivative of '{template.slots[node.index].name}', which does not vary continuously"
    yield from expression_faults(template.nodes)
    if isinstance(template, InvariantTemplate) and any(slot.parameter for slot in template.slots[:2]):
        yield f"an invariant whose residual or state is a parameter in {template.location}"


def _kind_faults(kind: Kind) -> Iterator[str]:
    for stamp in kind.stamps:
        yield from template_faults(stamp.template)
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
    below = kind
    instances = 1
    for group in ref.path:
        instances *= below.groups[group].size
        below = below.groups[group].kind
    members = below.parameters if ref.parameter else below.variables
    if not 0 <= ref.member < len(members):
        yield f"member {ref.member} of {below.name}"
    elif ref.elements.size and not 0 <= ref.elements.min() <= ref.elements.max() < instances * members[ref.member].size:
        yield f"elements of '{members[ref.member].name}' out of range"
