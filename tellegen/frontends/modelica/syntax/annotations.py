"""Annotations: what a translation needs of them, and all of them when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.classes import ElementModification
from tellegen.frontends.modelica.syntax.parse_classes import ClassParser
from tellegen.frontends.modelica.syntax.parser import syntax_error
from tellegen.frontends.modelica.syntax.token_reader import UnexpectedTokenError

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Component, Extends, External, Modification
    from tellegen.frontends.modelica.syntax.expressions import Expression
    from tellegen.frontends.modelica.syntax.source_file import SourceFile
    from tellegen.frontends.modelica.syntax.statements import ConnectEquation

    Annotated = ClassDefinition | Component | Extends | External | ConnectEquation


def annotation_of(element: Annotated) -> Modification | None:
    """The annotation of an element without the arguments for drawings and documentation."""
    return element.annotation.relevant if element.annotation is not None else None


def whole_annotation_of(element: Annotated, file: SourceFile) -> Modification | None:
    """The annotation of an element with all its arguments."""
    if element.annotation is None:
        return None
    try:
        return ClassParser(file.tokens, element.annotation.first, 0, []).class_modification()
    except UnexpectedTokenError as mistake:
        raise syntax_error([mistake], file) from None


def modifier_of(modification: Modification | None, *path: str) -> ElementModification | None:
    """The argument with a name, and below it with the next name: modifier_of(a, "experiment", "StopTime")."""
    found = None
    for name in path:
        found = next((argument for argument in _named(modification) if argument.name == (name,)), None)
        modification = found.modification if found is not None else None
    return found


def annotation_value(annotation: Modification | None, *path: str) -> Expression | None:
    """The value of an argument: annotation_value(a, "experiment", "StopTime")."""
    found = modifier_of(annotation, *path)
    return found.modification.value if found is not None and found.modification is not None else None


def _named(modification: Modification | None) -> list[ElementModification]:
    arguments = modification.arguments if modification is not None else ()
    return [argument for argument in arguments if isinstance(argument, ElementModification)]
