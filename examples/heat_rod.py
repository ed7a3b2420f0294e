"""A heated rod as an array: one vector equation, a thousand cells, the same code as for ten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tellegen as tg


class Rod(tg.Component):
    """Conduction along a rod held at two temperatures."""

    n = tg.parameter(1000, structural=True)
    length = tg.parameter("20 cm", "m", "length")
    conductivity = tg.parameter(237.0, "W/(m.K)", "thermal conductivity")
    density = tg.parameter(2712.0, "kg/m3", "density")
    heat_capacity = tg.parameter(910.0, "J/(kg.K)", "specific heat capacity")
    hot = tg.parameter("57 degC", "K", "temperature of the left end")
    cold = tg.parameter("27 degC", "K", "temperature of the right end")
    T = tg.variable("K", "temperature", shape=n, start=300.15, fixed=True)

    def equations(self) -> Iterator[Any]:
        """The heat equation by finite volumes; the ends lie half a cell outside the first and last node."""
        dx = self.length / self.n
        diffusivity = self.conductivity / (self.density * self.heat_capacity)
        T = self.T
        yield tg.der(T[1:-1]) == diffusivity / dx**2 * (T[2:] - 2 * T[1:-1] + T[:-2])
        yield tg.der(T[0]) == diffusivity / dx**2 * (T[1] - 3 * T[0] + 2 * self.hot)
        yield tg.der(T[-1]) == diffusivity / dx**2 * (T[-2] - 3 * T[-1] + 2 * self.cold)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate 350 s and plot a few positions."""
    solution = tg.simulate(Rod(), stop=350.0)
    folder.mkdir(parents=True, exist_ok=True)
    solution.plot("T[50]", "T[250]", "T[500]", "T[750]").savefig(folder / "heat_rod.png")
    print(f"{solution.stats['steps']} steps with {solution.stats['solver']}, {solution.stats['seconds'] * 1e3:.0f} ms")
    print(f"middle of the rod after 350 s: {solution['T[500]'][-1] - 273.15:.3f} degC (settles at 42)")
    print(f"plot:  {folder / 'heat_rod.png'}")
    return solution


if __name__ == "__main__":
    main()
