"""`tellegen library [SEARCH]`: the components there are, those that fit a search, or one of them explained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

import tellegen as tg
from tellegen.class_reference import (
    Entry,
    describe_class,
    describe_modelica,
    domains,
    find,
    laws,
    library_entries,
    nearest_names,
    usage,
)
from tellegen.cli.target import Target, TargetError, import_file, modelica_class

TITLES = {
    "port": "ports",
    "parameter": "parameters",
    "structural parameter": "structural parameters (known before a run)",
    "input": "inputs",
    "output": "outputs",
    "variable": "variables",
    "across": "across: equal for all connected",
    "through": "through: sum to zero, positive into the component",
    "stream": "stream: carried by the flow",
    "part": "parts",
}


def answer(search: str, as_json: bool, console: Console) -> None:
    """Print what the search means: everything, a table of what fits, or one class."""
    entries, words = _asked(search)
    found = _exact(entries, words) or (find(entries, words) if words else entries)
    if not found:
        close = nearest_names(entries, words)
        advice = f"perhaps you meant {', '.join(close)}" if close else "`tellegen library` lists everything"
        raise TargetError(f"nothing in the library matches {words!r}\n{advice}")
    if as_json:
        console.file.write(json.dumps([entry.as_json() for entry in found], indent=1, ensure_ascii=False) + "\n")
    elif len(found) == 1:
        console.print(_page(found[0]))
    else:
        console.print(_tables(found, words))


def _asked(search: str) -> tuple[list[Entry], str]:
    """The classes to look through, and for what: `FILE.py[:CLASS]` looks through a file of the user,
    `FILE.mo:CLASS` and `Modelica.A.B` are a class of Modelica."""
    target = Target.parse(search)
    if modelica := modelica_class(search):
        return [describe_modelica(modelica)], ""
    if target.file.suffix != ".py":
        return library_entries(), search.strip()
    module = import_file(target.file)
    own = [value for value in vars(module).values() if _is_part(value) and value.__module__ == module.__name__]
    if not own:
        raise TargetError(
            f"{target.file.name} defines no component\na component is a class that derives from tg.Component"
        )
    return [describe_class(cls, Path(target.file).stem) for cls in own], target.name


def _is_part(value: Any) -> bool:
    return (
        isinstance(value, type)
        and issubclass(value, tg.Component | tg.Connector)
        and not value.__name__.startswith("_")
    )


def _exact(entries: list[Entry], words: str) -> list[Entry]:
    """The classes of just this name, `Resistor` or `electrical.Resistor`; or all of a domain."""
    return [entry for entry in entries if words in (entry.name, entry.full_name, entry.domain)]


def _tables(entries: list[Entry], words: str) -> Group:
    """A table for every domain; those of a search keep their order, the best first."""
    parts: list[Any] = []
    for domain in dict.fromkeys(entry.domain for entry in entries):
        table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
        table.add_column(style="cyan", no_wrap=True)
        table.add_column(overflow="fold")
        for entry in entries:
            if entry.domain == domain:
                kind = "[dim](connector)[/dim] " if entry.connector else ""
                table.add_row(entry.name, Text.from_markup(kind) + Text(entry.headline))
        parts += [Text(domain, style="bold"), Padding(table, (0, 0, 1, 2))]
    if words in domains():
        parts.insert(0, Text(f"{(domains()[words].__doc__ or '').strip()}\n"))
    one = next((entry for entry in entries if not entry.connector), entries[0]).full_name
    parts.append(Text(f"{len(entries)} in all; for details: tellegen library {one}", style="dim"))
    return Group(*parts)


def _page(entry: Entry) -> Group:
    """Everything about one class."""
    what = "connector" if entry.connector else "component"
    bases = f", based on {' and '.join(entry.bases)}" if entry.bases else ""
    parts: list[Any] = [Text.assemble((entry.full_name, "bold cyan"), f"  {what}{bases}"), ""]
    parts += [Text(flowing(entry.text) or "(no description)"), ""]
    parts += list(_members(entry))
    for when, texts in laws(entry.cls):
        parts.append(Text(f"equations with {when}" if when else "equations", style="bold"))
        parts += [Padding(Text("\n".join(texts)), (0, 0, 1, 2))]
    parts.append(Text("use", style="bold"))
    parts.append(Padding(Syntax(usage(entry), "python", background_color="default", word_wrap=True), (0, 0, 1, 2)))
    parts.append(Text(f"{entry.file}:{entry.line}", style="dim"))
    return Group(*parts)


def flowing(text: str) -> str:
    """A docstring for a terminal of any width: lines of a paragraph joined, formulas and items left as they are."""
    out: list[str] = []
    for line in text.split("\n"):
        begins = not line or line[:1].isspace() or line.startswith(("- ", "* "))
        if begins or not out or not out[-1] or (out[-1][:1].isspace() and not line[:1].isspace()):
            out.append(line)
        else:
            out[-1] += f" {line}"
    return "\n".join(out)


def _members(entry: Entry) -> Iterator[Any]:
    for kind, title in TITLES.items():
        rows = entry.rows(kind)
        if not rows:
            continue
        table = Table(box=None, show_header=False, padding=(0, 2), pad_edge=False)
        for style in ("cyan", "", "green", ""):
            table.add_column(style=style, overflow="fold")
        for row in rows:
            cells = (row.title, row.value, row.unit or row.type, row.meaning)
            table.add_row(*(Text(cell) for cell in cells))  # as Text, because rich takes "HeatPort[m]" for a style
        yield Text(title, style="bold")
        yield Padding(table, (0, 0, 1, 2))
