"""A speed controller of a DC drive, tuned by ITAE: exact gradients through the limit of the voltage.

The integral of time times error rewards a fast response that settles; constraints keep the overshoot, and what
heats the motor while it starts, in bounds.
"""

from pathlib import Path

import matplotlib.pyplot as plt

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Drive(tg.Component):
    """Motor, load and a PI controller that turns them at 100 rad/s."""

    wanted = blocks.Constant(k=100.0)
    pi = blocks.LimPID(controller_type="PI", k=0.1, Ti=1.0, y_max=12.0)
    source = el.SignalVoltage()
    r = el.Resistor(R=1.2)
    coil = el.Inductor(L=3e-3, i=tg.variable(start=0.0, fixed=True))
    emf = el.EMF(k=0.06)
    load = rot.Inertia(J=2e-3, w=tg.variable(start=0.0, fixed=True))
    bearing = rot.Damper(d=2e-4)
    housing = rot.Fixed()
    speed = rot.SpeedSensor()
    ground = el.Ground()

    def connections(self):
        yield self.wanted.y, self.pi.u_s
        yield self.speed.w, self.pi.u_m
        yield self.pi.y, self.source.u
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.load.flange_a, self.bearing.flange_a, self.speed.flange
        yield self.bearing.flange_b, self.housing.flange


def main() -> None:
    """Tune, and compare with the first guess."""
    model = tg.compile(Drive())
    best = tg.optimize(
        model,
        stop=3.0,
        minimize=tg.integral("time * abs(wanted.y - load.w)"),
        variables={"pi.k": (0.01, 10.0), "pi.Ti": (0.05, 5.0)},
        subject_to=[tg.overshoot("load.w", final=100.0) <= 0.02, tg.rms("coil.i", stop=0.5) <= 6.0],
    )
    print(best)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    before = model.simulate(3.0)
    after = best.solution
    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(8.0, 5.0), layout="constrained")
    for axis, name, unit in zip(axes, ("load.w", "coil.i"), ("rad/s", "A"), strict=True):
        axis.plot(before.time, before[name], color="0.6", label="before")
        axis.plot(after.time, after[name], label="tuned")
        axis.set_ylabel(f"{name} [{unit}]")
        axis.grid(alpha=0.3)
        axis.legend()
    axes[1].set_xlabel("time [s]")
    figure.savefig(output / "tune_controller.png", dpi=150)
    best.plot().savefig(output / "tune_controller_search.png", dpi=150)
    print(f"plot: {output / 'tune_controller.png'}")


if __name__ == "__main__":
    main()
