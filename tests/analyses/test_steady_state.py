"""Points of rest: values, several solutions, none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.test_models import Drive, Resonator
from tellegen.library import blocks, sampled
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import translational as tr


class Well(tg.Component):
    """Three points of rest: -1, 0 and 1."""

    x = tg.variable(start=0.4)
    T = tg.variable("degC", "temperature")

    def equations(self) -> Any:
        yield tg.der(self.x) == self.x - self.x**3
        yield self.T == 20.0 + 273.15 + self.x


def test_values_units_and_text() -> None:
    rest = tg.steady_state(Resonator(), parameters={"source.V": 3.0})
    assert rest["c.v"] == pytest.approx(3.0)
    assert rest["c.C"] == 1e-6
    assert rest["der(c.v)"] == 0.0
    assert rest.unit("c.v") == "V"
    assert "c.v" in rest
    assert "c.w" not in rest
    assert len(list(rest)) == len(rest) == 27
    assert repr(rest) == "<SteadyState of Resonator: 27 variables>"
    text = str(rest)
    assert text.startswith("SteadyState of Resonator")
    assert "-0" not in text
    assert ">c.v</td>" in rest._repr_html_()
    assert (rest.success, rest.message, rest.name) == (True, "", "Resonator")
    assert rest.parameters["source.V"] == 3.0
    assert rest.to_pandas("c.v").loc["c.v", "unit"] == "V"


def test_the_start_decides_which() -> None:
    assert abs(tg.steady_state(Well(), initial={"x": 0.9})["x"]) == pytest.approx(1.0)
    assert tg.steady_state(Well(), initial={"x": -0.9})["x"] == pytest.approx(-1.0)
    assert tg.steady_state(Well(), initial={"x": 0.9})["T"] == pytest.approx(21.0)


def test_a_run_from_rest_stays_there() -> None:
    rest = tg.steady_state(Resonator())
    s = tg.simulate(Resonator(), 1e-3, initial=rest)
    np.testing.assert_allclose(s["c.v"], 1.0, rtol=1e-9)


def test_what_turns_for_ever_is_named() -> None:
    with pytest.raises(tg.NumericError, match=r"'load\.phi'") as caught:
        tg.steady_state(Drive())
    assert caught.value.code == "E302"


def test_no_point_of_rest() -> None:
    class Never(tg.Component):
        x = tg.variable(start=1.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.x**2 + 1.0

    with pytest.raises(tg.NumericError, match="E301") as caught:
        tg.steady_state(Never())
    assert "x**2 + 1" in str(caught.value)


class Hung(tg.Component):
    """A mass on a spring, pulled by a force; its position is fixed at the start and tied to the spring's."""

    wall = tr.Fixed()
    spring = tr.SpringDamper(c=1e3, d=10.0, s_rel0=0.1)
    mass = tr.Mass(m=2.0, s=tg.variable(start=0.3, fixed=True))
    pull = tr.Force()

    def connections(self) -> Any:
        yield self.wall.flange, self.spring.flange_a
        yield self.spring.flange_b, self.mass.flange_a
        yield self.mass.flange_b, self.pull.flange

    def equations(self) -> Any:
        yield self.pull.f == 20.0


def test_fixed_start_values_are_only_guesses_at_rest() -> None:
    """A spring of 1000 N/m under 20 N is 20 mm longer than its 100 mm, wherever a run would begin."""
    assert tg.steady_state(Hung())["mass.s"] == pytest.approx(0.12, rel=1e-9)
    assert tg.simulate(Hung(), 1.0, initial="steady")["mass.s"][0] == pytest.approx(0.12, rel=1e-9)


# -- sources that move, what is conserved, what is not determined ----------------------------------------------------


def _sensed_capacitor() -> tg.System:
    """A capacitor straight across a sine source; its current is measured."""
    s = tg.System("amplifier")
    s.add(
        v=el.SineVoltage(V=1.0, f=50.0),
        c=el.Capacitor(C=1e-3),
        sense=el.CCV(trans_resistance=1.0),
        load=el.Resistor(R=1.0),
        g=el.Ground(),
    )
    s.connect(s.v.p, s.sense.p1)
    s.connect(s.sense.n1, s.c.p)
    s.connect(s.sense.p2, s.load.p)
    s.connect(s.v.n, s.c.n, s.sense.n2, s.load.n, s.g.p)
    return s


def test_a_frozen_source_has_no_slope() -> None:
    """No current flows through a capacitor in steady state; a run from there begins with C dV/dt."""
    rest = tg.steady_state(_sensed_capacitor())
    assert (rest["c.i"], rest["load.v"]) == (0.0, 0.0)
    run = tg.simulate(_sensed_capacitor(), 1e-3, initial="steady")
    assert run["c.i"][0] == pytest.approx(1e-3 * 2.0 * np.pi * 50.0, rel=1e-9)


def test_a_mass_on_a_moving_position_needs_no_force_in_steady_state() -> None:
    m = tg.System("moved")
    m.add(u=blocks.Cosine(amplitude=1.0, f=1.0), p=tr.Position(exact=True), mass=tr.Mass(m=2.0))
    m.connect(m.u.y, m.p.s_ref)
    m.connect(m.p.flange, m.mass.flange_a)
    rest = tg.steady_state(m)
    assert (rest["mass.flange_a.f"], rest["mass.v"], rest["mass.a"], rest["mass.s"]) == (0.0, 0.0, 0.0, 1.0)


def test_gradients_of_a_steady_start_with_a_moving_source() -> None:
    s = tg.System("moving")
    s.add(v=el.SineVoltage(V=1.0, f=0.2, offset=2.0), c=el.Capacitor(C=1.0), r=el.Resistor(R=1.0))
    s.add(l=el.Inductor(L=1.0), g=el.Ground())
    s.connect(s.v.p, s.c.p, s.r.p)
    s.connect(s.r.n, s.l.p)
    s.connect(s.v.n, s.c.n, s.l.n, s.g.p)
    asked: dict[str, Any] = {"of": [tg.final("l.i"), tg.integral("c.i")], "wrt": ["v.V", "v.offset", "r.R", "c.C"]}
    found = [tg.gradient(s, 1.0, initial="steady", method=m, **asked).matrix for m in ("forward", "adjoint")]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5, atol=1e-8)
    assert found[0][1] == pytest.approx([np.sin(0.4 * np.pi), 0.0, 0.0, np.sin(0.4 * np.pi)], abs=1e-6)


def _in_series(**starts: float) -> tg.System:
    s = tg.System("series")
    s.add(v=el.ConstantVoltage(V=10.0), r=el.Resistor(R=1.0), g=el.Ground())
    s.add(c1=el.Capacitor(C=1.0, v=tg.variable(start=starts.get("c1", 0.0), fixed=True)))
    s.add(c2=el.Capacitor(C=3.0, v=tg.variable(start=starts.get("c2", 0.0), fixed=True)))
    s.connect(s.v.p, s.r.p)
    s.connect(s.r.n, s.c1.p)
    s.connect(s.c1.n, s.c2.p)
    s.connect(s.v.n, s.c2.n, s.g.p)
    return s


@pytest.mark.parametrize(
    ("starts", "expected"), [({}, (7.5, 2.5)), ({"c1": 4.0}, (8.5, 1.5)), ({"c2": 2.0}, (6.0, 4.0))]
)
def test_charge_decides_between_capacitors_in_series(starts: dict[str, float], expected: tuple[float, float]) -> None:
    """C1 v1 - C2 v2 is conserved, v1 + v2 = 10 V."""
    rest = tg.steady_state(_in_series(**starts))
    assert (rest["c1.v"], rest["c2.v"]) == pytest.approx(expected, rel=1e-12)
    run = tg.simulate(_in_series(**starts), 1.0, initial="steady")
    assert run["c1.v"][-1] == pytest.approx(expected[0], rel=1e-9)


def test_a_flywheel_stops_where_its_damper_has_taken_the_momentum() -> None:
    """J w + d phi is conserved: from 10 rad/s it turns J w/d = 5 rad on."""
    m = tg.System("wheel")
    m.add(j=rot.Inertia(J=0.5, w=tg.variable(start=10.0, fixed=True), phi=tg.variable(start=1.0, fixed=True)))
    m.add(d=rot.Damper(d=1.0), wall=rot.Fixed())
    m.connect(m.j.flange_b, m.d.flange_a)
    m.connect(m.d.flange_b, m.wall.flange)
    assert tg.steady_state(m)["j.phi"] == pytest.approx(6.0, rel=1e-12)


class _Charge(tg.Component):
    """A capacitor whose capacitance depends on its voltage, behind a switch that leaves it alone."""

    v = tg.variable(start=1.0)
    w = tg.variable(start=0.0)

    def equations(self) -> Any:
        yield (1.0 + self.v**2) * tg.der(self.v) == self.w - self.v
        yield 2.0 * tg.der(self.w) == self.v - self.w


def test_a_conserved_quantity_that_is_no_sum_is_named() -> None:
    """v + v**3/3 + 2 w is conserved, which no linear combination of equations shows."""
    with pytest.raises(tg.NumericError, match=r"E302.*many values are possible of '[vw]', '[vw]'"):
        tg.steady_state(_Charge())


def test_what_changes_at_a_constant_rate_is_named() -> None:
    class Filled(tg.Component):
        a = tg.variable(start=0.0)
        b = tg.variable(start=0.0)

        def equations(self) -> Any:
            yield tg.der(self.a) == 1.0 - (self.a - self.b)
            yield tg.der(self.b) == self.a - self.b

    with pytest.raises(tg.NumericError, match=r"E302.*changes at a constant rate: 'a', 'b'"):
        tg.steady_state(Filled())


# -- sampled parts ---------------------------------------------------------------------------------------------------


class Sampled(tg.Component):
    """A first-order plant under a PID controller that is programmed."""

    pi = sampled.PID(clock=tg.Clock("0.1 s"), kp=0.2, ki=1.0)
    ref = tg.parameter(1.0)
    x = tg.variable(start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.x + self.pi.y
        yield self.pi.measured == self.x
        yield self.pi.reference == self.ref


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, 1.0),
        ({"pi.kp": 5.0}, 1.0),  # plain iteration of the loop diverges with this gain
        ({"pi.ki": 0.0, "pi.kp": 5.0}, 5.0 / 6.0),  # the integral keeps its start value, zero
        ({"pi.kd": 0.1, "pi.Tf": 0.05}, 1.0),
        ({"pi.y_max": 0.5}, 0.5),
    ],
)
def test_a_sampled_controller_is_brought_to_its_fixed_point(parameters: dict[str, float], expected: float) -> None:
    rest = tg.steady_state(Sampled(), parameters=parameters)
    assert rest["x"] == pytest.approx(expected, rel=1e-10)
    run = tg.simulate(Sampled(), 3.0, initial="steady", parameters=parameters)
    np.testing.assert_allclose(run["x"], expected, rtol=1e-9)


def test_a_counter_may_go_on_and_a_drift_is_named() -> None:
    class Drifting(tg.Component):
        clock = tg.Clock("0.1 s")
        x = tg.variable(start=0.0)
        sum = tg.variable(discrete=True, start=0.0)
        count = tg.variable(discrete=True, start=0.0)
        gain = tg.parameter(0.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0 - self.x + self.gain * self.sum
            yield tg.when(
                self.clock.tick, self.sum == tg.pre(self.sum) + self.x, self.count == tg.pre(self.count) + 1.0
            )

    assert tg.steady_state(Drifting())["x"] == pytest.approx(1.0)
    with pytest.raises(tg.NumericError, match=r"E302.*'count'"):
        tg.steady_state(_Noisy())


class _Noisy(tg.Component):
    """A plant driven by a real-valued counter."""

    clock = tg.Clock("0.1 s")
    x = tg.variable(start=0.0)
    count = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.count - self.x
        yield tg.when(self.clock.tick, self.count == tg.pre(self.count) + 1.0)
