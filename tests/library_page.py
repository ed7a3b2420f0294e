"""The class reference in docs/library: one page per domain and an overview, written from the classes themselves.

    pytest tests/test_library_page.py --rewrite-golden      regenerates all pages

What stands on a page comes from tellegen/class_reference (which `tellegen library` shows at the terminal) and from the
docstring of the domain: its first paragraph says what the domain is, its indented block is the example of the page.
"""

from __future__ import annotations

import re
import textwrap
from functools import cache

from tellegen.class_reference import Entry, Row, domains, laws, library_entries, symbol

MADE = "<!-- Written by tests/library_page.py; `pytest tests/test_library_page.py --rewrite-golden` regenerates it. -->"
OVERVIEW = """\
# Library

Every connector and component that comes with Tellegen. Components with the same connector connect; positive flows go
into the component. Any of them may be the base of [your own](../your-own-component.md). At the terminal
`tellegen library` lists them, `tellegen library spring` finds some and `tellegen library Resistor` explains one.

"""
FILTER = """\
<input id="library-filter" type="search" placeholder="Filter, such as: spring, heat, sensor" aria-label="Filter">
"""
TITLES = ("name", "what", "unit", "default", "meaning")


@cache
def pages() -> dict[str, str]:
    """All pages by the name of their file in docs/library."""
    entries = library_entries()
    by_domain = {domain: [entry for entry in entries if entry.domain == domain] for domain in domains()}
    homes = {entry.cls: entry for entry in entries}
    return {
        "index.md": _overview(by_domain),
        **{f"{domain}.md": _domain_page(domain, listed, homes) for domain, listed in by_domain.items()},
    }


def _overview(by_domain: dict[str, list[Entry]]) -> str:
    rows = [
        f"| {symbol(entry)} | [{entry.name}]({domain}.md#{entry.name.lower()}) | [{domain}]({domain}.md) "
        f"| {escaped(entry.headline)} |"
        for domain, entries in by_domain.items()
        for entry in entries
    ]
    table = "\n".join(["| | name | domain | what |", "|---|---|---|---|", *rows])
    return f"{OVERVIEW}{MADE}\n\n{FILTER}\n{table}\n"


def _domain_page(domain: str, entries: list[Entry], homes: dict[type, Entry]) -> str:
    text = (domains()[domain].__doc__ or "").strip()
    parts = [f"# {domain.capitalize()}\n", f"`tellegen.library.{domain}`. {_with_code(text)}\n", f"{MADE}\n"]
    return "\n".join([*parts, *(_section(entry, homes) for entry in entries)])


def _with_code(text: str) -> str:
    """A docstring as Markdown; what is indented in it is Python, and run by tests/test_docs.py."""
    parts = []
    for block in re.split(r"(?m)((?:^ {4}.*\n|^\n(?= {4}))+)", f"{text}\n"):
        code = textwrap.dedent(block).strip()
        spaced = re.sub(r"\n\n(?=\S)", "\n\n\n", code)  # classes stand two lines apart, as ruff asks of pages
        parts.append(f"\n```python\n{spaced}\n```\n" if block.strip("\n").startswith("    ") else escaped(block))
    return "".join(parts).rstrip()


def _section(entry: Entry, homes: dict[type, Entry]) -> str:
    """Heading, symbol, docstring, members and equations of one class."""
    what = "Connector. " if entry.connector else ""
    bases = [_link(entry, homes[base]) for base in entry.cls.__bases__ if base in homes]
    extends = f"\n\nBased on {' and '.join(bases)}." if bases else ""
    lines = [
        f"## {entry.name} {{ #{entry.name.lower()} }}",
        "",
        symbol(entry),
        "",
        f"{what}{prose(entry.text)}{extends}",
    ]
    if entry.members:
        lines += ["", f"| {' | '.join(TITLES)} |", "|---|---|---|---|---|", *map(_row, entry.members)]
    for when, texts in laws(entry.cls):
        equations = "\n".join(texts)
        lines += ["", f"With `{when}`:" if when else "Equations:", "", f"```text\n{equations}\n```"]
    return "\n".join(lines) + "\n"


def _link(seen_from: Entry, entry: Entry) -> str:
    page = "" if entry.domain == seen_from.domain else f"{entry.domain}.md"
    return f"[{entry.name}]({page}#{entry.name.lower()})"


def _row(row: Row) -> str:
    kind = f"{row.kind}, {row.type}" if row.type else row.kind
    cells = [f"`{row.title}`", escaped(kind), row.unit, escaped(row.value), escaped(row.meaning)]
    return f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |")


def prose(text: str) -> str:
    """A docstring as Markdown: what is indented stays as it is, the rest loses its accidental markup."""
    return "\n".join(line if line.startswith("    ") else escaped(line) for line in text.splitlines())


def escaped(text: str) -> str:
    """A text without accidental markup."""
    return text.replace("*", "\\*").replace("|", "\\|").replace("<", "&lt;")
