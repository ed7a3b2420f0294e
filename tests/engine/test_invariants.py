"""Invariants are kept by projection: closures, norms, ranks, events, continued runs, start values.

Tolerances: after a projection residuals are a rounding or the square of a correction (1e-12 at rtol 1e-6); values that
are computed from the states belong to states that differ by a hundredth of the tolerance.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.invariant_models import Body, FourBar, KeptFourBar, RedundantFourBar, closed, minimal_coordinates
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector

SOLVERS = ("rk45", "rodas", "cvode")


@cache
def compiled(kind: type) -> Any:
    return tg.compile(kind())


@cache
def reference() -> Any:
    return minimal_coordinates(1.2, 8.0, np.linspace(0.0, 3.0, 7))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_tumbling_body_keeps_its_norm_for_hours(solver: str) -> None:
    hours = 2 if solver == "rk45" else 0.5
    run = compiled(Body).simulate(stop=3600.0 * hours, solver=solver, points=200)
    Q = run["Q"]
    assert abs((Q**2).sum(axis=1) - 1.0).max() < 1e-12
    assert run.stats["projections"] >= run.stats["steps"]
    assert 0.0 < run.stats["drift"] < 1e-4
    momentum = run["w"] * np.array([1.0, 2.0, 3.0])
    assert np.ptp((momentum**2).sum(axis=1)) < 0.1  # conserved by the equations alone: an error of 1e-6 in each step


@pytest.mark.parametrize("kind", [KeptFourBar, RedundantFourBar])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_four_bar_stays_closed_and_moves_as_in_minimal_coordinates(solver: str, kind: type) -> None:
    run = compiled(kind).simulate(stop=3.0, points=7, solver=solver, rtol=1e-8)
    assert abs(run["gap"]).max() < 1e-9
    assert abs(run["speed"]).max() < 1e-7
    assert run["phi"][:, 0] == pytest.approx(reference(), abs=2e-4 if solver == "cvode" else 2e-6)
    coupler, rocker = closed(run["phi"][:, 0])
    for angle, other in ((run["phi"][:, 1], coupler), (run["phi"][:, 2], rocker)):
        assert np.sin(0.5 * (angle - other)) == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(run["energy"]) < (1e-3 if solver == "cvode" else 1e-5)


def test_without_projection_the_closure_drifts() -> None:
    kept = compiled(KeptFourBar).simulate(stop=20.0, points=21, solver="rk45")
    start = {"phi": kept["phi"][0], "w": kept["w"][0]}
    free = compiled(FourBar).simulate(initial=start, stop=20.0, points=21, solver="rk45")
    assert abs(free["gap"]).max() > 1e-5
    assert abs(kept["gap"]).max() < 1e-8


def test_the_order_of_the_method_is_kept() -> None:
    """Errors at t = 3 s against SciPy's, at tolerances a hundred apart, are no larger than without projection."""
    errors = {}
    start = compiled(KeptFourBar).simulate(stop=1e-6, solver="rk45")
    initial = {"phi": start["phi"][0], "w": start["w"][0]}
    for kind in (FourBar, KeptFourBar):
        runs = [
            compiled(kind).simulate(stop=3.0, points=7, solver="rk45", rtol=rtol, initial=initial)
            for rtol in (1e-4, 1e-6, 1e-8)
        ]
        errors[kind] = [abs(run["phi"][-1, 0] - reference()[-1]) for run in runs]
    kept = errors[KeptFourBar]
    assert kept[0] > 30 * kept[1] > 900 * kept[2]
    assert all(a < 3.0 * b for a, b in zip(kept, errors[FourBar], strict=True))


@pytest.mark.parametrize("rtol", [1e-11, 1e-13])
def test_tolerances_near_the_rounding_of_residuals(rtol: float) -> None:
    run = compiled(KeptFourBar).simulate(stop=0.3, solver="rk45", rtol=rtol)
    assert run.success
    assert abs(run["gap"]).max() < 1e-13


class Many(tg.Component):
    """A hundred four-bars."""

    bars = KeptFourBar.array(100)


def test_a_hundred_random_four_bars() -> None:
    random = np.random.default_rng(5)
    crank = random.uniform(0.2, 0.4, 100)
    rocker = random.uniform(0.6, 0.9, 100)
    coupler = random.uniform(0.8, 1.2, 100)
    first = random.uniform(0.0, 6.0, 100)
    lengths = np.stack([crank, coupler, rocker], axis=1)
    angles = np.array([closed(q, sides) for q, sides in zip(first, lengths, strict=True)])
    phi = np.column_stack([first, angles + random.uniform(-0.2, 0.2, (100, 2))])
    model = Many()
    model.bars.L = lengths
    model.bars.phi.start = phi
    run = tg.simulate(model, stop=2.0, points=21, solver="rk45")
    assert run["bars.phi"][0, :, 0] == pytest.approx(first)
    assert np.sin(0.5 * (run["bars.phi"][0, :, 1:] - angles)) == pytest.approx(0.0, abs=1e-9)
    assert abs(run["bars.gap"]).max() < 1e-7
    assert abs(run["bars.speed"]).max() < 1e-5
    assert np.ptp(run["bars.energy"], axis=0).max() < 1e-2


class Parallelogram(tg.Component):
    """Two cranks and a coupler that stays level. The derivatives of the two closures depend on each other where it is
    flat, as at the start, and nowhere else; the last two rows repeat the others."""

    phi = tg.variable("rad", shape=3, start=[0.0, 0.0, 0.0], fixed=True)
    gap = tg.variable("m", shape=4)
    J = tg.variable("m", shape=(4, 3))

    def equations(self) -> Any:
        phi = self.phi
        yield tg.der(phi[0]) == 1.0
        yield tg.der(phi[1]) == 0.0
        yield tg.der(phi[2]) == 1.0
        lengths = (0.5, 1.0, -0.5)
        yield self.gap[0] == sum(lengths[k] * tg.cos(phi[k]) for k in range(3)) - 1.0
        yield self.gap[1] == sum(lengths[k] * tg.sin(phi[k]) for k in range(3))
        for k in range(3):
            yield self.J[0, k] == -lengths[k] * tg.sin(phi[k])
            yield self.J[1, k] == lengths[k] * tg.cos(phi[k])
        yield self.gap[2] == 2.0 * self.gap[0] - self.gap[1]
        yield self.J[2] == 2.0 * self.J[0] - self.J[1]
        yield self.gap[3] == self.gap[0] + self.gap[1]
        yield self.J[3] == self.J[0] + self.J[1]
        yield tg.invariant(self.gap, {phi: self.J})


@pytest.mark.parametrize("kind", [KeptFourBar, RedundantFourBar, Parallelogram])
def test_ranks(kind: type) -> None:
    """Also where the start is a singular position."""
    native = compiled(kind)
    system = native.ode.lease(native, parameter_vector(native, None), np.ones(len(native.reduced.unknowns)))
    x = np.array([1.2, *closed(1.2), 0.0, 0.0, 0.0])[: len(system.states)]
    system.projection.judge_ranks(0.0, x * (kind is not Parallelogram))
    assert (system.projection.rank == 2).all()


def test_through_singular_positions() -> None:
    run = compiled(Parallelogram).simulate(stop=20.0, points=101)
    assert run["phi"][:, 0] == pytest.approx(run.time, abs=1e-5)
    assert abs(run["phi"][:, 1]).max() < 1e-5
    assert abs(run["gap"]).max() < 1e-8


class Counting(KeptFourBar):
    """Counts the turns of the crank, and is hit once."""

    turns = tg.variable(start=0, discrete=True)

    def equations(self) -> Any:
        yield tg.when(tg.sin(0.5 * self.phi[0]) > 0.0, self.turns == tg.pre(self.turns) + 1)


@pytest.mark.parametrize("solver", SOLVERS)
def test_events_and_continued_runs(solver: str) -> None:
    model = compiled(Counting)
    whole = model.simulate(stop=3.0, points=31, solver=solver, rtol=1e-8)
    assert whole["turns"][-1] >= 1
    assert abs(whole["gap"]).max() < 1e-8
    first = model.simulate(stop=1.5, points=16, solver=solver, rtol=1e-8)
    second = model.simulate(initial=first.at(1.5), stop=3.0, points=16, solver=solver, rtol=1e-8)
    assert second["phi"][-1] == pytest.approx(whole["phi"][-1], abs=1e-4 if solver == "cvode" else 1e-6)
    assert abs(second["gap"]).max() < 1e-8
    assert second.stats["projections"] > 0


def test_ida_reports_its_drift() -> None:
    with pytest.warns(UserWarning, match=r"the invariant 'gap\[.\]' has drifted to .*: IDA does not project"):
        run = compiled(KeptFourBar).simulate(stop=3.0, points=31, solver="ida", rtol=1e-8)
    assert run.stats["drift"] == pytest.approx(max(abs(run["gap"]).max(), abs(run["speed"]).max()))
    assert "projections" not in run.stats


class Leaking(tg.Component):
    """Something that is not constant along solutions, called an invariant."""

    leak = tg.parameter(0.1, "1/s")
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable(start=0.0, fixed=True)
    gap = tg.variable()
    by_x = tg.variable()
    by_y = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.y - self.leak * self.x
        yield tg.der(self.y) == self.x - self.leak * self.y
        yield self.gap == self.x**2 + self.y**2 - 1.0
        yield self.by_x == 2.0 * self.x
        yield self.by_y == 2.0 * self.y
        yield tg.invariant(self.gap, {self.x: self.by_x, self.y: self.by_y})


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_invariant_that_is_none_is_reported(solver: str) -> None:
    with pytest.warns(UserWarning, match="the equations do not keep the invariant 'gap' zero"):
        compiled(Leaking).simulate(stop=0.2, solver=solver)


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
def test_a_small_leak_is_reported(rtol: float) -> None:
    """A ten thousandth of the motion, which is less than the error of a step at rtol 1e-4."""
    with pytest.warns(UserWarning, match="the equations do not keep the invariant 'gap' zero"):
        compiled(Leaking).simulate(stop=5.0, rtol=rtol, parameters={"leak": 1e-4})


class Hit(KeptFourBar):
    """The speed of the crank jumps, and that of no other bar."""

    def equations(self) -> Any:
        yield tg.when(tg.time > 0.5, tg.reinit(self.w[0], 1.2 * tg.pre(self.w[0])))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_jump_off_the_invariants_is_reported(solver: str) -> None:
    with pytest.warns(UserWarning, match=r"at t = 0\.5.* projection moved the states by .* 'speed\[.\]' zero"):
        run = compiled(Hit).simulate(stop=1.0, points=11, solver=solver)
    assert abs(run["speed"][-1]).max() < 1e-5


def test_no_warning_for_a_true_invariant() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for solver in SOLVERS:
            compiled(KeptFourBar).simulate(stop=3.0, solver=solver, rtol=1e-4)


class Contradicting(tg.Component):
    """Two invariants of one state, of which one moves away from the other."""

    k = tg.parameter(1.0, "1/s")
    x = tg.variable(start=0.0, fixed=True)
    gap = tg.variable()
    other = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0
        yield self.gap == self.x - tg.time
        yield self.other == self.x - tg.time - self.k * tg.time**2
        yield tg.invariant(self.gap, {self.x: 1.0})
        yield tg.invariant(self.other, {self.x: 1.0})


@pytest.mark.filterwarnings("ignore:.*do not keep the invariant 'other'")
@pytest.mark.parametrize("solver", SOLVERS)
def test_invariants_that_contradict_each_other_end_the_run(solver: str) -> None:
    run = tg.simulate(Contradicting(), stop=1.0, solver=solver, throw=False)
    assert run.outcome.code == "contradiction"
    assert run.outcome.time < 0.5


def test_a_mechanism_is_assembled_from_rough_guesses() -> None:
    for solver in ("rk45", "ida"):
        run = compiled(KeptFourBar).simulate(stop=1e-3, solver=solver)
        assert run["phi"][0] == pytest.approx([1.2, *closed(1.2)], abs=1e-12)
        assert run["w"][0, 0] == 8.0
        assert run["speed"][0] == pytest.approx(0.0, abs=1e-12)


def test_a_loop_that_cannot_close() -> None:
    with pytest.raises(tg.NumericError) as caught:
        compiled(KeptFourBar).simulate(stop=1.0, parameters={"d": 3.0})
    assert caught.value.code == "E301"
    assert "the invariant 'gap[0]': gap[0] = -1" in caught.value.message
    assert "phi[1] = 0.5 rad, moved to phi[1] = " in "\n".join(caught.value.details)


def test_a_steady_state_that_violates_an_invariant_is_refused() -> None:
    """With all derivatives zero the equations allow any quaternion, zero too."""
    with pytest.raises(tg.NumericError, match="violates an invariant: norm = -1 instead of 0") as caught:
        tg.steady_state(compiled(Body))
    assert caught.value.code == "E302"


def test_fixed_start_values_that_contradict() -> None:
    with pytest.raises(tg.NumericError) as caught:
        compiled(KeptFourBar).simulate(stop=1.0, initial={"phi": [1.2, 0.5, 1.9]})
    assert caught.value.code == "E303"
    assert "the fixed start values contradict the invariant 'gap[0]'" in caught.value.message
