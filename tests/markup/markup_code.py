"""Code that documents of the tests refer to."""

from __future__ import annotations

import math

import tellegen as tg


@tg.function(opaque=True)
def characteristic(x: float) -> float:
    """Something the tool cannot look into."""
    return math.erf(x)


class Spring(tg.Component):
    """A mass on a spring with an opaque characteristic."""

    x = tg.variable("m", start=1.0)
    v = tg.variable("m/s", start=0.0)

    def equations(self):
        """Newton's law."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -characteristic(self.x)


class Lag(tg.Software):
    """A software component in Python."""

    u = tg.input()
    y = tg.output()
    s = tg.variable(start=0.0)
    T = tg.parameter(0.1)

    def derivatives(self):
        """A first-order lag."""
        return (self.u - self.s) / self.T

    def outputs(self):
        """Its state."""
        return self.s


class LagInC(tg.Software):
    """The same in C."""

    u = tg.input()
    y = tg.output()
    s = tg.variable(start=0.0)
    T = tg.parameter(0.1)
    source = """
    void derivatives(double time, const double *x, const double *u, const double *p, double *y)
    { y[X_s] = (u[U_u] - x[X_s]) / p[P_T]; }
    void outputs(double time, const double *x, const double *u, const double *p, double *y)
    { y[Y_y] = x[X_s]; }
    """
