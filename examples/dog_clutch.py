"""A dog clutch engages at speed: an impulse of torque makes the shafts turn together at once.

A motor shaft at 150 rad/s is engaged with a standing shaft that drives a flywheel through a gear. The clutch only says
that its relative speed becomes zero. Which speed the shafts then have follows from all that turns with them: the
impulse of the clutch acts on both sides, the gear passes it on, and the angular momentum referred to the clutch is the
same before and after. The energy is not: what is missing has gone into the teeth.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import rotational as rot


class DogClutch(tg.Component):
    """Two shafts that are engaged at an instant, at whatever difference of speed, and released again."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()
    engage = tg.parameter("0.5 s", "s", "time at which it engages")
    release = tg.parameter("1.5 s", "s", "time at which it is released")
    phi = tg.variable("rad", "relative angle", start=0.0, fixed=True)
    w = tg.variable("rad/s", "relative speed")
    tau = tg.variable("N.m", "torque on flange_b")

    def equations(self) -> Iterator[Any]:
        """No torque, or no relative acceleration; at the transition the relative speed becomes zero."""
        yield self.phi == self.flange_b.phi - self.flange_a.phi
        yield self.w == tg.der(self.phi)
        yield self.flange_a.tau == -self.tau
        yield self.flange_b.tau == self.tau
        is_wanted = (tg.time > self.engage) & (tg.time < self.release)
        yield tg.modes(
            tg.mode("open", self.tau == 0.0),
            tg.mode("engaged", tg.der(self.w) == 0.0),
            tg.transition("open", "engaged", is_wanted, tg.reinit(self.w, 0.0)),
            tg.transition("engaged", "open", ~is_wanted),
        )


class Gearbox(tg.Component):
    """Motor shaft, dog clutch, gear, flywheel; bearings slow down what turns freely."""

    motor = rot.Inertia(J=0.02, w=tg.variable(start=150.0, fixed=True), phi=tg.variable(start=0.0, fixed=True))
    clutch = DogClutch()
    shaft = rot.Inertia(J=0.005, w=tg.variable(start=0.0, fixed=True))
    gear = rot.IdealGear(ratio=3.0)
    flywheel = rot.Inertia(J=0.4)
    bearing = rot.Damper(d=0.2)
    housing = rot.Fixed()

    def connections(self) -> Iterator[Any]:
        """From left to right."""
        yield self.motor.flange_b, self.clutch.flange_a
        yield self.clutch.flange_b, self.shaft.flange_a
        yield self.shaft.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.flywheel.flange_a
        yield self.flywheel.flange_b, self.bearing.flange_a
        yield self.bearing.flange_b, self.housing.flange


def simulate() -> tg.Solution:
    """Engaged after half a second, released a second later."""
    return tg.simulate(Gearbox(), stop=2.0, rtol=1e-8)


def momentum(solution: tg.Solution) -> Any:
    """Angular momentum referred to the clutch."""
    driven = 0.005 * solution["shaft.w"] + 0.4 * solution["flywheel.w"] / 3.0
    return 0.02 * solution["motor.w"] + driven


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate, draw the speeds and say what is conserved."""
    import matplotlib.pyplot as plt

    solution = simulate()
    before, after = np.flatnonzero(solution.time == 0.5)[[0, -1]]
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    axes.plot(solution.time, solution["motor.w"], label="motor shaft")
    axes.plot(solution.time, solution["shaft.w"], label="driven shaft")
    axes.plot(solution.time, solution["flywheel.w"], label="flywheel")
    axes.set(xlabel="time / s", ylabel="speed / (rad/s)", xlim=(0, 2))
    axes.legend(loc="upper right")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "dog_clutch.png"
    figure.savefig(target, dpi=110)
    total = momentum(solution)
    print(f"speed after engaging: {solution['motor.w'][after]:.4f} rad/s")
    print(f"momentum: {total[before]:.6f} kg m2/s before, {total[after]:.6f} after")
    print(f"plot:  {target}")
    return solution


if __name__ == "__main__":
    main()
