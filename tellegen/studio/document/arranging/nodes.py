"""Parts to be placed, what is connected to them, and at which side a port is once its part is turned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tellegen.start.records import dataclass
from tellegen.studio.library.shapes import PortShape

AROUND = ("left", "top", "right", "bottom")
QUARTERS = {"": 0, "r90": 1, "r180": 2, "r270": 3}


@dataclass(frozen=True)
class Node:
    """A part to be placed; `ports` is empty for a port of the class itself."""

    name: str
    ports: tuple[PortShape, ...]
    height: int = 48
    upright: bool = False
    """A source: it stands left of what it feeds, with its poles above and below."""
    above: bool = False
    """Whether something is written above it: what an input is equal to, the name of a variable that is taken."""
    text: int = 0
    """The width of its name and value, which stand below it or at its right."""

    def port(self, name: str) -> PortShape | None:
        """The port of a name."""
        return next((port for port in self.ports if port.name == name), None)

    @property
    def poles(self) -> tuple[PortShape, ...]:
        """The connectors that always exist; signals are none."""
        return tuple(port for port in self.ports if port.role == "port" and not port.only_if)

    @property
    def is_ground(self) -> bool:
        """Whether its only port is a connector at its top: it hangs below others."""
        return len(self.ports) == 1 and self.ports[0].side == "top" and self.ports[0].role == "port"

    @property
    def is_turnable(self) -> bool:
        """Whether it may be mirrored: signals go from left to right, so parts with some at their sides may not."""
        return all(port.role == "port" or port.side in ("top", "bottom") for port in self.ports)


@dataclass(frozen=True)
class End:
    """A port of a part."""

    part: str
    port: str


Net = tuple[End, ...]
"""What is connected, whatever the statements are."""


class Network:
    """Parts by name, and the nets at each of them."""

    def __init__(self, nodes: Sequence[Node], wires: Iterable[Sequence[str]]) -> None:
        self.nodes = {node.name: node for node in nodes}
        self.nets = _nets_of(wires, self.nodes)
        self.at: dict[str, list[Net]] = {node.name: [] for node in nodes}
        for net in self.nets:
            for part in dict.fromkeys(end.part for end in net):
                self.at[part].append(net)
        self._references = {net for net in self.nets if any(self.nodes[end.part].is_ground for end in net)}

    def is_reference(self, net: Net) -> bool:
        """Whether a ground hangs at it."""
        return net in self._references

    def others(self, name: str) -> Iterator[End]:
        """What a part is connected to, port by port."""
        for net in self.at[name]:
            yield from (end for end in net if end.part != name)

    def are_parallel(self, one: str, other: str) -> bool:
        """Whether two parts have several nets in common."""
        return sum(any(end.part == other for end in net) for net in self.at[one]) > 1


def _nets_of(wires: Iterable[Sequence[str]], nodes: Mapping[str, Node]) -> list[Net]:
    """Wires with an end in common are one net; arrays count as one part."""
    found: dict[str, list[str]] = {}
    for ends in wires:
        known = [end for end in dict.fromkeys(ends) if _end(end).part in nodes]
        joined = known
        for members in {id(found[end]): found[end] for end in known if end in found}.values():
            joined = [*members, *(end for end in joined if end not in members)]
        for end in joined:
            found[end] = joined
    nets = {id(members): members for members in found.values()}.values()
    return [tuple(dict.fromkeys(map(_end, members))) for members in nets if len(members) > 1]


def _end(text: str) -> End:
    part, _, port = text.partition(".")
    return End(re.sub(r"\[.*", "", part), re.sub(r"\[.*", "", port))


def side(node: Node, port: str, turned: str) -> str:
    """Where a port is once its part is turned; signals come from the left, also to a port at the top."""
    found = node.port(port)
    if found is None:
        return ""
    if found.role == "input" and found.side == "top" and not turned:
        return "left"
    return turned_side(found.side, turned)


def turned_side(before: str, turned: str) -> str:
    """`left` turned by r90 is `top`, mirrored it is `right`."""
    if turned.endswith("m") and before in ("left", "right"):
        before = "right" if before == "left" else "left"
    return AROUND[(AROUND.index(before) + QUARTERS[turned.removesuffix("m")]) % 4]
