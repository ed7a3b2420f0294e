"""How edges, vertices and their variables are called: by the component, and by the terminal where it has several edges.

r            a resistor's edge, with r.v and r.i            emf.flange     one of two edges, with emf.flange.phi
"""

from __future__ import annotations

from tellegen.ir.expressions.expr import Expr
from tellegen.ir.show.statements import show_expr
from tellegen.network.component import ComponentGraph
from tellegen.network.local import Symbol
from tellegen.network.system import Network

_READABLE = 2000  # terms of an equation


class Names:
    """Names for a network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.tree = network.flat.tree
        self._vertices: dict[int, str] = {}

    def path(self, edge: int) -> str:
        """The component an edge belongs to."""
        part = self.network.parts[int(self.network.part[edge])]
        return self.tree.path(part.node, int(self.network.instance[edge])) or self.network.flat.name

    def edge(self, edge: int) -> str:
        """The edge."""
        part = self.network.parts[int(self.network.part[edge])]
        path = self.path(edge)
        local = int(self.network.local[edge])
        return path if len(part.edges) == 1 else f"{path}.{part.terminals[part.edges[local].tails[0]].name}"

    def edges(self) -> list[str]:
        """All of them."""
        return [self.edge(k) for k in range(self.network.edge_count)]

    def variable(self, part: ComponentGraph, instance: int, kind: str, local: int) -> str:
        """The across or through variable of an edge: `r.v`, `emf.flange.tau`."""
        terminal = part.terminals[part.edges[local].tails[0]]
        index = terminal.across if kind == "across" else terminal.through
        member = self.network.flat.variables.declaration(index).name.rpartition(".")[2]
        path = self.tree.path(part.node, instance)
        where = [path] if len(part.edges) == 1 else [path, terminal.name]
        return ".".join([*filter(None, where), member])

    def of_edge(self, edge: int, kind: str) -> str:
        """The across or through variable of an edge, by its number in the network."""
        part = self.network.parts[int(self.network.part[edge])]
        return self.variable(part, int(self.network.instance[edge]), kind, int(self.network.local[edge]))

    def index(self, part: ComponentGraph, instance: int, symbol: Symbol) -> int:
        """The variable or parameter of the flat model that a symbol of the first instance stands for in another."""
        table = self.network.flat.parameters if symbol.kind == "parameter" else self.network.flat.variables
        node, _, first, _ = table.locate(symbol.position)
        own = node == part.node
        return (
            symbol.position + table.declaration(symbol.position).size * (instance - first) if own else symbol.position
        )

    def symbol(self, part: ComponentGraph, instance: int, symbol: Symbol) -> str:
        """A symbol of the component's equations, for one instance."""
        if symbol.kind in ("across", "through"):
            name = self.variable(part, instance, symbol.kind, symbol.position)
        else:
            table = self.network.flat.parameters if symbol.kind == "parameter" else self.network.flat.variables
            name = table.name(self.index(part, instance, symbol))
        return "der(" * symbol.order + name + ")" * symbol.order

    def equation(self, edge: int, number: int) -> str:
        """A terminal equation in full names."""
        part = self.network.parts[int(self.network.part[edge])]
        instance = int(self.network.instance[edge])
        if number < 0:
            return ""
        equation = part.equations[number]
        terms = _terms(equation, {})
        if terms > _READABLE:
            return f"an equation of {terms} terms"
        names = [self.symbol(part, instance, symbol) for symbol in part.symbols.known]
        return f"{show_expr(equation, names, 31)} == 0"

    def vertex(self, vertex: int) -> str:
        """A point: the shortest name of a terminal there, or the reference of its domain."""
        if not self._vertices:
            self._name_vertices()
        return self._vertices[vertex]

    def _name_vertices(self) -> None:
        network = self.network
        for part in network.parts:
            for instance in range(self.tree.nodes[part.node].count):
                path = self.tree.path(part.node, instance)
                for terminal in part.terminals:
                    vertex = int(network.vertex_of[terminal.across + terminal.strides[0] * instance])
                    name = f"{path}.{terminal.name}".lstrip(".")
                    old = self._vertices.get(vertex)
                    if old is None or (len(name), name) < (len(old), old):
                        self._vertices[vertex] = name
        for domain, vertex in enumerate(network.references.tolist()):
            if vertex >= 0:
                self._vertices[vertex] = f"{domain_name(network.domains[domain])} reference"


def _terms(expr: Expr, known: dict[int, int]) -> int:
    """How many leaves an expression has when it is written out; equal parts may be shared many times."""
    found = known.get(id(expr))
    if found is None:
        args = getattr(expr, "args", ())
        found = known[id(expr)] = sum(_terms(arg, known) for arg in args) if args else 1
    return found


def domain_name(family: str) -> str:
    """`tellegen.library.rotational.interfaces.Flange` -> `rotational`; connectors of one's own by their class."""
    *package, connector = family.split(".")
    if "library" in package:
        below = package[package.index("library") + 1 :]
        return below[0] if below else connector
    return connector
