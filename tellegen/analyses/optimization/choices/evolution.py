"""Search combinations by evolution: for choices that have no bounds, because their numbers cannot be varied.

A combination is an individual; its variables are searched with gradients as everywhere, so only choices evolve. Good
combinations are crossed list by list, and some of their choices are drawn again. The search ends when several
generations have brought nothing better. It may miss the best combination, and says so.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tellegen.analyses.optimization.choices.leaves import Leaf
from tellegen.analyses.optimization.choices.space import Place, Space
from tellegen.analyses.optimization.choices.tree import Tree
from tellegen.analyses.optimization.choices.workers import LeafJob, Workers

_GENERATION = 24
_PATIENCE = 8  # generations without anything better
_TRIES = 20  # to find a combination that is not known yet
_DRAWN = 0.25  # of the choices of a child
_ELSEWHERE = 0.1  # of the children come from all combinations


class Evolution:
    """The search at work."""

    def __init__(self, space: Space, workers: Workers, watch: Callable[[Tree], None], seed: int) -> None:
        self.space = space
        self.workers = workers
        self.watch = watch
        doubt = "others were not looked at: a better combination may exist"
        self.tree = Tree(space, "evolution", is_proven=False, doubt=doubt)
        self.random = np.random.default_rng(seed)

    def run(self) -> Tree:
        """Until nothing better comes for some generations, or Ctrl-C."""
        idle = 0
        try:
            while idle < _PATIENCE:
                before = self.tree.best
                places = self._generation()
                if not places:
                    break
                for done in self.workers.do([LeafJob(place, np.zeros(0)) for place in places]):
                    self.tree.add(done)
                self.watch(self.tree)
                best = self.tree.best
                is_better = best is not None and (before is None or best.rank < before.rank)
                idle = 0 if is_better else idle + 1
        except KeyboardInterrupt:
            self.tree.is_interrupted = True
        return self.tree

    def _generation(self) -> list[Place]:
        """Combinations that are not known yet."""
        wanted: dict[Place, None] = {}
        ranked = sorted(self.tree.leaves.values(), key=lambda leaf: leaf.rank)
        for _ in range(_GENERATION):
            for _ in range(_TRIES):
                place = self._child(ranked)
                if place not in self.tree.leaves and place not in wanted:
                    wanted[place] = None
                    break
        return list(wanted)

    def _child(self, ranked: list[Leaf]) -> Place:
        if not ranked or self.random.random() < _ELSEWHERE:
            return self._anywhere()
        first = self._parent(ranked)
        second = self._parent(ranked)
        sizes = [len(listed) for listed in self.space.shapes[first.shape].options.lists.values()]
        other = second.picked if second.shape == first.shape else first.picked
        picked = np.where(self.random.random(len(sizes)) < 0.5, first.picked, other)
        drawn = self.random.random(len(sizes)) < max(_DRAWN, 1.0 / max(len(sizes), 1))
        return Place(first.shape, tuple(np.where(drawn, self.random.integers(0, sizes), picked).tolist()))

    def _parent(self, ranked: list[Leaf]) -> Place:
        """The better of two by chance, among the best."""
        few = min(len(ranked), 2 * _GENERATION)
        return ranked[int(self.random.integers(0, few, 2).min())].place

    def _anywhere(self) -> Place:
        sizes = np.array([len(shape.options) for shape in self.space.shapes], float)
        shape = int(self.random.choice(len(sizes), p=sizes / sizes.sum()))
        lists = self.space.shapes[shape].options.lists.values()
        return Place(shape, tuple(int(self.random.integers(0, len(listed))) for listed in lists))
