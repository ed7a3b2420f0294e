"""Syntax trees without positions, to compare those of different texts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from tellegen.frontends.modelica.syntax.source_file import SourceFile

POSITIONS = ("token", "first", "last")


def without_tokens(node: Any) -> Any:
    """A tree as nested tuples, without the numbers of tokens."""
    if is_dataclass(node):
        values = [without_tokens(getattr(node, field.name)) for field in fields(node) if field.name not in POSITIONS]
        return (type(node).__name__, *values)
    if isinstance(node, tuple | list):
        return tuple(without_tokens(item) for item in node)
    return repr(node)  # 1 and 1.0 differ


def placed(node: Any, file: SourceFile) -> Any:
    """A tree as nested tuples, with lines and columns for the numbers of tokens."""
    if is_dataclass(node):
        names = [field.name for field in fields(node) if field.name not in ("last", "unread")]
        return type(node).__name__, *(_placed_field(node, name, file) for name in names)
    if isinstance(node, tuple | list):
        return tuple(placed(item, file) for item in node)
    return repr(node)


def _placed_field(node: Any, name: str, file: SourceFile) -> Any:
    value = getattr(node, name)
    return str(file.location(value)) if name in POSITIONS else placed(value, file)
