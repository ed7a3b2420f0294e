"""Reading XML that may come from anybody: nothing outside the file is read, and a small file stays small.

Entities are the two dangers of XML: they may stand for other files, and for each other over and over. No document
may declare any; a reference to a document type is accepted and never followed. Sizes and depths are limited.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

from tellegen.errors import DocumentError
from tellegen.ir.source_location import SourceLocation
from tellegen.xml.elements import Element, Mark, Text

LARGEST = 64 * 1024 * 1024  # bytes of a file: a model of a hundred thousand parts
DEEPEST = 100  # elements inside elements
MOST = 2_000_000  # elements


@dataclass(frozen=True)
class Source:
    """A document as bytes, the name of its file for messages, and the folder other files are relative to."""

    data: bytes
    file: str
    folder: Path


def too_much(location: SourceLocation, what: str) -> DocumentError:
    """A document beyond the limits."""
    return DocumentError("E841", what, location=location, advice="split the model into several documents")


def parse(source: Source) -> Element:
    """The outermost element of a document."""
    return _Parsing(source).outermost()


class _Parsing:
    """Gathers elements while expat reads."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.open: list[Element] = []
        self.roots: list[Element] = []
        self.count = 0
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = False  # so that every piece of text has its own position
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._document_type
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity

    def outermost(self) -> Element:
        try:
            self.parser.Parse(self.source.data, True)
        except expat.ExpatError as error:
            location = SourceLocation(self.source.file, error.lineno, column=error.offset + 1)
            what = f"this is not well-formed XML: {expat.ErrorString(error.code)}"
            raise DocumentError("E840", what, location=location, advice="correct it") from None
        except (ValueError, LookupError) as error:  # an encoding that Python does not know, a zero byte
            location = SourceLocation(self.source.file, 1, column=1)
            what = f"this is not well-formed XML: {error}"
            raise DocumentError("E840", what, location=location, advice="save the file as UTF-8") from None
        return self.roots[0]

    def _at(self) -> SourceLocation:
        return SourceLocation(
            self.source.file, self.parser.CurrentLineNumber, column=self.parser.CurrentColumnNumber + 1
        )

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) >= DEEPEST:
            raise too_much(self._at(), f"more than {DEEPEST} elements are nested")
        if self.count > MOST:
            raise too_much(self._at(), f"there are more than {MOST} elements")
        element = Element(tag, attributes, self._at())
        if self.open:
            self.open[-1].content.append(element)
        else:
            self.roots.append(element)
        self.open.append(element)

    def _end(self, _: str) -> None:
        element = self.open.pop()
        element.content[:] = _joined(element.content)

    def _characters(self, value: str) -> None:
        at = self._at()
        self.open[-1].content.append(Text(value, (Mark(0, at.line, at.column),), at.file))

    def _document_type(self, _name: str, _system: Any, _public: Any, has_internal_subset: int) -> None:
        if has_internal_subset:
            raise self._unsafe("declarations inside <!DOCTYPE ...> are not accepted", "remove the part in brackets")

    def _entity(self, *_: Any) -> Any:
        raise self._unsafe("entities are not accepted", "write the characters they stand for")

    def _unsafe(self, what: str, advice: str) -> DocumentError:
        return DocumentError("E841", f"{what}: entities may stand for anything", location=self._at(), advice=advice)


def _joined(content: list[Element | Text]) -> list[Element | Text]:
    """Pieces of text that follow each other as one; blanks between elements are left out."""
    joined: list[Element | Text] = []
    waiting: list[Text] = []
    for part in [*content, None]:
        if isinstance(part, Text):
            waiting.append(part)
            continue
        if any(not text.value.isspace() for text in waiting):
            joined.append(Element("", {}, waiting[0].location(), list(waiting)).text())
        waiting = []
        if part is not None:
            joined.append(part)
    return joined
