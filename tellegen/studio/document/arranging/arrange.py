"""Places for parts that have none: in columns along the flow of signals and energy, as somebody would draw them.

    facing    which way each part is turned
    columns   a part stands right of those that its left side is connected to (longest path, circles cut)
    rows      in each column by the mean of the neighbours' rows, a few sweeps back and forth
    grounds   hang below their neighbour
    groups    that are not connected stand beside each other

The result depends on the model alone, never on parts that were moved: these keep their places, all others stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tellegen.studio.document.arranging.columns import Link, columns_of, links_of
from tellegen.studio.document.arranging.facing import facing
from tellegen.studio.document.arranging.nodes import Network, Node, side
from tellegen.studio.document.arranging.pack import folded, groups_of, packed, spread
from tellegen.studio.document.arranging.rows import rows_of
from tellegen.studio.document.layout_file import Place
from tellegen.studio.library.shapes import GRID, REACH

COLUMN = 20 * GRID
"""From column to column where texts are short."""
BETWEEN = 4 * GRID
"""Room for lines between texts of neighbours."""
ROW = 14 * GRID
LEFT = 12 * GRID
TOP = 7 * GRID
APART = 5 * GRID
"""Between parts of a column: a name and a value have room."""
ABOVE = 3 * GRID
"""For what is written above a part."""
BELOW = 6 * GRID
"""Between the port that a ground hangs at and its middle."""


def arrange(nodes: Sequence[Node], wires: Iterable[tuple[str, ...]], known: Mapping[str, Place]) -> dict[str, Place]:
    """A place for every node: the known one, or one that is found."""
    own = {node.name: known[node.name] for node in nodes if node.name in known}
    return own if len(own) == len(nodes) else {**_arranged(tuple(nodes), tuple(wires)), **own}


@lru_cache(maxsize=16)  # most edits leave parts and wires as they are
def _arranged(nodes: tuple[Node, ...], wires: tuple[tuple[str, ...], ...]) -> Mapping[str, Place]:
    network = Network(nodes, wires)
    turned = facing(network)
    links = links_of(network, turned)
    groups = groups_of(network)
    group_of = {name: k for k, group in enumerate(groups) for name in group}
    links_in: list[list[Link]] = [[] for _ in groups]
    for link in links:
        links_in[group_of[link.first]].append(link)
    placed = [_group(group, network, links_in[k], turned) for k, group in enumerate(groups)]
    halves = {name: _half(node, turned[name]) for name, node in network.nodes.items()}
    return packed(placed, _tops(halves, network), halves, (LEFT, TOP))


def _group(
    names: Sequence[str], network: Network, links: Sequence[Link], turned: Mapping[str, str]
) -> dict[str, Place]:
    """The places of parts that are connected, about any origin."""
    hanging = {name: _hung_at(name, network, turned) for name in names if _hangs(name, network, turned)}
    standing = [name for name in names if not hanging.get(name)]
    inner = [link for link in links if not hanging.get(link.first) and not hanging.get(link.second)]
    columns = columns_of(standing, inner)
    columns, rows = folded(columns, rows_of(columns, inner))
    across = _across(columns, network, turned)
    places = {
        name: Place(across[columns[name]], GRID * round(ROW * rows[name] / GRID), turned[name]) for name in standing
    }
    _hang({name: at for name, at in hanging.items() if at}, places, network, turned)
    by_column: dict[int, list[str]] = {}
    for name in places:
        under = (hanging.get(name) or name).partition(".")[0]
        by_column.setdefault(columns[under], []).append(name)
    halves = {name: _half(network.nodes[name], turned[name]) for name in places}
    spread(list(by_column.values()), places, _tops(halves, network), halves, APART)
    return places


def _tops(halves: Mapping[str, int], network: Network) -> dict[str, int]:
    """How far parts reach above their middle, with what is written there."""
    return {name: half + (ABOVE if network.nodes[name].above else 0) for name, half in halves.items()}


def _across(columns: Mapping[str, int], network: Network, turned: Mapping[str, str]) -> dict[int, int]:
    """Where each column stands: farther from its neighbour where texts are long."""
    left = dict.fromkeys(range(min(columns.values(), default=0), max(columns.values(), default=0) + 1), REACH)
    right = dict(left)
    for name, column in columns.items():
        wide = network.nodes[name].text
        beside = _is_named_beside(network.nodes[name], turned[name])
        left[column] = max(left[column], 0 if beside else wide // 2)
        right[column] = max(right[column], REACH + wide if beside else wide // 2)
    found = {column: COLUMN * column for column in left if column == min(left)}
    for column in sorted(left)[1:]:
        room = right[column - 1] + left[column] + BETWEEN
        found[column] = found[column - 1] + max(COLUMN, GRID * -(-room // GRID))
    return found


def _is_named_beside(node: Node, turned: str) -> bool:
    """Whether a line leaves downwards, where names usually are."""
    return any(side(node, port.name, turned) == "bottom" for port in node.ports)


def _half(node: Node, turned: str) -> int:
    """Half the height of a part as it is turned."""
    return REACH if turned in ("r90", "r270") else max(node.height, 48) // 2


def _hangs(name: str, network: Network, turned: Mapping[str, str]) -> bool:
    """Grounds, and what was turned to hang below others."""
    node = network.nodes[name]
    return node.is_ground or (len(node.poles) == 1 and turned[name] in ("r90", "r270"))


def _hung_at(name: str, network: Network, turned: Mapping[str, str]) -> str:
    """The port that a part hangs below, `source.n`: one at the bottom of its part, of the busiest part else."""
    others = [end for end in network.others(name) if not _hangs(end.part, network, turned)]
    if not others:
        return ""

    def fitness(rank: int) -> tuple[bool, bool, int, int]:
        end = others[rank]
        node = network.nodes[end.part]
        below = side(node, end.port, turned[end.part]) == "bottom"
        return below and node.upright, below, len(network.at[end.part]), rank

    end = others[max(range(len(others)), key=fitness)]
    return f"{end.part}.{end.port}"


def _hang(hanging: Mapping[str, str], places: dict[str, Place], network: Network, turned: Mapping[str, str]) -> None:
    """Below a port at the bottom of a part, else below the line that leaves its port; several beside each other."""
    count: dict[str, int] = {}
    for name, end in hanging.items():
        part, _, port = end.partition(".")
        at = places[part]
        node = network.nodes[part]
        k = count.get(part, 0)
        count[part] = k + 1
        straight = side(node, port, turned[part]) == "bottom"
        shape = node.port(port)
        along = shape.x if straight and shape is not None and not turned[part] else 0
        way = -1 if side(node, port, turned[part]) == "left" else 1
        right = along if straight else way * 7 * GRID
        below = _half(node, turned[part]) + BELOW
        places[name] = Place(at.x + right + 12 * GRID * k, at.y + GRID * round(below / GRID), turned[name])
