"""Connections that a derived class leaves out: extends A(break connect(a, b), break c) (MLS 7.4)."""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.rules import without_tokens
from tellegen.frontends.modelica.syntax.classes import Removal
from tellegen.frontends.modelica.syntax.statements import ConnectEquation


def is_removed(equation: ConnectEquation, view: ClassView) -> bool:
    """Whether a class derived from `view` leaves out this connection of its text, or a component it names."""
    ends = (equation.left, equation.right)
    for removal in _removals(view):
        if removal.connection is None:
            if removal.name in (end.parts[0].name for end in ends):
                return True
        else:
            written = tuple(map(without_tokens, removal.connection))
            found = tuple(map(without_tokens, ends))
            if found in (written, written[::-1]):
                return True
    return False


def _removals(view: ClassView) -> Iterator[Removal]:
    for modification, _ in view.changes:
        for argument in modification.arguments:
            if isinstance(argument, Removal):
                yield argument
