"""Rods between joints: a spatial four-bar against published results, a pendulum, and the functions of mechanisms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb


class FourBar(tg.Component):
    """Fourbar_analytic of the Modelica library: a crank moves a slide over a rod with balls at both ends."""

    world = mb.World(g=9.80665)
    j1 = mb.Revolute(n=[1, 0, 0], phi=started(0.0), w=started(5.235987755982989))
    b1 = mb.BodyCylinder(r=[0, 0.5, 0.1], diameter=0.05)
    rod = mb.SphericalSpherical(rod_length=1.1**0.5)
    b3 = mb.FixedTranslation(r=[1.0, 0, 0])
    slide = mb.Prismatic(n=[1, 0, 0])
    b2 = mb.BodyCylinder(r=[0, 0.2, 0], diameter=0.05)

    def connections(self) -> Any:
        yield self.world.frame_b, self.j1.frame_a, self.b3.frame_a
        yield self.j1.frame_b, self.b1.frame_a
        yield self.b1.frame_b, self.rod.frame_a
        yield self.b3.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.b2.frame_a
        yield self.b2.frame_b, self.rod.frame_b


@pytest.fixture(scope="module")
def four_bar() -> Any:
    return tg.compile(FourBar())


def test_published_results(four_bar: Any) -> None:
    """They allow 0.002 of the range."""
    s = four_bar.simulate(stop=5.0, rtol=1e-8).at([1.012, 2.002, 3.008, 5.0])
    assert s["j1.phi"] == pytest.approx([7.90167, 16.5256, 24.5395, 40.2413], abs=2e-3)


def test_a_rod_with_little_mass_is_the_same(four_bar: Any) -> None:
    light = FourBar(rod=mb.UniversalSpherical(n1_a=[0, 0, 1], r_rod_ia=[1, -0.3, -0.1], m=1e-7))
    ends = [model.simulate(stop=1.0, rtol=1e-9)["j1.phi"][-1] for model in (four_bar, tg.compile(light))]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_functions_of_mechanisms_know_rods(four_bar: Any) -> None:
    m = tg.mechanism(FourBar())
    s = four_bar.simulate(stop=1.0, points=5, rtol=1e-10)
    q = np.stack([s["j1.phi"], s["slide.s"]], axis=1)
    v = np.stack([s["j1.w"], s["slide.v"]], axis=1)
    assert m.constraints(q[3]).gaps == pytest.approx([0.0], abs=1e-9)
    assert m.constraints(q[3]).J @ v[3] == pytest.approx([0.0], abs=1e-8)
    assert m.accelerations(q, v)[:, 1] == pytest.approx(s["slide.a"], rel=1e-7)


class Pendulum(tg.Component):
    """A mass on a rod that weighs something, in its middle."""

    world = mb.World()
    rod = mb.SphericalSpherical(rod_length=1.0, m=0.6)
    bob = mb.Body(m=0.4, r_0_start=[0.6, -0.8, 0], I_11=1e-3, I_22=1e-3, I_33=1e-3)

    def connections(self) -> Any:
        yield self.world.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.bob.frame_a


def test_a_rod_with_a_mass_in_its_middle() -> None:
    assert isinstance(Pendulum().rod.mass, mb.MassBetween)
    s = tg.simulate(Pendulum(), stop=2.0, points=41, rtol=1e-9)
    stiffness = 9.81 * (0.4 + 0.3) / (0.4 + 0.15)
    exact = solve_ivp(
        lambda _, x: [x[1], -stiffness * np.sin(x[0])],
        (0, 2.0),
        [np.arcsin(0.6), 0.0],
        t_eval=s.time,
        rtol=1e-11,
        atol=1e-12,
    ).y[0]
    assert s["bob.frame_a.r_0"][:, 0] == pytest.approx(np.sin(exact), abs=1e-7)
    pull = 0.4 * (9.81 * 0.8) + 0.3 * 9.81 * 0.8  # at rest, along the rod, of the mass and the half of the rod's
    assert s["rod.f_rod"][0] == pytest.approx(-pull, rel=1e-6)
