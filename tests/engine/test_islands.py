"""Runs by islands: independent parts whose events come one at a time are run by themselves, and nobody can tell."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.diagnostics.progress import Watch
from tellegen.engine.native.flags import Flag
from tellegen.engine.results.interrupted import SimulationInterrupted
from tellegen.engine.runs import partitioned_run as by_islands
from tellegen.engine.runs import partitioned_solution as joined
from tellegen.engine.runs import run
from tellegen.engine.runs.partitioned_solution import JoinedSolution
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.variation.islands import cut, islands

G, E = 9.81, 0.8


class Ball(tg.Component):
    """Bounces."""

    height = tg.parameter(1.0, "m")
    h = tg.variable("m", start=height, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    bounces = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -G
        yield tg.when(self.h < 0, tg.reinit(self.v, -E * tg.pre(self.v)), self.bounces == tg.pre(self.bounces) + 1)


class Controller(tg.Component):
    """A plant and a sampled controller."""

    offset = tg.parameter(0.0, "s")
    gain = tg.parameter(1.0)
    x = tg.variable(start=0.0, fixed=True)
    u = tg.variable(discrete=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.u - self.x
        yield tg.when(tg.sample(self.offset, 0.1), self.u == self.gain * (1 - self.x))


class Rectifier(tg.Component):
    """An ideal diode, with states, an algebraic loop and alias variables."""

    f = tg.parameter(50.0, "Hz")
    source = el.SineVoltage(V=10.0, f=f)
    diode, r = el.IdealDiode(), el.Resistor(R=10.0)
    c = el.Capacitor(C=1e-4, v=tg.variable(start=0.0, fixed=True))
    g = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.diode.p
        yield self.diode.n, self.r.p, self.c.p
        yield self.source.n, self.r.n, self.c.n, self.g.p


class Brake(tg.Component):
    """Two inertias on one shaft (index reduction), slowed down by a brake until they stick."""

    w0 = tg.parameter(10.0, "rad/s")
    a, b = rot.Inertia(J=0.1, w=tg.variable(start=w0, fixed=True)), rot.Inertia(J=0.3)
    friction = rot.BearingFriction(tau_Coulomb=2.0)

    def connections(self) -> Any:
        yield self.a.flange_b, self.b.flange_a
        yield self.b.flange_b, self.friction.flange_a


def many(cls: type[tg.Component], **columns: Any) -> tg.System:
    system = tg.System("many")
    system.parts = cls.array(len(next(iter(columns.values()))))
    for name, values in columns.items():
        setattr(system.parts, name, values)
    return system


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Simulates all parts together, whatever happens."""

    def simulate(model: Any, stop: float, **options: Any) -> Any:
        with monkeypatch.context() as patched:
            patched.setattr(run, "lookout", lambda *_: None)
            return tg.compile(model).simulate(stop, **options)

    return simulate


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Islands are used for models of any size, after the second event."""
    for name, value in {"_FIRST_LOOK": 2, "_SMALLEST": 0.0, "_FEWEST_ISLANDS": 2, "_WORTH": 1e9}.items():
        monkeypatch.setattr(by_islands, name, value)


def bounce_times(height: float, stop: float) -> list[float]:
    t, step, found = np.sqrt(2.0 * height / G), 2.0 * E * np.sqrt(2.0 * height / G), []
    while t < stop:
        found.append(t)
        t, step = t + step, E * step
    return found


# -- finding and cutting ----------------------------------------------------------------------------------------------
def test_islands_are_sorted_by_shape() -> None:
    system = tg.System("mixed")
    system.balls = Ball.array(5)
    system.circuit = Rectifier()
    system.more = Ball()
    system.controllers = Controller.array(2)
    flat = tg.flatten(system)
    found = islands(flat)
    assert found is not None
    label, shapes = found
    assert sorted(shape.count for shape in shapes) == [1, 2, 6]
    assert sum(shape.variables.size for shape in shapes) == flat.variables.count
    names = list(flat.variables.names())
    of_circuit = {label[k] for k, name in enumerate(names) if name.startswith("circuit")}
    assert len(of_circuit) == 1
    balls = next(shape for shape in shapes if shape.count == 6)
    assert [names[k] for k in balls.variables[5]] == ["more.h", "more.v", "more.bounces"]
    part = cut(flat, balls, np.array([3, 5]))
    assert list(part.variables.names()) == [
        *(f"balls[3].{name}" for name in ("h", "v", "bounces")),
        *(f"more.{name}" for name in ("h", "v", "bounces")),
    ]


def test_parts_that_share_a_variable_are_one_island() -> None:
    class Driven(tg.Component):
        u = tg.input()
        y = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.y) == self.u - self.y

    system = tg.System("driven")
    system.source, system.parts = blocks.Step(), Driven.array(3)
    for part in system.parts:
        system.connect(system.source.y, part.u)
    found = islands(tg.flatten(system))
    assert found is not None
    assert len(found[1]) == 1
    assert found[1][0].count == 1


def test_a_parameter_read_by_all_joins_nothing() -> None:
    class Family(tg.Component):
        K = tg.parameter(2.0)
        parts = Controller.array(4, gain=K)

    found = islands(tg.flatten(Family()))
    assert found is not None
    assert found[1][0].count == 4


# -- the same results -------------------------------------------------------------------------------------------------
def test_a_thousand_controllers_one_at_a_time(at_once: Any) -> None:
    """The default thresholds: 1000 states, an event for one of them at a time."""
    model = many(Controller, offset=np.arange(1000) * 1e-4)
    solution, together = tg.simulate(model, stop=0.35, points=8), at_once(model, 0.35, points=8)
    assert isinstance(solution, JoinedSolution)
    assert not isinstance(together, JoinedSolution)
    assert "independent subsystems" in solution.stats["solver_reason"]
    assert solution.stats["events"] == together.stats["events"] == 3500  # that at t = 0 belongs to the start
    for name in ("parts[0].x", "parts[17].u", "parts[500].x", "parts[999].u"):
        a, b = (np.interp([0.049, 0.1234567, 0.2003], s.time, s[name]) for s in (solution, together))
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.unique(solution.time), np.unique(together.time), atol=1e-15)
    assert [event.what for event in solution.events] == [event.what for event in together.events]


def test_bounces_are_where_they_should_be() -> None:
    """Against the analytic bounces, to 1e-9 (rtol 1e-10), both sides of each jump."""
    heights = np.linspace(0.3, 1.0, 400)
    solution = tg.simulate(many(Ball, height=heights), stop=0.9, rtol=1e-10, points=5)
    assert isinstance(solution, JoinedSolution)
    expected = [(t, k) for k, height in enumerate(heights) for t in bounce_times(height, 0.9)]
    found = [(e.time, text) for e in solution.events for text in e.what if "reinit" in text]
    assert len(found) == len(expected)
    np.testing.assert_allclose(sorted(t for t, _ in found), sorted(t for t, _ in expected), atol=1e-9)
    first = bounce_times(heights[7], 0.9)[0]
    rows = np.flatnonzero(np.abs(solution.time - first) < 1e-9)
    v = solution["parts[7].v"][rows]
    np.testing.assert_allclose([v.min(), v.max()], [-G * first, E * G * first], rtol=1e-8)
    count = solution["parts[7].bounces"]
    assert count[0] == 0
    assert count[-1] == len(bounce_times(heights[7], 0.9))
    for name, k in (("parts[7].h", 7), ("parts[399].h", 399)):  # free fall at the instants of all others
        falls = solution.time < bounce_times(heights[k], 0.9)[0] - 1e-6
        np.testing.assert_allclose(solution[name][falls], heights[k] - G / 2 * solution.time[falls] ** 2, atol=1e-9)


def test_sources_that_act_together_are_run_together() -> None:
    assert not isinstance(tg.simulate(many(Controller, gain=np.ones(1000)), stop=10.0, points=3), JoinedSolution)


CASES = {
    "balls": (lambda: many(Ball, height=[0.5, 0.7, 1.0]), 1.0),
    "controllers": (lambda: many(Controller, offset=[0.0, 0.03, 0.05]), 0.5),
    "rectifiers": (lambda: many(Rectifier, f=[50.0, 60.0, 70.0]), 0.04),
    "brakes": (lambda: many(Brake, w0=[5.0, 7.0, 10.0]), 3.0),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("always")
def test_the_same_as_at_once(name: str, at_once: Any) -> None:
    """Every variable at 40 instants, its derivative too; values and flags of the whole model at them.

    The current of an ideal diode is a difference of voltages of the tolerance over 1e-5 ohm: three digits of it.
    """
    make, stop = CASES[name]
    times = np.linspace(0.0, stop, 42)[1:-1] + 1e-5 * stop
    solution = tg.simulate(make(), stop=stop, rtol=1e-8, points=11)
    together = at_once(make(), stop, rtol=1e-8, points=times)
    assert isinstance(solution, JoinedSolution)
    few, all_ = solution.at(times), together.at(times)
    for path in solution.names():
        size = np.abs(together[path]).max()
        np.testing.assert_allclose(few[path], all_[path], atol=4e-3 * size + 1e-9, err_msg=path)
    for path in solution.states():
        size = np.abs(all_[f"der({path})"]).max()
        np.testing.assert_allclose(few[f"der({path})"], all_[f"der({path})"], atol=4e-3 * size, err_msg=path)
    for t in times[::7]:
        one, other = solution.at(float(t)), together.at(float(t))
        np.testing.assert_allclose(one._p, other._p, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(one.unknowns, other.unknowns, rtol=2e-3, atol=4e-3)
    assert {text for event in solution.events for text in event.what} == {
        text for event in together.events for text in event.what
    }


@pytest.mark.usefixtures("always")
def test_numbers_given_for_a_run_reach_the_parts(at_once: Any) -> None:
    model = many(Ball, height=[0.5, 0.7, 1.0])
    given: dict[str, Any] = {"parameters": {"parts[1].height": 0.9}, "initial": {"parts[2].v": -1.0}}
    solution, together = tg.simulate(model, stop=1.0, **given), at_once(model, 1.0, **given)
    assert isinstance(solution, JoinedSolution)
    assert solution["parts[1].height"] == 0.9
    for name in ("parts[0].h", "parts[1].h", "parts[2].v"):
        assert solution[name][0] == together[name][0]
        assert solution[name][-1] == pytest.approx(together[name][-1], rel=1e-5, abs=1e-6)


@pytest.mark.usefixtures("always")
def test_a_run_goes_on_from_a_snapshot_of_another(at_once: Any) -> None:
    model = tg.compile(many(Ball, height=[0.5, 0.7, 1.0]))
    half = model.simulate(0.5)
    assert isinstance(half, JoinedSolution)
    rest = model.simulate(1.0, start=0.5, initial=half.at(0.5))
    assert rest["parts[2].h"][-1] == pytest.approx(at_once(model, 1.0)["parts[2].h"][-1], abs=1e-5)


# -- runs that end early ----------------------------------------------------------------------------------------------
class Watched(Ball):
    """A ball that may end the run."""

    limit = tg.parameter(0.0)
    harm = tg.parameter("none", structural=True)

    def equations(self) -> Any:
        yield tg.assert_(self.h > -0.1, "it fell through the floor", warning=True)  # noqa: PT009
        if self.harm == "terminate":
            yield tg.when(self.bounces > self.limit + 0.5, tg.terminate("bounced often enough"))
        if self.harm == "assert":
            yield tg.assert_(self.v < self.limit, "too fast")  # noqa: PT009
        if self.harm == "zeno":
            yield tg.assert_(self.limit < 1, "no limit")  # noqa: PT009


def _limited(harm: str) -> tg.System:
    system = tg.System("limited")
    system.parts = Watched.array(6, harm=harm, height=np.linspace(0.5, 1.0, 6))
    system.parts.limit = [9.0, 9.0, 9.0, 9.0, 1.0 if harm == "terminate" else 0.5, 9.0]
    return system


@pytest.mark.usefixtures("always")
def test_one_part_terminates_for_all() -> None:
    solution = tg.simulate(_limited("terminate"), stop=2.0)
    assert isinstance(solution, JoinedSolution)
    end = bounce_times(0.9, 2.0)[1]
    assert solution.outcome.ok
    assert "often enough" in solution.outcome.message
    assert solution.time[-1] == pytest.approx(end, abs=1e-6)
    assert max(event.time for event in solution.events) <= solution.time[-1]
    assert solution["parts[0].h"].shape == solution.time.shape


@pytest.mark.usefixtures("always")
def test_a_broken_assertion_names_its_part() -> None:
    with pytest.raises(tg.NumericError) as caught:
        tg.simulate(_limited("assert"), stop=2.0)
    text = str(caught.value)
    assert "too fast" in text
    assert "parts[4]" in text
    assert "parts[0]" not in text
    solution = caught.value.solution
    assert solution.time[-1] == pytest.approx(bounce_times(0.9, 2.0)[0], abs=1e-6)


@pytest.mark.usefixtures("always")
def test_zeno_names_its_part(at_once: Any) -> None:
    """The lowest ball comes to rest first; the others have not yet."""
    model = many(Ball, height=[0.5, 0.01, 1.0, 0.8])
    solution = tg.simulate(model, stop=1.0, throw=False)
    together = at_once(model, 1.0, throw=False)
    assert isinstance(solution, JoinedSolution)
    assert solution.outcome.code == together.outcome.code == "chattering"
    assert solution.outcome.time == pytest.approx(together.outcome.time, rel=1e-3)
    assert "parts[1]" in "\n".join(solution.outcome.details)
    assert solution["parts[2].h"][-1] == pytest.approx(together["parts[2].h"][-1], abs=1e-3)


@pytest.mark.usefixtures("always")
def test_regions_are_told_of_all_parts_but_not_without_end() -> None:
    class Low(Ball):
        def equations(self) -> Any:
            yield tg.assert_(self.v > -2.0, "falls fast", warning=True)  # noqa: PT009

    model = many(Low, height=np.linspace(0.5, 1.0, 40))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        solution = tg.simulate(model, stop=0.4)
    assert isinstance(solution, JoinedSolution)
    assert len({entry.component for entry in solution.warnings}) == 40
    assert len(told) == 6
    assert "more: see solution.warnings" in str(told[-1].message)


@pytest.mark.usefixtures("always")
def test_ctrl_c_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Watch.seen

    def pressed(self: Watch, *arguments: Any) -> int:
        return Flag.INTERRUPTED if self.words.startswith("subsystem") else seen(self, *arguments)

    monkeypatch.setattr(Watch, "seen", pressed)
    with pytest.raises(SimulationInterrupted) as caught:
        tg.simulate(many(Ball, height=np.linspace(0.5, 1.0, 60)), stop=0.9)
    solution = caught.value.solution
    assert solution.outcome.code == "interrupted"
    assert solution["parts[59].h"][0] == pytest.approx(1.0)


# -- the solution -----------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("always")
def test_a_joined_solution_is_a_solution(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = tg.simulate(many(Ball, height=[0.5, 0.7, 1.0]), stop=1.0, points=6)
    assert isinstance(solution, JoinedSolution)
    table = solution.to_pandas()
    assert table.shape[0] == len(solution.time)
    assert np.isfinite(table.to_numpy(float)).all()
    assert solution.to_xarray("parts.h")["parts.h"].shape == (len(solution.time), 3)
    assert np.asarray(solution.unknowns).shape == solution.unknowns.shape
    np.testing.assert_array_equal(solution.unknowns[-1], np.asarray(solution.unknowns)[-1])
    np.testing.assert_array_equal(np.asarray(solution.unknowns[2:5]), np.asarray(solution.unknowns)[2:5])
    solution.plot("parts[0].h", "parts[2].h", events=True)
    again = pickle.loads(pickle.dumps(solution))
    np.testing.assert_array_equal(again["parts[1].h"], solution["parts[1].h"])
    monkeypatch.setattr(joined, "_MOST_BYTES", 100.0)
    with pytest.raises(tg.NumericError) as caught:
        _ = solution["parts.h"]
    assert caught.value.code == "E322"
    assert "solution.at(times)" in str(caught.value)


def test_a_hundred_thousand_rows_are_not_kept() -> None:
    """What is kept of a run grows with its events, not with events times unknowns."""
    solution = tg.simulate(many(Controller, offset=np.arange(2000) * 5e-5), stop=1.0, points=3)
    assert isinstance(solution, JoinedSolution)
    assert len(solution.time) > 40_000
    kept = sum(piece.solution.unknowns.nbytes for piece in solution.unknowns.line.pieces)  # type: ignore[attr-defined]
    assert kept < 0.02 * 8 * len(solution.time) * 2000
