"""A drive with an elastic shaft that follows its reference without an error: feed-forward by the inverse of its model.

A controller that waits for an error is late. The model of the drive knows which voltage turns the load as wanted: its
inverse is computed from the same component, by giving the speed of the load and finding the voltage of the source. The
speed has to be differentiated three times until the voltage appears, so the reference goes through a filter of third
order. A PI controller alone, as fast as the shaft permits, is compared with both together; in the last run the load is
20 % heavier than the inverse believes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Drive(tg.Component):
    """A DC motor turns a load through an elastic shaft."""

    source = el.SignalVoltage()
    v = tg.input("V", "voltage of the source")
    resistor = el.Resistor(R=2.4)
    inductor = el.Inductor(L=4.8e-3)
    emf = el.EMF(k=0.04)
    ground = el.Ground()
    rotor = rot.Inertia(J=1e-4)
    shaft = rot.SpringDamper(c=5.0, d=0.01)
    load = rot.Inertia(J=1e-3)

    def connections(self) -> Iterator[Any]:
        """A circuit and a drive train."""
        yield self.v, self.source.u
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.inductor.p
        yield self.inductor.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.shaft.flange_a
        yield self.shaft.flange_b, self.load.flange_a


class Loop(tg.Component):
    """The drive, the inverse of its model and a PI controller; `forward` switches the inverse on."""

    forward = tg.parameter(1.0, description="share of the feed-forward")
    reference = blocks.Pulse(amplitude=100.0, period=0.8, start_time=0.1)
    inverse = tg.inverse(Drive(), given={"load.w": "w"}, find={"v": "v"}, filter=tg.bessel(order="auto", cutoff="5 Hz"))
    drive = Drive()
    pi = blocks.PI(k=0.8, T=0.3)
    error = tg.variable("rad/s", "wanted speed less speed")

    def connections(self) -> Iterator[Any]:
        """The reference enters the filter of the inverse."""
        yield self.reference.y, self.inverse.w

    def equations(self) -> Iterator[Any]:
        """The voltage is the sum of what the inverse finds and what feedback asks for."""
        yield self.error == self.inverse.plant.load.w - self.drive.load.w
        yield self.pi.u == self.error
        yield self.drive.v == self.forward * self.inverse.v + self.pi.y


def main() -> None:
    """Run the three loops and draw them."""
    inverse = Loop().inverse
    print(inverse.relative_degrees[0])
    print(tg.zero_dynamics(inverse))
    loop = tg.compile(Loop())
    runs = {
        "PI alone": loop.simulate(1.6, rtol=1e-8, parameters={"forward": 0.0}),
        "with feed-forward": loop.simulate(1.6, rtol=1e-8),
        "load 20 % heavier": loop.simulate(1.6, rtol=1e-8, parameters={"drive.load.J": 1.2e-3}),
    }
    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8.0, 6.0))
    wanted = runs["with feed-forward"]
    above.plot(wanted.time, wanted["inverse.plant.load.w"], "k:", label="wanted")
    for name, run in runs.items():
        print(f"{name:20s} largest error {np.abs(run['error']).max():.2g} rad/s")
        above.plot(run.time, run["drive.load.w"], label=name)
        below.plot(run.time, run["drive.v"], label=name)
    above.set_ylabel("speed of the load [rad/s]")
    above.legend(loc="upper right")
    below.set_ylabel("voltage [V]")
    below.set_xlabel("time [s]")
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "feed_forward.png", dpi=110)
    print("see", folder / "feed_forward.png")


if __name__ == "__main__":
    main()
