"""Runs that continue from a snapshot are the run that was not interrupted."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as ro

RTOL = 1e-8
AGREE = 3e-6  # of the largest value: a run in pieces has other steps, whose errors of 1e-8 add up


class Cell(tg.Component):
    """Something hybrid between a signal and a signal."""

    u = tg.input()
    y = tg.output()


class Latch(Cell):
    """A when-statement whose condition continues holding."""

    level = tg.parameter(0.5)
    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=1.0, fixed=True)
    n = tg.integer("times slowed down")

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == 0.3 * self.u - 0.5 * self.x
        yield tg.when(self.x > self.level, tg.reinit(self.v, 0.5 * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)
        yield self.y == self.x


class Ticks(Cell):
    """A sampled filter."""

    period = tg.parameter(0.125, "s")
    first = tg.parameter(0.0, "s")
    n = tg.integer()
    held = tg.variable(discrete=True, start=0.2)

    def equations(self) -> Any:
        sampled = tg.sample(self.first, self.period)
        yield tg.when(sampled, self.n == tg.pre(self.n) + 1, self.held == 0.9 * tg.pre(self.held) - 0.1 * self.u)
        yield self.y == self.held


class Late(Cell):
    """A delay."""

    T = tg.parameter(0.3, "s")
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -2.0 * tg.delay(self.x, self.T) + 0.2 * self.u
        yield self.y == self.x


class Schmitt(Cell):
    """A comparator that remembers."""

    on = tg.boolean()
    n = tg.integer()
    x = tg.variable(start=0.3, fixed=True)

    def equations(self) -> Any:
        yield self.on == ((tg.pre(self.on) & (self.x > -0.1)) | (self.x > 0.1))
        yield tg.der(self.x) == tg.where(self.on, -1.0, 1.0) + 0.2 * self.u
        yield tg.when(tg.change(self.on), self.n == tg.pre(self.n) + 1)
        yield self.y == self.x


class Ball(Cell):
    """Impacts."""

    h = tg.variable("m", start=0.4, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    n = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -3.0 + 0.2 * self.u
        yield tg.when(self.h < 0.0, tg.reinit(self.v, -0.9 * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)
        yield self.y == self.h


class Loop(Cell):
    """An oscillator with an algebraic loop."""

    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    z = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -9.0 * self.x - 0.1 * self.z
        yield self.z + 0.1 * self.z**3 == self.v + self.u
        yield self.y == self.x


def chain(*cells: Cell) -> tg.System:
    """Cells one after the other."""
    system = tg.System("chain")
    system.add(source=blocks.Sine(f=0.7), **{f"c{k}": cell for k, cell in enumerate(cells)})
    outputs = [system.source.y, *(getattr(system, f"c{k}").y for k in range(len(cells)))]
    for k in range(len(cells)):
        system.connect(outputs[k], getattr(system, f"c{k}").u)
    return system


CHAINS = {
    "stepping": (Latch(), Ticks(), Loop()),
    "remembering": (Schmitt(), Ball(), Ticks(first=0.4, period=0.1)),
    "delaying": (Late(), Latch(level=0.3), Late(T=0.1)),
}


SOLVERS = ("rk45", "rodas", "cvode", "ida")
CASES = [(name, solver) for name in CHAINS for solver in SOLVERS]


@pytest.fixture(scope="module")
def hybrids() -> dict[str, Any]:
    return {name: tg.compile(chain(*cells)) for name, cells in CHAINS.items()}


def in_pieces(model: Any, instants: Any, solver: str) -> tg.Snapshot:
    """The end of a run that is interrupted."""
    now: Any = None
    for t in instants:
        now = model.simulate(float(t), solver=solver, rtol=RTOL, initial=now, points=50).at(float(t))
    return now


def from_the_middle(model: Any, instants: Any, solver: str) -> tg.Snapshot:
    """The same, where each run continues to the end, and the next one starts in its middle."""
    now: Any = None
    stop = float(instants[-1])
    for t in instants:
        now = model.simulate(stop, solver=solver, rtol=RTOL, initial=now, points=50).at(float(t))
    return now


@pytest.mark.parametrize(("name", "solver"), CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_interruptions_change_nothing(hybrids: dict[str, Any], name: str, solver: str, seed: int) -> None:
    """Interrupted at random times, in ticks and in events: counters are the same, values to the tolerance."""
    hybrid = hybrids[name]
    whole = hybrid.simulate(2.0, solver=solver, rtol=RTOL)
    rng = np.random.default_rng(seed)
    events = [event.time for event in whole.events if 0.0 < event.time < 2.0]
    some = [rng.choice(events), rng.choice([0.5, 1.0, 1.5]), *rng.uniform(0.0, 2.0, rng.integers(0, 3))]
    way = in_pieces if seed % 2 else from_the_middle
    end = way(hybrid, [*np.unique(some), 2.0], solver)
    for name in whole.names():
        size = max(np.abs(whole[name]).max(), 1e-3)
        is_count = name.endswith((".n", ".on"))
        assert abs(end[name] - whole[name][-1]) <= (0.0 if is_count else AGREE * size), name


# -- what the finding was ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("cell", "name"), [(Latch(), "n"), (Latch(), "x"), (Ticks(period=0.5), "n"), (Late(), "x")])
def test_nothing_acts_twice_and_nothing_is_forgotten(cell: Cell, name: str) -> None:
    """Each of them was another run: counters were one too high, delays began again."""
    model = tg.compile(chain(cell))
    whole = model.simulate(2.0)
    rest = model.simulate(2.0, start=1.0, initial=whole.at(1.0))
    assert rest.time[0] == 1.0
    assert rest[f"c0.{name}"][-1] == pytest.approx(whole[f"c0.{name}"][-1], rel=1e-6)


class Sampled(tg.Component):
    """A plant with a sampled controller and a stop; `quiet` ticks move nothing."""

    quiet = tg.parameter(False, structural=True)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    u = tg.variable(discrete=True, start=0.0)
    n = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -900.0 * self.x - 0.1 * self.v + (0.0 if self.quiet else self.u)
        yield tg.when(tg.sample(0.0, 0.125), self.u == -0.3 * self.x + 0.1 * tg.pre(self.u))
        yield tg.when(self.x < -0.9, tg.reinit(self.v, -0.5 * tg.pre(self.v)), self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("solver", ["rk45", "rodas"])
def test_one_step_methods_go_on_bit_by_bit(solver: str, quiet: bool) -> None:
    """Interrupted where the run has an event anyway, and where accuracy limits the steps."""
    model = tg.compile(Sampled(quiet=quiet))
    whole = model.simulate(2.0, solver=solver, rtol=1e-9)
    half = model.simulate(1.0, solver=solver, rtol=1e-9)
    rest = model.simulate(2.0, solver=solver, rtol=1e-9, initial=half.at(1.0))
    assert rest["x"][-1] == whole["x"][-1]
    assert rest["v"][-1] == whole["v"][-1]
    assert rest["n"][-1] == whole["n"][-1] > 0
    assert half.stats["steps"] + rest.stats["steps"] == whole.stats["steps"]


# -- what is kept -----------------------------------------------------------------------------------------------------
class Steady(tg.Component):
    """An initial equation that a run which continues must not apply."""

    x = tg.variable(start=5.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0 - self.x + tg.where(tg.time > 1.0, 1.0, 0.0)

    def initial_equations(self) -> Any:
        yield tg.der(self.x) == 0.0


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_initial_equations_hold_at_the_start_alone(solver: str) -> None:
    model = tg.compile(Steady())
    half = model.simulate(2.0, solver=solver)
    rest = model.simulate(3.0, solver=solver, initial=half.at(2.0))
    assert rest["x"][0] == half["x"][-1]
    assert rest["x"][-1] == pytest.approx(2.0 - np.exp(-2.0), abs=1e-5)


def test_noise_goes_on() -> None:
    model = tg.System("noisy")
    model.add(noise=blocks.NormalNoise(sample_period=0.1, seed=3), sum=blocks.Integrator())
    model.connect(model.noise.y, model.sum.u)
    compiled = tg.compile(model)
    whole = compiled.simulate(2.0)
    rest = compiled.simulate(2.0, initial=compiled.simulate(0.75).at(0.75))
    assert rest["noise.y"][-1] == whole["noise.y"][-1]
    assert rest["sum.y"][-1] == pytest.approx(whole["sum.y"][-1], rel=1e-9)


class Relay(tg.Component):
    """It chatters about zero, and an assertion does not hold from the beginning on."""

    x = tg.variable(start=0.105, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == tg.where(self.x > 0.0, -1.0, 1.0)
        yield tg.assert_(self.x < 0.1, "far out", warning=True)  # noqa: PT009


def test_hystereses_and_warnings_are_not_repeated() -> None:
    model = tg.compile(Relay())
    with pytest.warns(UserWarning, match="far out|hysteresis") as raised:
        half = model.simulate(1.0, chattering="regularize")
    assert len(raised) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        more = model.simulate(1.05, chattering="regularize", initial=half.at(1.0))
        rest = model.simulate(1.1, chattering="regularize", initial=more.at(1.05))
    with pytest.warns(UserWarning, match="hysteresis") as raised:
        again = model.simulate(1.1, chattering="regularize", initial=half.at(0.001))
    assert len(raised) == 1
    assert np.abs(rest["x"]).max() < 1e-3
    assert again.warnings


class LimitedSchmitt(tg.Component):
    """A comparator with feedback that gets stuck at its folds unless its kinks are events."""

    u = blocks.Sine(amplitude=5.0, f=10.0)
    y = tg.variable(start=15.0)

    def equations(self) -> Any:
        e = 1000.0 * (self.y / 16.0 + self.u.y * 15.0 / 16.0)
        yield self.y == tg.minimum(tg.maximum(15.0 * e, -15.0), 15.0)


def test_a_run_that_needed_its_kinks_as_events() -> None:
    model = tg.compile(LimitedSchmitt())
    whole = model.simulate(0.3)
    assert "as events" in whole.stats["solver_reason"]
    rest = model.simulate(0.3, initial=whole.at(0.11))
    assert rest["y"][-1] == pytest.approx(whole["y"][-1])
    turned, expected = (np.unique(np.round([event.time for event in run.events], 6)) for run in (rest, whole))
    np.testing.assert_array_equal(turned, expected[expected > 0.11])


def test_a_snapshot_can_be_kept(tmp_path: Path) -> None:
    model = tg.compile(chain(Late(), Ticks()))
    half = model.simulate(1.0)
    expected = model.simulate(2.0, initial=half.at(1.0))["c0.x"][-1]
    half.save(tmp_path / "half.tgs")
    for now in (pickle.loads(pickle.dumps(half.at(1.0))), tg.load(tmp_path / "half.tgs").at(1.0)):
        assert model.simulate(2.0, initial=now)["c0.x"][-1] == expected


# -- other parameters -------------------------------------------------------------------------------------------------
class Decay(tg.Component):
    """Smooth."""

    k = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.k * self.x


class Tank(tg.Component):
    """It empties, and an alarm counts."""

    k = tg.parameter(1.0)
    twice = tg.parameter(2.0 * k)
    limit = tg.parameter(0.5)
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable()
    n = tg.integer()

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.k * self.x
        yield self.y == self.twice * self.x
        yield tg.when(self.x < self.limit, self.n == tg.pre(self.n) + 1)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_parameters_change_at_the_instant_of_the_snapshot(solver: str) -> None:
    """States continue, everything else follows; a condition that becomes true acts, one that was true does not."""
    model = tg.compile(Tank())
    run: Any = {"solver": solver, "rtol": 1e-9}
    half = model.simulate(0.5, parameters={"k": 0.9}, **run)
    now = half.at(0.5)
    x = np.exp(-0.45)
    same = model.simulate(1.5, initial=now, **run)
    assert same["k"] == 0.9
    assert same["x"][-1] == pytest.approx(np.exp(-1.35), rel=1e-7)
    assert same["n"][-1] == 1
    faster = model.simulate(1.5, initial=now, parameters={"k": 2.0}, **run)
    assert faster["y"][0] == pytest.approx(4.0 * x, rel=1e-7)
    assert faster["x"][-1] == pytest.approx(x * np.exp(-2.0), rel=1e-7)
    alarmed = model.simulate(0.6, initial=now, parameters={"limit": 0.8}, **run)
    assert alarmed["n"][-1] == 1
    assert [event.time for event in alarmed.events] == [0.5]
    later = model.simulate(2.0, initial=model.simulate(1.0, **run).at(1.0), parameters={"k": 0.1}, **run)
    assert later["n"][-1] == 1


def test_at_a_root_other_parameters_do_not_repeat_it() -> None:
    model = tg.compile(chain(Ball(), Ticks()))
    whole = model.simulate(1.0, rtol=RTOL)
    impact = next(event.time for event in whole.events if any("c0" in what for what in event.what))
    rest = model.simulate(1.0, rtol=RTOL, initial=whole.at(impact), parameters={"c1.period": 0.0625})
    assert rest["c0.n"][-1] == whole["c0.n"][-1]
    assert rest["c0.h"][-1] == pytest.approx(whole["c0.h"][-1], rel=1e-6)
    assert rest["c1.n"][-1] - rest["c1.n"][0] == 1 + np.floor(1.0 / 0.0625) - np.ceil(impact / 0.0625)


def test_parameters_in_constraints_are_refused() -> None:
    """A gear that changes its ratio while it turns: which of the speeds stays is not determined."""
    model = tg.System("geared")
    model.add(a=ro.Inertia(J=1.0, w=tg.variable(start=2.0, fixed=True)), g=ro.IdealGear(ratio=2.0), b=ro.Inertia(J=1.0))
    model.connect(model.a.flange_b, model.g.flange_a)
    model.connect(model.g.flange_b, model.b.flange_a)
    compiled = tg.compile(model)
    now = compiled.simulate(1.0).at(1.0)
    assert compiled.simulate(2.0, initial=now, parameters={"a.J": 3.0})["b.w"][-1] == pytest.approx(1.0)
    with pytest.raises(tg.NumericError, match=r"E308.*constraint between states"):
        compiled.simulate(2.0, initial=now, parameters={"g.ratio": 4.0})


def test_parameters_beside_constraints_change() -> None:
    """Capacitors in a loop with a source discharge, then through half the resistance: rates jump, voltages do not."""
    model = tg.System("loop")
    model.add(v=el.ConstantVoltage(V=10.0), c1=el.Capacitor(C=1.0), c2=el.Capacitor(C=3.0), r=el.Resistor(R=10.0))
    model.add(g=el.Ground())
    model.connect(model.v.p, model.c1.p)
    model.connect(model.c1.n, model.c2.p, model.r.p)
    model.connect(model.v.n, model.c2.n, model.r.n, model.g.p)
    compiled = tg.compile(model)
    now = compiled.simulate(1.0, initial={"c2.v": 2.0}, rtol=1e-9).at(1.0)
    rest = compiled.simulate(2.0, initial=now, parameters={"r.R": 5.0}, rtol=1e-9)
    assert rest["c2.v"][0] == pytest.approx(now["c2.v"], rel=1e-12)
    assert rest["c2.v"][-1] == pytest.approx(2.0 * np.exp(-1.0 / 40.0 - 1.0 / 20.0), rel=1e-6)
    with pytest.raises(tg.NumericError, match="E308"):
        compiled.simulate(2.0, initial=now, parameters={"v.V": 12.0})


# -- what is refused --------------------------------------------------------------------------------------------------
def test_snapshots_of_other_models_and_times_are_refused() -> None:
    tank = Tank()
    now = tg.simulate(tank, 0.5).at(0.5)
    assert tg.simulate(Tank(), 1.0, initial=now)["x"][-1] == pytest.approx(np.exp(-1.0), rel=1e-5)
    with pytest.raises(tg.LanguageError, match=r"E185.*of model Tank"):
        tg.simulate(Relay(), 1.0, initial=now)
    with pytest.raises(tg.LanguageError, match=r"E185.*another version of Tank"):
        tg.simulate(Tank(k=3.0), 1.0, initial=now)
    with pytest.raises(tg.LanguageError, match=r"(?s)E185.*t = 0\.5 s.*dict\(snapshot\)"):
        tg.simulate(tank, 1.0, start=0.25, initial=now)
    fresh = tg.simulate(tank, 1.0, initial=dict(now))
    assert fresh.time[0] == 0.0
    assert fresh["x"][-1] == pytest.approx(np.exp(-1.5), rel=1e-5)


def test_derivatives_of_runs_that_go_on() -> None:
    """Values are all that counts in a smooth model; events would act again."""
    tank = Tank()
    now = tg.simulate(tank, 0.5).at(0.5)
    with pytest.raises(tg.DesignError, match=r"E602"):
        tg.sensitivity(tank, 1.0, wrt="k", initial=now)
    found = tg.sensitivity(Decay(), 1.0, wrt="k", initial=tg.simulate(Decay(), 0.5).at(0.5))
    assert found.time[0] == 0.5
    assert found["x", "k"][-1] == pytest.approx(-0.5 * np.exp(-1.0), rel=1e-4)


def test_a_study_of_runs_that_go_on() -> None:
    tank = tg.compile(Tank())
    now = tank.simulate(0.5).at(0.5)
    found = tg.study(tank, {"k": [1.0, 2.0]}, outputs={"x": tg.final("x")}, stop=1.0, initial=now, workers=1)
    np.testing.assert_allclose(found["x"], np.exp(-0.5) * np.exp([-0.5, -1.0]), rtol=1e-5)
    with pytest.raises(tg.DesignError, match=r"E602.*continues from a snapshot"):
        tg.study(tank, {"x": [1.0, 2.0]}, outputs={"x": tg.final("x")}, stop=1.0, initial=now, workers=1)
