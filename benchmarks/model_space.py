"""Growing and counting the tree of a large model space, and picking single models of it.

A fleet of n drives whose motors have three models each: 3**n induced trees, 2.5e12 for n = 26.

    python benchmarks/model_space.py [n ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

from _timing import best, console, seconds
from rich.table import Table

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from motors import Drive


def fleet(n: int) -> tg.System:
    """n drives."""
    system = tg.System("fleet")
    system.add(drives=[Drive() for _ in range(n)])
    return system


def main() -> None:
    """A row for each size."""
    table = Table("drives", "models", "tree", "count", "one model", "restricted to two of three")
    for n in [int(word) for word in sys.argv[1:]] or [26, 260, 2600]:
        system = fleet(n)
        grown, _ = best(lambda system=system: tg.model_space(system))
        counted, _ = best(lambda system=system: tg.ModelSpace("fleet", tg.model_space(system).slots).count)
        space = tg.model_space(system)
        picked, _ = best(lambda space=space: space[space.count // 3])
        halved, part = best(lambda space=space: space.restrict(keep=lambda one: one.name != "resistive"))
        assert part.count == 2**n
        cells = (grown, counted - grown, picked, halved)
        table.add_row(str(n), f"10^{len(str(space.count)) - 1}", *map(seconds, cells))
    console.print(table)


if __name__ == "__main__":
    main()
