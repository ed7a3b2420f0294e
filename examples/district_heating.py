"""A branch of a district heating network over a winter's day: plant, pipes in the ground, six houses.

The plant holds the supply at 85 degC, less at night. Each house takes what it needs through an exchanger; its valve
follows the temperature of the rooms. Supply and return are insulated pipes in the ground, made of cells: warm fronts
travel through them for minutes and lose heat on the way. The farthest house feels the morning last.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import fluid, media
from tellegen.library import thermal as th

WATER = media.Water()
HOUR = 3600.0
CELSIUS = 273.15


class House(tg.Component):
    """A consumer: valve, exchanger, radiators with their water, and rooms that lose heat to the outside."""

    supply = fluid.FluidPort().of(WATER)
    back = fluid.FluidPort().of(WATER)
    valve = fluid.ValveIncompressible(Av=8e-6, characteristic="quadratic")
    exchanger = fluid.HeatExchangerNTU(UA=1200.0, m_flow_nominal=[0.2, 0.3], dp_nominal=[2e4, 0.0])
    flow = fluid.MassFlowSource_T(m_flow=0.3)
    end = fluid.FixedBoundary()
    outside = tg.input("K", "temperature outside")
    T_water = tg.variable("K", "radiators", start=313.15, fixed=True)
    T_room = tg.variable("K", "rooms", start=292.15, fixed=True)
    opening = tg.variable("1", "of the valve", start=0.3, fixed=True)
    C_water = tg.parameter(6e5, "J/K", "radiators and their water")
    C_room = tg.parameter(8e6, "J/K", "air, furniture and inner walls")
    G_radiator = tg.parameter(320.0, "W/K", "radiators to rooms")
    G_wall = tg.parameter(230.0, "W/K", "rooms to the outside")
    T_set = tg.parameter("21 degC", "K", "wanted in the rooms")
    lag = tg.parameter("5 min", "s", "of the valve's actuator")

    def equations(self) -> Iterator[Any]:
        """Two heat balances, and a valve in proportion to what the rooms lack."""
        to_room = self.G_radiator * (self.T_water - self.T_room)
        yield self.C_water * tg.der(self.T_water) == self.exchanger.Q_flow - to_room
        yield self.C_room * tg.der(self.T_room) == to_room - self.G_wall * (self.T_room - self.outside)
        wanted = tg.minimum(tg.maximum(0.3 + (self.T_set - self.T_room) / 2.0, 0.0), 1.0)
        yield self.lag * tg.der(self.opening) == tg.no_event(wanted) - self.opening
        yield self.valve.opening == self.opening
        yield self.flow.T == self.T_water

    def connections(self) -> Iterator[Any]:
        yield self.supply, self.valve.port_a
        yield self.valve.port_b, self.exchanger.port_a1
        yield self.exchanger.port_b1, self.back
        yield self.flow.port, self.exchanger.port_a2
        yield self.exchanger.port_b2, self.end.port


class Branch(tg.Component):
    """The plant, the pipes and the houses."""

    n = tg.parameter(6, structural=True)
    cells = tg.parameter(10, structural=True, description="cells of every pipe section")
    plant = fluid.Boundary_pT(p="1.5 bar")
    returned = fluid.FixedBoundary(p="1.5 bar")
    pump = fluid.PrescribedPump(head_curve=[[0.0, 28.0], [1.5e-3, 22.0], [3e-3, 5.0]])
    hot = fluid.DynamicPipe.array(
        n, n=cells, length=80.0, diameter=0.045, T_start=343.15, m_flow_start=0.5, use_heat_transfer=True, alpha=1.4
    )
    cold = fluid.DynamicPipe.array(
        n, n=cells, length=80.0, diameter=0.045, T_start=313.15, m_flow_start=0.5, use_heat_transfer=True, alpha=1.4
    )
    house = House.array(n)
    ground = th.FixedTemperature(T="8 degC")
    outside = tg.variable("K", "temperature outside")
    produced = tg.variable("W", "heat of the plant")
    lost = tg.variable("W", "heat into the ground")
    used = tg.variable("W", "heat into the houses")

    def equations(self) -> Iterator[Any]:
        """The day: coldest at 5, and the plant at 85 degC from 5 to 22 o'clock, else at 70."""
        hours = tg.time / HOUR
        yield self.outside == CELSIUS - 3.0 - 5.0 * tg.cos(2 * tg.pi * (hours - 5.0) / 24.0)
        yield self.house.outside == self.outside
        by_hour = tg.interpolate(hours, [0, 5, 5.25, 22, 22.25, 24], [70, 70, 85, 85, 70, 70], outside="periodic")
        yield self.plant.T == CELSIUS + by_hour
        yield self.produced == -fluid.enthalpy_flow(self.plant.port) - fluid.enthalpy_flow(self.returned.port)
        yield self.lost == self.ground.port.Q_flow
        yield self.used == tg.sum(self.house.exchanger.Q_flow)

    def connections(self) -> Iterator[Any]:
        """The plant heats what comes back; its heat is the difference of both enthalpies."""
        yield self.plant.port, self.pump.port_a
        yield self.cold[0].port_b, self.returned.port
        yield self.pump.port_b, self.hot[0].port_a
        yield self.hot[:-1].port_b, self.hot[1:].port_a
        yield self.hot.port_b, self.house.supply
        yield self.house.back, self.cold.port_a
        yield self.cold[1:].port_b, self.cold[:-1].port_a
        for k in range(self.n):
            yield self.ground.port, self.hot[k].heat_ports
            yield self.ground.port, self.cold[k].heat_ports


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Two days; the first one lets the rooms settle."""
    s = tg.simulate(Branch(), stop=48 * HOUR, points=2881)
    folder.mkdir(parents=True, exist_ok=True)
    rooms = ("house[0].T_room", "house[5].T_room")
    s.plot("plant.T", "hot[5].T[9]", "cold[0].T[9]", *rooms, "produced", "used", "lost").savefig(
        folder / "district_heating.png"
    )
    day = s.time >= 24 * HOUR
    energy = {name: np.trapezoid(s[name][day], s.time[day]) / 3.6e6 for name in ("produced", "used", "lost")}
    print("second day, kWh: " + ", ".join(f"{name} {value:.0f}" for name, value in energy.items()))
    later = s.time >= 29 * HOUR
    minutes = s.time[later] / 60 - 29 * 60
    rises = [s[f"hot[{k}].T[9]"][later] - s[f"hot[{k}].T[9]"][later][0] for k in (0, 5)]
    first, last = (minutes[np.argmax(rise > 3.0)] for rise in rises)
    print(f"the morning's front reaches the first house after {first:.0f} min, the last after {last:.0f} min")
    coldest = min(s[f"house[{k}].T_room"][day].min() for k in range(6)) - CELSIUS
    print(f"rooms never below {coldest:.1f} degC; plot: {folder / 'district_heating.png'}")
    return s


if __name__ == "__main__":
    main()
