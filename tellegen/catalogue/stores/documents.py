"""Catalogue documents, TOML or JSON: families, their parts, and the sources of the numbers.

[sources.sheet]
where = "data sheet of the maker, edition 2024"
date = "2026-11-16"

[[family]]
interface = "DCMotorInterface"
source = "sheet"                      # of all parts that do not state another
units = { k = "N.m/A", mass = "kg" }  # of plain numbers; without an entry they are pure numbers

[family.parts."M 12"]
parameters = { k = 0.021, R = "2.4 ohm" }
limits = { mass = 0.13, torque_max = "130 mN.m" }
tags = ["brushed"]
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from typing import Any

from tellegen.catalogue.part_table import (
    FACTS,
    LIMITS,
    PARAMETERS,
    Cells,
    Heading,
    Origin,
    PartTable,
    table_of,
)
from tellegen.catalogue.quantity import is_number
from tellegen.errors import BindingError, nearest
from tellegen.ir.source_location import SourceLocation

_KEY = re.compile(r'\s*(?:\[+family\.parts\.)?("(?:[^"\\]|\\.)*"|[\w-]+)\s*[\]:=]')
_SOURCE_KEYS = ("where", "date")
_FAMILY_KEYS = ("interface", "units", "parts", *FACTS)
_PART_KEYS = (PARAMETERS, LIMITS, *FACTS)


class Document:
    """A document that is read; its methods check that what is there has the form described above."""

    def __init__(self, file: str, text: str, content: Any) -> None:
        self.file = file
        self.lines = _lines_of_keys(text)
        self.content = self.mapping(content, "the document", ("sources", "family"))
        sources = self.mapping(self.content.get("sources", {}), "sources")
        self.sources = {key: self.mapping(one, f"sources.{key}", _SOURCE_KEYS) for key, one in sources.items()}

    def tables(self) -> list[PartTable]:
        """The families of the document."""
        families = self.content.get("family", [])
        if not isinstance(families, list):
            raise self.fault("'family' is not a list of families", advice="[[family]] in TOML, a list in JSON")
        return [table_of(self._cells(one)) for one in families]

    def _cells(self, given: Any) -> Cells:
        family = self.mapping(given, "a family", _FAMILY_KEYS)
        name = family.get("interface")
        if not isinstance(name, str) or not name:
            raise self.fault("a family states no interface", advice='interface = "DCMotorInterface"')
        units = self.mapping(family.get("units", {}), f"units of {name}")
        stated = self.mapping(family.get("parts", {}), f"parts of {name}")
        parts = {part: self.mapping(one, f"the part '{part}'", _PART_KEYS) for part, one in stated.items()}
        quantities: dict[Heading, list[Any]] = {}
        for group in (PARAMETERS, LIMITS):
            groups = {part: self.mapping(one.get(group, {}), f"{group} of '{part}'") for part, one in parts.items()}
            for quantity in dict.fromkeys(quantity for one in groups.values() for quantity in one):
                heading = Heading(quantity, group, self._unit(units, quantity))
                quantities[heading] = [one.get(quantity) for one in groups.values()]
        facts = [self._facts({**family, **one}, part) for part, one in parts.items()]
        columns = {kind: [one[kind] for one in facts] for kind in FACTS}
        lines = [self.line_of(part) for part in parts]
        return Cells(name, list(parts), columns, quantities, Origin(SourceLocation(self.file, 1), lines))

    def _unit(self, units: Mapping[str, Any], quantity: str) -> str | None:
        unit = units.get(quantity)
        if unit is not None and not isinstance(unit, str):
            raise self.fault(f"the unit of '{quantity}' is {unit!r}", advice='units = { mass = "kg" }')
        return unit

    def _facts(self, stated: Mapping[str, Any], part: str) -> dict[str, str]:
        """The strings of a part; a source that the document defines stands for its text and date."""
        tags = stated.get("tags", [])
        if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
            raise self.fault(f"the tags of '{part}' are {tags!r}", part, advice='tags = ["brushed", "12 V"]')
        facts = {kind: self._string(stated.get(kind, ""), kind, part) for kind in FACTS if kind != "tags"}
        known = self.sources.get(facts["source"])
        if known is not None:
            facts["source"] = self._string(known.get("where", ""), "where", part)
            facts["date"] = facts["date"] or self._string(known.get("date", ""), "date", part)
        return {**facts, "tags": ", ".join(tags)}

    def _string(self, given: Any, what: str, part: str) -> str:
        if isinstance(given, datetime.date):
            return given.isoformat()
        if not isinstance(given, str):
            raise self.fault(f"'{what}' of '{part}' is {given!r}, not a string", part)
        return given

    def mapping(self, given: Any, subject: str, keys: tuple[str, ...] = ()) -> Mapping[str, Any]:
        """A table of the document; E821 for anything else, and for keys other than `keys`."""
        if not isinstance(given, Mapping):
            raise self.fault(f"{subject} is {given!r}, not a table")
        unknown = next((key for key in given if keys and key not in keys), None)
        if unknown is not None:
            raise self.fault(f"{subject} has a key '{unknown}'; {nearest(unknown, keys)}", unknown)
        return given

    def fault(self, what: str, near: str = "", advice: str = "") -> BindingError:
        """E821 at the line where a name occurs."""
        location = SourceLocation(self.file, self.line_of(near) if near else 1)
        return BindingError("E821", what, location=location, advice=advice or "docs/catalogues.md shows the format")

    def line_of(self, name: str) -> int:
        """The first line in which a name stands as a key."""
        return self.lines.get(name) or self.lines.get(json.dumps(name, ensure_ascii=False)) or 1


def _lines_of_keys(text: str) -> dict[str, int]:
    """The first line of every key, as it is written."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _KEY.match(line):
            lines.setdefault(match[1], number)
    return lines


def content_of(tables: list[PartTable]) -> dict[str, Any]:
    """Tables as a document, sources numbered in the order in which they come."""
    keys: dict[tuple[str, str], str] = {}
    families = [_family(table, keys) for table in tables]
    sources = {key: {"where": where, "date": date} for (where, date), key in keys.items()}
    return {"sources": sources, "family": families}


def _family(table: PartTable, keys: dict[tuple[str, str], str]) -> dict[str, Any]:
    units = {column.name: column.unit.text for column in table.columns if column.unit.text not in ("", "1")}
    return {
        "interface": table.family,
        "units": units,
        "parts": {name: _part(table, row, keys) for row, name in enumerate(table.names)},
    }


def _part(table: PartTable, row: int, keys: dict[tuple[str, str], str]) -> dict[str, Any]:
    part: dict[str, Any] = {}
    for group, stated in table.groups(row).items():
        if stated:
            part[group] = {name: value.value if is_number(value) else value for name, value in stated.items()}
    where = table.fact("source", row)
    date = table.fact("date", row)
    if where or date:
        part["source"] = keys.setdefault((where, date), f"s{len(keys) + 1}")
    if implementation := table.fact("implementation", row):
        part["implementation"] = implementation
    if tags := table.fact("tags", row):
        part["tags"] = [tag.strip() for tag in tags.split(",")]
    return part
