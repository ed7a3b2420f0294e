"""Views of classes that are given as text, for tests."""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.frontends.modelica.lookup.views import Views
from tellegen.frontends.modelica.syntax.classes import ClassDefinition
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.kept.read_files import ReadFiles


@dataclass
class ClassInText:
    """What a store hands out."""

    definition: ClassDefinition
    file: SourceFile
    path: str
    names: tuple[str, ...] = ()


class TextStore:
    """The classes of one text as the libraries of a store."""

    def __init__(self, text: str) -> None:
        self.read = ReadFiles()
        file = SourceFile("test.mo", text)
        self.classes = {item.name: ClassInText(item, file, item.name) for item in parse(file).classes}

    def child(self, package: tuple[str, ...], name: str) -> ClassInText | None:
        """A class at the top; packages have all their classes in the same text."""
        return self.classes.get(name) if not package else None


def views_of(text: str) -> Views:
    """The views of the classes in a text."""
    return Views(TextStore(text))
