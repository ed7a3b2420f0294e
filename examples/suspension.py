"""The suspension of a car: comfort against grip, and what can be chosen from.

A quarter of a car on a rough road. The soft suspension is comfortable and lets the wheel dance, the hard one holds the
wheel on the road and shakes the driver. The road is white noise of velocity (ISO 8608); by Parseval the mean square of
a signal is then the integral of its square after a step of the road, so that a single short run gives what minutes of
random road would only approach.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import translational as tr


def at_rest(m: float) -> tr.Mass:
    """A mass that starts at position and velocity zero."""
    return tr.Mass(m=m, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))


class QuarterCar(tg.Component):
    """Body and wheel, spring and damper between them, the tyre below. The road jumps up by a metre at the start."""

    body = at_rest(300.0)
    wheel = at_rest(40.0)
    strut = tr.SpringDamper(c=2e4, d=1500.0)
    tyre = tr.Spring(c=1.8e5)
    road = tr.Fixed(s0=1.0)

    def connections(self):
        yield self.road.flange, self.tyre.flange_a
        yield self.tyre.flange_b, self.wheel.flange_a
        yield self.wheel.flange_b, self.strut.flange_a
        yield self.strut.flange_b, self.body.flange_a


STOP = 8.0  # when all motion has decayed
# m^3 (a road of class C), m/s, 1/m
ROUGHNESS = 256e-6
SPEED = 20.0
N0 = 0.1
INTENSITY = 0.5 * (2 * np.pi * N0) ** 2 * ROUGHNESS * SPEED  # of the white noise, m^2/s


def on_a_rough_road(signal: str) -> tg.Performance:
    """The root mean square of a signal on the random road."""
    return tg.sqrt(INTENSITY * tg.integral(f"({signal})**2"))


COMFORT, GRIP, TRAVEL = (on_a_rough_road(signal) for signal in ("body.a", "tyre.f", "strut.s_rel"))
BOUNDS = {"strut.c": (5e3, 8e4), "strut.d": (500.0, 6000.0)}


def main() -> None:
    """The front by gradients, once more with less travel, and by a population if pymoo is installed."""
    model = tg.compile(QuarterCar())
    request = {"minimize": {"acceleration [m/s2]": COMFORT, "tyre force [N]": GRIP}, "variables": BOUNDS, "stop": STOP}
    front = tg.pareto(model, **request, designs=10)
    print(front)
    print("a compromise:", front.compromise)
    short = tg.pareto(model, **request, subject_to=[1e3 * TRAVEL <= 11.0], designs=6)
    print(short)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.2), layout="constrained")
    axes[0].plot(*front.values.T, "o-", label=f"front, {front.runs} runs")
    axes[0].plot(*short.values.T, "s-", ms=4, label="with less than 11 mm of travel")
    try:
        crowd = tg.pareto(model, **request, designs=24, method="nsga2", max_iterations=10)
        axes[0].plot(*crowd.values.T, "x", color="0.5", label=f"NSGA-II, {crowd.runs} runs")
    except tg.DesignError as error:  # pymoo is optional
        print(error.message)
    axes[0].set_xlabel("acceleration of the body, rms [m/s2]")
    axes[0].set_ylabel("force between tyre and road, rms [N]")
    axes[0].legend()
    for name, design in (("comfort", front[0]), ("compromise", front.compromise), ("grip", front[-1])):
        axes[1].plot(design.solution.time, design.solution["body.s"], label=name)
    axes[1].set_xlim(0.0, 3.0)
    axes[1].set_xlabel("time after a step of the road [s]")
    axes[1].set_ylabel("body.s [m]")
    axes[1].legend()
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.savefig(output / "suspension.png", dpi=150)
    print(f"plot: {output / 'suspension.png'}")


if __name__ == "__main__":
    main()
