"""Sensitivities: against closed-form solutions, against difference quotients, and across events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


def fixed(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


class Decay(tg.Component):
    """x' = -k x: x = x0 exp(-k t), dx/dk = -t x, dx/dx0 = exp(-k t)."""

    k = tg.parameter(2.0, "1/s")
    x = tg.variable(start=3.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.k * self.x


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_closed_solution(solver: str) -> None:
    found = tg.sensitivity(Decay(), 1.0, wrt=["k", "x"], rtol=1e-8, solver=solver)
    x = 3.0 * np.exp(-2.0 * found.time)
    assert np.abs(found["x", "k"] + found.time * x).max() < 1e-6
    assert np.abs(found["x", "x"] - x / 3.0).max() < 1e-6
    assert found["x"].shape == (len(found.time), 2)


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_what_limits_the_steps_of_a_run_with_sensitivities(solver: str) -> None:
    """Derivatives are named by what changes and what is varied, and stand where the variable is declared."""
    found = tg.sensitivity(Decay(), 5.0, wrt=["k", "x"], rtol=1e-9, solver=solver)
    explanation = found.explain()
    names = {each.limiter.name: each.limiter for each in explanation.counts}
    assert not any("tangent" in name for name in names)
    assert {"d(x)/d(k)", "d(x)/d(x)"} & names.keys()
    location = (names.get("d(x)/d(k)") or names["d(x)/d(x)"]).location
    assert location is not None
    assert location.file.endswith("test_sensitivity.py")
    assert sum(each.steps for each in explanation.counts) == explanation.steps


class Growing(tg.Component):
    """Infinite at t = 1."""

    p = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.p * self.x**2


def test_errors_name_derivatives() -> None:
    with pytest.raises(tg.NumericError, match=r"d\(x\)/d\(p\) = ") as raised:
        tg.sensitivity(Growing(), 2.0, wrt="p")
    assert "tangent" not in str(raised.value)


def test_units_and_several_parameters_at_once() -> None:
    """d/d(name) of two resistors in parallel that move together; milliohm count as such."""

    class Two(tg.Component):
        source = el.ConstantVoltage(V=1.0)
        a = el.Resistor(R=2.0)
        b = el.Resistor(R=3.0)
        ground = el.Ground()
        total = tg.variable("mA")

        def equations(self):
            yield self.total == self.a.i + self.b.i

        def connections(self):
            yield self.source.p, self.a.p, self.b.p
            yield self.source.n, self.a.n, self.b.n, self.ground.p

    found = tg.sensitivity(Two(), 1.0, wrt=["a.R", {"both": {"a.R": 1.0, "b.R": 2.0}}])
    assert found["total", "a.R"][-1] == pytest.approx(-1000.0 / 4.0)
    assert found["total", "both"][-1] == pytest.approx(-1000.0 / 4.0 - 2.0 * 1000.0 / 9.0)


def test_bound_parameters_and_start_values() -> None:
    """C = 2 eps A; v0 = A / 3: a direction goes through the expressions that use it."""

    class Plate(tg.Component):
        A = tg.parameter(3.0)
        c = el.Capacitor(C=2.0 * A, v=tg.variable(start=A / 3.0, fixed=True))
        r = el.Resistor(R=0.5)
        ground = el.Ground()

        def connections(self):
            yield self.c.p, self.r.p
            yield self.c.n, self.r.n, self.ground.p

    found = tg.sensitivity(Plate(), 1.0, wrt="A", rtol=1e-8, parameters={"A": 4.0})
    t, area = found.time, 4.0
    v = area / 3.0 * np.exp(-t / area)  # R C = A
    assert np.abs(found["c.v", "A"] - (v / area + v * t / area**2)).max() < 1e-6


def test_through_an_algebraic_loop_and_index_reduction() -> None:
    """Two inertias on a gear (index 2) with a diode in the loop; against central differences.

    These divide the error of the loop's Newton method by a change of 1e-4: 2e-5.
    """

    class Drive(tg.Component):
        source = el.ConstantVoltage(V=5.0)
        d = el.Diode(Is=1e-9)
        r = el.Resistor(R=1.0)
        emf = el.EMF(k=0.2)
        rotor = rot.Inertia(J=0.01, w=fixed(0.0), phi=fixed(0.0))
        gear = rot.IdealGear(ratio=3.0)
        load = rot.Inertia(J=0.05)
        ground = el.Ground()

        def connections(self):
            yield self.source.p, self.d.p
            yield self.d.n, self.r.p
            yield self.r.n, self.emf.p
            yield self.emf.n, self.source.n, self.ground.p
            yield self.emf.flange, self.rotor.flange_a
            yield self.rotor.flange_b, self.gear.flange_a
            yield self.gear.flange_b, self.load.flange_a

    compiled = tg.compile(Drive())
    wrt = {"gear.ratio": 3.0, "load.J": 0.05, "d.Is": 1e-9, "r.R": 1.0}
    found = tg.sensitivity(compiled, 1.0, wrt=list(wrt), rtol=1e-9, points=21)
    for name, value in wrt.items():
        h = 1e-4 * value
        a, b = (compiled.simulate(1.0, rtol=1e-11, points=21, parameters={name: value + s * h}) for s in (1, -1))
        for of in ("load.w", "emf.i", "d.v"):
            expected = (a[of] - b[of]) / (2 * h)
            assert np.abs(found[of, name] - expected).max() < 2e-5 * np.abs(expected).max(), (of, name)


class Ball(tg.Component):
    """Bounces: instants and speeds in closed form."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    g = tg.parameter(10.0, "m/s2")
    e = tg.parameter(0.8)

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


def after_one_bounce(t: float, h0: Any, g: Any, e: Any) -> Any:
    first = np.sqrt(2 * h0 / g)
    return e * g * first * (t - first) - 0.5 * g * (t - first) ** 2


@pytest.mark.parametrize("solver", ["rk45", "cvode"])
def test_bouncing_ball(solver: str) -> None:
    """After a bounce; the closed-form solution differentiated by complex steps is exact to rounding."""
    t = 0.7
    found = tg.sensitivity(Ball(), 1.0, wrt=["h", "g", "e"], rtol=1e-10, points=[0.3, t, 1.0], solver=solver)
    values = {"h": 1.0, "g": 10.0, "e": 0.8}
    for name in values:
        moved = {key: value + (1e-30j if key == name else 0.0) for key, value in values.items()}
        expected = after_one_bounce(t, moved["h"], moved["g"], moved["e"]).imag / 1e-30
        assert found.at(t, "h", name) == pytest.approx(expected, rel=1e-7), name


class Thermostat(tg.Component):
    """Heats between two temperatures."""

    T = tg.variable("K", start=290.0, fixed=True)
    on = tg.boolean(start=True)
    low = tg.parameter(293.0, "K")
    high = tg.parameter(295.0, "K")
    G = tg.parameter(0.1)
    P = tg.parameter(3.0)

    def equations(self):
        yield tg.der(self.T) == tg.where(self.on, self.P, 0.0) - self.G * (self.T - 283.0)
        yield self.on == ((self.T < self.low) | (tg.pre(self.on) & (self.T < self.high)))


def test_thermostat_by_its_limits_alone() -> None:
    """Parameters that stand in conditions only move nothing but instants; closed-form solution of the first cycle."""
    found = tg.sensitivity(Thermostat(), 4.0, wrt=["high", "low", "P"], rtol=1e-10, points=[2.0, 3.0, 4.0])

    def temperature(t: float, high: Any, low: Any, P: Any) -> Any:
        hot = 283.0 + P / 0.1
        off = 10.0 * np.log((hot - 290.0) / (hot - high))
        assert off.real < t < off.real + (10.0 * np.log((high - 283.0) / (low - 283.0))).real
        return 283.0 + (high - 283.0) * np.exp(-0.1 * (t - off))

    values = {"high": 295.0, "low": 293.0, "P": 3.0}
    for name in values:
        moved = {key: value + (1e-20j if key == name else 0.0) for key, value in values.items()}
        expected = temperature(3.0, **moved).imag / 1e-20
        assert found.at(3.0, "T", name) == pytest.approx(expected, rel=1e-6, abs=1e-9), name


def rectifier() -> Any:
    s = tg.System("rectifier")
    s.add(v=el.SineVoltage(V=10.0, f=50.0), d=el.IdealDiode(Ron=0.1), c=el.Capacitor(C=1e-3, v=fixed(0.0)))
    s.add(load=el.Resistor(R=20.0), g=el.Ground())
    s.connect(s["v"].p, s["d"].p)
    s.connect(s["d"].n, s["c"].p, s["load"].p)
    s.connect(s["v"].n, s["c"].n, s["load"].n, s["g"].p)
    return s


def step_in_time() -> Any:
    s = tg.System("late")
    s.add(v=el.StepVoltage(V=10.0, start_time=0.3), r=el.Resistor(R=2.0), l=el.Inductor(L=0.5, i=fixed(0.0)))
    s.add(g=el.Ground())
    s.connect(s["v"].p, s["r"].p)
    s.connect(s["r"].n, s["l"].p)
    s.connect(s["v"].n, s["l"].n, s["g"].p)
    return s


@pytest.mark.parametrize(
    ("make", "of", "stop", "values"),
    [
        (rectifier, "c.v", 0.05, {"load.R": 20.0, "c.C": 1e-3, "v.V": 10.0, "d.Ron": 0.1}),
        (step_in_time, "l.i", 1.0, {"v.start_time": 0.3, "r.R": 2.0}),
        (Thermostat, "T", 10.0, {"G": 0.1, "P": 3.0, "low": 293.0, "high": 295.0}),
    ],
)
def test_events_against_differences(make: Any, of: str, stop: float, values: dict[str, float]) -> None:
    """Central differences at the end of the run, extrapolated from two steps; their own error is about 1e-6."""
    compiled = tg.compile(make())
    found = tg.sensitivity(compiled, stop, wrt=list(values), rtol=1e-10, points=3)
    for name, value in values.items():
        quotients = []
        for h in (2e-5 * value, 1e-5 * value):
            a, b = (compiled.simulate(stop, rtol=1e-12, points=3, parameters={name: value + s * h}) for s in (1, -1))
            quotients.append((a[of][-1] - b[of][-1]) / (2 * h))
        expected = (4 * quotients[1] - quotients[0]) / 3
        assert found[of, name][-1] == pytest.approx(expected, rel=2e-5, abs=1e-9), name


def test_time_itself_in_what_an_event_assigns() -> None:
    """The instant 1/v moves, and with it what is read of time there: h = sin(w/v)."""

    class Held(tg.Component):
        v = tg.parameter(2.0)
        w = tg.parameter(3.0)
        x = tg.variable(start=0.0, fixed=True)
        s = tg.variable()
        h = tg.variable(discrete=True, start=0.0)
        k = tg.variable(discrete=True, start=0.0)

        def equations(self):
            yield tg.der(self.x) == self.v
            yield self.s == tg.sin(self.w * tg.time)
            yield tg.when(self.x > 1.0, self.h == self.s, self.k == tg.sin(self.w * tg.time))

    found = tg.sensitivity(Held(), 1.0, wrt=["v", "w"], rtol=1e-9)
    for name in ("h", "k"):
        assert found[name, "v"][-1] == pytest.approx(-np.cos(1.5) * 3.0 / 4.0, rel=1e-7)
        assert found[name, "w"][-1] == pytest.approx(np.cos(1.5) / 2.0, rel=1e-7)


def test_ticks_of_a_clock_that_moves() -> None:
    """x' = u, u held from x at n T: x is multiplied by 1 - T every period."""

    class Clocked(tg.Component):
        T = tg.parameter(0.1, "s")
        x = tg.variable(start=1.0, fixed=True)
        u = tg.variable(discrete=True, start=0.0)

        def equations(self):
            yield tg.der(self.x) == self.u
            yield tg.when(tg.sample(0.0, self.T), self.u == -self.x)

    found = tg.sensitivity(Clocked(), 1.05, wrt="T", rtol=1e-9)
    t, T = 1.05, 0.1  # x = (1 - T)**10 * (1 - (t - 10 T))
    expected = -10.0 * (1 - T) ** 9 * (1 - t + 10 * T) + 10.0 * (1 - T) ** 10
    assert found["x", "T"][-1] == pytest.approx(expected, rel=1e-7)


def test_a_model_made_once_runs_with_other_numbers() -> None:
    from tellegen.analyses.sensitivities.sensitivity import SensitivityModel

    model = SensitivityModel(Decay(), "k")
    for k in (0.5, 1.0, 4.0):
        found = model.run(model.request(1.0, parameters={"k": k}, rtol=1e-8))
        assert found["x", "k"][-1] == pytest.approx(-3.0 * np.exp(-k), rel=1e-6)


def test_guesses_that_follow_from_a_parameter_of_a_mechanism() -> None:
    """The length of a rod moves guesses of joints, which the loop then determines: no warning, the right numbers."""
    import runpy
    from pathlib import Path

    example = Path(__file__).resolve().parent.parent.parent / "examples" / "slider_crank.py"
    compiled = tg.compile(runpy.run_path(str(example))["RectifiedDrive"]())
    run: dict[str, Any] = {"rtol": 1e-9, "points": 2, "solver": "rk45"}
    h = 1e-4 * 0.0762
    found = tg.sensitivity(compiled, 0.3, wrt=["mechanism.rod_length"], **run)
    a, b = (compiled.simulate(0.3, parameters={"mechanism.rod_length": 0.0762 + s * h}, **run) for s in (1, -1))
    for of in ("motor.w", "mechanism.slide.s"):
        expected = (a[of][-1] - b[of][-1]) / (2.0 * h)
        assert found[of, "mechanism.rod_length"][-1] == pytest.approx(expected, rel=1e-4), of


def test_blocks_of_all_directions_have_one_matrix() -> None:
    """Two masses on a lever, solved together: the tangents of three parameters are factored once, not three times."""
    from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
    from tellegen.ir.ode import Solve

    class Lever(tg.Component):
        a = tg.parameter(2.0)
        b = tg.parameter(3.0)
        c = tg.parameter(0.5)
        x = tg.variable(start=1.0, fixed=True)
        y = tg.variable(start=0.0, fixed=True)
        forces = tg.variable(shape=(5,))

        def equations(self):
            f = self.forces
            for k in range(5):  # each depends on its neighbours: one block with several tears
                yield self.a * f[k] + self.x * f[(k + 1) % 5] - self.c * f[(k + 2) % 5] == self.y + self.b * k
            yield tg.der(self.x) == -f[0] * 0.1
            yield tg.der(self.y) == f[3] - self.y

    made = SensitivityModel(Lever(), ["a", "b", "c"])
    found = made.run(made.request(0.5, rtol=1e-10, points=3, solver="rk45"))
    program = made.declared[1].ode.program
    common = [step.same.tolist() for step in program.steps if isinstance(step, Solve)]
    assert [0, 0, 0] in common or [0, 0, 0, 0] in common, common
    for name, value in (("a", 2.0), ("b", 3.0), ("c", 0.5)):
        h = 1e-4 * value
        ends = [made.plain.simulate(0.5, rtol=1e-11, points=3, parameters={name: value + s * h}) for s in (1, -1)]
        expected = (ends[0]["y"][-1] - ends[1]["y"][-1]) / (2.0 * h)
        assert found["y", name][-1] == pytest.approx(expected, rel=1e-5), name


def test_mistakes() -> None:
    with pytest.raises(tg.DesignError, match="E644"):
        tg.sensitivity(Decay(), 1.0, wrt=[])
    with pytest.raises(tg.DesignError, match="E645"):
        tg.sensitivity(Thermostat(), 1.0, wrt="on")
    found = tg.sensitivity(Decay(), 1.0, wrt="k")
    with pytest.raises(tg.DesignError, match="'q' is not varied"):
        found["x", "q"]
    with pytest.raises(tg.DesignError, match="is a parameter"):
        found["k", "k"]


def test_table_and_plot(tmp_path: Any) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    found = tg.sensitivity(Decay(), 1.0, wrt=["k", "x"], rtol=1e-8)
    assert found.table("x").loc[("x", "k"), "relative"] == pytest.approx(-2.0, rel=1e-6)  # percent per percent
    assert found.to_pandas()[("x", "k")].to_numpy() == pytest.approx(found["x", "k"])
    found.plot("x").savefig(tmp_path / "s.png")
    assert (tmp_path / "s.png").stat().st_size > 5000


def test_a_start_value_that_is_only_a_guess_is_refused() -> None:
    """Of a resistor in a circuit with a state the voltage follows; its start value moves nothing."""
    circuit = tg.System("rc")
    circuit.add(source=el.ConstantVoltage(V=1.0), r=el.Resistor(R=1.0), ground=el.Ground())
    circuit.add(c=el.Capacitor(C=1.0, v=tg.variable(start=0.0, fixed=True)))
    circuit.connect(circuit.source.p, circuit.r.p)
    circuit.connect(circuit.r.n, circuit.c.p)
    circuit.connect(circuit.c.n, circuit.source.n, circuit.ground.p)
    with pytest.raises(tg.DesignError, match=r"E644: nothing changes with the start value of 'r.v'"):
        tg.sensitivity(circuit, 1.0, wrt=["r.v"])
    found = tg.sensitivity(circuit, 1.0, wrt=["c.v", "r.R"])
    assert abs(found.at(1.0, "c.v", "c.v") - np.exp(-1.0)) < 1e-6
