"""Mixed systems: discrete and continuous equations of one instant, stiff corners, instants next to output times."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el


def test_discrete_equations_of_one_instant_hold_together() -> None:
    """n counts the passages of x through 0.5; that the condition has a name of its own must not matter."""

    class Count(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        up = tg.boolean()
        rises = tg.boolean()
        n = tg.integer()

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield self.up == (self.x > 0.5)
            yield self.rises == self.up & ~tg.pre(self.up)
            yield self.n == tg.pre(self.n) + tg.where(self.rises, 1, 0)

    assert tg.simulate(Count(), 1.0)["n"][-1] == 1


def test_no_glitch_reaches_a_latch() -> None:
    """`begin` is set to 1 at the start, so the window 1 ... 1.5 is never open at 0, and the latch stays down till 1."""

    class Latch(tg.Component):
        begin = tg.variable("s", discrete=True, start=0.0)
        y = tg.variable()
        latched = tg.boolean()

        def equations(self):
            yield tg.when(tg.initial(), self.begin == 1.0)
            yield self.y == tg.where((tg.time >= self.begin) & (tg.time < self.begin + 0.5), 1.0, 0.0)
            yield self.latched == (self.y > 0.5) | tg.pre(self.latched)

    s = tg.simulate(Latch(), 2.0)
    assert not s["latched"][s.time < 0.9].any()


def test_a_diode_between_a_source_and_a_capacitor() -> None:
    class Direct(tg.Component):
        source = el.SineVoltage(V=10.0, f=50.0)
        d = el.IdealDiode()
        c = el.Capacitor(C=1e-4, v=tg.variable(start=0.0, fixed=True))
        r = el.Resistor(R=100.0)
        ground = el.Ground()

        def connections(self):
            yield self.source.p, self.d.p
            yield self.d.n, self.c.p, self.r.p
            yield self.source.n, self.c.n, self.r.n, self.ground.p

    s = tg.simulate(Direct(), 0.06, rtol=1e-8)
    assert s["c.v"].max() == pytest.approx(10.0, abs=1e-3)


def test_an_output_time_next_to_an_instant() -> None:
    """The condition switches at 0.0052, and row 520 of the output is that but for the last digit."""

    class Pulse(tg.Component):
        end = tg.parameter(0.01)
        x = tg.variable(start=0.0, fixed=True)
        on = tg.boolean()

        def equations(self):
            yield tg.der(self.x) == tg.where(tg.time < 0.005 + self.end * 0.02, 1.0, 0.0)
            yield self.on == (self.x > 10.0)

    assert 0.0 < np.linspace(0.0, 0.04, 4001)[520] - (0.005 + 0.01 * 0.02) < 1e-17
    assert tg.simulate(Pulse(), 0.04, points=4001)["x"][-1] == pytest.approx(0.0052)
