"""Small models with known answers for the tests of studies."""

from __future__ import annotations

from typing import Any

import tellegen as tg


class Decay(tg.Component):
    """x(t) = x0 * exp(-t/T) + u*(1 - exp(-t/T))."""

    T = tg.parameter(2.0, "s", "time constant", min=0.0)
    u = tg.parameter(0.0, "V", "where it goes")
    x = tg.variable("V", "what decays", start=1.0, fixed=True)

    def equations(self) -> Any:
        """First order."""
        yield self.T * tg.der(self.x) == self.u - self.x


class Blows(tg.Component):
    """x(t) = 1/(1 - k*t): there is no x after t = 1/k."""

    k = tg.parameter(0.5, "1/s")
    x = tg.variable("1", start=1.0, fixed=True)

    def equations(self) -> Any:
        """Grows beyond bounds."""
        yield tg.der(self.x) == self.k * self.x**2


class Ishigami(tg.Component):
    """The function whose indices everybody knows, as what an integrator reaches after 1 s."""

    a = tg.parameter(0.0, "1")
    b = tg.parameter(0.0, "1")
    c = tg.parameter(0.0, "1")
    s = tg.parameter("1 s", "s")
    y = tg.variable("1", start=0.0, fixed=True)

    def equations(self) -> Any:
        """T. Ishigami and T. Homma (1990)."""
        yield tg.der(self.y) * self.s == tg.sin(self.a) + 7.0 * tg.sin(self.b) ** 2 + 0.1 * self.c**4 * tg.sin(self.a)


class Steps(tg.Component):
    """A jump at time `at`, up or down."""

    at = tg.parameter(0.5, "s")
    way = tg.enumeration(["down", "up"], start="up")
    y = tg.variable("1")
    x = tg.variable("s", start=0.0, fixed=True)

    def equations(self) -> Any:
        """The area under a step."""
        yield self.y == tg.where(tg.time < self.at, 0.0, tg.where(self.way == "up", 1.0, -1.0))
        yield tg.der(self.x) == self.y
        yield tg.when(tg.time > 100.0, self.way == "down")
