"""A buck converter at 100 kHz: an ideal switch and an ideal diode turn 24 V into half of it.

Every pulse has two instants at which the switch acts, which the integrator hits exactly, and at which the diode takes
over the current or gives it back, which the event iteration finds. With a light load the current ends before the next
pulse, and the diode blocks for the rest of the period (discontinuous conduction).
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

PERIOD = 1e-5


class Buck(tg.Component):
    """Source, switch, freewheeling diode, filter, load."""

    duty = tg.parameter(0.5, "1", "part of the period in which the switch is closed")
    source = el.ConstantVoltage(V=24.0)
    pwm = blocks.Pulse(period=PERIOD, width=duty)
    switch = el.IdealClosingSwitch(Ron="1 mohm", Goff=1e-7)
    diode = el.IdealDiode(Ron="1 mohm", Goff=1e-7)
    coil = el.Inductor(L="100 uH", i=tg.variable(start=0.0, fixed=True))
    c = el.Capacitor(C="10 uF", v=tg.variable(start=0.0, fixed=True))
    load = el.Resistor(R=5.0)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """The circuit."""
        yield self.pwm.y, self.switch.control
        yield self.source.p, self.switch.p
        yield self.switch.n, self.diode.n, self.coil.p
        yield self.coil.n, self.c.p, self.load.p
        yield self.source.n, self.diode.p, self.c.n, self.load.n, self.ground.p


def mean(solution: tg.Solution, name: str, start: float) -> float:
    """Of a variable from `start` on."""
    late = solution.time >= start
    time = solution.time[late]
    return float(np.trapezoid(solution[name][late], time) / (time[-1] - time[0]))


def main(folder: Path = Path("demo_output"), stop: float = 10e-3) -> tg.Solution:
    """Start it up with two loads, compare the means with textbook formulas, and plot."""
    buck = tg.compile(Buck())
    heavy = buck.simulate(stop, points=20000)
    light = buck.simulate(stop, points=20000, parameters={"load.R": 100.0})
    k = 2 * 100e-6 / (100.0 * PERIOD)
    figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained", sharex="col")
    for solution, label in ((heavy, "5 ohm"), (light, "100 ohm")):
        for row, (name, unit) in enumerate((("c.v", "V"), ("coil.i", "A"))):
            early = solution.time <= 100 * PERIOD
            late = solution.time >= stop - 3 * PERIOD
            axes[row, 0].plot(1e3 * solution.time[early], solution[name][early], label=label)
            axes[row, 1].plot(1e6 * (solution.time[late] - stop + 3 * PERIOD), solution[name][late], label=label)
            axes[row, 0].set_ylabel(f"{name} [{unit}]")
    axes[1, 0].set_xlabel("time [ms]")
    axes[1, 1].set_xlabel("last three periods [us]")
    axes[0, 0].legend()
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "buck_converter.png", dpi=110)
    exact = 24.0 * 2 / (1 + np.sqrt(1 + 4 * k / 0.5**2))
    print(f"5 ohm:   {mean(heavy, 'c.v', stop / 2):.3f} V in the mean, duty times 24 V is 12 V")
    print(
        f"100 ohm: {mean(light, 'c.v', stop / 2):.3f} V, the formula for discontinuous conduction gives {exact:.3f} V"
    )
    print(f"{heavy.stats['events']} events; plot:  {folder / 'buck_converter.png'}")
    return heavy


if __name__ == "__main__":
    main()
