"""A four-bar linkage swings under gravity for a minute: no drift, and a few frames of the motion.

Three bars and four hinges form a closed loop. Guesses for some of the angles say in which of its two shapes it is
assembled; that of the crank is given. The length of the coupler is an equation and holds as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import planar


class FourBar(tg.Component):
    """Crank, coupler and rocker between two bearings a metre apart."""

    world = planar.PlanarWorld()
    left = planar.Fixed()
    right = planar.Fixed(r=[1.0, 0.0])
    a = planar.Revolute(phi=tg.variable(start="70 deg", fixed=True), w=tg.variable(start=6.0, fixed=True))
    crank = planar.BodyShape(r_ab=[0.3, 0.0], m=1.0, I=0.0075)
    b = planar.Revolute(phi=tg.variable(start="-45 deg"))
    coupler = planar.BodyShape(r_ab=[0.9, 0.0], m=0.6, I=0.0405)
    c = planar.Revolute()
    rocker = planar.BodyShape(r_ab=[0.7, 0.0], m=0.5, I=0.0204)
    d = planar.Revolute(phi=tg.variable(start="100 deg"))

    def connections(self) -> Iterator[Any]:
        """Once around the loop; the rocker is mounted on the right bearing."""
        yield self.left.frame, self.a.frame_a
        yield self.a.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.b.frame_a
        yield self.b.frame_b, self.coupler.frame_a
        yield self.coupler.frame_b, self.c.frame_a
        yield self.c.frame_b, self.rocker.frame_b
        yield self.rocker.frame_a, self.d.frame_b
        yield self.d.frame_a, self.right.frame


def joints(solution: tg.Solution) -> Any:
    """The four joints over time: one row for each instant, joint and coordinate."""
    frames = ("crank.frame_a", "crank.frame_b", "rocker.frame_b", "rocker.frame_a")
    return np.stack([[solution[f"{frame}.{axis}"] for axis in "xy"] for frame in frames]).transpose(2, 0, 1)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate, print the constraint error, plot the trajectories and one turn of the crank."""
    solution = tg.simulate(FourBar(), stop=60.0, rtol=1e-8, points=6001)
    folder.mkdir(parents=True, exist_ok=True)
    points = joints(solution)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for k in range(0, 80, 8):
        axes[0].plot(*points[k].T, "o-", color="C0", alpha=0.2 + k / 100, lw=2, ms=4)
    middle = 0.5 * (points[:80, 1] + points[:80, 2])
    axes[0].plot(*middle.T, color="C1", lw=1)
    axes[0].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="the first turn, and the path of the coupler")
    first = solution.time < 3.0
    axes[1].plot(solution.time[first], solution["crank.w"][first], label="crank")
    axes[1].plot(solution.time[first], solution["rocker.w"][first], label="rocker")
    axes[1].set(xlabel="time [s]", ylabel="angular velocity [rad/s]")
    axes[1].legend()
    figure.savefig(folder / "four_bar.png", dpi=110)
    coupler = np.linalg.norm(points[:, 2] - points[:, 1], axis=1)
    print(f"{solution['a.phi'][-1] / (2 * np.pi):.1f} turns; the coupler keeps its length to {np.ptp(coupler):.1e} m")
    print(f"plot:  {folder / 'four_bar.png'}")
    return solution


if __name__ == "__main__":
    main()
