"""The rows of parts: in each column by the mean of what their neighbours want, a few sweeps back and forth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from tellegen.studio.document.arranging.columns import Link

SWEEPS = 24


def rows_of(columns: Mapping[str, int], links: Sequence[Link]) -> dict[str, float]:
    """Rows from zero on: in its column each part goes where its neighbours are, and none stands on another."""
    wishes: dict[str, list[tuple[str, float]]] = {name: [] for name in columns}
    for link in links:
        if link.lower is not None:
            wishes[link.second].append((link.first, link.lower))
            wishes[link.first].append((link.second, -link.lower))
    for link in links:  # only a part that is connected to grounds alone looks at these
        for name, other in ((link.first, link.second), (link.second, link.first)):
            if link.lower is None and not wishes[name]:
                wishes[name] = [(other, 0.0)]
    by_column: dict[int, list[str]] = {}
    for name, column in columns.items():
        by_column.setdefault(column, []).append(name)
    rows = {name: float(k) for members in by_column.values() for k, name in enumerate(members)}
    for sweep in range(SWEEPS):
        for column in sorted(by_column, reverse=bool(sweep % 2)):
            members = by_column[column]
            wanted = {name: _mean([rows[other] + by for other, by in wishes[name]], rows[name]) for name in members}
            members.sort(key=lambda name: (wanted[name], rows[name]))
            _settle(members, wanted, rows)
    return _without_gaps(rows)


def _without_gaps(rows: Mapping[str, float]) -> dict[str, float]:
    """Rows from zero on, without rows in between that no column uses."""
    used = sorted(set(rows.values()))
    down = dict.fromkeys(used[:1], 0.0)
    for before, row in pairwise(used):
        down[row] = down[before] + min(row - before, 1.0)
    return {name: down[row] for name, row in rows.items()}


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _settle(members: list[str], wanted: Mapping[str, float], rows: dict[str, float]) -> None:
    """Rows near the wanted ones, in order and at least one apart."""
    reached = float("-inf")
    shift = []
    for name in members:
        rows[name] = max(round(wanted[name] * 2) / 2, reached + 1)
        reached = rows[name]
        shift.append(rows[name] - wanted[name])
    middle = round(_mean(shift, 0.0) * 2) / 2
    for name in members:
        rows[name] -= middle
