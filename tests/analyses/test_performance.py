"""Performance functions: values against closed forms, gradients against these and against central differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg


class Oscillator(tg.Component):
    """Of second order, after a unit step: everything in closed form."""

    y = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    w = tg.parameter(5.0)
    d = tg.parameter(0.3)

    def equations(self):
        yield tg.der(self.y) == self.v
        yield tg.der(self.v) == self.w**2 * (1 - self.y) - 2 * self.d * self.w * self.v


class Ball(tg.Component):
    """Bounces: instants and speeds in closed form."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    g = tg.parameter(10.0, "m/s2")
    e = tg.parameter(0.8)

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


class Thermostat(tg.Component):
    """Heats between two temperatures."""

    T = tg.variable("K", start=290.0, fixed=True)
    P = tg.variable()
    on = tg.boolean(start=True)
    low = tg.parameter(293.0, "K")
    high = tg.parameter(295.0, "K")
    G = tg.parameter(0.1)
    most = tg.parameter(3.0)

    def equations(self):
        yield tg.der(self.T) == self.P - self.G * (self.T - 283.0)
        yield self.P == tg.where(self.on, self.most, 0.0)
        yield self.on == ((self.T < self.low) | (tg.pre(self.on) & (self.T < self.high)))


class Race(tg.Component):
    """Ends by itself, when the way is done."""

    x = tg.variable("m", start=0.0, fixed=True)
    a = tg.parameter(2.0, "m/s2")
    way = tg.parameter(9.0, "m")
    v = tg.variable("m/s", start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.a
        yield tg.when(self.x > self.way, tg.terminate("there"))


def by_complex_steps(formula: Any, values: dict[str, float]) -> dict[str, float]:
    """Exact to rounding."""
    moved = {name: {**values, name: values[name] + 1e-30j} for name in values}
    return {name: formula(**moved[name]).imag / 1e-30 for name in values}


def _name(given: Any) -> str:
    return str(given) if isinstance(given, tg.Performance) else ""


def peak_of(w: Any, d: Any) -> Any:
    return 1 + np.exp(-np.pi * d / np.sqrt(1 - d * d)) + 0 * w


def peak_time_of(w: Any, d: Any) -> Any:
    return np.pi / (w * np.sqrt(1 - d * d))


def mean_square_of_speed(w: Any, d: Any) -> Any:
    """The integral of v^2 over all time is w / (4 d): the energy 1/2 w^2 is lost by 2 d w v^2."""
    return w / (4 * d)


@pytest.mark.parametrize(
    ("function", "formula"),
    [
        (tg.peak("y"), peak_of),
        (tg.overshoot("y", final=1.0), lambda w, d: peak_of(w, d) - 1),
        (tg.peak_time("y"), peak_time_of),
        (tg.integral("v**2"), mean_square_of_speed),
        (tg.integral("1 - y"), lambda w, d: 2 * d / w),
        (tg.time_when("y > 1"), lambda w, d: (np.pi - np.arccos(d)) / (w * np.sqrt(1 - d * d))),
        (tg.sqrt(2 * tg.integral("v*v") / tg.peak("y")), lambda w, d: np.sqrt(w / (2 * d) / peak_of(w, d))),
        (tg.integral("time*(1 - y)"), lambda w, d: (4 * d * d - 1) / w**2),
        (tg.value("v", at=tg.peak_time("y")), lambda **p: 0 * p["w"]),
    ],
    ids=_name,
)
def test_closed_solutions(function: tg.Performance, formula: Any) -> None:
    """A run of 30 time constants is all time to 1e-13; tolerance 1e-9, a decade or two of it is left in the results."""
    values = {"w": 5.0, "d": 0.3}
    found = tg.sensitivity(Oscillator(), 20.0, wrt=["w", "d"], rtol=1e-9, points=2000)
    assert function(found) == pytest.approx(formula(**values).real, rel=2e-7, abs=1e-7)
    assert function.gradient(found) == pytest.approx(by_complex_steps(formula, values), rel=1e-6, abs=1e-6)


def first(h: Any, g: Any) -> Any:
    return np.sqrt(2 * h / g)


BOUNCES: list[tuple[tg.Performance, Any]] = [
    (tg.event_time("h < 0"), lambda h, g, **_: first(h, g)),
    (tg.event_time("h < 0", 2), lambda h, g, e: first(h, g) * (1 + 2 * e)),
    (tg.time_when("h < 0"), lambda h, g, **_: first(h, g)),
    (tg.value("v", at=tg.event_time(number=1)), lambda h, g, e: e * g * first(h, g)),
    (tg.value("v", at=tg.event_time(number=1), side="before"), lambda h, g, **_: -g * first(h, g)),
    (tg.peak("h", start=tg.event_time(number=1)), lambda h, e, **_: e**2 * h),
    (tg.peak("v"), lambda h, g, e: e * g * first(h, g)),
    (tg.lowest("v"), lambda h, g, **_: -g * first(h, g)),
    (tg.peak_time("v"), lambda h, g, **_: first(h, g)),
    (
        tg.integral("v**2", stop=tg.event_time(number=2)),
        lambda h, g, e: g**2 * first(h, g) ** 3 / 3 * (1 + 2 * e**3),
    ),
    (
        tg.mean("v", stop=0.7),
        lambda h, g, e: (e * g * first(h, g) * (0.7 - first(h, g)) - g * (0.7 - first(h, g)) ** 2 / 2 - h) / 0.7,
    ),
    (tg.integral("abs(v)", stop=0.8), lambda h, g, e: h + _way_up(0.8 - first(h, g), e * g * first(h, g), g)),
]


def _way_up(t: Any, v: Any, g: Any) -> Any:
    """The way after a bounce with speed v, not yet at the top."""
    assert (v - g * t).real > 0
    return v * t - g * t * t / 2


@pytest.mark.parametrize(
    ("function", "formula"), BOUNCES, ids=lambda given: str(given) if isinstance(given, tg.Performance) else ""
)
def test_across_bounces(function: tg.Performance, formula: Any) -> None:
    values = {"h": 1.0, "g": 10.0, "e": 0.8}
    found = tg.sensitivity(Ball(), 1.5, wrt=list(values), rtol=1e-10)
    assert function(found) == pytest.approx(formula(**values), rel=1e-8)
    assert function.gradient(found) == pytest.approx(by_complex_steps(formula, values), rel=1e-6, abs=1e-7)


def test_an_end_that_moves() -> None:
    """t = sqrt(2 way / a), v = sqrt(2 way a) at the end, the integral of v is the way."""
    values = {"a": 2.0, "way": 9.0}
    found = tg.sensitivity(Race(), 10.0, wrt=list(values), rtol=1e-10)
    for function, formula in (
        (tg.final("time"), lambda a, way: np.sqrt(2 * way / a)),
        (tg.final("v"), lambda a, way: np.sqrt(2 * way * a)),
        (tg.integral("v"), lambda a, way: way + 0 * a),
        (tg.peak("v"), lambda a, way: np.sqrt(2 * way * a)),
        (tg.mean("v"), lambda a, way: np.sqrt(way * a / 2)),
    ):
        assert function(found) == pytest.approx(formula(**values), rel=1e-8), function
        assert function.gradient(found) == pytest.approx(by_complex_steps(formula, values), rel=1e-7, abs=1e-9), (
            function
        )


ALL = [
    tg.final("y"),
    tg.value("y", at=0.77),
    tg.integral("abs(y - 1) * time"),
    tg.integral("max(y, 0.5) - min(v, 1)"),
    tg.integral("w * y", 0.3, tg.time_when("y > 0.9")),
    tg.mean("y"),
    tg.rms("der(v)"),
    tg.lowest("v"),
    tg.peak("abs(v)"),
    tg.time_when("y < 1", -1),
    tg.value("v", at=tg.time_when("y > 1")),
    tg.rise_time("y"),
    tg.settling_time("y"),
    tg.overshoot("y"),
    2.0 ** tg.final("y") / tg.peak("y") - tg.tanh(tg.final("v")) + abs(-tg.mean("v")) ** 1.5,
]


def test_gradients_against_differences() -> None:
    """Central differences at a tolerance of 1e-11; their own error is about 1e-7."""
    compiled, values = tg.compile(Oscillator()), {"w": 5.0, "d": 0.3}
    found = tg.sensitivity(compiled, 4.0, wrt=list(values), rtol=1e-9)
    runs = {}
    for name, value in values.items():
        h = 1e-4 * value
        runs[name] = h, [compiled.simulate(4.0, rtol=1e-11, parameters={name: value + s * h}) for s in (1, -1)]
    for function in ALL:
        expected = {name: (function(a) - function(b)) / (2 * h) for name, (h, (a, b)) in runs.items()}
        assert function.gradient(found) == pytest.approx(expected, rel=5e-6, abs=1e-7), function


def test_curves_that_jump_where_events_move() -> None:
    """The power of a thermostat's heater: its integral changes only because the instants move."""
    compiled, values = tg.compile(Thermostat()), {"low": 293.0, "high": 295.0, "G": 0.1, "most": 3.0}
    found = tg.sensitivity(compiled, 10.0, wrt=list(values), rtol=1e-9)
    functions = [
        tg.integral("P"),
        tg.mean("P * T"),
        tg.rms("P"),
        tg.time_when("P < 1", 2),
        tg.peak("T"),
        tg.lowest("T", start=2.0),
        tg.value("der(T)", at=tg.time_when("P > 1"), side="before"),
        tg.final("T"),
    ]
    for name, value in values.items():
        h = 1e-5 * value
        a, b = (compiled.simulate(10.0, rtol=1e-11, parameters={name: value + s * h}) for s in (1, -1))
        for function in functions:
            expected = (function(a) - function(b)) / (2 * h)
            assert function.gradient(found)[name] == pytest.approx(expected, rel=2e-5, abs=1e-6), (function, name)


def test_too_few_points_are_told() -> None:
    """A transient of 1 ms in a run of 10 s; with more points there the value is right and nobody is warned."""

    class Fast(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield tg.der(self.x) == -1000 * self.x

    function = tg.integral("x")
    with pytest.warns(UserWarning, match="more points"):
        function(tg.simulate(Fast(), 10.0, points=100))
    fine = np.concatenate([np.linspace(0, 0.02, 200), np.linspace(0.03, 10, 200)])
    assert function(tg.simulate(Fast(), 10.0, points=fine, rtol=1e-8)) == pytest.approx(1e-3, rel=1e-5)


def test_parameters_and_declared_units() -> None:
    """Curves are in declared units, and so are gradients."""

    class Cart(tg.Component):
        x = tg.variable("mm", start=2.0, fixed=True)
        speed = tg.parameter(3.0, "km/h")

        def equations(self):
            yield tg.der(self.x) == self.speed

    found = tg.sensitivity(Cart(), 2.0, wrt=["speed", "x"])
    function = tg.final("x") + 10 * tg.final("speed")
    assert function(found) == pytest.approx(2.0 + 2e3 * 3 / 3.6 + 30.0)
    assert function.gradient(found) == pytest.approx({"speed": 2e3 / 3.6 + 10.0, "x": 1.0})


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: tg.final("y +"), "E646"),
        (lambda: tg.final("__import__('os')"), "E646"),
        (lambda: tg.final("y if v else w"), "E646"),
        (lambda: tg.peak("arctan(y)"), "E646"),
        (lambda: tg.time_when("y"), "E646"),
        (lambda: tg.peak(3.0), "E646"),  # type: ignore[arg-type]
        (lambda: tg.final("y") + "v", "E646"),
        (lambda: bool(tg.final("y") <= 2), "E646"),
        (lambda: tg.value("y", 1.0, side="left"), "E646"),
        (lambda: tg.peak("q")(tg.simulate(Oscillator(), 1.0)), "E100"),
        (lambda: tg.time_when("y > 9")(tg.simulate(Oscillator(), 1.0)), "E321"),
        (lambda: tg.settling_time("y", final=1)(tg.simulate(Oscillator(), 0.2)), "E321"),
        (lambda: tg.value("y", 9.0)(tg.simulate(Oscillator(), 1.0)), "E186"),
        (lambda: tg.final("y").gradient(tg.simulate(Oscillator(), 1.0)), "E644"),  # type: ignore[arg-type]
    ],
)
def test_mistakes(make: Any, code: str) -> None:
    with pytest.raises(tg.TellegenError, match=code):
        make()


def test_runs_with_few_points_between_events() -> None:
    """A switched capacitor: 40 events, 30 output points; closed by differences at a tolerance of 1e-11."""

    class Switched(tg.Component):
        v = tg.variable(start=0.0, fixed=True)
        u = tg.variable()
        duty = tg.parameter(0.4)
        tau = tg.parameter(0.3)

        def equations(self):
            yield self.u == tg.where(tg.time % 0.05 < 0.05 * self.duty, 1.0, 0.0)
            yield self.tau * tg.der(self.v) == self.u - self.v

    compiled = tg.compile(Switched())
    found = tg.sensitivity(compiled, 1.0, wrt=["duty", "tau"], rtol=1e-9, points=30)
    for name, value in (("duty", 0.4), ("tau", 0.3)):
        h = 1e-5 * value
        a, b = (compiled.simulate(1.0, rtol=1e-11, points=30, parameters={name: value + s * h}) for s in (1, -1))
        for function in (tg.integral("u * v"), tg.rms("u") + tg.peak("v", start=0.9)):
            expected = (function(a) - function(b)) / (2 * h)
            assert function.gradient(found)[name] == pytest.approx(expected, rel=2e-5, abs=1e-7), (function, name)


def test_they_can_be_sent_to_other_processes() -> None:
    import pickle

    solution = tg.simulate(Oscillator(), 2.0)
    for function in [*ALL[:-1], tg.sqrt(tg.peak("y"))]:
        assert pickle.loads(pickle.dumps(function))(solution) == function(solution)


def test_texts() -> None:
    assert str(2 * tg.peak("y") - tg.mean("a.v")) == "(2 * peak(y)) - mean(a.v)"
    assert repr(tg.peak("y") <= 3) == "<Constraint peak(y) <= 3>"
    assert repr(tg.peak("y") >= tg.final("y")) == "<Constraint peak(y) >= final(y)>"


def test_a_run_of_few_points_is_told() -> None:
    """A run that ends itself long before its stop has few points; what is between them nobody knows."""

    class Early(tg.Component):
        y = tg.variable(start=0.0, fixed=True)
        z = tg.variable(start=1.0, fixed=True)

        def equations(self):
            yield tg.der(self.y) == 200 * self.z
            yield tg.der(self.z) == -200 * self.y
            yield tg.when(tg.time > 0.25, tg.terminate("there"))

    changes, few = (pytest.warns(UserWarning, match=text) for text in ("changes faster", "too few to interpolate"))
    with changes, few:
        tg.rms("y")(tg.simulate(Early(), 5.0, points=50))
    assert tg.final("y")(tg.simulate(Early(), 5.0, points=50)) == pytest.approx(np.sin(50.0), abs=1e-4)
    found = tg.rms("y")(tg.simulate(Early(), 0.3, points=1000, rtol=1e-9))
    assert found**2 == pytest.approx(0.5 - np.sin(100.0) / 200, rel=1e-6)
