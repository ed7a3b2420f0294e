"""Planar mechanisms: against minimal coordinates, closed-form solutions and closed kinematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipk

import tellegen as tg
from shared_models import shared_model
from tellegen.library import planar
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from validation.measured import ALL, relative, within

G = 9.81


def at(value: Any, **more: Any) -> Any:
    return tg.variable(start=value, fixed=True, **more)


# -- trees ------------------------------------------------------------------------------------------------------------


class Double(tg.Component):
    """Two bars with their masses along their length; angles from the horizontal."""

    world = planar.PlanarWorld()
    wall = planar.Fixed()
    upper_joint = planar.Revolute(phi=at(0.5), w=at(0.0))
    upper = planar.BodyShape(r_ab=[1.0, 0.0], r_CM=[0.4, 0.0], m=1.2, I=0.1)
    lower_joint = planar.Revolute(phi=at(0.3), w=at(1.0))
    lower = planar.BodyShape(r_ab=[0.8, 0.0], m=0.5, I=0.05)

    def connections(self):
        yield self.wall.frame, self.upper_joint.frame_a
        yield self.upper_joint.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.lower_joint.frame_a
        yield self.lower_joint.frame_b, self.lower.frame_a


def double_reference(times: Any) -> Any:
    """The two absolute angles by Lagrange's equations, DOP853 at 1e-12."""
    m1, i1, c1, l1, m2, i2, c2 = 1.2, 0.1, 0.4, 1.0, 0.5, 0.05, 0.4

    def rate(_: float, u: Any) -> Any:
        a, b, wa, wb = u
        couple = m2 * l1 * c2
        mass = np.array([[i1 + m1 * c1**2 + m2 * l1**2, couple * np.cos(a - b)], [0.0, i2 + m2 * c2**2]])
        mass[1, 0] = mass[0, 1]
        force = [
            -couple * np.sin(a - b) * wb**2 - (m1 * c1 + m2 * l1) * G * np.cos(a),
            couple * np.sin(a - b) * wa**2 - m2 * c2 * G * np.cos(b),
        ]
        return [wa, wb, *np.linalg.solve(mass, force)]

    start = [0.5, 0.8, 0.0, 1.0]
    return solve_ivp(rate, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12).y


@pytest.mark.parametrize("solver", ALL)
def test_double_pendulum(solver: str) -> None:
    """5 s at rtol 1e-10: chaotic motion makes errors grow by some hundred, and BDF methods take thousands of steps."""
    s = shared_model(Double).simulate(5.0, rtol=1e-10, atol=1e-12, points=201, solver=solver)
    one, two, w_one, _ = double_reference(s.time)
    within("Double pendulum, upper angle", s["upper.phi"] - one, 2e-6, "minimal coordinates, rad", solver)
    within("Double pendulum, lower angle", s["lower.phi"] - two, 2e-6, "minimal coordinates, rad", solver)
    within("Double pendulum, angular velocity", s["upper.w"] - w_one, 2e-5, "minimal coordinates, rad/s", solver)


def test_trees_need_no_watching() -> None:
    """Positions follow from the joints whatever the angles: the states are theirs, and ODE mode does it."""
    s = tg.simulate(Double(), 0.1)
    assert s.stats["solver"] in {"cvode", "rk45"}
    assert "state_changes" not in s.stats


@pytest.mark.parametrize("amplitude", [0.1, 2.5])
def test_period_of_a_physical_pendulum(amplitude: float) -> None:
    """T = 4 sqrt(J/(m g d)) K(sin(amplitude/2)) with J about the hinge: a bar that hangs at a fifth of its length."""
    m, length = 3.0, 1.5
    d, inertia = 0.3 * length, m * length**2 / 12

    class Bar(tg.Component):
        world = planar.PlanarWorld()
        wall = planar.Fixed(phi=-np.pi / 2)
        hinge = planar.Revolute(phi=at(amplitude), w=at(0.0))
        bar = planar.FixedTranslation(r=[d, 0.0])
        body = planar.Body(m=m, I=inertia)
        swings = tg.integer("times through the lowest point")

        def connections(self):
            yield self.wall.frame, self.hinge.frame_a
            yield self.hinge.frame_b, self.bar.frame_a
            yield self.bar.frame_b, self.body.frame_a

        def equations(self):
            yield tg.when(self.hinge.phi < 0, self.swings == tg.pre(self.swings) + 1)

    period = 4.0 * np.sqrt((inertia + m * d**2) / (m * G * d)) * ellipk(np.sin(amplitude / 2) ** 2)
    s = tg.simulate(Bar(), 3.5 * period, rtol=1e-9)
    times = [event.time for event in s.events]
    within(f"Pendulum, period at {amplitude:g} rad", relative(np.diff(times), period), 1e-7, "elliptic integral")


def test_a_joint_is_driven_through_its_flange() -> None:
    """A motor between two free bodies: both turn, apart, with torque over inertia; together they keep their spin."""

    class Satellite(tg.Component):
        world = planar.PlanarWorld(g=0.0)
        body = planar.Body(m=1.0, I=2.0)
        joint = planar.Revolute(use_flange=True)
        wheel = planar.Body(m=0.1, I=0.5)
        motor = rot.ConstantTorque(tau_constant=0.3)

        def connections(self):
            yield self.body.frame_a, self.joint.frame_a
            yield self.joint.frame_b, self.wheel.frame_a
            yield self.motor.flange, self.joint.flange_a

    s = tg.simulate(Satellite(), 2.0, rtol=1e-9)
    within("Reaction wheel, wheel", s["wheel.w"] - 0.3 * s.time / 0.5, 1e-8, "torque over inertia, rad/s")
    within("Reaction wheel, body", s["body.w"] + 0.3 * s.time / 2.0, 1e-8, "torque over inertia, rad/s")


def test_spring_on_a_turning_slide() -> None:
    """A bead on a rod that turns with w0, held by a spring of one dimension: r'' = -(c/m - w0^2) r."""
    c, m, w0 = 40.0, 2.0, 3.0

    class Bead(tg.Component):
        world = planar.PlanarWorld(g=0.0)
        wall = planar.Fixed()
        axle = planar.Revolute(use_flange=True, phi=at(0.4))
        speed = rot.ConstantSpeed(w_fixed=w0)
        slide = planar.Prismatic(r=[3.0, 4.0], use_flange=True, s=at(0.2), v=at(0.0))
        spring = tr.Spring(c=c)
        bead = planar.Body(m=m, I=0.1)

        def connections(self):
            yield self.wall.frame, self.axle.frame_a
            yield self.speed.flange, self.axle.flange_a
            yield self.axle.frame_b, self.slide.frame_a
            yield self.slide.frame_b, self.bead.frame_a
            yield self.slide.support, self.spring.flange_a
            yield self.slide.flange_a, self.spring.flange_b

    s = tg.simulate(Bead(), 5.0, rtol=1e-9)
    omega = np.sqrt(c / m - w0**2)
    within("Bead on a turning rod", s["slide.s"] - 0.2 * np.cos(omega * s.time), 1e-7, "closed-form solution, m")
    coriolis = 2.0 * m * w0 * s["slide.v"] * s["slide.s"]  # the moment of the force across
    within("Bead on a turning rod, torque", -s["axle.tau"] + coriolis, 1e-6, "closed-form solution, N m")


# -- loops ------------------------------------------------------------------------------------------------------------


class FourBar(tg.Component):
    """Crank 0.3 m, coupler 0.9 m, rocker 0.7 m over a ground of 1 m; falls under gravity, without friction."""

    world = planar.PlanarWorld()
    left = planar.Fixed()
    right = planar.Fixed(r=[1.0, 0.0])
    a = planar.Revolute(phi=at(1.2), w=at(6.0))
    crank = planar.BodyShape(r_ab=[0.3, 0.0], m=1.0, I=0.0075)
    b = planar.Revolute(phi=tg.variable(start=-1.0))
    coupler = planar.BodyShape(r_ab=[0.9, 0.0], m=0.6, I=0.0405)
    c = planar.Revolute(phi=tg.variable(start=1.0))
    rocker = planar.BodyShape(r_ab=[0.7, 0.0], m=0.5, I=0.0204)
    d = planar.Revolute(phi=tg.variable(start=1.8))

    def connections(self):
        yield self.left.frame, self.a.frame_a
        yield self.a.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.b.frame_a
        yield self.b.frame_b, self.coupler.frame_a
        yield self.coupler.frame_b, self.c.frame_a
        yield self.c.frame_b, self.rocker.frame_b
        yield self.rocker.frame_a, self.d.frame_b
        yield self.d.frame_a, self.right.frame


def rocker_angle(crank: Any) -> Any:
    """By the law of cosines: the pin of the crank, its distance to the far bearing, and the triangle above it."""
    x, y = 0.3 * np.cos(crank) - 1.0, 0.3 * np.sin(crank)
    distance = np.hypot(x, y)
    return np.arctan2(y, x) - np.arccos((distance**2 + 0.7**2 - 0.9**2) / (2 * 0.7 * distance))


@pytest.mark.parametrize(("solver", "stop"), [("auto", 20.0), ("rk45", 100.0)])
def test_four_bar(solver: str, stop: float) -> None:
    """100 s are 150 turns of the crank. Positions hold as equations (1e-8), energy to the sum of the steps."""
    # the crank is a good state all round
    s = shared_model(FourBar).simulate(stop, rtol=1e-8, points=2001, solver=solver)
    assert s["a.phi"][-1] > 9.0 * stop
    exact = rocker_angle(s["a.phi"])
    within("Four-bar, rocker", np.angle(np.exp(1j * (s["rocker.phi"] - exact))), 1e-7, "law of cosines, rad", solver)
    pin = s["rocker.frame_b.x"], s["rocker.frame_b.y"]
    dx, dy = pin[0] - s["crank.frame_b.x"], pin[1] - s["crank.frame_b.y"]
    within("Four-bar, coupler", np.hypot(dx, dy) - 0.9, 1e-8, "constraint, m", solver)
    energy = np.zeros(len(s.time))
    for name, m, inertia in (("crank", 1.0, 0.0075), ("coupler", 0.6, 0.0405), ("rocker", 0.5, 0.0204)):
        v = s[f"{name}.v"]
        energy += 0.5 * m * (v**2).sum(axis=1) + 0.5 * inertia * s[f"{name}.w"] ** 2 + m * G * s[f"{name}.r[1]"]
    within(f"Four-bar, energy over {stop:g} s", relative(energy, energy[0]), 1e-4, "conservation", solver)


# -- ground -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("inertia", "part"), [(0.5, 2 / 3), (1.0, 1 / 2), (0.0, 1.0)])
def test_rolling_down(inertia: float, part: float) -> None:
    """a = g sin(alpha)/(1 + I/(m R^2)): a disc has 2/3, a hoop 1/2, a point mass all of it."""
    alpha, m, radius = 0.3, 2.0, 0.25

    class Disc(tg.Component):
        world = planar.PlanarWorld()
        wheel = planar.RollingWheel(R=radius, alpha=-alpha)
        body = planar.Body(m=m, I=inertia * m * radius**2)

        def connections(self):
            yield self.wheel.frame_a, self.body.frame_a

    s = tg.simulate(Disc(), 2.0, rtol=1e-9)
    a = part * G * np.sin(alpha)
    case = f"Rolling down, I = {inertia:g} m R2"
    within(case, s["wheel.s"] - 0.5 * a * s.time**2, 1e-8, "closed-form solution, m")
    within(f"{case}, normal force", s["wheel.N"] - m * G * np.cos(alpha), 1e-9, "closed-form solution, N")
    within(f"{case}, force along", s["wheel.F"] + (1 - part) * m * G * np.sin(alpha), 1e-9, "closed-form solution, N")


class Thrown(tg.Component):
    """A disc above the ground."""

    world = planar.PlanarWorld()
    body = planar.Body(m=2.0, I=0.5 * 2.0 * 0.1**2)
    ground = planar.GroundContact(R=0.1, c=1e6, d=0.2, mu=0.3)

    def connections(self):
        yield self.body.frame_a, self.ground.frame_a


def test_bounce() -> None:
    """The speed after a stroke of N = c p (1 + d p'): G(u) = u/d - ln(1 + d u)/d^2 is the same for -u_out and u_in.

    (m u du/dp = -c p (1 + d u) without gravity, whatever c is. Gravity is 3e-4 of the force of the stroke.)
    """
    d, u_in = 0.2, np.sqrt(2 * G * 1.0)
    u_out: Any = brentq(lambda u: u_in / d - np.log1p(d * u_in) / d**2 + u / d + np.log1p(-d * u) / d**2, 1e-3, 4.9)
    s = tg.simulate(Thrown(), 0.6, rtol=1e-9, initial={"body.r[1]": 1.1}, parameters={"ground.c": 1e8})
    touches, parts = (event.time for event in s.events if "mode" in " ".join(event.what))
    within("Bounce, time of the first touch", touches - np.sqrt(2 / G), 1e-8, "free fall, s")
    within("Bounce, speed after it", relative(s.at(parts)["body.v[1]"], u_out), 1e-3, "closed, without gravity")


def test_sliding_becomes_rolling() -> None:
    """A disc set on the ground with 3 m/s slides until v = -R w: after v0/(3 mu g) it rolls with 2/3 v0, for good."""
    rest = 2.0 * G / 1e6  # the depth at which it rests
    start = {"body.r[1]": 0.1 - rest, "body.v[0]": 3.0}
    s = tg.simulate(Thrown(), 1.0, rtol=1e-9, initial=start)
    stuck = [event.time for event in s.events]
    within("Sliding to rolling, time", stuck[-1] - 3.0 / (3 * 0.3 * G), 1e-6, "closed-form solution, s")
    within("Sliding to rolling, speed", s["body.v[0]"][-1] - 2.0, 1e-6, "closed-form solution, m/s")
    within("Sliding to rolling, slip", s["ground.v_slip"][-1], 1e-9, "rolling, m/s")
    assert s["ground.mode"][-1] == 0


# -- wheels from above ------------------------------------------------------------------------------------------------


class Tricycle(tg.Component):
    """Two driven rear wheels and a body; one wheel is faster than the other, so it goes round in a circle."""

    world = planar.PlanarWorld(g=0.0)
    body = planar.Body(m=50.0, I=8.0)
    axle_left = planar.FixedTranslation(r=[0.0, 0.4])
    axle_right = planar.FixedTranslation(r=[0.0, -0.4])
    left = planar.IdealWheelJoint(radius=0.2)
    right_drive = rot.ConstantSpeed(w_fixed=10.0)
    left_drive = rot.ConstantSpeed(w_fixed=6.0)
    right = planar.DryFrictionWheelJoint(radius=0.2, N=250.0, v_adhesion=1e-4, v_slide=1e-3)

    def connections(self):
        yield self.body.frame_a, self.axle_left.frame_a, self.axle_right.frame_a
        yield self.axle_left.frame_b, self.left.frame_a
        yield self.axle_right.frame_b, self.right.frame_a
        yield self.left_drive.flange, self.left.flange_a
        yield self.right_drive.flange, self.right.flange_a


def test_round_in_a_circle() -> None:
    """v = (2 + 1.2)/2 m/s and w = (2 - 1.2)/0.8 rad/s: a circle of radius 1.6 m, through all directions.

    Both wheels are on one axle, so only one may hold it across; the other has friction, which lags by its slip
    velocity times what it takes to go round (a hundredth of v_adhesion).
    """
    start = {"body.v[0]": 1.6, "body.w": 1.0}
    s = tg.simulate(Tricycle(), 10.0, rtol=1e-8, initial=start)
    phi = s["body.phi"]
    within("Two wheels, angle", phi - s.time, 1e-3, "closed kinematics, rad")
    circle = 1.6 * np.sin(s.time), 1.6 * (1.0 - np.cos(s.time))
    within("Two wheels, way", np.hypot(s["body.r[0]"] - circle[0], s["body.r[1]"] - circle[1]), 5e-3, "closed, m")


def test_spring_between_points() -> None:
    """A mass that a spring pulls to a point: flat orbits. Angular momentum and energy keep; the period by quadrature.

    r between r1 and r2: T = 2 integral of dr/sqrt(2 (E - V(r)) - h^2/r^2) over half an orbit.
    """
    c, free, m = 30.0, 0.5, 1.0

    class Orbit(tg.Component):
        world = planar.PlanarWorld(g=0.0)
        wall = planar.Fixed()
        spring = planar.Spring(c=c, s_unstretched=free)
        mass = planar.Body(m=m, I=0.1)

        def connections(self):
            yield self.wall.frame, self.spring.frame_a
            yield self.spring.frame_b, self.mass.frame_a

    s = tg.simulate(Orbit(), 20.0, rtol=1e-10, points=2001, initial={"mass.r[0]": 1.0, "mass.v[1]": 2.0})
    r, v = s["mass.r"], s["mass.v"]
    spin = r[:, 0] * v[:, 1] - r[:, 1] * v[:, 0]
    energy = 0.5 * (v**2).sum(axis=1) + 0.5 * c * (np.hypot(*r.T) - free) ** 2
    within("Mass on a spring, angular momentum", relative(spin, 2.0), 1e-7, "conservation")
    within("Mass on a spring, energy", relative(energy, energy[0]), 1e-7, "conservation")

    def squared(x: float) -> float:
        return 2.0 * (energy[0] - 0.5 * c * (x - free) ** 2) - 4.0 / x**2

    inner: Any = brentq(squared, 0.3, 0.7)
    # r = middle + half cos(angle) takes the roots at both ends away
    middle, half = (1.0 + inner) / 2, (1.0 - inner) / 2
    period = 2.0 * quad(lambda q: half * np.sin(q) / np.sqrt(squared(middle + half * np.cos(q))), 1e-7, np.pi - 1e-7)[0]
    distance = np.hypot(*s.at(period * np.arange(1, int(20.0 / period) + 1))["mass.r"].T)
    within("Mass on a spring, farthest after each period", distance - 1.0, 1e-5, "quadrature, m")
