"""Statements of one component that are alike, row by row; numbers that differ between them are columns of their own.

    y[1] = sin(0.1*time), y[2] = sin(0.2*time)      ->      y = sin(c*time), rows (y[1], 0.1) and (y[2], 0.2)

Few statements keep their numbers, so that each is as simple as it can be. Exponents, orders and intervals of time
are never columns: what they are decides how a statement is treated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import field
from typing import Any

from tellegen.frontends.modelica.kinds.pending import Pending
from tellegen.frontends.modelica.kinds.rows.local_statements import Form, Local
from tellegen.ir.expressions.expr import Const, Expr, Function, walk
from tellegen.start.records import dataclass

FEWEST = 16
"""Statements that differ in numbers are rows of one template from this many on."""
ARITHMETIC = ("add", "sub", "mul", "div", "neg", "min", "max", "abs", "sqrt", "exp", "log", "log10")
TRIGONOMETRY = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh")
WITH_COLUMNS = frozenset((*ARITHMETIC, *TRIGONOMETRY, "lt", "le", "gt", "ge", "eq", "ne", "where", "no_event"))
"""Operations whose arguments may be numbers that differ from row to row; so may the labels of functions."""
Head = tuple[tuple[int, ...], bool, int]
"""What the scalars in one column of a stamp have in common: path of groups, whether a parameter, number of member."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A number of a statement, and what it is in each row."""

    position: int  # in the form
    node: Expr  # in the expressions of the first row
    values: list[float]


@dataclass(slots=True, eq=False)
class Rows:
    """Statements that differ in their scalars, and in the numbers in `columns`."""

    pending: Pending
    local: Local
    heads: tuple[Head, ...]
    elements: list[list[int]] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)

    @property
    def likeness(self) -> Hashable:
        """What statements with equal expressions have in common."""
        return (self.pending.section, self.pending.shape, self.local.form, self.pending.location, self.heads)


def with_columns(rows: Iterable[Rows]) -> Iterator[Rows]:
    """The rows; many of them that differ in numbers alone joined."""
    given = list(rows)
    alike = Counter(map(_outline, given))
    groups: dict[Hashable, list[Rows]] = {}
    for one in given:
        key: Hashable = id(one)
        if alike[_outline(one)] >= FEWEST:
            key = (_outline(one), without_numbers(one.local.form))
        groups.setdefault(key, []).append(one)
    for group in groups.values():
        if len(group) < FEWEST:
            yield from group
        else:
            yield _joined(group)


def _outline(rows: Rows) -> Hashable:
    pending = rows.pending
    return (pending.section, pending.shape, pending.location, rows.heads, len(rows.local.form.nodes))


def without_numbers(form: Form) -> Form:
    """A form that is the same for all numbers that may be columns."""
    free = free_numbers(form)
    return Form(tuple(None if k in free else node for k, node in enumerate(form.nodes)), form.roots)


def free_numbers(form: Form) -> set[int]:
    """The numbers in a form that may differ from row to row."""
    bound: set[int] = set()
    for node in form.nodes:
        if isinstance(node, tuple) and node[0] not in WITH_COLUMNS:
            bound.update(part for part in node[1 : len(node) - _labels(node[0])] if isinstance(part, int))
    return {k for k, node in enumerate(form.nodes) if k not in bound and _is_number(node)}


def _labels(operation: Any) -> int:
    """How many of the last arguments only say which result of a function is meant."""
    return operation.labels if isinstance(operation, Function) else 0


def _is_number(node: Any) -> bool:
    return isinstance(node, Const) and not isinstance(node.value, bool)


def _joined(group: list[Rows]) -> Rows:
    """One for all; numbers that are the same in all rows stay where they are."""
    first = group[0]
    joined = Rows(first.pending, first.local, first.heads, [row for one in group for row in one.elements])
    nodes = list(walk(*first.local.expressions))
    for k in sorted(free_numbers(first.local.form)):
        values = [float(one.local.form.nodes[k].value) for one in group for _ in one.elements]
        if len(set(values)) > 1:
            joined.columns.append(Column(k, nodes[k], values))
    return joined
