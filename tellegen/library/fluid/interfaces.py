"""What fluid components have in common: ports, what flows through them, and two-ports that store nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import tellegen as tg
from tellegen.library.media import State, Water

Statements = Iterator[Any]

"""m/s2; a parameter of the components that lift fluid."""


class FluidPort(tg.Connector):
    """An opening through which a medium flows: `FluidPort().of(medium)`. Only ports of one medium can be connected.

    h_outflow and Xi_outflow are those of fluid that leaves the component there, whichever way it flows just now.
    """

    p = tg.across("Pa", "absolute pressure", start=101325.0)
    m_flow = tg.through("kg/s", "mass flow into the component")
    h_outflow = tg.stream("J/kg", "specific enthalpy of fluid that flows out")
    Xi_outflow = tg.stream("1", "mass fractions of fluid that flows out", shape=lambda medium: medium.n_X)


def carried(m_flow: tg.Expression, incoming: tg.Expression, outgoing: tg.Expression) -> Any:
    """m_flow times what it carries: `incoming` for m_flow > 0, else `outgoing`. Continuous, and no event at zero."""
    return tg.no_event(tg.maximum(m_flow, 0.0) * incoming + tg.minimum(m_flow, 0.0) * outgoing)


def enthalpy_flow(port: Any) -> Any:
    """The energy that flows into the component through a port, or through each port of an array."""
    return carried(port.m_flow, tg.in_stream(port.h_outflow), port.h_outflow)


def substance_flow(port: Any, k: int) -> Any:
    """The mass flow of substance k into the component through a port, or through each port of an array."""
    incoming = tg.in_stream(port.Xi_outflow)
    outgoing = port.Xi_outflow
    return carried(port.m_flow, incoming[..., k], outgoing[..., k])


def upstream(drive: tg.Expression, a: tg.Expression, b: tg.Expression, small: tg.Expression) -> Any:
    """The value a where drive > 0 (a mass flow, a pressure drop), b where it is negative; smooth across `small`."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a == b:
        return a
    share = 0.5 * (1.0 + drive / tg.sqrt(drive**2 + small**2))
    return b + (a - b) * share


def arriving(port: Any, T: tg.Expression) -> State:
    """The state of fluid that flows in at a port, or would; T is the variable of its temperature."""
    return State(port.p, T, tg.in_stream(port.h_outflow), fractions(tg.in_stream(port.Xi_outflow)))


def fractions(Xi: Any) -> Sequence[Any]:
    """The mass fractions of a vector variable as a sequence."""
    return [Xi[k] for k in range(Xi.shape[0])]


class PartialTwoPort(tg.Component):
    """Fluid passes from port_a to port_b without being stored; T_a and T_b are those of fluid entering there."""

    medium = tg.parameter(Water(), structural=True, description="what flows")
    port_a = FluidPort().of(medium)
    port_b = FluidPort().of(medium)
    m_flow_small = tg.parameter(1e-4, "kg/s", "below, flow laws are smoothed across the reversal of flow", min=0.0)
    m_flow = tg.variable("kg/s", "mass flow from port_a to port_b")
    dp = tg.variable("Pa", "pressure of port_a less that of port_b")
    T_a = tg.variable("K", "temperature of fluid that enters at port_a", start=lambda self: self.medium.T_default)
    T_b = tg.variable("K", "temperature of fluid that enters at port_b", start=lambda self: self.medium.T_default)

    def state_a(self) -> State:
        """Fluid that enters at port_a."""
        return arriving(self.port_a, self.T_a)

    def state_b(self) -> State:
        """Fluid that enters at port_b."""
        return arriving(self.port_b, self.T_b)

    def upstream(self, of: Any, drive: Any = None, small: Any = None) -> Any:
        """A property of the medium, `self.medium.density`, on the side the fluid comes from.

        That is determined by m_flow, or by `drive`, what a law gives m_flow as a function of: then it is not a loop.
        """
        drive, small = (self.m_flow, self.m_flow_small) if drive is None else (drive, small)
        return upstream(drive, of(self.state_a()), of(self.state_b()), small)

    def equations(self) -> Statements:
        yield self.m_flow == self.port_a.m_flow
        yield self.port_a.m_flow + self.port_b.m_flow == 0
        yield self.dp == self.port_a.p - self.port_b.p
        yield self.medium.relation(self.state_a())
        yield self.medium.relation(self.state_b())
        yield self.port_a.Xi_outflow == tg.in_stream(self.port_b.Xi_outflow)
        yield self.port_b.Xi_outflow == tg.in_stream(self.port_a.Xi_outflow)


class PartialThrottle(PartialTwoPort):
    """A two-port without work and heat: what enters on one side leaves on the other with the same enthalpy."""

    def equations(self) -> Statements:
        yield self.port_a.h_outflow == tg.in_stream(self.port_b.h_outflow)
        yield self.port_b.h_outflow == tg.in_stream(self.port_a.h_outflow)
