"""The columns of parts: right of what their left side is connected to, by longest paths, circles cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tellegen.start.records import dataclass
from tellegen.studio.document.arranging.nodes import Net, Network, side

FEW = 4
"""A net of more parts than this is a star about its first one."""


@dataclass(frozen=True)
class Link:
    """Two connected parts: the second stands right (1) of the first, left of it (-1) or anywhere; and how much lower
    (in rows) it wants to be, or None where its row does not matter: at a ground.
    """

    first: str
    second: str
    direction: int
    lower: float | None


def links_of(network: Network, turned: Mapping[str, str]) -> list[Link]:
    """Pairs of connected parts."""
    return [link for net in network.nets for link in _links(net, network, turned)]


def _links(net: Net, network: Network, turned: Mapping[str, str]) -> Iterable[Link]:
    known = [(end.part, side(network.nodes[end.part], end.port, turned[end.part])) for end in net]
    pairs = combinations(known, 2) if len(known) <= FEW else ((known[0], other) for other in known[1:])
    reference = network.is_reference(net)
    for (first, one), (second, other) in pairs:
        if first != second:
            from_source = network.nodes[first].upright
            to_source = network.nodes[second].upright
            if from_source != to_source:
                direction = 1 if from_source else -1
            else:
                direction = 0 if reference and not from_source else _direction(one, other)
            yield Link(first, second, direction, None if reference else _lower(one) - _lower(other))


def _lower(at: str) -> float:
    """A part whose port is above is half a row lower than what it is connected to."""
    return {"top": -0.5, "bottom": 0.5}.get(at, 0.0)


def _direction(first: str, second: str) -> int:
    if first == "right" and second in ("left", "", "top"):
        return 1
    if second == "right" and first in ("left", "", "top"):
        return -1
    if first == "top" and second in ("left", "top"):  # shunts stand side by side, before what comes after them
        return 1
    if second == "top" and first == "left":
        return -1
    return 1 if (first, second) == ("", "left") else 0


def columns_of(names: Sequence[str], links: Sequence[Link]) -> dict[str, int]:
    """Longest paths along the links that have a direction; those that would close a circle are left out."""
    after: dict[str, list[str]] = {name: [] for name in names}
    for link in links:
        if link.direction:
            tail, head = (link.first, link.second) if link.direction > 0 else (link.second, link.first)
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


def _place_sideless(columns: dict[str, int], links: Sequence[Link]) -> None:
    """Parts without a link that has a direction stand one column right of the first neighbour that has a place."""
    beside: dict[str, list[str]] = {name: [] for name in columns}
    directed: dict[str, None] = {}
    for link in links:
        beside[link.first].append(link.second)
        beside[link.second].append(link.first)
        if link.direction:
            directed |= {link.first: None, link.second: None}
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


def _without_circles(names: Sequence[str], after: Mapping[str, list[str]]) -> tuple[list[str], dict[str, list[str]]]:
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
