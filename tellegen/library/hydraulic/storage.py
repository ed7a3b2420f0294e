"""What holds oil: rigid and elastic volumes, tanks, accumulators."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.gravity import STANDARD_GRAVITY
from tellegen.library.hydraulic.interfaces import AMBIENT, Oiled, Port, Statements

TORN = (
    "the oil is under tension: its absolute pressure is below zero; let it cavitate with entrained air, Oil(air=0.005)"
)


class Storage(Oiled):
    """Base of what holds oil under one pressure: m = rho(p) V, dm/dt = port.m_flow; subclasses say how large V is.

    The mass is conserved by the same law rho(p) that makes the oil compressible. Its state is the pressure.
    """

    port = Port()
    p = tg.variable("Pa", "absolute pressure", start=AMBIENT, nominal=1e5, state="prefer")
    V = tg.variable("m3", "volume of the oil")
    m = tg.variable("kg", "mass of the oil")

    def volume(self) -> Any:
        """The volume of the oil, as an expression."""
        raise NotImplementedError(f"{type(self).__name__} has to define volume()")

    def equations(self) -> Statements:
        yield self.p == self.port.p
        yield self.V == self.volume()
        yield self.m == self.oil.rho(self.p) * self.V
        yield tg.der(self.oil.rho(self.p) * self.volume()) == self.port.m_flow  # in terms of p, which is the state
        yield tg.region(self.p > 0.0, TORN)


class Volume(Storage):
    """A chamber full of oil, rigid or with elastic walls: V = V0 (1 + C_wall (p - p_ambient)), m = rho(p) V.

    dm/dt = port.m_flow, that is V dp/dt = K_eff q for a rigid wall. C_wall = d/(t E) for a thin tube of the diameter d,
    the wall t and Young's modulus E. Any number of lines may be connected to its port.
    """

    V0 = tg.parameter(1e-3, "m3", "volume at p_ambient", min=0.0)
    C_wall = tg.parameter(0.0, "1/Pa", "what the volume grows with the pressure, relative; 0 is rigid", min=0.0)

    def volume(self) -> Any:
        return self.V0 * (1.0 + self.C_wall * (self.p - self.oil.p_ambient))


class GasAccumulator(Storage):
    """Accumulator with a bladder of gas: p V_gas^n = p_precharge V_gas0^n, V = V_dead + V_gas0 - V_gas.

    Below p_precharge the gas fills its whole volume V_gas0 and only V_dead is left for oil. n is the polytropic
    exponent of the gas: 1 where it is charged slowly (isothermal), 1.4 where it is charged fast (adiabatic).
    """

    V_gas0 = tg.parameter(1e-3, "m3", "volume of the gas at p_precharge, the size of the accumulator", min=0.0)
    p_precharge = tg.parameter(50e5, "Pa", "pressure of the gas without oil, absolute", min=1e-300)
    n = tg.parameter(1.4, "1", "polytropic exponent of the gas", min=1.0)
    V_dead = tg.parameter(1e-5, "m3", "oil that stays: fluid port and valve", min=1e-300)
    V_gas = tg.variable("m3", "volume of the gas")

    def volume(self) -> Any:
        return self.V_dead + self.V_gas0 - self.gas()

    def gas(self) -> Any:
        """The volume of the gas."""
        return self.V_gas0 * tg.maximum(self.p / self.p_precharge, 1.0) ** (-1.0 / self.n)

    def equations(self) -> Statements:
        yield self.V_gas == self.gas()


class SpringAccumulator(Storage):
    """Accumulator with a spring: V = V_dead + V_max (p - p_min)/(p_max - p_min), between its two stops.

    The piston begins to move at p_min and is at its upper stop at p_max; beyond, the chamber is rigid.
    """

    V_max = tg.parameter(1e-3, "m3", "volume of the stroke", min=0.0)
    p_min = tg.parameter(20e5, "Pa", "absolute pressure at which the spring gives way")
    p_max = tg.parameter(60e5, "Pa", "absolute pressure at which it is at its stop")
    V_dead = tg.parameter(1e-5, "m3", "oil that stays", min=1e-300)

    def volume(self) -> Any:
        stroke = (self.p - self.p_min) / (self.p_max - self.p_min)
        return self.V_dead + self.V_max * tg.minimum(tg.maximum(stroke, 0.0), 1.0)

    def equations(self) -> Statements:
        yield tg.assert_(self.p_min < self.p_max, "the spring gives way below the pressure of its stop: p_min < p_max")  # noqa: PT009


class Tank(Oiled):
    """A reservoir whose pressure nothing can change: port.p = p_ambient + p_over."""

    port = Port()
    p_over = tg.parameter(0.0, "Pa", "pressure of the tank above that of the surroundings")

    def equations(self) -> Statements:
        yield self.port.p == self.oil.p_ambient + self.p_over


class OpenTank(Oiled):
    """An open tank with a level: A rho0 dlevel/dt = port.m_flow, port.p = p_ambient + rho0 g level.

    The port is at the bottom. The level may not fall below zero: a run that draws more warns.
    """

    port = Port("at the bottom")
    A = tg.parameter(1.0, "m2", "area of the surface", min=1e-300)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")
    level = tg.variable("m", "height of the oil above the port", start=1.0, state="prefer")
    m = tg.variable("kg", "mass of the oil")

    def equations(self) -> Statements:
        yield self.m == self.oil.rho0 * self.A * self.level
        yield self.oil.rho0 * self.A * tg.der(self.level) == self.port.m_flow
        yield self.port.p == self.oil.p_ambient + self.oil.rho0 * self.g * self.level
        yield tg.region(self.level > 0.0, "the tank is empty: air would be drawn in")
