"""What is seen of a search over choices while it runs: after a second, where somebody looks."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from tellegen.analyses.optimization.choices.tree import Tree
from tellegen.live_view import LiveView, open_view, wanted

_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.2


class TreeView:
    """A table that says how many combinations are decided, and which is the best; a context manager."""

    def __init__(self) -> None:
        self._began = self._shown = perf_counter()
        self._quiet = not wanted()
        self._view: LiveView | None = None

    def __enter__(self) -> TreeView:
        return self

    def __exit__(self, *_: object) -> None:
        if self._view is not None:
            self._view.close()

    def show(self, tree: Tree) -> None:
        """Some jobs are done."""
        now = perf_counter()
        if self._view is None and not self._quiet and now - self._began > _PATIENCE_SECONDS:
            self._view = open_view()
            self._quiet = self._view is None
        if self._view is not None and now - self._shown > _REFRESH_SECONDS:
            self._shown = now
            self._view.show(_table(tree))


def _table(tree: Tree) -> Any:
    from rich.table import Table

    space = tree.space
    cut = sum(len(each.node) for each in tree.cuts)
    table = Table(title=f"{space.shapes[0].leaf_problem.made.plain.flat.name}: {space.task.asked.objective}")
    for heading in ("combinations", "searched", "left out", "runs", "best so far"):
        table.add_column(heading, justify="right")
    best = tree.best
    text = "" if best is None else f"{space.task.asked.sign * best.best.objective:.6g}"
    table.add_row(str(len(space)), str(len(tree.leaves)), str(cut), str(tree.runs), text)
    return table
