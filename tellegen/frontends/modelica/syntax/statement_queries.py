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
    for statement in statements:
        if isinstance(statement, Break | Return):
            return True
        if isinstance(statement, ForStatement | WhileStatement) and can_leave(statement.body):
            return True
        if isinstance(statement, IfStatement) and any(can_leave(body) for _, body in statement.branches):
            return True
    return False


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
