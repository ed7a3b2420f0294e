"""Random linear circuits: how many are refused or wrong, by both formulations and three solvers.

python benchmarks/random_circuits.py [cases] [first seed] [most nodes]

Circuits of up to 40 nodes with loops of capacitors, cut-sets of inductors, transformers, gyrators and controlled
sources, compared with the solutions of their matrix pencils (tests/network/random_circuits.py). A circuit without a
unique solution must be refused when it is compiled, every other one must run.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from pathlib import Path

from _timing import console, show

import tellegen as tg
from tellegen.stages import FORMULATIONS

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from network.random_circuits import SOLVERS, Oracle, Part, fault, random_parts, system_of

CASES = 40  # a quick look; a case takes about a second
PROGRESS = 25


def faults(parts: list[Part], formulation: str, tally: Counter[str]) -> list[str]:
    """What is wrong with a circuit; right answers are counted."""
    oracle = Oracle(parts)
    try:
        compiled = tg.compile(system_of(parts), formulation=formulation)
    except tg.StructureError as error:
        if oracle.regular:
            return [f"refused {error.code}"]
        tally["refused, as it must be"] += 1
        return []
    if not oracle.regular:
        return ["compiled without a unique solution"]
    found = [fault(compiled, oracle, solver) for solver in SOLVERS]
    tally["runs that agree"] += found.count("")
    return [each for each in found if each]


def main(cases: int, first: int, most_nodes: int) -> None:
    """Print what is wrong when it is found, and the table at the end."""
    warnings.simplefilter("ignore")
    right = {formulation: Counter[str]() for formulation in FORMULATIONS}
    wrong = {formulation: Counter[str]() for formulation in FORMULATIONS}
    for seed in range(first, first + cases):
        parts = random_parts(seed, most_nodes, two_ports=seed % 2 == 1)
        for formulation in FORMULATIONS:
            found = faults(parts, formulation, right[formulation])
            wrong[formulation].update(found)
            if found:
                console.print(f"seed {seed}, {formulation}: {', '.join(found)}")
        if (seed + 1 - first) % PROGRESS == 0:
            console.print(f"{seed + 1 - first} of {cases}: {sum(sum(each.values()) for each in wrong.values())} wrong")
    rows = []
    for outcome in sorted({key for table in (right, wrong) for each in table.values() for key in each}):
        rows.append([outcome, *(str(right[name][outcome] + wrong[name][outcome]) for name in FORMULATIONS)])
    title = f"{cases} random circuits of up to {most_nodes} nodes from seed {first}, {', '.join(SOLVERS)}"
    show(title, ["outcome", *FORMULATIONS], rows)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*given, *(CASES, 10_000, 40)[len(given) :])
