"""Points of rest: values, several solutions, none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.test_models import Drive, Resonator
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
