"""What all parts of the parser share: the tokens, the position among them, and how a mistake is noted."""

from __future__ import annotations

from sys import intern
from typing import NoReturn

from tellegen.frontends.modelica.syntax.lexer import END_OF_FILE, KEYWORDS, LETTERS, unescaped
from tellegen.start.records import dataclass

DEEPEST = 400
"""Of brackets, classes and loops inside each other (five for each) and operators in a row (one for each).

Parser and later passes follow the tree by recursion; this is what the stack of Python bears."""
NESTED = 5

_SECTIONS = frozenset({"end", "equation", "algorithm", "public", "protected", "external", END_OF_FILE})


class UnexpectedTokenError(Exception):
    """The text is not Modelica at a token; reported as a ModelicaError once the file is read to its end."""

    code = "E540"

    def __init__(self, token: int, expected: str) -> None:
        super().__init__(token, expected)
        self.token = token
        self.expected = expected


class NestedTooDeeplyError(UnexpectedTokenError):
    """The text has more levels than are read."""

    code = "E542"


@dataclass(slots=True)
class TokenReader:
    """The position in a list of tokens. Parsing is a matter of moving it forward."""

    tokens: list[str]
    at: int
    depth: int
    mistakes: list[UnexpectedTokenError]

    def fail(self, expected: str) -> NoReturn:
        """Something else than expected stands here."""
        raise UnexpectedTokenError(self.at, expected)

    def want(self, token: str) -> None:
        """Step over a token that must stand here."""
        if self.tokens[self.at] != token:
            self.fail(f"'{token}'")
        self.at += 1

    def take(self, token: str) -> bool:
        """Step over a token if it stands here."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def identifier(self, expected: str = "identifier") -> str:
        """A name; with its quotation marks where it has them."""
        token = self.tokens[self.at]
        if token[:1] not in LETTERS or token in KEYWORDS or token == "'":
            self.fail(expected)
        self.at += 1
        return intern(token)

    def name(self) -> tuple[str, ...]:
        """a.b.c."""
        tokens = self.tokens
        first = self.identifier()
        if tokens[self.at] != ".":
            return (first,)
        parts = [first]
        while self.take("."):
            parts.append(self.identifier())
        return tuple(parts)

    def description(self) -> str:
        """ "a" + "b", or nothing."""
        tokens = self.tokens
        if tokens[self.at][:1] != '"':
            return ""
        parts = [self.string()]
        while self.take("+"):
            parts.append(self.string())
        return "".join(parts)

    def string(self) -> str:
        """A string literal."""
        token = self.tokens[self.at]
        if token[:1] != '"' or len(token) < 2 or token[-1] != '"':
            self.fail("a string")
        self.at += 1
        return unescaped(token)

    def deeper(self, levels: int = NESTED) -> None:
        """Count levels of nesting, so that no text can exhaust the stack."""
        self.depth += levels
        if self.depth > DEEPEST:
            raise NestedTooDeeplyError(self.at, "")

    def recover(self, mistake: UnexpectedTokenError, depth: int) -> None:
        """Note a mistake and go on after the next semicolon, or at the next section or end of a class."""
        self.mistakes.append(mistake)
        self.depth = depth
        tokens = self.tokens
        at = max(self.at, mistake.token)
        while tokens[at] not in _SECTIONS and tokens[at] != ";":
            at += 1
        self.at = at + (tokens[at] == ";")
