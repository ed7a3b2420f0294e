"""Pumps and fans by characteristic curves and the laws of affinity.

A curve is given by points at nominal speed and drawn as a parabola through them (the nearest, where there are more than
three). At other speeds, n = N/N_nominal, flow goes with n, head with n^2 and power with n^3:

    head = c0 n^2 + c1 n V + c2 V |V|          power = rho/rho_nominal n (w0 n^2 + w1 n V + w2 V^2)

Written so, nothing is divided by the speed, and a pump may stand still. Energy goes the way it really does: the shaft's
power enters the fluid, as pressure and as heat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.curves import checked
from tellegen.library.fluid.interfaces import PartialTwoPort, Statements, carried
from tellegen.library.fluid.volumes import PartialVolume
from tellegen.library.gravity import STANDARD_GRAVITY
from tellegen.library.rotational import Flange

_ROUNDING = 1e-12  # a term that small is what another LAPACK leaves of none


def parabola(points: tg.Expression, owner: Any, what: str) -> tuple[float, float, float]:
    """c0, c1, c2 of the parabola through rows of points, by least squares where there are more than three."""
    table = checked(points, owner, what)
    if len(table) < 3:
        advice = "give zero flow, the best point and the largest flow"
        raise tg.DataError("E702", f"a curve of {what} needs three points", location=owner._location, advice=advice)
    found = np.polynomial.polynomial.polyfit(table[:, 0], table[:, 1], 2)
    share = np.abs(found * np.abs(table[:, 0]).max() ** np.arange(3))
    c0, c1, c2 = np.where(share > _ROUNDING * share.max(), found, 0.0).tolist()
    return c0, c1, c2


class PartialWork(PartialTwoPort):
    """Work on fluid: pumped with efficiency eta, and a turbine of the same efficiency where the fluid drives."""

    eta = tg.parameter(0.7, "1", "efficiency", min=1e-3, max=1.0)
    W = tg.variable("W", "power of the shaft")

    def specific_work(self) -> Any:
        """What a kilogram gains from port_a to port_b without losses, (p_b - p_a)/rho."""
        raise NotImplementedError(f"{type(self).__name__} has to define specific_work()")

    def equations(self) -> Statements:
        gain = self.specific_work()
        up = tg.maximum(gain, 0.0)
        down = tg.minimum(gain, 0.0)
        forward = tg.no_event(up / self.eta + down * self.eta)  # per kilogram from port_a to port_b
        backward = tg.no_event(up * self.eta + down / self.eta)
        yield self.port_b.h_outflow == tg.in_stream(self.port_a.h_outflow) + forward
        yield self.port_a.h_outflow == tg.in_stream(self.port_b.h_outflow) - backward
        yield self.W == carried(self.m_flow, forward, backward)


class PartialPump(PartialWork):
    """The head of a pump: p_b - p_a = rho g head(V_flow, N)."""

    N_nominal = tg.parameter(1500.0, "rpm", "speed that the curve belongs to", min=0.0)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")
    head = tg.variable("m", "head")
    V_flow = tg.variable("m3/s", "volume flow from port_a to port_b")
    n = tg.variable("1", "speed over nominal speed")

    def specific_work(self) -> Any:
        return self.g * self.head

    def curve(self) -> tuple[float, float, float]:
        """Coefficients of the head by volume flow at nominal speed."""
        raise NotImplementedError(f"{type(self).__name__} has to define curve()")

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density)
        c0, c1, c2 = self.curve()
        turned = tg.no_event(abs(self.V_flow)) * self.V_flow
        yield self.V_flow * rho == self.m_flow
        yield self.head == c0 * self.n**2 + c1 * self.n * self.V_flow + c2 * turned
        yield self.dp == -rho * self.g * self.head


class PrescribedPump(PartialPump):
    """A pump whose speed N is an input; head by volume flow as a parabola through rows [V_flow, head] at N_nominal."""

    N = tg.input("rpm", "speed", default=1500.0)
    head_curve = tg.parameter(
        [[0.0, 60.0], [0.5e-3, 45.0], [1e-3, 0.0]], structural=True, description="rows [V_flow in m3/s, head in m]"
    )

    def curve(self) -> tuple[float, float, float]:
        return parabola(self.head_curve, self, "[V_flow, head]")

    def equations(self) -> Statements:
        yield self.n * self.N_nominal == self.N


class Fan(PartialPump):
    """A fan whose speed N is an input; pressure rise by volume flow as a parabola at N_nominal and rho_nominal."""

    N = tg.input("rpm", "speed", default=1500.0)
    dp_curve = tg.parameter(
        [[0.0, 300.0], [0.5, 250.0], [1.0, 0.0]],
        structural=True,
        description="rows [V_flow in m3/s, pressure rise in Pa]",
    )
    rho_nominal = tg.parameter(1.2, structural=True, description="density that the curve belongs to, kg/m3")

    def curve(self) -> tuple[float, float, float]:
        c0, c1, c2 = parabola(self.dp_curve, self, "[V_flow, dp]")
        scale = self.rho_nominal * STANDARD_GRAVITY
        return c0 / scale, c1 / scale, c2 / scale

    def equations(self) -> Statements:
        yield self.n * self.N_nominal == self.N


class ControlledPump(PartialWork):
    """A pump under ideal control: m_flow = m_flow_set, an input, whatever pressure that takes; W = V_flow dp/eta."""

    m_flow_set = tg.input("kg/s", "mass flow from port_a to port_b", default=1.0)

    def specific_work(self) -> Any:
        return -self.dp / self.upstream(self.medium.density)

    def equations(self) -> Statements:
        yield self.m_flow == self.m_flow_set


class Pump(PartialVolume):
    """A pump on a shaft: ports[0] is the inlet, ports[1] the outlet; curves of head and power at N_nominal.

    The shaft's torque is power/w, so the shaft feels the fluid, and power that is not pumped heats the fluid in the
    housing of volume V: a pump against a closed valve grows hot. ports[1].p - ports[0].p = rho g head.
    """

    flange = Flange("the shaft")
    N_nominal = tg.parameter(1500.0, "rpm", "speed that the curves belong to", min=0.0)
    rho_nominal = tg.parameter(1000.0, "kg/m3", "density that the power curve belongs to", min=0.0)
    V = tg.parameter(1e-3, "m3", "volume of fluid in the housing", min=0.0)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")
    head_curve = tg.parameter(
        [[0.0, 60.0], [0.5e-3, 45.0], [1e-3, 0.0]], structural=True, description="rows [V_flow in m3/s, head in m]"
    )
    power_curve = tg.parameter(
        [[0.0, 150.0], [0.5e-3, 320.0], [1e-3, 400.0]], structural=True, description="rows [V_flow in m3/s, power in W]"
    )
    head = tg.variable("m", "head")
    V_flow = tg.variable("m3/s", "volume flow from inlet to outlet")
    w = tg.variable("rad/s", "speed of the shaft")
    W = tg.variable("W", "power of the shaft")
    eta = tg.variable("1", "efficiency, 0 at rest")

    def fluid_volume(self) -> Any:
        return self.V

    def heat(self) -> Any:
        return self.W + (self.heat_port.Q_flow if self.use_heat_port else 0.0)

    def equations(self) -> Statements:
        rho = self.medium.density(self.state())
        c0, c1, c2 = parabola(self.head_curve, self, "[V_flow, head]")
        w0, w1, w2 = parabola(self.power_curve, self, "[V_flow, power]")
        n = self.w / self.N_nominal
        V = self.V_flow
        yield self.w == tg.der(self.flange.phi)
        yield self.ports.p[1] == self.p
        yield self.V_flow * rho == -self.ports.m_flow[1]
        yield self.head == c0 * n**2 + c1 * n * V + c2 * tg.no_event(abs(V)) * V
        yield self.ports.p[1] - self.ports.p[0] == rho * self.g * self.head
        torque = (w0 * n**2 + w1 * n * V + w2 * V**2) * rho / self.rho_nominal
        yield self.flange.tau * self.N_nominal == torque
        yield self.W == self.flange.tau * self.w
        useful = V * (self.ports.p[1] - self.ports.p[0])
        yield self.eta == useful * self.W / (self.W**2 + 1e-6)  # 1 mW is nothing
