"""The normal tree of a system graph: which variables are states, which follow from others, and what was lost.

Primary variables are across variables of branches and through variables of chords; the others are sums of them by
circuits and cut-sets. An accumulator in the tree and a delay outside carry states. An accumulator that only fits as a
chord closes a loop of accumulators and across drivers, a delay in the tree is in a cut-set of delays and through
drivers: they have no independent states, and the loop or cut-set gives the reason.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.network.classes import ACCUMULATOR, ACROSS, DELAY, THROUGH
from tellegen.network.forest import Forest
from tellegen.network.matrices import circuits, cut_sets, incidence, rooted
from tellegen.network.names import Names
from tellegen.sheet import Shown, Table
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Lost:
    """A storage element that carries no state of its own, and the loop or cut-set that is the reason."""

    element: str
    kind: str  # loop, cut-set
    members: tuple[str, ...]

    def __str__(self) -> str:
        what = "its across variable is the sum of theirs" if self.kind == "loop" else "its flow is the sum of theirs"
        others = ", ".join(self.members)
        return f"{self.element} carries no state of its own: it forms a {self.kind} with {others}; {what}"


@dataclass(frozen=True, eq=False, repr=False)
class NormalTree(Shown):
    """Branches and chords are numbers of edges; rows of Q are branches, rows of B are chords, columns all edges."""

    forest: Forest
    names: Names
    incidence: Any
    B: Any
    Q: Any

    @property
    def branches(self) -> Any:
        """Numbers of the edges of the tree."""
        return self.forest.branches

    @property
    def chords(self) -> Any:
        """Numbers of the edges outside."""
        return self.forest.chords

    @cached_property
    def reduced_incidence(self) -> Any:
        """The incidence matrix without one vertex of each connected part (the reference where it has one)."""
        network = self.forest.network
        tree = rooted(
            network.tail, network.head, len(network.vertex_domain), self.branches, _roots(self.forest)
        )  # roots have no parent
        return self.incidence[np.flatnonzero(tree.parent >= 0)]

    @cached_property
    def states(self) -> list[str]:
        """The state variables, derivatives of accumulators of higher order included."""
        out: list[str] = []
        for k in np.concatenate([self.branches, self.chords]).tolist():
            out += self._states_of(k)
        return out

    def _states_of(self, k: int) -> list[str]:
        kind = self.forest.network.edge_class(k, self.forest.chosen)
        branch = bool(self.forest.in_tree[k])
        role = "across" if branch else "through"
        if kind.name == (ACCUMULATOR if branch else DELAY):
            count = kind.order
        elif kind.name == (ACROSS if branch else THROUGH):
            count = kind.integrals
        else:
            return []
        name = self.names.of_edge(k, role)
        return ["der(" * order + name + ")" * order for order in range(count)]

    @cached_property
    def internal_states(self) -> int:
        """Derivatives inside components that no edge shows, such as the voltages inside a battery."""
        total = 0
        for part in self.forest.network.parts:
            used = {each.equation for each in part.ways[0]}
            left = [equation for k, equation in enumerate(part.equations) if k not in used]
            inside = {(s.position, s.order) for s in part.symbols.inside(*left) if s.kind == "variable" and s.order}
            total += len(inside) * self.forest.network.flat.tree.nodes[part.node].count
        return total

    @property
    def state_count(self) -> int:
        """How many states the model has, as the tree says."""
        return len(self.states) + self.internal_states

    @cached_property
    def lost(self) -> list[Lost]:
        """Storage elements without a state of their own."""
        found = []
        network = self.forest.network
        labels = self.names
        for row, k in enumerate(self.chords.tolist()):
            if network.edge_class(k, self.forest.chosen).name == ACCUMULATOR and not self._has_rates(row, k):
                found.append(Lost(labels.edge(k), "loop", self._others(self.B, row, k)))
        for row, k in enumerate(self.branches.tolist()):
            if network.edge_class(k, self.forest.chosen).name == DELAY:
                found.append(Lost(labels.edge(k), "cut-set", self._others(self.Q, row, k)))
        return found

    def _has_rates(self, row: int, edge: int) -> bool:
        """Whether the rates a chord asks for are states themselves: a damper beside an inertia loses nothing."""
        network = self.forest.network
        chosen = self.forest.chosen
        order = network.edge_class(edge, chosen).order
        others = self.B.indices[self.B.indptr[row] : self.B.indptr[row + 1]].tolist()
        kinds = [network.edge_class(k, chosen) for k in others if k != edge]
        faster = [kind for kind in kinds if kind.name == ACCUMULATOR and kind.order > order]
        return bool(faster) and len(faster) + sum(kind.constant for kind in kinds) == len(kinds)

    def _others(self, matrix: Any, row: int, edge: int) -> tuple[str, ...]:
        columns = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
        return tuple(self.names.edge(int(k)) for k in sorted(columns.tolist()) if k != edge)

    @cached_property
    def primary(self) -> list[str]:
        """Across variables of branches and through variables of chords."""
        across = [self.names.of_edge(int(k), "across") for k in self.branches]
        return across + [self.names.of_edge(int(k), "through") for k in self.chords]

    @cached_property
    def secondary(self) -> list[str]:
        """Through variables of branches and across variables of chords."""
        through = [self.names.of_edge(int(k), "through") for k in self.branches]
        return through + [self.names.of_edge(int(k), "across") for k in self.chords]

    def constraints(self) -> list[str]:
        """Cut-set and circuit equations, each solved for its secondary variable."""
        out = []
        for matrix, rows, role in ((self.Q, self.branches, "through"), (self.B, self.chords, "across")):
            for row, k in enumerate(rows.tolist()):
                out.append(f"{self.names.of_edge(k, role)} == {self._sum(matrix, row, k, role)}")
        return out

    def _sum(self, matrix: Any, row: int, edge: int, role: str) -> str:
        text = ""
        span = slice(matrix.indptr[row], matrix.indptr[row + 1])
        for k, sign in sorted(zip(matrix.indices[span].tolist(), matrix.data[span].tolist(), strict=True)):
            if k != edge:
                mark = (" - " if sign > 0 else " + ") if text else ("-" if sign > 0 else "")
                text += mark + self.names.of_edge(k, role)
        return text or "0"

    def _title(self) -> str:
        inner = f", {self.internal_states} inside components" if self.internal_states else ""
        counts = f"{len(self.branches)} branches, {len(self.chords)} chords, {len(self.states)} states{inner}"
        return f"NormalTree: {counts}"

    def _page(self) -> list[Table | str]:
        network = self.forest.network
        chosen = self.forest.chosen
        rows = []
        for k in range(network.edge_count):
            where = "branch" if self.forest.in_tree[k] else "chord"
            rows.append((self.names.edge(k), str(network.edge_class(k, chosen)), where, ", ".join(self._states_of(k))))
        return [Table(("edge", "class", "", "state"), rows), *map(str, self.lost)]


def tree_of(forest: Forest, names: Names) -> NormalTree:
    """The matrices of a forest."""
    network = forest.network
    vertices = len(network.vertex_domain)
    edges = network.edge_count
    tree = rooted(network.tail, network.head, vertices, forest.branches, _roots(forest))
    loops = circuits(network.tail, network.head, forest.chords, tree, edges)
    cuts = cut_sets(loops, forest.branches, forest.chords, edges)
    return NormalTree(forest, names, incidence(network.tail, network.head, vertices), loops, cuts)


def _roots(forest: Forest) -> Any:
    references = forest.network.references
    return references[references >= 0]
