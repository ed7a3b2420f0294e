"""Tearing: a few unknowns of an algebraic loop are guessed, the others then follow one by one.

Greedy, after Carpanzano, "Order reduction of general nonlinear DAE systems by automatic tearing" (2000), and the rule
Cellier and Kofman give in "Continuous System Simulation" (2006), sec. 7.4: as long as some equation has a single
unknown left for which it can be solved, solve it; when there is none, guess the unknown that occurs most often in the
equations with the fewest unknowns left. Finding the smallest set is NP-hard; the greedy one is near it on networks.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Tearing:
    """inner[k] = (row, column) solved in this order; `tears` are guessed, `residuals` are the rows that judge them."""

    inner: tuple[tuple[int, int], ...]
    tears: tuple[int, ...]
    residuals: tuple[int, ...]


def tear(columns: list[list[int]], solvable: list[set[int]], guessed: Sequence[int] = ()) -> Tearing:
    """columns[r] are the unknowns of row r, solvable[r] those it can be solved for; as many unknowns as rows.

    `guessed` are unknowns that shall be tears.
    """
    count = len(columns)
    left = [set(row) for row in columns]
    rows_of: list[list[int]] = [[] for _ in range(count)]
    for row, unknowns in enumerate(columns):
        for column in unknowns:
            rows_of[column].append(row)
    known = [False] * count
    used = [False] * count
    inner: list[tuple[int, int]] = []
    tears: list[int] = []
    ready = [row for row in range(count) if len(left[row]) == 1]

    def settle(column: int) -> None:
        known[column] = True
        for row in rows_of[column]:
            left[row].discard(column)
            if len(left[row]) == 1 and not used[row]:
                ready.append(row)

    for column in guessed:
        tears.append(column)
        settle(column)
    while len(inner) + len(tears) < count:
        while ready:
            row = ready.pop()
            if used[row] or len(left[row]) != 1:
                continue
            (column,) = left[row]
            if column in solvable[row]:
                used[row] = True
                inner.append((row, column))
                settle(column)
        column = _choose(left, rows_of, known, used, solvable)
        if column >= 0:
            tears.append(column)
            settle(column)
    return Tearing(tuple(inner), tuple(tears), tuple(row for row in range(count) if not used[row]))


def _choose(
    left: list[set[int]], rows_of: list[list[int]], known: list[bool], used: list[bool], solvable: list[set[int]]
) -> int:
    """The unknown to guess; -1 when all are known."""
    best = -1
    best_score = (-1, -1, -1)
    open_lengths = [len(left[r]) for r in range(len(left)) if not used[r] and left[r]]
    shortest = min(open_lengths, default=0)
    for column, is_known in enumerate(known):
        if is_known:
            continue
        rows = [r for r in rows_of[column] if not used[r]]
        opened = sum(1 for r in rows if len(left[r]) == 2 and (left[r] - {column}) & solvable[r])
        near = sum(1 for r in rows if len(left[r]) == shortest)
        score = (opened, near, len(rows))
        if score > best_score:
            best = column
            best_score = score
    return best
