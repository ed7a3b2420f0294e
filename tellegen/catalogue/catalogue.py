"""Catalogues: realized parts, found by name or by what they have to be able to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any

import numpy as np

from tellegen.catalogue.conditions import Comparison, parse_conditions
from tellegen.catalogue.interfaces_by_name import belongs, interface_named, is_interface, short_name
from tellegen.catalogue.part import Part
from tellegen.catalogue.part_table import PartTable
from tellegen.catalogue.parts_to_tables import tables_of_parts
from tellegen.catalogue.quantity import dimension_name
from tellegen.catalogue.query import check_names, matching_rows, ordered
from tellegen.catalogue.save import save_tables
from tellegen.catalogue.selection import Selection
from tellegen.errors import BindingError, nearest, users_call
from tellegen.ir.source_location import here
from tellegen.sheet import Shown, Table

_ALIKE = 0.75  # of a name, to be a misspelt one


class Catalogue(Shown):
    """Realized parts of any number of families.

    catalogue["Faulhaber 2264W012BP4"]                                   a part by its name
    catalogue.find(DCMotorInterface, "torque_max >= 0.13 N.m", "mass < 0.2 kg", order_by="mass")
    """

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        self._set(tables_of_parts(list(parts)))

    @classmethod
    def of_tables(cls, tables: Iterable[PartTable]) -> Catalogue:
        """A catalogue of what was read."""
        made = cls.__new__(cls)
        made._set(list(tables))
        return made

    def _set(self, tables: list[PartTable]) -> None:
        self._tables = [table for table in tables if len(table)]
        self._rows = _rows_by_name(self._tables)
        _check_dimensions(self._tables)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Part]:
        return (table.part(row) for table in self._tables for row in range(len(table)))

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    @users_call
    def __getitem__(self, name: str) -> Part:
        """The part of a name."""
        if name not in self._rows:
            what = f"the catalogue has no part {name!r}; {nearest(str(name), self._rows)}"
            raise BindingError(
                "E825", what, location=here(), advice="catalogue.find('name ~ \"RE 25\"') searches names"
            )
        table, row = self._rows[name]
        return self._tables[table].part(row)

    def __add__(self, other: Catalogue) -> Catalogue:
        return Catalogue.of_tables([*self._tables, *other._tables])

    @property
    def tables(self) -> list[PartTable]:
        """The parts as columns, a table for each family and file."""
        return self._tables

    @property
    def families(self) -> dict[str, int]:
        """The interfaces of the parts by name, and how many parts each has."""
        found: dict[str, int] = {}
        for table in self._tables:
            found[table.family] = found.get(table.family, 0) + len(table)
        return found

    @users_call
    def find(self, *what: Any, order_by: str = "", limit: int | None = None) -> Selection:
        """The parts of an interface or its subtypes that satisfy all conditions.

        catalogue.find(DCMotorInterface, "torque_max >= 0.13 N.m", "mass < 0.2 kg", order_by="mass", limit=10)

        First the interface (a class or its name; left out: all parts), then conditions with units. `order_by` is a
        quantity or "name", "-mass" has the largest first. A part that does not state a quantity satisfies no condition
        on it.
        """
        tables, conditions = self._asked(what)
        _check_limit(limit)
        parsed = parse_conditions(conditions)
        names = [one.name for one in parsed if isinstance(one, Comparison)]
        if order_by and order_by.removeprefix("-") != "name":
            names.append(order_by.removeprefix("-"))
        if not tables:
            return Selection([], np.zeros((0, 2), dtype=int))
        check_names(tables, names)
        found = [matching_rows(table, parsed) for table in tables]
        return Selection(tables, ordered(tables, found, order_by)[:limit], names)

    def _asked(self, what: tuple[Any, ...]) -> tuple[list[PartTable], tuple[str, ...]]:
        """The tables that a query is about, and its conditions."""
        if not what or not (is_interface(what[0]) or _is_family(what[0])):
            return self._tables, what
        wanted = self._interface_meant(what[0])
        members = {family: belongs(family, wanted) for family in self.families}
        tables = [table for table in self._tables if members[table.family]]
        if not tables and isinstance(wanted, str):
            raise self._no_family(wanted, list(members))
        return tables, what[1:]

    def _no_family(self, wanted: str, families: list[str]) -> BindingError:
        """E826; what is a name of parts is looked for by ~."""
        named = [name for name in self._rows if wanted.lower() in name.lower()]
        named = named or difflib.get_close_matches(wanted, self._rows, 1, _ALIKE)
        if named:
            parts = f"the part '{named[0]}'" if len(named) == 1 else f"one of {len(named)} parts by its name"
            what = f"'{wanted}' is not a family of parts; perhaps {parts} is meant"
            advice = f"catalogue['{named[0]}'], or catalogue.find('name ~ \"{wanted}\"')"
            return BindingError("E826", what, location=here(), advice=advice)
        known = {short_name(family): family for family in families}
        what = f"the catalogue has no parts of '{wanted}'; {nearest(short_name(wanted), known)}"
        return BindingError("E826", what, location=here(), advice=f"families: {', '.join(families)}")

    def _interface_meant(self, given: Any) -> Any:
        """The interface of a name; of a family of the catalogue the short name will do: `DCMotor`, `dcmotor`."""
        if not isinstance(given, str):
            return given
        families = [family for family in self.families if short_name(family) == short_name(given)]
        name = families[0] if len(families) == 1 else given
        return interface_named(name) or name

    def quantities(self, interface: Any = None) -> Table:
        """What parts state: the name, unit, smallest and largest value of every quantity, and how many have it."""
        tables, _ = self._asked((interface,) if interface is not None else ())
        return Table(("family", "quantity", "smallest", "largest", "parts"), list(_ranges(tables)))

    @users_call
    def save(self, path: str | PathLike[str]) -> None:
        """Write the catalogue to a `.toml`, `.json`, `.csv` or `.sqlite` file; `tg.catalogue(path)` reads it again."""
        save_tables(self._tables, path)

    def _title(self) -> str:
        return f"Catalogue of {len(self)} parts"

    def _page(self) -> list[Table | str]:
        rows = [(family, str(count)) for family, count in self.families.items()]
        return [Table(("family", "parts"), rows)] if rows else []


def _is_family(given: Any) -> bool:
    """Whether the first thing asked for is a family; conditions have an operator."""
    return isinstance(given, str) and not any(sign in given for sign in "<>=~")


def _check_limit(limit: Any) -> None:
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):
        raise BindingError("E832", f"limit is {limit!r}", location=here(), advice="limit=10, or leave it out")


def _rows_by_name(tables: Sequence[PartTable]) -> dict[str, tuple[int, int]]:
    """Table and row of every part; E824 for a name that two parts have."""
    rows: dict[str, tuple[int, int]] = {}
    for k, table in enumerate(tables):
        for row, name in enumerate(table.names):
            if name in rows:
                other, its_row = rows[name]
                raise BindingError(
                    "E824",
                    f"two parts are called '{name}'",
                    location=table.origin.of(row),
                    details=[f"the other one: {tables[other].origin.of(its_row)}"],
                    advice="names are unique in a catalogue",
                )
            rows[name] = (k, row)
    return rows


def _check_dimensions(tables: Sequence[PartTable]) -> None:
    """E823 where two tables of a family have different quantities of one name."""
    seen: dict[tuple[str, str], PartTable] = {}
    for table in tables:
        for column in table.columns:
            other = seen.setdefault((table.family, column.name), table).column(column.name)
            if other is not None and column.unit.text and other.unit.dimension != column.unit.dimension:
                units = f"{dimension_name(column.unit)}, elsewhere {dimension_name(other.unit)}"
                what = f"'{column.name}' of {table.family} is in {units}"
                advice = "one name is one quantity: give one of them another name"
                raise BindingError("E823", what, location=table.origin.location, advice=advice)


def _ranges(tables: Sequence[PartTable]) -> Iterator[tuple[str, str, str, str, str]]:
    for table in tables:
        for column in table.columns:
            stated = column.values[~np.isnan(column.values)]
            if len(stated):
                unit = column.unit.text
                yield (
                    table.family,
                    column.name,
                    f"{stated.min():.4g} {unit}",
                    f"{stated.max():.4g} {unit}",
                    str(len(stated)),
                )
