"""tg.interpolate: values and derivatives against SciPy, in every way a model is evaluated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import interpolate as scipy

import tellegen as tg
from language.numbers import Numbers
from waiting import costs_at_most

XS = np.array([-1.0, 0.0, 0.5, 2.0, 3.0])
YS = np.array([1.0, 3.0, 2.5, 2.5, -1.0])
ZS = np.outer(YS, [1.0, 0.5, 2.0]) + np.arange(15.0).reshape(5, 3)
INSIDE = np.linspace(-0.999, 2.999, 41)
CURVES: dict[str, Any] = {
    "linear": scipy.make_interp_spline(XS, YS, k=1),
    "cubic": scipy.CubicSpline(XS, YS, bc_type="natural"),
    "akima": scipy.Akima1DInterpolator(XS, YS),
    "monotone": scipy.PchipInterpolator(XS, YS),
}


def following(kind: str, outside: str = "hold", xs: Any = XS, ys: Any = YS) -> tg.Component:
    """x goes from -2 to 4 in 6 s, y is looked up and integrated."""

    class Model(tg.Component):
        x = tg.variable(start=-2.0, fixed=True)
        y = tg.variable()
        area = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield self.y == tg.interpolate(self.x, xs, ys, kind=kind, outside=outside)
            yield tg.der(self.area) == self.y

    return Model()


@pytest.mark.parametrize("kind", CURVES)
def test_numbers_are_those_of_scipy(kind: str) -> None:
    np.testing.assert_allclose(tg.interpolate(INSIDE, XS, YS, kind=kind), CURVES[kind](INSIDE), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(tg.interpolate(XS, XS, YS, kind=kind), YS, rtol=1e-14)


@pytest.mark.parametrize("solver", ["ida", "cvode", "rk45"])
@pytest.mark.parametrize("kind", CURVES)
def test_native_code_gives_the_same(kind: str, solver: str) -> None:
    run = tg.simulate(following(kind), stop=6.0, solver=solver, rtol=1e-8)
    expected = tg.interpolate(run["x"], XS, YS, kind=kind)
    np.testing.assert_allclose(run["y"], expected, rtol=1e-7, atol=1e-7)
    before, behind = YS[0] * 1.0, YS[-1] * 1.0
    assert run["area"][-1] == pytest.approx(
        CURVES[kind].antiderivative()([3.0])[0] - CURVES[kind].antiderivative()([-1.0])[0] + before + behind, rel=1e-5
    )


@pytest.mark.parametrize("kind", CURVES)
def test_first_and_second_derivatives_are_exact(kind: str) -> None:
    class Model(tg.Component):
        x = tg.variable()
        v = tg.variable()
        a = tg.variable()

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            y = tg.interpolate(self.x, XS, YS, kind=kind)
            yield self.v == tg.der(y)
            yield self.a == tg.der(tg.der(y))

    for x in (-0.7, 0.3, 1.1, 2.9):
        numbers = Numbers(Model(), {"x": x, "v": 0.0, "a": 0.0, "x.der": 2.0}, {"x": 2.0, "x.der": 5.0})
        _, v, a = -numbers.residuals()[:3]
        first, second = CURVES[kind].derivative(1)(x), CURVES[kind].derivative(2)(x) if kind != "linear" else 0.0
        assert v == pytest.approx(2.0 * first, rel=1e-11, abs=1e-11)
        assert a == pytest.approx(4.0 * second + 5.0 * first, rel=1e-10, abs=1e-10)


def test_outside_is_held_extended_or_repeated() -> None:
    x = np.array([-3.0, -1.0, 3.0, 5.0])
    assert tg.interpolate(x, XS, YS).tolist() == [1.0, 1.0, -1.0, -1.0]
    assert tg.interpolate(x, XS, YS, outside="extend").tolist() == [-3.0, 1.0, -1.0, -8.0]
    spline, slope = CURVES["cubic"], CURVES["cubic"].derivative()
    extended = tg.interpolate(x, XS, YS, kind="cubic", outside="extend")
    assert extended[0] == pytest.approx(1.0 - 2.0 * slope(-1.0))
    assert extended[3] == pytest.approx(-1.0 + 2.0 * slope(3.0))
    periodic = tg.interpolate(INSIDE + 8.0, XS, YS, kind="cubic", outside="periodic")
    np.testing.assert_allclose(periodic, spline(INSIDE), atol=1e-12)
    for outside in ("extend", "periodic"):
        run = tg.simulate(following("linear", outside), stop=6.0)
        after = np.append(np.diff(run.time) > 0.0, True)  # where the end is not the beginning both are stored
        expected = tg.interpolate(run["x"], XS, YS, outside=outside)
        np.testing.assert_allclose(run["y"][after], expected[after], atol=1e-5)
        assert (~after).sum() == (2 if outside == "periodic" else 0)


@pytest.mark.parametrize("kind", ["cubic", "akima", "monotone"])
def test_smooth_periodic_curves_have_no_corner_at_the_seam(kind: str) -> None:
    """A sine through 9 points; at the seam values and slopes of both sides agree."""
    xs = np.linspace(0.0, 1.0, 9)
    ys = np.sin(2 * np.pi * xs)
    ys[-1] = ys[0]
    before, at, after = tg.interpolate(np.array([-1e-6, 0.0, 1e-6]), xs, ys, kind=kind, outside="periodic")
    assert (at - before) == pytest.approx(after - at, rel=1e-4)
    if kind == "cubic":
        exact = scipy.CubicSpline(xs, ys, bc_type="periodic")
        x = np.linspace(-2.0, 3.0, 101)
        np.testing.assert_allclose(tg.interpolate(x, xs, ys, kind=kind, outside="periodic"), exact(x % 1.0), atol=1e-12)


def test_arrays_parameters_linearization_and_conditions() -> None:
    """Elements of vectors and of arrays of components, values of parameters, slopes of linear models, roots."""

    class Cell(tg.Component):
        table = tg.parameter((0.0, 1.0, 4.0), structural=True)
        x = tg.variable(start=0.25, fixed=True)
        y = tg.variable()

        def equations(self) -> Any:
            yield self.y == tg.interpolate(self.x, [0.0, 1.0, 2.0], self.table)
            yield tg.der(self.x) == 1.0

    class Model(tg.Component):
        T = tg.parameter(1.5)
        k = tg.parameter(tg.interpolate(T, [0.0, 1.0, 2.0], [0.0, 1.0, 4.0]))
        u = tg.input(default=1.5)
        z = tg.output()
        v = tg.variable(shape=2)
        cells = Cell.array(3, table=(0.0, 2.0, 8.0))
        late = tg.integer()

        def equations(self) -> Any:
            yield self.v == tg.interpolate([self.u, self.T], [0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
            yield self.z == tg.interpolate(self.T, [0.0, 1.0, 2.0], [0.0, 1.0, 4.0], kind="cubic")
            yield tg.when(self.cells[1].y > 5.0, self.late == 1)

    run = tg.simulate(Model(), 1.5)
    assert run["v"][-1].tolist() == [2.5, 2.5]
    assert run["cells[2].y"][-1] == pytest.approx(6.5)
    assert run.events[-1].time == pytest.approx(1.25, abs=1e-6)
    assert tg.simulate(Model(), 1.0, parameters={"T": 0.5})["v"][-1].tolist() == [2.5, 0.5]
    assert run.at(1.0)["k"] == 2.5
    slope = tg.linearize(Model(), inputs=["T"], outputs=["z"], at=1.0).D[0, 0]
    assert slope == pytest.approx(scipy.CubicSpline([0, 1, 2], [0, 1, 4], bc_type="natural").derivative()(1.5))


def test_constant_pieces_and_jumps() -> None:
    assert tg.interpolate(np.array([-2.0, -0.5, 0.5, 0.7, 9.0]), XS, YS, kind="constant").tolist() == [
        1,
        1,
        2.5,
        2.5,
        -1,
    ]
    jump = tg.interpolate(np.array([0.5, 0.999, 1.0, 1.5]), [0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 5.0, 6.0])
    np.testing.assert_allclose(jump, [0.5, 0.999, 5.0, 5.5])


@pytest.mark.parametrize(("kind", "degree"), [("linear", 1), ("cubic", 3)])
def test_surfaces(kind: str, degree: int) -> None:
    """Bilinear, and natural splines in both directions, against SciPy applied axis by axis."""
    ys = np.array([0.0, 1.0, 4.0])

    class Model(tg.Component):
        x = tg.variable(start=-0.9, fixed=True)
        z = tg.variable()
        rate = tg.variable()

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            z = tg.interpolate((self.x, self.x**2 / 4 + 0.3), (XS, ys), ZS, kind=kind)
            yield self.z == z
            yield self.rate == tg.der(z)

    def exact(x: float, y: float) -> float:
        if degree == 1:
            return float(scipy.RegularGridInterpolator((XS, ys), ZS)([[x, y]])[0])
        column = scipy.CubicSpline(XS, ZS, bc_type="natural")(x)
        return float(scipy.CubicSpline(ys, column, bc_type="natural")(y))

    for solver in ("rk45", "ida") if degree == 3 else ("rk45", "cvode"):  # IDA wants `rate`, too, without jumps
        run = tg.simulate(Model(), stop=3.0, solver=solver, points=31, rtol=1e-8)
        for x, z, rate in zip(run["x"], run["z"], run["rate"], strict=True):
            assert z == pytest.approx(exact(x, x**2 / 4 + 0.3), abs=1e-6)
            ahead, behind = (exact(x + h, (x + h) ** 2 / 4 + 0.3) for h in (1e-6, -1e-6))
            if np.abs(XS - x).min() > 1e-5 and np.abs(ys - x**2 / 4 - 0.3).min() > 1e-5:
                assert rate == pytest.approx((ahead - behind) / 2e-6, rel=1e-5, abs=1e-5)


def test_parameters_can_be_changed_in_a_run() -> None:
    class Model(tg.Component):
        xs = tg.parameter([0.0, 1.0, 2.0], "V")
        ys = tg.parameter([0.0, 10.0, 40.0], "mA")
        rate = tg.parameter(1.0, "V/s")
        u = tg.variable("V")
        y = tg.variable("A")
        over = tg.variable("A")

        def equations(self) -> Any:
            yield self.u == 1.5 + self.rate * tg.time
            yield self.y == tg.interpolate(self.u, self.xs, self.ys)
            yield self.over == tg.interpolate(self.u, self.xs, self.ys, outside="extend")

    compiled = tg.compile(Model())
    first, other = compiled.simulate(1.0), compiled.simulate(1.0, parameters={"ys": [0.0, 10.0, 20.0]})
    assert first["y"][0] == pytest.approx(0.025)
    assert first["y"][-1] == pytest.approx(0.040)
    assert first["over"][-1] == pytest.approx(0.055)
    assert other["y"][0] == pytest.approx(0.015)
    assert other["over"][-1] == pytest.approx(0.025)


def test_equal_tables_are_one_and_are_found_in_other_processes() -> None:
    import pickle

    compiled = tg.compile(following("monotone"))
    again = pickle.loads(pickle.dumps(compiled))
    assert again.simulate(6.0)["area"][-1] == compiled.simulate(6.0)["area"][-1]
    from tellegen.frontends.python.declarations.interpolate import table_of

    one, two = (table_of((XS,), YS, "cubic", "hold") for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != table_of((XS,), YS, "cubic", "extend")


def test_an_algebraic_loop_through_a_table() -> None:
    """A diode given by points and a resistor: the slope is exact, so Newton's method ends at the corner's line."""
    volts, amperes = [-1.0, 0.6, 0.8, 1.0], [0.0, 0.0, 0.1, 1.0]

    class Model(tg.Component):
        v = tg.variable("V", start=0.5)
        i = tg.variable("A")

        def equations(self) -> Any:
            yield self.i == tg.interpolate(self.v, volts, amperes, outside="extend")
            yield self.v + 10.0 * self.i == 1.5 + 0.0 * tg.time

    run = tg.simulate(Model(), stop=1.0)
    assert run["v"][0] == pytest.approx((1.5 + 10 * 0.3) / (1 + 10 * 0.5), rel=1e-9)


def test_large_tables_cost_a_search() -> None:
    """200 000 points against 200: the cost of an evaluation must not grow with them (a sum would take 1000 times)."""

    def compiled(count: int) -> Any:
        xs = np.linspace(-3.0, 5.0, count)
        return tg.compile(following("linear", xs=xs, ys=np.sin(xs)))

    small, large = compiled(200), compiled(200_000)
    for model in (small, large):
        assert model.simulate(6.0)["y"][-1] == pytest.approx(np.sin(4.0), abs=1e-3)
    assert costs_at_most(20.0, lambda: large.simulate(6.0), lambda: small.simulate(6.0))


def test_pi() -> None:
    assert tg.sin(tg.pi / 6) == pytest.approx(0.5)
