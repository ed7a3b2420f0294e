"""Heat losses of a motor, coupled to its electronics and its load (the figure of M. Otter's article on such models).

A battery feeds a DC motor through a transistor that is switched 500 times a second, with a freewheeling diode. The
motor turns a load in a bearing with dry friction through a gear; every 10 s the load is three times as heavy for a
while. The losses of the winding, of bearings and core, of the transistor and of the diode go where they arise: into the
winding, the housing and the heat sink, and from there to the air by free convection and radiation. The hot winding has
a larger resistance, so the same duty gives less speed: electronics, mechanics and heat act on each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import rotational as rot
from tellegen.library import thermal as th


class Cooling(tg.Component):
    """A vertical metal body in air: heat capacity, free convection, radiation."""

    port = th.HeatPort("into the body")
    air = th.HeatPort("the surroundings")
    area = tg.parameter(0.02, "m2", "surface")
    body = th.HeatCapacitor(C=60.0, T=tg.variable(start=293.15, fixed=True))
    convection = th.FreeConvectionVerticalPlate(L=0.1, A=area)
    radiation = th.BodyRadiation(Gr=0.9 * area)

    def connections(self) -> Iterator[Any]:
        """Two ways from the body to the air."""
        yield self.port, self.body.port, self.convection.solid, self.radiation.port_a
        yield self.convection.fluid, self.radiation.port_b, self.air


class HotDrive(tg.Component):
    """Battery, chopper, motor, gear and load, with all their heat."""

    battery = ma.Battery(Ns=7, Np=4, SOC=tg.variable(start=0.9, fixed=True), use_heat_port=True)
    pwm = blocks.Pulse(period="2 ms", width=0.7)
    transistor = el.IdealClosingSwitch(Ron=0.04, Goff=1e-5, use_heat_port=True)
    diode = el.IdealDiode(Vknee=0.6, Ron=0.02, Goff=1e-5, use_heat_port=True)
    motor = ma.DC_PermanentMagnet(
        Ra=0.5,
        alpha_a=0.0039,
        La="6 mH",
        k=0.05,
        Jr=1.5e-4,
        d=5e-5,
        G_core=0.01,
        V_brush=0.4,
        I_brush=0.05,
        T_ref=293.15,
        use_heat_port=True,
        ia=tg.variable(start=0.0, fixed=True),
    )
    gear = rot.IdealGear(ratio=5.0)
    load = rot.Inertia(J=4e-3, w=tg.variable(start=0.0, fixed=True), phi=tg.variable(start=0.0, fixed=True))
    bearing = rot.BearingFriction(tau_Coulomb=0.08, tau_Stribeck=0.04, tau_prop=1e-3, use_heat_port=True)
    work = rot.Torque()
    ground = el.Ground()
    winding = th.HeatCapacitor(C=12.0, T=tg.variable(start=293.15, fixed=True))
    to_housing = th.ThermalConductor(G=0.8)
    housing = Cooling(area=0.03)
    sink = Cooling(area=0.01, body=th.HeatCapacitor(C=15.0, T=tg.variable(start=293.15, fixed=True)))
    air = th.FixedTemperature()
    given = tg.variable("J", "chemical energy out of the battery", start=0.0, fixed=True)
    done = tg.variable("J", "mechanical work at the load", start=0.0, fixed=True)
    heat = tg.variable("J", "heat to the air", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """The load, and the books of energy."""
        heavy = tg.time % 10.0 > 6.0
        yield self.work.tau == tg.where(heavy, -2.0, -0.6)
        yield tg.der(self.given) == -self.battery.Ns * self.battery.OCV * self.battery.i
        yield tg.der(self.done) == -self.work.tau * self.load.w
        yield tg.der(self.heat) == self.air.port.Q_flow

    def connections(self) -> Iterator[Any]:
        """Circuit, shaft, heat."""
        yield self.pwm.y, self.transistor.control
        yield self.battery.p, self.transistor.p
        yield self.transistor.n, self.diode.n, self.motor.pin_ap
        yield self.battery.n, self.diode.p, self.motor.pin_an, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a
        yield self.load.flange_b, self.bearing.flange_a
        yield self.bearing.flange_b, self.work.flange
        yield self.motor.heat_port, self.winding.port, self.to_housing.port_a
        yield self.to_housing.port_b, self.motor.heat_port_frame, self.housing.port
        yield self.transistor.heat_port, self.diode.heat_port, self.sink.port
        yield self.battery.heat_port, self.bearing.heat_port, self.housing.air, self.sink.air, self.air.port


def stored(s: tg.Solution) -> Any:
    """Energy in inertias, inductance, heat capacities and the branches of the battery (J), up to a constant."""
    moving = 0.5 * 1.5e-4 * s["motor.w"] ** 2 + 0.5 * 4e-3 * s["load.w"] ** 2 + 0.5 * 6e-3 * s["motor.ia"] ** 2
    hot = 12.0 * s["winding.T"] + 60.0 * s["housing.body.T"] + 15.0 * s["sink.body.T"]
    return moving + hot + 28.0 * 0.5 * (2e3 * s["battery.v1"] ** 2 + 4e4 * s["battery.v2"] ** 2)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """40 s with every pulse of the transistor."""
    import matplotlib.pyplot as plt

    model = tg.compile(HotDrive())
    s = model.simulate(40.0, rtol=1e-6, points=2000)
    error = s["given"] - s["done"] - s["heat"] - (stored(s) - stored(s)[0])
    print(f"{s.stats['events']} events in {s.stats['seconds']:.1f} s")
    print(f"winding {s['winding.T'][-1] - 273.15:.1f} degC, housing {s['housing.body.T'][-1] - 273.15:.1f} degC")
    print(
        f"battery gave {s['given'][-1]:.1f} J: {s['done'][-1]:.1f} J of work, {s['heat'][-1]:.1f} J of heat to the air"
    )
    print(f"the rest is stored; the balance closes to {np.abs(error).max() / s['given'][-1]:.1g}")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(4, 1, figsize=(8, 10), layout="constrained")
    for path, label in (("winding.T", "winding"), ("housing.body.T", "housing"), ("sink.body.T", "heat sink")):
        axes[0].plot(s.time, s[path] - 273.15, label=label)
    axes[0].set_ylabel("temperature [degC]")
    axes[1].plot(s.time, s["motor.w"])
    axes[1].set_ylabel("speed [rad/s]")
    axes[2].plot(s.time, -s["motor.heat_port.Q_flow"], label="winding and brushes", linewidth=0.5)
    axes[2].plot(s.time, -s["motor.heat_port_frame.Q_flow"], label="core and bearings")
    axes[2].set(ylabel="losses [W]", xlabel="time [s]", ylim=(0.0, 70.0))
    zoom = model.simulate(0.03, points=2000)
    axes[3].plot(1e3 * zoom.time, zoom["motor.ia"], label="motor")
    axes[3].plot(1e3 * zoom.time, zoom["diode.i"], label="diode")
    axes[3].set(ylabel="current [A]", xlabel="time after the start [ms]")
    for axis in (axes[0], axes[2], axes[3]):
        axis.legend()
    figure.savefig(folder / "motor_heat.png", dpi=110)
    print(f"plot:  {folder / 'motor_heat.png'}")
    return s


if __name__ == "__main__":
    main()
