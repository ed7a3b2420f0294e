"""Expressions as text that means exactly the same expression when it is read.

    Call("sub", (Slot(0), Call("mul", (Slot(1), Der(2)))))      ->   p.v - L*der(i)

The notation is that of printed equations (ir/show), with three differences: numbers have all their digits, sums keep
how they are grouped, and tables and functions are called by their names in the document.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Function, Lookup, Slot, Time, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.table import Table

_TIGHTEST = 100
_NEGATIVE = 55  # a negative number needs parentheses in products and powers, not in sums


@dataclass
class Names:
    """The names of tables and functions in a document, given as they are first met."""

    tables: dict[Table, str] = field(default_factory=dict)
    functions: dict[Function, str] = field(default_factory=dict)

    def table(self, table: Table) -> str:
        """The name of a table."""
        return self.tables.setdefault(table, f"table{len(self.tables) + 1}")

    def function(self, function: Function) -> str:
        """The name of a function."""
        return self.functions.setdefault(function, f"function{len(self.functions) + 1}")


class Written(NamedTuple):
    """The text of an expression and how tightly its outermost operator binds."""

    text: str
    precedence: int


def number_text(value: float) -> str:
    """All digits of a number, without those that say nothing: 2.0 is 2."""
    if not math.isfinite(value):
        return repr(value)
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 and not _is_minus_zero(value) else repr(value)


def _is_minus_zero(value: float) -> bool:
    return value == 0.0 and math.copysign(1.0, value) < 0.0


def expression_text(root: Expr, slots: Sequence[str], names: Names) -> str:
    """An expression with the references of its slots."""
    return _inner(root, slots, names, 0)


def equation_text(lhs: Expr, rhs: Expr, slots: Sequence[str], names: Names) -> str:
    """lhs == rhs; comparisons on either side stand in parentheses."""
    beyond = OPS["eq"].precedence + 1
    return f"{_inner(lhs, slots, names, beyond)} == {_inner(rhs, slots, names, beyond)}"


def _inner(root: Expr, slots: Sequence[str], names: Names, above: int) -> str:
    done: dict[Expr, Written] = {}
    for node in walk(root):
        done[node] = Written(*_shown(node, [done[arg] for arg in node.args], slots, names))
    return _enclosed(done[root], above)


def _enclosed(shown: Written, above: int) -> str:
    return f"({shown.text})" if shown.precedence < above else shown.text


def _shown(node: Expr, args: list[Written], slots: Sequence[str], names: Names) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""
    listed = ", ".join(text for text, _ in args)
    if isinstance(node, Const):
        return _constant(node)
    if isinstance(node, Slot):
        return slots[node.index], _TIGHTEST
    if isinstance(node, Der):
        return f"der({slots[node.index]})", _TIGHTEST
    if isinstance(node, Time):
        return "time", _TIGHTEST
    if isinstance(node, Lookup):
        return f"{names.table(node.table)}({listed})", _TIGHTEST
    if isinstance(node, Apply):
        output = f"[{node.output}]" if node.function.outputs > 1 else ""
        return f"{names.function(node.function)}{output}({listed})", _TIGHTEST
    assert isinstance(node, Call)
    op = OPS[node.op]
    if not op.infix:
        return f"{node.op}({listed})", _TIGHTEST
    if len(args) != (1 if op.arity == 1 else 2):
        return f"sum({listed})", _TIGHTEST
    rank = op.precedence
    if op.arity == 1:
        operand = node.args[0]
        bare = isinstance(operand, Const) and not isinstance(operand.value, bool | np.bool_)
        return f"{op.infix}{_enclosed(args[0], _TIGHTEST + 1 if bare else rank)}", rank  # -(1) is not -1
    left = _enclosed(args[0], rank + (op.name in _RIGHT or rank == _RELATION))
    right = _enclosed(args[1], rank + (op.name not in _RIGHT))
    return f"{left} {op.infix} {right}" if rank < 60 else f"{left}{op.infix}{right}", rank


_RIGHT = ("pow",)
_RELATION = OPS["eq"].precedence


def _constant(node: Const) -> tuple[str, int]:
    if isinstance(node.value, bool | np.bool_):
        return ("true" if node.value else "false"), _TIGHTEST
    text = number_text(float(node.value))
    return text, _NEGATIVE if text.startswith("-") else _TIGHTEST
