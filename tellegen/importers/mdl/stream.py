"""Tokens one by one, and what is expected next: all errors of the grammar are made here."""

from __future__ import annotations

from tellegen.errors import DocumentError
from tellegen.importers.mdl.tokens import Token

_CLOSING = (";", ")", "]", "}")


class Stream:
    """A place among tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._position = 0

    @property
    def next(self) -> Token:
        """The token that comes next; the end comes again and again."""
        return self._tokens[min(self._position, len(self._tokens) - 1)]

    def advance(self) -> Token:
        """Take the next token."""
        token = self.next
        self._position += 1
        return token

    def at(self, text: str) -> bool:
        """Whether a sign or keyword comes next."""
        return self.next.keyword == text if text.isalpha() else self.next.kind == "sign" and self.next.text == text

    def take(self, text: str) -> bool:
        """Take a sign or keyword if it comes next."""
        found = self.at(text)
        self._position += found
        return found

    def expect(self, text: str, advice: str) -> Token:
        """Take the sign or keyword that must come."""
        if self.at(text):
            return self.advance()
        before = self._tokens[self._position - 1]
        if text in _CLOSING and self._position:  # what it should have closed stands there, perhaps lines before
            what = f"'{text}' is missing after {before}"
            raise DocumentError("E861", what, location=before.location, advice=advice)
        what = f"'{text}' is missing before {self.next}"
        raise DocumentError("E861", what, location=self.next.location, advice=advice)

    def name(self, what: str) -> Token:
        """Take an identifier."""
        token = self.next
        if token.keyword:
            raise DocumentError(
                "E861",
                f"{token} is a word of the language, not {what}",
                location=token.location,
                advice="choose another name",
            )
        if token.kind != "word":
            raise self.wrong(what, "a name is made of letters, digits and _, and begins with a letter")
        return self.advance()

    def number(self, what: str) -> Token:
        """Take a number without a sign."""
        if self.next.kind != "number":
            raise self.wrong(what, "write a number")
        return self.advance()

    def integer(self, what: str, largest: int = 100_000) -> int:
        """Take a number of ports or states, or the number of a port."""
        token = self.number(what)
        if not token.text.isdigit() or int(token.text) > largest:
            raise DocumentError(
                "E861",
                f"{what} is an integer from 0 to {largest}, not {token.text}",
                location=token.location,
                advice="ports are counted from 0: in[0], in[1], ...",
            )
        return int(token.text)

    def wrong(self, expected: str, advice: str) -> DocumentError:
        """Something else comes than what is expected."""
        what = f"expected {expected}, found {self.next}"
        return DocumentError("E861", what, location=self.next.location, advice=advice)
