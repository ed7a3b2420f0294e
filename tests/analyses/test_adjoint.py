"""Gradients backwards in time: equal to those of forward sensitivities, closed-form solutions, and far cheaper for
many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from examples.current_limit import Drive as LimitedDrive
from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tests.analyses.test_sensitivity import Ball, Decay, Thermostat, after_one_bounce, fixed, rectifier, step_in_time


class Pendulum(tg.Component):
    """Index 3 in Cartesian coordinates: which coordinate is a state changes while it swings."""

    m = tg.parameter(1.0, "kg")
    L = tg.parameter(1.0, "m")
    g = tg.parameter(9.81, "m/s2")
    x = tg.variable("m", start=0.6, fixed=True)
    y = tg.variable("m", start=-0.8)
    u = tg.variable("m/s", start=0.0, fixed=True)
    v = tg.variable("m/s")
    F = tg.variable("N")

    def equations(self):
        yield tg.der(self.x) == self.u
        yield tg.der(self.y) == self.v
        yield self.m * tg.der(self.u) == -self.F * self.x / self.L
        yield self.m * tg.der(self.v) == -self.F * self.y / self.L - self.m * self.g
        yield self.x**2 + self.y**2 == self.L**2


class GearedDrive(tg.Component):
    """Two inertias on a gear (index 2), and an algebraic loop with a diode."""

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


class Loop(tg.Component):
    """Initial values from an initial equation, through a nonlinear loop."""

    a = tg.parameter(2.0)
    b = tg.parameter(3.0)
    c = tg.parameter(0.5)
    x = tg.variable(start=1.0)
    z = tg.variable(start=1.0)
    w = tg.variable(start=0.4, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.a * self.x + self.z
        yield self.z**3 + self.z == self.b * self.x + self.w
        yield tg.der(self.w) == -self.w

    def initial_equations(self):
        yield tg.der(self.x) == self.c


class Sampled(tg.Component):
    """A digital controller: held values, its integral, and a tick at the very start."""

    K = tg.parameter(1.5)
    r = tg.parameter(1.0)
    a = tg.parameter(0.7)
    T = tg.parameter(0.1, "s")
    x = tg.variable(start=0.2, fixed=True)
    u = tg.variable(discrete=True, start=0.0)
    i = tg.variable(discrete=True, start=0.0)

    def equations(self):
        yield tg.der(self.x) == -self.a * self.x + self.u
        yield tg.when(
            tg.sample(0.0, self.T),
            self.i == tg.pre(self.i) + 0.3 * (self.r - self.x),
            self.u == self.K * (self.r - self.x) + self.i,
        )


class Held(tg.Component):
    """What is held when a condition becomes true is read from signals of time: v moves the instant, 1/v."""

    v = tg.parameter(2.0)
    w = tg.parameter(3.0)
    x = tg.variable(start=0.0, fixed=True)
    s = tg.variable()
    h = tg.variable(discrete=True, start=0.0)
    k = tg.variable(discrete=True, start=0.0)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield self.s == tg.sin(self.w * tg.time)
        yield tg.when(self.x > 1.0, self.h == self.s, self.k == 2.0 * tg.sin(self.w * tg.time))


CASES: dict[str, tuple[Any, float, list[Any], list[Any]]] = {
    "ball": (
        Ball,
        1.5,
        ["h", "g", "e"],
        [tg.final("h"), tg.peak("h", start=0.6), tg.peak_time("h", start=0.6), tg.event_time("h", 2), tg.rms("v")]
        + [tg.value("v", tg.event_time("h"), side=side) for side in ("before", "after")],
    ),
    "thermostat": (
        Thermostat,
        10.0,
        ["G", "P", "low", "high", "T"],
        [tg.final("T"), tg.mean("T"), tg.lowest("T", start=3.0)],
    ),
    "rectifier": (
        rectifier,
        0.05,
        ["load.R", "c.C", "v.V", "d.Ron", "c.v"],
        [tg.final("c.v"), tg.mean("c.v"), tg.rms("d.i"), tg.peak("d.i"), tg.integral("load.v * load.i")],
    ),
    "saturating motor": (
        LimitedDrive,
        10.0,
        ["winding.R", "winding.L", "winding.i_max", "converter.Kb", "rotor.J", "friction.d", "link.J", "source.V"],
        [tg.final("rotor.w"), tg.integral("winding.v * winding.i"), tg.rms("winding.i")],
    ),
    "loop and gear": (
        GearedDrive,
        1.0,
        ["gear.ratio", "load.J", "d.Is", "rotor.w", {"both": {"r.R": 1.0, "emf.k": 0.5}}],
        [
            tg.final("load.w"),
            tg.integral("emf.i**2"),
            tg.peak("d.v"),
            tg.rise_time("load.w"),
            tg.settling_time("load.w"),
            tg.integral("abs(load.w - 2)"),
            tg.time_when("load.w > 3"),
            tg.final("load.w") / tg.mean("r.v") + 1.0,
        ],
    ),
    "pendulum": (Pendulum, 3.0, ["m", "g", "L"], [tg.final("y"), tg.integral("F**2"), tg.peak("F")]),
    "initial equation": (Loop, 1.0, ["a", "b", "c", "w"], [tg.final("x"), tg.integral("z**2"), tg.value("z", 0.0)]),
    "sampled": (Sampled, 1.05, ["K", "r", "a", "x", "i", "T"], [tg.final("x"), tg.integral("u**2"), tg.final("i")]),
    "held": (Held, 1.0, ["v", "w"], [tg.final("h"), tg.final("k"), tg.integral("h * k")]),
    "late": (
        step_in_time,
        1.0,
        ["v.start_time", "r.R", "l.L"],
        [tg.final("l.i"), tg.integral("l.i**2"), tg.mean("v.v"), tg.integral("der(l.i)**2")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_adjoint_equals_forward(case: str) -> None:
    """1e-6 of the largest entry, each counted by the size of its parameter."""
    make, stop, wrt, functions = CASES[case]
    made = SensitivityModel(make(), wrt)
    forward, adjoint = (
        tg.gradient(made, stop, of=functions, wrt=wrt, rtol=1e-9, method=method) for method in ("forward", "adjoint")
    )
    assert (forward.method, adjoint.method) == ("forward", "adjoint")
    assert adjoint.values == pytest.approx(forward.values, rel=1e-6)
    expected, found = forward.matrix * forward.scale, adjoint.matrix * adjoint.scale
    for function, one, other in zip(functions, expected, found, strict=True):
        assert np.abs(one).max() > 0.0, function
        assert np.abs(one - other).max() < 1e-6 * np.abs(one).max(), (str(function), one, other)


def test_ball_in_closed_form() -> None:
    found = tg.gradient(Ball(), 0.7, of=tg.final("h"), wrt=["h", "g", "e"], rtol=1e-10, method="adjoint")
    values = {"h": 1.0, "g": 10.0, "e": 0.8}
    for name in values:
        moved = {key: value + (1e-30j if key == name else 0.0) for key, value in values.items()}
        expected = after_one_bounce(0.7, moved["h"], moved["g"], moved["e"]).imag / 1e-30
        assert found[0, name] == pytest.approx(expected, rel=1e-9), name


def test_bound_parameters_and_start_values() -> None:
    """C = 2 A, v0 = A / 3, R C = A: v = A/3 exp(-t/A)."""

    class Plate(tg.Component):
        A = tg.parameter(3.0)
        c = el.Capacitor(C=2.0 * A, v=tg.variable(start=A / 3.0, fixed=True))
        r = el.Resistor(R=0.5)
        ground = el.Ground()

        def connections(self):
            yield self.c.p, self.r.p
            yield self.c.n, self.r.n, self.ground.p

    final = tg.final("c.v")
    found = tg.gradient(Plate(), 1.0, of=final, wrt="A", rtol=1e-8, parameters={"A": 4.0}, method="adjoint")
    assert found[final, "A"] == pytest.approx(np.exp(-0.25) * (1.0 / 3.0 + 1.0 / 12.0), rel=1e-8)


def test_steady_start() -> None:
    """From rest, where d/dp of the initial values is that of the steady state: v = V R2 / (R1 + R2)."""
    s = tg.System("divider")
    s.add(
        v=el.ConstantVoltage(V=10.0), a=el.Resistor(R=2.0), b=el.Resistor(R=3.0), c=el.Capacitor(C=0.1), g=el.Ground()
    )
    s.connect(s["v"].p, s["a"].p)
    s.connect(s["a"].n, s["b"].p, s["c"].p)
    s.connect(s["v"].n, s["b"].n, s["c"].n, s["g"].p)
    made = SensitivityModel(s, ["a.R", "b.R", "v.V", "c.C"])
    found = AdjointModel(made).gradients([tg.final("c.v")], made.request(1.0, rtol=1e-9, initial="steady"))
    assert found.matrix[0] == pytest.approx([-10.0 * 3.0 / 25.0, 10.0 * 2.0 / 25.0, 0.6, 0.0], abs=1e-8)


def test_mistakes() -> None:
    final = tg.final("x")
    with pytest.raises(tg.DesignError, match=r"E640.*there is no method 'backward'"):
        tg.gradient(Decay(), 1.0, of=final, wrt="k", method="backward")
    with pytest.raises(tg.DesignError, match=r"E640.*`of` lists performance functions"):
        tg.gradient(Decay(), 1.0, of=["x", final], wrt="k")  # type: ignore[arg-type]
    with pytest.raises(tg.DesignError, match=r"(?s)E640.*not 'x'.*tg.sensitivity"):
        tg.gradient(Decay(), 1.0, of="x", wrt="k", method="adjoint")  # type: ignore[arg-type]
    with pytest.raises(tg.DesignError, match=r"E640.*performance functions, not \[\]"):
        tg.gradient(Decay(), 1.0, of=[], wrt="k")
    with pytest.raises(tg.LanguageError, match=r"E173: sensitivity\(\) takes no 'of'; tg.gradient"):
        tg.sensitivity(Decay(), 1.0, of=final, wrt="k")  # type: ignore[call-arg]
    with pytest.raises(tg.LanguageError, match=r"E173: sensitivity\(\) takes no 'method'; .*adjoint"):
        tg.sensitivity(Decay(), 1.0, wrt="k", method="adjoint")  # type: ignore[call-arg]
    found = tg.gradient(Decay(), 1.0, of=final, wrt="k")
    with pytest.raises(tg.DesignError, match="'q' is not varied"):
        found[final, "q"]
    with pytest.raises(tg.DesignError, match="has no gradients; there are those of"):
        found[tg.final("x"), "k"]

    class Late(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        k = tg.parameter(1.0)

        def equations(self):
            yield tg.der(self.x) == -self.k * tg.delay(self.x, 0.1)

    with pytest.raises(tg.DesignError, match=r"E643.*delay"):
        tg.gradient(Late(), 1.0, of=final, wrt="k", method="adjoint")


def test_auto_goes_forward_where_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds at one instant: the second reads as past what the first assigned, k = 2 v."""
    from tellegen.analyses.derivatives import gradients as module

    class Rounds(tg.Component):
        v = tg.parameter(2.0)
        x = tg.variable(start=0.0, fixed=True)
        h = tg.variable(discrete=True, start=0.0)
        k = tg.variable(discrete=True, start=0.0)

        def equations(self):
            yield tg.der(self.x) == self.v
            yield tg.when(self.x > 1.0, self.h == self.v)
            yield tg.when(tg.pre(self.h) > 1.0, self.k == 2.0 * tg.pre(self.h))

    monkeypatch.setattr(module, "_MANY", 0)
    monkeypatch.setattr(module, "_LARGE", 0)
    final = tg.final("k")
    with pytest.raises(tg.DesignError, match=r"E643.*several event iterations"):
        tg.gradient(Rounds(), 1.0, of=final, wrt="v", method="adjoint")
    found = tg.gradient(Rounds(), 1.0, of=final, wrt="v")
    assert (found.method, found[final, "v"]) == ("forward", pytest.approx(2.0))


def test_table_and_plot(tmp_path: Any) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    found = tg.gradient(Decay(), 1.0, of=[tg.final("x"), tg.mean("x")], wrt=["k", "x"], method="adjoint", rtol=1e-8)
    assert found.to_pandas().loc[("final(x)", "k"), "relative"] == pytest.approx(-2.0, rel=1e-6)
    assert "final(x)" in str(found)
    assert found["final(x)"]["x"] == pytest.approx(np.exp(-2.0), rel=1e-6)
    found.plot().savefig(tmp_path / "g.png")
    assert (tmp_path / "g.png").stat().st_size > 5000


def ladder(cells: int) -> tg.System:
    """Resistors and capacitors in a row, driven by a sine."""
    s = tg.System(f"ladder{cells}")
    s.add(source=el.SineVoltage(V=1.0, f=1.0), g=el.Ground())
    before = s["source"].p
    for k in range(cells):
        s.add(**{f"r{k}": el.Resistor(R=1.0 + 0.01 * k), f"c{k}": el.Capacitor(C=0.1 / cells, v=fixed(0.0))})
        s.connect(before, s[f"r{k}"].p)
        s.connect(s[f"r{k}"].n, s[f"c{k}"].p)
        s.connect(s[f"c{k}"].n, s["g"].p)
        before = s[f"c{k}"].p
    s.connect(s["source"].n, s["g"].p)
    return s


def test_work_does_not_grow_with_parameters() -> None:
    """Equations evaluated: forward every copy at every evaluation, backward the model at three nodes of every step.

    Times are measured in benchmarks/adjoint.py: they are no matter for a test.
    """
    cells = 20
    compiled, of = tg.compile(ladder(cells)), [tg.final(f"c{cells - 1}.v")]
    names = [f"{letter}{k}.{letter.upper()}" for letter in "rc" for k in range(cells)]
    work = {}
    for count in (4, 40):
        made = SensitivityModel(compiled, names[:count])
        run = made.run(made.request(1.0)).solution
        found = AdjointModel(made).gradients(of, made.request(1.0, rtol=1e-6))
        backward = found.solution.stats["rhs_evaluations"] + 3 * found.steps
        work[count] = run.stats["rhs_evaluations"] * (1 + count), backward
    assert work[40][0] > 20 * work[40][1]
    assert work[40][1] < 1.5 * work[4][1]
    assert work[40][0] > 6 * work[4][0]


def test_optimize_with_many_variables_goes_backwards() -> None:
    """40 variables, one function: the adjoint is taken by itself, and finds what forward gradients find."""
    cells = 20
    compiled = tg.compile(ladder(cells))
    variables = {
        f"{letter}{k}.{letter.upper()}": (low, high)
        for letter, low, high in (("r", 0.5, 1.5), ("c", 0.004, 0.006))
        for k in range(cells)
    }
    target = tg.integral(f"(c{cells - 1}.v - 0.8 * c{cells // 2}.v)**2")
    found = {
        how: tg.optimize(compiled, 1.0, minimize=1e3 * target, variables=variables, gradients=how, max_iterations=3)
        for how in ("auto", "forward")
    }
    assert found["auto"].problem.is_backward
    assert not found["forward"].problem.is_backward
    first, again = (np.array(found[how].problem.history[0].slope) for how in ("forward", "auto"))
    assert again == pytest.approx(first, abs=1e-5 * np.abs(first).max())
    assert found["auto"].objective == pytest.approx(found["forward"].objective, rel=1e-3)
    assert found["auto"].objective < 0.8 * found["auto"].problem.history[0].objective
    with pytest.raises(tg.DesignError, match="E640"):
        tg.optimize(compiled, 1.0, minimize=target, variables=variables, gradients="backwards")


class Pulse(tg.Component):
    """An oscillator that a narrow pulse strikes at some time."""

    s = tg.parameter(0.2, "s")
    w = tg.parameter(0.003, "s")
    x = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self):
        force = tg.exp(-(((tg.time - self.s) / self.w) ** 2)) / self.w
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == force - 2e4 * self.x - 30.0 * self.v


def test_points_of_earlier_runs_do_not_spoil_the_curves() -> None:
    """A search tries the points of earlier runs; two that almost coincided made a peak of 0.9966 out of 0.01025."""
    model = tg.compile(Pulse())
    made = SensitivityModel(model, ["s", "w"])
    back = AdjointModel(made)
    for s in (0.2, 0.7, 0.45, 0.95, 0.1):
        request = made.request(1.0, rtol=1e-7, points=20, parameters={"s": s})
        found = back.gradients([tg.peak("x"), tg.final("x")], request).values
        curve = model.simulate(1.0, points=20_001, rtol=1e-9, parameters={"s": s})["x"]
        assert found[0] == pytest.approx(curve.max(), rel=1e-5)
        assert found[1] == pytest.approx(curve[-1], abs=1e-6 * curve.max())
