"""What a search over choices has found so far: leaves, and nodes that were left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.analyses.optimization.choices.leaves import Leaf
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.relaxation.bounding import Bounded, Sampled
from tellegen.analyses.optimization.choices.space import Place, Space


@dataclass(frozen=True, eq=False)
class Cut:
    """A node that was left out, and why."""

    node: Node
    reason: str
    constraint: str = ""  # that cannot be satisfied


@dataclass(eq=False)
class Tree:
    """The leaves searched by their places, and all cuts; `method` is how it was searched."""

    space: Space
    method: str
    leaves: dict[Place, Leaf] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)
    bounded: int = 0  # nodes
    runs: int = 0
    is_interrupted: bool = False
    is_proven: bool = True  # all leaves were searched, or are left out by bounds that no leaf contradicts
    doubt: str = ""  # why not

    @property
    def best(self) -> Leaf | None:
        """The best leaf of which a run succeeded."""
        good = [leaf for leaf in self.leaves.values() if not leaf.best.failed]
        return min(good, key=lambda leaf: leaf.rank) if good else None

    def add(self, done: Bounded | Leaf | Sampled) -> None:
        """A job is done."""
        self.runs += done.runs
        if isinstance(done, Leaf):
            before = self.leaves.get(done.place)
            self.leaves[done.place] = done if before is None or done.rank < before.rank else before
        elif isinstance(done, Bounded):
            self.bounded += 1
