"""Volumes: mass, energy and substances that are stored. The one place where the balances of lumped fluid stand."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.flow_laws import reg_square
from tellegen.library.fluid.interfaces import (
    FluidPort,
    Statements,
    enthalpy_flow,
    fractions,
    substance_flow,
)
from tellegen.library.gravity import STANDARD_GRAVITY
from tellegen.library.media import State, Water
from tellegen.library.thermal import HeatPort


class PartialVolume(tg.Component):
    """Well-mixed fluid with n_ports ports: what flows in less what flows out is stored; heat may enter by heat_port.

    dM/dt = sum m_flow, dU/dt = sum m_flow h + Q_flow, d(M Xi)/dt = sum m_flow Xi. Which variables are the states
    is the medium's business (`storage`, see tellegen/library/media/interface.py). A subclass says its fluid_volume()
    and the pressures of its ports.
    """

    medium = tg.parameter(Water(), structural=True, description="what is stored")
    n_ports = tg.parameter(2, structural=True, description="number of ports")
    storage = tg.parameter(
        "medium",
        structural=True,
        description='"conserved" or "intensive"; "medium": as it likes',
        choices=("conserved", "intensive", "medium"),
    )
    use_heat_port = tg.parameter(False, structural=True, description="heat enters through heat_port")
    ports = FluidPort.array(n_ports).of(medium)
    heat_port = HeatPort("where heat enters the fluid").only_if(use_heat_port, must_connect=True)
    p_start = tg.parameter(lambda self: self.medium.p_default, "Pa", "pressure at the start", min=0.0)
    T_start = tg.parameter(lambda self: self.medium.T_default, "K", "temperature at the start", min=0.0)
    X_start = tg.parameter(
        lambda self: self.medium.X_default, "1", "mass fractions at the start", shape=lambda self: self.medium.n_X
    )
    p = tg.variable("Pa", "pressure", start=p_start)
    T = tg.variable("K", "temperature", start=T_start)
    h = tg.variable("J/kg", "specific enthalpy", start=lambda self: self.start_state().h)
    Xi = tg.variable("1", "mass fractions", start=X_start, shape=lambda self: self.medium.n_X)
    M = tg.variable("kg", "mass", start=lambda self: self.start_mass())
    U = tg.variable("J", "internal energy", start=lambda self: self.start_energy())
    MXi = tg.variable(
        "kg", "masses of substances", start=lambda self: self.start_masses(), shape=lambda self: self.medium.n_X
    )

    def fluid_volume(self) -> Any:
        """The volume that the fluid has now."""
        raise NotImplementedError(f"{type(self).__name__} has to define fluid_volume()")

    def start_volume(self) -> Any:
        """The volume at the start, of parameters."""
        return self.fluid_volume()

    def fixed_mass(self) -> bool:
        """Whether the mass cannot change: a constant density in a constant volume."""
        return self.medium.constant_density

    def specific_energy(self, state: State) -> Any:
        """What a kilogram stores: internal energy; enthalpy where the fluid has to push something else away."""
        return self.medium.internal_energy(state)

    def lift(self) -> Any:
        """The specific potential energy at the ports."""
        return 0.0

    def leaving(self) -> Any:
        """Specific enthalpy of fluid that leaves, for all ports or one by one."""
        return self.h + self.lift()

    def state(self) -> State:
        """The state of the fluid."""
        return State(self.p, self.T, self.h, fractions(self.Xi))

    def start_state(self) -> State:
        """The state at the start."""
        return self.medium.at(self.p_start, self.T_start, fractions(self.X_start))

    def start_mass(self) -> Any:
        """The mass at the start."""
        return self.start_volume() * self.medium.density(self.start_state())

    def start_energy(self) -> Any:
        """The internal energy at the start."""
        return self.start_mass() * self.specific_energy(self.start_state())

    def start_masses(self) -> Any:
        """The masses of substances at the start."""
        return self.start_mass() * self.X_start

    def heat(self) -> Any:
        """The heat flow into the fluid."""
        return self.heat_port.Q_flow if self.use_heat_port else 0.0

    def inflows(self) -> tuple[Any, Any, list[Any]]:
        """Mass, energy and substances that flow in through all ports."""
        substances = [tg.sum(substance_flow(self.ports, k)) for k in range(self.medium.n_X)]
        m_flow = tg.sum(self.ports.m_flow)
        return m_flow, tg.sum(enthalpy_flow(self.ports)) - m_flow * self.lift(), substances

    def equations(self) -> Statements:
        medium = self.medium
        state = self.state()
        V = self.fluid_volume()
        m_flow, H_flow, X_flow = self.inflows()
        yield medium.relation(state)
        yield from medium.regions(state)
        yield self.M == V * medium.density(state)
        yield self.U == self.M * self.specific_energy(state)
        yield self.MXi == self.M * self.Xi
        yield self.ports.h_outflow == self.leaving()
        for k in range(medium.n_X):
            yield self.ports.Xi_outflow[:, k] == self.Xi[k]
        if self.use_heat_port:
            yield self.heat_port.T == self.T
        storage = medium.storage if self.storage == "medium" else self.storage
        if storage == "conserved":
            yield (0 if self.fixed_mass() else tg.der(self.M)) == m_flow
            yield tg.der(self.U) == H_flow + self.heat()
            for k in range(medium.n_X):
                yield tg.der(self.MXi[k]) == X_flow[k]
            return
        by_p, by_x, by_X = medium.density_derivatives(state)
        x = self.h if medium.basis == "ph" else self.T
        change = by_p * tg.der(self.p) + by_x * tg.der(x)
        for k in range(medium.n_X):
            change = change + by_X[k] * tg.der(self.Xi[k])
            yield self.M * tg.der(self.Xi[k]) == X_flow[k] - self.Xi[k] * m_flow
        yield V * change == m_flow
        yield self.M * tg.der(self.h) - V * tg.der(self.p) == H_flow - self.h * m_flow + self.heat()


class ClosedVolume(PartialVolume):
    """A vessel of constant volume V, completely filled and well mixed; any number of ports, all at its pressure."""

    V = tg.parameter(1e-3, "m3", "volume", min=0.0)

    def fluid_volume(self) -> Any:
        return self.V

    def equations(self) -> Statements:
        yield self.ports.p == self.p


class OpenTank(PartialVolume):
    """A tank of cross-section A open to the air: the level rises with what flows in; ports at its bottom.

    The fluid has the pressure p_ambient; at a port it is p_ambient + rho g level, less rho v^2/2 of what flows out,
    v = m_flow/(rho port_area): the kinetic energy is lost downstream of the port. So an outlet into open air runs at
    v = sqrt(2 g level), Torricelli's law (without ports data the Modelica library has no such loss, and no speed of
    what leaves into open air). What flows in is mixed in without loss. Fluid at the ports has the enthalpy
    h + g level: what leaves takes its potential energy along. U is M h, internal energy and the work against the air.

    With use_ports_data a port may lie at a height z, and has losses: p = p_ambient + rho g (level - z), less
    (zeta_out + 1 - (a/A)^2) rho v^2/2 of what flows out, more by (zeta_in - 1 + (a/A)^2) rho v^2/2 of what flows in.
    Through a port above the level (less level_min) nothing leaves, and what enters falls in at p_ambient; so a tank
    may become empty and be filled again.
    """

    A = tg.parameter(1.0, "m2", "cross-section of the tank", min=0.0)
    height = tg.parameter(10.0, "m", "height of the tank", min=0.0)
    level_start = tg.parameter(1.0, "m", "level at the start", min=0.0)
    level_min = tg.parameter(1e-3, "m", "the tank is dry at this level", min=0.0)
    p_ambient = tg.parameter(101325.0, "Pa", "pressure of the air above", min=0.0)
    port_area = tg.parameter(1e-3, "m2", "cross-section of each port", shape=lambda self: self.n_ports, min=0.0)
    use_ports_data = tg.parameter(False, structural=True, description="heights and losses of the ports count")
    port_height = tg.parameter(
        0.0, "m", "with use_ports_data: height of each port", shape=lambda self: self.n_ports, min=0.0
    )
    zeta_in = tg.parameter(1.04, "1", "with use_ports_data: loss coefficient of what flows in", min=0.0)
    zeta_out = tg.parameter(0.5, "1", "with use_ports_data: loss coefficient of what flows out", min=0.0)
    m_flow_small = tg.parameter(1e-4, "kg/s", "below, the outflow law is smoothed", min=0.0)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")
    n_ports = tg.parameter(1, structural=True, description="number of ports")
    level = tg.variable("m", "level", start=level_start)
    position = tg.variable(
        description="mass flow into a port; of a dry one its pressure less p_ambient, if negative",
        shape=lambda self: self.n_ports,
    )

    def fluid_volume(self) -> Any:
        return self.A * self.level

    def start_volume(self) -> Any:
        return self.A * self.level_start

    def start_state(self) -> State:
        return self.medium.at(self.p_ambient, self.T_start, fractions(self.X_start))

    def fixed_mass(self) -> bool:
        return False

    def specific_energy(self, state: State) -> Any:
        return state.h

    def lift(self) -> Any:
        return self.g * self.level

    def equations(self) -> Statements:
        rho = self.medium.density(self.state())
        yield self.p == self.p_ambient
        yield tg.assert_(self.level < self.height, "the tank runs over")  # noqa: PT009
        if self.use_ports_data:
            for k in range(self.n_ports):
                yield from self.port_with_data(k, rho)
            return
        yield self.position == self.ports.m_flow
        out = tg.no_event(tg.maximum(-self.ports.m_flow, 0.0))
        head = self.p_ambient + rho * self.g * self.level
        yield self.ports.p == head - reg_square(out, self.m_flow_small) / (2.0 * rho * self.port_area**2)
        yield tg.assert_(self.level > self.level_min, "the tank runs dry")  # noqa: PT009

    def port_with_data(self, k: int, rho: Any) -> Statements:
        """A position runs along the characteristic of a port: its mass flow, but for a dry port that nothing leaves."""
        port = self.ports[k]
        area = self.port_area[k]
        position = self.position[k]
        into = tg.no_event(tg.maximum(port.m_flow, 0.0))
        out = tg.no_event(tg.maximum(-port.m_flow, 0.0))
        ratio = (area / self.A) ** 2
        losses = (self.zeta_in - 1.0 + ratio) * reg_square(into, self.m_flow_small)
        losses = losses - (self.zeta_out + 1.0 - ratio) * reg_square(out, self.m_flow_small)
        depth = self.level - self.port_height[k]
        covered = self.p_ambient + rho * self.g * depth + losses / (2.0 * rho * area**2)
        wet = depth > self.level_min
        dry = ~wet & (position < 0.0)
        yield port.m_flow == tg.where(dry, 0.0, position)
        yield port.p == tg.where(wet, covered, self.p_ambient + tg.where(dry, self.p_ambient * position, 0.0))
