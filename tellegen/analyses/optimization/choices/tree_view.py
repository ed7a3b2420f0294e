"""What is seen of a search over choices while it runs."""

from __future__ import annotations

from typing import Any

from tellegen.analyses.optimization.choices.tree import Tree


def tree_table(tree: Tree) -> Any:
    """How many combinations are decided, and which is the best."""
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
