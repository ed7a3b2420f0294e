"""Models that cannot be simulated: each ends soon, and says what happened, where, when and what to try.

Tests marked xfail ask for more than the text says today. No wrong curve: what is returned up to the fault is compared
with the closed-form solution. No hanging: the timeout kills the process, as native code does not listen to signals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from waiting import LIMIT

SOLVERS = ("ida", "cvode", "rk45")
pytestmark = pytest.mark.timeout(LIMIT, method="thread")


def at(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


def fault(model: Any, stop: float = 2.0, **options: Any) -> str:
    """The text of the error of a run, which must have one and must advise."""
    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(model, stop, **options)
    error = caught.value
    assert not isinstance(error, tg.InternalError), str(error)
    assert error.advice, f"no advice in {error}"
    return str(error)


def partial(model: Any, stop: float = 2.0, **options: Any) -> Any:
    """The solution up to the fault; its outcome is a failure with advice."""
    solution = tg.simulate(model, stop, throw=False, **options)
    assert not solution.outcome.ok
    assert solution.outcome.advice
    assert np.isfinite(solution.time).all()
    return solution


def says(text: str, *wanted: str) -> None:
    missing = [word for word in wanted if word not in text]
    assert not missing, f"{missing} are not in:\n{text}"


class One(tg.Component):
    """x' = f(x, t), with f given by a subclass."""

    x = tg.variable(start=1.0)


class Dependent(tg.Component):
    """Two equations that say the same of y and z."""

    x = tg.variable(start=1.0)
    y = tg.variable()
    z = tg.variable()

    def equations(self):
        yield tg.der(self.x) == -self.z
        yield self.z + self.y == self.x
        yield 2 * self.z + 2 * self.y == 2 * self.x


def test_singular_jacobian() -> None:
    says(fault(Dependent()), "singular", "t = 0")


def test_singular_jacobian_names_the_unknowns() -> None:
    says(fault(Dependent()), "y = ", "z = ", "2*z + 2*y")
    says(fault(Dependent(), solver="ida"), "no equation determines", "2*z + 2*y", "y = ")


class LosesItsPivot(tg.Component):
    """x z = 1 with x = 1 - t: z has a pole at t = 1."""

    x = tg.variable(start=1.0)
    z = tg.variable()

    def equations(self):
        yield tg.der(self.x) == -1
        yield self.x * self.z == 1.0


def test_jacobian_that_becomes_singular() -> None:
    says(fault(LosesItsPivot()), "t = 1", "z")
    s = partial(LosesItsPivot())
    assert s.outcome.time == pytest.approx(1.0, abs=1e-3)
    early = s.time < 0.99
    np.testing.assert_allclose(s["z"][early], 1.0 / (1.0 - s.time[early]), rtol=1e-4)


class PoleInTime(One):
    def equations(self):
        yield tg.der(self.x) == 1 / (1 - tg.time)


def test_division_by_zero_at_one() -> None:
    says(fault(PoleInTime()), "t = 1", "x", "division by zero", "divisor")
    s = partial(PoleInTime())
    assert s.outcome.time == pytest.approx(1.0, abs=1e-6)
    early = s.time < 0.999
    np.testing.assert_allclose(s["x"][early], 1.0 - np.log(1.0 - s.time[early]), rtol=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
def test_division_by_zero_shows_the_equation(solver: str) -> None:
    says(fault(PoleInTime(), solver=solver), "division by zero: 1/(1 - time)", "der(x) == 1/(1 - time)", "der(x) = ")


class PoleOfOutput(tg.Component):
    """No state at all; the output point at t = 1 falls on the pole."""

    y = tg.variable()

    def equations(self):
        yield self.y == 1 / (tg.time - 1)


def test_pole_of_an_algebraic_variable() -> None:
    """Without states the run goes from event to event, and stops before it would reach the pole."""
    says(fault(PoleOfOutput(), points=201), "stopped at t = 0.98", "does not evaluate to a finite number")


class PoleOfRecovered(tg.Component):
    """y is computed from the state and feeds nothing: in ODE mode no error test sees it."""

    x = tg.variable(start=0.0)
    y = tg.variable()

    def equations(self):
        yield tg.der(self.x) == 1
        yield self.y == 1 / (1 - self.x)


@pytest.mark.parametrize("points", [200, 201], ids=["beside", "on"])
@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45", "auto"])
def test_pole_of_a_recovered_variable(solver: str, points: int) -> None:
    """All solvers agree that there is a pole at t = 1, wherever the output points are."""
    s = partial(PoleOfRecovered(), points=points, solver=solver)
    assert s.outcome.time == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("solver", ["cvode", "rk45"])
def test_a_gap_in_a_quotient_is_no_pole(solver: str) -> None:
    """sin(z)/z through z = 0: divisor and dividend change sign together, and the curve is smooth."""

    class Sinc(tg.Component):
        x = tg.variable(start=-1.03)
        y = tg.variable()

        def equations(self):
            yield tg.der(self.x) == 1
            yield self.y == tg.sin(self.x) / self.x

    s = tg.simulate(Sinc(), 2.0, solver=solver, rtol=1e-9)
    np.testing.assert_allclose(s["y"], np.sinc((s.time - 1.03) / np.pi), atol=1e-8)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """A library says what it has to say in its error, not on the terminal."""
    for model in (PoleInTime(), Escape(), Overflow(), Draining()):
        fault(model)
    printed = capfd.readouterr()
    assert printed.out + printed.err == ""


class Escape(One):
    def equations(self):
        yield tg.der(self.x) == self.x**2


@pytest.mark.parametrize("points", [2, 500])
def test_finite_escape_time(points: int) -> None:
    """x = 1/(1 - t). Between two output points far apart it must not jump over the pole and come back as -1."""
    says(fault(Escape(), points=points), "der(x) == x**2", "x = ", "grows without bound")
    s = partial(Escape(), points=points)
    assert s.outcome.time == pytest.approx(1.0, abs=1e-3)
    assert (s["x"] > 0.0).all()


class Explosion(One):
    def equations(self):
        yield tg.der(self.x) == tg.exp(self.x)


def test_stiff_blow_up() -> None:
    says(fault(Explosion()), "x", "t = 0.3678")


class Overflow(One):
    def equations(self):
        yield tg.der(self.x) == 1000 * self.x


def test_overflow() -> None:
    says(fault(Overflow()), "x", "finite", "t = 0.70")
    assert np.isfinite(partial(Overflow())["x"]).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_overflow_is_called_so(solver: str) -> None:
    text = fault(Overflow(), solver=solver)
    says(text, "grows", "der(x) == 1000*x", "x = 1.", "wrong sign")
    assert "root" not in text


class Fast(One):
    """Needs about 1e9 steps."""

    def equations(self):
        yield tg.der(self.x) == 1e9 * tg.sin(1e9 * tg.time)


def test_step_budget() -> None:
    says(fault(Fast(), 1.0), "too many steps", "x", "fast")


def test_tolerance_beyond_double_precision() -> None:
    says(fault(Escape(), 0.5, rtol=1e-17), "precision", "rtol")


class Draining(tg.Component):
    """A tank that goes on draining when it is empty: the square root of a negative number at t = 0.9014."""

    h = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.h) == -tg.sqrt(self.h) - 0.5


def test_root_of_a_negative_number() -> None:
    says(fault(Draining()), "t = 0.90139", "root of a negative number: sqrt(h)", "h = ")
    assert (partial(Draining())["h"] > -1e-9).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_root_of_a_negative_number_shows_the_equation(solver: str) -> None:
    text = fault(Draining(), solver=solver)
    says(text, "der(h) == -sqrt(h) - 0.5", "h = ", "test_faults.py", "tg.maximum")
    assert "division" not in text


class NegativeAtStart(tg.Component):
    h = tg.variable(start=-1.0)

    def equations(self):
        yield tg.der(self.h) == -tg.sqrt(self.h)


def test_root_of_a_negative_start_value() -> None:
    says(fault(NegativeAtStart()), "initial", "sqrt(h)", "negative", "t = 0")


def test_negative_start_value_is_shown() -> None:
    says(fault(NegativeAtStart()), "h = -1", "yield tg.der(self.h) == -tg.sqrt(self.h)")


class LogarithmOfAProduct(tg.Component):
    x = at(-1.0)
    k = tg.parameter(2.0)

    def equations(self):
        yield tg.der(self.x) == tg.where(self.x > 0, tg.sqrt(-self.x), tg.log(self.k * self.x))


def test_logarithm_at_the_start() -> None:
    """Parameters are shown too; the branch not taken is not blamed."""
    says(fault(LogarithmOfAProduct()), "not positive: log(k*x)", "x = -1", "k = 2")


class NoRealRoot(tg.Component):
    x = tg.variable(start=0.0)
    z = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == 1
        yield self.z**2 + 1 == 0


def test_loop_without_solution() -> None:
    text = fault(NoRealRoot())
    says(text, "no solution", "z**2 + 1", "z =", "t = 0", "start", "yield self.z**2 + 1 == 0")
    assert "determine" not in text


class Vanishing(tg.Component):
    """z^2 = 1 - t: the solution ceases to exist at t = 1."""

    x = tg.variable(start=0.0)
    z = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == 1
        yield self.z**2 == 1 - self.x


def test_loop_that_loses_its_solution_with_ida() -> None:
    text = fault(Vanishing(), solver="ida")
    says(text, "no equation determines z", "z**2 == 1 - x")
    assert "z = -7" not in text, "an algebraic variable is no state that changes fast"


def test_loop_that_loses_its_solution() -> None:
    says(fault(Vanishing()), "t = 1", "z")
    s = partial(Vanishing())
    np.testing.assert_allclose(s["z"], np.sqrt(np.maximum(1.0 - s.time, 0.0)), atol=1e-3)


class Fold(tg.Component):
    """z^3 - z = x turns back at x = 0.3849; there is another branch, which is not taken silently."""

    x = tg.variable(start=-1.0)
    z = tg.variable(start=-1.3)

    def equations(self):
        yield tg.der(self.x) == 1
        yield self.z**3 - self.z == self.x


def test_fold() -> None:
    says(fault(Fold(), 3.0), "t = 1.384", "z")


class FarStart(tg.Component):
    """Newton on atan from 1e6 overshoots; damping finds z = tan(0.3)."""

    x = tg.variable(start=0.0)
    z = tg.variable(start=1e6)

    def equations(self):
        yield tg.der(self.x) == -self.x
        yield tg.atan(self.z) == 0.3 + self.x


def test_wrong_start_value() -> None:
    np.testing.assert_allclose(tg.simulate(FarStart(), 1.0)["z"], np.tan(0.3), rtol=1e-5)


class FixedTwice(tg.Component):
    x = at(1.0)
    y = at(5.0)

    def equations(self):
        yield tg.der(self.x) == -self.x
        yield self.y == self.x**2


def test_contradicting_fixed_starts() -> None:
    says(fault(FixedTwice()), "contradict", "fixed")


def test_contradicting_fixed_starts_are_named() -> None:
    says(fault(FixedTwice()), "x", "y", "y == x**2")


class NoSuchStart(tg.Component):
    x = tg.variable(start=1.0)

    def equations(self):
        yield tg.der(self.x) == -self.x

    def initial_equations(self):
        yield self.x**2 == -1


def test_impossible_initial_equation() -> None:
    says(fault(NoSuchStart()), "initial", "x**2 == -1", "x =")


class ChargedBackwards(tg.Component):
    """A capacitor on a source of 5 V, fixed at 3 V: no start is consistent."""

    v = el.ConstantVoltage(V=5.0)
    c = el.Capacitor(v=at(3.0))
    g = el.Ground()

    def connections(self):
        yield self.v.p, self.c.p
        yield self.v.n, self.c.n, self.g.p


def test_capacitor_fixed_against_its_source() -> None:
    """Refused: 3 V and 5 V cannot both be. (Two names for one voltage, so it is easily overlooked.)"""
    text = fault(ChargedBackwards(), 1.0)
    says(text, "c.v")


class NoSteadyState(tg.Component):
    """A constant inflow: there is no steady state."""

    x = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == 1


def test_steady_state_that_does_not_exist() -> None:
    text = fault(NoSteadyState(), initial="steady")
    says(text, "initial", "der(x) == 1", "no equation determines 'x'")
    with pytest.raises(tg.NumericError) as caught:
        tg.steady_state(NoSteadyState())
    assert str(caught.value) == text, "the same mistake, the same words"


class Turning(tg.Component):
    """A torque against a damper: it turns for ever."""

    source = rot.ConstantTorque(tau_constant=1.0)
    load = rot.Inertia(J=1.0)
    damper = rot.Damper()
    fixed = rot.Fixed()

    def connections(self):
        yield self.source.flange, self.load.flange_a
        yield self.load.flange_b, self.damper.flange_a
        yield self.damper.flange_b, self.fixed.flange


def test_drive_that_never_rests() -> None:
    says(fault(Turning(), initial="steady"), "no equation determines 'load.phi'", "initial='steady'")


class Sliding(One):
    """Pushed to x = 0 from both sides: switches without end at t = 1."""

    def equations(self):
        yield tg.der(self.x) == tg.where(self.x > 0, -1.0, 1.0)


def test_chattering_ends() -> None:
    says(fault(Sliding()), "t = 1", "x")
    s = partial(Sliding())
    np.testing.assert_allclose(s["x"], np.maximum(1.0 - s.time, 0.0), atol=1e-5)


def test_chattering_names_the_condition() -> None:
    says(fault(Sliding()), "switches back and forth", "x > 0", "hysteresis")


class Undecided(tg.Component):
    """z > 0 makes it negative and the other way round."""

    x = tg.variable(start=0.0)
    z = tg.variable(start=0.5)

    def equations(self):
        yield tg.der(self.x) == 1
        yield self.z == tg.where(self.z > 0, -1.0, 1.0)


def test_switch_that_contradicts_itself() -> None:
    says(fault(Undecided()), "where(z > 0", "z =")


class Diode(el.OnePort):
    def equations(self):
        yield self.i == 1e-12 * (tg.exp(self.v / 0.025) - 1)


class Overdriven(tg.Component):
    """100 V on a diode without a resistor: exp(4000) overflows; the diode must be named."""

    v = el.ConstantVoltage(V=100.0)
    d = Diode()
    g = el.Ground()

    def connections(self):
        yield self.v.p, self.d.p
        yield self.v.n, self.d.n, self.g.p


def test_overflow_names_the_component() -> None:
    says(fault(Overdriven(), 1.0), "d.i", "exp", "start")
