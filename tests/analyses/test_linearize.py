"""Linear models: against matrices written by hand, against differences of the model, and across algebraic loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from engine.test_models import Drive, Resonator
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Chain(tg.Component):
    """Masses between springs, as plain equations."""

    k = tg.parameter(3.0, "N/m")
    m = tg.parameter(0.5, "kg")
    f = tg.input("N")
    x = tg.variable("m", shape=(6,))
    v = tg.variable("m/s", shape=(6,))

    def equations(self) -> Any:
        for i in range(6):
            left = self.x[i - 1] if i else 0.0
            right = self.x[i + 1] if i < 5 else 0.0
            push = self.f if i == 0 else 0.0
            yield tg.der(self.x[i]) == self.v[i]
            yield self.m * tg.der(self.v[i]) == self.k * (left - 2.0 * self.x[i] + right) + push


class Pendulum(tg.Component):
    """A pendulum in Cartesian coordinates: an index-3 DAE."""

    g = tg.parameter(9.81, "m/s2")
    L = tg.parameter(2.0, "m")
    x = tg.variable("m", start=0.0)
    y = tg.variable("m", start=-2.0)
    vx = tg.variable("m/s", start=0.0)
    vy = tg.variable("m/s")
    force = tg.variable("1/s2")

    def equations(self) -> Any:
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.vx) == -self.force * self.x
        yield tg.der(self.vy) == -self.force * self.y - self.g
        yield self.x**2 + self.y**2 == self.L**2


class Tank(tg.Component):
    """Nonlinear, with an algebraic variable in an implicit equation and units that are not SI."""

    area = tg.parameter(2.0, "m2")
    d = tg.parameter(50.0, "mm", "bore")
    inflow = tg.input("l/min")
    h = tg.variable("cm", "level", start=40.0)
    q = tg.variable("l/min", "outflow", start=20.0)
    out = tg.output("l/min")

    def equations(self) -> Any:
        yield self.area * tg.der(self.h) == self.inflow - self.q
        yield self.q + 2.0 * self.q**2 * 1e3 == 0.3 * self.d**2 * tg.sqrt(19.62 * self.h)
        yield self.out == self.q


FEED = {"inflow": 30.0}


class Bridge(tg.Component):
    """Three nodes of resistors: an algebraic loop around an inductor."""

    source = el.ConstantVoltage(V=10.0)
    r1 = el.Resistor(R=10.0)
    r2 = el.Resistor(R=20.0)
    r3 = el.Resistor(R=30.0)
    r4 = el.Resistor(R=40.0)
    l = el.Inductor(L=0.1)  # noqa: E741
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r1.p, self.r2.p
        yield self.r1.n, self.l.p, self.r3.p
        yield self.r2.n, self.l.n, self.r4.p
        yield self.source.n, self.r3.n, self.r4.n, self.ground.p


def test_dc_motor() -> None:
    model = tg.linearize(Drive(), inputs=["source.V"], outputs=["motor.i", "load.w"])
    at = [model.states.index(name) for name in ("motor.i", "load.w", "load.phi")]
    R, L, k, J = 2.4, 4.8e-3, 0.04, 1e-3
    exact = np.array([[-R / L, -k / L, 0.0], [k / J, 0.0, 0.0], [0.0, 1.0, 0.0]])
    np.testing.assert_allclose(model.A[np.ix_(at, at)], exact, rtol=1e-12)
    np.testing.assert_allclose(model.B[at, 0], [1.0 / L, 0.0, 0.0], rtol=1e-12)
    np.testing.assert_allclose(model.C[:, at], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert not model.D.any()
    assert not model.stable  # the angle goes on


def test_rlc_modes_and_participation() -> None:
    model = tg.linearize(Resonator(), at="steady", inputs=["source.V"], outputs=["c.v", "r.v"])
    (mode,) = model.modes
    assert mode.eigenvalue == pytest.approx(complex(-500.0, np.sqrt(1e9 - 500.0**2)), rel=1e-10)
    assert mode.damping == pytest.approx(500.0 / np.sqrt(1e9))
    assert mode.frequency == pytest.approx(np.sqrt(1e9 - 500.0**2) / (2.0 * np.pi))
    assert dict(mode.participation) == pytest.approx({"l.i": 0.5, "c.v": 0.5}, abs=1e-3)
    gain = model.D - model.C @ np.linalg.solve(model.A, model.B)
    np.testing.assert_allclose(gain[:, 0], [1.0, 0.0], atol=1e-12)


def test_spring_mass_chain_and_its_input() -> None:
    n = 6
    model = tg.linearize(Chain())
    stiffness = 3.0 / 0.5 * (np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1))
    x = [model.states.index(f"x[{i}]") for i in range(n)]
    v = [model.states.index(f"v[{i}]") for i in range(n)]
    np.testing.assert_allclose(model.A[np.ix_(v, x)], stiffness, rtol=1e-12)
    np.testing.assert_allclose(model.A[np.ix_(x, v)], np.eye(n))
    assert model.inputs == ("f",)
    assert model.outputs == model.states
    np.testing.assert_allclose(model.B[v, 0], [2.0, 0, 0, 0, 0, 0])
    modes = 2.0 * np.sqrt(3.0 / 0.5) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1)))
    np.testing.assert_allclose([2 * np.pi * mode.frequency for mode in model.modes], modes, rtol=1e-9)


def test_index_three_pendulum() -> None:
    model = tg.linearize(Pendulum())
    assert len(model.states) == 2
    np.testing.assert_allclose(sorted(model.eigenvalues.imag), [-np.sqrt(9.81 / 2.0), np.sqrt(9.81 / 2.0)], rtol=1e-10)
    np.testing.assert_allclose(model.eigenvalues.real, 0.0, atol=1e-12)


def test_algebraic_loop_in_a_bridge() -> None:
    model = tg.linearize(Bridge(), at="steady", inputs=["source.V", "r1.R"], outputs=["l.i"])
    thevenin = 10.0 * 30.0 / 40.0 + 20.0 * 40.0 / 60.0
    assert model.A[0, 0] == pytest.approx(-thevenin / 0.1, rel=1e-12)
    assert model.B[0, 0] == pytest.approx((30.0 / 40.0 - 40.0 / 60.0) / 0.1, rel=1e-12)
    gain = -model.C @ np.linalg.solve(model.A, model.B)
    h = 1e-3
    rest = [tg.steady_state(Bridge(), parameters={"r1.R": 10.0 + s * h})["l.i"] for s in (1, -1)]
    assert gain[0, 1] == pytest.approx((rest[0] - rest[1]) / (2 * h), rel=1e-7)


def test_against_differences_of_the_nonlinear_model() -> None:
    """Also units: levels in cm, flows in l/min, a bore in mm."""
    compiled = tg.compile(Tank())
    model = tg.linearize(compiled, parameters=FEED, inputs=["inflow", "d"], outputs=["out", "der(h)", "inflow"])
    assert model.units == {"h": "cm", "inflow": "l/min", "d": "mm", "out": "l/min", "der(h)": "cm/s"}

    def values(h: float, inflow: float, d: float) -> np.ndarray:
        s = compiled.simulate(1e-6, points=2, initial={"h": h}, parameters={"inflow": inflow, "d": d})
        now = s.at(0.0)
        return np.array([now["out"], now["der(h)"], now["inflow"]])

    base = np.array([40.0, 30.0, 50.0])
    steps = np.array([1e-3, 1e-2, 1e-3])
    difference = np.stack(
        [(values(*(base + e)) - values(*(base - e))) / (2.0 * e.sum()) for e in np.diag(steps)], axis=1
    )
    np.testing.assert_allclose(np.hstack([model.C, model.D]), difference, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.A[0, 0], difference[1, 0], rtol=1e-8)
    np.testing.assert_allclose(model.B[0], difference[1, 1:], rtol=1e-8)


def test_parameters_computed_from_others_carry_the_derivative() -> None:
    class Plate(tg.Component):
        d = tg.parameter(2.0)
        c = tg.parameter(6.0 / d)
        x = tg.variable(start=1.0)

        def equations(self) -> Any:
            yield self.c * tg.der(self.x) == -self.x

    model = tg.linearize(Plate(), inputs=["d"])  # x' = -x d / 6
    assert model.B[0, 0] == pytest.approx(-1.0 / 6.0, rel=1e-12)
    assert tg.linearize(Plate(), inputs=["c"]).B[0, 0] == pytest.approx(1.0 / 9.0, rel=1e-12)


def test_at_a_time_at_a_snapshot_and_at_rest() -> None:
    solution = tg.simulate(Tank(), 100.0, parameters=FEED)
    one = tg.linearize(Tank(), at=60.0, inputs=[], parameters=FEED)
    other = tg.linearize(Tank(), at=solution.at(60.0), inputs=[])
    np.testing.assert_allclose(one.A, other.A, rtol=1e-5)
    rest = tg.linearize(Tank(), at="steady", parameters=FEED)
    assert rest.point["out"] == pytest.approx(30.0)
    assert rest.stable


def test_step_response_is_that_of_the_model() -> None:
    model = tg.linearize(Resonator(), at="steady", inputs=["source.V"], outputs=["c.v"])
    s = tg.simulate(Resonator(), 2e-3, rtol=1e-9)
    np.testing.assert_allclose(model.response(s.time, [1.0])[:, 0], s["c.v"], atol=2e-6)
    low = model.frequency_response([1.0])[0, 0, 0]
    assert abs(low) == pytest.approx(1.0, rel=1e-4)


def test_table_and_pictures() -> None:
    model = tg.linearize(Drive(), inputs=["source.V"], outputs=["load.w"])
    assert repr(model) == "<LinearModel of Drive at t = 0 s: 3 states, 1 inputs, 1 outputs>"
    text = str(model)
    assert "load.phi 100%" in text
    assert "time constant [s]" in text
    assert ">load.phi 100%</td>" in model._repr_html_()
    assert model.success
    for kind in ("poles", "step", "bode"):
        assert model.plot(kind).axes
    with pytest.raises(tg.LanguageError, match="E187"):
        model.plot("pole")
    with pytest.raises(tg.LanguageError, match="E188"):
        tg.linearize(Drive()).plot("step")
    frame = model.to_pandas()
    assert frame.loc[("derivative", "motor.i"), ("input", "source.V")] == pytest.approx(1.0 / 4.8e-3)
    assert frame.loc["derivative", "state"].to_numpy() == pytest.approx(model.A)


def test_python_control(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tg.linearize(Drive(), inputs=["source.V"], outputs=["load.w"])
    with monkeypatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda _: None)
        with pytest.raises(tg.ExportError, match="E402"):
            model.to_control()
    control = pytest.importorskip("control")
    system = model.to_control()
    assert isinstance(system, control.StateSpace)
    assert system.input_labels == ["source_V"]
    np.testing.assert_allclose(np.sort(system.poles().real), np.sort(model.eigenvalues.real))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"inputs": ["load.w"]}, "E166"),
        ({"outputs": ["motor.R"]}, "E167"),
        ({"inputs": ["motor.RR"]}, "E100"),
        ({"at": "rest"}, "E169"),
        ({"at": "steady"}, "E302"),
    ],
)
def test_wrong_requests(arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(tg.TellegenError, match=code):
        tg.linearize(Drive(), **arguments)


def test_snapshot_of_another_model() -> None:
    with pytest.raises(tg.LanguageError, match="E168"):
        tg.linearize(Drive(), at=tg.steady_state(Resonator()))


def test_gear_with_two_inertias() -> None:
    class Geared(tg.Component):
        motor = rot.Inertia(J=1e-3)
        gear = rot.IdealGear(ratio=10.0)
        load = rot.Inertia(J=0.5)
        spring = rot.Spring(c=8.0)
        wall = rot.Fixed()

        def connections(self) -> Any:
            yield self.motor.flange_b, self.gear.flange_a
            yield self.gear.flange_b, self.load.flange_a
            yield self.load.flange_b, self.spring.flange_a
            yield self.spring.flange_b, self.wall.flange

    model = tg.linearize(Geared())
    assert len(model.states) == 2
    assert model.modes[0].frequency * 2 * np.pi == pytest.approx(np.sqrt(8.0 / (0.5 + 1e-3 * 100.0)), rel=1e-10)


def test_a_delay_is_refused_and_its_approximation_is_what_the_error_says() -> None:
    class Late(tg.Component):
        x = tg.variable(start=0.2, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1.0 - 0.25 * tg.delay(self.x, 0.1) - 0.5 * self.x

    class Pade(tg.Component):
        x = tg.variable(start=0.2, fixed=True)
        z = tg.variable(start=0.2, fixed=True)

        def equations(self):
            yield tg.der(self.x) == 1.0 - 0.25 * (2 * self.z - self.x) - 0.5 * self.x
            yield tg.der(self.z) == (self.x - self.z) * 2 / 0.1

    with pytest.raises(tg.NumericError, match=r"E304.*delays"):
        tg.linearize(Late())
    slow = np.max(np.linalg.eigvals(tg.linearize(Pade()).A).real)
    assert slow + 0.5 + 0.25 * np.exp(-0.1 * slow) == pytest.approx(0.0, abs=1e-4)  # the characteristic equation


def test_inputs_with_a_default_are_given_like_others() -> None:
    """Nothing is connected to `load`, so its value comes from outside; what is connected is computed by the model."""

    class Rotor(tg.Component):
        tau = tg.input("N.m")
        load = tg.input("N.m", default=0.5)
        w = tg.variable("rad/s", start=0.0)

        def equations(self) -> Any:
            yield 0.1 * tg.der(self.w) == self.tau - self.load - 0.2 * self.w

    rest = tg.steady_state(Rotor(), parameters={"tau": 1.0, "load": 0.2})
    assert rest["w"] == pytest.approx(4.0)
    linear = tg.linearize(Rotor(), inputs=["tau", "load"], outputs=["w"])
    assert linear.inputs == ("tau", "load")
    np.testing.assert_allclose(linear.B, [[10.0, -10.0]])

    class DrivenModel(tg.Component):
        rotor = Rotor()

        def equations(self) -> Any:
            yield self.rotor.tau == 1.0
            yield self.rotor.load == 0.3

    with pytest.raises(tg.LanguageError, match="E161"):
        tg.simulate(DrivenModel(), 1.0, parameters={"rotor.load": 0.2})
