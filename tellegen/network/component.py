"""A component as linear graphs see it: terminals, edges, terminal equations over edge variables, classes.

Resistor    one edge p -> n       v - R*f == 0                               algebraic
IdealGear   two edges to ground   v0 - ratio*v1 == 0;  ratio*f0 + f1 == 0    a generalized driver each, either way
"""

from __future__ import annotations

from tellegen.ir.expressions.expr import Expr
from tellegen.ir.flat import FlatModel
from tellegen.network.classes import Alternative, alternatives
from tellegen.network.local import Outside, Symbol, Symbols, eliminate, equations_of, replaced
from tellegen.network.terminals import LocalEdge, Terminal, edges_of, terminals_of
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, is_zero, sub


@dataclass(frozen=True, eq=False)
class ComponentGraph:
    """The terminal graph of all instances of a node, with symbols of the first one."""

    node: int
    symbols: Symbols
    terminals: list[Terminal]
    edges: list[LocalEdge]
    equations: list[Expr]
    ways: list[Alternative]
    inputs: frozenset[int]  # signals that arrive
    outputs: dict[int, Expr]  # signals that leave, as expressions of edge variables


def component_graph(flat: FlatModel, number: int, handed_on: frozenset[int] = frozenset()) -> ComponentGraph | None:
    """The terminal graph of a node of the tree; None for what has no terminals of its own.

    `handed_on` are the flows of ports that lead to parts inside: those parts have the terminals.
    """
    node = flat.tree.nodes[number]
    terminals = [terminal for terminal in terminals_of(node) if terminal.through not in handed_on]
    if not terminals:
        return None
    symbols = Symbols()
    internal, inputs, outputs, discrete = _members(flat, number)
    ports = {index for terminal in terminals for index in (terminal.across, terminal.through)}
    roles = {t.across: "across" for t in terminals} | {t.through: "through" for t in terminals}
    outside = Outside(roles, frozenset(discrete), frozenset(outputs))
    equations, values = eliminate(equations_of(flat, number, symbols), internal - ports, symbols, outside)
    edges = edges_of(terminals, equations, symbols)
    equations = [new for old in equations if not is_zero(new := _over_edges(old, terminals, edges, symbols))]
    measured = {k: _over_edges(values[k], terminals, edges, symbols) for k in outputs if k in values}
    ways = alternatives(len(edges), equations, symbols)
    return ComponentGraph(number, symbols, terminals, edges, equations, ways, frozenset(inputs), measured)


def _members(flat: FlatModel, number: int) -> tuple[set[int], set[int], set[int], set[int]]:
    """Scalars of the first instance: all that move and are not inputs, inputs, outputs, discrete ones."""
    node = flat.tree.nodes[number]
    inner = set()
    inputs = set()
    outputs = set()
    discrete = set()
    for base, member in zip(node.variable_base, node.kind.variables, strict=True):
        scalars = range(base, base + member.size)
        if member.role == "input":
            inputs.update(scalars)
        elif member.discrete:
            discrete.update(scalars)
        else:
            inner.update(scalars)
            outputs.update(scalars if member.role == "output" else ())
    return inner, inputs, outputs, discrete


def _over_edges(expr: Expr, terminals: list[Terminal], edges: list[LocalEdge], symbols: Symbols) -> Expr:
    """Potentials and flows of terminals replaced by the variables of edges.

    Of a closed set the potential of the last terminal and its flow remain; they cancel, for the component cannot know
    them. Of terminals at one point the flow of the last is what the edge's flow leaves of the others, which cancel.
    """
    values: dict[int, tuple[str, int, Expr | None]] = {}
    for k, edge in enumerate(edges):
        for tail in edge.tails:
            values[terminals[tail].across] = "across", k, None
        values[terminals[edge.tails[-1]].through] = "through", k, None
    heads = {terminals[edge.head].across for edge in edges if edge.head >= 0}
    head_of = {k: terminals[edge.head].across for k, edge in enumerate(edges) if edge.head >= 0}
    flows: dict[int, list[int]] = {}
    for k, edge in enumerate(edges):
        if edge.head >= 0:
            flows.setdefault(terminals[edge.head].through, []).append(k)

    def value(index: int) -> Expr | None:
        symbol = symbols.known[index]
        if symbol.kind != "variable":
            return None
        position = symbol.position
        order = symbol.order
        if position in flows:  # the last of a closed set: what flows in through the others
            terms = [symbols.slot(Symbol("through", k, order)) for k in flows[position]]
            return sub(add(), add(*terms)) if len(terms) > 1 else sub(add(), terms[0])
        if position not in values or position in heads:
            return None
        kind, k, _ = values[position]
        leaf: Expr = symbols.slot(Symbol(kind, k, order))
        if kind == "across":
            return add(leaf, symbols.slot(Symbol("variable", head_of[k], order))) if k in head_of else leaf
        others = [terminals[tail].through for tail in edges[k].tails[:-1]]
        return sub(leaf, add(*(symbols.slot(Symbol("variable", o, order)) for o in others))) if others else leaf

    return replaced(expr, value)
