"""Small replacements in a text: everything else stays as it is, byte for byte."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tellegen.start.records import dataclass

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""Lines as Python counts them: a form feed ends none."""


@dataclass(frozen=True)
class Span:
    """From a character of a text up to, not including, another."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """What stands there."""
        return text[self.start : self.end]


@dataclass(frozen=True)
class Splice:
    """A span and what takes its place."""

    span: Span
    text: str


def dotted(node: ast.expr) -> str:
    """The text of an expression; names with dots, by far the most frequent, without the detour of `ast.unparse`."""
    names: list[str] = []
    inner = node
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return ast.unparse(node)
    return ".".join([inner.id, *reversed(names)])


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """The text with all of the splices, whose spans refer to the text before; they do not overlap.

    New lines end as those of the text do.
    """
    line_end = "\r\n" if "\r\n" in text else "\n"
    ordered = sorted(splices, key=lambda splice: (splice.span.start, splice.span.end))
    pieces = []
    reached = 0
    for splice in ordered:
        assert splice.span.start >= reached, "splices overlap"
        new = splice.text.replace("\r\n", "\n").replace("\n", line_end)
        pieces += [text[reached : splice.span.start], new]
        reached = splice.span.end
    return "".join([*pieces, text[reached:]])


class Positions:
    """Where nodes of a syntax tree stand in the text; `ast` counts bytes of lines, Python characters of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = LINE.findall(text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """The span of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Span(self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset))

    def whole_lines(self, node: ast.stmt) -> Span:
        """The lines of a statement with their ends, if nothing but a comment stands beside it; else the statement."""
        span = self.span(node)
        assert node.end_lineno is not None
        start = self._starts[node.lineno - 1]
        end = self._starts[node.end_lineno]
        after = self.text[span.end : end].strip()
        alone = not self.text[start : span.start].strip() and (not after or after.startswith("#"))
        return Span(start, end) if alone else span

    def end_of_line(self, node: ast.stmt) -> int:
        """The end of the last line of a statement, before its line break."""
        assert node.end_lineno is not None
        line = self._lines[node.end_lineno - 1]
        return self._starts[node.end_lineno - 1] + len(line.rstrip("\r\n"))

    def indent(self, node: ast.stmt) -> str:
        """What stands before the first statement of its line, tabs as they are."""
        line = self._lines[node.lineno - 1]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def line_start(self, line: int) -> int:
        """The first character of a line; lines count from one."""
        return self._starts[line - 1]

    def _at(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)
