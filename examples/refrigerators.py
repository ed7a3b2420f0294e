"""Four hundred refrigerators on one grid: each switches on its own, and together they draw a steady power.

Every refrigerator is cooled while its thermostat is on: on above 7 degC, off below 3 degC. They differ in size,
insulation and power, and all start warm, as after a blackout. At first they run together and the grid sees five times
the usual load; within the first hour they drift apart, and their switching averages out.

No two refrigerators share a variable, and one switches at a time. So each is integrated by itself: an event of one
costs nothing for the others (see docs/language/events.md, "Independent subsystems").
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import tellegen as tg

HOUR = 3600.0
COUNT = 400


class Refrigerator(tg.Component):
    """A cold room that leaks heat, a compressor, and a thermostat with hysteresis."""

    C = tg.parameter("12 kJ/K", "J/K", "what is in it")
    G = tg.parameter(1.8, "W/K", "insulation")
    power = tg.parameter("80 W", "W", "electric power while on")
    COP = tg.parameter(1.7, "1", "heat taken out for each joule")
    T = tg.variable("degC", "temperature inside", start=20.0, fixed=True)
    on = tg.boolean("cools", start=True)

    def equations(self) -> Iterator[Any]:
        """Balance of heat, and the two thresholds."""
        cooling = tg.where(self.on, self.COP * self.power, 0.0)
        yield self.C * tg.der(self.T) == self.G * (293.15 - self.T) - cooling
        yield tg.when(self.T > 280.15, self.on == True).elsewhen(self.T < 276.15, self.on == False)


def fleet(count: int = COUNT) -> tg.System:
    """So many refrigerators, no two alike."""
    random = np.random.default_rng(7)
    grid = tg.System("fleet")
    grid.fridges = Refrigerator.array(count)
    grid.fridges.C = random.uniform(8e3, 20e3, count)
    grid.fridges.G = random.uniform(1.2, 2.4, count)
    grid.fridges.power = random.uniform(60.0, 100.0, count)
    return grid


def simulate(count: int = COUNT) -> tg.Solution:
    """The first hours after a blackout."""
    return tg.simulate(fleet(count), stop=12 * HOUR, points=25)


def load(solution: tg.Solution, times: Any) -> Any:
    """What the grid sees, in watts."""
    return solution.at(times)["fridges.on"] @ solution["fridges.power"]


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate, draw a few temperatures and the load, and say what it cost."""
    import matplotlib.pyplot as plt

    began = perf_counter()
    solution = simulate()
    taken = perf_counter() - began
    hours = np.linspace(0.0, 12.0, 241)
    total = load(solution, hours * HOUR)
    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
    for k in (0, 1, 2):
        above.plot(solution.time / HOUR, solution[f"fridges[{k}].T"], lw=0.8, label=f"refrigerator {k}")
    above.set(ylabel="temperature / degC")
    above.legend(loc="upper right")
    below.plot(hours, total / 1e3)
    below.set(xlabel="time / h", ylabel="load of the grid / kW", xlim=(0, 12))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "refrigerators.png"
    figure.savefig(target, dpi=110)
    late = total[hours > 9]
    print(f"{COUNT} refrigerators, {solution.stats['events']} events in {taken:.2f} s")
    print(f"load {total[0] / 1e3:.1f} kW at first, {late.mean() / 1e3:.1f} kW +- {late.std() / 1e3:.1f} kW in the end")
    print(f"plot:  {target}")
    return solution


if __name__ == "__main__":
    main()
