"""Search a tree of choices best first; what cannot be better than a leaf that is known is left out.

The node with the least bound is split in two, both halves get their bounds, and the leaf nearest to the place of each
bound is searched, so that good leaves are known early. A node whose bound is not below the best leaf is cut, and so is
one in which a constraint cannot be satisfied.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

import numpy as np

from tellegen.analyses.optimization.choices.bounding import Bounded
from tellegen.analyses.optimization.choices.leaves import Leaf
from tellegen.analyses.optimization.choices.node import Node, root, split
from tellegen.analyses.optimization.choices.space import Place, Space
from tellegen.analyses.optimization.choices.tree import Cut, Tree
from tellegen.analyses.optimization.choices.workers import BoundJob, Job, LeafJob, Workers
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE

_MARGIN = 1e-4  # of the objective, by which a bound may be wrong
_DRAWN = 32  # combinations, to check the bounds
_FEW = 2  # leaves that are searched at once: a bound would cost as much
_AT_ONCE = 2  # nodes for each worker


class BranchAndBound:
    """The search at work."""

    def __init__(self, space: Space, workers: Workers, watch: Callable[[Tree], None]) -> None:
        self.space = space
        self.workers = workers
        self.watch = watch
        self.tree = Tree(space, "branch and bound")
        self._open: list[tuple[float, int, Node]] = []
        self._numbers = count()

    def run(self) -> Tree:
        """Until no node is left, or Ctrl-C."""
        try:
            for number, shape in enumerate(self.space.shapes):
                self._do(self._jobs(root(number, shape.options)))
            while self._open:
                self._do(self._halves())
            self._draw()
        except KeyboardInterrupt:
            self.tree.is_interrupted = True
        return self.tree

    def _draw(self) -> None:
        """Search some combinations that were left out: one that is better shows that bounds were wrong."""
        before = self._known
        count = min(_DRAWN, len(self.space) // 10)
        places = [place for place in self.space.drawn(count) if place not in self.tree.leaves]
        self._done([LeafJob(place, np.zeros(0)) for place in places])
        worse = before - _MARGIN * abs(before) if np.isfinite(before) else before
        self.tree.is_doubtful = self._known < worse

    def _halves(self) -> list[Job]:
        """The halves of the best nodes that are open."""
        jobs: list[Job] = []
        while self._open and len(jobs) < 2 * _AT_ONCE * self.workers.count:
            _, _, node = heapq.heappop(self._open)
            if not self._is_cut(node):
                jobs += [job for half in split(node, self.space.shapes[node.shape]) for job in self._jobs(half)]
        return jobs

    def _jobs(self, node: Node) -> list[Job]:
        """To bound a node, or to search its leaves where they are few."""
        if len(node) > _FEW:
            return [BoundJob(node, self._known)]
        return [LeafJob(place, node.guess) for place in node.leaves() if place not in self.tree.leaves]

    @property
    def _known(self) -> float:
        """The objective of the best leaf that satisfies all constraints; infinite as long as there is none."""
        best = self.tree.best
        return np.inf if best is None or best.best.violation > FEASIBLE else best.best.objective

    def _is_cut(self, node: Node) -> bool:
        """Whether its leaves cannot be better than the best one known."""
        known = self._known
        if not np.isfinite(known) or node.bound < known - _MARGIN * max(abs(known), abs(node.bound)):
            return False
        sign = self.space.task.asked.sign
        reason = f"at best {sign * node.bound:.6g}, and {sign * known:.6g} is known"
        self.tree.cuts.append(Cut(node, reason))
        return True

    def _do(self, jobs: list[Job]) -> None:
        """Jobs, and the leaves that their bounds suggest."""
        bounded = [done for done in self._done(jobs) if isinstance(done, Bounded)]
        nothing = not self.tree.leaves  # where no leaf satisfies the constraints, one that comes close is wanted
        suggested = {self._nearest(each.node): each.node for each in bounded if nothing or not each.broken}
        self._done([LeafJob(place, node.guess) for place, node in suggested.items() if place not in self.tree.leaves])
        for each in bounded:
            if each.broken:
                reason = f"{each.broken} is {each.reached:.6g} at best"
                self.tree.cuts.append(Cut(each.node, reason, each.broken))
            elif not self._is_cut(each.node):
                heapq.heappush(self._open, (each.node.bound, next(self._numbers), each.node))
        self.watch(self.tree)

    def _done(self, jobs: list[Job]) -> list[Bounded | Leaf]:
        done = self.workers.do(jobs)
        for each in done:
            self.tree.add(each)
        return done

    def _nearest(self, node: Node) -> Place:
        """The combination whose numbers are nearest to the place of the bound, those that matter most first."""
        shape = self.space.shapes[node.shape]
        least = 1e-3 * node.influence.max(initial=0.0) + 1e-300
        picked = []
        for each, columns, left in zip(shape.numbers, shape.columns, node.left, strict=True):
            values = each.values[list(left)]
            ranges = np.ptp(values, axis=0)
            far = np.abs(values - node.guess[columns]) / np.where(ranges > 0, ranges, 1.0)
            picked.append(left[int(np.argmin(far @ (node.influence[columns] + least)))])
        return Place(node.shape, tuple(picked))


def search_all(space: Space, workers: Workers, watch: Callable[[Tree], None]) -> Tree:
    """Every leaf, without bounds."""
    tree = Tree(space, "all combinations")
    places = [place for number, shape in enumerate(space.shapes) for place in root(number, shape.options).leaves()]
    at_once = 2 * _AT_ONCE * workers.count
    try:
        for first in range(0, len(places), at_once):
            for done in workers.do([LeafJob(place, np.zeros(0)) for place in places[first : first + at_once]]):
                tree.add(done)
            watch(tree)
    except KeyboardInterrupt:
        tree.is_interrupted = True
    return tree
