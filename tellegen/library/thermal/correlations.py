"""Convection by correlations: the heat transfer coefficient from the flow, by way of the Nusselt number.

    h = Nu k / L,     Q_flow = h A dT

Nu depends on the Prandtl number of the fluid and, in forced flow, on the Reynolds number Re = v L / nu; in free flow on
the Rayleigh number Ra = g beta |dT| L^3 Pr / nu^2. The properties of the fluid are parameters: take them at the mean of
the temperatures of surface and fluid. The defaults are those of air at 300 K. Correlations are fits to measurements,
good to 10 or 20 %, and are valid in a range only; leaving it causes a warning.

The formulas are those of textbooks, such as F. P. Incropera and D. P. DeWitt, Fundamentals of Heat and Mass Transfer.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.gravity import STANDARD_GRAVITY
from tellegen.library.thermal.interfaces import SolidToFluid, Statements

PIPES = ("gnielinski", "dittus_boelter")


class Correlation(SolidToFluid):
    """Base of convection by correlations: Q_flow = h A dT with h = Nu k / L; subclasses say what Nu is."""

    k = tg.parameter(0.0263, "W/(m.K)", "thermal conductivity of the fluid", min=0.0)
    nu = tg.parameter(1.589e-5, "m2/s", "kinematic viscosity of the fluid", min=0.0)
    Pr = tg.parameter(0.707, "1", "Prandtl number of the fluid", min=0.0)
    A = tg.parameter(1.0, "m2", "area of the surface", min=0.0)
    L = tg.parameter(1.0, "m", "characteristic length", min=0.0)
    Nu = tg.variable("1", "Nusselt number")
    h = tg.variable("W/(m2.K)", "heat transfer coefficient")

    def equations(self) -> Statements:
        yield self.h == self.Nu * self.k / self.L
        yield self.Q_flow == self.h * self.A * self.dT


class ForcedConvectionPlate(Correlation):
    """Flow along a flat plate of the length L: laminar up to Re_c, then turbulent; Nu is the mean over the plate.

    Re < Re_c: Nu = 0.664 Re^(1/2) Pr^(1/3). Beyond, Nu = (0.037 Re^(4/5) - B) Pr^(1/3) for a boundary layer that
    becomes turbulent where its local Re is Re_c, with the B that joins both (871 for Re_c = 5e5).
    Range: 0.6 < Pr < 60, Re < 1e8.
    """

    v = tg.input("m/s", "velocity of the fluid along the plate")
    Re_c = tg.parameter(5e5, "1", "Reynolds number at which the boundary layer becomes turbulent", min=1.0)
    Re = tg.variable("1", "Reynolds number")

    def equations(self) -> Statements:
        yield self.Re == abs(self.v) * self.L / self.nu
        slow = tg.minimum(self.Re, self.Re_c)
        fast = tg.maximum(self.Re, self.Re_c)
        turbulent = 0.037 * (fast**0.8 - self.Re_c**0.8)
        # the root has no finite slope at rest; below Re = 1e-6 nothing is carried anyway
        yield self.Nu == (0.664 * tg.sqrt(tg.maximum(slow, 1e-6)) + turbulent) * self.Pr ** (1.0 / 3.0)
        yield tg.region(self.Re < 1e8, "the plate is beyond the range of its correlation, Re < 1e8")
        yield tg.region((self.Pr > 0.6) & (self.Pr < 60.0), "the fluid is outside of 0.6 < Pr < 60")


class ForcedConvectionPipe(Correlation):
    """Flow through a pipe of the diameter L, fully developed; A is the inner surface, pi L times its length.

    correlation="gnielinski": Nu = (f/8) (Re - 1000) Pr / (1 + 12.7 (f/8)^(1/2) (Pr^(2/3) - 1)) from Re = 4000 on, with
    f = (0.79 ln Re - 1.64)^-2; laminar, 3.66, up to Re = 2300, and a straight line between the two.
    Range: 0.5 < Pr < 2000, Re < 5e6.

    correlation="dittus_boelter": Nu = 0.023 Re^(4/5) Pr^n with n = 0.4 where the fluid is heated, 0.3 where it is
    cooled. Range: 0.6 < Pr < 160, Re > 1e4, turbulent only.
    """

    correlation = tg.parameter("gnielinski", structural=True, description="gnielinski or dittus_boelter", choices=PIPES)
    v = tg.input("m/s", "mean velocity of the fluid")
    Re = tg.variable("1", "Reynolds number")

    def equations(self) -> Statements:
        yield self.Re == abs(self.v) * self.L / self.nu
        if self.correlation == "gnielinski":
            yield self.Nu == self.gnielinski()
            yield tg.region(self.Re < 5e6, "the pipe is beyond the range of Gnielinski's correlation, Re < 5e6")
            yield tg.region((self.Pr > 0.5) & (self.Pr < 2000.0), "the fluid is outside of 0.5 < Pr < 2000")
        else:
            n = tg.where(self.dT > 0.0, 0.4, 0.3)  # jumps where no heat flows
            yield self.Nu == 0.023 * tg.maximum(self.Re, 1e-6) ** 0.8 * tg.smooth(0, self.Pr**n)
            yield tg.region(self.Re > 1e4, "the correlation of Dittus and Boelter is for turbulent flow, Re > 1e4")
            yield tg.region((self.Pr > 0.6) & (self.Pr < 160.0), "the fluid is outside of 0.6 < Pr < 160")

    def gnielinski(self) -> Any:
        """3.66 up to Re = 2300, the formula from 4000 on; in between the line from one to the other."""
        low = 2300.0
        high = 4000.0
        Re = tg.maximum(self.Re, high)
        f8 = (0.79 * tg.log(Re) - 1.64) ** (-2) / 8.0
        turbulent = f8 * (Re - 1000.0) * self.Pr / (1.0 + 12.7 * tg.sqrt(f8) * (self.Pr ** (2.0 / 3.0) - 1.0))
        part = (tg.minimum(tg.maximum(self.Re, low), high) - low) / (high - low)
        return 3.66 + part * (turbulent - 3.66)


class FreeConvectionVerticalPlate(Correlation):
    """Free flow along a vertical plate of the height L, after S. W. Churchill and H. H. S. Chu (1975).

    Nu = (0.825 + 0.387 Ra^(1/6) / (1 + (0.492/Pr)^(9/16))^(8/27))^2, laminar and turbulent. beta is 1/T of the mean
    temperature for a gas, which is the default. Range: 0.1 < Ra < 1e12; below, Nu is kept at the value for Ra = 0.1.
    """

    ideal_gas = tg.parameter(True, structural=True, description="beta is one over the mean of the two temperatures")
    beta = tg.parameter(1.0 / 300.0, "1/K", "thermal expansion of the fluid if it is not an ideal gas", min=0.0)
    g = tg.parameter(STANDARD_GRAVITY, "m/s2", "gravity")
    Ra = tg.variable("1", "Rayleigh number")

    def equations(self) -> Statements:
        beta = 2.0 / (self.solid.T + self.fluid.T) if self.ideal_gas else self.beta
        yield self.Ra == self.g * beta * abs(self.dT) * self.L**3 * self.Pr / self.nu**2
        shape = (1.0 + (0.492 / self.Pr) ** 0.5625) ** (8.0 / 27.0)
        yield self.Nu == (0.825 + 0.387 * tg.maximum(self.Ra, 0.1) ** (1.0 / 6.0) / shape) ** 2
        yield tg.region(
            self.Ra < 1e12, "the plate is beyond the range of the correlation of Churchill and Chu, Ra < 1e12"
        )
