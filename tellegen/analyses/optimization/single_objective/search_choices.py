"""A search over choices of which most are left out: the tree, and the optimum of its best leaf."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tellegen.analyses.optimization.choices.branch_and_bound import BranchAndBound, search_all
from tellegen.analyses.optimization.choices.evolution import Evolution
from tellegen.analyses.optimization.choices.leaves import Leaf, LeafSearch
from tellegen.analyses.optimization.choices.options import Options
from tellegen.analyses.optimization.choices.record import ChoiceSearch
from tellegen.analyses.optimization.choices.space import Space
from tellegen.analyses.optimization.choices.tree import Tree
from tellegen.analyses.optimization.choices.tree_view import tree_table
from tellegen.analyses.optimization.choices.workers import SpaceSearch, Workers
from tellegen.analyses.optimization.formulation.failed_runs import failure_texts
from tellegen.analyses.optimization.formulation.piecewise_inputs import Piecewise
from tellegen.analyses.optimization.formulation.search_variables import wrong
from tellegen.analyses.optimization.single_objective.optimum import INTERRUPTED, Optimum
from tellegen.analyses.optimization.single_objective.search import warn_of
from tellegen.analyses.optimization.single_objective.search_request import SearchRequest
from tellegen.errors import DesignError, InternalError, TellegenError, nearest, warn_user
from tellegen.ir.source_location import here
from tellegen.live_view import PatientView

_MANY = 1000
_WAYS = ("auto", "all", "bounds", "evolution")


@dataclass(frozen=True, eq=False)
class TreeSearch:
    """How a tree of choices is searched, as asked for: which combinations, and where."""

    combinations: Any = "auto"
    executor: Any = "processes"


def wants_tree(search: TreeSearch, options: Options, variables: Mapping[str, Any] | None) -> bool:
    """Whether a tree is searched: models are chosen, or combinations are to be left out or searched elsewhere."""
    combinations = search.combinations
    if combinations not in _WAYS:
        what = f"there are no combinations={combinations!r}; {nearest(str(combinations), _WAYS)}"
        raise wrong(what, 'combinations="all", "bounds", "evolution" or "auto"')
    searched = combinations in ("bounds", "evolution") or search.executor != "processes"
    many = searched or (combinations == "auto" and len(options) > _MANY)
    signals = [path for path, each in (variables or {}).items() if isinstance(each, Piecewise)]
    if signals and (options.has_implementations or searched):
        what = f"'{signals[0]}': signals are not searched together with implementations, bounds or an executor"
        raise wrong(what, "choose the implementations first, then search the signal")
    if searched and not options.lists:
        what = "there is nothing to choose, so nothing to leave out"
        if combinations not in ("bounds", "evolution"):
            what = "executor is for the combinations of choices: the runs of one search follow from each other"
        raise wrong(what, "choices={'gear.ratio': [3, 5, 8]}")
    return options.has_implementations or (many and not signals)


def search_tree(space: Space, request: SearchRequest, search: TreeSearch) -> Optimum:
    """The best leaf, as an optimum that knows the tree."""
    leaves = LeafSearch(request.limits, request.starts, request.first_values)
    tree = searched(space, leaves, search)
    best = tree.best
    if best is None:
        problem = space.shapes[0].leaf_problem
        history = [each for leaf in tree.leaves.values() for each in leaf.evaluations]
        details = failure_texts(history, problem.variables)
        advice = "give a guess=... with which tg.simulate works, or narrower bounds"
        raise DesignError("E625", "no run of the search succeeded", location=here(), details=details, advice=advice)
    return _optimum(tree, best)


def searched(space: Space, leaves: LeafSearch, search: TreeSearch) -> Tree:
    """The tree, searched in the way asked for, or in the one that suits the number of combinations."""
    combinations = search.combinations
    with PatientView() as view, Workers(SpaceSearch(space, leaves), search.executor) as workers:

        def watch(tree: Tree) -> None:
            view.offer(lambda: tree_table(tree))

        if combinations == "all" or (combinations == "auto" and len(space) <= _MANY):
            return search_all(space, workers, watch)
        if combinations == "evolution" or not _has_bounds(space, combinations):
            if combinations == "auto":
                warn_user(
                    "choices: the numbers of these choices have no bounds, so combinations are searched by evolution, "
                    "which may miss the best one; result.choices.proven is False"
                )
            return Evolution(space, workers, watch, leaves.limits.seed).run()
        return BranchAndBound(space, workers, watch).run()


def _has_bounds(space: Space, combinations: str) -> bool:
    """Whether the numbers of all options can be varied; what prevents it is an error where bounds are asked for."""
    try:
        return all(shape.relaxed.method.has_gradients for shape in space.shapes)
    except TellegenError as error:
        if combinations == "bounds" or isinstance(error, InternalError):
            raise
        return False


def _optimum(tree: Tree, best: Leaf) -> Optimum:
    shape = tree.space.shapes[best.place.shape]
    problem = shape.leaf_problem
    choice = tree.space.choice(best.place)
    problem.choose(str(choice), choice.parameters)
    if not problem.history:  # all its runs were elsewhere: the sizes of constraints are measured by the first one here
        problem.evaluate(best.best.x, shape.leaf_method.has_gradients)
    problem.history = [each for leaf in _of_shape(tree, best.place.shape) for each in leaf.evaluations]
    method = f"{shape.leaf_method}, {tree.method}" if problem.variables.names else tree.method
    message = INTERRUPTED if tree.is_interrupted else best.message
    result = Optimum(problem, best.best, method, message, choice.labels)
    result.choices = ChoiceSearch(tree)
    result.model = shape.model
    result.runs = tree.runs
    warn_of(result)
    if not tree.is_proven and tree.cuts and not tree.is_interrupted:
        warn_user(f"choices: {tree.doubt}; result.choices.proven is False")
    return result


def _of_shape(tree: Tree, shape: int) -> list[Leaf]:
    return [leaf for place, leaf in tree.leaves.items() if place.shape == shape]
