"""What is at the digital nodes of one circuit: outputs that drive them, and inputs that read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tellegen.importers.spice.netlist.words import Card

STRONG, WEAK, SWITCHED = "strong", "weak", "switched"
"""How an output drives a node."""


@dataclass(frozen=True)
class LogicEnd:
    """A signal of a part; `number` is its place in an array."""

    part: str
    signal: str
    number: int | None = None

    def of(self, circuit: Any) -> Any:
        """The signal itself."""
        found = getattr(getattr(circuit, self.part), self.signal)
        return found if self.number is None else found[self.number]


@dataclass(frozen=True)
class LogicReader:
    """An input at a node, and whether it reads the opposite."""

    end: LogicEnd
    turned: bool = False


@dataclass(frozen=True)
class LogicDriver:
    """An output at a node: how it drives, whether it counts inverted, and its strength where that is a signal."""

    end: LogicEnd
    kind: str = STRONG
    turned: bool = False
    on: LogicEnd | None = None


@dataclass
class LogicNodes:
    """All digital nodes of a circuit."""

    drivers: dict[str, list[LogicDriver]] = field(default_factory=dict)
    readers: dict[str, list[LogicReader]] = field(default_factory=dict)
    first: dict[str, Card] = field(default_factory=dict)  # the element that a node was met at

    def drive(self, card: Card, node: str, driver: LogicDriver) -> None:
        """An output at a node."""
        self.drivers.setdefault(node, []).append(driver)
        self.first.setdefault(node, card)

    def read(self, card: Card, node: str, reader: LogicReader) -> None:
        """An input at a node."""
        self.readers.setdefault(node, []).append(reader)
        self.first.setdefault(node, card)

    def direction(self, node: str) -> str:
        """What a port at this node is, seen from inside: out, in, or nothing where it is not digital."""
        if node in self.drivers:
            return "out"
        return "in" if node in self.readers else ""
