"""Functions that the tangents of all directions need, computed once: new variables, one for each.

    y == sin(phi)     ->     shared == cos(phi);  for each direction  y_j == shared*phi_j

The rates of a mechanism spend half their time on sines and cosines. Without sharing, every direction would compute them
again, in its residuals and in the matrices of its blocks; the model's own equations read those that are there anyway.
Only functions that have a value everywhere are shared, and only in equations without conditions: what stands in a
condition is watched as it was written, and a branch that is not taken may be one in which a function has no value.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.graph.sets import connected_sets
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, Time, rebuild, same_with, walk
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.model import Array
from tellegen.variation.slots import TangentSlots

_EVERYWHERE = frozenset(("sin", "cos", "tanh", "atan"))
_INSIDE = _EVERYWHERE | {"add", "sub", "mul", "neg"}
_SMOOTH = _INSIDE | {"div", "pow", "sqrt", "exp", "log", "log10", "tan", "asin", "acos", "atan2", "sinh", "cosh"}


class SharedValues:
    """New variables after `first`; `count` of them so far."""

    def __init__(self, flat: FlatModel, first: int) -> None:
        self.first = first
        self.count = 0
        self.alike = _alike(flat)
        self._known: dict[tuple[Expr, bytes], int] = {}
        self._made: set[int] = set()  # groups, by their identity

    def read_by_tangent(self, group: Group, slots: TangentSlots, sides: list[Expr]) -> tuple[list[Expr], list[Group]]:
        """Sides of a tangent that read shared values, and the equations of those that are new."""
        made: list[Group] = []
        found: dict[Expr, Slot] = {}
        for node in self._sharable(group, sides):
            rows, new = self._rows(node, group)
            found[node] = Slot(slots.share(rows))
            if len(new):
                made.append(_equation(group, node, rows, new))
                self._made.add(id(made[-1]))
        return _with(found, sides), made

    def is_made(self, group: Group) -> bool:
        """Whether a group gives shared values."""
        return id(group) in self._made

    def read_by(self, group: Group, slots: TangentSlots) -> Group:
        """A group of the model itself that reads what is shared already."""
        template = group.template
        assert isinstance(template, EquationTemplate)
        sides = [template.lhs, template.rhs]
        found: dict[Expr, Slot] = {}
        for node in self._sharable(group, sides):
            form, keys = self._keys(node, group)
            if _is_factor(node, sides) and all((form, key) in self._known for key in keys):
                found[node] = Slot(slots.share(self._rows(node, group)[0]))
        if not found:
            return group
        lhs, rhs = _with(found, sides)
        return Group(replace(template, slots=tuple(slots.infos), lhs=lhs, rhs=rhs), slots.bindings([0]), group.spans)

    def _sharable(self, group: Group, sides: list[Expr]) -> list[Call]:
        """Functions of variables of the model, and not of parameters alone."""
        calls = [node for node in walk(*sides) if isinstance(node, Call)]
        if not all(call.op in _SMOOTH for call in calls):
            return []
        return [call for call in calls if call.op in _EVERYWHERE and _is_of_variables(call, group)]

    def _keys(self, node: Call, group: Group) -> tuple[Expr, list[bytes]]:
        """The function with slots numbered as they come, and for each row of the group what it is a function of."""
        positions: dict[int, int] = {}

        def renumber(part: Expr, args: tuple[Expr, ...]) -> Expr:
            if isinstance(part, Slot):
                return Slot(positions.setdefault(part.index, len(positions)))
            return same_with(part, args)

        form = rebuild(node, renumber)
        infos = group.template.slots
        columns = [group.bindings[:, k] if infos[k].parameter else self.alike[group.bindings[:, k]] for k in positions]
        return form, [row.tobytes() for row in np.column_stack(columns).astype(np.int64)]

    def _rows(self, node: Call, group: Group) -> tuple[Any, Any]:
        """The variable of each row of the group, and the rows whose variables are new."""
        form, keys = self._keys(node, group)
        rows = np.zeros(group.rows, np.int64)
        new = []
        for row, key in enumerate(keys):
            if (form, key) not in self._known:
                self._known[form, key] = self.first + self.count
                self.count += 1
                new.append(row)
            rows[row] = self._known[form, key]
        return rows, np.array(new, np.int64)


def _is_of_variables(node: Call, group: Group) -> bool:
    """Whether a function is one of continuous variables that the model itself has."""
    infos = group.template.slots
    inside = walk(node)
    if not all(
        isinstance(part, Slot | Const | Time) or (isinstance(part, Call) and part.op in _INSIDE) for part in inside
    ):
        return False
    slots = [part.index for part in inside if isinstance(part, Slot)]
    known = all(k < len(infos) and not infos[k].discrete and infos[k].type == "real" for k in slots)
    return known and not all(infos[k].parameter for k in slots)


def _is_factor(node: Call, sides: list[Expr]) -> bool:
    """Whether it always stands beside another factor: a variable that only repeats it would become its alias."""
    above = [part for part in walk(*sides) if node in part.args]
    products = all(isinstance(part, Call) and part.op == "mul" for part in above)
    return products and node not in sides and not any(isinstance(one, Const) for part in above for one in part.args)


def _with(found: dict[Expr, Slot], sides: list[Expr]) -> list[Expr]:
    """Sides that read slots instead of computing."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return found[node] if node in found else same_with(node, args)

    return [rebuild(side, change) for side in sides] if found else sides


def _alike(flat: FlatModel) -> Any:
    """For each variable the number of its class: connections and plain equations a == b make two the same."""
    pairs = [flat.equalities]
    for group in flat.equations:
        template = group.template
        if isinstance(template, EquationTemplate) and isinstance(template.lhs, Slot) and isinstance(template.rhs, Slot):
            ends = template.lhs.index, template.rhs.index
            if not any(template.slots[k].parameter for k in ends):
                pairs.append(group.bindings[:, list(ends)])
    joined = np.concatenate(pairs)
    count = flat.variables.count
    return connected_sets(count, joined[:, 0], joined[:, 1])


def _equation(group: Group, node: Expr, rows: Array, new: Array) -> Group:
    """shared == node, for the new rows."""
    template = group.template
    spans = ((0, 0, max(len(new), 1)),)
    slots = (*template.slots, SlotInfo("shared", False))
    made = EquationTemplate(
        slots=slots, owner=template.owner, location=template.location, lhs=Slot(len(template.slots)), rhs=node
    )
    return Group(made, np.column_stack([group.bindings[new], rows[new]]).astype(np.int32), spans)
