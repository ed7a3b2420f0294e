"""The linear graph of a model: tg.system_graph(model), its edges and their classes, its normal tree.

graph = tg.system_graph(Drive())
print(graph)                     edges, where they lead, what they are and why
tree = graph.normal_tree()
print(tree)                      branches, chords, states, what was lost
tree.Q, tree.B                   sparse matrices, rows and columns named by tree.branches, tree.chords, graph.labels
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.errors import users_call
from tellegen.network.classes import EdgeClass
from tellegen.network.forest import Forest, normal_forest
from tellegen.network.names import Names, domain_name
from tellegen.network.normal_tree import NormalTree, tree_of
from tellegen.network.system import Network, network_of
from tellegen.sheet import Result, Table
from tellegen.stages import flatten_model

_COLUMNS = ("edge", "from", "to", "class", "terminal equation")


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the system graph. `signals` arrive at it, `measured` are signals read from it."""

    label: str
    component: str
    domain: str
    tail: str
    head: str
    kind: EdgeClass
    equation: str
    signals: tuple[str, ...] = ()
    measured: tuple[str, ...] = ()


class SystemGraph(Result):
    """Terminal graphs of all components, merged where connected; one connected part per domain and reference."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.names = Names(network)

    @cached_property
    def forest(self) -> Forest:
        """The normal forest, which also decides how ideal couplers are classified."""
        return normal_forest(self.network)

    @cached_property
    def labels(self) -> list[str]:
        """The names of the edges, in order."""
        return self.names.edges()

    @cached_property
    def vertices(self) -> list[str]:
        """The names of the vertices, in order."""
        return [self.names.vertex(k) for k in range(len(self.network.vertex_domain))]

    @cached_property
    def domains(self) -> list[str]:
        """The domains, in order: electrical, rotational, ..."""
        return [domain_name(domain) for domain in self.network.domains]

    @cached_property
    def edges(self) -> list[Edge]:
        """The edges, in order."""
        return [self._edge(k) for k in range(self.network.edge_count)]

    def __len__(self) -> int:
        return self.network.edge_count

    def _edge(self, k: int) -> Edge:
        network = self.network
        names = self.names
        part = network.parts[int(network.part[k])]
        instance = int(network.instance[k])
        kind = network.edge_class(k, self.forest.chosen)
        local = int(network.local[k])
        inside = part.symbols.inside(part.equations[kind.equation]) if kind.equation >= 0 else ()
        own = {local}
        signals = [
            names.symbol(part, instance, s) for s in inside if s.kind == "variable" and s.position in part.inputs
        ]
        measured = [
            names.symbol(part, instance, type(s)("variable", output))
            for output, value in part.outputs.items()
            for s in [next((s for s in part.symbols.inside(value) if s.position in own and s.kind != "variable"), None)]
            if s is not None
        ]
        return Edge(
            label=self.labels[k],
            component=names.path(k),
            domain=self.domains[int(network.domain[k])],
            tail=names.vertex(int(network.tail[k])),
            head=names.vertex(int(network.head[k])),
            kind=kind,
            equation=names.equation(k, kind.equation),
            signals=tuple(signals),
            measured=tuple(measured),
        )

    def incidence(self) -> Any:
        """The augmented incidence matrix: rows are vertices, columns edges."""
        return self.normal_tree().incidence

    @cached_property
    def _tree(self) -> NormalTree:
        return tree_of(self.forest, self.names)

    def normal_tree(self) -> NormalTree:
        """The spanning forest of least cost: drivers, accumulators, algebraic edges, delays, through drivers."""
        return self._tree

    def state_equations(self) -> Any:
        """The state equations in symbols, by cut-sets and circuits (algorithms E and F); needs SymPy."""
        from tellegen.analyses.explanation.state_equations import state_equations

        return state_equations(self)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each edge."""
        import pandas as pd

        rows = [(e.component, e.domain, e.tail, e.head, str(e.kind), e.equation) for e in self.edges]
        return pd.DataFrame(rows, index=self.labels, columns=["component", "domain", *_COLUMNS[1:]])

    def plot(self) -> Any:
        """A matplotlib figure of the graph: tree bold, cotree thin, domains coloured."""
        from tellegen.analyses.explanation.graph_plot import plot_graph

        return plot_graph(self)

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.network.flat.name

    def _title(self) -> str:
        return f"SystemGraph of {self.name}: {len(self)} edges, {len(self.network.vertex_domain)} vertices"

    def _page(self) -> list[Table | str]:
        counts = np.bincount(self.network.vertex_domain, minlength=len(self.domains))
        edges = np.bincount(self.network.domain, minlength=len(self.domains))
        sizes = zip(self.domains, counts, edges, strict=True)
        domains = ", ".join(f"{name}: {count} vertices, {edge} edges" for name, count, edge in sizes)
        rows = [(e.label, e.tail, e.head, str(e.kind), e.equation) for e in self.edges]
        return [domains, Table(_COLUMNS, rows)]


@users_call
def system_graph(model: object) -> SystemGraph:
    """The linear graph of a component (or flat model): vertices are points of one potential, edges are elements."""
    return SystemGraph(network_of(flatten_model(model)))
