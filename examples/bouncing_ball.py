"""A bouncing ball: the integrator stops at each impact, reverses the velocity and continues.

The event times are known in closed form: after a first fall of sqrt(2 h/g), every bounce is shorter by the restitution.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg


class Ball(tg.Component):
    """Falls, bounces, counts."""

    g = tg.parameter(9.81, "m/s2", "gravity")
    e = tg.parameter(0.8, "1", "restitution")
    h = tg.variable("m", "height", start=1.0, fixed=True)
    v = tg.variable("m/s", "velocity", start=0.0, fixed=True)
    bounces = tg.integer("bounces so far")

    def equations(self) -> Iterator[Any]:
        """Free fall and impact."""
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(
            self.h < 0,
            tg.reinit(self.v, -self.e * tg.pre(self.v)),
            self.bounces == tg.pre(self.bounces) + 1,
        )


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate 3 s, compare the times of the impacts with the closed-form solution, and plot."""
    solution = tg.simulate(Ball(), stop=3.0, rtol=1e-8)
    hits = solution.time[1:][np.diff(solution["bounces"]) > 0]
    fall = np.sqrt(2 / solution["g"])
    exact = fall * (1 + 2 * np.cumsum(np.append(0.0, solution["e"] ** np.arange(1, len(hits)))))
    folder.mkdir(parents=True, exist_ok=True)
    solution.plot("h", "v").savefig(folder / "bouncing_ball.png")
    print(f"{len(hits)} bounces in 3 s, at {', '.join(f'{t:.4f}' for t in hits)} s")
    print(f"largest difference from the closed-form solution: {np.abs(hits - exact).max():.1e} s")
    print(f"plot:  {folder / 'bouncing_ball.png'}")
    return solution


if __name__ == "__main__":
    main()
