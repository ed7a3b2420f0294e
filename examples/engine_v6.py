"""A V6 engine in space: six cranks on one shaft, six closed loops and gas forces; it starts, fires and runs up.

All axes of a loop are parallel, so three of its five closures repeat others: nobody has to say so, and nobody says
which joint is to be cut. The gas in each cylinder acts on the flange of its slide; a brake is on the shaft.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from tellegen.library import translational

CRANK = 0.045
ROD = 0.15
BORE = 0.09
CLEARANCE = 0.012
SPACING = 0.11
BANKS = np.deg2rad([30.0, -30.0, 30.0, -30.0, 30.0, -30.0])
FIRING = np.deg2rad([0.0, 120.0, 240.0, 360.0, 480.0, 600.0])
"""Angles of the crankshaft at which the cylinders fire: every 120 degrees of the two turns."""


class Gas(tg.Component):
    """The gas of a four-stroke engine: polytropic while the valves are shut, burnt from the dead centre on.

    In every other turn the valves are open, and the pressure is that of the surroundings.
    """

    piston = translational.Flange("moves with the piston")
    shaft = tg.input("rad", "angle of the crankshaft")
    fires = tg.parameter(0.0, "rad", "angle of the crankshaft at ignition")
    top = tg.parameter(CRANK + ROD, "m", "position of the piston at the dead centre")
    heat = tg.parameter(1.5, "1", "rise of the pressure by combustion, relative to that without")
    over = tg.variable("bar", "pressure above that of the surroundings")
    shut = tg.variable("1", "1 with the valves shut, 0 with the valves open")
    burnt = tg.variable("1", "1 after combustion")

    def equations(self) -> Iterator[Any]:
        """The work of a cycle comes from `burnt`, which is 0 before the dead centre and 1 after it."""
        half = 0.5 * (self.shaft - self.fires)
        height = CLEARANCE + self.top - self.piston.s
        squeezed = ((CLEARANCE + 2 * CRANK) / height) ** 1.32
        yield self.shut == 0.5 * (1 + tg.tanh(8 * tg.cos(half)))
        yield self.burnt == 0.5 * (1 + tg.tanh(12 * (tg.sin(half) * tg.cos(half) - 0.05)))
        yield self.over == 1e5 * self.shut * (squeezed * (1 + self.heat * self.burnt) - 1)
        yield self.piston.f == self.over * (np.pi * BORE**2 / 4)


class Cylinder(tg.Component):
    """Crank, rod, piston and gas. The axis of the shaft is x, the cylinder is tilted from z about it."""

    shaft = mb.Frame("on the crankshaft")
    block = mb.Frame("on the engine, in the axis of the shaft")
    pin = tg.parameter(0.0, "rad", "angle of the crank on the shaft")
    tilt = tg.parameter(0.0, "rad", "angle of the cylinder")

    web = mb.FixedRotation(n=[1, 0, 0], angle=pin)
    crank = mb.BodyShape(
        r=[0, 0, CRANK], r_CM=[0, 0, 0.01], m=1.5, I_11=2e-3, I_22=2e-3, I_33=2e-3, color="#55606c", width=0.035
    )
    big_end = mb.Revolute(n=[1, 0, 0])
    rod = mb.BodyShape(
        r=[0, 0, ROD], r_CM=[0, 0, 0.05], m=0.6, I_11=1.5e-3, I_22=1.5e-3, I_33=1e-4, color="#c98a2b", width=0.022
    )
    small_end = mb.Revolute(n=[1, 0, 0])
    bank = mb.FixedRotation(n=[1, 0, 0], angle=tilt)
    slide = mb.Prismatic(n=[0, 0, 1], use_flange=True, s=tg.variable(start=ROD), animation=False)
    piston = mb.BodyCylinder(r=[0, 0, 0.06], diameter=BORE, density=1100.0, color="#a9bdd0")
    gas = Gas()

    def connections(self) -> Iterator[Any]:
        """Once around the loop, and the gas on the piston."""
        yield self.shaft, self.web.frame_a
        yield self.web.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.big_end.frame_a
        yield self.big_end.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.small_end.frame_a
        yield self.small_end.frame_b, self.piston.frame_a
        yield self.block, self.bank.frame_a
        yield self.bank.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.piston.frame_a
        yield self.slide.axis, self.gas.piston


class Engine(tg.Component):
    """Six cylinders along a shaft, which a brake holds back."""

    world = mb.World(n=[0, 0, -1], animation=False)
    bearing = mb.Revolute(
        n=[1, 0, 0], use_flange=True, phi=tg.variable(start=0.6, fixed=True), w=tg.variable(start=40.0, fixed=True)
    )
    flywheel = mb.BodyCylinder(r=[-0.03, 0, 0], diameter=0.3, density=7700.0, color="#4477bb")
    mounts = mb.FixedTranslation.array(6, r=[[SPACING * (k + 1), 0, 0] for k in range(6)], animation=False)
    throws = mb.FixedTranslation.array(6, r=[[SPACING * (k + 1), 0, 0] for k in range(6)], width=0.03)
    cylinders = Cylinder.array(6, pin=BANKS - FIRING, tilt=BANKS)
    brake = rot.Damper(d=0.35)
    wall = rot.Fixed()

    def equations(self) -> Iterator[Any]:
        """Every cylinder knows the angle of the shaft; when it fires follows from its crank."""
        yield self.cylinders.gas.shaft == self.bearing.phi

    def connections(self) -> Iterator[Any]:
        """Along the shaft and along the block."""
        yield self.world.frame_b, self.bearing.frame_a
        yield self.bearing.frame_b, self.flywheel.frame_a
        for k in range(6):
            yield self.bearing.frame_b, self.throws[k].frame_a
            yield self.world.frame_b, self.mounts[k].frame_a
        yield self.throws.frame_b, self.cylinders.shaft
        yield self.mounts.frame_b, self.cylinders.block
        yield self.bearing.axis, self.brake.flange_a
        yield self.brake.flange_b, self.wall.flange


def start_values() -> dict[str, Any]:
    """Where rods and pistons are at the angle at which the shaft starts; guesses would do as well."""
    turned = 0.6 - FIRING
    rods = -np.arcsin(CRANK * np.sin(turned) / ROD)
    return {
        "cylinders.big_end.phi": rods - turned,
        "cylinders.slide.s": CRANK * np.cos(turned) + ROD * np.cos(rods),
    }


def firing() -> Engine:
    """The engine with its cylinders one after the other."""
    engine = Engine()
    engine.cylinders.gas.fires = FIRING
    return engine


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Run up against the brake, print a summary, plot, and write an animation."""
    solution = tg.simulate(firing(), stop=1.0, points=2001, initial=start_values())
    folder.mkdir(parents=True, exist_ok=True)
    figure = solution.plot("bearing.w [rpm]", "cylinders.gas.over")
    figure.savefig(folder / "engine_v6.png", dpi=150)
    solution.at(np.linspace(0.8, 0.9, 201)).animate(folder / "engine_v6.html")
    print(f"{solution['bearing.w [rpm]'][-1]:.0f} rpm after 1 s, {solution.stats['steps']} steps")
    print(f"written: {folder / 'engine_v6.png'} and {folder / 'engine_v6.html'}")
    return solution


if __name__ == "__main__":
    main()
