"""A car pulls away and shifts: an engine, two clutches with their gears, and a vehicle.

The clutch of the first gear is closed slowly, slips, sticks; then it is opened while the one of the second gear is
closed. Which clutch slips and which sticks is found at every event from the torques; no mode is prescribed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import rotational as rot


class DriveTrain(tg.Component):
    """Engine, two parallel paths of clutch and gear, a vehicle with friction; all as seen by the wheels' shaft."""

    engine = rot.ConstantTorque(tau_constant=150.0)
    losses = rot.BearingFriction(tau_Coulomb=10.0, tau_prop=0.2)
    crank = rot.Inertia(J=0.3, w=tg.variable(start=100.0, fixed=True))
    first = rot.Clutch(mu=0.3, fn_max=8e3, cgeo=0.15)
    second = rot.Clutch(mu=0.3, fn_max=8e3, cgeo=0.15)
    low = rot.IdealGear(ratio=10.0)
    high = rot.IdealGear(ratio=5.0)
    vehicle = rot.Inertia(J=120.0, w=tg.variable(start=0.0, fixed=True))
    road = rot.BearingFriction(tau_Coulomb=60.0, tau_prop=4.0, peak=1.2)
    press_first = blocks.Table(times=[0.0, 0.5, 2.5, 5.0, 5.2], values=[0.0, 0.0, 1.0, 1.0, 0.0])
    press_second = blocks.Table(times=[0.0, 5.0, 6.0], values=[0.0, 0.0, 1.0])

    def connections(self) -> Iterator[Any]:
        """Both clutches sit on the crank shaft, both gears on that of the wheels."""
        yield self.engine.flange, self.crank.flange_a, self.losses.flange_a
        yield self.crank.flange_b, self.first.flange_a, self.second.flange_a
        yield self.first.flange_b, self.low.flange_a
        yield self.second.flange_b, self.high.flange_a
        yield self.low.flange_b, self.high.flange_b, self.vehicle.flange_a
        yield self.vehicle.flange_b, self.road.flange_a
        yield self.press_first.y, self.first.f_normalized
        yield self.press_second.y, self.second.f_normalized


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate ten seconds and plot speeds, torques and modes."""
    solution = tg.simulate(DriveTrain(), stop=10.0, points=2001)
    figure, axes = plt.subplots(3, 1, figsize=(8, 7), sharex=True, layout="constrained")
    axes[0].plot(solution.time, solution["crank.w"], label="engine")
    axes[0].plot(solution.time, 10 * solution["vehicle.w"], "--", label="10 x wheels")
    axes[0].plot(solution.time, 5 * solution["vehicle.w"], "--", label="5 x wheels")
    for clutch in ("first", "second"):
        axes[1].plot(solution.time, solution[f"{clutch}.tau"], label=clutch)
        axes[2].step(solution.time, solution[f"{clutch}.mode"], where="post", label=clutch)
    for axis, label, place in zip(
        axes,
        ("w [rad/s]", "torque [N m]", "mode: 2 open, 0 stuck"),
        ("upper left", "lower right", "right"),
        strict=True,
    ):
        axis.set_ylabel(label)
        axis.legend(loc=place)
    axes[2].set_xlabel("time [s]")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "clutch_drive_train.png", dpi=110)
    locked = {name: solution.time[np.argmax(solution[f"{name}.mode"] == 0)] for name in ("first", "second")}
    ratio = solution["crank.w"][-1] / solution["vehicle.w"][-1]
    print(f"the first clutch sticks at {locked['first']:.3f} s, the second at {locked['second']:.3f} s")
    print(f"at the end engine over wheels is {ratio:.9f}, the gear has 5")
    print(f"{len(solution.events)} events; plot:  {folder / 'clutch_drive_train.png'}")
    return solution


if __name__ == "__main__":
    main()
