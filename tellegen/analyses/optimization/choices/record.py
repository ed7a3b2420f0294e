"""What a search over choices did: the combinations it searched, ranked, and what it left out and why."""

from __future__ import annotations

from typing import Any

from tellegen.analyses.optimization.choices.leaves import Leaf
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.tree import Tree
from tellegen.analyses.optimization.choices.tree_plot import fates, plot_tree
from tellegen.sheet import Shown, Table

_SHOWN = 10


class ChoiceSearch(Shown):
    """`combinations` were there, `searched` of them; the others were left out by bounds, see `cuts`.

    `ranking` are the combinations searched, the best first; `to_pandas()` has them with all values. `proven` says
    whether the best one is the best of all: every combination was searched, or left out by bounds that searches from
    several starts confirmed and no combination contradicts. That is evidence from runs: of functions that turn back
    within a narrow range of numbers it may miss something.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._space = tree.space
        self.combinations = len(tree.space)
        self.searched = len(tree.leaves)
        self.runs = tree.runs
        self.bounded = tree.bounded
        self.proven = tree.is_proven
        self._leaves = sorted(tree.leaves.values(), key=lambda leaf: leaf.rank)

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """What was chosen in each combination searched, by name, the best first."""
        return [self._space.choice(leaf.place).labels for leaf in self._leaves]

    @property
    def cuts(self) -> list[str]:
        """What was left out, and why: a line each, the largest part first."""
        ordered = sorted(self._tree.cuts, key=lambda cut: -len(cut.node))
        return [f"{len(cut.node)} of {self._text(cut.node)}: {cut.reason}" for cut in ordered]

    def to_pandas(self) -> Any:
        """The combinations searched, a row each, the best first."""
        import pandas as pd

        return pd.DataFrame([self._row(leaf) for leaf in self._leaves])

    def plot(self) -> Any:
        """A matplotlib figure of the tree: how it was divided, what was left out and why, and the best leaves."""
        return plot_tree(self._tree)

    def _text(self, node: Node) -> str:
        return node.text(self._space.shapes[node.shape].options)

    def _row(self, leaf: Leaf) -> dict[str, Any]:
        task = self._space.task
        names = self._space.shapes[leaf.place.shape].leaf_problem.variables.names
        best = leaf.best
        return {
            **self._space.choice(leaf.place).labels,
            "objective": task.asked.sign * best.objective,
            "violation": best.violation,
            **dict(zip(names, best.x.tolist(), strict=True)),
            "runs": leaf.runs,
            "failed": best.failed,
        }

    def _title(self) -> str:
        share = 100.0 * self.searched / self.combinations
        head = f"{self.searched} of {self.combinations} combinations searched ({share:.3g} %)"
        bounds = f", {self.bounded} bounds" if self.bounded else ""
        return f"{head} by {self._tree.method}{bounds}, {self.runs} runs"

    def _page(self) -> list[Table | str]:
        asked = self._space.task.asked
        rows = [
            (str(place), self._labels(leaf), f"{asked.sign * leaf.best.objective:.6g}", _state(leaf))
            for place, leaf in enumerate(self._leaves[:_SHOWN], 1)
        ]
        table = Table(("", "combination", str(asked.objective), ""), rows)
        note = f"not proven: {self._tree.doubt}" if self._tree.doubt else ""
        return [table, "\n".join(self._reasons()), note]

    def _labels(self, leaf: Leaf) -> str:
        return str(self._space.choice(leaf.place))

    def _reasons(self) -> list[str]:
        """How many combinations were left out for each kind of reason."""
        counted = fates(self._tree)
        return [f"left out {number}: {what}" for what, number in counted.most_common() if what != "searched"]


def _state(leaf: Leaf) -> str:
    if leaf.best.failed:
        return "failed"
    return "" if leaf.rank[0] == 0.0 else f"constraints broken by {leaf.best.violation:.2g}"
