"""Elements of an XML document that know their lines and columns, and the errors about them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tellegen.errors import DocumentError, nearest
from tellegen.ir.source_location import SourceLocation


@dataclass(frozen=True)
class Mark:
    """From which character of a string on it stands at a line and column."""

    offset: int
    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Text:
    """Character data. Entities and line ends make several marks."""

    value: str
    marks: tuple[Mark, ...]
    file: str

    def location(self, offset: int = 0) -> SourceLocation:
        """Where a character of it stands in the file."""
        mark = self.marks[max(bisect_right(self.marks, offset, key=lambda mark: mark.offset) - 1, 0)]
        return SourceLocation(self.file, mark.line, column=mark.column + offset - mark.offset)


@dataclass(frozen=True, eq=False)
class Element:
    """One element: its tag, its attributes as strings, what it contains, and where it begins."""

    tag: str
    attributes: dict[str, str]
    location: SourceLocation
    content: list[Element | Text] = field(default_factory=list)

    def __str__(self) -> str:
        named = next((key for key in ("name", "ident", "id", "label") if key in self.attributes), None)
        return f"<{self.tag} {named}='{self.attributes[named]}'>" if named else f"<{self.tag}>"

    @property
    def children(self) -> Iterator[Element]:
        """The elements directly inside."""
        return (part for part in self.content if isinstance(part, Element))

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements of these tags directly inside."""
        return (child for child in self.children if child.tag in tags)

    def text(self) -> Text:
        """Its character data as one; what contains elements has none of its own."""
        parts = [part for part in self.content if isinstance(part, Text)]
        if not parts:
            return Text("", (Mark(0, self.location.line, self.location.column),), self.location.file)
        marks: list[Mark] = []
        length = 0
        for part in parts:
            marks += [replace(mark, offset=mark.offset + length) for mark in part.marks]
            length += len(part.value)
        return Text("".join(part.value for part in parts), tuple(marks), self.location.file)

    # -- attributes ---------------------------------------------------------------------------------------------
    def word(self, name: str, default: str | None = None) -> str:
        """An attribute as it stands there."""
        found = self.attributes.get(name, default)
        if found is None:
            raise self.wrong(f"{self} has no attribute '{name}'", f'write <{self.tag} {name}="..."')
        return found

    def choice(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        """An attribute that is one of a few words."""
        found = self.word(name, default)
        if found not in choices:
            what = f"{name}='{found}' of {self} is not known; {nearest(found, choices)}"
            raise self.wrong(what, f"one of {', '.join(choices)}")
        return found

    def flag(self, name: str, default: bool = False) -> bool:
        """An attribute that is true or false."""
        return self.choice(name, ("true", "false"), "true" if default else "false") == "true"

    def integer(self, name: str, default: int | None = None) -> int:
        """An attribute that is an integer from zero on."""
        found = self.word(name, None if default is None else str(default))
        if not (found.isdecimal() and found.isascii() and len(found) < 10):
            raise self.wrong(f"{name}='{found}' of {self} is not an integer", "write digits only")
        return int(found)

    def integers(self, name: str) -> tuple[int, ...]:
        """An attribute of integers separated by blanks; none where it is absent."""
        words = self.attributes.get(name, "").split()
        return tuple(replace(self, attributes={name: word}).integer(name) for word in words)

    # -- errors -------------------------------------------------------------------------------------------------
    def wrong(self, what: str, advice: str) -> DocumentError:
        """What is wrong about an attribute."""
        return DocumentError("E843", what, location=self.location, advice=advice)

    def misplaced(self, what: str, advice: str) -> DocumentError:
        """What is wrong about this element as a whole."""
        return DocumentError("E842", what, location=self.location, advice=advice)

    def check_attributes(self, known: Sequence[str]) -> None:
        """Reject attributes that nothing reads."""
        for name in self.attributes:
            if name not in known:
                some = f"; {nearest(name, known)}" if known else ""
                raise self.wrong(f"{self} has an unknown attribute '{name}'{some}", "remove it, or correct its name")

    def check_children(self, known: Sequence[str]) -> None:
        """Reject elements that nothing reads."""
        for child in self.children:
            if child.tag not in known:
                some = f"; {nearest(child.tag, known)}" if known else ""
                what = f"<{child.tag}> is not expected inside {self}{some}"
                raise child.misplaced(what, "remove it, or correct its name")
