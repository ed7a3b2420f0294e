"""Continuous blocks with a state or two. The state begins at y_start (x_start), or at rest with initial="steady"."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements, truth


class Integrator(SISO):
    """dy/dt = k u; with use_reset, y becomes `set` when `reset` becomes true."""

    k = tg.parameter(1.0, description="gain")
    y_start = tg.parameter(0.0, description="value of y at the start")
    use_reset = tg.parameter(False, structural=True, description="with the inputs reset and set")
    reset = tg.input("1", "with use_reset: sets y when it rises above 1/2", default=0.0)
    set = tg.input(description="with use_reset: the value that y gets", default=y_start)
    y = tg.output(description="integral", start=y_start)

    def equations(self) -> Statements:
        yield tg.der(self.y) == self.k * self.u
        if self.use_reset:
            yield tg.when(truth(self.reset), tg.reinit(self.y, self.set))


class LimIntegrator(SISO):
    """dy/dt = k u, as long as y stays between out_min and out_max: there it waits until u turns."""

    k = tg.parameter(1.0, description="gain")
    out_max = tg.parameter(1.0, description="upper limit of y")
    out_min = tg.parameter(-out_max, description="lower limit of y")
    y_start = tg.parameter(0.0, description="value of y at the start")
    y = tg.output(description="integral within its limits", start=y_start)

    def equations(self) -> Statements:
        """At a limit y is set to it: a rounding beyond would be left and reached again without end.

        A limit is reached where y is beyond it and still goes that way. As one number, and not two conditions, because
        at the moment of leaving y stands exactly at its limit, a root that no solver could distinguish from the next
        one.
        """
        rate = self.k * self.u
        over = tg.minimum(self.y - self.out_max, rate)
        under = tg.maximum(self.y - self.out_min, rate)
        yield tg.modes(
            tg.mode("between", tg.der(self.y) == rate),
            tg.mode("above", tg.der(self.y) == 0.0),
            tg.mode("below", tg.der(self.y) == 0.0),
            tg.transition("between", "above", over > 0.0, tg.reinit(self.y, self.out_max)),
            tg.transition("between", "below", under < 0.0, tg.reinit(self.y, self.out_min)),
            tg.transition("above", "between", rate < 0.0),
            tg.transition("below", "between", rate > 0.0),
        )


class Derivative(SISO):
    """The derivative of a lag: y = k s / (T s + 1) u, so k du/dt for signals slower than T."""

    k = tg.parameter(1.0, description="gain")
    T = tg.parameter(0.01, "s", "time constant", min=1e-300)
    x_start = tg.parameter(0.0, description="value of x at the start")
    x = tg.variable(description="input, delayed by the lag", start=x_start)

    def equations(self) -> Statements:
        yield self.T * tg.der(self.x) == self.u - self.x
        yield self.y == self.k / self.T * (self.u - self.x)


class FirstOrder(SISO):
    """T dy/dt + y = k u."""

    k = tg.parameter(1.0, description="gain")
    T = tg.parameter(1.0, "s", "time constant")
    y_start = tg.parameter(0.0, description="value of y at the start")
    y = tg.output(description="output", start=y_start)

    def equations(self) -> Statements:
        yield self.T * tg.der(self.y) + self.y == self.k * self.u


class SecondOrder(SISO):
    """y''/w^2 + 2 D y'/w + y = k u, with yd = y'."""

    k = tg.parameter(1.0, description="gain")
    w = tg.parameter(1.0, "rad/s", "angular frequency")
    D = tg.parameter(1.0, "1", "damping")
    y_start = tg.parameter(0.0, description="value of y at the start")
    yd_start = tg.parameter(0.0, description="derivative of y at the start")
    y = tg.output(description="output", start=y_start)
    yd = tg.variable(description="derivative of y", start=yd_start)

    def equations(self) -> Statements:
        yield tg.der(self.y) == self.yd
        yield tg.der(self.yd) == self.w * (self.w * (self.k * self.u - self.y) - 2 * self.D * self.yd)


class Der(SISO):
    """y = du/dt, exactly: u has to be differentiable in the model, and is not a state of its own afterwards.

    `Derivative` filters instead; it takes every signal.
    """

    def equations(self) -> Statements:
        yield self.y == tg.der(self.u)
