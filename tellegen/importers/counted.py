"""Numbers of things in messages."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """`1 state`, `2 states`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
