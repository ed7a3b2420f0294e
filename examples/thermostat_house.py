"""A house with two rooms, kept warm by thermostats through a winter's day.

Every outer wall is three layers of cells (plaster, brick, insulation), so it takes hours until the cold of the night
has come through. Each room has a heater that a thermostat switches: on below 20 degC, off above 21 degC. The windows
follow the outside at once. What the heaters gave is what left the house and what its air and walls hold more.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import thermal as th

HOUR = 3600.0


class Thermostat(tg.Component):
    """On below low, off above high, and between them as it was."""

    T = tg.input("K", "temperature of the room")
    y = tg.output("W", "power of the heater")
    low = tg.parameter("20 degC", "K", "switches on")
    high = tg.parameter("21 degC", "K", "switches off")
    power = tg.parameter("2 kW", "W", "power while on")
    on = tg.boolean("heats", start=True)

    def equations(self) -> Iterator[Any]:
        """The two thresholds, and the power."""
        yield tg.when(self.T > self.high, self.on == False).elsewhen(self.T < self.low, self.on == True)
        yield self.y == tg.where(self.on, self.power, 0.0)


class Room(tg.Component):
    """Air and furniture, a heater with its thermostat, a wall and a window to the outside, a port to the neighbour."""

    outside = th.HeatPort()
    neighbour = th.HeatPort()
    area = tg.parameter(20.0, "m2", "area of the outer wall")
    air = th.HeatCapacitor(C="2 MJ/K", T=tg.variable(start=293.65, fixed=True))
    sensor = th.TemperatureSensor()
    thermostat = Thermostat()
    heater = th.PrescribedHeatFlow()
    inner = th.ThermalConductor(G=8.0 * area)
    wall = th.Wall(
        n=6,
        A=area,
        thickness=[0.015, 0.24, 0.12],
        k=[0.7, 0.5, 0.035],
        rho=[1400.0, 1200.0, 30.0],
        c=[1e3, 1e3, 1400.0],
    )
    outer = th.ThermalConductor(G=25.0 * area)
    window = th.ThermalConductor(G=12.0)

    def connections(self) -> Iterator[Any]:
        """From the air to the wall through a film of air on either side; the window in parallel."""
        yield self.air.port, self.sensor.port, self.heater.port, self.inner.port_a, self.window.port_a, self.neighbour
        yield self.inner.port_b, self.wall.port_a
        yield self.wall.port_b, self.outer.port_a
        yield self.outer.port_b, self.window.port_b, self.outside
        yield self.sensor.T, self.thermostat.T
        yield self.thermostat.y, self.heater.Q_flow


class House(tg.Component):
    """A large room to the north, a small one to the south, a wall between them, and the weather."""

    mean = tg.parameter("-2 degC", "K", "mean temperature of the day")
    swing = tg.parameter(6.0, "K", "amplitude over the day")
    north = Room(area=40.0, window=th.ThermalConductor(G=25.0))
    south = Room(area=20.0)
    between = th.Wall(n=4, A=15.0, thickness=[0.115], k=[0.5], rho=[1200.0], c=[1e3])
    weather = th.PrescribedTemperature()
    heat = tg.variable("J", "given by the heaters so far", start=0.0, fixed=True)
    lost = tg.variable("J", "lost to the outside so far", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Coldest at four in the morning."""
        yield self.weather.T == self.mean - self.swing * tg.cos(2.0 * np.pi * (tg.time / HOUR - 4.0) / 24.0)
        yield tg.der(self.heat) == self.north.thermostat.y + self.south.thermostat.y
        yield tg.der(self.lost) == self.weather.port.Q_flow

    def connections(self) -> Iterator[Any]:
        """The rooms to the weather and to each other."""
        yield self.weather.port, self.north.outside, self.south.outside
        yield self.north.neighbour, self.between.port_a
        yield self.south.neighbour, self.between.port_b


def stored(solution: tg.Solution) -> Any:
    """Heat in air and walls over time (J), up to a constant."""
    total = 0.0
    for room, area in (("north", 40.0), ("south", 20.0)):
        total = total + 2e6 * solution[f"{room}.air.T"]
        for layer, (thickness, capacity) in enumerate(((0.015, 1.4e6), (0.24, 1.2e6), (0.12, 4.2e4))):
            total = total + area * thickness * capacity * solution[f"{room}.wall.layer[{layer}].T"].mean(axis=-1)
    return total + 15.0 * 0.115 * 1.2e6 * solution["between.layer[0].T"].mean(axis=-1)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Three days: the first is needed by the walls to find their temperatures."""
    import matplotlib.pyplot as plt

    solution = tg.simulate(House(), 72.0 * HOUR, rtol=1e-7, points=2000)
    error = solution["heat"] - solution["lost"] - (stored(solution) - stored(solution)[0])
    last = solution.time > 48.0 * HOUR
    kWh = np.ptp(solution["heat"][last]) / 3.6e6
    print(f"{solution.stats['events']} events, {solution.stats['solver']}; heaters on the third day: {kWh:.1f} kWh")
    print(f"energy balance closes to {np.abs(error).max() / solution['heat'][-1]:.1g} of the heat")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(3, 1, figsize=(8, 9), layout="constrained")
    hours = solution.time[last] / HOUR - 48.0
    for room in ("north", "south"):
        axes[0].plot(hours, solution[f"{room}.air.T"][last] - 273.15, label=room)
    axes[0].set(ylabel="air [degC]", xlabel="time on the third day [h]", xlim=(0.0, 24.0))
    axes[1].plot(hours, solution["north.wall.port_a.Q_flow"][last], label="into the north wall")
    axes[1].plot(hours, -solution["north.wall.port_b.Q_flow"][last], label="out of it")
    axes[1].plot(hours, solution["north.window.Q_flow"][last], label="through the north window")
    axes[1].set(ylabel="heat flow [W]", xlabel="time on the third day [h]", xlim=(0.0, 24.0))
    depth = np.cumsum([0.0] + [d / 6.0 for d in (0.015, 0.24, 0.12) for _ in range(6)])
    for hour in (4, 10, 16, 22):
        row = solution.at((48.0 + hour) * HOUR)
        wall = np.concatenate([row[f"north.wall.layer[{k}].T"] for k in range(3)]) - 273.15
        axes[2].plot(100.0 * 0.5 * (depth[1:] + depth[:-1]), wall, ".-", label=f"{hour} h")
    axes[2].set(ylabel="north wall [degC]", xlabel="distance from the room [cm]")
    for axis in axes:
        axis.legend()
    figure.savefig(folder / "thermostat_house.png", dpi=110)
    print(f"plot:  {folder / 'thermostat_house.png'}")
    return solution


if __name__ == "__main__":
    main()
