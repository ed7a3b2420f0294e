"""A file of Modelica text: its tokens, and where each token is, worked out when somebody asks."""

from __future__ import annotations

import linecache
from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.lexer import TOKEN, tokens_of
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Positions:
    """Where the tokens and the lines of a file begin, in characters. Kept with syntax trees: finding them takes as
    long as a translation of a small model."""

    starts: array[int]
    lines: array[int]


@dataclass(eq=False)
class SourceFile:
    """A file, or a text that stands in none and is named by `path` in messages."""

    path: str
    given_text: str | None = None

    @cached_property
    def text(self) -> str:
        """What the file says: UTF-8, with or without a byte order mark."""
        if self.given_text is not None:
            return self.given_text
        data = Path(self.path).read_bytes()
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
        starts = self.positions.starts
        return self._at(starts[min(token, len(starts) - 1)], scope)

    def location_after(self, token: int) -> SourceLocation:
        """The location right after a token, where something is missing."""
        return self._at(self.positions.starts[token] + len(self.tokens[token]))

    def _at(self, place: int, scope: str = "") -> SourceLocation:
        lines = self.positions.lines
        line = bisect_right(lines, place)
        return SourceLocation(self.path, line, scope, place - lines[line - 1] + 1)

    @cached_property
    def positions(self) -> Positions:
        """Where its tokens are. A text without a file is made known, so that messages can show its lines."""
        if self.given_text is not None:
            linecache.cache[self.path] = (len(self.text), None, self.text.splitlines(keepends=True), self.path)
        starts = array("I", [found.start(1) for found in TOKEN.finditer(self.text)])
        ends = accumulate(len(line) + 1 for line in self.text.split("\n"))
        return Positions(starts, array("I", [0, *ends][:-1]))
