"""Statements of version 1 as equations: simultaneous statements of VHDL-AMS, as far as they are expressions.

v == Ra*i + La*i'dot + km*th'dot;
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import tellegen as tg
from tellegen.errors import nearest
from tellegen.frontends.python.expressions.symbol import as_symbol, operation
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, walk
from tellegen.markup.expressions.parser import Callables, Parser
from tellegen.markup.version1.schema import Record
from tellegen.xml.elements import Mark, Text


def attribute_text(value: str, record: Record) -> Text:
    """The value of an attribute as text that stands where its element begins."""
    return Text(value, (Mark(0, record.location.line, record.location.column),), record.location.file)


class Statement:
    """A parsed text; `symbol` gives it for the quantities of one component."""

    def __init__(self, text: Text, known: Mapping[str, str]) -> None:
        self.names: list[str] = []  # in Python, by slot
        self.known = known
        self.location = text.location(len(text.value) - len(text.value.lstrip()))
        self.expr = Parser(Callables(), self._slot).expression(
            replace(text, value=text.value.rstrip().removesuffix(";"))
        )

    def _slot(self, name: str) -> int:
        if name not in self.known:
            raise ValueError(f"'{name}' is not declared; {nearest(name, list(self.known))}")
        self.names.append(self.known[name])
        return len(self.names) - 1

    @property
    def number(self) -> float | None:
        """The number that the text is; None for other expressions."""
        expr = self.expr
        return float(expr.value) if isinstance(expr, Const) and not isinstance(expr.value, bool) else None

    def symbol(self, member: Callable[[str], Any]) -> Any:
        """The expression over the members of a component."""
        done: dict[Expr, Any] = {}
        for node in walk(self.expr):
            done[node] = self._node(node, [done[arg] for arg in node.args], member)
        return done[self.expr]

    def _node(self, node: Expr, args: list[Any], member: Callable[[str], Any]) -> Any:
        if isinstance(node, Const):
            return as_symbol(node.value)
        if isinstance(node, Slot):
            return as_symbol(member(self.names[node.index]))
        if isinstance(node, Der):
            return tg.der(member(self.names[node.index]))
        return operation(node.op, *args) if isinstance(node, Call) else tg.time
