"""From flat models to curves: known solutions, starts, parameters, failures."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from codegen.test_program import compiled
from structure.handmade import HandMade, ladder, rc_circuit
from tellegen.analyses.simulate import simulate
from tellegen.errors import LanguageError, NumericError
from tellegen.units import parse_unit


def test_rc_step_response() -> None:
    model = compiled(rc_circuit())
    s = simulate(model, 5e-3)
    np.testing.assert_allclose(s["c.v"], 10.0 * (1.0 - np.exp(-s.time / 1e-3)), atol=1e-5)
    np.testing.assert_allclose(s["r.n.i"], -s["c.i"])
    np.testing.assert_allclose(s["r.v"] + s["c.v"], 10.0)
    assert s["ground.p.v"].tolist() == [0.0] * 500
    assert s["r.R"] == 1e3
    assert s.outcome.ok


def test_parameters_and_starts_change_without_compiling() -> None:
    model = compiled(rc_circuit())
    s = simulate(model, 5e-3, parameters={"r.R": 2e3}, initial={"c.v": 1.0})
    np.testing.assert_allclose(s["c.v"], 10.0 - 9.0 * np.exp(-s.time / 2e-3), atol=2e-5)
    s = simulate(model, 5e-3, initial={"c.n.v": 0.0, "c.p.v": 3.0})
    assert s["c.v"][0] == 3.0


def test_tighter_tolerance_is_more_accurate() -> None:
    b = HandMade()
    b.variable("x", start=1.0)
    b.variable("v")
    b.equation("der(x) == v")
    b.equation("der(v) == -x")
    model = compiled(b.flat())
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        s = simulate(model, 10.0, rtol=rtol)
        errors.append(np.abs(s["x"] - np.cos(s.time)).max())
    assert errors[0] > 10 * errors[1] > 100 * errors[2]


def test_robertson() -> None:
    b = HandMade()
    b.variable("a", start=1.0)
    b.variable("b", "c")
    b.equation("der(a) == -0.04*a + 1.0e4*b*c")
    b.equation("der(b) == 0.04*a - 1.0e4*b*c - 3.0e7*b**2")
    b.equation("a + b + c == 1.0")
    s = simulate(compiled(b.flat()), 40.0, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose([s[n][-1] for n in "abc"], [0.7158271, 9.185535e-6, 0.2841637], rtol=1e-5)


def test_ladder_conserves_and_large_equals_small_code() -> None:
    n = 30
    s = simulate(compiled(ladder(n)), 1.0, rtol=1e-8)
    a = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    a[-1, -1] = -1.0
    values, vectors = np.linalg.eigh(a * n)
    steady = np.ones(n)
    modes = vectors.T @ -steady
    exact = steady + vectors @ (np.exp(values * 1.0) * modes)
    np.testing.assert_allclose([s[f"c{k}.v"][-1] for k in range(n)], exact, atol=1e-6)


def test_initial_equations_release_states() -> None:
    b = HandMade()
    b.variable("x", "y")
    b.equation("der(x) == -x + y")
    b.equation("der(y) == 2.0 - y")
    b.equation("der(x) == 0.0", section="initial")
    s = simulate(compiled(b.flat()), 1.0, initial={"y": 0.5})
    assert s["x"][0] == pytest.approx(0.5)
    steady = simulate(compiled(b.flat()), 1.0, initial="steady")
    np.testing.assert_allclose(steady["x"], 2.0)


def test_fixed_algebraic_variable_releases_a_state() -> None:
    b = HandMade()
    b.variable("x")
    b.variable("z", start=4.0, fixed=1.0)
    b.equation("der(x) == -z")
    b.equation("z == 2.0*x")
    s = simulate(compiled(b.flat()), 1.0)
    assert s["x"][0] == pytest.approx(2.0)


def test_nonlinear_start_where_the_derivative_vanishes() -> None:
    b = HandMade()
    b.variable("x", start=4.0)
    b.variable("z")
    b.equation("der(x) == -z")
    b.equation("z*z == x")
    s = simulate(compiled(b.flat()), 1.0)
    assert s["z"][0] == pytest.approx(2.0)


def test_parameters_computed_from_others() -> None:
    b = HandMade()
    b.variable("x")
    b.parameter("c", np.nan)
    b.parameter("b", np.nan)
    b.parameter("a", 2.0)
    b.equation("c == b + 1.0", section="parameter")
    b.equation("b == 3.0*a", section="parameter")
    b.equation("x == c*time", section="equation")
    b.equation("x == a", section="start")
    model = compiled(b.flat())
    assert simulate(model, 1.0)["x"][-1] == pytest.approx(7.0)
    assert simulate(model, 1.0, parameters={"a": 1.0})["c"] == 4.0
    assert simulate(model, 1.0, parameters={"b": 1.0})["c"] == 2.0


def test_inputs_are_given_by_path() -> None:
    b = HandMade()
    b.input("u", start=1.5)
    b.variable("x", "y")
    b.connect("u", "y")
    b.equation("der(x) == y")
    model = compiled(b.flat())
    assert simulate(model, 2.0)["x"][-1] == pytest.approx(3.0)
    s = simulate(model, 2.0, parameters={"u": -1.0})
    assert s["x"][-1] == pytest.approx(-2.0)
    assert s["y"].tolist() == [-1.0] * 500


def test_units_are_those_declared() -> None:
    b = HandMade()
    b.variable("T", unit=parse_unit("degC"), start=293.15)
    b.parameter("rate", 2.0)
    b.equation("der(T) == rate")
    s = simulate(compiled(b.flat()), 10.0, initial={"T": 25.0})
    assert s["T"][-1] == pytest.approx(45.0)
    assert s.unit("T") == "degC"


def test_failed_initialization_names_equations_and_unknowns() -> None:
    b = HandMade()
    b.variable("x", start=1.0)
    b.variable("z")
    b.equation("der(x) == z")
    b.equation("z*z + 1.0 == 0.0*x")
    with pytest.raises(NumericError) as caught:
        simulate(compiled(b.flat()), 1.0)
    assert "E301" in str(caught.value)
    assert "z*z + 1" in str(caught.value)


def test_too_many_initial_conditions() -> None:
    b = HandMade()
    b.variable("x", start=1.0, fixed=1.0)
    b.equation("der(x) == -x")
    b.equation("der(x) == 0.0", section="initial")
    with pytest.raises(NumericError, match="E303"):
        simulate(compiled(b.flat()), 1.0)


def test_blow_up_ends_with_an_outcome() -> None:
    b = HandMade()
    b.variable("x", start=1.0)
    b.equation("der(x) == x**2")
    model = compiled(b.flat())
    with pytest.raises(NumericError, match="E310") as caught:
        simulate(model, 2.0)
    assert "der(x)" in str(caught.value)
    s = simulate(model, 2.0, throw=False)
    assert not s.outcome.ok
    assert s.time[-1] < 1.0 + 1e-3
    np.testing.assert_allclose(s["x"][s.time < 0.8], 1.0 / (1.0 - s.time[s.time < 0.8]), rtol=1e-4)


def test_value_that_is_not_finite_is_located() -> None:
    b = HandMade()
    b.variable("x", start=1.0)
    b.variable("y")
    b.equation("der(x) == -1.0")
    b.equation("y == log(x)")
    with pytest.raises(NumericError, match="E310") as caught:
        simulate(compiled(b.flat()), 2.0)
    assert "t = 1" in str(caught.value) or "t = 0.99" in str(caught.value)


def test_jumps_in_time_and_by_state_are_events() -> None:
    b = HandMade()
    b.variable("x", "u", "v")
    b.equation("u == where(time < 0.3, 0.0, where(time <= 0.7, 2.0, -1.0))")
    b.equation("v == where(x > 0.2, 10.0, 0.0)")
    b.equation("der(x) == u")
    s = simulate(compiled(b.flat()), 1.0, points=[0.3, 0.5, 0.7, 0.9, 1.0])
    # 0.3, 0.4 (x passes 0.2) and 0.7 are events: two rows each
    np.testing.assert_allclose(s.time, [0.0, 0.3, 0.3, 0.4, 0.4, 0.5, 0.7, 0.7, 0.9, 1.0], atol=1e-6)
    np.testing.assert_allclose(s["x"], [0.0, 0.0, 0.0, 0.2, 0.2, 0.4, 0.8, 0.8, 0.6, 0.5], atol=1e-6)
    np.testing.assert_allclose(s["v"], [0.0, 0.0, 0.0, 0.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0])
    assert s.stats["events"] == 3


def test_a_pole_is_not_crossed() -> None:
    b = HandMade()
    b.variable("x")
    b.equation("der(x) == 1.0/(1.0 - time)")
    s = simulate(compiled(b.flat()), 2.0, throw=False)
    assert s.outcome.code == "pole"
    assert s.outcome.time == pytest.approx(1.0)


def test_chattering_is_reported_with_its_condition() -> None:
    b = HandMade()
    b.variable("x", start=1.0)
    b.variable("u")
    b.equation("der(x) == u")
    b.equation("u == where(x > 0.0, -1.0, 1.0)")
    s = simulate(compiled(b.flat()), 2.0, throw=False)
    assert s.outcome.code == "chattering"
    assert "u == where(x > 0, -1, 1)" in s.outcome.details[1]


def test_algebraic_curves_are_accurate_between_steps() -> None:
    b = HandMade()
    b.variable("y")
    b.equation("y == sin(20.0*time)")
    s = simulate(compiled(b.flat()), 3.0)
    np.testing.assert_allclose(s["y"], np.sin(20.0 * s.time), atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"stop": -1.0}, "E181"),
        ({"stop": 1.0, "rtol": 0.0}, "E182"),
        ({"stop": 1.0, "solver": "idaa"}, "E183"),
        ({"stop": 1.0, "parameters": {"r.RR": 1.0}}, "E100"),
        ({"stop": 1.0, "parameters": {"r.v": 1.0}}, "E161"),
        ({"stop": 1.0, "initial": {"r.R": 1.0}}, "E163"),
        ({"stop": 1.0, "initial": "steadyy"}, "E185"),
    ],
)
def test_wrong_calls_are_told(arguments: dict[str, object], code: str) -> None:
    with pytest.raises(LanguageError, match=code):
        simulate(compiled(rc_circuit()), **arguments)  # type: ignore[arg-type]


def test_threads_and_pickles() -> None:
    model = compiled(rc_circuit())
    simulate(model, 1e-3)
    copy = pickle.loads(pickle.dumps(model))
    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(lambda r: simulate(copy, 1e-3, parameters={"r.R": r})["c.v"][-1], [1e3, 2e3, 4e3, 8e3]))
    np.testing.assert_allclose(ends, 10.0 * (1.0 - np.exp(-1e-3 / (np.array([1, 2, 4, 8]) * 1e-3))), rtol=1e-4)


def test_tables_and_plots(tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    s = simulate(compiled(rc_circuit()), 5e-3, points=11)
    assert s.to_pandas().shape == (11, 20)
    assert s.to_xarray("c.v")["c.v"].dims == ("time",)
    s.to_csv(tmp_path / "rc.csv", "c.v", "r.R")
    assert (tmp_path / "rc.csv").read_text().splitlines()[0] == "time [s],c.v,r.R"
    assert len(s.plot("c.v", "r.i").axes) == 1
    with pytest.raises(LanguageError, match=r"perhaps you meant 'c\.v'"):
        s["c.vv"]
    assert "c.v" in s
    assert "c.x" not in s
