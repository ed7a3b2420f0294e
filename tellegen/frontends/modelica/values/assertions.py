"""Assertions: of models, and of functions where what they demand varies during a run.

function root  input Real x; ... assert(x >= 0, "...")       y = if u > 1 then root(u - 1) else 0
->  an assertion of the model that calls it:  not (u > 1) or u - 1 >= 0
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tellegen.ir.expressions.expr import Expr
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Assertion:
    """A condition that has to hold; `is_warning` for AssertionLevel.warning. With `values` the message is a format
    string for them."""

    condition: Expr
    message: str
    is_warning: bool
    location: SourceLocation
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CalledAssertion:
    """An assertion of a function, and the component in whose text the function is called."""

    assertion: Assertion
    instance: Any  # None where there is none


class FunctionAssertions:
    """Assertions of the functions that a model calls; each once, however often a call is evaluated."""

    def __init__(self) -> None:
        self._found: dict[tuple[Expr, SourceLocation], CalledAssertion] = {}
        self.is_apart = False  # whether the text around acts at events, and says when they count

    def add(self, assertion: Assertion, instance: Any) -> None:
        """Keep an assertion."""
        self._found.setdefault((assertion.condition, assertion.location), CalledAssertion(assertion, instance))

    @contextmanager
    def apart(self) -> Iterator[list[Assertion]]:
        """Those that are added here go to a list of their own: the text around says when they count."""
        outer, was_apart = self._found, self.is_apart
        self._found = {}
        self.is_apart = True
        found: list[Assertion] = []
        try:
            yield found
        finally:
            found += [called.assertion for called in self._found.values()]
            self._found = outer
            self.is_apart = was_apart

    def all(self) -> list[CalledAssertion]:
        """Those that count always."""
        return list(self._found.values())
