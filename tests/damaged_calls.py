"""Right calls of all public functions, and what users may write instead of one of their arguments.

Whatever is written, the answer is a result or a TellegenError that is not an InternalError. `attempt` says which; one
that does not return in time counts as a fault too.
"""

from __future__ import annotations

import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el

ANY: Any = tg
_PATIENCE_SECONDS = 30  # of CPU time: nothing here takes a second


class Lag(tg.Component):
    T = tg.parameter(1.0, "s", min=0.0)
    k = tg.parameter(2.0)
    x = tg.variable("1", start=0.0, fixed=True)
    v = tg.variable("1", start=[1.0, 2.0, 3.0], fixed=True, shape=3)

    def equations(self) -> Iterator[Any]:
        yield self.T * tg.der(self.x) == self.k - self.x
        yield self.T * tg.der(self.v) == -self.v


class Driven(tg.Component):
    u = tg.input("V", default=1.0)
    T = tg.parameter(1.0, "s")
    y = tg.output("V", start=0.0)

    def equations(self) -> Iterator[Any]:
        yield self.T * tg.der(self.y) == self.u - self.y


class Circuit(tg.Component):
    source = el.StepVoltage(V=12.0)
    r = el.Resistor(R="1 kohm")
    c = el.Capacitor(C="1 uF", v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


@dataclass(frozen=True)
class Call:
    """A right call: a function and its arguments by name."""

    function: Callable[..., Any]
    arguments: dict[str, Any]


@cache
def compiled() -> Any:
    return tg.compile(Lag())


@cache
def solution() -> Any:
    return compiled().simulate(1.0, points=20)


@cache
def results() -> dict[str, Any]:
    """Results of all kinds that are read by names."""
    model = compiled()
    final = tg.final("x")
    wide = {"T": (0.5, 2.0)}
    metamodel = tg.metamodel(model, ["x"], variables=wide, samples=3, stop=1.0, points=9)
    return {
        "steady state": tg.steady_state(model),
        "linear model": tg.linearize(Driven(), inputs=["u"], outputs=["y"]),
        "sensitivities": tg.sensitivity(model, 1.0, wrt=["T", "k"]),
        "gradients": tg.gradient(model, 1.0, of=final, wrt=["T"]),
        "product": tg.hessian_vector(model, 1.0, of=final, wrt=["T"], direction={"T": 1.0}),
        "robustness": tg.robustness(model, 1.0, of=[final <= 2.0], tolerances={"T": "5 %"}),
        "runs": tg.study(model, {"T": [1.0, 2.0]}, outputs=["final(x)", "x"], stop=1.0, points=5, executor="serial"),
        "metamodel": metamodel,
        "prediction": metamodel({"T": 1.0}),
    }


_KEYS = {
    "steady state": "x",
    "sensitivities": ("x", "T"),
    "gradients": ("final(x)", "T"),
    "product": "T",
    "runs": "final(x)",
    "prediction": ("x", "T"),
}
_PLOTTED = {
    "linear model": "step",
    "sensitivities": "x",
    "gradients": 3,
    "robustness": "final(x)",
    "runs": "final(x)",
    "prediction": "x",
}
NETLIST = "title\nV1 in 0 5\nR1 in out 1k\nC1 out 0 {cap}\n.param cap=1u\n.tran 1u 1m\n.end\n"


def _of_model(function: str) -> Callable[..., Any]:
    return lambda model, **given: getattr(ANY, function)(model, **given)


def _declared(function: str) -> Callable[..., Any]:
    def declare(**given: Any) -> Any:
        def equations(self: Any) -> Iterator[Any]:
            if function in ("variable", "output"):
                yield self.declared == 0.0
            elif function in ("integer", "boolean", "enumeration"):
                yield tg.when(tg.time > 1.0, self.declared == tg.pre(self.declared))

        members = {"declared": getattr(ANY, function)(**given), "equations": equations}
        return tg.flatten(type("Declared", (Lag,), members)())

    return declare


def _constructed(**given: Any) -> Any:
    return tg.flatten(Circuit(**given))


def _part(cls: Any) -> Callable[..., Any]:
    def construct(**given: Any) -> Any:
        circuit: Any = Circuit()
        circuit.r = cls(**given)
        return tg.flatten(circuit)

    return construct


def _equation(function: str) -> Callable[..., Any]:
    """A function of equations, called in an equation with a variable as its first argument."""

    def trace(**given: Any) -> Any:
        def equations(self: Any) -> Iterator[Any]:
            yield self.y == getattr(ANY, function)(self.x, *given.values())

        members = {"y": tg.variable(), "equations": equations}
        return tg.flatten(type("Traced", (Lag,), members)())

    return trace


def _array(count: Any, T: Any) -> Any:
    return tg.flatten(type("Array", (Circuit,), {"cells": Lag.array(count, T=T)})())


def _system(name: Any, first: Any, second: Any) -> Any:
    system: Any = tg.System(name)
    system.add(r=el.Resistor(R=1.0), c=el.Capacitor(), g=el.Ground())
    system.connect(system.r.p if first == "r.p" else first, system.c.p if second == "c.p" else second)
    system.connect(system.r.n, system.c.n, system.g.p)
    return tg.flatten(system)


def _solution_at(time: Any, path: Any) -> Any:
    return solution().at(time)[path]


def calls(folder: Path) -> dict[str, Call]:
    """Right calls by name."""
    wide = {"T": (0.5, 2.0)}
    data = {"time": [0.1, 0.2, 0.3, 0.4], "x": [0.1, 0.3, 0.5, 0.6]}
    run = {"rtol": 1e-6, "atol": 1e-9, "points": 20, "solver": "auto", "parameters": {"k": 2.0}, "initial": {"x": 0.1}}
    final = tg.final("x")
    of_model: dict[str, dict[str, Any]] = {
        "simulate": {"stop": 1.0, "start": 0.0, "max_steps": 1000, "chattering": "stop", "throw": True, **run},
        "steady_state": {"time": 0.0, "parameters": {"T": 1.0}},
        "linearize": {"inputs": ["k"], "outputs": ["x"], "at": 0.5, "parameters": {"T": 1.0}},
        "frequency_response": {"frequencies": [1.0, 2.0], "inputs": ["k"], "outputs": ["x"], "at": 0.5},
        "sweep": {"over": {"k": [1.0, 2.0]}, "parameters": {"T": 1.0}, "time": 0.0},
        "sensitivity": {"stop": 1.0, "wrt": ["T"], **run},
        "gradient": {"stop": 1.0, "of": final, "wrt": ["T"], "method": "auto", **run},
        "hessian_vector": {"stop": 1.0, "of": final, "wrt": ["T"], "direction": {"T": 1.0}},
        "optimize": {
            "stop": 1.0,
            "minimize": final,
            "variables": wide,
            "guess": {"T": 1.0},
            "subject_to": [final <= 9],
        },
        "pareto": {"stop": 1.0, "minimize": [final, -final], "variables": wide, "designs": 2},
        "calibrate": {"data": data, "variables": wide, "guess": {"T": 1.0}, "match": {"x": "x"}, "sigma": {"x": 0.1}},
        "robustness": {"stop": 1.0, "of": [final <= 2.0], "tolerances": {"T": "5 %"}, "samples": 8, "seed": 1},
        "allocate_tolerances": {"stop": 1.0, "keep": [final <= 1.5], "prices": {"T": ("1 %", 1.0)}},
        "metamodel": {"outputs": ["x"], "variables": wide, "samples": 3, "stop": 1.0, "method": "kriging", "points": 9},
        "study": {"variables": {"T": [1.0, 2.0]}, "outputs": ["final(x)"], "stop": 1.0, "executor": "serial", **run},
    }
    found = {name: Call(_of_model(name), {"model": compiled(), **given}) for name, given in of_model.items()}
    for name in ("flatten", "compile", "explain", "system_graph"):
        found[name] = Call(_of_model(name), {"model": Lag()})
    found["linearize inputs"] = Call(ANY.linearize, {"model": Driven(), "inputs": ["u"], "outputs": ["y"]})
    designs = ("latin_hypercube", "sobol", "monte_carlo")
    found |= {name: Call(_studied(name), {"variables": wide, "n": 4, "seed": 1}) for name in designs}
    found["grid"] = Call(_studied("grid"), {"variables": {"T": [1.0, 2.0]}})
    curves = ("final", "peak", "lowest", "integral", "mean", "rms", "peak_time", "overshoot", "rise_time")
    for name in (*curves, "settling_time"):
        found[name] = Call(_measured(name), {"curve": "x"})
    found["settling_time band"] = Call(_measured("settling_time"), {"curve": "x", "band": 0.5, "final": 2.0})
    found["rise_time parts"] = Call(_measured("rise_time"), {"curve": "x", "low": 0.1, "high": 0.5, "final": 1.0})
    found["value"] = Call(_measured("value"), {"curve": "x", "at": 0.5})
    found["time_when"] = Call(_measured("time_when"), {"condition": "x > 0.3", "number": 1})
    found["performance"] = Call(lambda run: final(run), {"run": solution()})
    found["arithmetic"] = Call(lambda other: (final + other)(solution()), {"other": 1.0})
    found["solution[]"] = Call(lambda path: solution()[path], {"path": "x"})
    found["solution.at"] = Call(_solution_at, {"time": 0.5, "path": "x"})
    found["solution.plot"] = Call(
        lambda paths, **given: solution().plot(paths, **given),
        {"paths": ["x"], "x": "time", "title": "a", "events": False, "axes": None},
    )
    found["solution.plot_field"] = Call(lambda **g: solution().plot_field(**g), {"path": "v", "along": [1.0, 2.0, 3.0]})
    for name in ("to_csv", "to_netcdf", "save"):
        found[name] = Call(lambda target, f=name: getattr(solution(), f)(target), {"target": folder / f"a.{name}"})
    for name, key in _KEYS.items():
        found[f"{name}[]"] = Call(lambda key, n=name: results()[n][key], {"key": key})
    for name, what in _PLOTTED.items():
        found[f"{name}.plot"] = Call(lambda what, n=name: results()[n].plot(what), {"what": what})
    found["sensitivities.to_pandas"] = Call(lambda of: results()["sensitivities"].to_pandas(of), {"of": "v"})
    found["metamodel()"] = Call(lambda values: results()["metamodel"](values), {"values": {"T": 1.0}})
    found["to_pandas"] = Call(lambda paths: solution().to_pandas(paths), {"paths": ["x"]})
    found["to_xarray"] = Call(lambda paths: solution().to_xarray(paths), {"paths": ["x"]})
    found["load"] = Call(ANY.load, {"source": _saved(folder)})
    found["read_spice"] = Call(
        lambda **g: tg.flatten(ANY.read_spice(**g)),
        {"text": NETLIST, "ports": ["in"], "parameters": {"cap": 1e-6}, "leave_out": []},
    )
    attributes = {"unit": "V", "description": "a", "start": 1.0, "shape": ()}
    found["variable"] = Call(
        _declared("variable"),
        {**attributes, "fixed": False, "nominal": 1.0, "min": 0.0, "max": 9.0, "state": "default", "discrete": False},
    )
    bounds = {"structural": False, "min": 0.0, "max": 9.0, "shape": ()}
    found["parameter"] = Call(_declared("parameter"), {"value": 1.0, "unit": "V", "description": "a", **bounds})
    found["integer"] = Call(_declared("integer"), {"description": "a", "start": 1, "shape": ()})
    found["boolean"] = Call(_declared("boolean"), {"description": "a", "start": True, "shape": ()})
    found["enumeration"] = Call(_declared("enumeration"), {"choices": ["off", "on"], "start": "off"})
    found["input"] = Call(_declared("input"), {"unit": "V", "default": 1.0, "shape": ()})
    found["output"] = Call(_declared("output"), attributes)
    found["Circuit"] = Call(_constructed, {"r": el.Resistor(R=1.0), "source": el.StepVoltage(V=1.0)})
    found["Resistor"] = Call(_part(el.Resistor), {"R": 1.0})
    found["array"] = Call(_array, {"count": 2, "T": [1.0, 2.0]})
    found["System"] = Call(_system, {"name": "s", "first": "r.p", "second": "c.p"})
    found["sin"] = Call(_equation("sin"), {})
    found["where"] = Call(lambda **g: _where(**g), {"condition": 1, "yes": 1.0, "no": 2.0})
    found["maximum"] = Call(_equation("maximum"), {"other": 1.0})
    found["atan2"] = Call(_equation("atan2"), {"other": 1.0})
    found["delay"] = Call(_equation("delay"), {"by": 0.1})
    found["interpolate"] = Call(_equation("interpolate"), {"x": [0.0, 1.0, 2.0], "y": [0.0, 1.0, 4.0]})
    found["sample"] = Call(_sampled, {"start": 0.0, "period": 0.1})
    found["Clock"] = Call(ANY.Clock, {"period": "1 ms", "offset": 0.0})
    return found


def _saved(folder: Path) -> Path:
    target = folder / "saved.solution"
    solution().save(target)
    return target


def _studied(design: str) -> Callable[..., Any]:
    return lambda **given: tg.study(
        compiled(), getattr(ANY, design)(**given), outputs=["final(x)"], stop=1.0, executor="serial"
    )


def _measured(name: str) -> Callable[..., Any]:
    def measure(**given: Any) -> Any:
        return getattr(ANY, name)(*given.values())(solution())

    return measure


def _where(condition: Any, yes: Any, no: Any) -> Any:
    def equations(self: Any) -> Iterator[Any]:
        yield self.y == tg.where(self.x > condition, yes, no)

    return tg.flatten(type("Traced", (Lag,), {"y": tg.variable(), "equations": equations})())


def _sampled(start: Any, period: Any) -> Any:
    def equations(self: Any) -> Iterator[Any]:
        yield tg.when(tg.sample(start, period), self.n == tg.pre(self.n) + 1)

    return tg.flatten(type("Traced", (Lag,), {"n": tg.integer(), "equations": equations})())


class Odd:
    """An object that is of no use anywhere."""

    def __repr__(self) -> str:
        return "<odd>"


JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    float("nan"),
    float("inf"),
    -float("inf"),
    -1,
    0,
    2,
    0.5,
    -1.5,
    1e300,
    1e-320,
    10**30,
    1j,
    "",
    " ",
    "abc",
    "x",
    "T",
    "y.z",
    "x[7]",
    "v",
    "der(x)",
    "5 %",
    "3 V",
    "2 s",
    "-1 s",
    "1e",
    "(",
    "x +",
    b"x",
    [],
    (),
    {},
    set(),
    [None],
    ["x"],
    ["abc"],
    ["x", "x"],
    [1.0, 2.0],
    [2.0, 1.0],
    (1.0, 2.0),
    (2.0, 1.0),
    [[1.0], [2.0, 3.0]],
    [float("nan")],
    ["1 V", None],
    {"x": 1.0},
    {"T": 1.0},
    {"T": None},
    {"T": "abc"},
    {"T": float("nan")},
    {"T": (2.0, 1.0)},
    {"T": (1.0, 1.0)},
    {"T": []},
    {"T": -1.0},
    {"T": [1.0, 2.0]},
    {"abc": 1.0},
    {3: 1.0},
    {None: None},
    {"x": "T"},
    {"v": [1.0, 2.0]},
    np.array([]),
    np.zeros((2, 2)),
    np.array(1.0),
    np.float32(0.5),
    np.array(["a"]),
    np.array([None]),
    Odd(),
    Odd,
    Lag,
    tg.time,
    max,
)


def damaged(call: Call, rng: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """Another set of arguments, and in words what is wrong with it."""
    names = list(call.arguments)
    name = names[rng.integers(len(names))] if names else ""
    way = rng.integers(12)
    given = dict(call.arguments)
    if not name or way == 0:
        given[f"{name}_"] = 1.0
        return f"with {name}_", given
    if way == 1:
        del given[name]
        return f"without {name}", given
    if way == 2 and isinstance(given[name], list | tuple | dict):
        given[name] = _inside(given[name], JUNK[rng.integers(len(JUNK))])
    else:
        given[name] = JUNK[rng.integers(len(JUNK))]
    return f"{name}={given[name]!r}"[:100], given


def _inside(collection: Any, junk: Any) -> Any:
    """The collection with junk in the place of its first value."""
    if isinstance(collection, dict):
        return {key: junk if k == 0 else value for k, (key, value) in enumerate(collection.items())}
    return type(collection)([junk, *collection[1:]])


def attempt(function: Callable[..., Any], given: dict[str, Any]) -> BaseException | None:
    """What is wrong about the answer; None for a result and for an error in words."""

    def too_long(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"no answer after {_PATIENCE_SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PATIENCE_SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(**given)
    except tg.InternalError as error:
        return error
    except tg.TellegenError as error:
        return None if error.location is not None else AssertionError(f"without a location: {error}")
    except BaseException as error:  # whatever it is, it is what users would see
        innermost = traceback.extract_tb(error.__traceback__)[-1]
        own = innermost.filename == __file__ and not isinstance(error, TimeoutError)
        return None if own else error  # a keyword that the right call above does not have
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
    return None
