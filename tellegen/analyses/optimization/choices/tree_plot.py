"""The picture of a search over choices: what became of all combinations, and what every option is good for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tellegen.analyses.optimization.choices.tree import Tree
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE
from tellegen.figure import panels

_LABELED = 24  # options of a list with their names
_LETTERS = 14  # of a name


def plot_tree(tree: Tree) -> Any:
    """Above: combinations searched and left out; then for each list, the best that was found with every option."""
    options = tree.space.options
    with panels(1 + len(options.lists), 1, (8.0, 1.6 + 1.9 * len(options.lists))) as (figure, axes):
        _fates(axes[0, 0], tree)
        for number, key in enumerate(options.keys):
            _list(axes[1 + number, 0], tree, key)
    return figure


def fates(tree: Tree) -> Counter[str]:
    """How many combinations were searched, or left out for which kind of reason."""
    counted: Counter[str] = Counter({"searched": len(tree.leaves)})
    for cut in tree.cuts:
        what = f"{cut.constraint} cannot be satisfied" if cut.constraint else "not better"
        counted[what] += len(cut.node) - sum(place in cut.node for place in tree.leaves)
    return counted


def _fates(axis: Any, tree: Tree) -> None:
    counted = fates(tree)
    names = list(reversed(counted))
    axis.barh(range(len(names)), [counted[name] for name in names], color="0.6")
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.set_xscale("log")
    axis.set_xlabel(f"of {len(tree.space)} combinations")


def _list(axis: Any, tree: Tree, key: str) -> None:
    labels = [option.label for option in tree.space.options.lists[key]]
    best = np.array([_best_with(tree, key, label) for label in labels])
    known = np.isfinite(best)
    places = np.arange(len(labels))
    axis.plot(places[known], best[known], "o", ms=5)
    low, high = axis.get_ylim()
    axis.plot(places[~known], np.full((~known).sum(), high), "|", color="0.6", ms=8)
    axis.set_ylim(low, high)
    chosen = None if tree.best is None else tree.space.choice(tree.best.place).labels.get(key)
    if chosen in labels:
        axis.plot(labels.index(chosen), best[labels.index(chosen)], "o", ms=11, mfc="none", color="k")
    if len(labels) <= _LABELED:
        shown = [str(label)[:_LETTERS] for label in labels]
        axis.set_xticks(places, shown, rotation=60 if len(labels) > 6 else 0, fontsize=7)
    axis.set_title(key, fontsize=9)
    axis.set_ylabel(str(tree.space.task.asked.objective)[:24], fontsize=8)


def _best_with(tree: Tree, key: str, label: Any) -> float:
    """The best objective among leaves with this option that satisfy the constraints; nan without any."""
    kept = (leaf for leaf in tree.leaves.values() if leaf.best.violation <= FEASIBLE)
    having = [leaf.best.objective for leaf in kept if tree.space.choice(leaf.place).labels.get(key) == label]
    return tree.space.task.asked.sign * min(having, default=np.nan)
