"""An inverter that feeds a dc link into the grid: averaged for the design, switched at 10 kHz to look at the ripple.

What comes in on the dc side is a power that steps up. A phase-locked loop gives the angle of the grid; in axes that
turn with it two controllers hold the currents: d, in phase with the voltage, so that the link keeps its 700 V, and q
for the requested reactive power. At 0.2 s the grid dips to 80 %.
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
from tellegen.library.polyphase.transforms import inverse_park, park

Statements = Iterator[Any]


class GridControl(tg.Component):
    """Voltage of the link and reactive power by currents in d and q; u are the means of the switching."""

    v = tg.input("V", "voltages of the grid", shape=3)
    i = tg.input("A", "currents into the grid", shape=3)
    v_dc = tg.input("V", "voltage of the link")
    Q = tg.input("V.A", "reactive power wanted, positive if the grid takes it")
    u = tg.output("1", "means of the switching", shape=3)
    L = tg.parameter("4 mH", "H", "inductance of the filter")
    R = tg.parameter("50 mohm", "ohm", "its resistance")
    C = tg.parameter("1 mF", "F", "capacitance of the link")
    V_dc = tg.parameter(700.0, "V", "voltage wanted at the link")
    tau = tg.parameter("1 ms", "s", "time constant of the currents")
    tau_dc = tg.parameter("10 ms", "s", "time constant of the link")
    pll = pp.PLL(f0=20.0, phi=tg.output(start=-tg.pi / 2))
    wanted = tg.variable("A", "currents wanted in d and q", shape=2)
    own = tg.variable("A", "currents in d and q", shape=2)
    rest = tg.variable("V", "integral parts", shape=2, start=0.0)
    drift = tg.variable("A", "integral part of the link", start=0.0)

    def connections(self) -> Statements:
        """The loop sees the grid."""
        yield self.v, self.pll.u

    def equations(self) -> Statements:
        """Link to current, currents to voltages: those of the grid, of the coupling of the axes, and of a PI."""
        d, q, _ = park(self.i, self.pll.phi)
        yield self.own == [d, q]
        v_d, v_q, _ = park(self.v, self.pll.phi)
        gain = self.C * self.V_dc / (1.5 * self.pll.V * self.tau_dc)
        miss = self.v_dc - self.V_dc
        yield tg.der(self.drift) == gain * miss / (4.0 * self.tau_dc)
        yield self.wanted == [gain * miss + self.drift, -self.Q / (1.5 * self.pll.V)]
        error = self.wanted - self.own
        yield tg.der(self.rest) == self.R / self.tau * error
        out = self.L / self.tau * error + self.rest
        wl = self.pll.w * self.L
        abc = inverse_park(v_d + out[0] - wl * q, v_q + out[1] + wl * d, self.pll.phi)
        yield self.u == [2.0 * x / self.v_dc for x in abc]


class Feeding(tg.Component):
    """Power source, dc link, averaged inverter, filter, grid."""

    grid = pp.Grid(V=400.0)
    r = pp.Resistor(R="50 mohm")
    coil = pp.Inductor(L="4 mH")
    amps = pp.CurrentSensor()
    volts = pp.PotentialSensor()
    reactive = pp.ReactivePowerSensor()
    inverter = pc.AverageInverter()
    link = el.Capacitor(C="1 mF", v=tg.variable(start=700.0, fixed=True))
    feed = el.SignalCurrent()
    control = GridControl()
    ground = el.Ground()

    def equations(self) -> Statements:
        """What happens: the power doubles at 0.05 s, reactive power is requested at 0.12 s, a dip at 0.2 s."""
        power = tg.where(tg.time < 0.05, 5e3, 10e3)
        yield self.feed.u == -power / self.link.v
        yield self.control.Q == tg.where(tg.time < 0.12, 0.0, 4e3)
        yield self.grid.dV == tg.where(tg.time < 0.2, 0.0, -0.2)
        yield self.control.v_dc == self.link.v

    def connections(self) -> Statements:
        """The neutral of the grid is ground; the link floats between the legs."""
        yield self.feed.p, self.link.p, self.inverter.dc_p
        yield self.feed.n, self.link.n, self.inverter.dc_n
        yield self.inverter.ac, self.r.plug_p
        yield self.r.plug_n, self.coil.plug_p
        yield self.coil.plug_n, self.amps.plug_p
        yield self.amps.plug_n, self.reactive.plug_p
        yield self.reactive.plug_n, self.grid.plug_p, self.volts.plug_p
        yield self.grid.pin_n, self.ground.p
        yield self.amps.i, self.control.i
        yield self.volts.phi, self.control.v
        yield from self.fired()

    def fired(self) -> Statements:
        """The averaged inverter takes the means themselves."""
        yield self.control.u, self.inverter.u


class Switched(Feeding):
    """The same with pulses."""

    inverter = pc.SwitchedInverter()
    pwm = pc.PWM(clock=tg.Clock(rate="10 kHz"))

    def fired(self) -> Statements:
        """Through the modulator."""
        yield self.control.u, self.pwm.u
        yield self.pwm.fire_p, self.inverter.fire


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Both levels of detail over the same quarter of a second."""
    mean = tg.simulate(Feeding(), stop=0.3, points=3001)
    real = tg.simulate(Switched(), stop=0.3, points=6001)
    figure, axes = plt.subplots(4, 1, figsize=(8, 9), sharex=True, layout="constrained")
    for s, label, width in ((real, "switched at 10 kHz", 0.6), (mean, "averaged", 1.2)):
        power = (s["volts.phi"] * s["amps.i"]).sum(axis=1)
        axes[0].plot(1e3 * s.time, s["amps.i"][:, 0], lw=width, label=label)
        axes[1].plot(1e3 * s.time, 1e-3 * power, lw=width)
        axes[2].plot(1e3 * s.time, 1e-3 * s["reactive.Q"], lw=width)
        axes[3].plot(1e3 * s.time, s["link.v"], lw=width)
        late = (s.time > 0.18) & (s.time < 0.2)
        print(f"{label}: {1e-3 * np.mean(power[late]):.2f} kW, {1e-3 * np.mean(s['reactive.Q'][late]):.2f} kvar")
    for axis, label in zip(axes, ("line 1 [A]", "power [kW]", "reactive [kvar]", "link [V]"), strict=True):
        axis.set_ylabel(label)
    axes[0].legend(loc="lower left")
    axes[-1].set_xlabel("time [ms]")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "grid_inverter.png", dpi=110)
    print(f"plot:  {folder / 'grid_inverter.png'}")
    return mean


if __name__ == "__main__":
    main()
