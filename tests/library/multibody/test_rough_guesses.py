"""Mechanisms assembled from rough guesses that leave them free to move: the nearest position, and how it is varied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import tellegen as tg
from library.multibody.loops import FourBar, SliderCrank
from tellegen.library import multibody as mb


class Loose(FourBar):
    """A four-bar whose crank may start anywhere, with guesses that leave its loop open."""

    guess = tg.parameter([0.3, 0.8, 0.0], "rad", "angles of three joints")
    j1 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=guess[0]), w=tg.variable(start=8.0))
    j2 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=guess[1]))
    j3 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=guess[2]))


@pytest.fixture(scope="module")
def loose() -> Any:
    return tg.compile(Loose())


def gap_of_four_bar(phi: Any) -> Any:
    """Between coupler and rocker."""
    angles = np.array([phi[0], phi[0] + phi[1], phi[2]])
    reach = np.array([0.3, 1.0, -0.7])
    return [reach @ np.sin(angles) - 1.0, reach @ np.cos(angles)]


def test_the_nearest_position_to_rough_guesses(loose: Any) -> None:
    """By SciPy: the least squares of changes of angles, with the loop closed."""
    guess = np.array([0.3, 0.8, 0.0])
    closed = {"type": "eq", "fun": gap_of_four_bar}

    def distance(phi: Any) -> float:
        return ((phi - guess) ** 2).sum() + (phi[2] - phi[0] - phi[1]) ** 2  # j4 is guessed to be at zero

    found = minimize(distance, guess, constraints=[closed], tol=1e-14)
    s = loose.simulate(stop=1e-6, points=2)
    assert [s[f"j{k}.phi"][0] for k in (1, 2, 3)] == pytest.approx(found.x, abs=1e-7)


class LooseSlider(SliderCrank):
    """Nothing of it is fixed; a ball joint, a universal joint."""

    hinge = mb.Revolute(n=[1, 0, 0], phi=tg.variable(start=0.2), w=tg.variable(start=6.0))
    slide = mb.Prismatic(n=[1, 0, 0], s=tg.variable(start=0.35))


class LooseRod(tg.Component):
    """A rod between two balls, the upper one on a slide: its orientation is a quaternion, guessed with its rates."""

    world = mb.World(n=[0, 0, -1])
    angles = tg.parameter([0.1, 0.2, -0.1], "rad")
    ball = mb.Spherical(angles_start=angles, w_rel_a_start=[0.5, -0.3, 0.4])
    rod = mb.BodyShape(r=[0.5, 0.2, 0.3], r_CM=[0.2, 0.1, 0], m=1.0, I_11=0.1, I_22=0.12, I_33=0.13)
    cut = mb.SphericalConstraint()
    post = mb.FixedTranslation(r=[0.5, 0.1, 0.2])
    slide = mb.Prismatic(n=[0, 0.6, 0.8], s=tg.variable(start=0.2), v=tg.variable(start=0.3))
    slider = mb.Body(m=1.0)
    spin = mb.AbsoluteAngularVelocity(resolve_in="world")

    def connections(self) -> Any:
        yield self.world.frame_b, self.ball.frame_a, self.post.frame_a
        yield self.ball.frame_b, self.rod.frame_a, self.spin.frame_a
        yield self.rod.frame_b, self.cut.frame_a
        yield self.post.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.slider.frame_a, self.cut.frame_b


ROUGH = {
    "four-bar": (Loose, {"coupler.r[2]": 1.0, "guess[1]": 0.8, "rocker.m": 1.0}, ["j1.phi", "j3.w"]),
    "slider-crank": (LooseSlider, {"rod.r[0]": -0.3, "crank.r[2]": 0.08}, ["slide.s", "hinge.w"]),
    "rod": (LooseRod, {"post.r[0]": 0.5, "angles[1]": 0.2}, ["spin.w[0]", "spin.w[2]"]),
}


@pytest.mark.parametrize("name", ROUGH)
def test_derivatives_of_rough_guesses_that_leave_it_free(name: str, loose: Any) -> None:
    """Against difference quotients of runs that are assembled again; benchmarks/rough_guesses.py has random loops."""
    cls, wrt, of = ROUGH[name]
    compiled = loose if cls is Loose else tg.compile(cls())
    functions = [tg.final(path) for path in of]
    forward, adjoint = (
        tg.gradient(compiled, 0.1, of=functions, wrt=list(wrt), method=method, rtol=1e-8).matrix
        for method in ("forward", "adjoint")
    )
    expected = np.zeros_like(forward)
    for k, (path, value) in enumerate(wrt.items()):
        step = 1e-4 * value
        low, high = (compiled.simulate(stop=0.1, parameters={path: value + d}, rtol=1e-10) for d in (-step, step))
        expected[:, k] = [(high[name][-1] - low[name][-1]) / (2 * step) for name in of]
    scale = np.abs(expected).max()
    assert forward == pytest.approx(expected, abs=1e-6 * scale)
    assert adjoint == pytest.approx(expected, abs=1e-6 * scale)


def test_an_optimum_over_rough_guesses(loose: Any) -> None:
    """The coupler with which the rocker is where it is with one of 1.1 m."""
    there = loose.simulate(stop=0.1, parameters={"coupler.r[2]": 1.1}, rtol=1e-9)["j3.phi"][-1]
    best = tg.optimize(
        loose, 0.1, minimize=(tg.final("j3.phi") - there) ** 2, variables={"coupler.r[2]": (1.0, 1.2)}, rtol=1e-8
    )
    assert best.variables["coupler.r[2]"] == pytest.approx(1.1, abs=1e-5)
    linear = tg.linearize(loose, outputs=["j3.phi"])
    assert linear.A.shape == (2, 2)


class Bead(tg.Component):
    """On a circle, which its guess stands in the middle of: all of it is equally near."""

    aside = tg.parameter(0.0)
    x = tg.variable(start=1e-9)
    y = tg.variable(start=aside)
    gap = tg.variable()
    by_x = tg.variable()
    by_y = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.y
        yield tg.der(self.y) == self.x
        yield self.gap == self.x**2 + self.y**2 - 1.0
        yield self.by_x == 2 * self.x
        yield self.by_y == 2 * self.y
        yield tg.invariant(self.gap, {self.x: self.by_x, self.y: self.by_y})


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_guesses_that_are_as_near_to_other_positions(method: str) -> None:
    with pytest.raises(tg.NumericError, match=r"E312.*'x', 'y'.* as near to other positions"):
        tg.gradient(Bead(), 0.1, of=[tg.final("x")], wrt=["aside"], method=method)


class Tied(FourBar):
    """An initial equation between two angles of its loop."""

    j1 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=0.3), w=tg.variable(start=8.0))

    def initial_equations(self) -> Any:
        yield self.j1.phi == 0.6 * self.j2.phi


def test_initial_equations_that_do_not_settle_with_a_loop() -> None:
    """They were integrated from an open loop, with warnings."""
    with pytest.raises(tg.NumericError, match=r"E301.*both the initial equations and the invariants.*keep changing"):
        tg.simulate(Tied(), stop=0.1)
