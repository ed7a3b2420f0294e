"""XML files as elements that know their lines.

Document type declarations are rejected: they serve for entities that blow up or read other files, and no robot needs
them. Attributes are read by name and kind; what is wrong with one is an error with the line of its element.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat
from zlib import crc32

from tellegen.errors import NetlistError, nearest
from tellegen.importers.assembly.file_stamp import stamped
from tellegen.importers.assembly.records import FileStamp
from tellegen.ir.source_location import SourceLocation, here

LARGEST = 1e30  # beyond it, powers of lengths overflow; in SI units nothing of a robot comes near
DEEPEST = 300  # elements inside elements; reading them is recursive in places


@dataclass(frozen=True, eq=False)
class Element:
    """One element: its tag, its attributes as strings, the elements inside it, and where it begins."""

    tag: str
    attributes: dict[str, str]
    location: SourceLocation
    children: list[Element] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements of these tags directly inside."""
        return (child for child in self.children if child.tag in tags)

    def child(self, tag: str) -> Element | None:
        """The element of a tag; two of them are one too many."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise found[1].wrong(f"{self} has two <{tag}>", "remove one of them")
        return found[0] if found else None

    def required_child(self, tag: str) -> Element:
        """The element of a tag that has to be there."""
        found = self.child(tag)
        if found is None:
            raise self.wrong(f"{self} has no <{tag}>", f"write <{tag} .../> inside it")
        return found

    def word(self, name: str, default: str | None = None) -> str:
        """An attribute as it stands there."""
        found = self.attributes.get(name, default)
        if found is None:
            raise self.wrong(f"{self} has no attribute '{name}'", f'write <{self.tag} {name}="..."')
        return found.strip()

    def choice(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        """An attribute that is one of a few words."""
        found = self.word(name, default)
        if found not in choices:
            what = f"{name}='{found}' of {self} is not known; {nearest(found, choices)}"
            raise self.wrong(what, f"one of {', '.join(choices)}")
        return found

    def number(self, name: str, default: float | None = None) -> float:
        """An attribute as a number."""
        if default is not None and name not in self.attributes:
            return default
        return self._numbers(name, self.word(name), (1,))[0]

    def numbers(self, name: str, counts: int | tuple[int, ...], default: Sequence[float] | None = None) -> list[float]:
        """An attribute as numbers; `counts` says how many there may be."""
        if default is not None and name not in self.attributes:
            return list(default)
        allowed = (counts,) if isinstance(counts, int) else counts
        return self._numbers(name, self.word(name), allowed)

    def _numbers(self, name: str, text: str, counts: tuple[int, ...]) -> list[float]:
        try:
            found = [float(word) for word in text.split()]
        except ValueError:
            found = []
        if len(found) not in counts or not all(abs(value) < LARGEST for value in found):
            some = " or ".join(map(str, counts)) + (" numbers" if counts != (1,) else " number")
            raise self.wrong(f"{name}='{text}' of {self}: expected {some}", "numbers are separated by blanks")
        return found

    def __str__(self) -> str:
        name = self.attributes.get("name")
        return f"<{self.tag} name='{name}'>" if name is not None else f"<{self.tag}>"

    def wrong(self, what: str, advice: str) -> NetlistError:
        """What is wrong about this element."""
        return NetlistError("E511", what, location=self.location, advice=advice)

    def unsupported(self, what: str, advice: str) -> NetlistError:
        """What is right in the file's language and not known here."""
        return NetlistError("E512", what, location=self.location, advice=advice)


@dataclass(frozen=True)
class Document:
    """The outermost element, and the file it was in."""

    root: Element
    name: str
    folder: Path
    stamp: FileStamp | None


def read_document(path: str | os.PathLike[str] | None, text: str | None, what: str) -> Document:
    """The elements of a file, or of a string in its place."""
    if (path is None) == (text is None):
        problem = f"{what} needs a file or a string"
        raise NetlistError(
            "E510", problem, location=here(), advice=f"tg.{what}('robot.xml') or tg.{what}(text='<...>')"
        )
    if path is not None and not isinstance(path, str | os.PathLike):
        problem = f"the path of a file is a string, not {path!r}"
        raise NetlistError("E510", problem, location=here(), advice=f"tg.{what}('robot.xml')")
    if text is not None and not isinstance(text, str):
        raise NetlistError("E510", f"text is a string, not {text!r}", location=here(), advice=f"tg.{what}('robot.xml')")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        problem = f"this is the text of a file, not its path: {path.strip()[:40]}..."
        raise NetlistError("E510", problem, location=here(), advice=f"tg.{what}(text=...)")
    if path is None:
        assert text is not None
        file = f"<{what} {crc32(text.encode('utf-8', 'replace')):x}>"
        lines = [f"{line}\n" for line in text.splitlines()]
        linecache.cache[file] = (len(text), None, lines, file)  # so that messages can show a line of it
        return Document(_parsed(text.encode("utf-8", "replace"), file), "robot", Path(), None)
    data, stamp = stamped(path)
    return Document(_parsed(data, stamp.path), Path(path).stem, Path(path).parent, stamp)


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """An option that is one of a few words."""
    if value not in choices:
        what = f"{name}={value!r} is not known; {nearest(str(value), choices)}"
        raise NetlistError("E511", what, location=here(), advice=f"one of {', '.join(choices)}")


def _parsed(data: bytes, file: str) -> Element:
    parser = expat.ParserCreate()
    open_elements: list[Element] = []
    outermost: list[Element] = []

    def at() -> SourceLocation:
        return SourceLocation(file, parser.CurrentLineNumber)

    def begin(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, at())
        if len(open_elements) > DEEPEST:
            raise NetlistError(
                "E510", f"more than {DEEPEST} elements are nested", location=at(), advice="is it a robot?"
            )
        (open_elements[-1].children if open_elements else outermost).append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def declaration(*_: Any) -> None:
        what = "a document type declaration (<!DOCTYPE ...>) is not accepted: entities may stand for anything"
        raise NetlistError("E510", what, location=at(), advice="remove it")

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = declaration
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        what = f"this is not well-formed XML: {expat.ErrorString(error.code)}"
        raise NetlistError("E510", what, location=SourceLocation(file, error.lineno), advice="correct it") from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know, a zero byte
        what = f"this is not well-formed XML: {error}"
        raise NetlistError("E510", what, location=SourceLocation(file, 1), advice="save the file as UTF-8") from None
    return outermost[0]
