"""A district heating network: a plant, streets of 20 houses each, supply and return pipes, valves and heat exchangers.

Every house has a heat exchanger (effectiveness) whose valve follows the temperature of its radiators with a lag; every
stretch of street has a supply and a return pipe of 3 cells that store heat. The pressures and flows of all houses hang
together: one sparse system of nonlinear equations. One hour of a morning on which all houses warm up from 20 degC.

    python benchmarks/district.py [consumers ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _timing import exponent, seconds, show

import tellegen as tg
from tellegen.library import fluid

SIZES = (20, 60, 100, 200, 500)
HOUSES = 20
STOP = 3600.0


class House(tg.Component):
    """A consumer: a valve and an exchanger to a circuit of radiators, which give heat to rooms at 20 degC."""

    supply = fluid.FluidPort().of(fluid.PartialTwoPort.medium.value)
    back = fluid.FluidPort().of(fluid.PartialTwoPort.medium.value)
    valve = fluid.ValveIncompressible(Av=4e-6, characteristic="quadratic")
    exchanger = fluid.HeatExchangerNTU(UA=1500.0)
    flow = fluid.MassFlowSource_T(m_flow=0.2)
    end = fluid.FixedBoundary()
    T_set = tg.parameter(328.15, "K", "wanted temperature of the water to the radiators")
    T_room = tg.parameter(293.15, "K", "temperature of the rooms")
    C = tg.parameter(4e5, "J/K", "heat capacity of the radiators and the water in them")
    G = tg.parameter(150.0, "W/K", "conductance from the radiators to the rooms")
    lag = tg.parameter(60.0, "s", "time constant of the valve")
    T = tg.variable("K", "temperature of the radiators", start=293.15)
    opening = tg.variable("1", "of the valve", start=0.5)

    def equations(self) -> Any:
        """The radiators store what the exchanger brings; the valve follows their temperature."""
        wanted = tg.no_event(tg.minimum(tg.maximum((self.T_set - self.T) / 20.0, 0.0), 1.0))
        yield self.C * tg.der(self.T) == self.exchanger.Q_flow - self.G * (self.T - self.T_room)
        yield self.lag * tg.der(self.opening) == wanted - self.opening
        yield self.flow.T == self.T
        yield self.valve.opening == self.opening

    def connections(self) -> Any:
        """Hot side through valve and exchanger; the radiators' circuit on the other."""
        yield self.supply, self.valve.port_a
        yield self.valve.port_b, self.exchanger.port_a1
        yield self.exchanger.port_b1, self.back
        yield self.flow.port, self.exchanger.port_a2
        yield self.exchanger.port_b2, self.end.port


class Street(tg.Component):
    """Houses along a supply and a return pipe."""

    n = tg.parameter(HOUSES, structural=True)
    supply = fluid.FluidPort().of(fluid.PartialTwoPort.medium.value)
    back = fluid.FluidPort().of(fluid.PartialTwoPort.medium.value)
    hot = fluid.DynamicPipe.array(n, n=3, length=20.0, diameter=0.06, T_start=293.15, m_flow_start=1.0)
    cold = fluid.DynamicPipe.array(n, n=3, length=20.0, diameter=0.06, T_start=293.15, m_flow_start=1.0)
    house = House.array(n)

    def connections(self) -> Any:
        """A stretch of both pipes in front of every house."""
        yield self.supply, self.hot[0].port_a
        yield self.hot[:-1].port_b, self.hot[1:].port_a
        yield self.hot.port_b, self.house.supply
        yield self.house.back, self.cold.port_a
        yield self.cold[1:].port_b, self.cold[:-1].port_a
        yield self.cold[0].port_b, self.back


class District(tg.Component):
    """Streets along a main, in the order of their distance from the plant, which holds 5 bar between its pipes."""

    n = tg.parameter(25, structural=True)
    hot = fluid.DynamicPipe.array(n, n=3, length=50.0, diameter=0.15, m_flow_start=5.0)
    cold = fluid.DynamicPipe.array(n, n=3, length=50.0, diameter=0.15, m_flow_start=5.0)
    street = Street.array(n)
    plant = fluid.FixedBoundary(p="9 bar", T="80 degC")
    back = fluid.FixedBoundary(p="4 bar", T="40 degC")

    def connections(self) -> Any:
        """The main as a street of streets."""
        yield self.plant.port, self.hot[0].port_a
        yield self.hot[:-1].port_b, self.hot[1:].port_a
        yield self.hot.port_b, self.street.supply
        yield self.street.back, self.cold.port_a
        yield self.cold[1:].port_b, self.cold[:-1].port_a
        yield self.cold[0].port_b, self.back.port


def cpu(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, which others on the machine do not change much, and the result."""
    begin = time.process_time()
    result = action()
    return time.process_time() - begin, result


def main(sizes: tuple[int, ...]) -> None:
    """Print the table."""
    tg.compile(District(n=1)).simulate(10.0)
    rows = []
    totals = {}
    for consumers in sizes:
        streets = max(consumers // HOUSES, 1)
        compiling, compiled = cpu(lambda n=streets: tg.compile(District(n=n)))
        solving, s = cpu(lambda m=compiled: m.simulate(STOP, points=13))
        totals[consumers] = compiling + solving
        before = [(m, totals[m]) for m in totals if m < consumers]
        growth = f"{exponent(before[-1], (consumers, totals[consumers])):.2f}" if before else ""
        warm = s["street.house.T"][-1] - 273.15
        ours = [str(len(compiled.reduced.unknowns)), seconds(compiling), seconds(solving), str(s.stats["steps"])]
        rows.append([str(consumers), *ours, seconds(totals[consumers]), growth, s.stats["solver"], f"{warm.min():.1f}"])
    heads = ["consumers", "unknowns", "compile", "simulate", "steps", "total", "exponent", "solver", "coldest/degC"]
    fitted = [n for n in totals if n >= 50]
    if len(fitted) > 1:
        slope = np.polyfit(np.log(fitted), np.log([totals[n] for n in fitted]), 1)[0]
        note = f"exponent fitted over {fitted[0]} to {fitted[-1]} consumers: {slope:.2f}"
    else:
        note = ""
    show("District heating", heads, rows, note)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
