"""The gear ratio for the fastest move, and motor and gear chosen from a catalogue.

A motor of limited torque turns a load by one radian: it accelerates, then brakes as hard, and the run ends when the
load has stopped. Without losses the best ratio matches the inertias, n = sqrt(J_load / J_motor). Then three motors and
four gears are on sale.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import rotational as rot


class Move(tg.Component):
    """A move by a given angle, from standstill to standstill."""

    torque = tg.parameter(0.5, "N.m", "maximum torque of the motor")
    angle = tg.parameter(1.0, "rad", "travel of the load")
    drive = rot.Torque()
    rotor = rot.Inertia(J=2e-4)
    gear = rot.IdealGear(ratio=3.0)
    load = rot.Inertia(J=8e-3, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))

    def connections(self):
        yield self.drive.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a

    def equations(self):
        half = 0.5 * self.angle
        yield self.drive.tau == tg.where(self.load.phi < half, self.torque, -self.torque)
        yield tg.when((self.load.w < 0) & (self.load.phi > half), tg.terminate("stopped"))


MOTORS = [
    {"name": "small", "rotor.J": 1e-4, "torque": 0.3},
    {"name": "middle", "rotor.J": 3e-4, "torque": 0.6},
    {"name": "large", "rotor.J": 2e-3, "torque": 1.0},
]


def main() -> None:
    """The best ratio by gradients, then the best pair of the catalogue."""
    model = tg.compile(Move())
    best = tg.optimize(model, stop=5.0, minimize=tg.final("time"), variables={"gear.ratio": (1.0, 30.0)})
    print(best)
    print(f"n = sqrt(J_load / J_motor) = {np.sqrt(8e-3 / 2e-4):.6g}")
    chosen = tg.optimize(
        model,
        stop=5.0,
        minimize=tg.final("time"),
        choices={"motor": MOTORS, "gear.ratio": [3.0, 5.0, 8.0, 12.0]},
        subject_to=[tg.peak("rotor.w") <= 60.0],
    )
    print(chosen)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    ratios = np.geomspace(1.5, 25.0, 40)
    times = [model.simulate(5.0, parameters={"gear.ratio": n}).time[-1] for n in ratios]
    figure, axis = plt.subplots(figsize=(7.0, 4.0), layout="constrained")
    axis.semilogx(ratios, times)
    axis.plot(best.variables["gear.ratio"], best.objective, "o", label=f"optimum after {best.runs} runs")
    axis.set_xlabel("gear ratio")
    axis.set_ylabel("time of the move [s]")
    axis.grid(alpha=0.3, which="both")
    axis.legend()
    figure.savefig(output / "gear_ratio.png", dpi=150)
    print(f"plot: {output / 'gear_ratio.png'}")


if __name__ == "__main__":
    main()
