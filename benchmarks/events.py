"""What events cost: time per event, and growth with the number of independent sources of events.

Three kinds of sources, each with a state of its own:

    ticks       sampled controllers of one clock: all act at the same instants
    balls       bouncing balls dropped from one height: state events, all at the same instants
    staggered   sampled controllers with different offsets: one acts at a time

"per active event" is the time of a run divided by the when-statements that fired in it. Where sources act together the
cost of an instant is shared. Where one acts at a time every instant starts the integration of all states anew, so
its cost grows with the model: that column is shown as it is. Compilation is not included; minima of three runs.

    python benchmarks/events.py [largest number of sources]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from _timing import best, seconds, show

import tellegen as tg

PERIOD, STOP = 0.1, 1.0


class Controller(tg.Component):
    """A first-order plant under a sampled controller."""

    x = tg.variable(start=0.0, fixed=True)
    u = tg.variable(discrete=True)
    offset = tg.parameter(0.0, "s")

    def equations(self) -> Any:
        """The plant, and what happens at a tick."""
        yield tg.der(self.x) == self.u - self.x
        yield tg.when(tg.sample(self.offset, PERIOD), self.u == 1 - self.x)


class Ball(tg.Component):
    """Bounces."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        """Free fall, and the bounce."""
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -0.9 * tg.pre(self.v)))


def micro(value: float) -> str:
    """Microseconds."""
    return f"{value * 1e6:.2f} us"


def model(kind: str, count: int) -> Any:
    """So many sources of events."""
    system = tg.System(kind)
    system.parts = (Ball if kind == "balls" else Controller).array(count)
    if kind == "staggered":
        system.parts.offset = np.arange(count) * PERIOD / count
    return system


def measure(kind: str, count: int) -> tuple[float, int, int, str]:
    """Seconds of a run, its instants, the when-statements that fired, and the solver."""
    compiled = tg.compile(model(kind, count))
    taken, solution = best(lambda: compiled.simulate(STOP, points=10))
    fired = sum(len(event.fired) for event in solution.history.log)
    return taken, len(solution.history.log), fired, solution.stats["solver"]


def main(largest: int) -> None:
    """Print the table; the aim is three times the cost of ten sources per active event, for simultaneous ones."""
    rows = []
    for kind in ("ticks", "balls", "staggered"):
        first = 0.0
        for count in (10, 100, 1000, 10_000):
            if count > largest or (kind == "staggered" and count > 1000):  # 100 000 restarts of 10 000 states: minutes
                continue
            taken, instants, fired, solver = measure(kind, count)
            each = taken / fired
            first = first or each
            aim = "" if kind == "staggered" else "met" if each <= 3.0 * first else "MISSED"
            figures = [seconds(taken), str(instants), str(fired), micro(taken / instants), micro(each)]
            rows.append([kind, str(count), solver, *figures, f"{each / first:.2f} x", aim])
    head = (
        "sources",
        "number",
        "solver",
        "run",
        "instants",
        "fired",
        "per instant",
        "per active event",
        "of ten",
        "3 x",
    )
    show("Cost of events", head, rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
