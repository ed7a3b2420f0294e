"""A heat pump with propane: compressor, condenser, expansion valve and evaporator, between cold air and a heated house.

The refrigerant is a table in native code, made by CoolProp (media.TabulatedFluid), so a day is computed in a moment.
The compressor's speed follows the temperature of the water; the expansion valve holds the level in the evaporator. The
figure shows the cycle in the log p-h diagram with the two-phase region, and the day.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.library import thermal as th

PROPANE = media.TabulatedFluid("R290", p_min=1e5, p_max=30e5)
HOUR = 3600.0


class HeatPump(tg.Component):
    """The refrigerant's circuit between two heat ports: `cold` takes heat in, `warm` gives it off."""

    medium = tg.parameter(PROPANE, structural=True, description="the refrigerant")
    cold = th.HeatPort()
    warm = th.HeatPort()
    N = tg.input("rpm", "speed of the compressor")
    compressor = fl.Compressor(medium=medium, V_displacement=30e-6, eta_is=0.68)
    condenser = fl.Condenser(medium=medium, V=4e-3, p_start=13e5, h_start=3.2e5)
    valve = fl.ExpansionValve(medium=medium, A=1.2e-6)
    evaporator = fl.Evaporator(medium=medium, V=5e-3, p_start=4e5, h_start=2.4e5)
    level_wanted = tg.parameter(0.3, "1", "level in the evaporator")
    Q_warm = tg.variable("W", "heat given off")
    P = tg.variable("W", "power of the compressor")
    COP = tg.variable("1", "coefficient of performance")

    def equations(self) -> Iterator[Any]:
        """The valve opens as the level falls; quantities of interest."""
        yield self.compressor.N == self.N
        yield self.valve.opening == 0.5 + 4.0 * (self.level_wanted - self.evaporator.level)
        yield self.Q_warm == -self.warm.Q_flow
        yield self.P == self.compressor.W
        yield self.COP * self.P == self.Q_warm

    def connections(self) -> Iterator[Any]:
        """Once around."""
        yield self.evaporator.ports[1], self.compressor.port_a
        yield self.compressor.port_b, self.condenser.ports[0]
        yield self.condenser.ports[1], self.valve.port_a
        yield self.valve.port_b, self.evaporator.ports[0]
        yield self.evaporator.heat_port, self.cold
        yield self.condenser.heat_port, self.warm


class House(tg.Component):
    """A house of 150 W/K on a winter's day, heated through the water of its floor."""

    pump = HeatPump()
    outside = th.PrescribedTemperature()
    coil = th.ThermalConductor(G=900.0)
    plates = th.ThermalConductor(G=1500.0)
    water = th.HeatCapacitor(C="1.5 MJ/K", T=tg.variable(start=306.0, fixed=True))
    floor = th.ThermalConductor(G=250.0)
    rooms = th.HeatCapacitor(C="25 MJ/K", T=tg.variable(start=293.15, fixed=True))
    walls = th.ThermalConductor(G=150.0)
    T_rooms = tg.parameter("20 degC", "K", "temperature the rooms should have")
    slope = tg.parameter(0.6, "1", "heating curve: how much warmer the water for a kelvin that it is colder outside")
    base = tg.parameter(2500.0, "rpm", "speed while the water is as it should be")
    gain = tg.parameter(600.0, "rpm/K", "speed for a kelvin that the water lacks")
    slowest = tg.parameter(1200.0, "rpm", "least speed")
    fastest = tg.parameter(6600.0, "rpm", "largest speed")

    def equations(self) -> Iterator[Any]:
        """The weather, and the speed of the compressor between its limits."""
        yield self.outside.T == 275.15 - 6.0 * tg.cos(2.0 * tg.pi * (tg.time - 4.0 * HOUR) / (24.0 * HOUR))
        T_water = self.T_rooms + self.slope * (self.T_rooms - self.outside.T)
        wanted = self.base + self.gain * (T_water - self.water.T)
        yield self.pump.N == tg.no_event(tg.minimum(tg.maximum(wanted, self.slowest), self.fastest))

    def connections(self) -> Iterator[Any]:
        """Heat from outside to inside, and out again."""
        yield self.outside.port, self.coil.port_a, self.walls.port_b
        yield self.coil.port_b, self.pump.cold
        yield self.pump.warm, self.plates.port_a
        yield self.plates.port_b, self.water.port, self.floor.port_a
        yield self.floor.port_b, self.rooms.port, self.walls.port_a


def draw(solution: tg.Solution, path: Path) -> None:
    """The cycle at the end of the day in the diagram log p over h, and the day."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.5), layout="constrained")
    real = media.RealFluid("R290")
    dome = [(p, real.saturation(float(p))) for p in np.geomspace(1e5, 0.9994 * real.p_critical, 200)]
    edge = [(at.h_l, p) for p, at in dome] + [(at.h_v, p) for p, at in dome[::-1]]
    left.plot([h / 1e3 for h, _ in edge], [p / 1e5 for _, p in edge], color="tab:blue")
    low = solution["pump.evaporator.p"][-1]
    high = solution["pump.condenser.p"][-1]
    ends = ["evaporator.ports[1]", "compressor.port_b", "condenser.ports[1]", "valve.port_b"]
    h = [solution[f"pump.{end}.h_outflow"][-1] / 1e3 for end in ends]
    condensed = [PROPANE.h_dew(high) / 1e3]
    left.plot(
        [*h[:2], *condensed, *h[2:], h[0]], np.array([low, high, high, high, low, low]) / 1e5, "o-", color="tab:red"
    )
    left.set(yscale="log", xlabel="specific enthalpy, kJ/kg", ylabel="pressure, bar", title="propane, log p-h")
    hours = solution.time / HOUR
    for name, label in (("outside.port.T", "outside"), ("water.T", "water"), ("rooms.T", "rooms")):
        right.plot(hours, solution[name] - 273.15, label=f"{label}, degC")
    right.plot(hours, solution["pump.COP"], label="COP")
    right.plot(hours, solution["pump.P"] / 1e3, label="compressor, kW")
    right.set_xlabel("time, h")
    right.legend(loc="center left")
    figure.savefig(path)
    plt.close(figure)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """A day, and the mean coefficient of performance."""
    solution = tg.simulate(House(), stop=24.0 * HOUR)
    folder.mkdir(parents=True, exist_ok=True)
    draw(solution, folder / "heat_pump.png")
    heat, work = (float(np.trapezoid(solution[f"pump.{name}"], solution.time)) for name in ("Q_warm", "P"))
    print(f"{heat / 3.6e6:.1f} kWh of heat for {work / 3.6e6:.1f} kWh: COP {heat / work:.2f} over the day")
    print(f"rooms {solution['rooms.T'].min() - 273.15:.2f} to {solution['rooms.T'].max() - 273.15:.2f} degC")
    print(f"{solution.stats['steps']} steps with {solution.stats['solver']}, {solution.stats['seconds']:.2f} s")
    print(f"plot:  {folder / 'heat_pump.png'}")
    return solution


if __name__ == "__main__":
    main()
