"""Cylinders: oil pushes a piston between two ends; with leakage, friction and elastic stops.

The piston is at s = 0 at the end of port_a and at s = stroke at the other. Chambers hold their oil, m = rho(p) V(s), so
a cylinder has the stiffness of its oil and needs no volume beside it. With the areas A_a of the piston and A_b of the
ring around the rod, the piston is pushed out of port_a's end with

    f = A_a (p_a - p_ambient) - A_b (p_b - p_ambient) - friction - stops

and gives that to the flange: flange.f = -f, and its opposite to the housing (the flange `support`, or the ground). The
ambient pressure acts on the section of the rod, A_a - A_b. Stops are springs with dampers that push and never pull
(library/one_sided.py). Friction is viscous and a dry part that passes through zero speed as tanh(v/v_small); for exact
sticking connect translational.SupportFriction to the flange and set F_Coulomb to zero here. The piston has no mass:
connect a translational.Mass.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.interfaces import AMBIENT, Oiled, Port, Statements
from tellegen.library.hydraulic.orifice_flow import QUARTER_PI
from tellegen.library.hydraulic.storage import TORN
from tellegen.library.piston import PistonInBore

CLEARANCE = 0.01  # m; of oil in front of a piston at its end, by default: its stop gives way by a millimetre or two
SQUEEZED = "the stop gives way until a tenth of V_dead is left in a chamber: make V_dead or c_stop larger"


class DoubleActingCylinder(Oiled, PistonInBore):
    """Double-acting cylinder: flange.f = -(A_a p_a - A_b p_b - p_ambient A_rod - friction + stops), m = rho(p) V(s).

    V_a = V_dead + A_a s and V_b = V_dead + A_b (stroke - s), with A_a = pi D^2/4 and A_b = A_a - pi d_rod^2/4. Leakage
    past the piston is laminar, G_leak (p_a - p_b). With d_rod_a a second rod goes through the end of port_a; equal rods
    make a cylinder that is the same both ways.
    """

    port_a = Port("at the piston's end; pushes out")
    port_b = Port("at the rod's end; pulls in")
    d_rod = tg.parameter(0.03, "m", "diameter of the rod", min=0.0)
    d_rod_a = tg.parameter(0.0, "m", "diameter of a second rod through the end of port_a", min=0.0)
    V_dead = tg.parameter(
        CLEARANCE * QUARTER_PI * PistonInBore.D**2,
        "m3",
        "oil in each chamber when the piston is at its end",
        min=1e-300,
    )
    G_leak = tg.parameter(0.0, "m3/(s.Pa)", "conductance of the leakage past the piston", min=0.0)
    A_a = tg.parameter(QUARTER_PI * (PistonInBore.D**2 - d_rod_a**2), "m2", "area on the side of port_a", min=0.0)
    A_b = tg.parameter(QUARTER_PI * (PistonInBore.D**2 - d_rod**2), "m2", "area on the side of port_b", min=0.0)
    p_a = tg.variable("Pa", "absolute pressure at port_a", start=AMBIENT, nominal=1e5, state="prefer")
    p_b = tg.variable("Pa", "absolute pressure at port_b", start=AMBIENT, nominal=1e5, state="prefer")
    m_a = tg.variable("kg", "mass in the chamber of port_a")
    m_b = tg.variable("kg", "mass in the chamber of port_b")
    m_leak = tg.variable("kg/s", "leakage from port_a's chamber to the other")

    def push(self) -> Any:
        ambient = self.oil.p_ambient
        return self.A_a * (self.p_a - ambient) - self.A_b * (self.p_b - ambient)

    def losses(self) -> Any:
        leak = self.m_leak * (self.oil.h(self.p_a) - self.oil.h(self.p_b))
        return self.f_friction * self.v + self.stop_losses() + leak

    def equations(self) -> Statements:
        rho = self.oil.rho
        V_a = self.V_dead + self.A_a * self.s
        V_b = self.V_dead + self.A_b * (self.stroke - self.s)
        in_a = rho(self.p_a) * V_a
        in_b = rho(self.p_b) * V_b
        yield self.p_a == self.port_a.p
        yield self.p_b == self.port_b.p
        yield self.m_a == in_a
        yield self.m_b == in_b
        yield self.m_leak == rho(0.5 * (self.p_a + self.p_b)) * self.G_leak * (self.p_a - self.p_b)
        yield tg.der(in_a) == self.port_a.m_flow - self.m_leak
        yield tg.der(in_b) == self.port_b.m_flow + self.m_leak
        yield tg.region((self.p_a > 0.0) & (self.p_b > 0.0), TORN)
        yield tg.region((V_a > 0.1 * self.V_dead) & (V_b > 0.1 * self.V_dead), SQUEEZED)


class SingleActingCylinder(Oiled, PistonInBore):
    """Single-acting cylinder or plunger with a spring: flange.f = -(A (p - p_ambient) - F0 - c s - friction + stops).

    The other side of the piston is open to the surroundings, where leakage G_leak (p - p_ambient) past the piston goes.
    m = rho(p) (V_dead + A s) with A = pi D^2/4. With c = 0 and F0 = 0 it is a plunger that its load pushes back.
    """

    port_a = Port("pushes out")
    c = tg.parameter(0.0, "N/m", "stiffness of the spring that pulls in", min=0.0)
    F0 = tg.parameter(0.0, "N", "its force at s = 0", min=0.0)
    V_dead = tg.parameter(
        CLEARANCE * QUARTER_PI * PistonInBore.D**2, "m3", "oil when the piston is at its end", min=1e-300
    )
    G_leak = tg.parameter(0.0, "m3/(s.Pa)", "conductance of the leakage past the piston", min=0.0)
    A_a = tg.parameter(QUARTER_PI * PistonInBore.D**2, "m2", "area of the piston", min=0.0)
    p_a = tg.variable("Pa", "absolute pressure at port_a", start=AMBIENT, nominal=1e5, state="prefer")
    m_a = tg.variable("kg", "mass in the chamber")
    m_leak = tg.variable("kg/s", "leakage to the surroundings")

    def push(self) -> Any:
        return self.A_a * (self.p_a - self.oil.p_ambient) - self.F0 - self.c * self.s

    def losses(self) -> Any:
        return self.f_friction * self.v + self.stop_losses() + self.m_leak * self.oil.h(self.p_a)

    def equations(self) -> Statements:
        ambient = self.oil.p_ambient
        yield self.p_a == self.port_a.p
        volume = self.V_dead + self.A_a * self.s
        inside = self.oil.rho(self.p_a) * volume
        yield self.m_a == inside
        yield self.m_leak == self.oil.rho(0.5 * (self.p_a + ambient)) * self.G_leak * (self.p_a - ambient)
        yield tg.der(inside) == self.port_a.m_flow - self.m_leak
        yield tg.region(self.p_a > 0.0, TORN)
        yield tg.region(volume > 0.1 * self.V_dead, SQUEEZED)
