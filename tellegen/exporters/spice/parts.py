"""Parts of a flat model with their numbers and nodes: what the cards of a netlist are written from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from tellegen.ir.flat import FlatModel
from tellegen.ir.model import IntArray
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

_GROUND = "Ground"


@dataclass(frozen=True, eq=False)
class Part:
    """One component: its path, the name of its class, and where its scalars are."""

    circuit: Circuit
    node: int
    instance: int

    @property
    def path(self) -> str:
        """The dotted name."""
        return self.circuit.flat.tree.path(self.node, self.instance)

    @property
    def class_name(self) -> str:
        """The name of its class."""
        return self.circuit.flat.tree.nodes[self.node].kind.name

    @property
    def location(self) -> SourceLocation:
        """Where it was made."""
        return self.circuit.flat.tree.location(self.node, self.instance)

    def child(self, name: str) -> Part:
        """A component inside of it."""
        inner = [Part(self.circuit, k, self.instance) for k, parent in enumerate(self._parents) if parent == self.node]
        return next(part for part in inner if part.path == f"{self.path}.{name}")

    @property
    def _parents(self) -> list[int]:
        return [node.parent for node in self.circuit.flat.tree.nodes]

    @cached_property
    def name(self) -> str:
        """The path as one word of a netlist."""
        return "".join(letter if letter.isalnum() else "_" for letter in self.path).strip("_")

    def number(self, parameter: str) -> float:
        """A parameter in its declared unit: that of SPICE, as the parts are declared."""
        node = self.circuit.flat.tree.nodes[self.node]
        k = node.kind.parameter_index[parameter]
        value = self.circuit.flat.parameter_values[node.parameter_base[k] + self.instance]
        return float(node.kind.parameters[k].unit.from_si(value))

    def chosen(self, name: str) -> Any:
        """A structural parameter, None where the class has none of this name."""
        return dict(self.circuit.flat.tree.nodes[self.node].kind.structure).get(name)

    def has(self, parameter: str) -> bool:
        """Whether the class has a parameter."""
        return parameter in self.circuit.flat.tree.nodes[self.node].kind.parameter_index

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters that are single numbers."""
        kind = self.circuit.flat.tree.nodes[self.node].kind
        return tuple(each.name for each in kind.parameters if not each.shape)

    def start(self, variable: str) -> float:
        """The start value of a variable, zero where none was given."""
        value = float(self.circuit.starts[self._variable(variable)])
        return 0.0 if np.isnan(value) else value

    def at(self, pin: str) -> str:
        """The node of the netlist that a pin is connected to."""
        return self.circuit.node_name(self._variable(f"{pin}.v"))

    def _variable(self, name: str) -> int:
        node = self.circuit.flat.tree.nodes[self.node]
        return node.variable_base[node.kind.variable_index[name]] + self.instance


class Circuit:
    """The parts of a model that have equations of their own, and the nodes that connections make."""

    def __init__(self, flat: FlatModel, has_card: Callable[[str], bool]) -> None:
        self.flat = flat
        self.starts = flat.variables.column("start")
        self._has_card = has_card

    @cached_property
    def parts(self) -> list[Part]:
        """All components that have a card or equations, in the order of the tree, but for what is inside of a card."""
        found: list[Part] = []
        inside: set[int] = set()
        for k, node in enumerate(self.flat.tree.nodes):
            if node.parent in inside:
                inside.add(k)
                continue
            if self._has_card(node.kind.name):
                inside.add(k)
            elif not node.kind.stamps:
                continue
            found += [Part(self, k, i) for i in range(node.count)]
        return found

    @cached_property
    def _set_of(self) -> IntArray:
        """Per variable the number of its connection set."""
        count = self.flat.variables.count
        ones = np.ones(len(self.flat.equalities))
        graph = scipy.sparse.coo_array((ones, tuple(self.flat.equalities.T)), (count, count))
        return scipy.sparse.csgraph.connected_components(graph, directed=False)[1]

    @cached_property
    def _grounded(self) -> set[int]:
        return {int(self._set_of[part._variable("p.v")]) for part in self.parts if part.class_name == _GROUND}

    @cached_property
    def _first(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for variable, number in enumerate(self._set_of.tolist()):
            found.setdefault(number, variable)
        return found

    def node_name(self, variable: int) -> str:
        """0 for what is grounded, else the first pin of the connection set."""
        number = int(self._set_of[variable])
        if number in self._grounded:
            return "0"
        name = self.flat.variables.name(self._first[number]).removesuffix(".v")
        return "".join(letter if letter.isalnum() else "_" for letter in name)
