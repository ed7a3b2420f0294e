"""Modelica text to its syntax tree: all mistakes of a file in one error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.lexer import END_OF_FILE, KEYWORDS, is_unclosed
from tellegen.frontends.modelica.syntax.parse_classes import ClassParser
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.syntax.token_reader import (
    DEEPEST,
    NESTED,
    NestedTooDeeplyError,
    UnexpectedTokenError,
)
from tellegen.start.garbage_collection import lasting

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import StoredDefinition
    from tellegen.frontends.modelica.syntax.expressions import Expression
    from tellegen.ir.source_location import SourceLocation

VERSION = 5
"""Of the syntax tree and of what is kept with it; trees that were kept by another version are read again."""

_SHOWN = 10  # mistakes in one error
_NEARBY = 20  # tokens of an equation in which a relation is looked for


def parse(file: SourceFile) -> StoredDefinition:
    """The classes of a file."""
    definition = None
    with lasting():
        parser = ClassParser(file.tokens, 0, 0, [])
        try:
            definition = parser.stored_definition()
        except UnexpectedTokenError as mistake:
            parser.mistakes.append(mistake)
    if definition is None or parser.mistakes:
        raise syntax_error(parser.mistakes, file)
    return definition


def parse_text(text: str, name: str = "<Modelica text>") -> StoredDefinition:
    """The classes of a text that stands in no file."""
    return parse(SourceFile(name, text))


def parse_expression(file: SourceFile) -> Expression:
    """A file or text that holds one expression."""
    parser = ClassParser(file.tokens, 0, 0, [])
    try:
        expression = parser.expression()
        if parser.tokens[parser.at] != END_OF_FILE:
            parser.fail("an operator or the end")
    except UnexpectedTokenError as mistake:
        raise syntax_error([mistake], file) from None
    return expression


def syntax_error(mistakes: list[UnexpectedTokenError], file: SourceFile) -> ModelicaError:
    """One error for all mistakes of a file: the first in full, the others by location and message."""
    first, *others = sorted(mistakes, key=lambda mistake: mistake.token)
    details = [f"{_location(mistake, file)}: {_message(mistake, file)}" for mistake in others[: _SHOWN - 1]]
    if len(mistakes) > _SHOWN:
        details.append(f"and {len(mistakes) - _SHOWN} more")
    return ModelicaError(
        "E541" if _is_no_token(file.tokens[first.token]) else first.code,
        _message(first, file),
        location=_location(first, file),
        details=details,
        advice=_advice(first, file),
    )


_INSTEAD = {
    ("';'", ":="): "equations and values are written with '='; ':=' is for algorithms",
    ("':='", "="): "in algorithms a variable is assigned by ':='; '=' is for equations",
    ("an expression", "*"): "the power of x is written x^2",
    ("an expression", "="): "'==' compares, '=' makes an equation",
    ("'end if'", "end"): "`else if` begins an if inside of the other, with an `end if` of its own: `elseif` goes on",
}
"""What was meant, by what was expected and what was found."""
_INSTEAD_OF_STRAY = {
    "&": "`and`",
    "|": "`or`",
    "!": "`not x` and `a <> b`",
    "~": "`not x` and `a <> b`",
    "%": "`mod(a, b)`",
}


def _advice(mistake: UnexpectedTokenError, file: SourceFile) -> str:
    """What may have been meant."""
    if isinstance(mistake, NestedTooDeeplyError):
        return "split it with auxiliary variables"
    found = file.tokens[mistake.token]
    if found in _INSTEAD_OF_STRAY:
        return f"Modelica writes {_INSTEAD_OF_STRAY[found]}"
    if found in KEYWORDS and mistake.expected.startswith("the name of"):
        return f"'{found}' is a word of the language and cannot be a name"
    if mistake.expected == "'='" and "==" in file.tokens[max(mistake.token - _NEARBY, 0) : mistake.token]:
        return "'==' compares, '=' makes an equation"
    return _INSTEAD.get((mistake.expected, found), "")


def _is_no_token(token: str) -> bool:
    """Whether a token is none of Modelica's."""
    return is_unclosed(token) or token in _STRAY


_STRAY = frozenset("!?@#$&|~%\\`'")


def _message(mistake: UnexpectedTokenError, file: SourceFile) -> str:
    found = file.tokens[mistake.token]
    if isinstance(mistake, NestedTooDeeplyError):
        return f"more than {DEEPEST // NESTED} levels of nesting, or more than {DEEPEST} operators in a row"
    if is_unclosed(found):
        opened = "string" if found[0] == '"' else "comment"
        return f"the {opened} that begins here is not closed"
    if found in _STRAY or (not found.isascii() and found[0] != '"'):
        return f"the character {found!r} is not part of Modelica outside of strings and comments"
    shown = "the end of the file" if found == END_OF_FILE else found if found[0] == '"' else f"'{found}'"
    return f"expected {mistake.expected}, found {shown if len(shown) < 40 else shown[:36] + ' ...'}"


def _location(mistake: UnexpectedTokenError, file: SourceFile) -> SourceLocation:
    """Where the mistake is: after the token before, where a semicolon is missing at the end of a line."""
    here = file.location(mistake.token)
    if mistake.expected != "';'" or mistake.token == 0:
        return here
    before = file.location_after(mistake.token - 1)
    return before if before.line < here.line else here
