"""ODE mode against DAE mode, native code against the NumPy reference, and how a solver is chosen."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from codegen.test_program import compiled
from engine.test_models import RC, Drive, Resonator, Rods, ladder
from structure.handmade import HandMade
from tellegen.codegen import ode
from tellegen.codegen.python_ode import Reference
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.ode import Compute, Solve
from tellegen.ir.sorted import Blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.stages import reduce_model
from tellegen.structure.passes import sort


def grid(n: int) -> tg.System:
    """n by n nodes joined by resistors, a source at one corner and a capacitor at the other."""
    s = tg.System("grid")
    s.add(source=el.ConstantVoltage(V=1.0), ground=el.Ground(), c=el.Capacitor(C=1.0))
    s.connect(s.source.n, s.c.n, s.ground.p)
    pins: dict[tuple[int, int], list[Any]] = {}
    for i in range(n):
        for j in range(n):
            for name, other in (("h", (i, j + 1)), ("v", (i + 1, j))):
                if max(other) < n:
                    r = el.Resistor(R=1.0 + 0.1 * i)
                    s.add(**{f"r{name}{i}_{j}": r})
                    pins.setdefault((i, j), []).append(r.p)
                    pins.setdefault(other, []).append(r.n)
    pins[0, 0].append(s.source.p)
    pins[n - 1, n - 1].append(s.c.p)
    for joined in pins.values():
        s.connect(*joined)
    return s


class Diode(el.OnePort):
    """Shockley's equation, continued linearly beyond 0.8 V."""

    def equations(self):
        u = self.v / 0.026
        yield self.i == 1e-12 * (tg.exp(tg.where(u < 30.0, u, 30.0)) * (1.0 + tg.maximum(u - 30.0, 0.0)) - 1.0)


class Rectifier(tg.Component):
    """A nonlinear algebraic loop: source, resistor and diode in series before the capacitor."""

    source = el.SineVoltage(V=5.0, f=50.0)
    r = el.Resistor(R=10.0)
    d = Diode()
    c = el.Capacitor(C=1e-3)
    load = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.d.p
        yield self.d.n, self.c.p, self.load.p
        yield self.source.n, self.c.n, self.load.n, self.ground.p


class Shafts(tg.Component):
    """Two inertias on a rigid shaft: one state after index reduction."""

    a = rot.Inertia(J=1.0)
    b = rot.Inertia(J=3.0)
    spring = rot.Spring(c=2.0)
    drive = rot.ConstantTorque(tau_constant=1.5)
    wall = rot.Fixed()

    def connections(self):
        yield self.a.flange_b, self.b.flange_a
        yield self.b.flange_b, self.spring.flange_a
        yield self.spring.flange_b, self.wall.flange
        yield self.drive.flange, self.a.flange_a


class Pendulum(tg.Component):
    """In Cartesian coordinates, index 3; swings by a small angle, so that one choice of states will do."""

    x = tg.variable("m", start=0.1, state="always")
    y = tg.variable("m", start=-1.0, state="never")
    vx = tg.variable("m/s", start=0.0)
    vy = tg.variable("m/s")
    f = tg.variable("1/s2")

    def equations(self):
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.vx) == -self.f * self.x
        yield tg.der(self.vy) == -self.f * self.y - 9.81
        yield self.x * self.x + self.y * self.y == 1.01


MODELS: dict[str, tuple[Any, float]] = {
    "rc": (RC(), 5e-3),
    "late step": (RC(source=el.StepVoltage(V=10.0, start_time=1e-3)), 5e-3),
    "motor": (Drive(), 1.0),
    "resonator": (Resonator(), 5e-4),
    "rods": (Rods(), 1.0),
    "ladder": (ladder(40), 1.0),
    "three nodes": (grid(2), 3.0),
    "small grid": (grid(4), 5.0),
    "large grid": (grid(30), 5.0),
    "rectifier": (Rectifier(), 0.04),
    "shafts": (Shafts(), 1.0),
    "pendulum": (Pendulum(), 2.0),
}


ADDING_UP = {"resonator": 10.0, "pendulum": 2.0}
"""Oscillators keep the errors of all steps of both solvers."""


@pytest.mark.parametrize("name", [name for name in MODELS if name != "rectifier"])  # its events are left to IDA
def test_ode_mode_agrees_with_dae_mode(name: str) -> None:
    model, stop = MODELS[name]
    c = compile_model(model)
    rtol = 1e-8
    dae = c.simulate(stop, solver="ida", rtol=rtol, points=41)
    for solver in ("cvode", "rk45"):
        ode = c.simulate(stop, solver=solver, rtol=rtol, points=41)
        assert ode.stats["solver"] == solver
        scale = np.abs(dae.unknowns).max(axis=0) + 1e-3 * np.abs(dae.unknowns).max()
        difference = (np.abs(ode.unknowns - dae.unknowns) / scale).max()
        assert difference < 10.0 * rtol * ADDING_UP.get(name, 1.0), solver


@pytest.mark.parametrize("name", [name for name in MODELS if name != "large grid"])
def test_native_steps_agree_with_the_reference(name: str) -> None:
    check_against_reference(compile_model(MODELS[name][0]))


def check_against_reference(c: CompiledModel) -> None:
    program, p = c.ode.program, parameter_vector(c, None)
    n = program.size
    first = c.simulate(1e-6, points=2, solver="ida").unknowns[0]
    x = first[program.states]
    w = np.concatenate([first, np.zeros(n)])
    system = OdeSystem(c)
    system.reset(p, np.ones(n))
    system.w[:] = w
    assert system.rhs(0.3, x)
    rates = Reference(program).rhs(0.3, x, w, p)
    np.testing.assert_allclose(system.rates[: len(x)], rates, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(system.w, w, rtol=1e-11, atol=1e-11)
    residual = c.residual(0.3, system.y, system.yp, p)
    size = np.abs(system.w).max()
    np.testing.assert_allclose(residual, 0.0, atol=1e-9 * max(size, 1.0))


def blocks_of(model: Any) -> Blocks:
    ordered = sort(reduce_model(model))
    return ordered.blocks


def test_block_counts() -> None:
    for name, count in (("rc", 4), ("motor", 6)):
        blocks = blocks_of(MODELS[name][0])
        assert len(blocks.level) == count
        assert (blocks.size == 1).all()
    loop = blocks_of(MODELS["small grid"][0])
    assert (loop.size > 1).sum() == 1
    assert loop.constant[loop.size > 1].all()
    assert loop.tears.max() < loop.size.max() / 3
    large = compile_model(MODELS["large grid"][0]).ode
    step = next(step for step in large.program.steps if isinstance(step, Solve))
    assert step.pattern is not None
    assert step.pattern.shape[0] > 4000
    rectifier = blocks_of(Rectifier())
    assert rectifier.tears[rectifier.size > 1].tolist() == [1]


def test_small_models_are_one_piece_of_code() -> None:
    for model in (RC(), Drive(), Resonator()):
        assert [type(step) for step in compile_model(model).ode.program.steps] == [Compute]


def test_many_equal_loops_share_their_code() -> None:
    def loops(n: int) -> CompiledModel:
        b = HandMade()
        b.variable(*(f"{v}{k}" for k in range(n) for v in "xyz"))
        names: dict[str, Any] = {v: [f"{v}{k}" for k in range(n)] for v in "xyz"}
        b.group("der(x) == -z", x=names["x"], z=names["z"])
        b.group("z*z*z + y == x + 2.0", x=names["x"], y=names["y"], z=names["z"])
        b.group("y*y + y == z + 1.0", y=names["y"], z=names["z"])
        return compiled(b.flat())

    few, many = loops(10), loops(400)
    texts = [sum(len(m.text) for m in c.recompiler.ode_mode(c.reduced).native.modules) for c in (few, many)]  # type: ignore[union-attr]
    assert texts[1] == pytest.approx(texts[0], rel=0.02)
    s = many.simulate(1.0, solver="cvode", points=5, initial={f"x{k}": 0.01 * k for k in range(400)})
    x, y, z = (np.stack([s[f"{v}{k}"] for k in range(400)]) for v in "xyz")
    np.testing.assert_allclose(z**3 + y, x + 2.0, atol=1e-9)
    np.testing.assert_allclose(y * y + y, z + 1.0, atol=1e-9)


def test_long_sums_in_and_outside_of_loops() -> None:
    n = 40
    b = HandMade()
    b.variable("x", "total", "v", *(f"i{k}" for k in range(n)))
    b.parameter("R", 2.0)
    b.group("v == R*i", v=["v"] * n, R=["R"] * n, i=[f"i{k}" for k in range(n)])
    b.sum("total", *(f"-i{k}" for k in range(n)))
    b.equation("v == x - 0.1*total")
    b.equation("der(x) == -total")
    c = compiled(b.flat())
    s = c.simulate(0.1, solver="cvode", initial={"x": 1.0})
    conductance = n / 2.0 / (1.0 + 0.1 * n / 2.0)
    np.testing.assert_allclose(s["x"], np.exp(-conductance * s.time), rtol=1e-5)
    np.testing.assert_allclose(s["total"], conductance * s["x"], rtol=1e-12)


def oscillator() -> CompiledModel:
    b = HandMade()
    b.variable("x", start=1.0)
    b.variable("v")
    b.equation("der(x) == v")
    b.equation("der(v) == -x")
    return compiled(b.flat())


def test_order_of_runge_kutta() -> None:
    """Five digits of tolerance change the number of steps by about ten: the error per unit step is of order five."""
    c = oscillator()
    results = []
    for rtol in (1e-6, 1e-11):
        s = c.simulate(20.0, solver="rk45", rtol=rtol, atol=rtol, points=400)
        results.append((s.stats["steps"], np.abs(s["x"] - np.cos(s.time)).max()))
    (few, large), (many, small) = results
    order = np.log(large / small) / np.log(many / few)
    assert 4.5 < order < 6.0
    assert small < 2e-9


def test_dense_output_between_steps_is_as_good_as_the_steps() -> None:
    s = oscillator().simulate(20.0, solver="rk45", rtol=1e-8, points=5000)
    assert s.stats["steps"] < 400
    np.testing.assert_allclose(s["x"], np.cos(s.time), atol=1e-6)


def test_stiff_models_are_told() -> None:
    b = HandMade()
    b.variable("x", start=0.5)
    b.equation("der(x) == -20000.0*(x - cos(time))")
    c = compiled(b.flat())
    with pytest.warns(UserWarning, match="looks stiff"):
        s = c.simulate(1.0, solver="rk45")
    assert s.stats["stiff"]
    assert c.simulate(1.0).stats["steps"] < s.stats["steps"] / 2
    assert "stiff" not in oscillator().simulate(10.0, solver="rk45").stats


def test_van_der_pol() -> None:
    b = HandMade()
    b.variable("x", start=2.0)
    b.variable("v")
    b.equation("der(x) == v")
    b.equation("der(v) == 1000.0*(1.0 - x*x)*v - x")
    c = compiled(b.flat())
    s = c.simulate(2000.0, rtol=1e-8)
    assert s.stats["solver"] == "cvode"
    assert s["x"][-1] == pytest.approx(1.706167732170469, rel=1e-5)  # Hairer and Wanner's reference, scaled in time


def blow_up() -> Any:
    b = HandMade()
    b.variable("x", start=1.0)
    b.equation("der(x) == x*x")
    return compiled(b.flat())


def test_auto_goes_on_with_cvode_where_explicit_steps_are_many() -> None:
    b = HandMade()
    b.variable("x", start=0.0)
    b.variable("z", start=1.0)
    b.parameter("rate", 200.0)
    b.equation("der(z) == -0.5*z")
    b.equation("der(x) == -rate*(x - z)")
    c = compiled(b.flat())
    few, many = c.simulate(1.0), c.simulate(1.0, parameters={"rate": 1e6})
    assert few.stats["solver"] == "rk45"
    assert "stiff" not in few.stats
    assert many.stats["solver"] == "cvode"
    assert 30 < many.stats["steps"] < 1000
    for s in (few, many):
        assert s["z"] == pytest.approx(np.exp(-0.5 * s.time), rel=1e-5)
    assert many["x"][1:] == pytest.approx(many["z"][1:], rel=1e-5)


def test_failures_are_told_as_cvode_tells_them() -> None:
    c = blow_up()
    first, alone = (c.simulate(2.0, solver=solver, throw=False) for solver in ("auto", "cvode"))
    assert alone.outcome.advice.startswith(first.outcome.advice)  # and that solver="auto" tries several
    assert first.outcome == replace(alone.outcome, advice=first.outcome.advice)
    assert first["x"] == pytest.approx(alone["x"], rel=0, abs=0)


class Wide(tg.Component):
    """Few states, many unknowns that are formulas of these."""

    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    z = tg.variable(shape=150)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -self.z[149]
        yield self.z[0] == tg.sin(self.x)
        for k in range(1, 150):
            yield self.z[k] == tg.sin(self.z[k - 1])


def test_auto_says_why() -> None:
    small = compile_model(Drive()).simulate(0.1)
    assert small.stats["solver"] == "rk45"
    assert "3 states" in small.stats["solver_reason"]
    large = compile_model(MODELS["large grid"][0]).simulate(0.1, points=2)
    assert large.stats["solver"] == "ida"
    assert "algebraic loop of" in large.stats["solver_reason"]
    wide = compile_model(Wide()).simulate(0.1, points=2)
    assert wide.stats["solver"] == "rk45"
    assert "152 unknowns computed from 2 states" in wide.stats["solver_reason"]
    moving = compile_model(Pendulum()).simulate(0.1, points=2)
    assert "reselected" in moving.stats["solver_reason"]


def test_a_long_chain_is_one_loop_in_ode_mode() -> None:
    n = 5000
    b = HandMade()
    b.variable("x", *(f"z{k}" for k in range(n)))
    b.equation("der(x) == -x")
    b.equation("z0 == sin(x)")
    b.group("z == 0.5*sin(u) + 1.0", z=[f"z{k}" for k in range(1, n)], u=[f"z{k}" for k in range(n - 1)])
    c = compiled(b.flat())
    (rolled,) = [loop for entry in c.ode.program.entries.values() for loop in entry.loops if loop.recurrent]
    assert rolled.rows >= n - 2
    z = 1.0
    for _ in range(n):
        z = 0.5 * np.sin(z) + 1.0
    assert c.simulate(0.1, points=2, solver="rk45")[f"z{n - 1}"][-1] == pytest.approx(z, rel=1e-12)


def test_long_chains_of_different_equations_are_not_for_ode_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ode, "MOST_CODE", 20)
    b = HandMade()
    b.variable("x", *(f"z{k}" for k in range(30)))
    b.equation("der(x) == -x")
    b.equation("z0 == sin(x)")
    for k in range(1, 30):
        b.equation(f"z{k} == 0.5*sin(z{k - 1}) + {k}.0")
    c = compiled(b.flat())
    assert c.simulate(0.1, points=2).stats["solver"] == "ida"
    with pytest.raises(NumericError, match=r"E311.*pieces of code"):
        c.simulate(0.1, solver="cvode")


def test_unknown_solver_and_no_states() -> None:
    with pytest.raises(LanguageError, match="E183"):
        oscillator().simulate(1.0, solver="cvod")
    b = HandMade()
    b.variable("y")
    b.equation("y + sin(y) == sin(time)")
    with pytest.raises(NumericError, match="no states"):
        compiled(b.flat()).simulate(1.0, solver="cvode")


def test_formulas_of_time_are_computed_at_output_points_alone() -> None:
    b = HandMade()
    b.variable("y")
    b.variable("z")
    b.equation("y == sin(300*time)")
    b.equation("z == y*y + time")
    c = compiled(b.flat())
    found = c.simulate(1.0, points=11)
    assert found.stats["solver"] == "rk45"
    assert found["z"] == pytest.approx(np.sin(300.0 * found.time) ** 2 + found.time, rel=1e-14)
    with pytest.raises(NumericError, match="no states"):
        c.simulate(1.0, solver="cvode")


def test_failures_name_the_loop() -> None:
    b = HandMade()
    b.variable("x")
    b.variable("z", start=1.0)
    b.equation("der(x) == 1.0")
    b.equation("z*z == 1.0 - x")
    s = compiled(b.flat()).simulate(2.0, solver="cvode", throw=False)
    assert s.outcome.time == pytest.approx(1.0, abs=1e-3)
    assert any("z*z" in line for line in s.outcome.details)
    early = s.time < 0.99
    np.testing.assert_allclose(s["z"][early], np.sqrt(1.0 - s.time[early]), rtol=1e-5)


def test_runs_in_threads_and_pickles() -> None:
    c = compile_model(Rectifier())
    expected = c.simulate(0.02)["c.v"]
    with ThreadPoolExecutor(2) as pool:
        for s in pool.map(lambda _: c.simulate(0.02)["c.v"], range(8)):
            np.testing.assert_array_equal(s, expected)
    again = pickle.loads(pickle.dumps(c))
    np.testing.assert_array_equal(again.simulate(0.02)["c.v"], expected)
