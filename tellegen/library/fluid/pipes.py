"""Pipes: friction without storage, and arrays of cells that store mass and energy, with or without inertia."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.flow_laws import wall_friction
from tellegen.library.fluid.interfaces import (
    FluidPort,
    PartialTwoPort,
    Statements,
    arriving,
    carried,
    fractions,
    upstream,
)
from tellegen.library.fluid.transfer import pipe_coefficient
from tellegen.library.gravity import STANDARD_GRAVITY
from tellegen.library.media import State, Water
from tellegen.library.thermal import HeatPort


class PartialPipe(tg.Component):
    """The geometry of a straight round pipe, or of several side by side."""

    length = tg.parameter(1.0, "m", "length", min=0.0)
    diameter = tg.parameter(0.02, "m", "inner diameter", min=0.0)
    roughness = tg.parameter(2.5e-5, "m", "height of bumps on the wall", min=0.0)
    height_ab = tg.parameter(0.0, "m", "height of port_b above port_a")
    n_parallel = tg.parameter(1.0, "1", "number of equal pipes side by side", min=0.0)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")

    def area(self) -> Any:
        """Cross-section of one pipe."""
        return tg.pi / 4.0 * self.diameter**2

    def friction(self, m_flow: tg.Expression, rho: tg.Expression, mu: tg.Expression, length: tg.Expression) -> Any:
        """Pressure drop along a part of the pipe."""
        return wall_friction(m_flow / self.n_parallel, rho, mu, self, length)


class StaticPipe(PartialPipe, PartialTwoPort):
    """Friction and height without storage: dp = friction(m_flow) + rho g height_ab; no heat through the wall.

    Friction is laminar below Re = 2000, turbulent by Swamee and Jain above 4000, smooth between (`wall_friction`).
    Fluid that is lifted gives up enthalpy for its potential energy, h_b = h_a - g height_ab.
    """

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density)
        mu = self.upstream(self.medium.viscosity)
        yield self.dp == self.friction(self.m_flow, rho, mu, self.length) + rho * self.g * self.height_ab
        yield self.port_b.h_outflow == tg.in_stream(self.port_a.h_outflow) - self.g * self.height_ab
        yield self.port_a.h_outflow == tg.in_stream(self.port_b.h_outflow) + self.g * self.height_ab


class DynamicPipe(PartialPipe):
    """A pipe of n cells: each stores mass, energy and substances; n + 1 flows join cells and ports.

    Cell k: dM/dt = m_flow[k] - m_flow[k+1], dU/dt = H_flow[k] - H_flow[k+1] + Q, with upwind enthalpies. Flow between
    two cells over dx = length/n (dx/2 to the ports): dp = friction + rho g height, and with momentum="dynamic" the
    inertia dx/A dm_flow/dt besides. States are M, U and masses of substances, so all is conserved to round-off.
    With use_heat_transfer each cell has a port to the wall, Q = alpha dA (T_wall - T): alpha is constant ("constant"),
    that of a developed flow ("correlation", Gnielinski and 3.66 where laminar), or without limit ("ideal").
    """

    medium = tg.parameter(Water(), structural=True, description="what flows")
    n = tg.parameter(5, structural=True, description="number of cells")
    momentum = tg.parameter(
        "static",
        structural=True,
        description='"static" or "dynamic" balance of momentum',
        choices=("static", "dynamic"),
    )
    use_heat_transfer = tg.parameter(False, structural=True, description="each cell has a port in heat_ports")
    heat_transfer = tg.parameter(
        "constant",
        structural=True,
        description='"constant", "correlation" or "ideal"',
        choices=("constant", "correlation", "ideal"),
    )
    port_a = FluidPort().of(medium)
    port_b = FluidPort().of(medium)
    heat_ports = HeatPort.array(n).only_if(use_heat_transfer)
    alpha = tg.parameter(1000.0, "W/(m2.K)", "heat transfer coefficient, if constant", min=0.0)
    m_flow_small = tg.parameter(1e-4, "kg/s", "below, flow laws are smoothed across the reversal of flow", min=0.0)
    p_start = tg.parameter(lambda self: self.medium.p_default, "Pa", "pressure at the start", min=0.0)
    T_start = tg.parameter(lambda self: self.medium.T_default, "K", "temperature at the start", min=0.0)
    X_start = tg.parameter(
        lambda self: self.medium.X_default, "1", "mass fractions at the start", shape=lambda self: self.medium.n_X
    )
    m_flow_start = tg.parameter(0.0, "kg/s", "mass flow at the start")
    p = tg.variable("Pa", "pressure of the cells", start=p_start, shape=n)
    T = tg.variable("K", "temperature of the cells", start=T_start, shape=n)
    h = tg.variable("J/kg", "specific enthalpy of the cells", start=lambda self: self.start_state().h, shape=n)
    Xi = tg.variable(
        "1",
        "mass fractions by substance and cell",
        start=lambda self: self.start_fractions(),
        shape=(lambda self: self.medium.n_X, n),
    )
    M = tg.variable("kg", "mass of the cells", start=lambda self: self.start_mass(), shape=n)
    U = tg.variable("J", "internal energy of the cells", start=lambda self: self.start_energy(), shape=n)
    MXi = tg.variable(
        "kg",
        "masses by substance and cell",
        start=lambda self: self.start_masses(),
        shape=(lambda self: self.medium.n_X, n),
    )
    m_flow = tg.variable("kg/s", "mass flow towards port_b, from cell to cell", start=m_flow_start, shape=n + 1)
    H_flow = tg.variable("W", "enthalpy flow towards port_b, from cell to cell", shape=n + 1)
    X_flow = tg.variable("kg/s", "flow of each substance towards port_b", shape=(lambda self: self.medium.n_X, n + 1))
    T_a = tg.variable("K", "temperature of fluid that enters at port_a", start=T_start)
    T_b = tg.variable("K", "temperature of fluid that enters at port_b", start=T_start)

    # -- where it starts -----------------------------------------------------------------------------------------
    def start_state(self) -> State:
        """The state of all cells at the start."""
        return self.medium.at(self.p_start, self.T_start, fractions(self.X_start))

    def start_fractions(self) -> Any:
        """X_start for every cell."""
        return self.X_start[:, None]

    def start_mass(self) -> Any:
        """The mass of a cell at the start."""
        return self.cell_volume() * self.medium.density(self.start_state())

    def start_masses(self) -> Any:
        """The masses of substances in a cell at the start."""
        return self.start_mass() * self.start_fractions()

    def start_energy(self) -> Any:
        """The energy of a cell at the start."""
        return self.start_mass() * self.medium.internal_energy(self.start_state())

    # -- parts of the equations ------------------------------------------------------------------------------------
    def cell_volume(self) -> Any:
        """The volume of a cell."""
        return self.n_parallel * self.area() * self.length / self.n

    def cells(self, which: Any = slice(None)) -> State:
        """The states of some cells."""
        return State(self.p[which], self.T[which], self.h[which], [self.Xi[k, which] for k in range(self.medium.n_X)])

    def momentum_balance(self, m_flow: tg.Expression, before: State, behind: State, share: float) -> Any:
        """The equation between the states on both sides of a flow over `share` of a cell's length."""
        rho = upstream(m_flow, self.medium.density(before), self.medium.density(behind), self.m_flow_small)
        mu = upstream(m_flow, self.medium.viscosity(before), self.medium.viscosity(behind), self.m_flow_small)
        dx = share * self.length / self.n
        drop = self.friction(m_flow, rho, mu, dx) + rho * self.g * self.height_ab * (share / self.n)
        if self.momentum == "dynamic":
            drop = drop + dx / (self.n_parallel * self.area()) * tg.der(m_flow)
        return before.p - behind.p == drop

    def equations(self) -> Statements:
        medium = self.medium
        m = self.m_flow
        h = self.h
        inside = slice(1, self.n)
        rise = self.g * self.height_ab / (2.0 * self.n)  # potential energy from a flow to the middle of the next cell
        into_a = arriving(self.port_a, self.T_a)
        into_b = arriving(self.port_b, self.T_b)
        cells = self.cells()
        first = self.cells(0)
        last = self.cells(self.n - 1)
        yield medium.relation(into_a)
        yield medium.relation(into_b)
        yield medium.relation(cells)
        yield self.M == self.cell_volume() * medium.density(cells)
        yield self.U == self.M * medium.internal_energy(cells)
        yield self.MXi == self.M * self.Xi
        yield self.port_a.m_flow == m[0]
        yield self.port_b.m_flow == -m[self.n]
        yield self.momentum_balance(m[0], into_a, first, 0.5)
        yield self.momentum_balance(m[self.n], last, into_b, 0.5)
        if self.n > 1:
            left = self.cells(slice(None, -1))
            right = self.cells(slice(1, None))
            yield self.momentum_balance(m[inside], left, right, 1.0)
            yield self.H_flow[inside] == carried(m[inside], h[:-1] - rise, h[1:] + rise)
        yield self.H_flow[0] == carried(m[0], into_a.h, h[0] + rise)
        yield self.H_flow[self.n] == carried(m[self.n], h[self.n - 1] - rise, into_b.h)
        yield self.port_a.h_outflow == h[0] + rise
        yield self.port_b.h_outflow == h[self.n - 1] - rise
        yield m[:-1] == m[1:] + (0 if medium.constant_density else tg.der(self.M))
        yield tg.der(self.U) == self.H_flow[:-1] - self.H_flow[1:] - rise * (m[:-1] + m[1:]) + self.heat()
        yield from self._substances(into_a, into_b)
        yield from self._walls()

    def _substances(self, into_a: State, into_b: State) -> Statements:
        """Balances of the substances, one by one."""
        m = self.m_flow
        for k in range(self.medium.n_X):
            X = self.Xi[k]
            yield self.port_a.Xi_outflow[k] == X[0]
            yield self.port_b.Xi_outflow[k] == X[self.n - 1]
            yield self.X_flow[k, 0] == carried(m[0], into_a.X[k], X[0])
            yield self.X_flow[k, self.n] == carried(m[self.n], X[self.n - 1], into_b.X[k])
            if self.n > 1:
                yield self.X_flow[k, 1 : self.n] == carried(m[1 : self.n], X[:-1], X[1:])
            yield tg.der(self.MXi[k]) == self.X_flow[k, :-1] - self.X_flow[k, 1:]

    def heat(self) -> Any:
        """The heat flow into each cell."""
        return self.heat_ports.Q_flow if self.use_heat_transfer else 0.0

    def _walls(self) -> Statements:
        """Heat from the wall into each cell."""
        if not self.use_heat_transfer:
            return
        if self.heat_transfer == "ideal":
            yield self.heat_ports.T == self.T
            return
        surface = tg.pi * self.diameter * self.length * self.n_parallel / self.n
        alpha = self.alpha
        if self.heat_transfer == "correlation":
            mean = 0.5 * (self.m_flow[:-1] + self.m_flow[1:]) / self.n_parallel
            alpha = pipe_coefficient(self.medium, self.cells(), mean, self.diameter)
        yield self.heat_ports.Q_flow == alpha * surface * (self.heat_ports.T - self.T)
