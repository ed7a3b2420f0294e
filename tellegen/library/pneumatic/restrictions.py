"""What gas flows through: restrictions that choke, by the laws of ISO 6358 or of an ideal nozzle.

The flow depends on the pressure p1 and temperature T1 on the side of the higher pressure and on the ratio x = p2/p1:

    m_flow = k p1/sqrt(T1) phi(x)

phi is 1 where the flow is choked (at the velocity of sound, x <= b) and falls to zero at x = 1. There it goes with the
root of 1 - x, which has an infinite slope; real flow becomes laminar. From x = b_laminar on (0.999) phi is replaced by

    phi(b_laminar) t (3 - t)/2,     t = (1 - x)/(1 - b_laminar)

which meets the root with its value and slope and passes zero in a straight line, the same for both directions. So flow
reverses without an event, and the pressures in a network of restrictions can be solved for.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.pneumatic.interfaces import Statements, TwoPorts


def between(x: tg.Expression) -> Any:
    """x, but not below 0 and not above 1."""
    return tg.minimum(tg.maximum(x, 0.0), 1.0)


def ratio(a: tg.Expression, b: tg.Expression, critical: tg.Expression, laminar: tg.Expression) -> tuple[Any, Any, Any]:
    """Of two pressures the higher one, their ratio for phi, and the factor that turns the flow round at zero."""
    high = tg.maximum(a, b)
    y = (a - b) / high  # 1 - x, negative where gas goes back
    t = tg.minimum(tg.maximum(y / (1.0 - laminar), -1.0), 1.0)
    x = tg.minimum(tg.maximum(1.0 - abs(y), critical), laminar)
    return high, x, 0.5 * t * (3.0 - abs(t))


def ellipse(x: tg.Expression, b: tg.Expression) -> Any:
    """phi of ISO 6358, 1 at the critical ratio b."""
    return tg.sqrt(1.0 - ((x - b) / (1.0 - b)) ** 2)


class Restriction(TwoPorts):
    """Base of what chokes: m_flow = k p1/sqrt(T1) phi(p2/p1); subclasses say k and phi."""

    b_laminar = tg.parameter(0.999, "1", "pressure ratio above which the flow is laminar", min=0.9, max=0.999999)

    def critical(self) -> Any:
        """The pressure ratio below which the flow is choked."""
        raise NotImplementedError(f"{type(self).__name__} has to define critical()")

    def capacity(self) -> Any:
        """k, the choked mass flow over p1/sqrt(T1)."""
        raise NotImplementedError(f"{type(self).__name__} has to define capacity()")

    def subsonic(self, x: tg.Expression) -> Any:
        """phi between the critical ratio, where it is 1, and b_laminar."""
        raise NotImplementedError(f"{type(self).__name__} has to define subsonic()")

    def equations(self) -> Statements:
        high, x, turn = ratio(self.port_a.p, self.port_b.p, self.critical(), self.b_laminar)
        yield self.m_flow == self.capacity() * high / tg.sqrt(self.upstream()) * self.subsonic(x) * turn


class IsoRestriction(Restriction):
    """Restriction by ISO 6358: m_flow = C rho_ref p1 sqrt(T_ref/T1) where p2/p1 <= b, times an ellipse above.

    The ellipse is phi = sqrt(1 - ((p2/p1 - b)/(1 - b))^2); laminar above b_laminar. C and b stand in data sheets of
    valves and fittings; 1 l/(s bar) is 1e-8 m3/(s Pa).
    """

    C = tg.parameter(2e-8, "m3/(s.Pa)", "sonic conductance", min=0.0)
    b = tg.parameter(0.3, "1", "critical pressure ratio", min=0.0, max=0.9)

    def critical(self) -> Any:
        return self.b

    def capacity(self) -> Any:
        return self.C * self.gas.rho_ref * tg.sqrt(self.gas.T_ref)

    def subsonic(self, x: tg.Expression) -> Any:
        return ellipse(x, self.b)


class VariableIsoRestriction(IsoRestriction):
    """A restriction by ISO 6358 that a signal opens: m_flow = opening C rho_ref p1 sqrt(T_ref/T1) phi(p2/p1)."""

    opening = tg.input("1", "0 closed to 1 open; what is beyond counts as 0 or 1")

    def capacity(self) -> Any:
        return between(self.opening) * self.C * self.gas.rho_ref * tg.sqrt(self.gas.T_ref)


class Nozzle(Restriction):
    """Ideal nozzle or sharp orifice: m_flow = Cd A p1/sqrt(R T1) psi(p2/p1), choked at p2/p1 = 0.528 for air.

    psi(x) = sqrt(2 kappa/(kappa - 1) (x^(2/kappa) - x^((kappa + 1)/kappa))) down to the critical ratio (2/(kappa +
    1))^(kappa/(kappa - 1)); below, it stays at sqrt(kappa) (2/(kappa + 1))^((kappa + 1)/(2 kappa - 2)), which is
    0.685 for air.
    """

    A = tg.parameter(1e-5, "m2", "area", min=0.0)
    Cd = tg.parameter(1.0, "1", "discharge coefficient", min=0.0)

    def critical(self) -> Any:
        return self.gas.b

    def capacity(self) -> Any:
        k = self.gas.kappa
        choked = tg.sqrt(k) * (2.0 / (k + 1.0)) ** ((k + 1.0) / (2.0 * k - 2.0))
        return self.Cd * self.A / tg.sqrt(self.gas.R) * choked

    def subsonic(self, x: tg.Expression) -> Any:
        k = self.gas.kappa
        choked = tg.sqrt(k) * (2.0 / (k + 1.0)) ** ((k + 1.0) / (2.0 * k - 2.0))
        return tg.sqrt(2.0 * k / (k - 1.0) * (x ** (2.0 / k) - x ** ((k + 1.0) / k))) / choked


class VariableNozzle(Nozzle):
    """A nozzle that a signal opens: m_flow = opening Cd A p1/sqrt(R T1) psi(p2/p1)."""

    opening = tg.input("1", "0 closed to 1 open; what is beyond counts as 0 or 1")

    def capacity(self) -> Any:
        k = self.gas.kappa
        choked = tg.sqrt(k) * (2.0 / (k + 1.0)) ** ((k + 1.0) / (2.0 * k - 2.0))
        return between(self.opening) * self.Cd * self.A / tg.sqrt(self.gas.R) * choked


class LaminarRestriction(TwoPorts):
    """Laminar flow through a filter or gap: m_flow = G rho dp with rho = (p_a + p_b)/(2 R T1)."""

    G = tg.parameter(1e-9, "m3/(s.Pa)", "conductance", min=0.0)

    def equations(self) -> Statements:
        mean = 0.5 * (self.port_a.p + self.port_b.p)
        yield self.m_flow == self.G * mean / (self.gas.R * self.upstream()) * self.dp
