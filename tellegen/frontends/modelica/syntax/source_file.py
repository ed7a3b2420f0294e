"""A file of Modelica text: its tokens, and where each token is, worked out when somebody asks."""

from __future__ import annotations

import linecache
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, count, islice
from operator import add, attrgetter, itemgetter, methodcaller
from pathlib import Path
from typing import NamedTuple

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.lexer import END_OF_FILE, TOKEN, tokens_between
from tellegen.ir.source_location import SourceLocation
from tellegen.kept.read_files import Stamp, stamp_of
from tellegen.start.records import dataclass

_START = methodcaller("start", 1)
"""Of a token that was found: its first character, after comments."""
_TOKEN = itemgetter(1)


class Piece(NamedTuple):
    """What was read together of a file: parts of its text, between which classes are that are read later.

    Tokens are numbered in the order in which they are read, so those of a piece have numbers without gaps.
    """

    first: int  # number of its first token
    parts: tuple[tuple[int, int], ...]  # of the text, each from a character up to another

    def tokens(self, text: str) -> list[str]:
        """Its tokens, and two times END_OF_FILE."""
        found = [token for begin, end in self.parts for token in tokens_between(text, begin, end)]
        return [*found, END_OF_FILE, END_OF_FILE]


class _Starts:
    """Where the tokens of a piece begin, in characters: found up to the last one that somebody asked for."""

    def __init__(self, text: str, piece: Piece) -> None:
        self._starts = array("I")
        self._further = _starts(text, piece)

    def __getitem__(self, token: int) -> int:
        """The first character of a token; the end of the piece for tokens after it."""
        starts = self._starts
        if token >= len(starts):
            starts.extend(islice(self._further, token + 1 - len(starts)))
        return starts[min(token, len(starts) - 1)]


def _starts(text: str, piece: Piece) -> Iterator[int]:
    """No generator: one that waits for its next value would keep the process from a quick end."""
    parts = [map(_START, filter(_TOKEN, TOKEN.finditer(text, begin, end))) for begin, end in piece.parts]
    return chain(*parts, (piece.parts[-1][1],))


class Positions:
    """Where the tokens and the lines of a text begin, in characters."""

    def __init__(self, text: str, pieces: Sequence[Piece]) -> None:
        self._text = text
        self._pieces = pieces
        self._starts: dict[int, _Starts] = {}  # of pieces, by the number of their first token

    @cached_property
    def _lines(self) -> array[int]:
        lengths = map(len, self._text.split("\n")[:-1])
        return array("I", map(add, accumulate(lengths, initial=0), count()))  # each line ends with one character more

    def of_token(self, token: int) -> int:
        """The first character of a token; the end of the text for tokens after it."""
        piece = self._pieces[bisect_right(self._pieces, token, key=attrgetter("first")) - 1]
        starts = self._starts.get(piece.first)
        if starts is None:
            starts = self._starts[piece.first] = _Starts(self._text, piece)
        return starts[token - piece.first]

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
    is_of_python: bool = False  # written for modifications given in Python, where any component may be replaced
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
        """Its tokens; of a file that is read class by class those that were read so far."""
        return [token for piece in self.pieces for token in piece.tokens(self.text)]

    @cached_property
    def pieces(self) -> list[Piece]:
        """What was read so far, which is all of it unless `read_parts` came first."""
        return [Piece(0, ((0, len(self.text)),))]

    def read_parts(self, parts: tuple[tuple[int, int], ...]) -> list[int]:
        """Read parts of the text after what was read before: the number of the first token of each."""
        self.__dict__.setdefault("pieces", [])
        tokens = self.tokens
        self.pieces.append(Piece(len(tokens), parts))
        firsts: list[int] = []
        for begin, end in parts:
            firsts.append(len(tokens))
            tokens += tokens_between(self.text, begin, end)
        tokens += (END_OF_FILE, END_OF_FILE)
        return firsts

    def forget(self) -> None:
        """Forget what was read: no tree of it is used any more."""
        for name in ("pieces", "tokens", "positions"):
            self.__dict__.pop(name, None)

    def unread(self) -> SourceFile:
        """The same file, of which nothing was read yet."""
        return SourceFile(self.path, self.given_text, self.stamp)

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
        return Positions(self.text, self.pieces)
