"""A bridge rectifier with a smoothing capacitor, once with ideal diodes and once with exponential ones.

The ideal diodes switch at events, all four at the right instants; the exponential diodes are smooth and need none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import electrical as el


class Rectifier(tg.Component):
    """Source with resistance, bridge, capacitor and load; any part with pins p and n may be the diodes."""

    diode = tg.parameter(el.IdealDiode, structural=True, description="class of the diodes")
    source = el.SineVoltage(V=10.0, f=50.0)
    rs = el.Resistor(R=0.5)
    c = el.Capacitor(C="470 uF", v=tg.variable(start=0.0, fixed=True))
    load = el.Resistor(R=50.0)
    ground = el.Ground()

    def build(self) -> None:
        """Four diodes of the given class."""
        self.d1, self.d2, self.d3, self.d4 = (self.diode() for _ in range(4))

    def connections(self) -> Iterator[Any]:
        """The bridge."""
        yield self.source.p, self.rs.p
        yield self.rs.n, self.d1.p, self.d2.n
        yield self.source.n, self.d3.p, self.d4.n
        yield self.d1.n, self.d3.n, self.c.p, self.load.p
        yield self.d2.p, self.d4.p, self.c.n, self.load.n, self.ground.p


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate both for three periods and plot the voltage of the load and the current of the source."""
    ideal = tg.simulate(Rectifier(diode=el.IdealDiode), stop=0.06, points=1201)
    smooth = tg.simulate(Rectifier(diode=el.Diode), stop=0.06, points=1201)
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
    above.plot(1e3 * ideal.time, np.abs(ideal["source.v"]), color="0.8", label="|source|")
    for solution, label in ((ideal, "ideal diodes"), (smooth, "exponential diodes")):
        above.plot(1e3 * solution.time, solution["c.v"], label=label)
        below.plot(1e3 * solution.time, solution["rs.i"], label=label)
    above.set_ylabel("load [V]")
    below.set_ylabel("source [A]")
    below.set_xlabel("time [ms]")
    above.legend(loc="lower right")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "rectifier.png", dpi=110)
    drop = ideal["c.v"].max() - smooth["c.v"].max()
    print(f"ideal diodes: up to {ideal['c.v'].max():.2f} V, {len(ideal.events)} events")
    print(f"exponential diodes: {drop:.2f} V less, that is {drop / 2:.2f} V each")
    print(f"plot:  {folder / 'rectifier.png'}")
    return ideal


if __name__ == "__main__":
    main()
