"""The cooling loop of a car: engine, thermostat, radiator, fan and pump, from a cold start over a hill to a stop.

The pump turns with the engine. The wax of the thermostat senses the coolant downstream of the engine and splits the
flow between bypass and radiator. Air is pushed through the radiator by the speed of the car, and by an electric fan
that switches on at 100 degC and off at 95 degC: needed uphill, where the car is slow and the engine gives most heat.
What the engine gave has left with the air or is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import fluid, media
from tellegen.library import thermal as th

COOLANT = media.ConstantLiquid(rho=1005.0, c=3800.0, mu=1.2e-3, k=0.39)  # water and glycol at 80 degC
AIR = media.ConstantLiquid(rho=1.15, c=1006.0, mu=1.9e-5, k=0.026)  # at such speeds it is incompressible
CELSIUS = 273.15

TIMES = [0.0, 300.0, 320.0, 900.0, 920.0, 1500.0, 1520.0, 1800.0]  # town, hill, motorway, parking with a hot engine
HEAT = [12e3, 12e3, 42e3, 42e3, 30e3, 30e3, 4e3, 4e3]
SPEED = [8.0, 8.0, 9.0, 9.0, 33.0, 33.0, 0.0, 0.0]
TURNS = [1800.0, 1800.0, 3500.0, 3500.0, 2800.0, 2800.0, 900.0, 900.0]


class Thermostat(tg.Component):
    """Wax that opens the way to the radiator between 82 and 95 degC, with a lag, and closes the bypass as much."""

    T = tg.input("K", "temperature at the wax")
    opening = tg.variable("1", "share of the way to the radiator", start=0.0)
    lag = tg.parameter(15.0, "s", "time constant of the wax")

    def equations(self) -> Iterator[Any]:
        wanted = tg.minimum(tg.maximum((self.T - CELSIUS - 82.0) / 13.0, 0.0), 1.0)
        yield self.lag * tg.der(self.opening) == tg.no_event(wanted) - self.opening


class CarCooling(tg.Component):
    """The loop, the air through the radiator, and the drive."""

    block = th.HeatCapacitor(C=75e3, T=tg.variable(start=288.15, fixed=True))
    combustion = th.PrescribedHeatFlow()
    wall = th.ThermalConductor(G=2600.0)
    jacket = fluid.ClosedVolume(medium=COOLANT, V="4 l", n_ports=2, use_heat_port=True, T_start="15 degC")
    pump = fluid.PrescribedPump(
        medium=COOLANT, N_nominal=3000.0, head_curve=[[0.0, 14.0], [1.5e-3, 11.0], [3e-3, 2.0]], eta=0.5
    )
    wax = Thermostat()
    to_radiator = fluid.ValveIncompressible(medium=COOLANT, Av=1.5e-4, leakage=1e-4)
    bypass = fluid.ValveIncompressible(medium=COOLANT, Av=8e-5, leakage=1e-4)
    radiator = fluid.HeatExchangerNTU(
        medium_1=COOLANT,
        medium_2=AIR,
        arrangement="cross",
        UA=1500.0,
        m_flow_nominal=[1.2, 1.5],
        dp_nominal=[8e3, 180.0],
    )
    core = fluid.ClosedVolume(medium=COOLANT, V="3 l", n_ports=2, T_start="15 degC")
    expansion = fluid.FixedBoundary(medium=COOLANT, p="1.4 bar", T="15 degC")
    front = fluid.Boundary_pT(medium=AIR, T=293.15)
    fan = fluid.Fan(
        medium=AIR, N_nominal=2400.0, dp_curve=[[0.0, 260.0], [1.0, 200.0], [2.0, 0.0]], rho_nominal=1.15, eta=0.4
    )
    downstream = fluid.FixedBoundary(medium=AIR, T=293.15)
    fan_on = tg.boolean("the fan runs")
    Q_engine = tg.variable("W", "heat of combustion into the block")
    v = tg.variable("m/s", "speed of the car")
    Q_air = tg.variable("W", "heat that the air takes away")
    given = tg.variable("J", "by the engine so far", start=0.0, fixed=True)
    taken = tg.variable("J", "by the air so far, and brought by the pump", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """The drive, the control of the fan, and the energies."""
        yield self.Q_engine == tg.interpolate(tg.time, TIMES, HEAT)
        yield self.v == tg.interpolate(tg.time, TIMES, SPEED)
        yield self.combustion.Q_flow == self.Q_engine
        yield self.pump.N == tg.interpolate(tg.time, TIMES, TURNS) * (2 * tg.pi / 60)
        yield self.wax.T == self.jacket.T
        yield self.to_radiator.opening == self.wax.opening
        yield self.bypass.opening == 1.0 - self.wax.opening
        yield self.front.p == 101325.0 + 0.25 * AIR.rho * self.v**2  # half of what the stream could give
        yield self.fan.N == tg.where(self.fan_on, 2400.0 * (2 * tg.pi / 60), 0.0)
        hot = self.jacket.T - CELSIUS
        yield tg.when(hot > 100.0, self.fan_on == True).elsewhen(hot < 95.0, self.fan_on == False)
        yield self.Q_air == self.radiator.Q_flow
        yield tg.der(self.given) == self.Q_engine + self.pump.W
        yield tg.der(self.taken) == self.Q_air

    def connections(self) -> Iterator[Any]:
        """Pump, engine, then bypass or radiator, and back to the pump, where the expansion tank is."""
        yield self.combustion.port, self.block.port, self.wall.port_a
        yield self.wall.port_b, self.jacket.heat_port
        yield self.pump.port_b, self.jacket.ports[0]
        yield self.jacket.ports[1], self.to_radiator.port_a, self.bypass.port_a
        yield self.to_radiator.port_b, self.radiator.port_a1
        yield self.radiator.port_b1, self.core.ports[0]
        yield self.core.ports[1], self.bypass.port_b, self.pump.port_a, self.expansion.port
        yield self.front.port, self.fan.port_a
        yield self.fan.port_b, self.radiator.port_a2
        yield self.radiator.port_b2, self.downstream.port


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate half an hour, plot it, and check the energies."""
    s = tg.simulate(CarCooling(), stop="30 min", points=1801)
    folder.mkdir(parents=True, exist_ok=True)
    s.plot("jacket.T", "core.T", "block.T", "wax.opening", "fan_on", "Q_engine", "Q_air").savefig(
        folder / "radiator_loop.png"
    )
    T = s["jacket.T"] - CELSIUS
    opens = s.time[np.argmax(s["wax.opening"] > 0.05)]
    print(f"the thermostat opens after {opens:.0f} s; the coolant reaches {T.max():.1f} degC")
    runs = np.trapezoid(s["fan_on"], s.time)
    begins = s.time[np.argmax(s["fan_on"] > 0)]
    print(f"the fan runs for {runs:.0f} s, from {begins:.0f} s on")
    stored = s["jacket.U"] + s["core.U"] + 75e3 * s["block.T"]
    gap = s["given"] - s["taken"] - (stored - stored[0])
    print(
        f"energy: {s['given'][-1] / 1e6:.2f} MJ given, {s['taken'][-1] / 1e6:.2f} MJ taken, gap {abs(gap).max():.0f} J"
    )
    print(f"plot: {folder / 'radiator_loop.png'}")
    return s


if __name__ == "__main__":
    main()
