"""The answer to a query: a sequence of parts, made when they are looked at, that shows itself as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from tellegen.catalogue.part import Part
from tellegen.catalogue.part_table import PartTable
from tellegen.sheet import Shown, Table

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 30
"""How many parts of an answer are printed."""
SHOWN_QUANTITIES = 8
"""How many quantities of each are printed; those of the query come first."""


class Selection(Shown, Sequence[Part]):
    """Parts in the order of a query. Use it as a list."""

    def __init__(self, tables: Sequence[PartTable], pairs: np.ndarray, asked: Iterable[str] = ()) -> None:
        self._tables = tables
        self._pairs = pairs
        self._asked = tuple(dict.fromkeys(asked))

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, index: int) -> Part: ...

    @overload
    def __getitem__(self, index: slice) -> Selection: ...

    def __getitem__(self, index: int | slice) -> Part | Selection:
        if isinstance(index, slice):
            return Selection(self._tables, self._pairs[index], self._asked)
        table, row = self._pairs[index]
        return self._tables[table].part(int(row))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def names(self) -> list[str]:
        """The names of the parts."""
        return [self._tables[table].names[row] for table, row in self._pairs]

    def quantities(self) -> list[str]:
        """The quantities that these parts state, those of the query first."""
        used = dict.fromkeys(int(table) for table in self._pairs[:, 0])
        stated = [column.name for k in used for column in self._tables[k].columns if column.unit.text]
        return list(dict.fromkeys([*(name for name in self._asked if name in stated), *stated]))

    def table(self, limit: int | None = None, quantities: Sequence[str] | None = None) -> Table:
        """Names and quantities as a table of text: for print, notebooks and the terminal."""
        shown = list(quantities if quantities is not None else self.quantities())
        rows = []
        for table, row in self._pairs[:limit]:
            cells = [self._cell(self._tables[table], int(row), name) for name in shown]
            rows.append((self._tables[table].names[row], *cells))
        return Table(("name", *shown), rows)

    def _cell(self, table: PartTable, row: int, name: str) -> str:
        column = table.column(name)
        value = column.value(row) if column is not None else None
        return "" if value is None else str(value)

    def to_pandas(self) -> pd.DataFrame:
        """A table with a row for each part and a column for each quantity, in the unit of its heading."""
        import pandas as pd

        return pd.DataFrame([_record(part) for part in self])

    def _title(self) -> str:
        families = dict.fromkeys(self._tables[int(k)].family for k in self._pairs[:, 0])
        of = f" of {', '.join(families)}" if families else ""
        return f"{len(self)} part{'' if len(self) == 1 else 's'}{of}"

    def _page(self) -> list[Table | str]:
        if not len(self):
            return []
        quantities = self.quantities()
        more = len(self) - SHOWN
        left_out = [f"{more} more parts"] if more > 0 else []
        if len(quantities) > SHOWN_QUANTITIES:
            left_out.append(f"more quantities: {', '.join(quantities[SHOWN_QUANTITIES:])}")
        return [self.table(SHOWN, quantities[:SHOWN_QUANTITIES]), "; ".join(left_out)]


def _record(part: Part) -> dict[str, Any]:
    record: dict[str, Any] = {"name": part.name, "interface": part.family, "implementation": part.implementation or ""}
    for name, value in part.parameters.items():
        if isinstance(value, tuple | str | bool):
            record[f"parameters.{name}"] = value
        else:
            quantity = part.quantity(name)
            record[f"parameters.{name} [{quantity.unit}]"] = quantity.value
    for name, quantity in part.limits.items():
        record[f"limits.{name} [{quantity.unit}]"] = quantity.value
    return {**record, "source": part.source, "date": part.date, "tags": ", ".join(part.tags)}
