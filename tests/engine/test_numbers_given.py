"""What a run is told by parameters=, initial= and max_steps=, and what it says to numbers that cannot be meant."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.flatten.parameter_order import in_order
from tellegen.library import electrical as el


class Filter(tg.Component):
    source = el.ConstantVoltage(V=5.0)
    r = el.Resistor(R=1e3)
    c = el.Capacitor(C=1e-6)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.source.n, self.c.n, self.ground.p


class Pressure(tg.Connector):
    p = tg.across("Pa", start=1e5)
    q = tg.through("m3/s")


class Feed(tg.Component):
    port = Pressure()
    q = tg.parameter(1e-3, "m3/s")

    def equations(self):
        yield self.port.q == -self.q


class Vessel(tg.Component):
    port = Pressure()
    p_start = tg.parameter(3e5, "Pa")
    p = tg.variable("Pa", start=p_start)
    C = tg.parameter(1e-8, "m3/Pa")

    def equations(self):
        yield self.p == self.port.p
        yield self.C * tg.der(self.p) == self.port.q


class Filled(tg.Component):
    feed = Feed()  # written first
    vessel = Vessel()

    def connections(self):
        yield self.feed.port, self.vessel.port


def test_the_start_of_what_is_differentiated_wins() -> None:
    """Connectors bring guesses along; the vessel says where it starts, wherever it is written."""
    assert tg.simulate(Filled(), stop=1.0)["vessel.p"][0] == 3e5
    assert tg.simulate(Filled(), stop=1.0, parameters={"vessel.p_start": 2e5})["vessel.p"][0] == 2e5


def told(call: Any) -> list[str]:
    """The warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(w.filename == __file__ for w in caught), "a warning must point to the user's line"
    return [str(w.message) for w in caught]


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_a_value_of_no_state_is_only_a_guess_and_says_so(solver: str) -> None:
    (text,) = told(lambda: tg.simulate(Filter(), 1e-3, initial={"r.v": "3 V"}, solver=solver))
    assert "'r.v' starts at 5 V, not at the 3 V" in text
    assert "guess" in text


def test_nothing_is_said_where_the_value_holds() -> None:
    compiled = tg.compile(Filter())
    assert not told(lambda: compiled.simulate(1e-3, initial={"c.v": 3.0}))
    assert not told(lambda: compiled.simulate(1e-3, initial={"c.v": 3.0, "r.v": 2.0}))
    half = compiled.simulate(1e-3).at(0.5e-3)
    assert not told(lambda: compiled.simulate(1e-3, initial=half))


@pytest.mark.parametrize("name", ["parameters", "initial"])
@pytest.mark.parametrize("value", [np.array([1.0, 2.0]), np.zeros(0), [1.0], 3.0, ("r.R", 1.0)])
def test_no_dict(name: str, value: Any) -> None:
    with pytest.raises(tg.LanguageError, match=f"{name} gives values by path"):
        tg.simulate(Filter(), 1e-3, **{name: value})


class Fast(tg.Component):
    x = tg.variable(start=1.0)
    v = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -1e8 * self.x


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
def test_max_steps(solver: str) -> None:
    """1e4 rad/s for a second are some 1600 periods, with at least ten steps each."""
    stopped = tg.simulate(Fast(), 1.0, points=2, solver=solver, max_steps=500, throw=False)
    assert stopped.outcome.code == "too-many-steps"
    assert "max_steps" in stopped.outcome.advice
    assert "points" in stopped.outcome.advice
    assert tg.simulate(Fast(), 1.0, points=2000, solver=solver, max_steps=5000, rtol=1e-4).outcome.ok


@pytest.mark.parametrize("value", [0, -1, 1.5, "many", None, True])
def test_max_steps_is_a_count(value: Any) -> None:
    with pytest.raises(tg.LanguageError, match="E192"):
        tg.simulate(Fast(), 1.0, max_steps=value)


class Room(tg.Component):
    T = tg.variable("K", "temperature of the air", start=293.15)
    wall = tg.variable("degC", start=20.0)
    dT = tg.variable("K", "difference", start=-5.0)
    T_rise = tg.variable("K", "rise over the ambient", start=-5.0)
    T_amb = tg.parameter(280.0, "K")
    tau = tg.parameter(1.0, "s")

    def equations(self):
        tau = self.tau
        yield tau * tg.der(self.T) == self.T_amb - self.T
        yield tau * tg.der(self.wall) == self.T - self.wall
        yield tau * tg.der(self.dT) == -self.dT
        yield tau * tg.der(self.T_rise) == -self.T_rise


def test_temperatures_below_absolute_zero() -> None:
    compiled = tg.compile(Room())
    assert not told(lambda: compiled.simulate(1.0))
    assert not told(lambda: compiled.simulate(1.0, initial={"T": "-5 degC", "wall": -20.0, "dT": -50.0}))
    for options in ({"initial": {"T": -5.0}}, {"initial": {"wall": -300.0}}, {"parameters": {"T_amb": -10.0}}):
        (text,) = told(lambda options=options: compiled.simulate(1.0, **options))
        assert "below absolute zero" in text
        assert "degC" in text  # as the unit, or as advice
    assert told(lambda: tg.simulate(Room(T_amb=-1.0), 1.0))[0].startswith("'T_amb' is -1 K")


def test_temperatures_that_are_degrees_celsius_by_their_size() -> None:
    (text,) = told(lambda: tg.simulate(Room(T_amb=20.0), 1.0))
    assert text == "'T_amb' is 20 K, which is -253.15 degC; if degrees Celsius are meant, write the string '20 degC'"
    assert not told(lambda: tg.simulate(Room(T_amb="20 degC"), 1.0))


def test_linearize_at_a_time_with_a_unit() -> None:
    a, b = (tg.linearize(Filter(), at=at, inputs="source.V") for at in (2e-3, "2 ms"))
    np.testing.assert_array_equal(a.A, b.A)
    assert b.point.t == 2e-3
    with pytest.raises(tg.LanguageError, match="E169"):
        tg.linearize(Filter(), at="2 m")
    with pytest.raises(tg.LanguageError, match="E169"):
        tg.linearize(Filter(), at="rest")


def test_contradicting_conditions_have_a_place() -> None:
    class Twice(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == -self.x

        def initial_equations(self):
            yield self.x == 2.0

    class Tied(tg.Component):
        a = tg.variable(start=1.0, fixed=True)
        b = tg.variable(start=3.0, fixed=True)

        def equations(self):
            yield self.a == 2 * self.b
            yield tg.der(self.a) == -self.b

    for model in (Twice(), Tied()):
        with pytest.raises(tg.NumericError, match="E303") as caught:
            tg.simulate(model, 1.0)
        assert caught.value.location is not None
        assert caught.value.location.file == __file__
        assert caught.value.location.line > 0


class Chain(tg.Component):
    a = tg.parameter(3.0)
    b = tg.parameter(2.0 * a)
    c = tg.parameter(b + 1.0)
    x = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == -self.c * self.x


def test_parameters_are_computed_in_order() -> None:
    compiled = tg.compile(Chain())
    assert compiled.simulate(1.0)["c"] == 7.0
    assert compiled.simulate(1.0, parameters={"a": 5.0})["c"] == 11.0
    assert compiled.simulate(1.0, parameters={"b": 5.0})["c"] == 6.0
    flat = compiled.flat
    for bindings in (flat.parameter_bindings, flat.parameter_bindings[::-1]):  # however they are listed
        ordered = in_order(bindings, flat.parameters)
        assert [flat.parameters.name(int(group.bindings[0, 0])) for group in ordered] == ["b", "c"]


class Bottle(tg.Component):
    p = tg.parameter(7e5, "Pa", "absolute pressure")
    p_bar = tg.parameter(7.0, "bar", "the same")
    dp = tg.parameter(500.0, "Pa", "a small difference")
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == (self.p + self.p_bar + self.dp) * 1e-6


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"p": 8.0}, "'p' is 8 Pa, which is nearly zero; if bar is meant, write the string '8 bar'"),
        ({"p_bar": 0.001}, "'p_bar' is 0.001 bar, which is nearly zero"),
        ({"p": "8 bar", "p_bar": 3.0, "dp": 20.0}, ""),
        ({"p": 0.0}, ""),
    ],
)
def test_bar_given_as_pascal_is_told(given: dict[str, Any], told: str) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        tg.simulate(Bottle(**given), stop=1.0)
    assert [str(each.message) for each in seen] == ([told] if told else [])
