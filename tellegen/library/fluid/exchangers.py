"""Heat exchangers: by effectiveness (no storage), and as two pipes with a wall between them, cell by cell."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.flow_laws import reg_square
from tellegen.library.fluid.interfaces import FluidPort, Statements, arriving, upstream
from tellegen.library.fluid.pipes import DynamicPipe
from tellegen.library.media import State, Water
from tellegen.library.thermal import HeatPort

ARRANGEMENTS = ("counter", "co", "cross", "cross_mixed")


def decay(x: tg.Expression) -> Any:
    """(1 - exp(-x))/x for x >= 0, and 1 at 0: the formula above 1e-3, its series below, joined without a switch."""
    low = tg.minimum(x, 1e-3)
    high = tg.maximum(x, 1e-3)
    at = 1e-3
    series = 1.0 - low / 2.0 * (1.0 - low / 3.0 * (1.0 - low / 4.0))
    return tg.no_event(series + (1.0 - tg.exp(-high)) / high - (1.0 - tg.exp(-at)) / at)


def effectiveness(arrangement: str, NTU: tg.Expression, ratio: tg.Expression) -> Any:
    """Heat exchanged over what an endless counter-current exchanger would: by NTU = UA/C_min and ratio = C_min/C_max.

    "counter", "co" and "cross_mixed" (both streams mixed across) are exact; "cross" (both unmixed) is the common
    approximation 1 - exp((exp(-r N^0.78) - 1) N^0.22/r), within 0.01 of the exact series. All are written with `decay`,
    so that ratio = 1 and NTU = 0 are points like others.
    """
    if arrangement == "counter":
        reached = NTU * decay(NTU * (1.0 - ratio))
        return reached / (1.0 + ratio * reached)
    if arrangement == "co":
        return NTU * decay(NTU * (1.0 + ratio))
    if arrangement == "cross_mixed":
        return NTU / (1.0 / decay(NTU) + 1.0 / decay(ratio * NTU) - 1.0)
    return 1.0 - tg.exp(-NTU * decay(ratio * NTU**0.78))


class PartialExchanger(tg.Component):
    """Two streams that do not mix: from port_a1 to port_b1, and from port_a2 to port_b2."""

    medium_1 = tg.parameter(Water(), structural=True, description="what flows on side 1")
    medium_2 = tg.parameter(Water(), structural=True, description="what flows on side 2")
    arrangement = tg.parameter(
        "counter", structural=True, description='"counter", "co", "cross" or "cross_mixed"', choices=ARRANGEMENTS
    )
    port_a1 = FluidPort().of(medium_1)
    port_b1 = FluidPort().of(medium_1)
    port_a2 = FluidPort().of(medium_2)
    port_b2 = FluidPort().of(medium_2)


class HeatExchangerNTU(PartialExchanger):
    """Heat exchanger without storage, by effectiveness: Q_flow = eps(UA/C_min, C_min/C_max) C_min (T_in1 - T_in2).

    C = |m_flow| cp of each side, T_in of the fluid that enters it, whichever way it flows; each arrangement has its own
    `effectiveness`. Without flow on one side no heat passes: below m_flow_small Q_flow goes to zero like m_flow^2.
    Pressure drop of each side: dp_nominal (m_flow/m_flow_nominal)^2.
    """

    UA = tg.parameter(1000.0, "W/K", "heat transfer coefficient times area", min=0.0)
    m_flow_nominal = tg.parameter([1.0, 1.0], "kg/s", "nominal mass flow of each side", min=0.0)
    dp_nominal = tg.parameter([0.0, 0.0], "Pa", "pressure drop of each side at nominal flow", min=0.0)
    m_flow_small = tg.parameter(1e-4, "kg/s", "below, the laws are smoothed", min=0.0)
    m_flow = tg.variable("kg/s", "mass flow from port_a to port_b, of each side", shape=2)
    T_a = tg.variable("K", "temperature of fluid that enters at port_a1, port_a2", shape=2, start=293.15)
    T_b = tg.variable("K", "temperature of fluid that enters at port_b1, port_b2", shape=2, start=293.15)
    C = tg.variable("W/K", "heat capacity flow of each side", shape=2)
    eps = tg.variable("1", "effectiveness")
    Q_flow = tg.variable("W", "heat flow from side 1 to side 2")
    dT = tg.variable("K", "temperature of what enters side 1 less that of what enters side 2")

    def sides(self) -> list[tuple[Any, Any, Any, State, State]]:
        """Medium, ports and entering states of both sides."""
        ports = ((self.medium_1, self.port_a1, self.port_b1), (self.medium_2, self.port_a2, self.port_b2))
        return [(m, a, b, arriving(a, self.T_a[k]), arriving(b, self.T_b[k])) for k, (m, a, b) in enumerate(ports)]

    def equations(self) -> Statements:
        small = self.m_flow_small
        C_min, C_max = (tg.no_event(f(self.C[0], self.C[1])) for f in (tg.minimum, tg.maximum))
        T_in = [upstream(self.m_flow[k], self.T_a[k], self.T_b[k], small) for k in range(2)]
        flowing = [self.m_flow[k] ** 2 / (self.m_flow[k] ** 2 + small**2) for k in range(2)]
        yield self.dT == T_in[0] - T_in[1]
        yield self.eps == effectiveness(self.arrangement, self.UA / C_min, C_min / C_max)
        full = self.eps * C_min * self.dT
        yield self.Q_flow == full * flowing[0] * flowing[1]
        for k, (medium, a, b, into_a, into_b) in enumerate(self.sides()):
            m = self.m_flow[k]
            yield medium.relation(into_a)
            yield medium.relation(into_b)
            yield m == a.m_flow
            yield a.m_flow + b.m_flow == 0
            yield a.p - b.p == self.dp_nominal[k] / self.m_flow_nominal[k] ** 2 * reg_square(m, small)
            cp = upstream(m, medium.cp(into_a), medium.cp(into_b), small)
            yield self.C[k] == tg.sqrt(m**2 + small**2) * cp
            # Q_flow/|m_flow|, without dividing by it: |m_flow| times this is Q_flow to the last digit
            taken = (1.0 if k == 0 else -1.0) * full * flowing[1 - k] * tg.no_event(abs(m)) / (m**2 + small**2)
            yield b.h_outflow == tg.in_stream(a.h_outflow) - taken
            yield a.h_outflow == tg.in_stream(b.h_outflow) - taken
            yield a.Xi_outflow == tg.in_stream(b.Xi_outflow)
            yield b.Xi_outflow == tg.in_stream(a.Xi_outflow)


class WallPiece(tg.Component):
    """A piece of a wall: C dT/dt = G_1 (port_1.T - T) + G_2 (port_2.T - T)."""

    port_1 = HeatPort()
    port_2 = HeatPort()
    G_1 = tg.parameter(10.0, "W/K", "conductance to port_1", min=0.0)
    G_2 = tg.parameter(10.0, "W/K", "conductance to port_2", min=0.0)
    C = tg.parameter(100.0, "J/K", "heat capacity", min=0.0)
    T = tg.variable("K", "temperature", start=293.15)

    def equations(self) -> Statements:
        yield self.port_1.Q_flow == self.G_1 * (self.port_1.T - self.T)
        yield self.port_2.Q_flow == self.G_2 * (self.port_2.T - self.T)
        yield self.C * tg.der(self.T) == self.port_1.Q_flow + self.port_2.Q_flow


class DynamicHeatExchanger(PartialExchanger):
    """Two pipes of n cells with a wall between them that stores heat: flow, storage and conduction cell by cell.

    "counter" and "co": cell k of side 1 faces cell n - 1 - k, or k, of side 2 across n pieces of wall. "cross_mixed":
    each cell of one side faces all of the other, across n^2 pieces. G_1 and G_2 are the conductances from the fluids to
    the wall, the whole of it, so UA = 1/(1/G_1 + 1/G_2). `pipe_1` and `pipe_2` are DynamicPipes: geometry, friction and
    start values are set there, `exchanger.pipe_1.diameter = 0.02`.
    """

    arrangement = tg.parameter(
        "counter",
        structural=True,
        description='"counter", "co" or "cross_mixed"',
        choices=("counter", "co", "cross_mixed"),
    )
    n = tg.parameter(10, structural=True, description="number of cells of each side")
    G_1 = tg.parameter(2000.0, "W/K", "conductance from side 1 to the wall", min=0.0)
    G_2 = tg.parameter(2000.0, "W/K", "conductance from side 2 to the wall", min=0.0)
    C_wall = tg.parameter(1000.0, "J/K", "heat capacity of the whole wall", min=0.0)
    T_wall_start = tg.parameter(293.15, "K", "temperature of the wall at the start", min=0.0)
    pipe_1 = DynamicPipe(medium=PartialExchanger.medium_1, n=n, use_heat_transfer=True, heat_transfer="ideal")
    pipe_2 = DynamicPipe(medium=PartialExchanger.medium_2, n=n, use_heat_transfer=True, heat_transfer="ideal")
    Q_flow = tg.variable("W", "heat flow from side 1 into the wall")

    def build(self) -> None:
        count = self.n**2 if self.arrangement == "cross_mixed" else self.n
        share = {"G_1": self.G_1 / count, "G_2": self.G_2 / count, "C": self.C_wall / count}
        self.wall = WallPiece.array(count, **share, T=tg.variable(start=self.T_wall_start))

    def equations(self) -> Statements:
        yield self.Q_flow == tg.sum(self.wall.port_1.Q_flow)

    def connections(self) -> Statements:
        n = self.n
        one = self.pipe_1
        two = self.pipe_2
        yield self.port_a1, one.port_a
        yield self.port_b1, one.port_b
        yield self.port_a2, two.port_a
        yield self.port_b2, two.port_b
        if self.arrangement == "cross_mixed":
            for k in range(n):
                yield self.wall[k * n : (k + 1) * n].port_1, one.heat_ports[k]
                yield self.wall[k::n].port_2, two.heat_ports[k]
        else:
            yield self.wall.port_1, one.heat_ports
            yield self.wall.port_2, two.heat_ports[:: -1 if self.arrangement == "counter" else 1]
