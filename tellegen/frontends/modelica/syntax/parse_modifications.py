"""The parser, part three: modifications and annotations (Modelica Language Specification, A.2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.classes import (
    ElementModification,
    ElementRedeclaration,
    Modification,
    Removal,
)
from tellegen.frontends.modelica.syntax.lexer import END_OF_FILE
from tellegen.frontends.modelica.syntax.parse_equations import EquationParser
from tellegen.frontends.modelica.syntax.statements import Annotation
from tellegen.frontends.modelica.syntax.token_reader import NESTED

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import Argument, ClassDefinition, Component

_DRAWN = frozenset(
    {
        *("Icon", "Diagram", "Placement", "Line", "Text", "Dialog", "Documentation", "DocumentationClass"),
        *("preferredView", "choices", "choicesAllMatching", "defaultComponentName", "Protection", "revisionId"),
        *("obsolete", "absoluteValue", "dateModified", "versionDate", "versionBuild", "Authorization"),
    }
)
"""Arguments of annotations that say nothing about the meaning of a model."""
_OPENING = frozenset({"(", "{", "["})
_CLOSING = frozenset({")", "}", "]"})
_BRACKETS = _OPENING | _CLOSING | {",", END_OF_FILE}
_BEFORE_ARGUMENT = frozenset({"break", "redeclare", "each", "final", "replaceable"})


class ModificationParser(EquationParser):
    """Reads modifications."""

    __slots__ = ()

    def redeclared_element(self) -> ClassDefinition | Component:
        """Read by the parser of classes."""
        raise NotImplementedError

    def modification(self) -> Modification | None:
        """(...) = value, either or both; or nothing."""
        token = self.tokens[self.at]
        arguments = self.arguments() if token == "(" else ()
        if not self.take("="):
            return Modification(arguments) if token == "(" else None
        if self.take("break"):
            return Modification(arguments, None, True)
        return Modification(arguments, self.expression())

    def class_modification(self) -> Modification | None:
        """(...), or nothing."""
        return Modification(self.arguments()) if self.tokens[self.at] == "(" else None

    def arguments(self) -> tuple[Argument, ...]:
        """(a = 1, b(c = 2))."""
        self.deeper()
        self.at += 1
        found: list[Argument] = []
        while self.tokens[self.at] != ")":
            if found:
                self.want(",")
            found.append(self.argument())
        self.at += 1
        self.depth -= NESTED
        return tuple(found)

    def argument(self) -> Argument:
        """A modifier, a redeclaration, or something that is not inherited."""
        start = self.at
        each = final = False
        if self.tokens[start] in _BEFORE_ARGUMENT:
            if self.take("break"):
                return self.removal(start)
            redeclare = self.take("redeclare")
            each = self.take("each")
            final = self.take("final")
            if redeclare or self.tokens[self.at] == "replaceable":
                element = self.redeclared_element()
                element.redeclare = redeclare
                return ElementRedeclaration(element, each, final, start)
        name = self.name()
        modification = self.modification()
        return ElementModification(name, modification, each, final, start, self.description())

    def removal(self, start: int) -> Removal:
        """break x, break connect(a, b)."""
        if self.tokens[self.at] == "connect":
            return Removal("", self.connection(), start)
        return Removal(self.identifier(), None, start)

    def annotation(self) -> Annotation:
        """annotation(...), which stands here; arguments about drawings and documentation are skipped."""
        tokens = self.tokens
        self.at += 1
        first = self.at
        self.want("(")
        relevant: list[Argument] = []
        while not self.take(")"):
            if self.at > first + 1:
                self.want(",")
            if tokens[self.at] in _DRAWN or tokens[self.at].startswith("__"):
                self.skip_argument()
            else:
                relevant.append(self.argument())
        return Annotation(first, self.at, Modification(tuple(relevant)) if relevant else None)

    def skip_argument(self) -> None:
        """To the comma or parenthesis after an argument."""
        tokens = self.tokens
        depth = 0
        for at in range(self.at, len(tokens)):
            token = tokens[at]
            if token not in _BRACKETS:  # most are numbers
                continue
            if token in _OPENING:
                depth += 1
            elif token in _CLOSING and depth:
                depth -= 1
            elif depth == 0 or token == END_OF_FILE:
                self.at = at
                return
