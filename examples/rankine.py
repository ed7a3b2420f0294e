"""A steam power plant: boiler, superheater, turbine, condenser and feed pump, with water by CoolProp.

The fire gives what it gives; pressures, flows and levels follow. A controller of the level in the boiler sets the feed
pump. In steady state, its efficiency is that of the cycle computed by hand from properties, and what
the fires give is what the turbine and the condenser take.
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

WATER = media.RealFluid("Water")


class Plant(tg.Component):
    """The Rankine cycle, about 4 MW of heat."""

    medium = tg.parameter(WATER, structural=True, description="what circulates")
    boiler = fl.Evaporator(medium=medium, V=2.0, p_start=30e5, h_start=1.02e6)
    steam_pipe = fl.ValveLinear(medium=medium, m_flow_nominal=1.5, dp_nominal=0.5e5)
    superheater = fl.TwoPhaseVolume(medium=medium, V=0.5, p_start=29.5e5, h_start=3.1e6, use_heat_port=True)
    turbine = fl.Turbine(medium=medium, Kt=2.6e-4, eta_is=0.85)
    condenser = fl.Condenser(medium=medium, V=4.0, p_start=0.07e5, h_start=1.7e5)
    pump = fl.ControlledPump(medium=medium, eta=0.75)
    fire = th.FixedHeatFlow(Q_flow="3.2 MW")
    flue_gas = th.FixedHeatFlow(Q_flow="0.7 MW")
    tubes = th.ThermalConductor(G="160 kW/K")
    river = th.FixedTemperature(T="18 degC")
    level_wanted = tg.parameter(0.6, "1", "level in the boiler")
    feed_wanted = tg.parameter(1.35, "kg/s", "feed when the level is right")
    gain = tg.parameter(20.0, "kg/s", "feed for a boiler that is empty")
    Q_in = tg.variable("W", "heat from both fires")
    W_net = tg.variable("W", "power of the turbine less that of the pump")
    Q_out = tg.variable("W", "heat to the river")
    efficiency = tg.variable("1", "net power over heat")

    def equations(self) -> Iterator[Any]:
        """The controller, and quantities of interest."""
        yield self.pump.m_flow_set == self.feed_wanted + self.gain * (self.level_wanted - self.boiler.level)
        yield self.Q_in == self.fire.Q_flow + self.flue_gas.Q_flow
        yield self.W_net == -self.turbine.W - self.pump.W
        yield self.Q_out == self.tubes.Q_flow
        yield self.efficiency == self.W_net / self.Q_in

    def connections(self) -> Iterator[Any]:
        """Once around, and the heat."""
        yield self.pump.port_b, self.boiler.ports[0]
        yield self.boiler.ports[1], self.steam_pipe.port_a
        yield self.steam_pipe.port_b, self.superheater.ports[0]
        yield self.superheater.ports[1], self.turbine.port_a
        yield self.turbine.port_b, self.condenser.ports[0]
        yield self.condenser.ports[1], self.pump.port_a
        yield self.fire.port, self.boiler.heat_port
        yield self.flue_gas.port, self.superheater.heat_port
        yield self.condenser.heat_port, self.tubes.port_a
        yield self.tubes.port_b, self.river.port


def cycle_by_hand(p_boiler: float, p_turbine: float, h_turbine: float, p_condenser: float) -> float:
    """The efficiency of the cycle between these states, from properties alone."""
    liquid = WATER.saturation(p_condenser)
    pump = (p_boiler - p_condenser) / liquid.d_l / 0.75
    turbine = 0.85 * (h_turbine - WATER.isentropic_enthalpy(p_condenser, WATER.at(p_turbine, h=h_turbine)))
    return (turbine - pump) / (h_turbine - liquid.h_l - pump)


def draw(solution: tg.Solution, path: Path) -> None:
    """The transient to steady state, and the cycle over entropy."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.5), layout="constrained")
    left.plot(solution.time / 60.0, solution["W_net"] / 1e6, label="net power, MW")
    left.plot(solution.time / 60.0, solution["boiler.p"] / 1e6, label="pressure of the boiler, MPa")
    left.plot(solution.time / 60.0, solution["boiler.level"], label="level of the boiler")
    left.set_xlabel("time, min")
    left.legend()
    pressures = np.geomspace(2e3, 0.999 * WATER.p_critical, 200)
    dome = [WATER.saturation(float(p)) for p in pressures]
    right.plot(
        [at.s_l for at in dome] + [at.s_v for at in dome[::-1]], [at.T for at in dome] + [at.T for at in dome[::-1]]
    )
    corners = [
        ("pump", "boiler.p"),
        ("boiler", "boiler.p"),
        ("superheater", "superheater.p"),
        ("turbine", "condenser.p"),
    ]
    enthalpies = ["pump.port_b.h_outflow", "boiler.ports[1].h_outflow", "superheater.h", "turbine.port_b.h_outflow"]
    points = []
    for (_, pressure), enthalpy in zip(corners, enthalpies, strict=True):
        state = WATER.at(float(solution[pressure][-1]), h=float(solution[enthalpy][-1]))
        points.append((WATER.entropy(state), state.T))
    boiling = WATER.saturation(float(solution["boiler.p"][-1]))
    points.insert(1, (boiling.s_l, boiling.T))
    right.plot(*zip(*points, points[0], strict=True), "o-")
    right.set_xlabel("entropy, J/(kg K)")
    right.set_ylabel("temperature, K")
    figure.savefig(path)
    plt.close(figure)


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate an hour and compare with the cycle by hand."""
    solution = tg.simulate(Plant(), stop=3600.0)
    folder.mkdir(parents=True, exist_ok=True)
    draw(solution, folder / "rankine.png")
    end = {name: float(solution[name][-1]) for name in ("Q_in", "Q_out", "W_net", "efficiency")}
    states = [float(solution[name][-1]) for name in ("boiler.p", "superheater.p", "superheater.h", "condenser.p")]
    print(f"boiler {states[0] / 1e5:.2f} bar, condenser {states[3] / 1e5:.4f} bar, net {end['W_net'] / 1e3:.1f} kW")
    print(f"efficiency {end['efficiency']:.5f}, by hand {cycle_by_hand(*states):.5f}")
    print(f"heat in - heat out - work: {end['Q_in'] - end['Q_out'] - end['W_net']:.3g} W")
    print(f"plot:  {folder / 'rankine.png'}")
    return solution


if __name__ == "__main__":
    main()
