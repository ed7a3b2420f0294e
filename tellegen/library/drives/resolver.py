"""Resolvers: an angle as sine and cosine, and the loop that follows it."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.drives.base import Regulator, Statements


class Resolver(tg.Component):
    """The demodulated windings of a resolver with p pole pairs: sin(p phi) and cos(p phi)."""

    phi = tg.input("rad", "angle of the shaft")
    sine = tg.output("1", "sine winding")
    cosine = tg.output("1", "cosine winding")
    p = tg.parameter(1, "1", "pole pairs of the resolver")

    def equations(self) -> Statements:
        yield self.sine == tg.sin(self.p * self.phi)
        yield self.cosine == tg.cos(self.p * self.phi)


class AngleTracking(Regulator):
    """Angle and speed from the sine and cosine of a resolver, by a loop that turns after it (type 2).

    The error sine cos(p x) - cosine sin(p x) = sin(p (phi - x)) drives dx/dt = w + 2 w_t error/p and
    dw/dt = w_t^2 error/p: for small errors both poles are at -w_t, and no constant speed leaves an error.
    """

    sine = tg.input("1", "sine winding")
    cosine = tg.input("1", "cosine winding")
    phi = tg.output("rad", "angle of the shaft")
    w = tg.output("rad/s", "angular velocity")
    x = tg.variable("rad", "angle; at a tick, that of the next one", start=0.0)
    x_w = tg.variable("rad/s", "angular velocity; at a tick, that of the next one", start=0.0)
    p = tg.parameter(1, "1", "pole pairs of the resolver")
    w_t = tg.parameter(1000.0, "rad/s", "bandwidth", min=0.0)

    def equations(self) -> Statements:
        x = self.past(self.x)
        w = self.past(self.x_w)
        error = (self.sine * tg.cos(self.p * x) - self.cosine * tg.sin(self.p * x)) / self.p
        rates = [(self.x, w + 2.0 * self.w_t * error), (self.x_w, self.w_t**2 * error)]
        yield from self.act(rates, [self.phi == x, self.w == w])
