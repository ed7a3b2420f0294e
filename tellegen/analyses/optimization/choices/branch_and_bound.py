"""Search a tree of choices best first; what cannot be better than a leaf that is known is left out.

The node with the least bound is split in two, both halves get their bounds, and the leaf nearest to the place of each
bound is searched, so that good leaves are known early. A node whose bound is not below the best leaf is cut, and so is
one in which a constraint cannot be satisfied. At the end combinations that were left out are searched here and there:
where one of them contradicts the bounds (claims.py), these are taken for less, and the search goes on.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from itertools import count

import numpy as np

from tellegen.analyses.optimization.choices.claims import Claims
from tellegen.analyses.optimization.choices.leaves import Leaf
from tellegen.analyses.optimization.choices.node import Node, root, split
from tellegen.analyses.optimization.choices.relaxation.bounding import Bounded, least_worth_looking
from tellegen.analyses.optimization.choices.relaxation.box import box_of
from tellegen.analyses.optimization.choices.relaxation.evidence import Evidence
from tellegen.analyses.optimization.choices.space import Place, Space
from tellegen.analyses.optimization.choices.tree import Cut, Tree
from tellegen.analyses.optimization.choices.workers import BoundJob, Done, Job, LeafJob, SampleJob, Workers
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE

_SAMPLES = 16  # runs for each shape, before anything is bounded
_CONFIRMATIONS = (1, 3)  # of a bound, where functions are monotone and where they are not
_DRAWN = 32  # combinations, to check the bounds
_ROUNDS = 4  # in which bounds may be found wrong
_LEAVES = (2, 6)  # of a node, that are searched at once: a bound would cost as much
_DEARER = 2.0  # is a run for a bound than one for a leaf
_FEW_ENOUGH = 500  # leaves, to search all that are left where bounds are wrong
_NEAR = 0.05  # of the objective: leaves so close to the best one are searched from another start too
_AT_ONCE = 2  # nodes for each worker


class BranchAndBound:
    """The search at work."""

    def __init__(self, space: Space, workers: Workers, watch: Callable[[Tree], None]) -> None:
        self.space = space
        self.workers = workers
        self.watch = watch
        self.tree = Tree(space, "branch and bound")
        self.evidence = [Evidence(shape) for shape in space.shapes]
        self.claims = Claims()
        self._open: list[tuple[float, int, Node]] = []
        self._numbers = count()
        self._spent = {Bounded: 0, Leaf: 0}  # runs

    def run(self) -> Tree:
        """Until no node is left and none is found wrong, or Ctrl-C."""
        try:
            self._done([SampleJob(number, _SAMPLES) for number in range(len(self.space.shapes))])
            roots = [root(number, shape.options) for number, shape in enumerate(self.space.shapes)]
            self._do([job for node in roots for job in self._jobs(node)])
            self._search()
            for _ in range(_ROUNDS):
                self._done(self._doubtful())
                if not self._reopen():
                    break
                self._search()
            self._judge()
        except KeyboardInterrupt:
            self.tree.is_interrupted = True
            self.tree.is_proven = False
            self.tree.doubt = "the search was interrupted"
        return self.tree

    def _search(self) -> None:
        while self._open:
            self._do(self._halves())

    def _judge(self) -> None:
        """Whether the best leaf is the best of all; where bounds were wrong, and few leaves are left, by these."""
        if self.claims.are_contradicted and len(self.space) - len(self.tree.leaves) <= _FEW_ENOUGH:
            rest = [place for place in _all_places(self.space) if place not in self.tree.leaves]
            self._done([LeafJob(place, np.zeros(0)) for place in rest])
        if self.claims.are_contradicted and len(self.tree.leaves) < len(self.space):
            self.tree.is_proven = False
            self.tree.doubt = (
                "a combination that was searched is better than its bound, so the objective or a constraint is not "
                "monotone in the numbers of parts: a better combination may have been left out"
            )

    # -- nodes ------------------------------------------------------------------------------------------------------
    def _halves(self) -> list[Job]:
        """The halves of the best nodes that are open."""
        jobs: list[Job] = []
        while self._open and len(jobs) < 2 * _AT_ONCE * self.workers.count:
            _, _, node = heapq.heappop(self._open)
            if not self._is_hopeless(node):
                jobs += [job for half in split(node, self.space.shapes[node.shape]) for job in self._jobs(half)]
            elif node.is_confirmed:
                self._cut(node)
            else:
                jobs.append(self._bound_job(node))
        return jobs

    def _jobs(self, node: Node) -> list[Job]:
        """To bound a node, or to search its leaves where they are few; nothing where it is as good as its parent."""
        rest, left_out = self.evidence[node.shape].reduced(node)
        for each in left_out:
            reason = f"{each.constraint} is {each.best:.6g} at best"
            self.tree.cuts.append(Cut(each.node, reason, each.constraint))
        if rest is None:
            return []
        if len(rest) <= self._few:
            return [LeafJob(place, rest.guess) for place in rest.leaves() if place not in self.tree.leaves]
        is_good = rest.reached < least_worth_looking(self._needed)
        if is_good and rest.guess in box_of(self.space.shapes[rest.shape], rest):
            self._push(rest)
            return []
        return [self._bound_job(rest)]

    def _bound_job(self, node: Node) -> BoundJob:
        box = box_of(self.space.shapes[node.shape], node)
        confirmations = _CONFIRMATIONS[not self.evidence[node.shape].is_monotone(box)]
        return BoundJob(node, self._needed, confirmations)

    @property
    def _few(self) -> int:
        """Leaves that cost as much as a bound."""
        bounds = self._spent[Bounded] / max(self.tree.bounded, 1)
        leaves = self._spent[Leaf] / max(len(self.tree.leaves), 1)
        return int(np.clip(_DEARER * bounds / max(leaves, 1.0), *_LEAVES))

    @property
    def _known(self) -> float:
        """The objective of the best leaf that satisfies all constraints; infinite as long as there is none."""
        best = self.tree.best
        return np.inf if best is None or best.best.violation > FEASIBLE else best.best.objective

    @property
    def _needed(self) -> float:
        """A node whose bound is not below this is left out."""
        known = self._known
        return known + self.claims.widening * abs(known) if np.isfinite(known) else known

    def _is_hopeless(self, node: Node) -> bool:
        """Whether its leaves cannot be better than the best one known."""
        return node.bound >= least_worth_looking(self._needed)

    def _cut(self, node: Node) -> None:
        sign = self.space.task.asked.sign
        reason = f"at best {sign * node.bound:.6g}, and {sign * self._known:.6g} is known"
        self.tree.cuts.append(Cut(node, reason))

    def _push(self, node: Node) -> None:
        heapq.heappush(self._open, (node.bound, next(self._numbers), node))

    # -- jobs -------------------------------------------------------------------------------------------------------
    def _do(self, jobs: list[Job]) -> None:
        """Jobs, and the leaves that their bounds suggest."""
        bounded = [done for done in self._done(jobs) if isinstance(done, Bounded)]
        nothing = not self.tree.leaves  # where no leaf satisfies the constraints, one that comes close is wanted
        suggested = {self._nearest(each.node): each.node for each in bounded if nothing or not each.broken}
        self._done([LeafJob(place, node.guess) for place, node in suggested.items() if place not in self.tree.leaves])
        for each in bounded:
            if each.broken and each.broken not in self.claims.satisfied:
                reason = f"{each.broken} is {each.reached:.6g} at best"
                self.tree.cuts.append(Cut(each.node, reason, each.broken))
            elif self._is_hopeless(each.node) and each.node.is_confirmed:
                self._cut(each.node)
            else:
                self._push(each.node)
        self.watch(self.tree)

    def _done(self, jobs: Iterable[Job]) -> list[Done]:
        done = self.workers.do(list(jobs))
        for each in done:
            self.tree.add(each)
            if isinstance(each, Leaf):
                self._spent[Leaf] += each.runs
                self.claims.test(each)
            else:
                shape = each.node.shape if isinstance(each, Bounded) else each.shape
                self.evidence[shape].add(each.seen)
            if isinstance(each, Bounded):
                self._spent[Bounded] += each.runs
                if each.broken or each.node.is_confirmed:
                    self.claims.add(each.node, each.broken)
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

    # -- doubts -----------------------------------------------------------------------------------------------------
    def _doubtful(self) -> list[Job]:
        """Combinations that were left out, half of them where least was missing; and again those near the best."""
        by_bound = sorted((cut.node for cut in self.tree.cuts if cut.node.is_confirmed), key=lambda node: node.bound)
        places = {self._nearest(node): None for node in by_bound[: _DRAWN // 2]}
        wanted = min(_DRAWN, len(self.space) // 10)
        places |= {place: None for place in self.space.drawn(wanted) if len(places) < wanted}
        known = self._known
        near = [leaf for leaf in self.tree.leaves.values() if leaf.best.violation <= FEASIBLE]
        near = [leaf.place for leaf in near if leaf.best.objective <= known + _NEAR * abs(known)]
        drawn = [place for place in places if place not in self.tree.leaves]
        return [LeafJob(place, np.zeros(0)) for place in (*drawn, *near[:_DRAWN])]

    def _reopen(self) -> bool:
        """Open nodes again that were cut by bounds that count for less now; whether there are any."""
        kept: list[Cut] = []
        for cut in self.tree.cuts:
            if cut.constraint in self.claims.satisfied or (not cut.constraint and not self._is_hopeless(cut.node)):
                self._push(cut.node)
            else:
                kept.append(cut)
        self.tree.cuts = kept
        return bool(self._open)


def _all_places(space: Space) -> list[Place]:
    return [place for number, shape in enumerate(space.shapes) for place in root(number, shape.options).leaves()]


def search_all(space: Space, workers: Workers, watch: Callable[[Tree], None]) -> Tree:
    """Every leaf, without bounds."""
    tree = Tree(space, "all combinations")
    places = _all_places(space)
    at_once = 2 * _AT_ONCE * workers.count
    try:
        for first in range(0, len(places), at_once):
            for done in workers.do([LeafJob(place, np.zeros(0)) for place in places[first : first + at_once]]):
                tree.add(done)
            watch(tree)
    except KeyboardInterrupt:
        tree.is_interrupted = True
        tree.is_proven = False
        tree.doubt = "the search was interrupted"
    return tree
