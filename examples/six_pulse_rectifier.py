"""A six-pulse rectifier on the grid: the ripple of 300 Hz, the overlap of the valves, and firing angles.

Above, the dc voltage of a diode bridge on a stiff and on a weak grid: the inductance of the grid makes the
current go over from valve to valve in a finite time, which bites notches into the voltage and lowers its mean. Below,
the same bridge with thyristors: the mean follows the cosine of the firing angle, below zero from 90 degrees on.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from tellegen.library import power_converters as pc


class Rectifier(tg.Component):
    """Grid, diode bridge, choke and load."""

    grid = pp.Grid(V=400.0, use_impedance=True)
    bridge = pc.DiodeBridge2mPulse()
    choke = el.Inductor(L=20e-3)
    load = el.Resistor(R=10.0)
    ground = el.Ground()
    v = tg.variable("V", "dc voltage of the bridge")

    def equations(self) -> Iterator[Any]:
        """What is plotted."""
        yield self.v == self.bridge.dc_p.v - self.bridge.dc_n.v

    def connections(self) -> Iterator[Any]:
        """Grid to bridge to load."""
        yield self.grid.plug_p, self.bridge.ac
        yield self.grid.pin_n, self.ground.p
        yield self.bridge.dc_p, self.choke.p
        yield self.choke.n, self.load.p
        yield self.load.n, self.bridge.dc_n


class Controlled(tg.Component):
    """Thyristors on a stiff grid; the load is a steady current, as that of a large machine."""

    alpha = tg.parameter(60.0, "deg", "firing angle")
    grid = pp.Grid(V=400.0)
    bridge = pc.ThyristorBridge2mPulse()
    firing = pc.FiringAngle()
    load = el.ConstantCurrent(I=50.0)
    ground = el.Ground()
    flux = tg.variable("V.s", "integral of the dc voltage", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """The firing follows the angle of the grid."""
        yield self.firing.phi == self.grid.phi
        yield self.firing.firing_angle == self.alpha
        yield tg.der(self.flux) == self.bridge.dc_p.v - self.bridge.dc_n.v

    def connections(self) -> Iterator[Any]:
        """Grid to bridge to load, and the pulses."""
        yield self.grid.plug_p, self.bridge.ac
        yield self.grid.pin_n, self.ground.p
        yield self.bridge.dc_p, self.load.p
        yield self.bridge.dc_n, self.load.n
        yield self.firing.fire_p, self.bridge.fire_p
        yield self.firing.fire_n, self.bridge.fire_n


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Two grids, nine firing angles."""
    stiff = tg.simulate(Rectifier(), stop=0.1, points=5001)
    weak = tg.simulate(Rectifier(), stop=0.1, points=5001, parameters={"grid.S_sc": 1e5})
    angles = np.arange(0.0, 161.0, 20.0)
    thyristors = tg.compile(Controlled())
    means = []
    for alpha in angles:
        flux = thyristors.simulate(0.04, parameters={"alpha": alpha}).at([0.02, 0.04])["flux"]
        means.append((flux[1] - flux[0]) / 0.02)
    ideal = 3.0 * np.sqrt(2.0) / np.pi * 400.0

    figure, (above, middle, below) = plt.subplots(3, 1, figsize=(8, 8), layout="constrained")
    for solution, label in ((stiff, "1 MVA"), (weak, "100 kVA")):
        late = solution.time > 0.08
        above.plot(1e3 * solution.time[late], solution["v"][late], label=f"grid of {label}")
        middle.plot(1e3 * solution.time[late], -solution["grid.i"][late, 0], label=f"grid of {label}")
    above.axhline(ideal, color="0.7", lw=0.8)
    above.set_ylabel("dc voltage [V]")
    middle.set_ylabel("current of line 1 [A]")
    middle.set_xlabel("time [ms]")
    above.legend(loc="lower right")
    fine = np.linspace(0.0, 160.0, 200)
    below.plot(fine, ideal * np.cos(np.radians(fine)), color="0.7", label="1.35 V cos(alpha)")
    below.plot(angles, means, "o", label="simulated")
    below.set_xlabel("firing angle [deg]")
    below.set_ylabel("mean dc voltage [V]")
    below.legend()
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "six_pulse_rectifier.png", dpi=110)
    means_of = [np.trapezoid(s["v"][s.time > 0.08], s.time[s.time > 0.08]) / 0.02 for s in (stiff, weak)]
    print(f"ideal mean {ideal:.1f} V; stiff grid {means_of[0]:.1f} V, weak grid {means_of[1]:.1f} V")
    print(f"largest departure from the cosine law: {np.abs(means - ideal * np.cos(np.radians(angles))).max():.3f} V")
    print(f"plot:  {folder / 'six_pulse_rectifier.png'}")
    return stiff


if __name__ == "__main__":
    main()
