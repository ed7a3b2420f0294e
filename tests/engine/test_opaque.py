"""The user's code in continuous equations: native calls against equations, once per evaluation, errors, processes."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.codegen import python
from tellegen.codegen.python_ode import Reference
from tellegen.compile import compile_model
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector

CALLS: list[str] = []


class PI(tg.Software):
    """A controller with two outputs and two states."""

    error = tg.input("rpm")
    command = tg.output("mV")
    watched = tg.output("1")
    integral = tg.variable("rad", start=0.1)
    slow = tg.variable("1", start=0.0)
    kp = tg.parameter(20.0)
    ki = tg.parameter(50.0)

    def outputs(self) -> tuple[float, float]:
        CALLS.append("outputs")
        u = self.kp * self.error + self.ki * self.integral
        return 6000.0 * math.tanh(u / 6000.0), self.slow + self.time

    def derivatives(self) -> dict[str, float]:
        CALLS.append("derivatives")
        return {"slow": self.integral - self.slow, "integral": self.error * math.pi / 30}


class Written(tg.Component):
    """The same in equations."""

    error = tg.input("rpm")
    command = tg.output("mV")
    watched = tg.output("1")
    integral = tg.variable("rad", start=0.1, fixed=True)
    slow = tg.variable("1", start=0.0, fixed=True)
    kp = tg.parameter(20.0)
    ki = tg.parameter(50.0)
    one = tg.parameter(1.0, "s")

    def equations(self) -> Iterator[Any]:
        rpm = self.error / (math.pi / 30)
        yield self.command == 6.0 * tg.tanh((self.kp * rpm + self.ki * self.integral) / 6000.0)
        yield self.watched == self.slow + tg.time / self.one
        yield tg.der(self.integral) == self.error
        yield tg.der(self.slow) == (self.integral - self.slow) / self.one


class Plant(tg.Component):
    """A motor, reduced to its torque, for one of the two controllers."""

    wanted = tg.parameter(100.0, "rad/s")
    J = tg.parameter(1e-3, "kg.m2")
    k = tg.parameter(0.04, "V.s/rad")
    R = tg.parameter(2.4, "ohm")
    w = tg.variable("rad/s", start=0.0, fixed=True)
    control: Any

    def equations(self) -> Iterator[Any]:
        yield self.control.error == self.wanted - self.w
        yield self.J * tg.der(self.w) == self.k * (self.control.command - self.k * self.w) / self.R


class WithCode(Plant):
    control = PI()


class WithEquations(Plant):
    control = Written()


class Many(tg.Component):
    """Enough of them for loops in the code."""

    plants = WithCode.array(7, wanted=[60.0, 70.0, 80.0, 90.0, 100.0, 110.0, 120.0])


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_code_and_equations_agree(solver: str) -> None:
    """To the tolerance: the integrators see the same functions, but their Jacobians differ by 1e-10."""
    code = shared_model(WithCode).simulate(stop=3.0, solver=solver, rtol=1e-9)
    equations = shared_model(WithEquations).simulate(stop=3.0, solver=solver, rtol=1e-9)
    for name in ("w", "control.command", "control.watched", "control.slow"):
        np.testing.assert_allclose(code[name], equations[name], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("model", [WithCode, Many])
def test_native_calls_agree_with_the_reference(model: Any) -> None:
    compiled = compile_model(model())
    reference = python.build(compiled.program)
    rng = np.random.default_rng(3)
    n, p = compiled.program.size, parameter_vector(compiled, None)
    y, yp = rng.uniform(0.2, 0.8, n), rng.uniform(-1, 1, n)
    expected, values = np.zeros(n), np.zeros(compiled.program.pattern.count)
    reference["residual"](0.3, y, yp, p, expected)
    np.testing.assert_allclose(compiled.residual(0.3, y, yp, p), expected, rtol=1e-12, atol=1e-12)
    reference["jacobian"](0.3, 0.8, 5.0, y, yp, p, values)
    np.testing.assert_allclose(
        compiled.jacobian(0.3, y, yp, p, by_value=0.8, by_rate=5.0), values, rtol=1e-9, atol=1e-9
    )
    system = compiled.ode.lease(compiled, p, np.ones(n))
    x = rng.uniform(0.2, 0.8, len(system.states))
    assert system.rhs(0.3, x)
    rates = Reference(compiled.ode.program).rhs(0.3, x, np.zeros(2 * n), p)
    np.testing.assert_allclose(system.rates[: len(x)], rates, rtol=1e-12)


@pytest.mark.parametrize("model", [WithCode, Many])
def test_code_runs_once_per_evaluation(model: Any) -> None:
    """Whatever the number of outputs and states: one call of each operator of each instance."""
    compiled = compile_model(model())
    instances = 1 if model is WithCode else 7
    compiled.simulate(0.1, solver="rk45")
    CALLS.clear()
    stats = compiled.simulate(0.5, solver="rk45").stats
    assert CALLS.count("outputs") == CALLS.count("derivatives") == instances * stats["rhs_evaluations"]
    n, p = compiled.program.size, parameter_vector(compiled, None)
    CALLS.clear()
    compiled.residual(0.0, np.ones(n), np.ones(n), p)
    assert sorted(CALLS) == ["derivatives"] * instances + ["outputs"] * instances
    CALLS.clear()
    compiled.jacobian(0.0, np.ones(n), np.ones(n), p, by_rate=1.0)
    read = 3  # unknowns in outputs(): error, integral, slow; as many in derivatives()
    assert CALLS.count("outputs") == CALLS.count("derivatives") == instances * (2 * read + 1)


@tg.function(opaque=True)
def table(x: float) -> float:
    return float(np.interp(x, [0.0, 1.0, 2.0], [1.0, 3.0, 4.0]))


def _slope(x: float, y: float) -> tuple[float, float]:
    CALLS.append("slope")
    return y, x


@tg.function(opaque=True, derivative=_slope)
def product(x: float, y: float) -> float:
    return x * y


@tg.function(opaque=True, outputs=2)
def both(v: Any) -> tuple[float, float]:
    return v[0] + v[1], v[0] * v[1]


class Opaque(tg.Component):
    """Opaque functions anywhere in equations: x' = -product(x, y), y == table(x)/(...)."""

    x = tg.variable(start=2.0, fixed=True)
    y = tg.variable()
    z = tg.variable(shape=2)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -product(self.x, self.y) + 0.5
        yield self.y == table(self.x)
        yield self.z == both(tg.der(self.x) * self.x + 0 * self.z)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_opaque_functions_in_equations(solver: str) -> None:
    """x' = 0.5 - x*(2 + x) for 1 < x < 2, in closed form until x is 1."""
    CALLS.clear()

    class Quadratic(tg.Component):
        x = tg.variable(start=2.0, fixed=True)
        y = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == -product(self.x, self.y) + 0.5
            yield self.y == table(self.x)

    root = math.sqrt(1.5)
    solution = tg.simulate(Quadratic(), stop=0.2, solver=solver, rtol=1e-9)
    t, x = solution.time, solution["x"]
    assert x.min() > 1.0
    exact = root / np.tanh(root * t + math.atanh(root / 3.0)) - 1.0
    np.testing.assert_allclose(x, exact, rtol=1e-7)
    assert ("slope" in CALLS) == (solver != "rk45"), "the derivative the user gave is used"


@tg.function(opaque=True)
def total(v: Any) -> float:
    return float(np.sum(v))


@tg.function(opaque=True, outputs=2)
def ends(v: Any) -> tuple[float, float]:
    return v[0], v[-1]


def test_functions_of_more_numbers_than_ctypes_passes() -> None:
    class Many(tg.Component):
        p = tg.parameter(np.arange(1.0, 1101.0))
        y = tg.variable()
        z = tg.variable(shape=2)

        def equations(self) -> Iterator[Any]:
            yield self.y == total(self.p) + tg.sin(tg.time)
            yield self.z == ends(self.p)

    solution = tg.simulate(Many(), stop=1.0)
    assert solution["y"][-1] == pytest.approx(1100 * 1101 / 2 + math.sin(1.0), rel=1e-14)
    assert solution["z"][-1] == pytest.approx([1.0, 1100.0])


def test_loops_through_code_are_solved() -> None:
    """y = cos(y + x) with x a state, found by Newton's method inside every evaluation."""

    class Cosine(tg.Software):
        u = tg.input()
        y = tg.output()
        also = tg.output()

        def outputs(self) -> tuple[float, float]:
            return math.cos(self.u), self.u

    class Loop(tg.Component):
        a = Cosine()
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.a.y + self.x
            yield tg.der(self.x) == 1.0 - self.a.y

    compiled = tg.compile(Loop())
    for solver in ("rk45", "cvode", "ida"):
        solution = compiled.simulate(2.0, solver=solver, rtol=1e-8)
        y, x = solution["a.y"], solution["x"]
        np.testing.assert_allclose(y, np.cos(y + x), atol=1e-7)
        assert y[0] == pytest.approx(0.7390851332151607, abs=1e-9)
    (loop,) = compiled.schedule().loops
    assert str(loop) == "a -> Loop -> a"
    assert "a -> Loop -> a (1 unknown by Newton's method)" in str(compiled.report())


class Touchy(tg.Software):
    """Fails above a limit."""

    u = tg.input()
    y = tg.output()
    limit = tg.parameter(1.0)

    def outputs(self) -> float:
        if self.u > self.limit:
            raise RuntimeError(f"beyond {self.limit:g}")
        return self.u


class TwoTouchy(tg.Component):
    calm = Touchy()
    hot = Touchy()
    x = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.calm.u == 0.5
        yield self.hot.u == self.x
        yield tg.der(self.x) == 1.0 + 0.01 * self.hot.y
        yield tg.der(self.z) == self.calm.y


@pytest.mark.parametrize("solver", ["auto", "rk45", "cvode", "ida"])
def test_exceptions_end_the_run_and_are_told(solver: str) -> None:
    outcome = shared_model(TwoTouchy).simulate(stop=2.0, solver=solver, throw=False).outcome
    assert outcome.code == "exception"
    assert outcome.time == pytest.approx(100 * math.log(1.01), abs=1e-4)
    assert outcome.message == "outputs() of Touchy fails with RuntimeError: beyond 1"
    assert any("hot.y == Touchy.outputs" in line for line in outcome.details), "the component is named"
    assert outcome.location is not None
    assert outcome.location.source() == 'raise RuntimeError(f"beyond {self.limit:g}")'
    shared_model(TwoTouchy).simulate(stop=0.5, solver=solver)


@pytest.mark.parametrize("solver", ["rk45", "ida"])
def test_an_exception_at_the_start(solver: str) -> None:
    with pytest.raises(tg.NumericError, match=r"RuntimeError: beyond -1") as caught:
        tg.simulate(TwoTouchy(), stop=2.0, solver=solver, parameters={"hot.limit": -1.0})
    assert caught.value.code == "E301"
    assert caught.value.location is not None
    assert "raise RuntimeError" in caught.value.location.source()


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_what_is_no_number_is_told(solver: str) -> None:
    class Ends(tg.Software):
        u = tg.input()
        y = tg.output()

        def outputs(self) -> float:
            return self.u if self.u < 1.0 else math.nan

    class Model(tg.Component):
        a = Ends()
        x = tg.variable(start=0.5, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.x
            yield tg.der(self.x) == self.a.y

    outcome = tg.simulate(Model(), stop=2.0, solver=solver, throw=False).outcome
    assert outcome.code == "not-finite"
    assert outcome.message == "a function did not return a finite number: Ends.outputs(a.u)"
    assert outcome.time == pytest.approx(math.log(2.0), abs=1e-4)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_what_is_no_number_is_told_where_nobody_reads_it(solver: str) -> None:
    class Half(tg.Software):
        u = tg.input()
        y = tg.output()
        unread = tg.output()

        def outputs(self) -> tuple[float, float]:
            return self.u, math.nan

    class Model(tg.Component):
        a = Half()
        x = tg.variable(start=0.5, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.x
            yield tg.der(self.x) == self.a.y

    with pytest.raises(tg.NumericError, match=r"a function did not return a finite number: Half.outputs\(a.u\)\[1\]"):
        tg.simulate(Model(), stop=2.0, solver=solver)


@pytest.mark.parametrize("read", [True, False])
@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_what_is_no_number_in_sampled_code_is_told(solver: str, read: bool) -> None:
    """Not a number differs from itself: that is no condition that comes to no rest."""

    class Ends(tg.Software):
        u = tg.input()
        y = tg.output()
        period = tg.parameter(0.1, "s")

        def outputs(self) -> float:
            return self.u if self.time < 0.35 else math.nan

    class Model(tg.Component):
        calm = Ends(period=0.3)
        a = Ends()
        x = tg.variable(start=0.5, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.a.u == self.x
            yield self.calm.u == self.x
            yield tg.der(self.x) == (self.a.y if read else 1.0)

    outcome = tg.simulate(Model(), stop=2.0, solver=solver, throw=False).outcome
    assert outcome.code == "not-finite"
    assert outcome.message == "an assigned value is not finite: a.y = nan"
    assert outcome.time == pytest.approx(0.4)
    assert outcome.details == ("when sample(0, a.period): a.y := Ends.outputs(time, a.u)",)
    assert "hysteresis" not in outcome.advice


def test_threads_and_pickles() -> None:
    compiled = tg.compile(WithCode())
    expected = compiled.simulate(1.0)["w"]
    with ThreadPoolExecutor(3) as pool:
        for w in pool.map(lambda _: compiled.simulate(1.0)["w"], range(6)):
            np.testing.assert_array_equal(w, expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(compiled)).simulate(1.0)["w"], expected)
    functions = tg.compile(Opaque())
    again = pickle.loads(pickle.dumps(functions))
    np.testing.assert_array_equal(again.simulate(0.2)["z"], functions.simulate(0.2)["z"])


def _final_speed(compiled: Any) -> float:
    return float(compiled.simulate(1.0)["w"][-1])


def test_other_processes() -> None:
    compiled = tg.compile(WithCode())
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(_final_speed, compiled).result() == _final_speed(compiled)


def test_what_other_processes_cannot_import_is_refused() -> None:
    @tg.function(opaque=True)
    def inside(x: float) -> float:
        return x

    class Model(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == inside(self.x)

    with pytest.raises(tg.ExportError, match="'inside' cannot be sent to another process"):
        pickle.dumps(tg.compile(Model()))


def test_code_is_linearized_and_brought_to_rest() -> None:
    """The error of the loop is zero there, so its difference quotient has a step of 6e-9, and the command of 97 V has
    roundings of 1e-14 V: the gain is good to a few 1e-6."""
    models = (WithCode(), WithEquations())
    code, equations = (np.sort_complex(tg.linearize(model, at="steady").eigenvalues) for model in models)
    np.testing.assert_allclose(code, equations, rtol=3e-5)
    assert tg.steady_state(WithCode())["w"] == pytest.approx(100.0)


@tg.function(opaque=True)
def sine(x: float) -> float:
    return math.sin(x)


def test_opaque_functions_in_conditions() -> None:
    """sin(x) > 1/2 from pi/6 to 5 pi/6, and again a turn later: located as any other event."""

    class Counting(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        n = tg.integer(start=0)
        y = tg.variable()
        z = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1.0
            yield tg.when(sine(self.x) > 0.5, self.n == tg.pre(self.n) + 1)
            yield self.y == tg.where(sine(self.x) > 0.5, 1.0, 0.0)
            yield tg.der(self.z) == self.y

    solution = tg.simulate(Counting(), stop=10.0, rtol=1e-9)
    assert solution["n"][-1] == 2
    assert solution["z"][-1] == pytest.approx(2 * 2 * math.pi / 3, abs=1e-6)


class Ticking(tg.Software):
    """Sampled code that fails at its fourth tick."""

    u = tg.input()
    y = tg.output()
    source = tg.parameter(0.35)  # an ordinary name, although `source` may also be C code
    period = tg.parameter(0.1, "s")

    def outputs(self) -> float:
        if self.time > self.source:
            raise RuntimeError("too late")
        return self.u


class Sampled(tg.Component):
    s = Ticking()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.s.u == self.x
        yield tg.der(self.x) == 1.0 - self.s.y


def test_exceptions_in_sampled_code_are_told() -> None:
    with pytest.raises(tg.TellegenError, match=r"outputs\(\) of Ticking fails with RuntimeError: too late") as caught:
        tg.simulate(Sampled(), stop=1.0)
    assert caught.value.location is not None
    assert caught.value.location.source() == 'raise RuntimeError("too late")'


def test_what_was_computed_before_sampled_code_fails_is_kept() -> None:
    kept = tg.simulate(Sampled(), stop=1.0, throw=False)
    assert kept.outcome.code == "exception"
    assert kept.time[-1] == pytest.approx(0.4)
    assert np.isfinite(kept["s.y"]).all()
    assert np.isfinite(kept["x"]).all()
    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(Sampled(), stop=1.0)
    assert (caught.value.solution["x"] == kept["x"]).all()


def test_sampled_code_runs_once_a_tick_and_only_at_its_own() -> None:
    class Counted(tg.Software):
        u = tg.input()
        y = tg.output()
        x = tg.variable()
        period = tg.parameter(0.1, "s")

        def outputs(self) -> float:
            CALLS.append(f"outputs {self.period:g}")
            return self.u + self.x

        def next_states(self) -> float:
            CALLS.append(f"next_states {self.period:g}")
            return 0.5 * self.x

    class Rates(tg.Component):
        fast = Counted()
        slow = Counted(period=0.25)
        w = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield self.fast.u == self.w
            yield self.slow.u == self.w
            yield tg.der(self.w) == self.fast.y - self.slow.y

    CALLS.clear()
    tg.simulate(Rates(), stop=0.99)
    assert {name: CALLS.count(name) for name in sorted(set(CALLS))} == {
        "next_states 0.1": 10,
        "next_states 0.25": 4,
        "outputs 0.1": 10,
        "outputs 0.25": 4,
    }


def test_the_component_of_sampled_code_that_fails_is_named() -> None:
    class Pair(tg.Component):
        calm = Ticking(source=10.0)
        hasty = Ticking()

        def equations(self) -> Iterator[Any]:
            yield self.calm.u == 1.0
            yield self.hasty.u == 2.0

    with pytest.raises(tg.TellegenError, match="too late") as caught:
        tg.simulate(Pair(), stop=1.0)
    assert "in hasty, at t = 0.4" in caught.value.details


@pytest.mark.parametrize("returned", ["high", 1j, None, (1.0, 2.0), [[1.0]]], ids=str)
def test_what_is_returned_must_be_a_number(returned: Any) -> None:
    class Odd(tg.Software):
        y = tg.output()

        def outputs(self) -> Any:
            return returned

    @tg.function(opaque=True)
    def odd(x: float) -> Any:
        return returned

    class Calling(tg.Component):
        y = tg.variable()

        def equations(self) -> Iterator[Any]:
            yield self.y == odd(tg.time)

    for model, name in ((Odd(), "Odd.outputs()"), (Calling(), "odd()")):
        with pytest.raises(tg.NumericError, match="one number is needed") as caught:
            tg.simulate(model, stop=1.0)
        assert f"{name} returned {returned!r}" in caught.value.message
