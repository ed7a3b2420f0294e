"""solution.explain(): what limited the steps of a run; its steps are those of the run, its names those of the model."""

from __future__ import annotations

import math
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from scipy.integrate import RK45

import tellegen as tg
from tellegen.engine.explained.limits import Kind
from tellegen.engine.explained.run_explanation import RunExplanation
from tellegen.engine.runs import partitioned_run

SOLVERS = ("rk45", "rodas", "cvode", "ida")


class TwoSpeeds(tg.Component):
    """A fast oscillation, whose error decides, beside a slow one."""

    fast = tg.variable(start=1.0)
    rate = tg.variable(start=0.0)
    slow = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.fast) == 50.0 * self.rate
        yield tg.der(self.rate) == -50.0 * self.fast
        yield tg.der(self.slow) == 1.0 - self.slow


class Ball(tg.Component):
    """Bounces."""

    h = tg.variable("m", start=1.0)
    v = tg.variable("m/s", start=0.0)

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -0.95 * tg.pre(self.v)))


class Heater(tg.Component):
    """A thermostat with a band that is far too narrow."""

    T = tg.variable(start=20.0)
    on = tg.boolean(start=True)

    def equations(self):
        yield tg.der(self.T) == tg.where(self.on, 100.0, -100.0)
        yield tg.when(self.T < 19.99, self.on == True).elsewhen(self.T > 20.01, self.on == False)  # noqa: E712


class Stiff(tg.Component):
    """A fast decay to a slow curve."""

    x = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == -1e4 * (self.x - tg.cos(tg.time))


class Small(tg.Component):
    """A curve far below the tolerance that is asked for."""

    x = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == 1e-9 * tg.cos(300.0 * tg.time)


class Switched(tg.Component):
    """A linear system with an input that is switched by its first state."""

    A = tg.parameter(np.zeros((3, 3)).tolist())
    b = tg.parameter(np.zeros(3).tolist())
    level = tg.parameter(0.5)
    x = tg.variable(shape=3, start=[1.0, 0.5, -0.3])

    def equations(self):
        for i in range(3):
            free = sum(self.A[i, j] * self.x[j] for j in range(3))
            yield tg.der(self.x[i]) == free + tg.where(self.x[0] > self.level, self.b[i], 0.0)


def explained(model: Any, stop: float, **options: Any) -> tuple[Any, RunExplanation]:
    """A run and its explanation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = tg.simulate(model, stop, **options)
    return solution, solution.explain()


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_log_has_every_step_of_the_run_and_names_the_fast_states(solver: str) -> None:
    solution, found = explained(TwoSpeeds(), 2.0, solver=solver)
    assert found.solvers == (solver,)
    assert found.steps == solution.stats["steps"]
    assert found.limits.size.sum() == pytest.approx(2.0, rel=1e-9)
    assert found.limits.failures.sum() == solution.stats["error_test_failures"]
    shares = {each.limiter.name: each.share for each in found.counts}
    assert shares["fast"] + shares["rate"] > 0.95
    assert shares.get("slow", 0.0) == 0.0


def test_the_state_with_the_largest_error_is_that_of_scipys_tableau() -> None:
    """Each step of rk45 computed again, from the closed-form solution, with SciPy's coefficients of the same pair."""
    rtol = 1e-5
    _, found = explained(TwoSpeeds(), 0.5, solver="rk45", rtol=rtol)
    limits = found.limits
    matrix = np.array([[0.0, 50.0, 0.0], [-50.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    checked = 0
    for t, h, who in zip(limits.start, limits.size, limits.who, strict=True):
        x = np.array([math.cos(50.0 * t), -math.sin(50.0 * t), 1.0 - math.exp(-t)])
        stages = np.zeros((7, 3))
        for k in range(6):
            stages[k] = matrix @ (x + h * RK45.A[k, :k] @ stages[:k]) + [0.0, 0.0, 1.0]
        new = x + h * RK45.B @ stages[:6]
        stages[6] = matrix @ new + [0.0, 0.0, 1.0]
        error = np.abs(h * RK45.E @ stages) / (rtol * np.maximum(np.abs(x), np.abs(new)) + 1e-3 * rtol)
        first, second = np.sort(error)[-1:-3:-1]
        if limits.limiters[who].kind is Kind.ERROR and first > 1.1 * second:  # the integrator's x differs by its error
            checked += 1
            assert limits.limiters[who].name == ("fast", "rate", "slow")[int(error.argmax())]
    assert checked > 50


@pytest.fixture(scope="module")
def switched() -> Any:
    return tg.compile(Switched())


@pytest.mark.parametrize("seed", range(6))
def test_logs_of_random_systems_agree_with_the_counters_of_the_integrators(switched: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(3, 3))
    matrix -= (max(np.linalg.eigvals(matrix).real.max(), 0.0) + 0.2) * np.eye(3)
    matrix *= 10.0 ** rng.uniform(-0.5, 1.2)
    given = {"A": matrix.tolist(), "b": (rng.normal(size=3) * rng.integers(0, 2)).tolist(), "level": rng.normal()}
    for solver in SOLVERS:
        rtol = 10.0 ** rng.uniform(-8.0, -4.0)
        solution, found = explained(switched, 5.0, solver=solver, rtol=rtol, parameters=given, chattering="regularize")
        assert found.steps == solution.stats["steps"]
        assert found.limits.failures.sum() == solution.stats["error_test_failures"]
        assert found.limits.size.sum() == pytest.approx(5.0, rel=1e-6)
        assert (np.diff(found.limits.start) > 0.0).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_steps_that_events_end_name_the_statement_and_its_line(solver: str) -> None:
    solution, found = explained(Ball(), 8.0, solver=solver)
    bounces = len(solution.events)
    events = [each for each in found.counts if each.limiter.kind is Kind.EVENT]
    assert [each.steps for each in events] == [bounces]
    assert events[0].limiter.name.startswith("when h < 0")
    assert events[0].limiter.location is not None
    assert events[0].limiter.location.source().startswith("yield tg.when(self.h < 0")
    assert found.limits.size.sum() == pytest.approx(8.0, rel=1e-6)
    assert [len(source.times) for source in found.sources] == [bounces]
    assert found.sources[0].shortest_gap == pytest.approx(np.diff([event.time for event in solution.events]).min())


def test_a_condition_that_switches_too_often_is_named() -> None:
    _, found = explained(Heater(), 1.0)
    assert any("a condition switches" in text and "hysteresis" in text for text in found.advice)
    assert any("events, one every" in text for text in found.advice)


def test_a_stiff_model_under_an_explicit_method() -> None:
    _, found = explained(Stiff(), 2.0, solver="rk45")
    assert "stiff" in found.advice[0]
    _, found = explained(Stiff(), 2.0, solver="cvode")
    assert not any("stiff" in text for text in found.advice)


def test_solvers_that_took_over() -> None:
    _, found = explained(Stiff(), 20.0)
    assert found.solvers == ("rk45", "cvode")
    assert found.limits.size.sum() == pytest.approx(20.0, rel=1e-6)


def test_a_tight_absolute_tolerance() -> None:
    _, found = explained(Small(), 1.0, atol=1e-15)
    assert any("absolute tolerance applies" in text and "increase atol" in text for text in found.advice)


def test_functions_of_python_and_too_many_points() -> None:
    @tg.function
    def pull(x: float) -> float:
        return -math.sin(x)

    class Pendulum(tg.Component):
        x = tg.variable(start=1.0)
        v = tg.variable(start=0.0)

        def equations(self):
            yield tg.der(self.x) == self.v
            yield tg.der(self.v) == pull(self.x)

    _, found = explained(Pendulum(), 2.0, points=5000)
    assert any("calls Python (pull" in text for text in found.advice)
    assert any("output points" in text for text in found.advice)


def test_a_run_that_failed_is_explained_up_to_its_end() -> None:
    class Explodes(tg.Component):
        x = tg.variable(start=1.0)

        def equations(self):
            yield tg.der(self.x) == self.x**2

    solution = tg.simulate(Explodes(), 2.0, throw=False)
    found = solution.explain()
    assert found.counts[0].limiter.name == "x"
    assert found.limits.start[-1] < 1.0


def test_independent_parts_are_explained_by_the_slowest(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_FIRST_LOOK": 2, "_SMALLEST": 0.0, "_FEWEST_ISLANDS": 2, "_WORTH": 1e9}.items():
        monkeypatch.setattr(partitioned_run, name, value)

    class Balls(tg.Component):
        a = Ball.array(4)

    starts = {f"a[{k}].h": 1.0 + 0.01 * k for k in range(4)}
    solution = tg.simulate(Balls(), 6.0, initial=starts)
    assert "independent subsystems" in solution.stats["solver_reason"]
    found = solution.explain()
    assert any(each.limiter.name.startswith("when a[") for each in found.counts)


def test_it_is_shown_as_text_as_html_at_a_terminal_and_as_a_figure() -> None:
    _, found = explained(Ball(), 8.0)
    text = str(found)
    assert "steps limited by" in text
    assert "try: " in text
    assert "test_explain_run.py:" in text
    assert "<table" in found._repr_html_()
    console = Console(width=200, record=True, force_terminal=True)
    with console.capture() as capture:
        console.print(found)
    assert "longest step allowed" in capture.get()
    axis = found.plot().axes[0]
    assert sum(len(line.get_xdata()) for line in axis.get_lines()) == found.steps
    assert axis.get_yscale() == "log"


def test_phases_have_all_steps() -> None:
    _, found = explained(TwoSpeeds(), 2.0)
    assert sum(phase.steps for phase in found.phases) == found.steps
    assert [phase.start for phase in found.phases[1:]] == [phase.stop for phase in found.phases[:-1]]
    assert found.phases[0].start == 0.0
    assert found.phases[-1].stop == pytest.approx(2.0)


def test_a_solution_that_was_pickled_can_be_explained() -> None:
    solution, found = explained(Ball(), 2.0)
    again = pickle.loads(pickle.dumps(solution)).explain()
    assert again.steps == found.steps
