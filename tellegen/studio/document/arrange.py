"""Places for parts that have none: in columns along the flow of signals and energy, as somebody would draw them.

    columns    a part stands right of those that its left side is connected to (longest path, circles cut)
    references parts with a single connection that end a branch (grounds, fixed supports) hang below their neighbour
    rows       in each column by the mean of the neighbours' rows, a few sweeps back and forth

The result depends on the model alone, never on parts that were moved: these keep their places, all others stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from tellegen.start.records import dataclass
from tellegen.studio.document.layout_file import Place
from tellegen.studio.library.shapes import GRID, PortShape

COLUMN = 20 * GRID
ROW = 14 * GRID
LEFT = 12 * GRID
TOP = 10 * GRID
SWEEPS = 8
SOURCE = "source"


@dataclass(frozen=True)
class Node:
    """A part to be placed; `ports` is empty for a port of the class itself."""

    name: str
    ports: tuple[PortShape, ...]
    height: int = 48
    upright: bool = False
    """A source: it stands left of what it feeds, with its poles above and below."""


def arrange(nodes: Sequence[Node], wires: Iterable[tuple[str, ...]], known: Mapping[str, Place]) -> dict[str, Place]:
    """A place for every node: the known one, or one that is found."""
    own = {node.name: known[node.name] for node in nodes if node.name in known}
    return own if len(own) == len(nodes) else {**_arranged(tuple(nodes), tuple(wires)), **own}


@lru_cache(maxsize=16)  # most edits leave parts and wires as they are
def _arranged(nodes: tuple[Node, ...], wires: tuple[tuple[str, ...], ...]) -> Mapping[str, Place]:
    by_name = {node.name: node for node in nodes}
    links = [link for ends in wires for link in _links(ends, by_name)]
    neighbours: dict[str, list[str]] = {node.name: [] for node in nodes}
    for first, second, _ in links:
        neighbours[first].append(second)
        neighbours[second].append(first)
    hanging = _hanging(nodes, links, neighbours)
    standing = [node.name for node in nodes if node.name not in hanging]
    columns = _columns(standing, [link for link in links if link[0] not in hanging and link[1] not in hanging])
    rows = _rows(columns, neighbours)
    places = {name: _place(columns[name], rows[name], by_name[name].upright) for name in standing}
    _hang(hanging, places, by_name)
    _spread(places, by_name)
    return places


def _links(ends: tuple[str, ...], nodes: Mapping[str, Node]) -> Iterable[tuple[str, str, int]]:
    """Pairs of connected parts, and whether the second stands right (1) of the first, left of it (-1) or anywhere."""
    known = [(part, _side(nodes[part], port)) for part, port in map(_split, ends) if part in nodes]
    pairs = combinations(known, 2) if len(known) <= 4 else ((known[0], other) for other in known[1:])
    for (first, side), (second, other) in pairs:
        if first != second:
            yield first, second, _direction(side, other)


def _split(end: str) -> tuple[str, str]:
    part, _, port = end.partition(".")
    return re.sub(r"\[.*", "", part), re.sub(r"\[.*", "", port)


def _side(node: Node, port: str) -> str:
    if node.upright:
        return SOURCE
    found = next((shape for shape in node.ports if shape.name == port), None)
    if found is None:
        return ""
    return "left" if found.role == "input" else found.side  # signals come from the left, also to a port at the top


def _direction(first: str, second: str) -> int:
    if first == "right" and second in ("left", ""):
        return 1
    if second == "right" and first in ("left", ""):
        return -1
    if SOURCE in (first, second) and first != second:
        return 1 if first == SOURCE else -1
    return 1 if (first, second) == ("", "left") else 0


def _hanging(
    nodes: Sequence[Node], links: list[tuple[str, str, int]], neighbours: Mapping[str, list[str]]
) -> dict[str, str]:
    """References and the neighbour that each hangs below: parts with one port, connected, that lead nowhere else."""
    sole = {node.name for node in nodes if len([p for p in node.ports if not p.only_if]) == 1}
    named = {name for name in sole if re.search("ground|earth|fixed|wall|support|ambient|room", name)}
    top = {node.name for node in nodes if node.name in sole and node.ports[0].side == "top"}
    found: dict[str, str] = {}
    for name in sorted(named | top):
        others = [other for other in neighbours[name] if other not in sole]
        if others:
            most = max(dict.fromkeys(others), key=lambda other: (len(neighbours[other]), other))
            found[name] = most if links else ""
    return found


def _columns(names: list[str], links: list[tuple[str, str, int]]) -> dict[str, int]:
    """Longest paths along the links that have a direction; those that would close a circle are left out."""
    after: dict[str, list[str]] = {name: [] for name in names}
    for first, second, direction in links:
        if direction:
            tail, head = (first, second) if direction > 0 else (second, first)
            after[tail].append(head)
    order, forward = _without_circles(names, after)
    columns = dict.fromkeys(names, 0)
    for name in order:
        for other in forward[name]:
            columns[other] = max(columns[other], columns[name] + 1)
    for name in reversed(order):  # close to what it feeds
        if forward[name] and columns[name] == 0:
            columns[name] = min(columns[other] for other in forward[name]) - 1
    _place_sideless(columns, links)
    return columns


def _place_sideless(columns: dict[str, int], links: list[tuple[str, str, int]]) -> None:
    """Parts without a link that has a direction stand one column right of the first neighbour that has a place."""
    beside: dict[str, list[str]] = {name: [] for name in columns}
    directed: dict[str, None] = {}
    for first, second, direction in links:
        beside[first].append(second)
        beside[second].append(first)
        if direction:
            directed |= {first: None, second: None}
    by_degree = sorted(columns, key=lambda name: -len(beside[name]))
    placed = dict.fromkeys(directed)
    queue = list(placed)
    for root in [*by_degree]:
        if root not in placed:
            placed[root] = None
            queue.append(root)
        while queue:
            name = queue.pop(0)
            for other in beside[name]:
                if other not in placed:
                    placed[other] = None
                    columns[other] = columns[name] + 1
                    queue.append(other)


def _without_circles(names: list[str], after: Mapping[str, list[str]]) -> tuple[list[str], dict[str, list[str]]]:
    """An order of all names, and the links that agree with it, by a search in depth."""
    state = dict.fromkeys(names, 0)
    forward: dict[str, list[str]] = {name: [] for name in names}
    order: list[str] = []
    entered = {head for heads in after.values() for head in heads}
    for root in sorted(names, key=lambda name: name in entered):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(after[root]))]
        while stack:
            name, heads = stack[-1]
            head = next(heads, None)
            if head is None:
                state[name] = 2
                order.append(name)
                stack.pop()
            elif state[head] != 1:  # else it would close a circle
                forward[name].append(head)
                if state[head] == 0:
                    state[head] = 1
                    stack.append((head, iter(after[head])))
    return order[::-1], forward


def _rows(columns: Mapping[str, int], neighbours: Mapping[str, list[str]]) -> dict[str, float]:
    """Rows from sweeps: in its column each part goes where its neighbours are, and none stands on another."""
    by_column: dict[int, list[str]] = {}
    for name, column in columns.items():
        by_column.setdefault(column, []).append(name)
    rows = {name: float(k) for members in by_column.values() for k, name in enumerate(members)}
    for sweep in range(SWEEPS):
        for column in sorted(by_column, reverse=bool(sweep % 2)):
            members = by_column[column]
            wanted = {
                name: _mean([rows[other] for other in neighbours[name] if other in rows], rows[name])
                for name in members
            }
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


def _mean(values: list[float], otherwise: float) -> float:
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


def _place(column: int, row: float, upright: bool) -> Place:
    return Place(LEFT + COLUMN * column, TOP + GRID * round(ROW * row / GRID), "r90" if upright else "")


def _hang(hanging: Mapping[str, str], places: dict[str, Place], nodes: Mapping[str, Node]) -> None:
    """Below the neighbour; several beside each other."""
    count: dict[str, int] = {}
    for name, other in hanging.items():
        at = places.get(other, Place(LEFT, TOP))
        k = count.get(other, 0)
        count[other] = k + 1
        below = max(nodes[other].height if other in nodes else 0, 48) // 2 + 56
        places[name] = Place(at.x + 7 * GRID + 12 * GRID * k, at.y + GRID * round(below / GRID))


def _spread(places: dict[str, Place], nodes: Mapping[str, Node]) -> None:
    """Move parts of a column down where one is taller than a row, or something hangs below it."""
    columns: dict[int, list[str]] = {}
    for name, place in places.items():
        columns.setdefault(round(place.x / COLUMN), []).append(name)
    for members in columns.values():
        members.sort(key=lambda name: places[name].y)
        reached = float("-inf")
        for name in members:
            half = max(nodes[name].height, 48) // 2
            top = places[name].y - half
            if top < reached + 3 * GRID:
                down = GRID * -(-int(reached + 3 * GRID - top) // GRID)
                places[name] = Place(places[name].x, places[name].y + down, places[name].turned)
            reached = places[name].y + half
