"""A second opinion: a model is written as Modelica, and another compiler simulates that text.

The crane's trolley is pulled by a motor; its load swings. The text goes to demo_output/. If rumoca, a Modelica compiler
that shares nothing with Tellegen, is installed (`pip install rumoca`), its curves are drawn over ours.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import translational as tr


class Swinging(tg.Component):
    """A load on a rope below a trolley."""

    flange = tr.Flange()
    m = tg.parameter(40.0, "kg", "mass of the load")
    length = tg.parameter(3.0, "m", "length of the rope", min=0.1)
    g = tg.parameter(9.81, "m/s2", "gravity")
    s = tg.variable("m", "position of the trolley")
    v = tg.variable("m/s", "velocity of the trolley")
    phi = tg.variable("rad", "angle of the rope", start=0.0, fixed=True)
    w = tg.variable("rad/s", "its derivative", start=0.0, fixed=True)

    def equations(self):
        yield self.s == self.flange.s
        yield self.v == tg.der(self.s)
        yield self.w == tg.der(self.phi)
        yield self.length * tg.der(self.w) == -self.g * tg.sin(self.phi) - tg.der(self.v) * tg.cos(self.phi)
        pull = self.length * (tg.der(self.w) * tg.cos(self.phi) - self.w**2 * tg.sin(self.phi))
        yield self.flange.f == self.m * (tg.der(self.v) + pull)


class Crane(tg.Component):
    """Supply, motor, drum, trolley and load."""

    supply = el.StepVoltage(V=48.0, start_time=0.5)
    winding = el.Resistor(R=0.4)
    motor = el.EMF(k=0.35)
    rotor = rot.Inertia(J=0.02)
    drum = rot.IdealGearR2T(ratio=12.0)
    trolley = tr.Mass(m=60.0)
    friction = tr.Damper(d=80.0)
    rail = tr.Fixed()
    load = Swinging()
    ground = el.Ground()

    def connections(self):
        yield self.supply.p, self.winding.p
        yield self.winding.n, self.motor.p
        yield self.supply.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.drum.flange_r
        yield self.drum.flange_t, self.trolley.flange_a
        yield self.trolley.flange_b, self.friction.flange_a, self.load.flange
        yield self.friction.flange_b, self.rail.flange


SHOWN = ("trolley.v", "load.phi", "winding.i")


def main() -> None:
    """Write both texts, simulate, and compare."""
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    text = tg.write_modelica(Crane(), output / "second_opinion.mo", name="SecondOpinion")
    tg.write_vhdl_ams(Crane(), output / "second_opinion.vhd")
    ours = tg.simulate(Crane(), stop=8.0, rtol=1e-8)
    figure, axes = plt.subplots(len(SHOWN), sharex=True, figsize=(7, 6))
    for name, axis in zip(SHOWN, axes, strict=True):
        axis.plot(ours.time, ours[name], label="Tellegen")
        axis.set_ylabel(f"{name} [{ours.unit(name)}]")
    if find_spec("rumoca") is not None:
        _draw_other(text, ours, axes)
    axes[0].legend(loc="best")
    axes[-1].set_xlabel("time [s]")
    figure.savefig(output / "second_opinion.png", dpi=150)
    print(f"texts: {output / 'second_opinion.mo'}, {output / 'second_opinion.vhd'}")
    print(f"plot:  {output / 'second_opinion.png'}")


def _draw_other(text: str, ours: tg.Solution, axes: np.ndarray) -> None:
    import rumoca

    model = rumoca.Session().loads(text, model="SecondOpinion.Crane")
    other = model.simulate(t=(0.0, 8.0), dt=0.1, config=rumoca.SimConfig(rtol=1e-8, atol=1e-10))
    kept = np.abs(np.asarray(other.time) - 0.5) > 1e-6  # at the step there are two values
    times = np.asarray(other.time)[kept]
    at_times = ours.at(times)
    for name, axis in zip(SHOWN, axes, strict=True):
        theirs = np.asarray(other[name])[kept]
        axis.plot(times, theirs, ".", label="rumoca")
        apart = np.abs(theirs - at_times[name]).max() / np.abs(theirs).max()
        print(f"{name}: at most {apart:.1e} apart, relative to its peak")


if __name__ == "__main__":
    main()
