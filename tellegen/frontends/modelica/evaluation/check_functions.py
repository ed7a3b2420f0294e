"""What Modelica forbids in functions and in the statements of algorithms (MLS 11.2, 12.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.declarations import Declared
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.types import prefixes_of
from tellegen.frontends.modelica.syntax.classes import Section
from tellegen.frontends.modelica.syntax.expressions import Reference
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

PUBLIC = frozenset(("input", "output", "constant", "parameter"))
"""Prefixes of what a function shows to those who call it."""


def check_function(texts: Iterable[ClassView], elements: Mapping[str, Declared]) -> None:
    """Refuse a function that is none: `texts` are the classes it consists of, `elements` what they declare."""
    algorithms = 0
    view = None
    inputs = {name for name, declared in elements.items() if "input" in prefixes_of(declared.element)}
    for view in texts:
        _check_elements(view)
        for section in view.definition.sections:
            _check_section(section, view)
            algorithms += 1
            _check_inputs(section.statements, inputs, view)
            check_jumps(section.statements, view, in_function=True)
    assert view is not None
    if view.definition.partial:
        raise _refused(f"the function {view.path} is partial and cannot be called", view, view.definition.token)
    if algorithms > 1:
        raise _refused(f"the function {view.path} has {algorithms} algorithm sections", view, view.definition.token)


def _check_elements(view: ClassView) -> None:
    for name in view.contents.elements:
        element = view.find(name)
        if not isinstance(element, ElementView):
            continue
        component = element.component
        if component.inner or component.outer:
            raise _refused(f"'{name}' of a function is inner or outer", view, component.token)
        if component.public and not PUBLIC.intersection(prefixes_of(element)):
            message = f"'{name}' of the function {view.path} is neither input nor output"
            raise _refused(message, view, component.token, "write `protected` before what only the function uses")


def _check_section(section: Section, view: ClassView) -> None:
    if section.initial or not section.is_algorithm:
        what = "an initial section" if section.initial else "equations"
        raise _refused(f"the function {view.path} has {what}", view, view.definition.token, "write an algorithm")


def _check_inputs(statements: tuple[Statement, ...], inputs: set[str], view: ClassView) -> None:
    for statement in _all(statements):
        for target in _targets(statement):
            if target.parts[0].name in inputs:
                message = f"'{target}' is an input of {view.path} and cannot be assigned"
                raise _refused(message, view, statement.token, "assign to a protected variable that begins as a copy")


def _targets(statement: Statement) -> list[Reference]:
    if isinstance(statement, Assignment):
        return [statement.target]
    if isinstance(statement, MultipleAssignment):
        return [target for target in statement.targets if target is not None]
    return []


def check_jumps(statements: tuple[Statement, ...], view: ClassView, in_function: bool) -> None:
    """Refuse `break` outside of loops and `return` outside of functions."""
    for statement in statements:
        if isinstance(statement, Break):
            raise _refused("`break` stands outside of a loop", view, statement.token)
        if isinstance(statement, Return) and not in_function:
            raise _refused("`return` stands outside of a function", view, statement.token)
        if isinstance(statement, IfStatement | WhenStatement):
            for _, body in statement.branches:
                check_jumps(body, view, in_function)


def _all(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    """Statements with those inside of them."""
    for statement in statements:
        yield statement
        if isinstance(statement, IfStatement | WhenStatement):
            for _, body in statement.branches:
                yield from _all(body)
        elif isinstance(statement, ForStatement | WhileStatement):
            yield from _all(statement.body)


def _refused(message: str, view: ClassView, token: int, advice: str = "") -> ModelicaError:
    return ModelicaError("E562", message, location=view.location(token), advice=advice)
