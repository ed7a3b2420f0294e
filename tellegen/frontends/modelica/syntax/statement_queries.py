"""Questions about statements that their text alone answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tellegen.frontends.modelica.syntax.statements import (
    Assignment,
    Break,
    ForStatement,
    IfStatement,
    MultipleAssignment,
    Return,
    Statement,
    WhenStatement,
    WhileStatement,
)


def can_leave(statements: Sequence[Statement]) -> bool:
    """Whether there is a break or return in them."""
    return any(isinstance(statement, Break | Return) for statement in all_statements(statements))


def assigned_names(statements: Sequence[Statement]) -> Iterator[str]:
    """The names that statements assign to."""
    for statement in statements:
        if isinstance(statement, Assignment):
            yield statement.target.parts[0].name
        elif isinstance(statement, MultipleAssignment):
            yield from (target.parts[0].name for target in statement.targets if target is not None)
        elif isinstance(statement, ForStatement | WhileStatement):
            yield from assigned_names(statement.body)
        elif isinstance(statement, IfStatement | WhenStatement):
            for _, body in statement.branches:
                yield from assigned_names(body)


def all_statements(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements, and those inside of them."""
    for statement in statements:
        yield statement
        if isinstance(statement, ForStatement | WhileStatement):
            yield from all_statements(statement.body)
        elif isinstance(statement, IfStatement | WhenStatement):
            for _, body in statement.branches:
                yield from all_statements(body)
