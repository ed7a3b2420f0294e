"""Assertions and operating regions: located between the output points, told with time, component and value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg


class Winding(tg.Component):
    """Heats up with the square of a current that swings."""

    T = tg.variable("degC", "temperature", start=20.0, fixed=True)
    limit = tg.parameter("50 degC", "degC")
    power = tg.variable("K/s")

    def equations(self) -> Iterator[Any]:
        yield self.power == 40.0 * tg.cos(2 * np.pi * tg.time)
        yield tg.der(self.T) == self.power * 2 * np.pi
        yield tg.region(self.T < self.limit, "the winding model holds below its limit")


class Machine(tg.Component):
    winding = Winding()
    other = Winding(limit="70 degC")


@pytest.mark.parametrize("points", [3, 500])
def test_leaving_a_region_is_located_between_output_points(points: int) -> None:
    """T = 20 + 40 sin(2 pi t) degC: above 50 from t = asin(0.75)/(2 pi) on, whatever the output points are."""
    with pytest.warns(
        UserWarning,
        match="t = 0.134973 in winding: the winding model holds .* .winding.T = 50 degC, not winding.T < winding.limit",
    ):
        solution = tg.simulate(Machine(), 1.0, rtol=1e-9, points=points)
    assert solution.outcome.ok
    (entry,) = solution.warnings
    out = np.arcsin(0.75) / (2 * np.pi)
    assert entry.time == pytest.approx(out, abs=1e-7)
    assert entry.until == pytest.approx(0.5 - out, abs=1e-7)
    assert entry.component == "winding"
    assert entry.condition == "winding.T < winding.limit"


def test_inside_the_region_nothing_is_told(recwarn: pytest.WarningsRecorder) -> None:
    solution = tg.simulate(Machine(winding=Winding(limit="61 degC")), 1.0)
    assert solution.warnings == ()
    assert not recwarn.list


def test_many_alike_are_told_a_few_times_and_listed_all() -> None:
    class Many(tg.Component):
        windings = Winding.array(20)

    with pytest.warns(UserWarning, match="winding") as caught:
        solution = tg.simulate(Many(), 0.3)
    assert len(solution.warnings) == 20
    assert len(caught) == 6
    assert "for 15 more" in str(caught[-1].message)
    assert solution.warnings[3].component == "windings[3]"


class Vessel(tg.Component):
    p = tg.variable("bar", start=1.0, fixed=True)
    rating = tg.parameter(10.0, "bar")

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.p) == 3e5 * tg.sin(tg.time)
        yield tg.assert_(self.p < self.rating, "the vessel bursts")  # noqa: PT009


class Plant(tg.Component):
    vessel = Vessel(rating=5.0)


@pytest.mark.parametrize("points", [2, 100])
def test_an_assertion_tells_time_component_and_value(points: int) -> None:
    """p = 1 + 3 (1 - cos t) bar reaches 5 bar at acos(-1/3)."""
    with pytest.raises(tg.NumericError) as caught:
        tg.simulate(Plant(), 3.0 * np.pi, rtol=1e-9, points=points)
    text = str(caught.value)
    assert "t = 1.91063" in text
    assert "the vessel bursts" in text
    assert "(vessel)" in text
    assert "assert vessel.p < vessel.rating" in text
    assert "vessel.p = 5 bar" in text
    solution = tg.simulate(Plant(), 3.0 * np.pi, rtol=1e-9, points=points, throw=False)
    assert solution.outcome.code == "assertion"
    assert solution.time[-1] == pytest.approx(np.arccos(-1 / 3), abs=1e-7)


def test_conditions_on_derivatives_and_modes() -> None:
    class Falling(tg.Component):
        v = tg.variable("m/s", start=0.0, fixed=True)
        mode = tg.enumeration(["free", "braked"])

        def equations(self) -> Iterator[Any]:
            yield tg.modes(
                tg.mode("free", tg.der(self.v) == 10.0),
                tg.mode("braked", tg.der(self.v) == -30.0),
                tg.transition("free", "braked", self.v > 20.0),
                variable=self.mode,
            )
            yield tg.region(tg.der(self.v) > -20.0, "a comfortable ride")
            yield tg.region(self.mode == "free", "the brake is not modelled well")

    with pytest.warns(UserWarning, match="brake"), pytest.warns(UserWarning, match="comfortable"):
        solution = tg.simulate(Falling(), 3.0, rtol=1e-9)
    assert [round(entry.time, 6) for entry in solution.warnings] == [2.0, 2.0]
    assert "mode = braked" in str(solution.warnings[1])


def test_a_region_of_literal_conditions_makes_no_events() -> None:
    class Quiet(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1.0
            yield tg.region(tg.no_event(self.x < 0.55))

    with pytest.warns(UserWarning, match="at t = 0.6"):
        solution = tg.simulate(Quiet(), 1.0, points=11)
    assert solution.stats.get("events", 0) == 0


class Checked(tg.Component):
    """x = t, and a condition of the initial or the final instant alone."""

    x = tg.variable(start=0.0, fixed=True)
    at_start = tg.parameter(-1.0)
    at_end = tg.parameter(0.5)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == 1.0
        yield tg.assert_(~tg.initial() | tg.no_event(self.x > self.at_start), "wrong at the start")  # noqa: PT009
        yield tg.assert_(~tg.terminal() | tg.no_event(self.x > self.at_end), "wrong at the end")  # noqa: PT009


def test_assertions_of_the_initial_and_the_final_instant() -> None:
    """Nothing else in the model is an event; the first and the last row of the solution are those instants."""
    assert tg.simulate(Checked(), 1.0).success
    early = tg.simulate(Checked(at_start=0.5), 1.0, throw=False)
    assert (early.outcome.code, early.message, early.time[-1]) == ("assertion", "wrong at the start", 0.0)
    late = tg.simulate(Checked(at_end=2.0), 1.0, throw=False)
    assert (late.outcome.code, late.message, late.time[-1]) == ("assertion", "wrong at the end", 1.0)


def test_a_continued_run_has_no_initial_instant() -> None:
    model = tg.compile(Checked(at_end=0.0))
    first = tg.simulate(model, 1.0)
    assert tg.simulate(model, 2.0, initial=first.at(1.0), parameters={"at_start": 5.0}).success
