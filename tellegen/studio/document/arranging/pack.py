"""Parts that are connected stand together: such groups are laid out one by one and put beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from tellegen.studio.document.arranging.nodes import Network
from tellegen.studio.document.layout_file import Place
from tellegen.studio.library.shapes import GRID

WIDER = 1.8
"""How much wider than tall a sheet should be."""
APART_X = 20 * GRID
APART_Y = 6 * GRID
LONG = 14
"""A chain of more columns than this goes on below its beginning, where nothing stands beside it."""


def groups_of(network: Network) -> list[list[str]]:
    """The parts that are connected, in the order of the model."""
    seen: set[str] = set()
    found = []
    for root in network.nodes:
        if root in seen:
            continue
        members = {root: None}
        queue = [root]
        while queue:
            for end in network.others(queue.pop()):
                if end.part not in members:
                    members[end.part] = None
                    queue.append(end.part)
        seen |= members.keys()
        found.append([name for name in network.nodes if name in members] if len(members) > 1 else [root])
    return found


def packed(
    groups: Iterable[Mapping[str, Place]], tops: Mapping[str, int], halves: Mapping[str, int], corner: tuple[int, int]
) -> dict[str, Place]:
    """Groups in rows: single parts first, for they are what all others refer to (a world, a medium).

    Parts reach `tops` above their middle and `halves` below; `corner` is the middle of the first column's upper edge.
    """
    blocks = sorted((dict(group) for group in groups if group), key=lambda block: len(block) > 1)
    sizes = [_size(block, tops, halves) for block in blocks]
    area = sum((wide + APART_X) * (tall + APART_Y) for wide, tall in sizes)
    most = max([sqrt(WIDER * area), *(wide for wide, _ in sizes)])
    places: dict[str, Place] = {}
    x, y, tallest = 0, 0, 0
    for k, (block, (wide, tall)) in enumerate(zip(blocks, sizes, strict=True)):
        first_large = k > 0 and len(block) > 1 and len(blocks[k - 1]) == 1
        if x and (x + wide > most or first_large):
            x, y, tallest = 0, y + tallest + APART_Y, 0
        left = min(place.x for place in block.values())
        top = min(place.y - tops[name] for name, place in block.items())
        by_x, by_y = corner[0] + x - left, corner[1] + y - top
        places |= {name: Place(at.x + by_x, at.y + by_y, at.turned) for name, at in block.items()}
        x += wide + APART_X
        tallest = max(tallest, tall)
    return places


def _size(block: Mapping[str, Place], tops: Mapping[str, int], halves: Mapping[str, int]) -> tuple[int, int]:
    """From the first column to the last one, from the upper edge to the lower one."""
    xs = [place.x for place in block.values()]
    top = min(place.y - tops[name] for name, place in block.items())
    return max(xs) - min(xs), max(place.y + halves[name] for name, place in block.items()) - top


def folded(columns: Mapping[str, int], rows: Mapping[str, float]) -> tuple[dict[str, int], dict[str, float]]:
    """Columns and rows of a group whose chain is too long, in several strips; a short one as it is."""
    low = min(columns.values())
    wide = max(columns.values()) - low + 1
    tall = max(rows.values()) - min(rows.values()) + 1
    if max(wide, tall) <= LONG or max(wide, tall) < 4 * min(wide, tall):
        return dict(columns), dict(rows)
    if tall > wide:
        strips = round(sqrt(WIDER * tall / wide)) or 1
        length = -(-tall // strips)
        strip = {name: int(row // length) for name, row in rows.items()}
        across = {name: column + strip[name] * (wide + 1) for name, column in columns.items()}
        return across, {name: row - strip[name] * length for name, row in rows.items()}
    length = max(round(sqrt(WIDER * tall * wide)), 1)
    strip = {name: (column - low) // length for name, column in columns.items()}
    down = {name: row + strip[name] * (tall + 1) for name, row in rows.items()}
    return {name: column - strip[name] * length for name, column in columns.items()}, down


def spread(
    columns: Sequence[Sequence[str]],
    places: dict[str, Place],
    tops: Mapping[str, int],
    halves: Mapping[str, int],
    apart: int,
) -> None:
    """Move parts of a column down where one is taller than a row, or something hangs below it.

    Parts reach `tops` above their middle and `halves` below.
    """
    for column in columns:
        reached = float("-inf")
        for name in sorted(column, key=lambda name: places[name].y):
            top = places[name].y - tops[name]
            if top < reached + apart:
                down = GRID * -(-int(reached + apart - top) // GRID)
                places[name] = Place(places[name].x, places[name].y + down, places[name].turned)
            reached = places[name].y + halves[name]
