"""What events cost: time per event, and growth with the number of independent sources of events.

Four kinds of sources, each with a state of its own:

    ticks              sampled controllers of one clock: all act at the same instants
    staggered ticks    the same with different offsets: one acts at a time
    balls              bouncing balls dropped from one height: state events, all at the same instants
    staggered balls    from different heights: one bounces at a time

"per active event" is the time of a run divided by the when-statements that fired in it. Sources that act together share
the cost of an instant. Where one acts at a time all states at once would start anew at every instant; there the
independent subsystems are integrated separately (engine/runs/partitioned_run.py), and "parts" says so.
Compilation is not included; minima of three runs. "a curve" is the time to read one variable at all instants of a run.

    python benchmarks/events.py [largest number of sources]
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import numpy as np
from _timing import best, seconds, show

import tellegen as tg

PERIOD = 0.1
STOP = 1.0
KINDS = ("ticks", "staggered ticks", "balls", "staggered balls")
AIM = 3.0


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

    height = tg.parameter(1.0, "m")
    h = tg.variable("m", start=height, fixed=True)
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
    system = tg.System(kind.replace(" ", "_"))
    system.parts = (Ball if kind.endswith("balls") else Controller).array(count)
    if kind == "staggered ticks":
        system.parts.offset = np.arange(count) * PERIOD / count
    if kind == "staggered balls":
        system.parts.height = np.linspace(0.2, 1.0, count)
    return system


def measure(kind: str, count: int) -> tuple[float, Any, int, float]:
    """Seconds of a run, the solution, the when-statements that fired, and seconds to read a curve of it."""
    compiled = tg.compile(model(kind, count))
    taken, solution = best(lambda: compiled.simulate(STOP, points=10))
    began = perf_counter()
    curve = solution["parts[1].x" if kind.endswith("ticks") else "parts[1].h"]
    reading = perf_counter() - began
    assert len(curve) == len(solution.time)
    return taken, solution, sum(len(event.fired) for event in solution.history.log), reading


def main(largest: int) -> None:
    """Print the table; the aim is three times the cost of ten sources per active event."""
    rows = []
    for kind in KINDS:
        first = 0.0
        for count in (10, 100, 1000, 10_000):
            if count > largest:
                continue
            taken, solution, fired, reading = measure(kind, count)
            instants = len(solution.history.log)
            each = taken / fired
            first = first or each
            how = "parts" if "independent subsystems" in solution.stats["solver_reason"] else "at once"
            figures = [seconds(taken), str(instants), str(fired), micro(taken / instants), micro(each)]
            aim = "met" if each <= AIM * first else "MISSED"
            rows.append([kind, str(count), how, *figures, f"{each / first:.2f} x", aim, seconds(reading)])
    head = ("sources", "number", "run", "time", "instants", "fired", "per instant", "per active event", "of ten", "3 x")
    show("Cost of events", (*head, "a curve"), rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
