"""Models that several tests run: compiled once in each process."""

from __future__ import annotations

from functools import cache

import tellegen as tg


@cache
def shared_model(kind: type[tg.Component]) -> tg.CompiledModel:
    """The compiled model of a class with its own parameters, for tests that run it with several solvers."""
    return tg.compile(kind())
