"""Valves: restrictions that a signal opens. All are smooth across zero flow, in both directions."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.logic.timers import TriggeredTrapezoid
from tellegen.library.fluid.flow_laws import reg_root
from tellegen.library.fluid.interfaces import PartialThrottle, Statements

CHARACTERISTICS = ("linear", "equal_percentage", "quadratic")


class PartialValve(PartialThrottle):
    """What valves have in common: the opening, and its characteristic."""

    opening = tg.input("1", "0: closed, 1: open", default=1.0)
    characteristic = tg.parameter(
        "linear",
        structural=True,
        description='"linear", "equal_percentage" or "quadratic" share of the opening',
        choices=CHARACTERISTICS,
    )
    rangeability = tg.parameter(
        50.0, "1", "of an equal percentage valve: share when open over share when closed", min=1.0
    )
    leakage = tg.parameter(1e-6, "1", "share of the opening that a closed valve still has", min=0.0)

    def share(self) -> Any:
        """The part of the full flow coefficient that is open."""
        s = tg.no_event(tg.minimum(tg.maximum(self.opening, 0.0), 1.0))
        if self.characteristic == "linear":
            law = s
        elif self.characteristic == "quadratic":
            law = s**2
        else:  # equal percentage, less its value at 0, so that closed is closed
            closed = 1.0 / self.rangeability
            law = (self.rangeability ** (s - 1.0) - closed) / (1.0 - closed)
        return self.leakage + (1.0 - self.leakage) * law


class ValveLinear(PartialValve):
    """Laminar: m_flow = share(opening) m_flow_nominal dp/dp_nominal."""

    m_flow_nominal = tg.parameter(1.0, "kg/s", "mass flow at dp_nominal when open", min=0.0)
    dp_nominal = tg.parameter(1e5, "Pa", "pressure drop when open", min=0.0)

    def equations(self) -> Statements:
        yield self.m_flow * self.dp_nominal == self.share() * self.m_flow_nominal * self.dp


class Discrete(PartialThrottle):
    """What valves that are open or shut have in common: m_flow = opening m_flow_nominal dp/dp_nominal."""

    open = tg.input("1", "above 1/2: open")
    m_flow_nominal = tg.parameter(1.0, "kg/s", "mass flow at dp_nominal when open", min=0.0)
    dp_nominal = tg.parameter(1e5, "Pa", "pressure drop when open", min=0.0)
    opening_min = tg.parameter(0.0, "1", "opening that a shut valve still has", min=0.0)

    def opening(self) -> Any:
        raise NotImplementedError

    def equations(self) -> Statements:
        yield self.m_flow * self.dp_nominal == self.opening() * self.m_flow_nominal * self.dp


class ValveDiscrete(Discrete):
    """Open or shut at once."""

    def opening(self) -> Any:
        return tg.where(self.open > 0.5, 1.0, self.opening_min)


class ValveDiscreteRamp(Discrete):
    """Opens in T_open and shuts in T_close, from wherever it is."""

    T_open = tg.parameter(1.0, "s", "time in which it opens", min=0.0)
    T_close = tg.parameter(T_open, "s", "time in which it shuts", min=0.0)

    def build(self) -> None:
        shut = self.opening_min
        self.motion = TriggeredTrapezoid(amplitude=1.0 - shut, rising=self.T_open, falling=self.T_close, offset=shut)

    def opening(self) -> Any:
        return self.motion.y

    def connections(self) -> Statements:
        yield self.open, self.motion.u


class ValveIncompressible(PartialValve):
    """Turbulent, for liquids: m_flow = share(opening) Av sqrt(rho |dp|) in the direction of dp.

    Av in m2 is the metric flow coefficient, Av = 27.7e-6 Kv = 24e-6 Cv. The root is a straight line below dp_small.
    """

    Av = tg.parameter(27.7e-6, "m2", "flow coefficient when open", min=0.0)
    dp_small = tg.parameter(10.0, "Pa", "below, the root goes over into a straight line", min=0.0)

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density, self.dp, self.dp_small)
        yield self.m_flow == self.share() * self.Av * tg.sqrt(rho) * reg_root(self.dp, self.dp_small)


class ValveCompressible(PartialValve):
    """Turbulent, for gases, after IEC 60534: m_flow = share(opening) Av Y sqrt(rho p_up x), x = |dp|/p_up.

    Y = 1 - x/(3 Fk xT) is the expansion factor with Fk = kappa/1.4; from x = Fk xT on the flow is choked: x and Y stay
    there (Y = 2/3), so the flow depends on the pressure upstream only.
    """

    Av = tg.parameter(27.7e-6, "m2", "flow coefficient when open", min=0.0)
    xT = tg.parameter(0.72, "1", "critical x at kappa = 1.4", min=1e-3)
    kappa = tg.parameter(1.4, "1", "isentropic exponent of the gas", min=1.0)
    dp_small = tg.parameter(10.0, "Pa", "below, the root goes over into a straight line", min=0.0)
    choked = tg.variable("1", "x over its critical value: choked from 1 on")

    def equations(self) -> Statements:
        p_up = tg.no_event(tg.maximum(self.port_a.p, self.port_b.p))
        critical = self.kappa / 1.4 * self.xT
        x = self.dp / p_up
        yield self.choked * critical == tg.no_event(abs(x))
        bounded = tg.no_event(tg.minimum(tg.maximum(x, -critical), critical))
        Y = 1.0 - tg.no_event(abs(bounded)) / (3.0 * critical)
        rho = self.upstream(self.medium.density, self.dp, self.dp_small)
        root = reg_root(bounded * p_up, self.dp_small)
        yield self.m_flow == self.share() * self.Av * Y * tg.sqrt(rho) * root
