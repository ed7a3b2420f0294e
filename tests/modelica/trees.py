"""Syntax trees without positions, to compare those of different texts."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

POSITIONS = ("token", "first", "last")


def without_tokens(node: Any) -> Any:
    """A tree as nested tuples, without the numbers of tokens."""
    if is_dataclass(node):
        values = [without_tokens(getattr(node, field.name)) for field in fields(node) if field.name not in POSITIONS]
        return (type(node).__name__, *values)
    if isinstance(node, tuple | list):
        return tuple(without_tokens(item) for item in node)
    return repr(node)  # 1 and 1.0 differ
