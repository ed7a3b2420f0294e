"""Classes inside of a class that are read when somebody looks into them.

A file of a library holds up to a few hundred classes, of which a model needs a few. Where a class ends is found without
reading it: `end NAME` closes a class of this name and nothing else. What is wrong inside is reported when it is read,
with all other mistakes of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.classes import BODY, SHORT
from tellegen.frontends.modelica.syntax.node import Node
from tellegen.frontends.modelica.syntax.parse_classes import RESTRICTION_WORDS, ClassParser
from tellegen.frontends.modelica.syntax.parser import parse, syntax_error
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.syntax.token_reader import NESTED, UnexpectedTokenError
from tellegen.start.garbage_collection import lasting
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import ClassDefinition, StoredDefinition


def parse_outside(file: SourceFile) -> StoredDefinition:
    """The classes of a file; those inside of them are left unread. A file with mistakes is read as a whole."""
    with lasting():
        parser = OutsideParser(file.tokens, 0, 0, [], file)
        try:
            definition = parser.stored_definition()
        except UnexpectedTokenError:
            return parse(file)
    return parse(file) if parser.mistakes else definition


@dataclass(slots=True, eq=False)
class UnreadBody(Node):
    """The tokens of a file from the description of a class to its end."""

    file: SourceFile
    first: int
    depth: int

    @property
    def fields(self) -> tuple[str, ...]:
        """What a class of this kind does not have before."""
        return BODY

    def read(self, definition: ClassDefinition) -> None:
        """Give the class its body."""
        parser = OutsideParser(self.file.tokens, self.first, self.depth, [], self.file)
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
        parser = OutsideParser(self.file.tokens, self.first, self.depth, [], self.file)
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
        parse(left.file)  # which reports all mistakes of the file
        raise syntax_error(parser.mistakes, left.file)
    left.file.is_read_further = True


@dataclass(slots=True)
class OutsideParser(ClassParser):
    """Reads classes, and leaves the classes inside of them unread."""

    file: SourceFile

    def composition(self, definition: ClassDefinition) -> None:
        """Everything between the name of a class and its end; inside of another class only the description is read."""
        if self.depth <= NESTED:
            ClassParser.composition(self, definition)
            return
        definition.description = self.description()
        definition.leave_unread(UnreadBody(self.file, self.at, self.depth))
        self.at = self._after(definition.name)

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

    def _after(self, name: str) -> int:
        """The token after `end NAME` of a class that is being read."""
        tokens = self.tokens
        inner = 0  # classes of the same name that were begun inside
        at = self.at
        while True:
            try:
                at = tokens.index(name, at)
            except ValueError:
                self.fail(f"'{name}', the name of the class that ends here")
            if tokens[at - 1] == "end":
                if not inner:
                    return at + 1
                inner -= 1
            elif tokens[at + 1] != "=" and _is_head(tokens, at):
                inner += 1
            at += 1


def _is_head(tokens: list[str], at: int) -> bool:
    """Whether a name follows `model` or `model extends`."""
    before = at - 2 if tokens[at - 1] == "extends" else at - 1
    return tokens[before] in RESTRICTION_WORDS
