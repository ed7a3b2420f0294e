"""A vehicle on a road: inertia, drag, rolling resistance and slope.

    m dv/dt = F - m g (sin(a) + Cr cos(a) sign(v)) - rho Cd A/2 (v - v_wind) |v - v_wind|

The slope is given by its inclination tan(a), height over distance. The resistance of rolling is smooth below v_reg, so
that a vehicle stands still without events; it does not stick on a slope.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.gravity import STANDARD_GRAVITY
from tellegen.library.rotational.interfaces import Flange, Statements
from tellegen.library.translational import Flange as Rod
from tellegen.library.translational.rolling import smooth_sign


class Vehicle(tg.Component):
    """A vehicle on wheels of radius R: (m + J/R^2) dv/dt = tau/R + f - drag - rolling resistance - slope, v = R w.

    Wheels of radius R roll without slip. At flange_t something pulls or pushes, a trailer for example.
    """

    flange_t = Rod("where something pulls at the vehicle")
    flange_r = Flange("shaft of the wheels")
    m = tg.parameter(1000.0, "kg", "mass", min=0.0)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")
    J = tg.parameter(0.0, "kg.m2", "moment of inertia of the wheels", min=0.0)
    R = tg.parameter(0.3, "m", "radius of the wheels", min=1e-300)
    A = tg.parameter(1.5, "m2", "cross-section", min=0.0)
    Cd = tg.parameter(0.5, "1", "drag coefficient", min=0.0)
    rho = tg.parameter(1.18, "kg/m3", "density of air", min=0.0)
    v_reg = tg.parameter(1e-3, "m/s", "below this speed the rolling resistance is smaller", min=1e-300)
    Cr = tg.input("1", "coefficient of rolling resistance", default=0.015)
    inclination = tg.input("1", "height over distance of the road, tan(a)", default=0.0)
    v_wind = tg.input("m/s", "speed of the air in the direction of travel", default=0.0)
    s = tg.variable("m", "position", start=0.0, state="prefer")
    v = tg.variable("m/s", "velocity", start=0.0, state="prefer")
    a = tg.variable("m/s2", "acceleration")
    f_drag = tg.variable("N", "drag")
    f_roll = tg.variable("N", "rolling resistance")
    f_grade = tg.variable("N", "force of the slope")

    def equations(self) -> Statements:
        yield self.s == self.flange_t.s
        yield self.s == self.R * self.flange_r.phi
        yield self.v == tg.der(self.s)
        yield self.a == tg.der(self.v)
        cosine = 1.0 / tg.sqrt(1.0 + self.inclination**2)
        relative = self.v - self.v_wind
        yield self.f_drag == 0.5 * self.rho * self.Cd * self.A * relative * abs(relative)
        yield self.f_roll == self.Cr * self.m * self.g * cosine * smooth_sign(self.v, self.v_reg)
        yield self.f_grade == self.m * self.g * self.inclination * cosine
        resistance = self.f_drag + self.f_roll + self.f_grade
        mass = self.m + self.J / self.R**2
        yield mass * self.a == self.flange_t.f + self.flange_r.tau / self.R - resistance
