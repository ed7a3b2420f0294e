"""The normal tree: a spanning forest of least cost, and which way ideal couplers go.

Kruskal over the ranks of classes.py (drivers, accumulators, algebraic, delays, drivers), ties by edge number, so the
forest is the same every time. An ideal coupler (transformer, gear, gyrator) can be read in several ways; a way is
possible if all across drivers fit into the forest and all through drivers stay outside. Ways are tried in depth, then
improved one by one while the cost falls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.model import Array
from tellegen.network.system import Network
from tellegen.start.records import dataclass

_MOST_TRIES = 2000
Chosen = dict[tuple[int, int], int]
"""The number of the way of each coupler, by part and instance."""


@dataclass(frozen=True, eq=False)
class Forest:
    """`branches` are in the forest, the other edges are chords. `loops` and `cuts` are conflicts of drivers."""

    network: Network
    chosen: Chosen
    in_tree: Any
    loops: tuple[int, ...]  # across drivers that close a loop of across drivers
    cuts: tuple[int, ...]  # through drivers without which a part would fall apart

    @property
    def branches(self) -> Any:
        """Numbers of the edges of the forest."""
        return np.flatnonzero(self.in_tree)

    @property
    def chords(self) -> Any:
        """Numbers of the edges outside."""
        return np.flatnonzero(~self.in_tree)


def normal_forest(network: Network) -> Forest:
    """The forest of least cost; with conflicts if there is none without."""
    chosen: Chosen = dict.fromkeys(network.couplers, 0)
    best = _judged(network, chosen)
    if not network.couplers:
        return best
    tries = 0

    def possible(fixed: Chosen, rest: list[tuple[int, int]]) -> Forest | None:
        """Depth first: the first way that leaves no conflict."""
        nonlocal tries
        if not rest:
            return _judged(network, fixed)
        candidates = []
        for way in range(len(network.parts[rest[0][0]].ways)):
            tries += 1
            tried = {**fixed, rest[0]: way}
            open_ = np.concatenate([network.couplers[key] for key in rest[1:]]) if rest[1:] else np.zeros(0, int)
            found = _judged(network, {**dict.fromkeys(rest, 0), **tried}, open_)
            candidates.append((len(found.loops) + len(found.cuts), _cost(found), way))
        for conflicts, _, way in sorted(candidates):
            if conflicts and tries < _MOST_TRIES:
                continue
            found = possible({**fixed, rest[0]: way}, rest[1:])
            if found is not None and not found.loops and not found.cuts:
                return found
        return None

    best = possible({}, list(network.couplers)) or best
    return _improved(network, best)


def _improved(network: Network, best: Forest) -> Forest:
    """Turn single couplers round while that makes the forest cheaper."""
    again = True
    while again:
        again = False
        for key in network.couplers:
            for way in range(len(network.parts[key[0]].ways)):
                other = _judged(network, {**best.chosen, key: way})
                if _value(other) < _value(best):
                    best = other
                    again = True
    return best


def _value(forest: Forest) -> tuple[int, int]:
    return len(forest.loops) + len(forest.cuts), _cost(forest)


def _cost(forest: Forest) -> int:
    return int(forest.network.ranks(forest.chosen)[forest.in_tree].sum())


def _judged(network: Network, chosen: Chosen, undecided: Any = ()) -> Forest:
    """Kruskal, and the conflicts of drivers; edges of undecided couplers are taken for algebraic."""
    ranks = network.ranks(chosen)
    if len(undecided):
        ranks[undecided] = 200
    in_tree = kruskal(network.tail, network.head, len(network.vertex_domain), ranks)
    loops = tuple(np.flatnonzero(~in_tree & (ranks <= 1)).tolist())
    cuts = tuple(np.flatnonzero(in_tree & (ranks >= 301)).tolist())
    return Forest(network, chosen, in_tree, loops, cuts)


def kruskal(tail: Array, head: Array, vertices: int, ranks: Array) -> Any:
    """Which edges belong to the spanning forest of least cost; of equal ones the first."""
    leader = list(range(vertices))
    in_tree = np.zeros(len(tail), bool)
    tails = tail.tolist()
    heads = head.tolist()
    for edge in np.argsort(ranks, kind="stable").tolist():
        a = tails[edge]
        b = heads[edge]
        while leader[a] != a:
            leader[a] = leader[leader[a]]
            a = leader[a]
        while leader[b] != b:
            leader[b] = leader[leader[b]]
            b = leader[b]
        if a != b:
            leader[max(a, b)] = min(a, b)
            in_tree[edge] = True
    return in_tree
