"""Reading XML that may come from anybody: nothing outside the file is read, and a small file stays small.

Entities are the two dangers of XML: they may stand for other files, and for each other over and over. No document
may declare any; a reference to a document type is accepted and never followed. Sizes and depths are limited.
"""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat
from zlib import crc32

from tellegen.errors import DocumentError
from tellegen.ir.source_location import SourceLocation, here
from tellegen.markup.xml.elements import Element, Mark, Text

LARGEST = 64 * 1024 * 1024  # bytes of a file: a model of a hundred thousand parts
DEEPEST = 100  # elements inside elements
MOST = 2_000_000  # elements


@dataclass(frozen=True)
class Source:
    """A document as bytes, the name of its file for messages, and the folder other files are relative to."""

    data: bytes
    file: str
    folder: Path


def open_source(path: str | os.PathLike[str] | None, text: str | None) -> Source:
    """The bytes of a file, or of a string in its place."""
    if (path is None) == (text is None):
        raise _unreadable("a document is a file or a string, one of them", "tg.read_markup('model.xml')")
    if text is not None:
        if not isinstance(text, str):
            raise _unreadable(f"text is a string, not {text!r}", "tg.read_markup(text='<document ...>')")
        return _string(text)
    if not isinstance(path, str | os.PathLike):
        raise _unreadable(f"the path of a file is a string, not {path!r}", "tg.read_markup('model.xml')")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        raise _unreadable("a document was given in the place of its path", "tg.read_markup(text='<document ...>')")
    try:
        size = os.path.getsize(path)
        if size > LARGEST:
            raise _too_much(SourceLocation(os.fspath(path), 1), f"the file has {size} bytes, more than {LARGEST}")
        return Source(Path(path).read_bytes(), os.fspath(path), Path(path).parent)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _unreadable(f"'{os.fspath(path)}' cannot be read: {reason}", "check the path of the file") from None


def _string(text: str) -> Source:
    data = text.encode("utf-8", "replace")
    file = f"<markup {crc32(data):x}>"
    if len(data) > LARGEST:
        raise _too_much(SourceLocation(file, 1), f"the string has {len(data)} bytes, more than {LARGEST}")
    linecache.cache[file] = (len(text), None, [f"{line}\n" for line in text.splitlines()], file)  # for messages
    return Source(data, file, Path())


def _unreadable(what: str, advice: str) -> DocumentError:
    return DocumentError("E840", what, location=here(), advice=advice)


def _too_much(location: SourceLocation, what: str) -> DocumentError:
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
            raise _too_much(self._at(), f"more than {DEEPEST} elements are nested")
        if self.count > MOST:
            raise _too_much(self._at(), f"there are more than {MOST} elements")
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
