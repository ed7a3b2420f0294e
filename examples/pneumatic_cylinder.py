"""A pneumatic cylinder: a 5/3 valve, throttles in the exhausts, a mass to move, and a tank that gets cold.

A cylinder whose exhaust is throttled runs with a speed that neither load nor supply pressure changes much: air leaves
its chamber with the velocity of sound, so the volume that goes in a second is always the same. The tank that feeds it
cools down while it is emptied, and takes heat from its wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import pneumatic as pn
from tellegen.library import thermal as th
from tellegen.library import translational as tr

C_THROTTLE = 3e-9
D = 0.04
D_ROD = 0.016


class Axis(tg.Component):
    """Out at 0.2 s, back at 2.2 s; the wall of the tank is a lump of steel in a warm room."""

    gas = pn.Gas()
    tank = pn.Volume(V=5e-3, p_start=8e5, G=2.0, use_heat_port=True)
    steel = th.HeatCapacitor(C=900.0, T=tg.variable(start=293.15, fixed=True))
    air = th.ThermalConductor(G=0.5)
    room = th.FixedTemperature()
    signal = blocks.Table(times=[0.0, 0.2, 0.24, 2.2, 2.24], values=[-1.0, -1.0, 1.0, 1.0, -1.0])
    valve = pn.DirectionalValve53(C=3e-8, centre="exhausted")
    exhaust_a = pn.IsoRestriction(C=C_THROTTLE)
    exhaust_b = pn.IsoRestriction(C=C_THROTTLE)
    outside = pn.Ambient()
    cylinder = pn.DoubleActingCylinder(D=D, d_rod=D_ROD, stroke=0.3, G=1.0, d=60.0, F_Coulomb=20.0, p_b_start=8e5)
    load = tr.Mass(m=8.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))

    def connections(self) -> Iterator[Any]:
        """Air, rod, signal, heat."""
        yield self.tank.port, self.valve.port_p
        yield self.valve.port_a, self.cylinder.port_a
        yield self.valve.port_b, self.cylinder.port_b
        yield self.valve.port_r, self.exhaust_a.port_a
        yield self.valve.port_s, self.exhaust_b.port_a
        yield self.exhaust_a.port_b, self.exhaust_b.port_b, self.outside.port
        yield self.cylinder.flange, self.load.flange_a
        yield self.signal.y, self.valve.x
        yield self.tank.heat_port, self.steel.port, self.air.port_a
        yield self.air.port_b, self.room.port


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Two strokes; the speeds against what choked exhausts allow."""
    import matplotlib.pyplot as plt

    solution = tg.simulate(Axis(), 4.5, points=1501)
    area_a = np.pi / 4 * D**2
    area_b = np.pi / 4 * (D**2 - D_ROD**2)
    for name, area in (("out", area_b), ("back", area_a)):
        half = np.flatnonzero(solution["load.s"] > 0.15)  # beyond the middle, first and last
        now = solution.at(solution.time[half[0 if name == "out" else -1]])
        # what a choked exhaust lets through, at the temperature of the chamber, over the area that pushes it
        T = now[f"cylinder.chamber_{'b' if name == 'out' else 'a'}.T"]
        choked = C_THROTTLE * 1.185 * 287.05 * np.sqrt(293.15 * T) / area
        print(f"{name:5s} {abs(now['cylinder.v']):.3f} m/s; a choked exhaust allows {choked:.3f} m/s")
    print(f"coldest gas: {solution['cylinder.chamber_a.T'].min() - 273.15:.0f} degC, in chamber a")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(4, 1, figsize=(8, 10), sharex=True, layout="constrained")
    shown = (
        (1e3, 0.0, "position [mm]", ("load.s",)),
        (1e-5, 0.0, "pressure [bar]", ("tank.p", "cylinder.chamber_a.p", "cylinder.chamber_b.p")),
        (1.0, -273.15, "temperature [degC]", ("tank.T", "cylinder.chamber_a.T", "cylinder.chamber_b.T")),
        (1e3, 0.0, "exhaust [g/s]", ("exhaust_a.m_flow", "exhaust_b.m_flow")),
    )
    for axis, (scale, shift, label, paths) in zip(axes, shown, strict=True):
        for path in paths:
            axis.plot(solution.time, scale * solution[path] + shift, label=path)
        axis.set_ylabel(label)
        axis.legend()
    axes[-1].set_xlabel("time [s]")
    figure.savefig(folder / "pneumatic_cylinder.png", dpi=110)
    print(f"plot:  {folder / 'pneumatic_cylinder.png'}")
    return solution


if __name__ == "__main__":
    main()
