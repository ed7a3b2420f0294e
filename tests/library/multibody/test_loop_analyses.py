"""Closed loops in space under everything else: gradients, optimization, linear models, rough guesses and events.

The swing is a parallelogram of two rods and a beam. Its loop has five closures of which two are independent, and it
moves as one pendulum, (2/3 m + M) L^2 phi'' = -(m + M) g L sin(phi) + tau, which is the oracle.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from library.multibody.loops import DampedFourBar, FourBar, SliderCrank, bar
from library.multibody.mechanisms import started
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.library import multibody as mb
from tellegen.library import rotational

ROD, BEAM, LUG, L, G = 1.5, 2.0, 0.1, 0.6, 9.81
INERTIA = (2 / 3 * ROD + BEAM) * L**2
TORQUE = (ROD + BEAM) * G * L


def rod() -> mb.BodyShape:
    """Slender, hanging down."""
    across = ROD * L**2 / 12
    return mb.BodyShape(r=[0, 0, -L], r_CM=[0, 0, -L / 2], m=ROD, I_11=across, I_22=across, I_33=1e-5)


class Swing(tg.Component):
    """A beam on two parallel rods, pushed."""

    world = mb.World(n=[0, 0, -1])
    base = mb.FixedTranslation(r=[1, 0, 0])
    j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=started(0.3), w=started(2.0))
    j2 = mb.Revolute(n=[0, 1, 0])
    j3 = mb.Revolute(n=[0, 1, 0])
    j4 = mb.Revolute(n=[0, 1, 0])
    left = rod()
    right = rod()
    beam = mb.BodyShape(r=[1, 0, 0], r_CM=[0.5, 0, 0], m=BEAM, I_11=1e-3, I_22=0.1, I_33=0.1)

    def connections(self) -> Any:
        yield self.world.frame_b, self.j1.frame_a, self.base.frame_a
        yield self.j1.frame_b, self.left.frame_a
        yield self.left.frame_b, self.j2.frame_a
        yield self.j2.frame_b, self.beam.frame_a
        yield self.base.frame_b, self.j3.frame_a
        yield self.j3.frame_b, self.right.frame_a
        yield self.beam.frame_b, self.j4.frame_a
        yield from self.last()

    def last(self) -> Any:
        """How the loop is closed."""
        yield self.j4.frame_b, self.right.frame_b


@cache
def compiled(cls: type[tg.Component]) -> tg.CompiledModel:
    """One for all solvers."""
    return tg.compile(cls())


@cache
def solved(rates: Any, start: tuple[float, float]) -> Any:
    """A second of motion by one equation, in steps that see where forces set in."""
    return solve_ivp(rates, (0, 1.0), start, dense_output=True, rtol=1e-9, atol=1e-11, max_step=5e-4).sol


def energy(s: Any) -> Any:
    """Of a swing with a closed loop."""
    return INERTIA * s["j1.w"] ** 2 / 2 - TORQUE * np.cos(s["j1.phi"])


# -- derivatives ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slider_crank() -> Any:
    return tg.compile(SliderCrank())


def test_gradients_forward_backward_and_by_differences(slider_crank: Any) -> None:
    """By a mass, and by lengths for which the loop is assembled again."""
    wrt = {"slider.m": 2.0, "rod.r[0]": -0.3, "pedestal.r[1]": 0.1}
    of = [tg.final("slide.s"), tg.integral("hinge.w*hinge.w")]
    run: dict[str, Any] = {"rtol": 1e-9, "points": 11}
    forward, adjoint = (
        tg.gradient(slider_crank, 0.3, of=of, wrt=list(wrt), method=method, **run) for method in ("forward", "adjoint")
    )
    assert adjoint.matrix == pytest.approx(forward.matrix, rel=1e-6)
    for k, (path, value) in enumerate(wrt.items()):
        step = 1e-5 * abs(value)
        ends = [slider_crank.simulate(stop=0.3, parameters={path: value + d}, **run) for d in (step, -step)]
        difference = (ends[0]["slide.s"][-1] - ends[1]["slide.s"][-1]) / (2 * step)
        assert forward.matrix[0, k] == pytest.approx(difference, rel=1e-4)


def test_a_length_in_a_loop_is_found(slider_crank: Any) -> None:
    """The rod with which the slider is where it is with one of 0.33 m."""
    there = slider_crank.simulate(stop=0.3, parameters={"rod.r[0]": -0.33}, rtol=1e-9)["slide.s"][-1]
    best = tg.optimize(
        slider_crank, 0.3, minimize=(tg.final("slide.s") - there) ** 2, variables={"rod.r[0]": (-0.4, -0.28)}, rtol=1e-8
    )
    assert best.variables["rod.r[0]"] == pytest.approx(-0.33, abs=1e-5)


class Driven(FourBar):
    """Its crank turns with 8 rad/s, whatever that takes."""

    j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=started(0.3))
    motor = rotational.ConstantSpeed(w_fixed=8.0)

    def connections(self) -> Any:
        yield self.motor.flange, self.j1.axis


def test_gradients_of_a_prescribed_motion() -> None:
    """Positions do not depend on masses: tangents that are nothing but roundings let runs stand still once."""
    driven = compiled(Driven)
    with pytest.raises(tg.NumericError, match="E302"):
        tg.steady_state(driven)
    wrt = {"rocker.m": 1.0, "motor.w_fixed": 8.0, "coupler.r[2]": 1.0}
    of = ["j3.phi", "j1.tau", "j2.w"]
    functions = [tg.final(name) for name in of]
    forward, adjoint = (
        tg.gradient(driven, 0.7, of=functions, wrt=list(wrt), method=method, rtol=1e-8)
        for method in ("forward", "adjoint")
    )
    expected = np.zeros((3, 3))
    for k, (path, value) in enumerate(wrt.items()):
        step = 1e-4 * value
        low, high = (driven.simulate(stop=0.7, parameters={path: value + d}, rtol=1e-9) for d in (-step, step))
        expected[:, k] = [(high[name][-1] - low[name][-1]) / (2 * step) for name in of]
    assert forward.matrix == pytest.approx(expected, rel=1e-5, abs=1e-7)
    assert adjoint.matrix == pytest.approx(expected, rel=1e-5, abs=1e-7)


class Turned(FourBar):
    """Its crank stands where the input says; a sprung link swings at the coupler."""

    u = tg.input("rad", "angle of the crank", default=0.3)
    j1 = mb.Revolute(n=[0, 1, 0], use_flange=True)
    motor = rotational.Position(exact=True)
    tip = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=tg.variable(start=2.0))
    spring = rotational.SpringDamper(c=3.0, d=0.4)
    link = bar(0.4)

    def equations(self) -> Any:
        yield self.motor.phi_ref == self.u

    def connections(self) -> Any:
        yield self.motor.flange, self.j1.axis
        yield self.coupler.frame_b, self.tip.frame_a
        yield self.tip.frame_b, self.link.frame_a
        yield self.tip.support, self.spring.flange_a
        yield self.tip.axis, self.spring.flange_b


@pytest.fixture(scope="module")
def turned() -> Any:
    return tg.compile(Turned())


def test_a_prescribed_motion_linearized(turned: Any) -> None:
    """The link is an oscillator, the rocker follows without delay; at low frequencies both follow steady states."""
    linear = tg.linearize(turned, at="steady", inputs=["u"], outputs=["j3.phi", "tip.phi"])
    assert len(linear.A) == 2
    gain = linear.D - linear.C @ np.linalg.solve(linear.A, linear.B)
    low, high = (tg.steady_state(turned, parameters={"u": 0.3 + d}) for d in (-1e-5, 1e-5))
    expected = [(high[name] - low[name]) / 2e-5 for name in ("j3.phi", "tip.phi")]
    assert gain[:, 0] == pytest.approx(expected, rel=1e-6)
    w = 5.0
    response = tg.frequency_response(
        turned, at="steady", inputs=["u"], outputs=["tip.phi"], frequencies=[w / 2 / np.pi]
    )
    by_states = linear.D[1] + linear.C[1] @ np.linalg.solve(1j * w * np.eye(2) - linear.A, linear.B)
    assert np.ravel(response.values)[0] == pytest.approx(by_states[0], rel=1e-8)
    with pytest.raises(tg.NumericError, match=r"E304.*'j1.tau' follows .*derivative.* of 'u'"):
        tg.linearize(turned, inputs=["u"], outputs=["j1.tau"])


# -- steady states ----------------------------------------------------------------------------------------------------


class Sprung(Swing):
    """A torsional spring in one of its hinges."""

    j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=tg.variable(start=0.3))
    spring = rotational.Spring(c=5.0, phi_rel0=1.0)

    def connections(self) -> Any:
        yield self.j1.support, self.spring.flange_a
        yield self.j1.axis, self.spring.flange_b


def test_a_loop_in_steady_state() -> None:
    """Without a damper; the guesses leave the loop open."""
    found = tg.steady_state(compiled(Sprung))
    phi = found["j1.phi"]
    assert 5.0 * (phi - 1.0) == pytest.approx(-TORQUE * np.sin(phi), abs=1e-9)
    assert found["j3.phi"] == pytest.approx(phi, abs=1e-10)
    poles = np.linalg.eigvals(tg.linearize(compiled(Sprung), at="steady").A)
    assert np.abs(poles.imag).max() == pytest.approx(np.sqrt((TORQUE * np.cos(phi) + 5.0) / INERTIA), rel=1e-9)


class Held(FourBar):
    """A spring holds the crank; the coupler is pulled from 0.05 s on."""

    j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=tg.variable(start=0.3))
    spring = rotational.SpringDamper(c=30.0, d=0.4)
    pull = tg.parameter(2.0, "N")
    force = mb.WorldForce()

    def equations(self) -> Any:
        yield self.force.force[0] == self.pull * tg.where(tg.time > 0.05, 1.0, 0.0)
        yield self.force.force[1] == 0.0
        yield self.force.force[2] == 0.0

    def connections(self) -> Any:
        yield self.j1.support, self.spring.flange_a
        yield self.j1.axis, self.spring.flange_b
        yield self.force.frame_b, self.coupler.frame_b


def test_gradients_from_a_steady_state_of_a_loop() -> None:
    """Forward and backwards, against difference quotients of runs that begin in their own steady states."""
    held = tg.compile(Held())
    wrt = {"coupler.r[2]": 1.0, "rocker.m": 1.0, "spring.c": 30.0, "pull": 2.0}
    run: dict[str, Any] = {"stop": 0.2, "initial": "steady"}
    functions = [tg.final("j1.phi"), tg.final("j3.w")]
    forward, adjoint = (
        tg.gradient(held, of=functions, wrt=list(wrt), method=method, rtol=1e-8, **run).matrix
        for method in ("forward", "adjoint")
    )
    expected = np.zeros_like(forward)
    for k, (path, value) in enumerate(wrt.items()):
        step = 1e-4 * value
        low, high = (held.simulate(parameters={path: value + d}, rtol=1e-10, **run) for d in (-step, step))
        expected[:, k] = [(high[name][-1] - low[name][-1]) / (2 * step) for name in ("j1.phi", "j3.w")]
    assert adjoint == pytest.approx(forward, rel=1e-6, abs=1e-9)
    assert forward == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_a_loop_that_nothing_holds_has_many_steady_states() -> None:
    with pytest.raises(tg.NumericError, match=r"E302.*many values are possible of 'j"):
        tg.steady_state(Swing(world=mb.World(gravity="none")))


def test_a_loop_linearized() -> None:
    """About hanging: one freedom, two states, and the eigenvalues of the pendulum."""
    linear = tg.linearize(Swing(j1=mb.Revolute(n=[0, 1, 0], use_flange=True, phi=started(0.0), w=started(0.0))))
    assert len(linear.A) == 2
    expected = np.sqrt(TORQUE / INERTIA)
    assert np.sort(np.linalg.eigvals(linear.A).imag) == pytest.approx([-expected, expected], rel=1e-9)


# -- assembly ---------------------------------------------------------------------------------------------------------


class Guessed(FourBar):
    """A four-bar with guesses as parameters."""

    guess = tg.parameter([0.8, 0.0, 0.0], "rad", "angles of all joints but the first")
    j2 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=guess[0]))
    j3 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=guess[1]))
    j4 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=guess[2]))


def test_random_guesses_close_the_loop() -> None:
    """In one of the two ways in which a four-bar can be assembled, whatever the guesses are."""
    guessed = compiled(Guessed)
    crank = 0.3 * np.array([np.sin(0.3), np.cos(0.3)])
    rng = np.random.default_rng(11)
    for _ in range(20):
        s = guessed.simulate(stop=1e-6, points=2, parameters={"guess": rng.uniform(-3.0, 3.0, 3)})
        assert s["j1.phi"][0] == 0.3
        coupler = s["j1.phi"][0] + s["j2.phi"][0]
        tip = crank + np.array([np.sin(coupler), np.cos(coupler)])
        rocker = np.array([1.0, 0.0]) + 0.7 * np.array([np.sin(s["j3.phi"][0]), np.cos(s["j3.phi"][0])])
        assert tip == pytest.approx(rocker, abs=1e-9)


def test_the_joint_that_cannot_close_is_named() -> None:
    with pytest.raises(tg.NumericError, match=r"E30[13][\s\S]*j4"):
        tg.simulate(FourBar(rocker=bar(0.02)), stop=0.1)


# -- events -----------------------------------------------------------------------------------------------------------


class Stopped(Swing):
    """It swings between elastic stops at +-0.4 rad."""

    stop = rotational.ElastoBacklash(c=4e3, d=3.0, b=0.8, limited_damping=False)

    def connections(self) -> Any:
        yield self.j1.support, self.stop.flange_a
        yield self.j1.axis, self.stop.flange_b


def stopped(_: float, state: Any) -> Any:
    """The same by its one equation."""
    phi, w = state
    depth = abs(phi) - 0.4
    push = max(4e3 * depth + 3.0 * np.sign(phi) * w, 0.0) if depth > 0 else 0.0
    return [w, (-TORQUE * np.sin(phi) - np.sign(phi) * push) / INERTIA]


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_stops_inside_a_loop(solver: str) -> None:
    s = compiled(Stopped).simulate(stop=1.0, points=101, rtol=1e-8, solver=solver)
    exact = solved(stopped, (0.3, 2.0))(s.time)
    assert s["j1.phi"] == pytest.approx(exact[0], abs=1e-4)  # SciPy steps over the impacts
    assert len(s.events) >= 4


class Landing(Swing):
    """A ball at the beam strikes a floor whenever it passes its lowest place."""

    j1 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=started(0.6), w=started(0.0))
    floor = mb.Fixed(r=[0, 0, -0.65])
    contact = mb.SphereOnPlane(R=0.06, n=[0, 0, 1], c=2e4, d=0.5, mu=0.0)

    def connections(self) -> Any:
        yield self.floor.frame_b, self.contact.frame_a
        yield self.beam.frame_a, self.contact.frame_b


def landing(_: float, state: Any) -> Any:
    """The same by its one equation."""
    phi, w = state
    depth = 0.06 - (0.65 - L * np.cos(phi))
    push = 2e4 * depth * max(1.0 - 0.5 * L * np.sin(phi) * w, 0.0) if depth > 0 else 0.0
    return [w, (push * L - TORQUE) * np.sin(phi) / INERTIA]


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_contact_inside_a_loop(solver: str) -> None:
    s = compiled(Landing).simulate(stop=1.0, points=101, rtol=1e-8, solver=solver)
    exact = solved(landing, (0.6, 0.0))(s.time)
    assert s["j1.phi"] == pytest.approx(exact[0], abs=2e-6)  # SciPy steps over where it touches
    assert s["contact.N"].max() > 100.0
    assert len(s.events) >= 2


class Braked(Swing):
    """Dry friction in one of the hinges."""

    friction = rotational.BearingFriction(tau_pos=[[0.0, 1.5], [100.0, 1.5]])

    def connections(self) -> Any:
        yield self.j1.axis, self.friction.flange_a


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_friction_inside_a_loop(solver: str) -> None:
    """What is lost is the torque by the way; it sticks where gravity does not overcome it."""
    s = compiled(Braked).simulate(stop=4.0, points=1001, rtol=1e-8, solver=solver)
    way = np.abs(np.diff(s["j1.phi"])).sum()
    lost = energy(s)[0] - energy(s)[-1]
    assert lost == pytest.approx(1.5 * way, rel=1e-4)  # turning points lie between the points of output
    assert abs(s["j1.w"][-1]) < 1e-9
    assert abs(TORQUE * np.sin(s["j1.phi"][-1])) <= 1.5


class Unlatched(Swing):
    """Its loop is opened at 0.4 s; the last hinge keeps a lug."""

    lug = mb.Body(m=LUG, I_11=1e-4, I_22=1e-4, I_33=1e-4)
    latch = mb.Latch()

    def equations(self) -> Any:
        yield self.latch.release == tg.where(tg.time > 0.4, 1.0, 0.0)

    def last(self) -> Any:
        yield self.j4.frame_b, self.lug.frame_a, self.latch.frame_a
        yield self.latch.frame_b, self.right.frame_b


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_a_loop_is_released(solver: str) -> None:
    """Until then it is the swing, afterwards the right rod is a pendulum of its own."""
    s = compiled(Unlatched).simulate(stop=1.0, points=101, rtol=1e-8, solver=solver)
    stiffness = (TORQUE + LUG * G * L) / (INERTIA + LUG * L**2 + 1e-4)
    swing = pendulum(stiffness, (0.0, 0.4), [0.3, 2.0])
    closed = s.time < 0.4
    assert s["j1.phi"][closed] == pytest.approx(swing(s.time[closed])[0], abs=1e-6)
    assert s["j3.phi"][closed] == pytest.approx(swing(s.time[closed])[0], abs=1e-6)
    alone = pendulum(1.5 * G / L, (0.4, 1.0), swing(0.4))
    assert s["j3.phi"][~closed] == pytest.approx(alone(s.time[~closed])[0], abs=1e-6)


class BrakedUnlatched(Unlatched):
    """The same with dry friction in the first hinge."""

    friction = rotational.BearingFriction(tau_Coulomb=1.5)

    def connections(self) -> Any:
        yield self.j1.axis, self.friction.flange_a


@pytest.fixture(scope="module")
def braked_unlatched() -> Any:
    return tg.compile(BrakedUnlatched())


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode"])
def test_friction_after_a_loop_is_released(braked_unlatched: Any, solver: str) -> None:
    """A mechanism of a thousandth of the mass moves in the same way; its friction was twice the limit once.

    Constraints that repeated others leave nothing undetermined when they are released.
    """
    run: dict[str, Any] = {"stop": 2.0, "points": 201, "rtol": 1e-8, "solver": solver}
    tensor = [f"I_{k}{k}" for k in (1, 2, 3)]
    names = ["friction.tau_Coulomb"]
    names += [f"{body}.{name}" for body in ("left", "right", "beam", "lug") for name in ("m", *tensor)]
    heavy = braked_unlatched.simulate(**run)
    light = {name: 1e-3 * float(heavy[name]) for name in names}
    s = braked_unlatched.simulate(parameters=light, **run)
    assert abs(s["friction.tau"]).max() == pytest.approx(1.5e-3, rel=1e-9)
    grid = np.linspace(0.0, 2.0, 21)
    assert s.at(grid)["j1.phi"] == pytest.approx(heavy.at(grid)["j1.phi"], abs=1e-5)


def pendulum(stiffness: float, span: tuple[float, float], start: Any) -> Any:
    """phi'' = -stiffness sin(phi)."""
    found = solve_ivp(
        lambda _, x: [x[1], -stiffness * np.sin(x[0])], span, start, dense_output=True, rtol=1e-11, atol=1e-12
    )
    return found.sol


def test_inertias_that_nobody_sees_do_not_limit_the_steps_of_ida(slider_crank: Any) -> None:
    """Roundings of articulated inertias did: it took a hundred times the steps of CVODE."""
    with pytest.warns(UserWarning, match="has drifted"):
        slow = slider_crank.simulate(stop=0.2, rtol=1e-8, solver="ida")
    assert slow.stats["steps"] < 8 * slider_crank.simulate(stop=0.2, rtol=1e-8, solver="cvode").stats["steps"]


@pytest.fixture(scope="module")
def damped_four_bar() -> Any:
    return tg.compile(DampedFourBar())


@pytest.fixture(scope="module")
def varied_four_bar(damped_four_bar: Any) -> Any:
    return SensitivityModel(damped_four_bar, ["coupler.r[1]"])


@pytest.mark.parametrize("initial", [None, "steady"])
def test_a_parameter_that_opens_a_loop_has_no_derivatives(
    damped_four_bar: Any, varied_four_bar: Any, initial: str | None
) -> None:
    """Parts of a planar loop leave their plane together or not at all."""
    if initial is not None:
        found = tg.gradient(
            damped_four_bar, 0.05, of=tg.final("j2.phi"),
            wrt=[{"together": {"coupler.r[1]": 1.0, "rocker.r[1]": 1.0}}],
            method="adjoint", initial=initial,
        )  # fmt: skip
        np.testing.assert_allclose(found.matrix, 0.0, atol=1e-12)
    opened = pytest.raises(tg.NumericError, match=r"E312: .*loop \('j\d.phi'.*a change of 'coupler.r\[1\]'")
    with opened:
        tg.gradient(
            damped_four_bar, 0.05, of=tg.final("j2.phi"), wrt=["coupler.r[1]"], method="adjoint", initial=initial
        )
    with opened:
        tg.sensitivity(varied_four_bar, 0.05, wrt=["coupler.r[1]"], initial=initial)


@pytest.mark.parametrize(("path", "value"), [("coupler.r[1]", 0.1), ("coupler.r[2]", 5.0)])
def test_a_loop_that_cannot_close_has_no_steady_state(damped_four_bar: Any, path: str, value: float) -> None:
    """The first one was found with a gap of 0.1 m, silently: rates at rest say nothing of it."""
    with pytest.raises(tg.NumericError, match=r"E301.*the loop that j4 closes.* m stays"):
        tg.steady_state(damped_four_bar, parameters={path: value})
