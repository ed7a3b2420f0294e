"""Parts as tables, a table for each family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tellegen.catalogue.part import Part
from tellegen.catalogue.part_table import FACTS, LIMITS, PARAMETERS, Cells, Heading, Origin, PartTable, table_of
from tellegen.catalogue.quantity import is_number
from tellegen.errors import BindingError
from tellegen.ir.source_location import here


def tables_of_parts(parts: Sequence[Part]) -> list[PartTable]:
    """The tables of parts, families in the order in which they come."""
    families: dict[str, list[Part]] = {}
    for part in parts:
        if not isinstance(part, Part):
            raise BindingError(
                "E821", f"{part!r} is not a part", location=here(), advice="tg.Part(name, interface, ...)"
            )
        families.setdefault(part.family, []).append(part)
    return [table_of(_cells(family, members)) for family, members in families.items()]


def _cells(family: str, parts: list[Part]) -> Cells:
    stated = [(_parameters(part), dict(part.limits)) for part in parts]
    quantities: dict[Heading, list[Any]] = {}
    for k, group in enumerate((PARAMETERS, LIMITS)):
        for name in dict.fromkeys(name for pair in stated for name in pair[k]):
            quantities[Heading(name, group)] = [pair[k].get(name) for pair in stated]
    facts = {kind: [_fact(part, kind) for part in parts] for kind in FACTS}
    return Cells(family, [part.name for part in parts], facts, quantities, Origin(here()))


def _parameters(part: Part) -> dict[str, Any]:
    return {name: part.quantity(name) if is_number(value) else value for name, value in part.parameters.items()}


def _fact(part: Part, kind: str) -> str:
    return ", ".join(part.tags) if kind == "tags" else (getattr(part, kind) or "")
