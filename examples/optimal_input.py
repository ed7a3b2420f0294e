"""A crane moves its load in the shortest time: the force over time is found, and the end of the run with it.

The trolley carries a load on a rope. It moves four metres from standstill to standstill, the load hangs still at the
end, never swings by more than six degrees, and the trolley stays below its greatest speed. A crane driver who only
speeds up and brakes leaves the load swinging.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg


class Crane(tg.Component):
    """A trolley with a load on a rope; forces of inertia of the swing included."""

    M = tg.parameter(200.0, "kg", "mass of the trolley")
    m = tg.parameter(500.0, "kg", "mass of the load")
    rope = tg.parameter(3.0, "m", "length of the rope")
    g = tg.parameter(9.81, "m/s2")
    force = tg.input("N", "of the drive")
    x = tg.variable("m", "position of the trolley", start=0.0, fixed=True)
    v = tg.variable("m/s", "its speed", start=0.0, fixed=True)
    swing = tg.variable("rad", "angle of the rope", start=0.0, fixed=True)
    rate = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self):
        s = tg.sin(self.swing)
        c = tg.cos(self.swing)
        yield tg.der(self.x) == self.v
        yield tg.der(self.swing) == self.rate
        yield (self.M + self.m) * tg.der(self.v) == self.force - self.m * self.rope * (
            c * tg.der(self.rate) - s * self.rate**2
        )
        yield self.rope * tg.der(self.rate) == -self.g * s - c * tg.der(self.v)


WAY = 4.0
FORCE = 600.0
SPEED = 1.2
SWING = np.radians(6.0)


def main() -> None:
    """The fastest move, and the residual swing of a plain bang-bang move of the same length."""
    best = tg.optimize(
        Crane(),
        stop=(3.0, 12.0),
        minimize=tg.final("time"),
        variables={"force": tg.piecewise(24, -FORCE, FORCE)},
        subject_to=[
            tg.final("x") == WAY,
            tg.final("v") == 0.0,
            tg.final("swing") == 0.0,
            tg.final("rate") == 0.0,
            tg.peak("v") <= SPEED,
            tg.peak("swing") <= SWING,
            tg.lowest("swing") >= -SWING,
        ],
    )
    print(best)
    found = best.solution
    force = best.signals["force"]
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    figure, axes = plt.subplots(3, 1, sharex=True, figsize=(8.0, 6.5), layout="constrained")
    axes[0].plot(*force.corners, "o-", ms=3)
    axes[0].set_ylabel("force [N]")
    axes[1].plot(found.time, found["x"], label="x [m]")
    axes[1].plot(found.time, found["v"], label="v [m/s]")
    axes[1].axhline(SPEED, color="C1", ls=":")
    axes[1].legend()
    axes[2].plot(found.time, np.degrees(found["swing"]))
    for side in (-1.0, 1.0):
        axes[2].axhline(side * np.degrees(SWING), color="C0", ls=":")
    axes[2].set_ylabel("swing [degrees]")
    axes[2].set_xlabel("time [s]")
    axes[0].set_title(f"{WAY:g} m in {best.objective:.2f} s, found in {best.runs} runs")
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.savefig(output / "optimal_input.png", dpi=150)
    best.plot().savefig(output / "optimal_input_search.png", dpi=150)
    print(f"plot: {output / 'optimal_input.png'}")


if __name__ == "__main__":
    main()
