"""Four controllers that contain the model of their plant, against a PI controller alone: the speed of a fan.

A motor turns a fan, whose drag grows with the square of the speed; the speed follows a reference that changes in steps
through the same filter for all, while a wind presses on the fan from 1.2 s on and the drag is 10 % larger than the
model says. Each controller is made of the same inverse model, which is made of the same motor:

- two degrees of freedom: feed-forward by the inverse, feedback by the PI controller,
- model following: the same with a block that says how the speed is to follow,
- feedback linearization: speed and acceleration are measured, and the fan behaves like two integrators,
- disturbance observer: wind and the wrong drag are seen as a voltage and compensated, besides the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks


class Fan(tg.Component):
    """A DC motor with a fan."""

    v = tg.input("V", "voltage")
    wind = tg.input("N.m", "torque of the wind")
    R = tg.parameter(1.2, "ohm", "resistance")
    L = tg.parameter(20e-3, "H", "inductance")
    k = tg.parameter(0.05, "N.m/A", "torque constant")
    J = tg.parameter(2e-4, "kg.m2", "inertia")
    b = tg.parameter(2e-5, "N.m.s2/rad2", "drag")
    i = tg.variable("A", "current", start=0.0, fixed=True)
    w = tg.variable("rad/s", "speed", start=0.0, fixed=True)
    a = tg.variable("rad/s2", "acceleration")

    def equations(self) -> Iterator[Any]:
        """A circuit and a shaft."""
        yield self.L * tg.der(self.i) == self.v - self.R * self.i - self.k * self.w
        yield self.a == tg.der(self.w)
        yield self.J * self.a == self.k * self.i - self.b * self.w * abs(self.w) - self.wind


def inverse() -> Any:
    """The voltage for a wanted speed without wind."""
    return tg.inverse(Fan(wind=0.0), given={"w": "w"}, find={"v": "v"}, filter=tg.critical_damping(cutoff="4 Hz"))


def pi() -> blocks.PI:
    """The same in all loops: as fast as a damping ratio of 0.4 permits."""
    return blocks.PI(k=0.3, T=0.1)


class Loops(tg.Component):
    """The loops side by side; each has its own fan."""

    reference = blocks.Pulse(amplitude=60.0, period=0.8, start_time=0.1)
    wind = blocks.Step(height=0.02, start_time=1.2)
    smooth = blocks.Filter(analog_filter="critical_damping", order=2, f_cut=4.0)
    alone = pi()
    two = tg.two_degrees_of_freedom(inverse(), pi())
    following = tg.model_following(inverse(), blocks.Filter(analog_filter="critical_damping", order=2, f_cut=4.0), pi())
    linear = tg.feedback_linearization(inverse(), pole=60.0)
    observer = tg.disturbance_observer(inverse())
    command = tg.two_degrees_of_freedom(inverse(), pi())

    def build(self) -> None:
        """Fans with more drag than the models have."""
        for name in ("fan_alone", "fan_two", "fan_following", "fan_linear", "fan_observer"):
            setattr(self, name, Fan(b=2.2e-5))

    def connections(self) -> Iterator[Any]:
        """One reference and one wind for all."""
        fans = (self.fan_alone, self.fan_two, self.fan_following, self.fan_linear, self.fan_observer)
        yield self.reference.y, self.smooth.u, self.two.r, self.following.r, self.linear.r, self.command.r
        yield self.wind.y, *(fan.wind for fan in fans)
        yield self.alone.y, self.fan_alone.v
        yield self.command.u, self.observer.r
        for loop, fan in zip((self.two, self.following, self.linear, self.observer), fans[1:], strict=True):
            yield loop.u, fan.v

    def equations(self) -> Iterator[Any]:
        """Speeds are measured."""
        yield self.alone.u == self.smooth.y - self.fan_alone.w
        yield self.two.y == self.fan_two.w
        yield self.following.y == self.fan_following.w
        yield self.linear.y == self.fan_linear.w
        yield self.linear.der_y == self.fan_linear.a
        yield self.observer.y == self.fan_observer.w
        yield self.command.y == self.fan_observer.w


def main() -> None:
    """Run, compare, draw."""
    run = tg.simulate(Loops(), 2.0, rtol=1e-7)
    names = {
        "fan_alone": "PI alone",
        "fan_two": "two degrees of freedom",
        "fan_following": "model following",
        "fan_linear": "feedback linearization",
        "fan_observer": "disturbance observer",
    }
    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8.0, 6.0), layout="constrained")
    above.plot(run.time, run["smooth.y"], "k:", label="wanted")
    before = None
    for path, name in names.items():
        error = run["smooth.y"] - run[f"{path}.w"]
        size = float(np.sqrt(np.mean(error**2)))
        before = before or size
        print(f"{name:24s} rms error {size:6.2f} rad/s, {before / size:5.1f} times less than PI alone")
        above.plot(run.time, run[f"{path}.w"], label=name)
        below.plot(run.time, error, label=name)
    above.set_ylabel("speed [rad/s]")
    above.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize="small", frameon=False)
    below.set_ylabel("error [rad/s]")
    below.set_xlabel("time [s]")
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "model_based_control.png", dpi=110)
    print("see", folder / "model_based_control.png")


if __name__ == "__main__":
    main()
