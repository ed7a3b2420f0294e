"""Classes inside of a class that are read when somebody looks into them.

A file of a library holds up to a few hundred classes, of which a model needs a few. Of the others no tokens are made
(class_extents.py). What is wrong inside is reported when it is read, with all other mistakes of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tellegen.frontends.modelica.store.class_extents import Extent, classes_inside
from tellegen.frontends.modelica.syntax.classes import BODY, SHORT
from tellegen.frontends.modelica.syntax.node import Node
from tellegen.frontends.modelica.syntax.parse_classes import ClassParser
from tellegen.frontends.modelica.syntax.parser import parse, syntax_error
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.syntax.token_reader import NESTED, UnexpectedTokenError
from tellegen.start.garbage_collection import lasting
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import ClassDefinition, StoredDefinition


def parse_outside(file: SourceFile) -> StoredDefinition:
    """The classes of a file; those inside of them are left unread. A file with mistakes is read as a whole."""
    definition = None
    with lasting():
        extents = classes_inside(file.text, (0, len(file.text)), is_file=True)
        if extents is None:
            return parse(file)
        parser = _parser(file, (0, len(file.text)), extents, 0)
        try:
            definition = parser.stored_definition()
        except UnexpectedTokenError as mistake:
            parser.mistakes.append(mistake)
    if definition is None or parser.mistakes:
        file.forget()
        return parse(file)
    return definition


def _parser(file: SourceFile, part: Extent, bodies: list[Extent], depth: int) -> OutsideParser:
    """Reads a part of a file without the bodies of some classes in it."""
    begins = (part[0], *(end for _, end in bodies))
    ends = (*(begin for begin, _ in bodies), part[1])
    firsts = file.read_parts(tuple(zip(begins, ends, strict=True)))
    return OutsideParser(file.tokens, firsts[0], depth, [], file, dict(zip(firsts[1:], bodies, strict=True)))


@dataclass(slots=True, eq=False)
class UnreadBody(Node):
    """The text of a file from after the description of a class to its end."""

    file: SourceFile
    begin: int
    end: int
    depth: int

    @property
    def fields(self) -> tuple[str, ...]:
        """What a class of this kind does not have before."""
        return BODY

    def read(self, definition: ClassDefinition) -> None:
        """Give the class its body."""
        part = (self.begin, self.end)
        parser = _parser(self.file, part, classes_inside(self.file.text, part, is_file=False) or [], self.depth)
        definition.begin_body()
        _read(self, parser, parser.inside, definition)


@dataclass(slots=True, eq=False)
class UnreadShort(Node):
    """The tokens of a file from the equals sign of a short class to its semicolon."""

    file: SourceFile
    first: int
    depth: int

    @property
    def fields(self) -> tuple[str, ...]:
        """What a class of this kind does not have before."""
        return SHORT

    def read(self, definition: ClassDefinition) -> None:
        """Say what the class stands for."""
        parser = OutsideParser(self.file.tokens, self.first, self.depth, [], self.file, {})
        definition.begin_short()
        _read(self, parser, parser.read_short, definition)


def _read(
    left: UnreadBody | UnreadShort,
    parser: OutsideParser,
    part: Callable[[ClassDefinition], None],
    definition: ClassDefinition,
) -> None:
    """Read what was left of a class; where that is not Modelica, all mistakes of the file are reported."""
    try:
        with lasting():
            part(definition)
    except UnexpectedTokenError as mistake:
        parser.mistakes.append(mistake)
    if parser.mistakes:
        definition.leave_unread(left)
        parse(left.file.unread())  # which reports all mistakes of the file
        raise syntax_error(parser.mistakes, left.file)
    left.file.is_read_further = True


@dataclass(slots=True)
class OutsideParser(ClassParser):
    """Reads classes, and leaves the classes inside of them unread."""

    file: SourceFile
    bodies: dict[int, Extent]  # that are left unread, by the number of the token before which they stand

    def composition(self, definition: ClassDefinition) -> None:
        """Everything between the name of a class and its end; of a class that is left unread the description."""
        definition.description = self.description()
        body = self.bodies.get(self.at)
        if body is None:
            self.inside(definition)
        else:
            definition.leave_unread(UnreadBody(self.file, *body, self.depth))

    def short_class(self, definition: ClassDefinition) -> None:
        """What a short class stands for; inside of another class it is left unread up to its semicolon."""
        tokens = self.tokens
        try:
            end = tokens.index(";", self.at)
        except ValueError:
            end = self.at
        left = tokens[self.at : end]
        # one that is redeclared in brackets ends with them
        is_in_brackets = left.count("(") != left.count(")")
        if self.depth <= NESTED or not left or is_in_brackets or "constrainedby" in left:
            ClassParser.short_class(self, definition)
            return
        definition.leave_unread(UnreadShort(self.file, self.at, self.depth))
        self.at = end

    def read_short(self, definition: ClassDefinition) -> None:
        """What a short class that was left unread stands for, up to its semicolon."""
        ClassParser.short_class(self, definition)
        if self.tokens[self.at] != ";":
            self.fail("';'")
