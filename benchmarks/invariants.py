"""What projection onto invariants costs: a planar four-bar, and a hundred of them, with and without.

Both take nearly the same steps, so the difference is the projection. CPU time, minima of runs that take turns. Without
projection the closure drifts.

    python benchmarks/invariants.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _timing import cheapest, seconds, show

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from engine.invariant_models import FourBar, KeptFourBar

ROUNDS = 7
SOLVERS = ("rk45", "rodas", "cvode")


class Many(tg.Component):
    """A hundred four-bars."""

    bars = FourBar.array(100)


class ManyKept(tg.Component):
    """A hundred four-bars that stay closed."""

    bars = KeptFourBar.array(100)


def compare(free: tg.Component, kept: tg.Component, prefix: str, stop: float) -> list[tuple[str, ...]]:
    """A row for each solver."""
    drifting = tg.compile(free)
    projected = tg.compile(kept)
    first = projected.simulate(stop=1e-6, solver="rk45", points=2)
    initial = {f"{prefix}{name}": first[f"{prefix}{name}"][0] for name in ("phi", "w")}
    rows = []
    for solver in SOLVERS:

        def run(model: Any, solver: str = solver) -> Callable[[], Any]:
            return lambda: model.simulate(stop=stop, solver=solver, points=2, initial=initial)

        cost = cheapest({"drifting": run(drifting), "projected": run(projected)}, ROUNDS)
        one, other = (run(model)() for model in (drifting, projected))
        per_step = [cost["drifting"] / one.stats["steps"], cost["projected"] / other.stats["steps"]]
        gaps = [abs(solution[f"{prefix}gap"]).max() for solution in (one, other)]
        rows.append(
            (
                type(kept).__name__,
                solver,
                str(other.stats["steps"]),
                *map(seconds, cost.values()),
                f"{per_step[1] / per_step[0] - 1.0:+.0%}",
                f"{(per_step[1] - per_step[0]) * 1e6:.2f} us",
                *(f"{gap:.0e} m" for gap in gaps),
            )
        )
    return rows


if __name__ == "__main__":
    rows = [*compare(FourBar(), KeptFourBar(), "", 100.0), *compare(Many(), ManyKept(), "bars.", 5.0)]
    columns = ("model", "solver", "steps", "drifting", "projected", "per step", "", "gap", "gap, projected")
    show("projection onto invariants, rtol 1e-6", columns, rows)
