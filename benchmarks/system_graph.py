"""The linear graph of RC ladders: graph, forest and matrices, and how their time grows with the number of cells.

The aim is 3 s for 20 000 cells.

    python benchmarks/system_graph.py
"""

from __future__ import annotations

from _timing import best, seconds, show
from rc_ladder import ladder

import tellegen as tg

SIZES = (1_000, 5_000, 20_000, 100_000)
AIM = 3.0


def main() -> None:
    """Print the table."""
    rows = []
    for n in SIZES:
        flat = tg.flatten(ladder(n))
        graph_time, graph = best(lambda flat=flat: tg.system_graph(flat))
        tree_time, tree = best(lambda flat=flat: tg.system_graph(flat).normal_tree())
        assert abs(tree.Q @ tree.B.T).sum() == 0
        verdict = ("met" if tree_time < AIM else "MISSED") if n == 20_000 else ""
        rows.append([str(n), str(len(graph)), seconds(graph_time), seconds(tree_time), verdict])
    show("System graph of RC ladders", ["cells", "edges", "graph", "with forest, Q and B", f"< {AIM:g} s"], rows)


if __name__ == "__main__":
    main()
