"""Two tanks under the control of a state machine: fill, let react, drain; wait while the lower tank is full.

The machine is a component like any other. Its guards are relations of levels, located by the integrator, and times,
which are exact. `machine.plot()` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg


class BatchControl(tg.StateMachine):
    """One batch after the other; a mode keeps the valves it does not mention as they are."""

    upper = tg.input("m", "level of the upper tank")
    lower = tg.input("m", "level of the lower tank")
    inlet = tg.boolean("valve into the upper tank")
    outlet = tg.boolean("valve between the tanks")
    batches = tg.integer("batches finished")
    reaction = tg.parameter("20 s", "s", "time of the reaction")

    def modes(self) -> Iterator[Any]:
        """The first mode is the one at the start; of several guards that hold, the first acts."""
        yield tg.mode("filling", self.inlet == True, self.outlet == False)
        yield tg.mode("reacting", self.inlet == False)
        yield tg.mode("draining", self.outlet == True)
        yield tg.mode("waiting", self.outlet == False)
        done = self.batches == tg.pre(self.batches) + 1
        yield tg.transition("filling", "reacting", self.upper > 0.8)
        yield tg.transition("reacting", "draining", tg.after(self.reaction) & (self.lower < 0.4))
        yield tg.transition("draining", "filling", self.upper < 0.2, done)
        yield tg.transition("draining", "waiting", self.lower > 0.6)
        yield tg.transition("waiting", "draining", self.lower < 0.4)


class Tanks(tg.Component):
    """The plant: two vessels, valves that are open or shut, and a consumer."""

    A = tg.parameter(1.0, "m2", "section of both tanks")
    k = tg.parameter(0.06, "m2.5/s", "conductance of the valve between them")
    feed = tg.parameter("20 l/s", "m3/s", "flow through the open inlet")
    demand = tg.parameter("8 l/s", "m3/s", "flow to the consumer")
    upper = tg.variable("m", "level of the upper tank", start=0.0, fixed=True)
    lower = tg.variable("m", "level of the lower tank", start=0.3, fixed=True)
    between = tg.variable("m3/s", "flow between the tanks")
    consumed = tg.variable("m3/s", "flow to the consumer")
    control = BatchControl()

    def equations(self) -> Iterator[Any]:
        """Balances of volume, and what the machine sees and does."""
        yield self.control.upper == self.upper
        yield self.control.lower == self.lower
        yield self.between == tg.where(self.control.outlet, self.k * tg.sqrt(tg.maximum(self.upper, 0.0)), 0.0)
        yield self.consumed == tg.where(self.lower > 0.0, self.demand, 0.0)
        yield self.A * tg.der(self.upper) == tg.where(self.control.inlet, self.feed, 0.0) - self.between
        yield self.A * tg.der(self.lower) == self.between - self.consumed
        yield tg.region(self.lower > 0.0, "the consumer runs dry")


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate ten minutes, plot levels and modes, and draw the machine."""
    solution = tg.simulate(Tanks(), stop="10 min")
    folder.mkdir(parents=True, exist_ok=True)
    solution.plot("upper", "lower", "control.mode").savefig(folder / "two_tanks.png")
    Tanks().control.plot().savefig(folder / "two_tanks_machine.png")
    for event in solution.events[:4]:
        print(f"t = {event.time:7.3f} s  {', '.join(event.what)}")
    print(f"{int(solution['control.batches'][-1])} batches in 10 min; warnings: {len(solution.warnings)}")
    print(f"plots: {folder / 'two_tanks.png'}, {folder / 'two_tanks_machine.png'}")
    return solution


if __name__ == "__main__":
    main()
