"""A file of Modelica text: its tokens, and where each token is, worked out when somebody asks."""

from __future__ import annotations

import linecache
from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, count, islice
from operator import add, methodcaller
from pathlib import Path

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.lexer import TOKEN, tokens_of
from tellegen.ir.source_location import SourceLocation
from tellegen.kept.read_files import Stamp, stamp_of
from tellegen.start.records import dataclass

_START = methodcaller("start", 1)
"""Of a token that was found: its first character, after comments."""


class Positions:
    """Where the tokens and the lines of a text begin, in characters.

    Tokens are counted up to the last one that somebody asked for: to find all of them takes as long as to read the
    classes of a small model.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("I")
        self._further = TOKEN.finditer(text)

    @cached_property
    def _lines(self) -> array[int]:
        lengths = map(len, self._text.split("\n")[:-1])
        return array("I", map(add, accumulate(lengths, initial=0), count()))  # each line ends with one character more

    def of_token(self, token: int) -> int:
        """The first character of a token; the end of the text for tokens after it."""
        starts = self._starts
        if token >= len(starts):
            starts.extend(map(_START, islice(self._further, token + 1 - len(starts))))
        return starts[min(token, len(starts) - 1)]

    def line_and_column(self, place: int) -> tuple[int, int]:
        """Of a character."""
        line = bisect_right(self._lines, place)
        return line, place - self._lines[line - 1] + 1


@dataclass(eq=False)
class SourceFile:
    """A file, or a text that stands in none and is named by `path` in messages."""

    path: str
    given_text: str | None = None
    stamp: Stamp = None  # of the file, where its classes are read one by one
    is_read_further: bool = False  # classes inside of others were read since

    @cached_property
    def text(self) -> str:
        """What the file says: UTF-8, with or without a byte order mark."""
        if self.given_text is not None:
            return self.given_text
        data = Path(self.path).read_bytes()
        if self.stamp is not None and stamp_of(self.path) != self.stamp:
            message = "the file was changed after some of its classes were read"
            raise ModelicaError("E593", message, location=SourceLocation(self.path, 1), advice="load the library again")
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise ModelicaError(
                "E541",
                f"the file is not UTF-8: the byte {data[error.start]:#04x} is not part of a character",
                location=SourceLocation(self.path, line),
                advice="save the file with the encoding UTF-8",
            ) from None

    @cached_property
    def tokens(self) -> list[str]:
        """Its tokens."""
        return tokens_of(self.text)

    def location(self, token: int, scope: str = "") -> SourceLocation:
        """File, line and column of a token given by its number."""
        return self._at(self.positions.of_token(token), scope)

    def location_after(self, token: int) -> SourceLocation:
        """The location right after a token, where something is missing."""
        return self._at(self.positions.of_token(token) + len(self.tokens[token]))

    def _at(self, place: int, scope: str = "") -> SourceLocation:
        line, column = self.positions.line_and_column(place)
        return SourceLocation(self.path, line, scope, column)

    @cached_property
    def positions(self) -> Positions:
        """Where its tokens are. A text without a file is made known, so that messages can show its lines."""
        if self.given_text is not None:
            linecache.cache[self.path] = (len(self.text), None, self.text.splitlines(keepends=True), self.path)
        return Positions(self.text)
