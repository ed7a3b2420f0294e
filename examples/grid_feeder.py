"""A feeder of a distribution grid over a day, as phasors: a transformer, a line, houses, and the sun on their roofs.

In volts and amperes over time this would be four million periods of 50 Hz; as phasors the day is a run of a few steps,
because nothing in it is faster than the sun. Around noon the power flows back and the voltage at the end of the line
rises above that of the transformer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import quasi_static as qs

DAY = 24.0 * 3600.0


class Feeder(tg.Component):
    """20 kV, a transformer to 400 V, 300 m of cable and the houses at its end."""

    reference = qs.Reference(f=50.0)
    grid = qs.VoltageSource(m=3, V=20e3 / np.sqrt(3.0))
    transformer = qs.ThreePhaseTransformer(group="Dyn5", n=50.0, R1=30.0, R2=4e-3, L1sigma=0.2, L2sigma=25e-6)
    cable = qs.Impedance(m=3, R=0.06, X=0.025)
    meter = qs.PowerSensor(m=3)
    houses = qs.VariableConductor(m=3)
    roofs = qs.VariableCurrentSource(m=3)
    volts = qs.VoltageRMSSensor(m=3)
    high, low, ground = qs.Star(), qs.Star(), qs.Ground()

    def equations(self) -> Iterator[Any]:
        """Evening peak of the houses; the sun from 6 to 18 h, in phase with the voltages of the end of the line."""
        hour = tg.time / 3600.0
        load = 0.15 + 0.25 * tg.exp(-(((hour - 19.0) / 2.0) ** 2))
        sun = tg.where((hour > 6.0) & (hour < 18.0), 120.0 * tg.sin(tg.pi * (hour - 6.0) / 12.0) ** 2, 0.0)
        yield self.houses.G == [load] * 3
        v = self.volts
        for k in range(3):
            yield self.roofs.I_re[k] == -sun * v.v_re[k] / v.abs_v[k]
            yield self.roofs.I_im[k] == -sun * v.v_im[k] / v.abs_v[k]

    def connections(self) -> Iterator[Any]:
        """Houses in star, the star point of the transformer grounded."""
        yield self.grid.p, self.transformer.p1
        yield self.grid.n, self.high.p
        yield self.transformer.p2, self.meter.pc, self.meter.pv
        yield self.meter.nc, self.cable.p
        yield self.cable.n, self.houses.p, self.roofs.p, self.volts.p
        yield self.houses.n, self.roofs.n, self.volts.n, self.meter.nv, self.low.p
        yield self.high.n, self.low.n, self.transformer.starpoint2, self.ground.p


def main() -> None:
    """A day, and its extremes."""
    solution = tg.simulate(Feeder(), stop=DAY)
    hour = solution.time / 3600.0
    volts = solution["volts.y"]
    power = solution["meter.P"] / 1e3
    print(f"voltage {volts.min():.1f} to {volts.max():.1f} V, power {power.min():.0f} to {power.max():.0f} kW")
    figure, (top, bottom) = plt.subplots(2, 1, sharex=True)
    top.plot(hour, volts)
    top.set_ylabel("voltage at the houses [V]")
    bottom.plot(hour, power)
    bottom.set_ylabel("from the transformer [kW]")
    bottom.set_xlabel("time [h]")
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    figure.savefig(folder / "grid_feeder.png")
    print(f"wrote {folder / 'grid_feeder.png'}")


if __name__ == "__main__":
    main()
