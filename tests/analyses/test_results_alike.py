"""Every result: success, message, parameters by path, a short repr, tables as text and HTML, a Figure, a pickle."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

import tellegen as tg
from tellegen.sheet import Result

mpl.use("Agg")


class Lag(tg.Component):
    """A first-order lag <driven by u>."""

    u = tg.parameter(1.0, "V", "input")
    T = tg.parameter(500.0, "ms", "time constant")
    gain = tg.parameter(2.0, "1/V", "gain")
    y = tg.variable("1", "output", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.T * tg.der(self.y) == self.gain * self.u - self.y


VARIABLES = {"T": (200.0, 900.0), "gain": (1.0, 3.0)}


@cache
def solution() -> tg.Solution:
    return tg.simulate(Lag(), 1.0, points=50, parameters={"u": 1.5})


def study() -> tg.Study:
    outputs = ["y", "final(y)"]
    return tg.study(
        Lag(), {"T": [300.0, 500.0]}, outputs=outputs, stop=1.0, points=9, parameters={"u": 1.5}, executor="serial"
    )


def calibrated() -> Any:
    run = solution()
    data = {"time": run.time, "y": run["y"]}
    guess = {"T": 300.0}
    return tg.calibrate(Lag(), data, variables={"T": (100.0, 900.0)}, guess=guess, parameters={"u": 1.5})


def robustness() -> Any:
    return tg.robustness(
        Lag(), 1.0, of=[tg.final("y") <= 3.0], tolerances={"T": "5 %", "gain": "1 %"}, parameters={"u": 1.5}
    )


def allocation() -> Any:
    limit = tg.final("y") <= 2.8
    return tg.allocate_tolerances(Lag(), 1.0, keep=[limit], prices={"gain": ("1 %", 1.0)}, parameters={"u": 1.5})


RESULTS: dict[str, Callable[[], Any]] = {
    "Solution": solution,
    "SteadyState": lambda: tg.steady_state(Lag(), parameters={"u": 1.5}),
    "LinearModel": lambda: tg.linearize(Lag(), parameters={"u": 1.5}),
    "Sensitivity": lambda: tg.sensitivity(Lag(), 1.0, wrt=["T", "gain"], parameters={"u": 1.5}),
    "Gradients": lambda: tg.gradient(Lag(), 1.0, of=tg.final("y"), wrt=["T", "gain"], parameters={"u": 1.5}),
    "HessianVector": lambda: tg.hessian_vector(
        Lag(), 1.0, of=tg.final("y"), wrt=["T", "gain"], direction={"T": 1.0}, parameters={"u": 1.5}
    ),
    "Study": study,
    "Optimum": lambda: tg.optimize(
        Lag(), 1.0, minimize=(tg.final("y") - 2.0) ** 2, variables=VARIABLES, parameters={"u": 1.5}
    ),
    "Front": lambda: tg.pareto(
        Lag(), 1.0, minimize=[tg.final("y"), -tg.mean("y")], variables=VARIABLES, designs=3, parameters={"u": 1.5}
    ),
    "Calibrated": calibrated,
    "Robustness": robustness,
    "Allocation": allocation,
    "Metamodel": lambda: tg.metamodel(
        Lag(), "y", variables=VARIABLES, stop=1.0, samples=4, points=9, parameters={"u": 1.5}
    ),
    "Prediction": lambda: RESULTS["Metamodel"]()([500.0, 2.0]),
    "Verification": lambda: tg.verify(
        Lag(), tg.always("y < 9"), over=VARIABLES, stop=1.0, runs=6, parameters={"u": 1.5}
    ),
    "SystemGraph": lambda: tg.system_graph(Lag()),
}
WITHOUT_PLOT = {"SteadyState"}
WITHOUT_PARAMETERS = {"HessianVector", "Prediction", "SystemGraph", "Front"}  # a Front has them for each design


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_is_like_the_others(kind: str) -> None:
    result = RESULTS[kind]()
    assert type(result) is getattr(tg, kind)
    assert isinstance(result, Result)
    assert result.success is True
    assert isinstance(result.message, str)
    line = repr(result)
    assert line.startswith(f"<{kind}")
    assert line.endswith(">")
    assert "\n" not in line
    assert len(line) < 160
    text = str(result)
    assert text.splitlines()[0] == line[1:-1]
    assert len(text.splitlines()) > 1
    html = result._repr_html_()
    assert html.count("<table") == html.count("</table>") >= 1
    assert type(result.to_pandas()).__name__ == "DataFrame"
    assert str(pickle.loads(pickle.dumps(result))) == text
    if kind not in WITHOUT_PARAMETERS:
        assert result.parameters["u"] == 1.5
    if kind not in WITHOUT_PLOT:
        figure = result.plot()
        assert isinstance(figure, Figure)
        plt.close(figure)


WITHOUT = {
    "success": set(),
    "message": set(),
    "to_pandas": {"Mechanism", "SpiceRun"},  # parts of several kinds, results of several analyses
    "plot": {"Mechanism", "SpiceRun", "SteadyState", "Consistency", "Feasibility", "Margins"},
}


@pytest.mark.parametrize("member", WITHOUT)
def test_no_public_result_lacks_what_others_have(member: str) -> None:
    public = {name: getattr(tg, name) for name in tg.__all__}
    results = {name for name, kind in public.items() if isinstance(kind, type) and issubclass(kind, Result)}
    assert len(results) >= 30
    assert {name for name in results if not hasattr(public[name], member)} == WITHOUT[member]


class Driven(tg.Component):
    """A lag of an input."""

    T = tg.parameter(0.5, "s")
    u = tg.input("1")
    y = tg.output("1")

    def equations(self) -> Any:
        yield self.T * tg.der(self.y) == self.u - self.y


TABLES: dict[str, Callable[[], Any]] = {
    "Sweep": lambda: tg.sweep(Lag(), over={"gain": [1.0, 2.0, 3.0]}),
    "RunExplanation": lambda: solution().explain(),
    "Margins": lambda: tg.frequency_response(Driven(), ("10 mHz", "1 Hz"), inputs="u", outputs="y").margins(),
    "Consistency": lambda: tg.Consistency("filter", np.array([0.5, 1.5]), np.ones(2)),
    "ZeroDynamics": lambda: tg.ZeroDynamics("plant", ("x",), (), ()),
    "Feasibility": lambda: tg.Feasibility("robot", (), ()),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_smaller_results(kind: str) -> None:
    result = TABLES[kind]()
    assert type(result) is getattr(tg, kind)
    table = result.to_pandas()
    rows = {"Sweep": 3, "RunExplanation": solution().stats["steps"], "Consistency": 2}
    assert len(table) == rows.get(kind, 0)
    assert len(table.columns) >= 1


def test_parameters_are_taken_back() -> None:
    """In declared units; what the model computes from others follows these again."""

    class Bound(Lag):
        rate = tg.parameter(1.0 / Lag.T, "1/s")
        z = tg.variable("1", start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.z) == self.rate * (self.y - self.z)

    run = tg.simulate(Bound(), 1.0, parameters={"T": "300 ms"})
    assert run.parameters == {"u": 1.0, "T": pytest.approx(300.0), "gain": 2.0}
    again = tg.simulate(Bound(), 1.0, parameters=run.parameters)
    np.testing.assert_allclose(again["z"], run["z"], rtol=1e-9)
    slower = tg.simulate(Bound(), 1.0, parameters={**run.parameters, "T": 600.0})
    assert slower["rate"] == pytest.approx(1.0 / 0.6)
    forced = tg.simulate(Bound(), 1.0, parameters={"rate": 7.0})
    assert forced.parameters["rate"] == 7.0
    assert forced.at(0.5).parameters["rate"] == 7.0


def test_a_run_that_fails_says_so() -> None:
    class Grows(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == self.x**2

    run = tg.simulate(Grows(), 2.0, throw=False)
    assert not run.success
    assert run.message == run.outcome.message != ""
    assert run.outcome.code in repr(run)
    found = tg.study(Grows(), {"x": [0.1, 1.0]}, outputs=["final(x)"], stop=2.0, executor="serial")
    assert not found.success
    assert found.message == "1 failed"


def test_terminate_is_a_success_and_known_by_its_type() -> None:
    class Stops(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == 1.0
            yield tg.when(self.x > 0.5, tg.terminate("far enough"))

    run = tg.simulate(Stops(), 2.0)
    assert run.success
    assert run.outcome.terminated
    assert run.message == "terminated: far enough"
    assert not solution().outcome.terminated


@pytest.mark.parametrize(
    ("shown", "cells"),
    [
        (Lag(T=300.0), ["T", "300 ms", "time constant"]),
        (tg.flatten(Lag()), ["y", "output"]),
        (tg.compile(Lag()), ["y", "output"]),
    ],
    ids=["component", "flat", "compiled"],
)
def test_models_in_notebooks(shown: Any, cells: list[str]) -> None:
    html = shown._repr_html_()
    for cell in cells:
        assert f">{cell}</td>" in html
    assert len(repr(shown)) < 100
    assert "<driven" not in html, "text is escaped"
