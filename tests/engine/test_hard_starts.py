"""Initial values that Newton's method does not find at once."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg


class Step(tg.Component):
    """A smooth step whose Newton iteration diverges from far away; y decays beside it."""

    x = tg.variable(start=-50.0)
    y = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield self.law() == 0.5 * self.y
        yield tg.der(self.y) == -self.y

    def law(self):
        return tg.atan(5 * (self.x - 10))


class Guided(Step):
    """The same with a cubic term that stops the continuation from the residual, and a hint."""

    def law(self):
        return tg.homotopy(tg.atan(5 * (self.x - 10)) * (1 + tg.sin(self.x) ** 2), self.x - 9.0)


def test_continuation_from_the_residual() -> None:
    solution = tg.simulate(Step(), 1.0)
    np.testing.assert_allclose(solution["x"], 10 + np.tan(0.5 * np.exp(-solution.time)) / 5, rtol=1e-6)


def test_homotopy_leads_to_the_actual_equation() -> None:
    solution = tg.simulate(Guided(), 1.0)
    x, y = solution["x"], solution["y"]
    off = np.arctan(5 * (x - 10)) * (1 + np.sin(x) ** 2) - 0.5 * y
    assert abs(off[0]) < 1e-9  # the initial point itself
    assert np.abs(off).max() < 1e-4  # x is interpolated to 1e-6 of 10, and the law is steep (slope 6)


def test_homotopy_is_the_actual_equation_while_the_model_runs() -> None:
    class Plain(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == tg.homotopy(-self.x, 100.0)

    np.testing.assert_allclose(tg.simulate(Plain(), 1.0)["x"][-1], np.exp(-1.0), rtol=1e-5)


def test_a_start_where_equations_depend_on_each_other() -> None:
    """Fixed x = 1 on the unit circle: y = 0 is a double root, and the equations do not fix its speed."""

    class Circle(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        y = tg.variable(start=0.0)
        s = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield self.x**2 + self.y**2 == 1
            yield tg.der(self.s) == self.y
            yield tg.der(self.x) == 0.0

    solution = tg.simulate(Circle(), 1.0)
    assert np.abs(solution["y"]).max() < 1e-5


def test_no_solution_is_told_with_equation_and_value() -> None:
    class Impossible(tg.Component):
        x = tg.variable("m", "distance", start=20.0)
        y = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield self.x**2 == -1.0 * self.y
            yield tg.der(self.y) == -self.y

    with pytest.raises(tg.NumericError, match=r"(?s)E301.*x\*\*2 == .*x = .* m"):
        tg.simulate(Impossible(), 1.0)
