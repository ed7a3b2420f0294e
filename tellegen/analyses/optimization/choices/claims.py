"""What bounds claim of leaves, and leaves that contradict them.

Every leaf that is searched is a test of all nodes that contain it: its objective is not below their bounds, and it does
not satisfy a constraint that cannot be satisfied in one of them. Where it is, bounds of this problem are wrong: then
bounds count only by so much less, and constraints that were satisfied after all cut nothing any more.
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.analyses.optimization.choices.leaves import Leaf
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.space import Place
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE

_EXACT = 1e-3  # relative: errors of curves and of searches
_WIDER = 2.0  # than the largest error seen


@dataclass(frozen=True, eq=False)
class Claim:
    """The options of a node as sets; no leaf is below `bound`, or no leaf satisfies `constraint`."""

    shape: int
    left: tuple[frozenset[int], ...]
    bound: float
    constraint: str

    def concerns(self, place: Place) -> bool:
        """Whether a combination is in the node."""
        return place.shape == self.shape and all(k in left for k, left in zip(place.picked, self.left, strict=True))


class Claims:
    """All that was claimed so far; `widening` is by how much of the objective bounds may be wrong."""

    def __init__(self) -> None:
        self._claims: list[Claim] = []
        self.widening = 0.0
        self.satisfied: set[str] = set()  # constraints that were said not to be

    @property
    def are_contradicted(self) -> bool:
        """Whether a leaf has shown a bound to be wrong."""
        return self.widening > 0.0 or bool(self.satisfied)

    def add(self, node: Node, constraint: str = "") -> None:
        """Of a node with a bound, or a constraint that cannot be satisfied."""
        self._claims.append(Claim(node.shape, tuple(map(frozenset, node.left)), node.bound, constraint))

    def test(self, leaf: Leaf) -> None:
        """Whether a leaf contradicts any."""
        if leaf.best.violation > FEASIBLE:
            return
        reached = leaf.best.objective
        for claim in self._claims:
            below = (claim.bound - reached) / max(abs(reached), abs(claim.bound), 1e-300)
            is_wrong = bool(claim.constraint) or below > max(_EXACT, self.widening)
            if is_wrong and claim.concerns(leaf.place):
                if claim.constraint:
                    self.satisfied.add(claim.constraint)
                else:
                    self.widening = max(self.widening, _WIDER * below)
