"""A battery on a cold plate: twelve cells in a row, a coolant channel that runs under them and back, and a chiller.

Every cell heats by its current, I^2 R, with a resistance that falls with temperature, and sits on a section of the
plate. The channel is an array of 24 cells of fluid: the first twelve run along the row, the others return next to them,
so that each battery cell sees fresh and heated coolant. For comparison, the same plate with the channel in one
direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import fluid, media
from tellegen.library import thermal as th

COOLANT = media.ConstantLiquid(rho=1060.0, c=3500.0, mu=4e-3, k=0.4)  # water and glycol at 25 degC
CELSIUS = 273.15


class BatteryCell(tg.Component):
    """A cell of the battery: heat capacity and ohmic heat, R = R25 exp(-0.02 (T - 25 degC))."""

    port = th.HeatPort("its bottom")
    I = tg.input("A", "current")  # noqa: E741
    R25 = tg.parameter("1.2 mohm", "ohm", "resistance at 25 degC")
    C = tg.parameter(900.0, "J/K", "heat capacity")
    G = tg.parameter(8.0, "W/K", "conductance to the plate, through the gap filler")
    T = tg.variable("K", "temperature", start=298.15, fixed=True)
    heat = tg.variable("W", "ohmic heat")

    def equations(self) -> Iterator[Any]:
        yield self.heat == self.R25 * tg.exp(-0.02 * (self.T - 298.15)) * self.I**2
        yield self.C * tg.der(self.T) == self.heat + self.port.Q_flow
        yield self.port.Q_flow == self.G * (self.port.T - self.T)


class ColdPlate(tg.Component):
    """The pack: cells, plate pieces that conduct along the row, the channel, pump and chiller."""

    n = tg.parameter(12, structural=True, description="battery cells")
    there_and_back = tg.parameter(True, structural=True)
    m_flow = tg.parameter(0.04, "kg/s", "coolant")
    cell = BatteryCell.array(n)
    plate = th.HeatCapacitor.array(n, C=150.0, T=tg.variable(start=298.15, fixed=True))
    along = th.ThermalConductor.array(n - 1, G=3.0)
    pump = fluid.ControlledPump(medium=COOLANT)
    chiller = fluid.HeatExchangerNTU(medium_1=COOLANT, medium_2=COOLANT, UA=220.0)
    cold = fluid.MassFlowSource_T(medium=COOLANT, m_flow=0.1, T=283.15)
    away = fluid.FixedBoundary(medium=COOLANT)
    tank = fluid.ClosedVolume(medium=COOLANT, V="1 l", n_ports=2, T_start=298.15)
    vent = fluid.FixedBoundary(medium=COOLANT, T=298.15)
    spread = tg.variable("K", "warmest cell less coldest")
    current = tg.variable("A", "of every cell")

    def build(self) -> None:
        """One fluid cell under each battery cell, or two."""
        cells = 2 * self.n if self.there_and_back else self.n
        self.channel = fluid.DynamicPipe(
            medium=COOLANT,
            n=cells,
            length=3.0 if self.there_and_back else 1.5,
            diameter=0.008,
            n_parallel=2.0 if self.there_and_back else 4.0,
            use_heat_transfer=True,
            heat_transfer="correlation",
            T_start=298.15,
            m_flow_start=0.04,
        )

    def equations(self) -> Iterator[Any]:
        """Fast driving: 250 A for two minutes, then 60 A for one, again and again."""
        yield self.current == tg.interpolate(
            tg.time, [0, 119, 121, 179, 181], [250, 250, 60, 60, 250], outside="periodic"
        )
        yield self.cell.I == self.current
        yield self.pump.m_flow_set == self.m_flow
        low = self.cell[0].T
        high = self.cell[0].T
        for k in range(1, self.n):
            low = tg.minimum(low, self.cell[k].T)
            high = tg.maximum(high, self.cell[k].T)
        yield self.spread == tg.no_event(high - low)

    def connections(self) -> Iterator[Any]:
        """Cells on the plate, the plate over the channel, the channel in a loop with the chiller."""
        yield self.cell.port, self.plate.port
        yield self.plate[:-1].port, self.along.port_a
        yield self.plate[1:].port, self.along.port_b
        yield self.plate.port, self.channel.heat_ports[: self.n]
        if self.there_and_back:
            yield self.plate.port, self.channel.heat_ports[: self.n - 1 : -1]
        yield self.tank.ports[0], self.pump.port_a
        yield self.pump.port_b, self.channel.port_a
        yield self.channel.port_b, self.chiller.port_a1
        yield self.chiller.port_b1, self.tank.ports[1], self.vent.port
        yield self.cold.port, self.chiller.port_a2
        yield self.chiller.port_b2, self.away.port


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Half an hour of fast driving with both channels."""
    folder.mkdir(parents=True, exist_ok=True)
    runs = {back: tg.simulate(ColdPlate(there_and_back=back), stop="30 min", points=901) for back in (True, False)}
    for back, s in runs.items():
        late = s.time > 900.0
        name = "U-shaped" if back else "one direction"
        warmest = s["cell.T"][late].max() - CELSIUS
        print(f"{name:15s} warmest cell {warmest:.1f} degC, spread at most {s['spread'][late].max():.2f} K")
    s = runs[True]
    s.plot("cell.T", "spread", "current").savefig(folder / "battery_cooling_plate.png")
    heat = np.sum([s[f"cell[{k}].heat"] for k in range(12)], axis=0)
    late = s.time > 900.0
    print(f"mean heat of the pack {heat[late].mean():.0f} W, of the chiller {s['chiller.Q_flow'][late].mean():.0f} W")
    print(f"plot: {folder / 'battery_cooling_plate.png'}")
    return s


if __name__ == "__main__":
    main()
