"""`tellegen find FAMILY CONDITION ...`: parts of a catalogue that satisfy conditions, or which families there are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

import tellegen as tg
from tellegen.catalogue.part import Part
from tellegen.catalogue.selection import Selection
from tellegen.sheet import page_rich


@dataclass(frozen=True)
class Search:
    """What is asked for: a family and conditions, in which catalogues (none: the shipped one), in which order."""

    what: Sequence[str]
    sources: Sequence[str] = ()
    order_by: str = ""
    limit: int | None = None


def answer(search: Search, as_json: bool, console: Console) -> None:
    """Print the parts found as a table or as JSON; a single one with its source; without a search the families."""
    catalogue = tg.catalogue(*search.sources)
    if not search.what:
        print_shown(catalogue, console)
        return
    found = catalogue.find(*search.what, order_by=search.order_by, limit=search.limit)
    if as_json:
        console.file.write(json.dumps([as_data(part) for part in found], indent=1, ensure_ascii=False) + "\n")
    else:
        print_parts(found, console)


def print_parts(found: Selection, console: Console) -> None:
    """Parts as a table for the terminal, a single one in full."""
    print_shown(found[0] if len(found) == 1 else found, console)


def print_shown(thing: Any, console: Console) -> None:
    """A catalogue, a selection or a part as its page."""
    console.print(page_rich(thing._title(), thing._page()))


def as_data(part: Part) -> dict[str, Any]:
    """A part as JSON has it; numbers as strings with their units."""
    numbers = {**part.parameters, **{name: part.quantity(name) for name in _numbers(part)}}
    return {
        "name": part.name,
        "interface": part.family,
        "implementation": part.implementation,
        "parameters": {name: _text(value) for name, value in numbers.items()},
        "limits": {name: str(value) for name, value in part.limits.items()},
        "source": part.source,
        "date": part.date,
        "tags": list(part.tags),
    }


def _numbers(part: Part) -> list[str]:
    return [name for name, value in part.parameters.items() if not isinstance(value, str | bool | tuple)]


def _text(value: Any) -> Any:
    return value if isinstance(value, str | bool | tuple) else str(value)
