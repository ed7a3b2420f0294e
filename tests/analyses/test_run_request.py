"""The keywords of a run: the same in every call that runs a model, honoured or refused in words."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import tellegen as tg
from tellegen.analyses.optimization.single_objective.search_request import SearchKeywords, request_search
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_options import CURVES, GRADIENTS, SECOND_DERIVATIVES
from tellegen.engine.request.run_request import RunKeywords, request_run
from tellegen.engine.request.scales import declared_scales
from tellegen.engine.runs import single_run


class Forced(tg.Component):
    """A stiffening store: at the steady state x**3 = u, then it is shaken."""

    T = tg.parameter(2.0, "s", "time constant", min=0.0)
    u = tg.parameter(8.0, "1", "inflow")
    x = tg.variable("1", start=1.0, fixed=True)

    def equations(self) -> Any:
        """First order."""
        yield self.T * tg.der(self.x) == self.u - self.x**3 + tg.sin(tg.time / 1.0)


run_module = import_module("tellegen.engine.runs.run")
Call = Callable[..., Any]
DATA = {"time": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5], "x": [1.0, 1.4, 1.6, 1.8, 1.9, 1.95]}
U = {"u": (6.0, 10.0)}
CALLS: dict[str, Call] = {
    "simulate": lambda m, **run: tg.simulate(m, 0.5, **run),
    "CompiledModel.simulate": lambda m, **run: m.simulate(0.5, **run),
    "study": lambda m, **run: tg.study(m, {"u": [7.0, 8.0]}, outputs=["final(x)"], stop=0.5, executor="serial", **run),
    "sensitivity": lambda m, **run: tg.sensitivity(m, 0.5, wrt=["u"], **run),
    "gradient": lambda m, **run: tg.gradient(m, 0.5, of=tg.final("x"), wrt=["u"], **run),
    "adjoint gradient": lambda m, **run: tg.gradient(m, 0.5, of=tg.final("x"), wrt=["u"], method="adjoint", **run),
    "hessian_vector": lambda m, **run: tg.hessian_vector(
        m, 0.5, of=tg.final("x"), wrt=["u"], direction={"u": 1.0}, **run
    ),
    "optimize": lambda m, **run: tg.optimize(
        m, 0.5, minimize=(tg.final("x") - 2.1) ** 2, variables=U, max_iterations=5, **run
    ),
    "pareto": lambda m, **run: tg.pareto(
        m, 0.5, minimize=[tg.final("x"), -tg.mean("x")], variables=U, designs=3, max_iterations=3, **run
    ),
    "calibrate": lambda m, **run: tg.calibrate(m, DATA, variables=U, **run),
    "robustness": lambda m, **run: tg.robustness(m, 0.5, of=tg.final("x"), tolerances={"u": "5 %"}, **run),
    "robust_optimize": lambda m, **run: tg.robust_optimize(
        m, 0.5, minimize=tg.sigma(tg.final("x")), variables=U, tolerances={"u": "5 %"}, max_iterations=3, **run
    ),
    "allocate_tolerances": lambda m, **run: tg.allocate_tolerances(
        m, 0.5, keep=[tg.final("x") <= 9.0], prices={"u": ("1 %", 0.05)}, **run
    ),
    "metamodel": lambda m, **run: tg.metamodel(m, ["x"], variables=U, samples=3, stop=0.5, **run),
    "linearize": lambda m, **run: tg.linearize(m, at=0.5, **run),
    "frequency_response": lambda m, **run: tg.frequency_response(m, [1.0], at=0.5, inputs="u", **run),
}
PUBLIC = {
    tg.simulate: CURVES,
    CompiledModel.simulate: CURVES,
    tg.study: CURVES,
    tg.sensitivity: CURVES,
    tg.metamodel: CURVES,
    tg.linearize: CURVES,
    tg.frequency_response: CURVES,
    tg.gradient: GRADIENTS,
    tg.optimize: GRADIENTS,
    tg.pareto: GRADIENTS,
    tg.calibrate: GRADIENTS,
    tg.robustness: GRADIENTS,
    tg.allocate_tolerances: GRADIENTS,
    tg.hessian_vector: SECOND_DERIVATIVES,
    tg.robust_optimize: SECOND_DERIVATIVES,
}
HONOURED: list[dict[str, Any]] = [
    {"initial": "steady"},
    {"initial": {"x": 1.5}},
    {"parameters": {"T": 1.0}},
    {"chattering": "regularize"},
    {"start": "-100 ms"},
    {"rtol": 1e-5, "atol": 1e-9, "solver": "ida", "max_steps": 5000},
]
WITHOUT_POINTS = {
    "calibrate": "E624",
    "linearize": "E184",
    "frequency_response": "E184",
}  # times of the data; one instant
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"parameters": ["T"]}, "E175"),
    ({"initial": ["x"]}, "E185"),
    ({"initial": "stady"}, "E185"),
    ({"rtoll": 1e-6}, "E173"),
    ({"rtol": "x"}, "E182"),
    ({"atol": -1.0}, "E182"),
    ({"solver": "foo"}, "E183"),
    ({"chattering": "go on"}, "E183"),
    ({"start": "2 V"}, "E181"),
    ({"max_steps": 0}, "E192"),
]


@pytest.fixture(scope="module")
def forced() -> Any:
    return tg.compile(Forced())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("run", HONOURED, ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_every_call_honours_them(forced: Any, name: str, run: dict[str, Any]) -> None:
    assert CALLS[name](forced, **run) is not None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_every_call_makes_its_runs_with_them(forced: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is searched for: all runs that the engine makes are as asked for."""
    made: list[Any] = []

    def seen(compiled: Any, options: Any, start: Any, staggered: Any = None) -> Any:
        made.append((options, start))
        return single_run.one_run(compiled, options, start, staggered)

    monkeypatch.setattr(run_module, "one_run", seen)
    start = 0.0 if name == "calibrate" else 0.1  # where its data begin
    asked: dict[str, Any] = {"start": start, "rtol": 3e-6, "atol": 2e-9, "solver": "cvode", "max_steps": 4321}
    CALLS[name](forced, **asked, chattering="regularize", parameters={"T": 3.0}, initial={"x": 1.5})
    assert made
    for options, beginning in made:
        assert {key: getattr(options, key) for key in asked} == asked
        assert options.chattering == "regularize"
        assert 3.0 in beginning.point.p
        assert 1.5 in beginning.starts.value


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_every_call_takes_points_or_says_why_not(forced: Any, name: str) -> None:
    if name not in WITHOUT_POINTS:
        assert CALLS[name](forced, points=21) is not None
        return
    with pytest.raises(tg.TellegenError) as caught:
        CALLS[name](forced, points=21)
    assert caught.value.code == WITHOUT_POINTS[name]


@pytest.mark.parametrize(("run", "code"), WRONG, ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_every_call_refuses_what_is_wrong(forced: Any, name: str, run: dict[str, Any], code: str) -> None:
    with pytest.raises(tg.TellegenError) as caught:
        CALLS[name](forced, **run)
    assert caught.value.code == code
    assert caught.value.location is not None
    assert caught.value.location.file == __file__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_a_run_that_cannot_be_completed(forced: Any, name: str) -> None:
    """One step to each output point is not enough: a result that says so, or an error in words."""
    run = {"max_steps": 1} if name in WITHOUT_POINTS else {"max_steps": 1, "points": 2}
    if name == "study":
        assert len(CALLS[name](forced, **run).failures()) == 2
        return
    with pytest.raises(tg.TellegenError) as caught:
        CALLS[name](forced, **run)
    assert caught.value.code in {"E310", "E625", "E653"}


@pytest.mark.parametrize("function", PUBLIC, ids=lambda f: cast(Any, f).__qualname__)
def test_signatures_show_all_of_them(function: Any) -> None:
    shown = inspect.signature(function).parameters
    assert list(shown)[-9:] == list(RunKeywords.__annotations__)
    assert shown["rtol"].default == PUBLIC[function]
    assert shown["initial"].annotation == "Mapping[str, Any] | str | None"
    assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in shown.values())


@pytest.mark.parametrize(("made_by", "keywords"), [(request_run, RunKeywords), (request_search, SearchKeywords)])
def test_keywords_are_those_of_the_record(made_by: Any, keywords: Any) -> None:
    own = [name for name, each in inspect.signature(made_by).parameters.items() if each.kind is each.KEYWORD_ONLY]
    inherited = set(RunKeywords.__annotations__) - set(own)
    assert own == [name for name in keywords.__annotations__ if name not in inherited]


def test_defaults_are_in_one_place() -> None:
    declared = {name: each.default for name, each in inspect.signature(request_run).parameters.items()}
    for function in (tg.simulate, tg.study, tg.optimize, tg.robustness):
        shown = inspect.signature(function).parameters
        assert all(shown[name].default == declared[name] for name in RunKeywords.__annotations__ if name != "rtol")
    assert inspect.signature(tg.robust_optimize).parameters["max_iterations"].default == 100


def _default(function: Any, name: str) -> Any:
    return inspect.signature(function).parameters[name].default


def test_the_tables_of_the_documentation_have_these_defaults() -> None:
    page = (Path(__file__).parents[2] / "docs" / "simulation.md").read_text(encoding="utf-8")
    arguments, by_purpose = page.partition("| argument | meaning |")[2].split("| default `rtol` |")[:2]
    shown = re.findall(r"`(\w+)=([^`{]+)`", "".join(re.findall(r"^\|[^|]*\|", arguments, re.MULTILINE)[:12]))
    assert {name for name, _ in shown} >= {"start", "points", "rtol", "atol", "solver", "max_steps", "chattering"}
    assert {name: ast.literal_eval(text) for name, text in shown} == {
        name: _default(tg.simulate, name) for name, _ in shown
    }
    rows = re.findall(r"^\| (1e-\d+) \|.*\| (`.*`) \|$", by_purpose, re.MULTILINE)
    functions = [(getattr(tg, name), float(rtol)) for rtol, names in rows for name in re.findall(r"\w+", names)]
    assert len(functions) >= 12
    assert all(_default(function, "rtol") == rtol for function, rtol in functions)


@pytest.mark.parametrize(
    "search",
    [{"starts": "x"}, {"starts": 0}, {"tolerance": "x"}, {"max_iterations": 1.5}, {"seed": -1}, {"guess": 5.0}],
    ids=str,
)
@pytest.mark.parametrize("name", ["optimize", "robust_optimize"])
def test_searches_refuse_what_is_wrong(forced: Any, name: str, search: dict[str, Any]) -> None:
    calls: dict[str, Call] = {
        "optimize": lambda: tg.optimize(forced, 0.5, minimize=tg.final("x"), variables=U, **search),
        "robust_optimize": lambda: tg.robust_optimize(
            forced, 0.5, minimize=tg.sigma(tg.final("x")), variables=U, tolerances={"u": "5 %"}, **search
        ),
    }
    with pytest.raises(tg.DesignError, match=f"E621: {next(iter(search))} is "):
        calls[name]()


@pytest.mark.parametrize("given", [{"designs": 1}, {"designs": "x"}, {"tolerance": 2.0}, {"seed": 0.5}], ids=str)
def test_fronts_refuse_what_is_wrong(forced: Any, given: dict[str, Any]) -> None:
    with pytest.raises(tg.DesignError, match="E621"):
        tg.pareto(forced, 0.5, minimize=[tg.final("x"), -tg.mean("x")], variables=U, **given)


def test_help_tells_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    help(tg.optimize)
    assert "chattering: 'str' = 'stop'" in capsys.readouterr().out


@pytest.mark.parametrize("initial", ["steady", {"x": 2.0}, None])
def test_a_request_is_pickled(forced: Any, initial: Any) -> None:
    asked = request_run(forced.flat.experiment, 1.0, points=[0.5, 1.0], parameters={"u": 1.0}, initial=initial)
    asked.options.absolute(declared_scales(np.ones(1)))
    again = pickle.loads(pickle.dumps(asked))
    assert again.initial == initial
    assert again.parameters == {"u": 1.0}
    assert repr(again.options) == repr(asked.options)
    np.testing.assert_array_equal(forced.run(again)["x"], forced.run(asked)["x"])


def test_a_request_is_not_changed_by_another() -> None:
    asked = request_run(tg.flatten(Forced()).experiment, 1.0, parameters={"u": 1.0})
    other = asked.with_values({"T": 3.0}, {"x": 2.0}).with_points(7)
    assert (asked.parameters, asked.initial, asked.options.points) == ({"u": 1.0}, None, 500)
    assert (other.parameters, other.initial, other.options.points) == ({"u": 1.0, "T": 3.0}, {"x": 2.0}, 7)
    assert other.without_values(["u", "x"]).parameters == {"T": 3.0}
    assert other.without_values(["u", "x"]).initial == {}


def steady_end(forced: Any, u: float) -> float:
    run: dict[str, Any] = {"parameters": {"u": u}, "initial": "steady", "rtol": 1e-11}
    return float(forced.simulate(0.5, **run)["x"][-1])


@pytest.fixture(scope="module")
def slope(forced: Any) -> float:
    """How the end of a run from the steady state changes with u, by differences."""
    return (steady_end(forced, 8.001) - steady_end(forced, 7.999)) / 0.002


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_gradients_of_a_steady_start(forced: Any, slope: float, method: str) -> None:
    found = tg.gradient(forced, 0.5, of=tg.final("x"), wrt=["u"], method=method, initial="steady")
    assert found.matrix[0, 0] == pytest.approx(slope, rel=1e-5)
    assert found.solution["x"][0] == pytest.approx(2.0)


def test_sensitivities_of_a_steady_start(forced: Any, slope: float) -> None:
    found = tg.sensitivity(forced, 0.5, wrt=["u", "T"], initial="steady", rtol=1e-9)
    assert found["x", "u"][0] == pytest.approx(1.0 / 12.0)  # of u**(1/3) at u = 8
    assert found["x", "T"][0] == pytest.approx(0.0, abs=1e-12)
    assert found["x", "u"][-1] == pytest.approx(slope, rel=1e-5)


def test_optimum_from_the_steady_state(forced: Any) -> None:
    wanted = steady_end(forced, 7.3)
    best = tg.optimize(forced, 0.5, minimize=(tg.final("x") - wanted) ** 2, variables=U, initial="steady")
    assert best.variables["u"] == pytest.approx(7.3, rel=1e-3)
    assert best.initial == "steady"
    assert best.solution["x"][0] == pytest.approx(best.variables["u"] ** (1 / 3))


def test_metamodel_of_steady_starts(forced: Any) -> None:
    made = tg.metamodel(forced, "x", variables=U, samples=4, stop=0.5, initial="steady")
    assert made({"u": 7.5})["x"][-1] == pytest.approx(steady_end(forced, 7.5), rel=1e-4)


def test_studies_keep_the_steady_start(forced: Any) -> None:
    found = tg.study(
        forced, {"u": [7.0, 8.0]}, outputs={"first": lambda s: s["x"][0]}, stop=0.5, initial="steady", executor="serial"
    )
    np.testing.assert_allclose(found["first"], np.array([7.0, 8.0]) ** (1 / 3))


STARTS: dict[str, Call] = {
    "study": lambda m: tg.study(m, {"x": [1.0, 2.0]}, stop=0.5, initial="steady"),
    "sensitivity": lambda m: tg.sensitivity(m, 0.5, wrt=["x"], initial="steady"),
    "gradient": lambda m: tg.gradient(m, 0.5, of=tg.final("x"), wrt=["x"], initial="steady"),
    "optimize": lambda m: tg.optimize(m, 0.5, minimize=tg.final("x"), variables={"x": (1.0, 2.0)}, initial="steady"),
    "robustness": lambda m: tg.robustness(m, 0.5, of=tg.final("x"), tolerances={"x": "5 %"}, initial="steady"),
    "metamodel": lambda m: tg.metamodel(m, "x", variables={"x": (1.0, 2.0)}, stop=0.5, initial="steady"),
    "calibrate": lambda m: tg.calibrate(m, DATA, variables={"x": (0.5, 1.5)}, initial="steady"),
}


@pytest.mark.parametrize("name", STARTS)
def test_start_values_cannot_be_varied_at_the_steady_state(forced: Any, name: str) -> None:
    with pytest.raises(tg.DesignError, match="'x' is a start value, but with initial='steady'"):
        STARTS[name](forced)


class AtRest(Forced):
    """The same, meant to be run from the steady state."""


def test_an_experiment_from_the_steady_state_can_be_left() -> None:
    from dataclasses import replace

    flat = tg.flatten(AtRest())
    meant = tg.compile(replace(flat, experiment=replace(flat.experiment, stop=0.5, initial="steady")))
    assert meant.simulate()["x"][0] == pytest.approx(2.0)
    assert tg.sensitivity(meant, wrt=["u"])["x", "u"][0] == pytest.approx(1.0 / 12.0)
    assert tg.sensitivity(meant, wrt=["x"], initial={})["x", "x"][0] == pytest.approx(1.0)


def test_calibration_has_the_points_of_the_data(forced: Any) -> None:
    with pytest.raises(tg.DesignError, match="the output points are the times of the data"):
        tg.calibrate(forced, DATA, variables=U, points=100)


def test_a_linear_model_has_no_points(forced: Any) -> None:
    with pytest.raises(tg.LanguageError, match="E184: points= says where curves have points"):
        tg.linearize(forced, at=0.5, points=100)


def test_linear_models_of_steady_states(forced: Any) -> None:
    states = [
        tg.linearize(forced, at="steady"),
        tg.linearize(forced, initial="steady"),
        tg.linearize(forced, at=tg.steady_state(forced)),
    ]
    for found in states:
        assert found.A[0, 0] == pytest.approx(-6.0)


def test_a_snapshot_takes_no_other_values(forced: Any) -> None:
    rest = tg.steady_state(forced)
    with pytest.raises(tg.LanguageError, match="E168: parameters= changes nothing"):
        tg.linearize(forced, at=rest, parameters={"u": 1.0})


@pytest.mark.parametrize("given", [{"initial": "steady"}, {"parameters": ["u"]}, {"time": "2 V"}], ids=str)
def test_steady_states_refuse_in_words(forced: Any, given: dict[str, Any]) -> None:
    with pytest.raises(tg.LanguageError):
        tg.steady_state(forced, **given)


def test_warnings_name_the_line_of_the_user(forced: Any) -> None:
    with pytest.warns(UserWarning, match="every run failed") as told:
        CALLS["study"](forced, max_steps=1, points=2)
    assert told[0].filename == __file__
