"""All constructs of a Modelica file that are not supported, found in its text without translating anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

from tellegen.frontends.modelica.evaluation.builtins.events import UNSUPPORTED, group_of
from tellegen.frontends.modelica.syntax.classes import ClassDefinition
from tellegen.frontends.modelica.syntax.expressions import Call
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class Unsupported:
    """A construct, where it stands, and the class in whose text it does."""

    construct: str
    location: SourceLocation
    within: str

    def __str__(self) -> str:
        return f"{self.location}: {self.construct} is not supported"


def unsupported_in(path: str | Path) -> list[Unsupported]:
    """Every construct of a file that is not supported, in the order written."""
    file = SourceFile(str(path))
    stored = parse(file)
    package = ".".join(stored.within or ())
    found = [one for definition in stored.classes for one in _in_class(definition, package, file)]
    return sorted(found, key=lambda one: (one.location.line, one.location.column))


def _in_class(definition: ClassDefinition, package: str, file: SourceFile) -> Iterator[Unsupported]:
    path = f"{package}.{definition.name}".lstrip(".")
    external = definition.external
    if external is not None and external.language not in ("", "C", "builtin"):
        yield Unsupported(f"external {external.language} code", file.location(external.token, path), path)
    for element in definition.elements:
        if isinstance(element, ClassDefinition):
            yield from _in_class(element, path, file)
        else:
            yield from _in_text(element, path, file)
    yield from _in_text(definition.sections, path, file)


def _in_text(node: object, path: str, file: SourceFile) -> Iterator[Unsupported]:
    """Calls of operators that are not supported, at whatever depth."""
    if isinstance(node, tuple | list):
        for part in node:
            yield from _in_text(part, path, file)
    elif is_dataclass(node):
        if isinstance(node, Call) and str(node.function).lstrip(".") in UNSUPPORTED:
            name = str(node.function).lstrip(".")
            yield Unsupported(f"{group_of(name)}{name}(...)", file.location(node.token, path), path)
        for field in fields(node):
            yield from _in_text(getattr(node, field.name), path, file)
