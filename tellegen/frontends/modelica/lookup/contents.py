"""What one class declares, by name: worked out once for a definition, shared by all views of it."""

from __future__ import annotations

from functools import cached_property

from tellegen.frontends.modelica.syntax.classes import (
    ClassDefinition,
    Component,
    ElementRedeclaration,
    Extends,
    Import,
    Modification,
)
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.model import Kind


class ClassContents:
    """A definition with the file it stands in; `files` are the names of classes that stand in other files, `kind` is
    what stands for the equations of a class that was not written in Modelica."""

    kind: Kind | None = None

    def __init__(self, definition: ClassDefinition, file: SourceFile, path: str, files: tuple[str, ...] = ()) -> None:
        self.definition = definition
        self.file = file
        self.path = path
        self.files = files

    @cached_property
    def elements(self) -> dict[str, Component | ClassDefinition]:
        """Its own components and classes; the first of two with the same name counts."""
        found: dict[str, Component | ClassDefinition] = {}
        for element in self.definition.elements:
            if isinstance(element, Component | ClassDefinition):
                found.setdefault(element.name, element)
        return found

    @cached_property
    def extends(self) -> tuple[Extends, ...]:
        """Its extends clauses."""
        return tuple(element for element in self.definition.elements if isinstance(element, Extends))

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """Its import clauses."""
        return tuple(element for element in self.definition.elements if isinstance(element, Import))

    @cached_property
    def redeclarations(self) -> Modification | None:
        """Its `redeclare` elements, as the modification of its base classes that they are (MLS 7.3)."""
        elements = [element for element in self.elements.values() if element.redeclare]
        arguments = tuple(ElementRedeclaration(element, False, element.final, element.token) for element in elements)
        return Modification(arguments) if arguments else None

    @cached_property
    def literals(self) -> dict[str, int]:
        """The ordinals of its literals where it is an enumeration, counted from 1."""
        records = self.definition.enumeration or ()
        return {literal.name: position for position, literal in enumerate(records, start=1)}
