"""Notices equations and other statements that are written but never yielded."""

from __future__ import annotations

from typing import Any

from tellegen.ir.source_location import SourceLocation, here


class Watch:
    """Notes every `==` made while equations are traced, so that one that is never yielded can be reported."""

    active: Watch | None = None

    def __init__(self) -> None:
        self.open: dict[int, tuple[Any, SourceLocation]] = {}

    def __enter__(self) -> Watch:
        self.outer = Watch.active
        Watch.active = self
        return self

    def __exit__(self, *_: object) -> None:
        Watch.active = self.outer

    def used(self, symbol: object) -> None:
        """The statement was yielded or became part of something else."""
        self.open.pop(id(symbol), None)


def watched(statement: object) -> Any:
    """The statement, with a note that it must be yielded or be used in another."""
    if Watch.active is not None:
        Watch.active.open[id(statement)] = (statement, here())
    return statement
