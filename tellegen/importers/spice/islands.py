"""Nodes without a connection to ground, and nodes that voltage sources hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tellegen.importers.spice.netlist.sheet import Sheet

_CONTROLS = {"e": ("p1", "n1"), "g": ("p1", "n1"), "s": ("pc", "nc"), "b": ("pc", "nc"), "a": ("pc", "nc")}
"""Pins that no current flows through, by the letter of the element."""


def islands(sheet: Sheet) -> list[list[str]]:
    """Groups of nodes that are connected by elements, but not with ground."""
    groups = Groups(sheet.wires)
    first: dict[str, str] = {}
    for node, ends in sheet.wires.items():
        for part, pin, _ in ends:
            if pin not in _CONTROLS.get(part[0], ()) and not (part[0] == "x" and _is_open(sheet, part, pin)):
                port = f"{part}.{pin[-1]}" if part[0] in "toy" else part  # a line conducts within its ports
                groups.join(node, first.setdefault(port, node))
    found: dict[str, list[str]] = {}
    for node in sheet.wires:
        found.setdefault(groups.of(node), []).append(node)
    return [nodes for nodes in found.values() if "0" not in nodes]


def _is_open(sheet: Sheet, part: str, pin: str) -> bool:
    """Whether nothing inside of a subcircuit is at one of its pins."""
    cls: Any = sheet.parts[part].make
    inner = next(node for node, name in cls.nodes.items() if name == pin)
    ends = cls._sheet.wires.get(inner, ())
    return all(name[0] == "x" and _is_open(cls._sheet, name, own) for name, own, _ in ends)


def held_nodes(sheet: Sheet) -> set[str]:
    """Nodes whose potentials independent voltage sources determine."""
    groups = Groups([*sheet.wires, "0"])
    nodes_of: dict[str, list[str]] = {}
    for node, ends in sheet.wires.items():
        for part, _, _ in ends:
            if part[0] == "v":
                nodes_of.setdefault(part, []).append(node)
    for nodes in nodes_of.values():
        if len(nodes) == 2:
            groups.join(*nodes)
    return {node for node in sheet.wires if groups.of(node) == groups.of("0")}


class Groups:
    """Which things belong together."""

    def __init__(self, things: Iterable[str]) -> None:
        self._above = {thing: thing for thing in things}

    def of(self, thing: str) -> str:
        """The one that stands for the group."""
        while self._above[thing] != thing:
            self._above[thing] = self._above[self._above[thing]]
            thing = self._above[thing]
        return thing

    def join(self, a: str, b: str) -> None:
        """Make two groups one."""
        self._above[self.of(a)] = self.of(b)
