"""A string of solar modules that feeds a dc link of 400 V: clouds pass, and two trackers look for the maximum power.

The string is connected to a capacitor; a boost converter, averaged over its pulses, draws the current. A cascade
controls the voltage to the reference of the tracker: the current reference is that of the string plus a little more
where the voltage is too high, and the duty drives the choke towards that. The true maximum is shown too. While the
light increases, perturb and observe takes every step for a good one and walks away from the maximum: its known
weakness.
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
from tellegen.library import photovoltaic as pv
from tellegen.library import power_converters as pc

SHEET = {"Voc": 37.2, "Isc": 8.87, "Vmp": 30.1, "Imp": 8.3}


class Plant(tg.Component):
    """Ten modules in series, boost converter, dc link; the clouds are a table."""

    string = pv.Module.from_data_sheet(**SHEET, Ns=60, n_s=10.0)
    clouds = blocks.Table(
        times=(0.0, 2.0, 2.5, 5.0, 7.0, 8.0, 12.0), values=(1000.0, 1000.0, 400.0, 400.0, 850.0, 850.0, 850.0)
    )
    c = el.Capacitor(C=200e-6, v=tg.variable(start=250.0, fixed=True))
    choke = el.Inductor(L=5e-3, i=tg.variable(start=0.0, fixed=True))
    boost = pc.AverageChopper(R=0.05)
    link = el.ConstantVoltage(V=400.0)
    ground = el.Ground()
    tracker = pv.PerturbObserve(v_start=250.0, step=2.0, clock=tg.Clock("50 ms"))
    tau_v = tg.parameter("5 ms", "s", "time constant of the control of the voltage")
    tau_i = tg.parameter("0.5 ms", "s", "time constant of the control of the current")

    def equations(self) -> Iterator[Any]:
        """What is measured, and the duty: that of the present voltage, less what drives the choke."""
        yield self.string.G == self.clouds.y
        yield self.tracker.v == self.string.v
        yield self.tracker.i == -self.string.i
        wanted = -self.string.i + self.c.C / self.tau_v * (self.string.v - self.tracker.v_ref)
        yield self.boost.d * self.link.V == self.string.v - self.choke.L / self.tau_i * (wanted - self.choke.i)

    def connections(self) -> Iterator[Any]:
        """String, capacitor, choke, converter, link."""
        yield self.string.p, self.c.p, self.choke.p
        yield self.choke.n, self.boost.pin
        yield self.boost.dc_p, self.link.p
        yield self.string.n, self.c.n, self.boost.dc_n, self.link.n, self.ground.p


def best(irradiance: np.ndarray) -> np.ndarray:
    """The true maximum of the power at each irradiance, from the characteristic of one module."""
    system = tg.System("characteristic")
    system.add(module=pv.Module.from_data_sheet(**SHEET, Ns=60), v=el.RampVoltage(V=38.0, duration=1.0), g=el.Ground())
    system.connect(system.module.p, system.v.p)
    system.connect(system.module.n, system.v.n, system.g.p)
    model = tg.compile(system)
    levels = np.linspace(300.0, 1000.0, 15)
    top = [model.simulate(1.0, parameters={"module.G": G}, points=2001)["module.power"].max() for G in levels]
    return 10.0 * np.interp(irradiance, levels, top)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Both trackers over the same clouds."""
    runs = {
        "perturb and observe": tg.simulate(Plant(), stop=10.0, points=4001),
        "incremental conductance": tg.simulate(
            Plant(tracker=pv.IncrementalConductance(v_start=250.0, step=2.0)), stop=10.0, points=4001
        ),
    }
    first = next(iter(runs.values()))
    top = best(first["string.G"])
    figure, (above, middle, below) = plt.subplots(3, 1, figsize=(8, 7), sharex=True, layout="constrained")
    above.plot(first.time, first["string.G"], color="tab:orange")
    above.set_ylabel("irradiance [W/m²]")
    middle.plot(first.time, 1e-3 * top, color="0.75", lw=3, label="true maximum")
    for name, s in runs.items():
        middle.plot(s.time, 1e-3 * s["string.power"], lw=1, label=name)
        below.plot(s.time, s["string.v"], lw=1, label=name)
        late = s.time > 1.5
        share = np.trapezoid(s["string.power"][late], s.time[late]) / np.trapezoid(
            np.interp(s.time, first.time, top)[late], s.time[late]
        )
        print(f"{name}: {100 * share:.2f} % of the energy there was after the first search")
    middle.set_ylabel("power [kW]")
    middle.legend(loc="lower right")
    below.set_ylabel("string [V]")
    below.set_xlabel("time [s]")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "photovoltaic.png", dpi=110)
    print(f"plot:  {folder / 'photovoltaic.png'}")
    return first


if __name__ == "__main__":
    main()
