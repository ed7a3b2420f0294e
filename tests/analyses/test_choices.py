"""tg.optimize over choices: bounds against all combinations, implementations, nested interfaces, parts, interrupts."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import tellegen as tg
from tellegen.analyses.child_processes import START_METHOD
from tellegen.analyses.optimization.choices import workers
from tellegen.analyses.optimization.choices.branch_and_bound import BranchAndBound
from tellegen.analyses.optimization.choices.node import Node
from tellegen.analyses.optimization.choices.relaxation.bounding import Bounded, bound
from tellegen.analyses.optimization.choices.shape import Shape
from tellegen.analyses.optimization.choices.workers import SpaceSearch, Workers


class Cooling(tg.Component):
    """A body of heat capacity C cools through the conductance G of a sink, helped by a fan of power P."""

    C = tg.parameter(10.0, "J/K")
    G = tg.parameter(1.0, "W/K")
    sink = tg.parameter(1.0, "kg", "mass of the sink")
    body = tg.parameter(1.0, "kg", "mass of the body")
    fan = tg.parameter(0.0, "1", "how fast it turns")
    T = tg.variable("K", start=100.0, fixed=True)
    mass = tg.variable("kg")
    power = tg.variable("1", "of the fan")

    def equations(self):
        yield self.C * tg.der(self.T) == -self.G * (1.0 + self.fan) * self.T
        yield self.mass == self.sink + self.body
        yield self.power == self.fan**2


def catalogue(rng: np.random.Generator, bodies: int, sinks: int) -> dict[str, list[dict[str, Any]]]:
    capacity = rng.uniform(2.0, 40.0, bodies)
    conductance = rng.uniform(0.5, 8.0, sinks)
    return {
        "body": [
            {"name": f"b{k}", "C": C, "body": 0.05 * C * rng.uniform(0.5, 2.0)} for k, C in enumerate(capacity.tolist())
        ],
        "sink": [
            {"name": f"s{k}", "G": G, "sink": 0.3 * G**1.5 * rng.uniform(0.5, 2.0)}
            for k, G in enumerate(conductance.tolist())
        ],
    }


def by_hand(lists: dict[str, list[dict[str, Any]]], limit: float) -> tuple[float, tuple[str, str]]:
    """All combinations: the fan turns as fast as it must for T(1) = 100 exp(-G (1 + fan)/C) <= limit, at most 3."""
    found = [(np.inf, ("", ""))]
    for body, sink in product(lists["body"], lists["sink"]):
        fan = max(np.log(100.0 / limit) * body["C"] / sink["G"] - 1.0, 0.0)
        if fan <= 3.0:
            cost = body["body"] + sink["sink"] + fan**2
            found.append((cost, (body["name"], sink["name"])))
    return min(found)


@pytest.fixture(scope="module")
def compiled() -> tg.CompiledModel:
    return tg.compile(Cooling())


def asked(lists: Any, limit: float) -> dict[str, Any]:
    return {
        "stop": 1.0,
        "minimize": tg.final("mass") + tg.final("power"),
        "subject_to": [tg.final("T") <= limit],
        "variables": {"fan": (0.0, 3.0)},
        "choices": lists,
    }


@pytest.fixture(scope="module")
def found_here(compiled: tg.CompiledModel) -> tg.Optimum:
    """The best of 180 combinations, without any other thread or process."""
    return tg.optimize(compiled, executor="serial", combinations="bounds", **asked(shared_lists(), 30.0))


def shared_lists() -> dict[str, list[dict[str, Any]]]:
    return catalogue(np.random.default_rng(4), 12, 15)


@pytest.mark.parametrize("seed", range(3))
def test_bounds_find_what_all_combinations_have(compiled: tg.CompiledModel, seed: int) -> None:
    rng = np.random.default_rng(seed)
    lists = catalogue(rng, 12, 15)
    limit = float(rng.uniform(20.0, 60.0))
    objective, names = by_hand(lists, limit)
    best = tg.optimize(compiled, combinations="bounds", **asked(lists, limit))
    assert tuple(best.choice.values()) == names
    assert best.objective == pytest.approx(objective, rel=1e-5)  # of runs at rtol 1e-6
    assert best.choices is not None
    assert best.choices.combinations == 180
    assert best.choices.searched < 60
    assert best.success


def test_reasons_are_given(compiled: tg.CompiledModel) -> None:
    lists = catalogue(np.random.default_rng(3), 12, 15)
    best = tg.optimize(compiled, combinations="bounds", **asked(lists, 2.0))
    tree = best.choices
    assert tree is not None
    table = tree.to_pandas()
    assert table.objective.iloc[0] == pytest.approx(best.objective)
    assert tree.ranking[0] == best.choice
    assert any("final(T) <= 2 is " in text and "at best" in text for text in tree.cuts)
    assert any("is known" in text for text in tree.cuts)
    assert "combinations searched" in str(best)
    assert "final(T) <= 2 cannot be satisfied" in str(best)
    assert tree.searched + sum(int(text.split()[0]) for text in tree.cuts) >= tree.combinations
    figure = tree.plot()
    assert len(figure.axes) == 3
    plt.close(figure)


def test_processes_find_the_same(
    compiled: tg.CompiledModel, found_here: tg.Optimum, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tellegen.analyses.optimization.choices.workers._PATIENCE_SECONDS", 0.0)
    there = tg.optimize(compiled, combinations="bounds", **asked(shared_lists(), 30.0))
    assert there.choice == found_here.choice
    assert there.objective == pytest.approx(found_here.objective, rel=1e-6)


def test_nothing_satisfies_the_constraints(compiled: tg.CompiledModel) -> None:
    lists = catalogue(np.random.default_rng(5), 6, 6)
    with pytest.warns(UserWarning, match="no values were found that satisfy"):
        best = tg.optimize(compiled, combinations="bounds", **asked(lists, 1e-9))
    assert not best.success


def test_ctrl_c_keeps_the_best(compiled: tg.CompiledModel, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = catalogue(np.random.default_rng(6), 12, 15)
    original = Workers.do
    calls = []

    def interrupted(self: Workers, jobs: Any) -> Any:
        calls.append(jobs)
        if len(calls) > 4:
            raise KeyboardInterrupt
        return original(self, jobs)

    monkeypatch.setattr(Workers, "do", interrupted)
    best = tg.optimize(compiled, combinations="bounds", **asked(lists, 40.0))
    assert best.interrupted
    assert best.choice


def test_many_combinations_are_bounded_by_default(compiled: tg.CompiledModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: BranchAndBound) -> None:
        raise RuntimeError("bounded")

    monkeypatch.setattr(BranchAndBound, "run", refuse)
    with pytest.raises(RuntimeError, match="bounded"):
        tg.optimize(compiled, **asked(catalogue(np.random.default_rng(7), 40, 40), 40.0))


def test_evolution_comes_close(compiled: tg.CompiledModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """144 combinations; the optimum is among the leaves searched, and it says that others were not looked at."""
    monkeypatch.setattr("tellegen.analyses.optimization.choices.evolution._GENERATION", 12)
    monkeypatch.setattr("tellegen.analyses.optimization.choices.evolution._PATIENCE", 3)
    lists = catalogue(np.random.default_rng(9), 12, 12)
    best = tg.optimize(compiled, combinations="evolution", seed=1, **asked(lists, 40.0))
    assert best.objective <= 1.1 * by_hand(lists, 40.0)[0]
    assert best.choices is not None
    assert best.choices.searched < 144
    assert "a better combination may exist" in str(best)


class Delayed(Cooling):
    """Its gradients do not exist, so there are no bounds."""

    late = tg.variable("K")

    def equations(self):
        yield self.late == tg.delay(self.T, 0.1)


def test_without_gradients_there_are_no_bounds() -> None:
    lists = catalogue(np.random.default_rng(10), 15, 15)
    given = {"stop": 1.0, "minimize": tg.final("T"), "choices": {"sink": lists["sink"], "C": [1.0, 2.0] * 40}}
    with pytest.warns(UserWarning, match="may miss the best one"):
        best = tg.optimize(Delayed(), **given)
    assert "evolution" in best.method
    assert best.choices is not None
    assert not best.choices.proven
    with pytest.raises(tg.DesignError, match="there are no bounds") as caught:
        tg.optimize(Delayed(), combinations="bounds", **given)
    assert caught.value.code == "E621"


def test_the_front_of_all_combinations(compiled: tg.CompiledModel) -> None:
    """Mass against temperature, all 48 combinations by hand: no design of the front is dominated by one of them."""
    lists = catalogue(np.random.default_rng(11), 6, 8)
    front = tg.pareto(
        compiled,
        stop=1.0,
        minimize={"mass": tg.final("mass"), "temperature": tg.final("T")},
        variables={"fan": (0.0, 1.0)},
        choices=lists,
        designs=4,
    )
    pairs = [
        (body["body"] + sink["sink"], 100.0 * np.exp(-sink["G"] * 2.0 / body["C"]))  # the fan costs no mass
        for body, sink in product(lists["body"], lists["sink"])
    ]
    for point in front:
        mass, temperature = point.objectives.values()
        assert not any(m < mass * (1 - 1e-5) and T < temperature * (1 - 1e-4) for m, T in pairs)
        assert point.solution["T"][-1] == pytest.approx(temperature, rel=1e-4)
    table = front.to_pandas()
    assert table.body.iloc[0] == min(lists["body"], key=lambda row: row["body"])["name"]
    assert table.mass.min() == pytest.approx(min(m for m, _ in pairs))
    assert table.temperature.min() == pytest.approx(min(T for _, T in pairs), rel=1e-3)
    assert "sink" in str(front)


def test_the_exact_front_where_only_parts_are_chosen(compiled: tg.CompiledModel) -> None:
    lists = catalogue(np.random.default_rng(12), 8, 8)
    front = tg.pareto(compiled, stop=1.0, minimize=[tg.final("mass"), tg.final("T")], choices=lists)
    pairs = np.array(
        [
            (body["body"] + sink["sink"], 100.0 * np.exp(-sink["G"] / body["C"]))
            for body, sink in product(lists["body"], lists["sink"])
        ]
    )
    best = [pair for pair in pairs if not ((pairs < pair - 1e-9).all(axis=1)).any()]
    assert len(front) == len(best)
    assert np.sort(front.values[:, 0]) == pytest.approx(np.sort([mass for mass, _ in best]))


class Wavy(tg.Component):
    """A function with many local optima: bounds are wrong."""

    a = tg.parameter(1.0)
    b = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    f = tg.variable()

    def equations(self):
        yield tg.der(self.x) == -self.x
        yield self.f == (self.a - 2.0) ** 2 * tg.cos(3.0 * self.b)


def test_functions_that_are_not_monotone_have_the_right_optimum() -> None:
    random = np.random.default_rng(21)
    a = random.uniform(0.2, 5.0, 12)
    b = random.uniform(0.0, 4.0, 30)
    lists = {"a": a.tolist(), "b": b.tolist()}
    best = tg.optimize(Wavy(), 0.5, minimize=tg.final("f"), choices=lists, combinations="bounds")
    assert best.objective == pytest.approx(((a[:, None] - 2.0) ** 2 * np.cos(3.0 * b)).min())
    assert best.choices is not None
    assert best.choices.proven


def test_bounds_that_a_leaf_contradicts_are_not_trusted(
    compiled: tg.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounds that are 30 % too high cut off the optimum; the search finds out, goes on, and says so."""

    def too_high(shape: Shape, node: Node, known: float, confirmations: int) -> Bounded:
        found = bound(shape, node, np.inf, confirmations)
        return replace(found, node=replace(found.node, bound=1.3 * found.node.bound, is_confirmed=True))

    lists = catalogue(np.random.default_rng(1), 12, 15)
    monkeypatch.setattr("tellegen.analyses.optimization.choices.workers.bound", too_high)
    monkeypatch.setattr("tellegen.analyses.optimization.choices.branch_and_bound._FEW_ENOUGH", 0)
    with pytest.warns(UserWarning, match="better than its bound"):
        best = tg.optimize(compiled, combinations="bounds", **asked(lists, 40.0))
    assert best.choices is not None
    assert not best.choices.proven
    assert "not proven" in str(best)
    assert best.objective == pytest.approx(by_hand(lists, 40.0)[0], rel=1e-5)


WAVES = 3


class Field(tg.Component):
    """Random functions of the numbers of two lists: waves and slopes, with a valley in x."""

    a, b, c, d, x = (tg.parameter(0.5) for _ in range(5))
    w = tg.parameter(np.zeros((2, WAVES)))
    s = tg.parameter(np.zeros((2, WAVES, 4)))
    q = tg.parameter(np.zeros((2, 4)))
    y = tg.variable(start=1.0, fixed=True)
    F = tg.variable()
    G = tg.variable()

    def equations(self):
        yield tg.der(self.y) == -self.y
        numbers = (self.a, self.b, self.c, self.d)
        for k, out in enumerate((self.F - (self.x - 0.5) ** 2, self.G + self.x)):
            waves = [self.w[k, i] * tg.sin(sum(self.s[k, i, j] * numbers[j] for j in range(4))) for i in range(WAVES)]
            yield out == 2.0 + sum(waves) + sum(self.q[k, j] * numbers[j] for j in range(4))


@pytest.fixture(scope="module")
def field() -> tg.CompiledModel:
    return tg.compile(Field())


@pytest.mark.parametrize("seed", range(3))
def test_random_fields_are_right(field: tg.CompiledModel, seed: int) -> None:
    """Against all combinations by hand; 150 of these outside the suite, none wrong."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(2, WAVES)) * 0.5
    s = rng.normal(size=(2, WAVES, 4)) * rng.choice([1.0, 3.0, 6.0])
    q = rng.normal(size=(2, 4))
    ones, twos = rng.random((2, 8, 2))
    lists = {
        key: [{"name": k, names[0]: row[0], names[1]: row[1]} for k, row in enumerate(rows.tolist())]
        for key, names, rows in (("one", "ab", ones), ("two", "cd", twos))
    }
    numbers = np.array([[*one, *two] for one in ones for two in twos])
    values = [2.0 + np.sin(numbers @ s[k].T) @ w[k] + numbers @ q[k] for k in range(2)]
    limit = float(np.quantile(values[1], 0.3) - 0.5)
    least = np.maximum(values[1] - limit, 0.5)  # x, at least
    expected = np.where(least <= 1.0, values[0] + (least - 0.5) ** 2, np.inf).min()
    best = tg.optimize(
        field,
        0.1,
        minimize=tg.final("F"),
        subject_to=[tg.final("G") <= limit],
        variables={"x": (0.0, 1.0)},
        choices=lists,
        combinations="bounds",
        parameters={"w": w, "s": s, "q": q},
        points=20,
    )
    assert best.objective == pytest.approx(expected, rel=5e-4)


# -- implementations ----------------------------------------------------------------------------------------------
class Fan(tg.Interface):
    """Moves air: `flow` for the signal u."""

    u = tg.input("1")
    flow = tg.output("1/s")
    gain = tg.parameter(1.0, "1/s", semantics="gain")
    price = tg.parameter(1.0, "1", semantics="price")


class Linear(tg.Component, implements=Fan, name="linear", default=True):
    def equations(self):
        yield self.flow == self.gain * self.u


class Root(tg.Component, implements=Fan, name="root"):
    def equations(self):
        yield self.flow == self.gain * tg.sqrt(self.u + 1e-9)


class Blade(tg.Interface):
    u = tg.input("1")
    y = tg.output("1")


class Plain(tg.Component, implements=Blade, name="plain", default=True):
    def equations(self):
        yield self.y == self.u


class Curved(tg.Component, implements=Blade, name="curved"):
    def equations(self):
        yield self.y == 1.5 * self.u


class Bladed(tg.Component, implements=Fan, name="bladed"):
    blade = Blade()

    def equations(self):
        yield self.blade.u == self.u
        yield self.flow == self.gain * self.blade.y


class Cooler(tg.Component):
    fan = Fan()
    speed = tg.parameter(0.5, "1")
    T = tg.variable("K", start=100.0, fixed=True)
    cost = tg.variable("1")

    def equations(self):
        yield self.fan.u == self.speed
        yield tg.der(self.T) == -self.fan.flow * self.T
        yield self.cost == self.fan.price + self.speed**2


def test_implementations_are_chosen() -> None:
    """T(1) = 100 exp(-flow) <= 60 needs a flow of 0.51: by u, sqrt(u), u or 1.5 u, so sqrt needs the least speed."""
    best = tg.optimize(
        Cooler(),
        1.0,
        minimize=tg.final("cost"),
        subject_to=[tg.final("T") <= 60.0],
        variables={"speed": (0.0, 3.0)},
        choices={"fan": ["linear", Root, "bladed"], "fan.blade": ["plain", "curved"]},
    )
    flow = np.log(100.0 / 60.0)
    assert best.choice == {"fan": "Root"}
    assert best.variables["speed"] == pytest.approx(flow**2, rel=1e-4)
    assert best.choices is not None
    ranked = best.choices.to_pandas().set_index(["fan", "fan.blade"])
    assert len(ranked) == 4  # there is no blade to choose in the first two
    assert ranked.loc[("bladed", "curved"), "speed"] == pytest.approx(flow / 1.5, rel=1e-4)
    assert ranked.loc[("bladed", "plain"), "speed"] == pytest.approx(flow, rel=1e-4)
    solution = best.solution
    assert solution["T"][-1] == pytest.approx(60.0, rel=1e-4)
    again = tg.simulate(best.model, 1.0, parameters=best.parameters)
    assert again["T"][-1] == pytest.approx(60.0, rel=1e-4)
    assert again.bindings["fan"] == "root"


class Part:
    """As of a catalogue."""

    def __init__(self, name: str, implementation: str, gain: float, price: float) -> None:
        self.name = name
        self.interface = Fan
        self.implementation = implementation
        self.parameters = {"gain": gain, "price": price}


def test_parts_of_two_implementations_are_bounded() -> None:
    """40 parts: the same optimum as all of them by hand."""
    rng = np.random.default_rng(8)
    parts = [
        Part(f"p{k}", "linear" if k % 2 else "root", gain, 0.4 * gain * rng.uniform(0.7, 1.5))
        for k, gain in enumerate(rng.uniform(0.2, 3.0, 40).tolist())
    ]
    flow = np.log(100.0 / 60.0)

    def cost(part: Part) -> float:
        u = flow / part.parameters["gain"]
        u = u if part.implementation == "linear" else u**2
        return part.parameters["price"] + u**2 if u <= 3.0 else np.inf

    expected = min(parts, key=cost)
    best = tg.optimize(
        Cooler(),
        1.0,
        minimize=tg.final("cost"),
        subject_to=[tg.final("T") <= 60.0],
        variables={"speed": (0.0, 3.0)},
        choices={"fan": parts},
        combinations="bounds",
    )
    assert best.choice == {"fan": expected.name}
    assert best.objective == pytest.approx(cost(expected), rel=1e-4)
    assert best.choices is not None
    assert best.choices.searched < 20
    rows = [{"fan": part, "fan.price": 2.0 * part.parameters["price"]} for part in parts]
    dearer = tg.optimize(Cooler(), 1.0, minimize=tg.final("cost"), choices={"fan": rows}, combinations="bounds")
    assert dearer.choice == {"fan": min(parts, key=lambda part: part.parameters["price"]).name}
    assert dearer.solution["cost"][-1] == pytest.approx(dearer.objective)


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({"combinations": "some"}, "E621", "'some'"),
        ({"choices": {"fan": ["linear", "cubic"]}}, "E804", "no implementation 'cubic'"),
        ({"choices": {"fan": []}}, "E621", "'fan' is a list"),
        ({"choices": {"speed": [1.0, 2.0]}, "combinations": "bounds"}, "E621", "varied as well"),
        ({"choices": {}, "combinations": "bounds"}, "E621", "nothing to choose"),
        ({"choices": {"fan": ["linear", Root]}, "executor": "task"}, "E604", "no executor 'task'"),
        ({"choices": {"fan": ["linear", Root]}, "executor": "threads"}, "E621", "not done in threads"),
        ({"executor": "dask"}, "E621", "executor is for the combinations of choices"),
    ],
)
def test_mistakes(given: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(tg.TellegenError, match=words) as caught:
        tg.optimize(Cooler(), 1.0, minimize=tg.final("cost"), variables={"speed": (0.0, 3.0)}, **given)
    assert caught.value.code == code


def test_an_executor_finds_the_same(compiled: tg.CompiledModel, found_here: tg.Optimum) -> None:
    """Whatever has submit(); here two threads, of which one works at a time."""
    with ThreadPoolExecutor(2) as pool:
        there = tg.optimize(compiled, executor=pool, combinations="bounds", **asked(shared_lists(), 30.0))
    assert there.choice == found_here.choice
    assert there.objective == pytest.approx(found_here.objective, rel=1e-6)


def choices_of_fans() -> dict[str, Any]:
    return {
        "minimize": tg.final("cost"),
        "subject_to": [tg.final("T") <= 60.0],
        "variables": {"speed": (0.0, 3.0)},
        "choices": {"fan": ["linear", Root, "bladed"], "fan.gain": [0.5, 1.0, 2.0]},
    }


def test_a_pool_of_processes_needs_no_class_of_the_user() -> None:
    """The space travels by pickle with each job: models compiled, nothing that is bound."""
    here = tg.optimize(Cooler(), 1.0, executor="serial", **choices_of_fans())
    with ProcessPoolExecutor(1, multiprocessing.get_context(START_METHOD)) as pool:
        there = tg.optimize(Cooler(), 1.0, executor=pool, **choices_of_fans())
    assert there.choice == here.choice
    assert there.objective == pytest.approx(here.objective, rel=1e-9)
    assert there.choices is not None
    assert there.choices.searched == 9


needs_fork = pytest.mark.skipif(START_METHOD != "fork", reason="processes are copies of this one")


@needs_fork
def test_a_lost_worker_loses_no_leaf(
    compiled: tg.CompiledModel, found_here: tg.Optimum, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One process ends in the middle: the search has every leaf and node that it has without."""
    own, do = os.getpid(), SpaceSearch.do

    def dies_once(self: SpaceSearch, job: Any) -> Any:
        if os.getpid() != own and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os._exit(9)
        return do(self, job)

    monkeypatch.setattr(workers, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(SpaceSearch, "do", dies_once)
    there = tg.optimize(compiled, combinations="bounds", **asked(shared_lists(), 30.0))
    assert (tmp_path / "died").exists()
    assert there.choice == found_here.choice
    assert there.objective == pytest.approx(found_here.objective, rel=1e-6)
    assert there.choices is not None
    assert there.choices.proven
    assert not there.choices.to_pandas().failed.any()


FEW = catalogue(np.random.default_rng(4), 4, 5)


@pytest.fixture(scope="module")
def all_of_few(compiled: tg.CompiledModel) -> tg.Optimum:
    return tg.optimize(compiled, executor="serial", combinations="all", **asked(FEW, 30.0))


@needs_fork
@pytest.mark.parametrize("way", ["evolution", "bounds"])
def test_a_job_that_ends_its_process_is_left_out_with_a_reason(
    compiled: tg.CompiledModel, all_of_few: tg.Optimum, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """One leaf, and all bounds of its node, end their processes: the others are searched, and the best is right."""
    here = all_of_few
    assert here.choices is not None
    second = here.choices.ranking[1]
    own, do = os.getpid(), SpaceSearch.do

    def dies(self: SpaceSearch, job: Any) -> Any:
        is_second = isinstance(job, workers.LeafJob) and self.space.choice(job.place).labels == second
        if os.getpid() != own and (is_second or isinstance(job, workers.BoundJob)):
            os._exit(9)
        return do(self, job)

    monkeypatch.setattr(workers, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(SpaceSearch, "do", dies)
    there = tg.optimize(compiled, combinations=way, executor="processes", **asked(FEW, 30.0))
    assert there.choice == here.choice
    assert there.choices is not None
    rows = there.choices.to_pandas().set_index(["body", "sink"])
    lost = rows.loc[(second["body"], second["sink"]), "failed"]
    assert "ended without a result" in lost
    assert (rows.failed != "").sum() == 1
