"""The terminal graph of a component: which edges stand between its terminals, derived from its equations.

    p.i + n.i == 0                         p and n belong together: one edge from p to n
    no such equation for flange_b          an edge from flange_b to the reference of the domain
    flange_a.phi == flange_b.phi           two terminals at one point: one edge for both, its through variable their sum

A set of m terminals whose flows add up to zero is a tree of m - 1 edges, from each to the last. A connector with
several pairs of across and through variables has a terminal in each of as many domains.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.ir.flat import Node
from tellegen.ir.model import Port
from tellegen.network.local import Symbols
from tellegen.start.records import dataclass
from tellegen.symbolic.linear import weighted_sum

_MANY = 8  # terminals of a domain; with more only pairs and the whole are looked at


@dataclass(frozen=True, slots=True)
class Terminal:
    """A pair of an across and a through scalar of a port, for the first instance; `strides` lead to the others."""

    name: str
    domain: str
    across: int
    through: int
    strides: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LocalEdge:
    """From the `tails` (terminals at one point) to the `head`, or to the reference of the domain (-1)."""

    tails: tuple[int, ...]
    head: int
    domain: str


def terminals_of(node: Node) -> list[Terminal]:
    """The terminals of a component, port by port."""
    return [terminal for port in node.kind.ports for terminal in _of_port(node, port)]


def _of_port(node: Node, port: Port) -> Iterator[Terminal]:
    members = [(m, node.kind.variables[m]) for m in port.variables]
    scalars: dict[str, list[tuple[int, int, int, str]]] = {"across": [], "through": []}
    for m, member in members:
        inner = member.size // max(port.count, 1)
        if member.role in scalars:
            scalars[member.role] += [(node.variable_base[m], k, member.size, member.name) for k in range(inner)]
    across = scalars["across"]
    through = scalars["through"]
    if not across or len(across) != len(through):
        return
    for element in range(port.count):
        for (base_a, k_a, size_a, name), (base_f, k_f, size_f, _) in zip(across, through, strict=True):
            alone = len(across) == 1
            last = name.rpartition(".")[2] + (f"[{k_a}]" if size_a > max(port.count, 1) else "")
            yield Terminal(
                port.element_name(element) if alone else f"{port.element_name(element)}.{last}",
                port.family if alone else f"{port.family}.{last}",
                base_a + element * (size_a // port.count) + k_a,
                base_f + element * (size_f // port.count) + k_f,
                (size_a, size_f),
            )


def edges_of(terminals: list[Terminal], equations: list[Expr], symbols: Symbols) -> list[LocalEdge]:
    """The terminal graph; see the top of this file."""
    edges: list[LocalEdge] = []
    for domain in dict.fromkeys(terminal.domain for terminal in terminals):
        inside = [k for k, terminal in enumerate(terminals) if terminal.domain == domain]
        closed = _closed_sets(terminals, inside, equations, symbols)
        for members in closed:
            *tails, last = members
            edges += [LocalEdge((tail,), last, domain) for tail in tails] or [LocalEdge((last,), -1, domain)]
        alone = [k for k in inside if not any(k in members for members in closed)]
        edges += [LocalEdge(tuple(point), -1, domain) for point in _points(terminals, alone, equations, symbols)]
    return edges


def _closed_sets(
    terminals: list[Terminal], inside: list[int], equations: list[Expr], symbols: Symbols
) -> list[tuple[int, ...]]:
    """Smallest sets of terminals whose flows add up to zero; a single one is open, its flow is zero."""
    rows = _relations({terminals[k].through: position for position, k in enumerate(inside)}, equations, symbols)
    if not len(rows):
        return []
    left = set(range(len(inside)))
    found = []
    sizes = range(1, len(inside) + 1) if len(inside) <= _MANY else (1, 2, len(inside))
    for size in sizes:
        for members in combinations(sorted(left), size):
            if left.issuperset(members) and _implied(rows, members):
                found.append(tuple(inside[k] for k in members))
                left -= set(members)
    return sorted(found)


def _points(terminals: list[Terminal], alone: list[int], equations: list[Expr], symbols: Symbols) -> list[list[int]]:
    """Terminals that need the reference, those with equal across variables together."""
    rows = _relations({terminals[k].across: position for position, k in enumerate(alone)}, equations, symbols)
    points: list[list[int]] = []
    for position, k in enumerate(alone):
        for point in points:
            if len(rows) and _implied(rows, (position, alone.index(point[0])), (1.0, -1.0)):
                point.append(k)
                break
        else:
            points.append([k])
    return points


def _relations(position: dict[int, int], equations: list[Expr], symbols: Symbols) -> np.ndarray:
    """Rows of the equations that say a sum of the given variables, with constant weights, is zero."""
    rows = []
    for equation in equations:
        weights, constant = weighted_sum(equation)
        symbol = [symbols.known[part.index] if isinstance(part, Slot) else None for part in weights]
        if constant or not weights:
            continue
        if all(s is not None and s.kind == "variable" and not s.order and s.position in position for s in symbol):
            row = np.zeros(len(position))
            for s, weight in zip(symbol, weights.values(), strict=True):
                assert s is not None
                row[position[s.position]] = weight
            rows.append(row)
    return np.array(rows)


def _implied(rows: np.ndarray, members: tuple[int, ...], weights: tuple[float, ...] | None = None) -> bool:
    """Whether the sum of these follows from the rows."""
    wanted = np.zeros(rows.shape[1])
    wanted[list(members)] = 1.0 if weights is None else weights
    solution = np.linalg.lstsq(rows.T, wanted, rcond=None)[0]
    return bool(np.abs(rows.T @ solution - wanted).max() < 1e-9)
