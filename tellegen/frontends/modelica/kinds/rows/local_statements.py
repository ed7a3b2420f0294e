"""Statements over numbered scalars, made local: what is alike in them apart from the scalars is one template.

v3 = R7*i4,  v8 = R9*i2     ->     the same Form, with the scalars (3, 7, 4) and (8, 9, 2)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, Time, rebuild_all, same_with, walk
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """Expressions without their scalars: equal forms have equal local expressions."""

    nodes: tuple[Any, ...]
    roots: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """Expressions as a form and the scalars in it, in the order in which they are met."""

    form: Form
    scalars: tuple[int, ...]
    expressions: tuple[Expr, ...]  # over the numbers of scalars, as they were

    def renumbered(self, constants: Mapping[int, Const], columns: Sequence[Expr] = ()) -> tuple[Expr, ...]:
        """The expressions over local slots; those after the scalars' are for `columns`, nodes that are numbers."""
        slot = {scalar: k for k, scalar in enumerate(self.scalars)}
        column = {node: len(slot) + k for k, node in enumerate(columns)}

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if node in column:
                return Slot(column[node])
            if isinstance(node, Slot):
                return constants[node.index] if node.index in constants else Slot(slot[node.index])
            if isinstance(node, Der):
                return Der(slot[node.index])
            return same_with(node, args)

        return rebuild_all(self.expressions, change)


def localize(expressions: tuple[Expr, ...], constants: Mapping[int, Const]) -> Local:
    """The form of expressions; scalars in `constants` are numbers."""
    position: dict[Expr, int] = {}
    slots: dict[int, int] = {}
    nodes: list[Any] = []
    for node in walk(*expressions):
        kind = type(node)
        if kind is Slot:
            index = node.index  # type: ignore[attr-defined]
            nodes.append(constants[index] if index in constants else slots.setdefault(index, len(slots)))
        elif kind is Call:
            nodes.append((node.op, *map(position.__getitem__, node.args)))  # type: ignore[attr-defined]
        elif kind is Der:
            nodes.append(-1 - slots.setdefault(node.index, len(slots)))  # type: ignore[attr-defined]
        elif isinstance(node, Const | Time):
            nodes.append(node)
        elif isinstance(node, Apply):
            nodes.append((node.function, node.output, *map(position.__getitem__, node.args)))
        else:
            assert isinstance(node, Lookup)
            nodes.append((node.table, *map(position.__getitem__, node.args)))
        position[node] = len(nodes) - 1
    roots = tuple(position[expression] for expression in expressions)
    return Local(Form(tuple(nodes), roots), tuple(slots), expressions)
