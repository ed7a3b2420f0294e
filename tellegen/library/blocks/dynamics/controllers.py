"""Controllers in continuous time. After K. J. Astrom and T. Haegglund, Advanced PID Control, chapter 3."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements

TYPES = ("P", "PI", "PD", "PID")
STARTS = ("initial_state", "steady_state", "initial_output")
"""How the states of a controller begin: at their start values, at rest, or so that the output is y_start."""


class PI(SISO):
    """y = k (u + integral of u / T)."""

    k = tg.parameter(1.0, description="gain")
    T = tg.parameter(1.0, "s", "time constant of the integral", min=1e-300)
    x_start = tg.parameter(0.0, description="value of x at the start")
    y_start = tg.parameter(0.0, description="output at the start, with init_type initial_output")
    init_type = tg.parameter("initial_state", structural=True, description=", ".join(STARTS), choices=STARTS)
    x = tg.variable(description="integral part", start=x_start)

    def equations(self) -> Statements:
        yield self.T * tg.der(self.x) == self.u
        yield self.y == self.k * (self.x + self.u)

    def initial_equations(self) -> Statements:
        if self.init_type != "initial_state":
            yield tg.der(self.x) == 0.0 if self.init_type == "steady_state" else self.y == self.y_start


class PID(SISO):
    """y = k (u + integral of u / Ti + Td du/dt), the derivative with a lag of Td/Nd."""

    k = tg.parameter(1.0, description="gain")
    Ti = tg.parameter(0.5, "s", "time constant of the integral", min=1e-300)
    Td = tg.parameter(0.1, "s", "time constant of the derivative", min=1e-300)
    Nd = tg.parameter(10.0, "1", "how much faster than Td the lag of the derivative is", min=1e-300)
    xi_start = tg.parameter(0.0, description="integral part at the start")
    xd_start = tg.parameter(0.0, description="delayed input at the start")
    y_start = tg.parameter(0.0, description="output at the start, with init_type initial_output")
    init_type = tg.parameter("initial_state", structural=True, description=", ".join(STARTS), choices=STARTS)
    xi = tg.variable(description="integral part", start=xi_start)
    xd = tg.variable(description="input, delayed by the lag", start=xd_start)

    def equations(self) -> Statements:
        slope = self.Nd * (self.u - self.xd)  # Td times the derivative of the delayed input
        yield self.Ti * tg.der(self.xi) == self.u
        yield self.Td * tg.der(self.xd) == slope
        yield self.y == self.k * (self.u + self.xi + slope)

    def initial_equations(self) -> Statements:
        """With an output at the start the delayed input rests, so that the derivative does not enter it."""
        if self.init_type != "initial_state":
            yield tg.der(self.xd) == 0.0
            yield tg.der(self.xi) == 0.0 if self.init_type == "steady_state" else self.y == self.y_start


class LimPID(tg.Component):
    """P, PI, PD or PID controller with limited output, anti-windup, and weights of the set-point.

    y = limited k (wp u_s - u_m + integral of (u_s - u_m + excess)/Ti + Td d(wd u_s - u_m)/dt), where the derivative has
    a lag of Td/Nd, and the excess (y - y before the limit)/(k Ni) lets the integral follow an output at its limit.
    """

    u_s = tg.input(description="set-point")
    u_m = tg.input(description="measured value")
    y = tg.output(description="output, within its limits")
    controller_type = tg.parameter("PID", structural=True, description="P, PI, PD or PID", choices=TYPES)
    k = tg.parameter(1.0, description="gain")
    Ti = tg.parameter(0.5, "s", "time constant of the integral", min=1e-300)
    Td = tg.parameter(0.1, "s", "time constant of the derivative", min=1e-300)
    y_max = tg.parameter(1.0, description="upper limit of y")
    y_min = tg.parameter(-y_max, description="lower limit of y")
    wp = tg.parameter(1.0, "1", "weight of the set-point in the proportional part", min=0.0)
    wd = tg.parameter(0.0, "1", "weight of the set-point in the derivative", min=0.0)
    Ni = tg.parameter(0.9, "1", "anti-windup: Ni Ti is the time in which the integral follows", min=1e-300)
    Nd = tg.parameter(10.0, "1", "how much faster than Td the lag of the derivative is", min=1e-300)
    xi_start = tg.parameter(0.0, description="integral part at the start")
    xd_start = tg.parameter(0.0, description="delayed input of the derivative at the start")
    y_start = tg.parameter(0.0, description="output at the start, with init_type initial_output")
    init_type = tg.parameter("initial_state", structural=True, description=", ".join(STARTS), choices=STARTS)
    with_feed_forward = tg.parameter(False, structural=True, description="with the input u_ff")
    k_ff = tg.parameter(1.0, "1", "gain of the input u_ff")
    u_ff = tg.input(description="with with_feed_forward: added to the output, times k_ff", default=0.0)
    free = tg.variable(description="output before the limit")
    xi = tg.variable(description="integral part", start=xi_start)
    xd = tg.variable(description="input of the derivative, delayed by the lag", start=xd_start)

    def equations(self) -> Statements:
        """A part that is left out is zero, and no state."""
        integral = "I" in self.controller_type
        derivative = "D" in self.controller_type
        excess = (self.y - self.free) / (self.k * self.Ni)
        slope = self.Nd * (self.wd * self.u_s - self.u_m - self.xd)
        yield self.Ti * tg.der(self.xi) == self.u_s - self.u_m + excess if integral else self.xi == 0.0
        yield self.Td * tg.der(self.xd) == slope if derivative else self.xd == 0.0
        forward = self.k_ff * self.u_ff if self.with_feed_forward else 0.0
        control = self.k * (self.wp * self.u_s - self.u_m + self.xi + (slope if derivative else 0.0))
        yield self.free == control + forward
        yield self.y == tg.minimum(tg.maximum(self.free, self.y_min), self.y_max)
        yield tg.assert_(self.y_min <= self.y_max, "y_min must not be above y_max")  # noqa: PT009

    def initial_equations(self) -> Statements:
        """With an output at the start the delayed input rests; without an integral there is nothing to choose."""
        if self.init_type == "initial_state":
            return
        if "D" in self.controller_type:
            yield tg.der(self.xd) == 0.0
        if "I" in self.controller_type:
            yield tg.der(self.xi) == 0.0 if self.init_type == "steady_state" else self.free == self.y_start
