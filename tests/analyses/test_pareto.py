"""tg.pareto: fronts in closed form by every method, three objectives, hollow fronts, interrupts, and what it shows."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.optimization.multi_objective.front import not_dominated, spread_evenly
from tellegen.analyses.optimization.multi_objective.normal_constraint import lattice


class Two(tg.Component):
    """Numbers x and y, and a state that has them in its equation."""

    z = tg.variable(start=0.0, fixed=True)
    x = tg.parameter(0.5)
    y = tg.parameter(0.3)

    def equations(self):
        yield tg.der(self.z) == self.x + self.y


NEAR_0, NEAR_1 = tg.final("x**2 + y**2"), tg.final("(x - 1)**2 + y**2")
ASKED: dict[str, Any] = {"variables": {"x": (-2.0, 2.0), "y": (-2.0, 2.0)}, "stop": 1.0, "points": 5}


@pytest.mark.parametrize("method", ["auto", "ipopt", "trust-constr"])
def test_front_between_two_points(method: str) -> None:
    """Squares of the distances from 0 and 1: the designs lie between, and sqrt(f1) + sqrt(f2) = 1."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    front = tg.pareto(Two(), minimize=[NEAR_0, NEAR_1], **ASKED, method=method, designs=6)
    assert front.success, front.message
    assert len(front) == 6
    assert np.sqrt(np.maximum(front.values, 0.0)).sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert [design.variables["x"] for design in front] == pytest.approx(np.linspace(0, 1, 6), abs=2e-3)
    assert front.runs < 200
    assert front.compromise.variables["x"] == pytest.approx(0.5, abs=0.11)


@pytest.mark.parametrize(("method", "package"), [("nsga2", "pymoo"), ("optuna", "optuna")])
def test_populations(method: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come near it, and keep a limit; without the package the message says what to install."""
    pytest.importorskip(package)
    given = {**ASKED, "minimize": [NEAR_0, NEAR_1], "method": method}
    front = tg.pareto(Two(), **given, max_iterations=15, designs=8)
    assert len(front) == 8
    assert np.sqrt(front.values).sum(axis=1) == pytest.approx(1.0, abs=0.15)
    limited = tg.pareto(Two(), **given, subject_to=[tg.final("y") >= 0.5], max_iterations=8, designs=4)
    assert all(design.constraints["final(y) >= 0.5"] >= 0.5 - 1e-5 for design in limited)
    again = tg.pareto(Two(), **given, max_iterations=15, designs=8)
    assert again.values.tolist() == front.values.tolist(), "the same seed, the same front"
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(tg.TellegenError, match=rf"tellegen\[{package}\]"):
        tg.pareto(Two(), **given)


def test_optuna_for_one_objective() -> None:
    """Its model of good places comes near the minimum, and keeps a limit."""
    pytest.importorskip("optuna")
    best = tg.optimize(
        Two(), **ASKED, minimize=NEAR_1, subject_to=[tg.final("x") <= 0.6], method="optuna", max_iterations=80
    )
    assert best.feasible
    assert best.objective == pytest.approx(0.16, abs=0.1)
    assert best.runs <= 80


def test_three_objectives() -> None:
    """Squares of the distances from three points: the designs fill the triangle between them."""
    third = tg.final("(x - 0.5)**2 + (y - 1)**2")
    front = tg.pareto(Two(), minimize=[NEAR_0, NEAR_1, third], **ASKED, designs=10)
    assert len(front) == 10
    for design in front:
        x, y = design.variables["x"], design.variables["y"]
        assert y >= -1e-3
        assert y <= 2 * x + 1e-3
        assert y <= 2 * (1 - x) + 1e-3
    front.plot()


def test_a_hollow_front() -> None:
    """f2 = 1 - f1^2 on a circle's inside of the axes: weighted sums would only find its ends."""
    given = {**ASKED, "variables": {"x": (0.0, 1.0), "y": (0.0, 1.0)}}
    front = tg.pareto(Two(), minimize=[tg.final("x"), tg.final("1 - x**2 + y**2")], **given, designs=7)
    assert len(front) == 7
    assert front.values[:, 1] == pytest.approx(1 - front.values[:, 0] ** 2, abs=1e-4)


def test_names_signs_and_what_it_shows(tmp_path: Any) -> None:
    """Named objectives, to be maximized; the same front with other signs."""
    named = {"close to 0": -1.0 * NEAR_0, "close to 1": -1.0 * NEAR_1}
    front = tg.pareto(Two(), maximize=named, **ASKED, designs=4, guess={"x": 0.2})
    assert front.names == ["close to 0", "close to 1"]
    assert np.sqrt(-np.minimum(front.values, 0.0)).sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    table = front.to_pandas()
    assert list(table.columns) == ["close to 0", "close to 1", "x", "y"]
    assert len(table) == 4
    assert "4 designs (slsqp" in str(front)
    front.plot().savefig(tmp_path / "front.png", dpi=150)
    assert (tmp_path / "front.png").stat().st_size > 5000
    design = front[1]
    assert NEAR_0(design.solution) == pytest.approx(-design.objectives["close to 0"], abs=1e-6)
    assert design.parameters["x"] == design.variables["x"]


def test_objectives_that_agree() -> None:
    """One design is best in both: the front has one."""
    front = tg.pareto(Two(), minimize=[NEAR_0, 2.0 * NEAR_0 + 1.0], **ASKED)
    assert front.compromise.variables == pytest.approx({"x": 0.0, "y": 0.0}, abs=1e-3)
    assert len(front) <= 2


def test_interrupted_and_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """The designs found so far are kept; going on makes no run again."""
    run, count, at = Problem._measure, [0], [20]

    def measured(problem: Problem, *args: Any) -> Any:
        count[0] += 1
        if count[0] == at[0]:
            raise KeyboardInterrupt
        return run(problem, *args)

    monkeypatch.setattr(Problem, "_measure", measured)
    given = {"minimize": [NEAR_0, NEAR_1], **ASKED, "designs": 10}
    half = tg.pareto(Two(), **given)
    assert half.interrupted
    assert 2 <= len(half) < 10
    count[0], at[0] = 0, 0
    whole = tg.pareto(Two(), **given, guess=half)
    assert not whole.interrupted
    assert len(whole) == 10
    assert count[0] == whole.runs - 19 + 1


def test_small_parts() -> None:
    values = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.6, 0.6], [0.5, 0.5]])
    assert not_dominated(values).tolist() == [True, True, True, False, False]
    assert sorted(spread_evenly(np.stack([np.linspace(0, 1, 11), np.linspace(1, 0, 11)], 1), 3)) == [0, 5, 10]
    weights = lattice(3, 10)
    assert len(weights) == 10
    assert weights.sum(axis=1) == pytest.approx(1.0)
    assert len(np.unique(weights.round(9), axis=0)) == 10


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"minimize": NEAR_0}, "E627"),
        ({"minimize": [NEAR_0]}, "E627"),
        ({"minimize": None}, "E627"),
        ({"maximize": [NEAR_0, NEAR_1]}, "E627"),
        ({"minimize": [NEAR_0, "y"]}, "E622"),
        ({"method": "nelder-mead"}, "E621"),
        ({"subject_to": [tg.final("x") >= 5.0], "designs": 3}, "E625"),
    ],
)
def test_mistakes(change: dict[str, Any], code: str) -> None:
    given = {"minimize": [NEAR_0, NEAR_1], **ASKED, **change}
    with pytest.raises(tg.TellegenError, match=code):
        tg.pareto(Two(), **given)


def test_optimize_says_where_several_objectives_go() -> None:
    with pytest.raises(tg.TellegenError, match=r"tg\.pareto"):
        tg.optimize(Two(), **dict[str, Any](ASKED, minimize=[NEAR_0, NEAR_1]))
