"""Which variables the statements of an algorithm assign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tellegen.frontends.modelica.syntax.expressions import Reference
from tellegen.frontends.modelica.syntax.statements import (
    Assignment,
    ForStatement,
    IfStatement,
    MultipleAssignment,
    Statement,
    WhenStatement,
    WhileStatement,
)
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A variable on the left of an assignment; `is_whole` where no subscript or field picks a part of it."""

    name: str
    is_whole: bool
    in_when: bool
    token: int


def targets_of(statements: Iterable[Statement], in_when: bool = False) -> list[Target]:
    """All targets in the order of the text, at whatever depth."""
    return list(_targets(statements, in_when))


def _targets(statements: Iterable[Statement], in_when: bool) -> Iterator[Target]:
    for statement in statements:
        match statement:
            case Assignment():
                yield _target(statement.target, in_when)
            case MultipleAssignment():
                yield from (_target(target, in_when) for target in statement.targets if target is not None)
            case IfStatement():
                for _, body in statement.branches:
                    yield from _targets(body, in_when)
            case ForStatement() | WhileStatement():
                yield from _targets(statement.body, in_when)
            case WhenStatement():
                for _, body in statement.branches:
                    yield from _targets(body, True)


def _target(reference: Reference, in_when: bool) -> Target:
    first, *rest = reference.parts
    return Target(first.name, not rest and not first.subscripts, in_when, reference.token)
