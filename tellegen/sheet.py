"""How models and results show themselves: a line as repr, a page of text in print(), the same page in notebooks.

class Optimum(Result):
    def _title(self): return "Optimum of Servo: rms(e) = 0.021 (slsqp, 12 runs)"
    def _page(self): return [Table(("variable", "value", "unit"), rows), "the tolerance of the search was reached"]
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from tellegen.start.records import dataclass

_NUMBER = set("0123456789+-.")
_CELL = "padding:2px 10px; border-bottom:1px solid #ddd; text-align:{align}; vertical-align:top"


@dataclass(frozen=True, eq=False)
class Table:
    """Cells of text under headings; without headings the cells alone."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def text(self) -> str:
        """Columns side by side, headings above; columns of numbers are aligned at the right."""
        rows = [self.columns, *self.rows] if any(self.columns) else self.rows
        return aligned(rows, self.aligns())

    def html(self) -> str:
        """A table element; columns of numbers are aligned at the right."""
        aligns = self.aligns()
        head = _row("th", self.columns, aligns) if any(self.columns) else ""
        body = "".join(_row("td", row, aligns) for row in self.rows)
        return f'<table style="border-collapse:collapse; margin:4px 0">{head}{body}</table>'

    def aligns(self) -> list[str]:
        """ "left" or "right" for each column."""
        return [_align(column) for column in zip(*self.rows, strict=True)] or ["left"] * len(self.columns)


class Shown:
    """What has a title of one line and a page of tables and sentences below it."""

    @abstractmethod
    def _title(self) -> str:
        """What it is, in one line."""

    @abstractmethod
    def _page(self) -> Iterable[Table | str]:
        """What a person wants to see of it: tables, and paragraphs of plain text."""

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def __str__(self) -> str:
        parts = [part.text() if isinstance(part, Table) else part for part in self._page()]
        return "\n".join([self._title(), *filter(None, parts)])

    def _repr_html_(self) -> str:
        return page_html(self._title(), self._page())


class Result(Shown):
    """What an analysis returns. As in SciPy, `success` says whether it ended as it should and `message` how."""

    @property
    def success(self) -> bool:
        """Whether the analysis ended as it should."""
        return True

    @property
    def message(self) -> str:
        """How it ended; empty where there is nothing to say."""
        return ""


def _escaped(text: str) -> str:
    """Text as HTML; the module of Python has a table of a thousand letters, which only a notebook should pay for."""
    from html import escape

    return escape(text)


def page_html(title: str, parts: Iterable[Table | str]) -> str:
    """A title and what follows it as HTML."""
    body = (part.html() if isinstance(part, Table) else _paragraph(part) for part in parts)
    return f'<div style="line-height:1.35"><b>{_escaped(title)}</b>{"".join(body)}</div>'


def page_rich(title: str, parts: Iterable[Table | str]) -> Any:
    """A title and what follows it for a terminal, by rich."""
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    shown: list[Any] = [Text(title, style="bold")]
    for part in parts:
        if isinstance(part, str):
            shown.append(Text(part))
            continue
        table = RichTable()
        for heading, align in zip(part.columns, part.aligns(), strict=True):
            table.add_column(heading, justify="right" if align == "right" else "left")
        for row in part.rows:
            table.add_row(*(Text(cell) for cell in row))
        shown.append(table)
    return Group(*shown)


def aligned(rows: Sequence[tuple[str, ...]], aligns: Sequence[str] = ()) -> str:
    """Rows of text in columns, aligned at the left unless `aligns` says otherwise."""
    columns = [
        [cell.rjust(width) if align == "right" else cell.ljust(width) for cell in column]
        for column, align in zip_longest(zip(*rows, strict=True), aligns, fillvalue="left")
        for width in [max(map(len, column))]
    ]
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def _paragraph(text: str) -> str:
    lines = "<br>".join(map(_escaped, text.splitlines()))
    return f'<div style="margin:4px 0; white-space:pre-wrap">{lines}</div>' if text else ""


def _align(column: Iterable[str]) -> str:
    cells = [cell for cell in column if cell]
    return "right" if cells and all(cell[0] in _NUMBER or cell in ("nan", "inf") for cell in cells) else "left"


def _row(tag: str, cells: Sequence[str], aligns: Sequence[str]) -> str:
    inner = (
        f'<{tag} style="{_CELL.format(align=align)}">{_escaped(cell)}</{tag}>'
        for cell, align in zip(cells, aligns, strict=True)
    )
    return f"<tr>{''.join(inner)}</tr>"
