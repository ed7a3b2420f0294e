"""Small models with closed solutions, events and stiffness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el


class Lorenz(tg.Component):
    """Three states, no events."""

    s = tg.parameter(10.0)
    r = tg.parameter(28.0)
    b = tg.parameter(8.0 / 3.0)
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.s * (self.y - self.x)
        yield tg.der(self.y) == self.x * (self.r - self.z) - self.y
        yield tg.der(self.z) == self.x * self.y - self.b * self.z


class Ball(tg.Component):
    """Bounces on a floor, thrown by a push at an instant that is a parameter."""

    g = tg.parameter(9.81)
    e = tg.parameter(0.8)
    push_at = tg.parameter(0.3)
    push = tg.parameter(1.0)
    h = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    bounces = tg.integer("bounces so far")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(
            self.h < 0,
            tg.reinit(self.v, -self.e * tg.pre(self.v)),
            self.bounces == tg.pre(self.bounces) + 1,
        )
        yield tg.when(tg.time >= self.push_at, tg.reinit(self.v, tg.pre(self.v) + self.push))


class Wakes(tg.Component):
    """At rest for a long time, then pushed."""

    fast = tg.parameter(1e3)
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == tg.where(tg.time > 9.99, self.fast, 0.0) - self.fast * self.x - self.v


class TwoTanks(tg.Component):
    """Two tanks with switches of their own, so that events come in another order in every run."""

    high = tg.parameter(1.0)
    low = tg.parameter(0.4)
    inflow = tg.parameter(0.5)
    leak = tg.parameter(0.3)
    a = tg.variable(start=0.2, fixed=True)
    b = tg.variable(start=0.7, fixed=True)
    fills_a = tg.boolean("the first valve is open", start=True)
    fills_b = tg.boolean("the second valve is open", start=False)
    changes = tg.integer("switches so far")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.a) == tg.where(self.fills_a, self.inflow, 0.0) - self.leak * self.a * tg.exp(-0.1 * self.b)
        yield (
            tg.der(self.b) == tg.where(self.fills_b, 0.8 * self.inflow, 0.0) - 0.6 * self.leak * self.b + 0.05 * self.a
        )
        yield tg.when(self.a > self.high, self.fills_a == False).elsewhen(self.a < self.low, self.fills_a == True)  # noqa: E712
        yield tg.when(self.b > self.high, self.fills_b == False).elsewhen(self.b < self.low, self.fills_b == True)  # noqa: E712
        yield tg.when((self.a > self.high) | (self.b > self.high), self.changes == tg.pre(self.changes) + 1)


class Robertson(tg.Component):
    """Three stiff reactions."""

    k1 = tg.parameter(0.04)
    a = tg.variable(start=1.0, fixed=True)
    b = tg.variable(start=0.0, fixed=True)
    c = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.a) == -self.k1 * self.a + 1e4 * self.b * self.c
        yield tg.der(self.b) == self.k1 * self.a - 1e4 * self.b * self.c - 3e7 * self.b**2
        yield tg.der(self.c) == 3e7 * self.b**2


class Oscillator(tg.Component):
    """Damped, with a parameter computed from others and a start value that is one: known in closed form."""

    mass = tg.parameter(2.0, "kg")
    stiffness = tg.parameter(8.0, "N/m")
    ratio = tg.parameter(0.1)
    damping = tg.parameter(2.0 * ratio * tg.sqrt(mass * stiffness), "N.s/m")
    begin = tg.parameter(10.0, "cm")
    x = tg.variable("m", start=begin, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield self.mass * tg.der(self.v) == -self.stiffness * self.x - self.damping * self.v


class Slider(tg.Component):
    """Driven to a line from both sides for a while, so that it slides along it: the scalar engine ends such a run."""

    pull = tg.parameter(0.7)
    line = tg.parameter(0.5)
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == tg.where(self.x > self.line, -self.pull, 0.2) + 0.5 * tg.sin(tg.time)


class SampledLoop(tg.Component):
    """Two clocks, values that follow each other, a condition made true by another one's action, levels, a mode."""

    gain = tg.parameter(1.5)
    lag = tg.parameter(0.5, "s")
    period = tg.parameter(0.1, "s")
    offset = tg.parameter(0.0, "s")
    limit = tg.parameter(0.6)
    steps = tg.parameter(20.0)
    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)
    error = tg.variable(discrete=True)
    integral = tg.variable(discrete=True, start=0.05 * gain)
    drive = tg.variable(discrete=True)
    slow = tg.variable(discrete=True)
    ticks = tg.integer("samples so far")
    begun = tg.integer("how often the condition at the start has acted")

    def equations(self) -> Iterator[Any]:
        measured = tg.floor(self.steps * self.x) / self.steps
        yield self.lag * tg.der(self.x) == self.drive - self.x + 0.1 * tg.sign(tg.sin(7.0 * tg.time))
        yield tg.when(
            tg.sample(self.offset, self.period),
            self.drive == self.gain * self.error + self.integral,
            self.integral == tg.pre(self.integral) + 0.3 * self.error,
            self.error == 1.0 - measured,
            self.ticks == tg.pre(self.ticks) + 1,
        )
        yield tg.when(tg.sample(0.05, 0.23), self.slow == self.drive + (3.0 * tg.time) % 1.0)
        yield tg.when(self.slow > 1.2, tg.reinit(self.z, 0.5 * tg.pre(self.z)))
        yield tg.when(self.x < self.limit, self.begun == tg.pre(self.begun) + 1)
        yield tg.modes(
            tg.mode("rises", tg.der(self.z) == self.x),
            tg.mode("falls", tg.der(self.z) == -2.0 * self.x),
            tg.transition("rises", "falls", self.z > self.limit),
            tg.transition("falls", "rises", self.z < 0.2 * self.limit),
        )


class Delayed(tg.Component):
    """Decays, and is fed from an instant on that is known."""

    rate = tg.parameter(1.0, "1/s")
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.rate * self.x + tg.where(tg.time >= 1.0, 1.0, 0.0)


class Jumps(tg.Component):
    """A clock, a jump at an instant that is a parameter, and one where the state has come to 1.7."""

    period = tg.parameter(0.1, "s")
    at = tg.parameter(0.5, "s")
    x = tg.variable(start=0.0, fixed=True)
    ticks = tg.integer("samples so far")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 1.0
        yield tg.when(tg.sample(0.0, self.period), self.ticks == tg.pre(self.ticks) + 1)
        yield tg.when(tg.time >= self.at, tg.reinit(self.x, tg.pre(self.x) + 1.0))
        yield tg.when(self.x >= 1.7, tg.reinit(self.x, tg.pre(self.x) - 1.0))


class Pole(tg.Component):
    """A quotient whose divisor passes zero in some runs."""

    a = tg.parameter(0.6)
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable(start=0.0, fixed=True)
    q = tg.variable()

    def equations(self) -> Iterator[Any]:
        yield self.q * (self.x - 0.5 * self.a) == 1.0
        yield tg.der(self.x) == -0.3 * self.x + 0.05
        yield tg.der(self.y) == self.q / (1.0 + self.q**2)


class Bridge(tg.Component):
    """Four diodes, a capacitor and a load: a linear algebraic loop whose matrix switches."""

    source = el.SineVoltage(V=10.0, f=50.0)
    r = el.Resistor(R=1.0)
    d1 = el.IdealDiode()
    d2 = el.IdealDiode()
    d3 = el.IdealDiode()
    d4 = el.IdealDiode()
    c = el.Capacitor(C=1e-3, v=tg.variable(start=0.0, fixed=True))
    load = el.Resistor(R=20.0)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.source.p, self.r.p
        yield self.r.n, self.d1.p, self.d2.n
        yield self.source.n, self.d3.p, self.d4.n
        yield self.d1.n, self.d3.n, self.c.p, self.load.p
        yield self.d2.p, self.d4.p, self.c.n, self.load.n, self.ground.p


class Arrives(tg.Component):
    """Ends the run where it arrives."""

    a = tg.parameter(1.0)
    goal = tg.parameter(0.8)
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.a - 0.2 * self.x
        yield tg.when(self.x > self.goal, tg.terminate("it is there"))
