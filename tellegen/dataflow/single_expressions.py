"""Single expressions of a when-statement, and which of them differ in their slots alone.

when c: x1 := f(u, 1), x2 := f(u, 2)      ->      one outline: f(slot 0, slot 1)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tellegen.ir.expressions.expr import Apply, Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.expressions.template import SlotInfo, Template
from tellegen.ir.flat import Group
from tellegen.start.records import dataclass

MANY_SLOTS = 32
"""Of a statement: with more, each of its expressions gets slots of its own."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Single(Template):
    """A template of one expression, for the parts of a when-statement."""

    residual: Expr

    def expressions(self) -> tuple[Expr, ...]:
        return (self.residual,)


def with_slots_in_use(group: Group, expr: Expr) -> Group:
    """A group of one expression of a statement.

    A when-statement of a vector of N conditions has N expressions and slots for all of them. Each has its own few.
    """
    slots = group.template.slots
    bindings = group.bindings
    if len(slots) > MANY_SLOTS:
        used = sorted({node.index for node in walk(expr) if isinstance(node, Slot | Der)})
        return Group(renumbered(expr, used, group.template), bindings[:, used], group.spans)
    return Group(Single(slots=slots, residual=expr, location=group.template.location), bindings, group.spans)


def renumbered(expr: Expr, used: list[int], template: Template) -> Single:
    """An expression over the slots that it uses alone."""
    place = {index: Slot(k) for k, index in enumerate(used)}
    rate = {index: Der(k) for k, index in enumerate(used)}

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Slot):
            return place[node.index]
        return rate[node.index] if isinstance(node, Der) else same_with(node, args)

    slots = tuple(template.slots[index] for index in used)
    return Single(slots=slots, residual=rebuild(expr, change), location=template.location)


def outline(expr: Expr, slots: Sequence[SlotInfo]) -> tuple[Hashable, list[int]]:
    """What an expression has in common with those that differ in their slots alone, and the slots as they are met."""
    position: dict[Expr, int] = {}
    used: dict[int, int] = {}
    nodes: list[Hashable] = []
    for node in walk(expr):
        position[node] = len(nodes)
        if isinstance(node, Slot | Der):
            nodes.append((type(node), used.setdefault(node.index, len(used))))
        elif node.args:
            operands = tuple(map(position.__getitem__, node.args))
            operation = getattr(node, "op", None) or getattr(node, "table", None)
            if isinstance(node, Apply):
                operation = (node.function, node.output)
            nodes.append((operation, operands))
        else:
            nodes.append(node)
    kinds = tuple((slots[k].parameter, slots[k].role, slots[k].type, slots[k].discrete) for k in used)
    return (tuple(nodes), kinds), list(used)
