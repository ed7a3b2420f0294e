"""Limits of joints: parts of one-dimensional mechanics between the flanges of a joint, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb
from tellegen.library import rotational, translational

M, L, LIMIT = 2.0, 0.5, 0.4
J = M * L**2 / 3
SWING = M * 9.81 * L / 2


class Limited(tg.Component):
    """A rod that hangs down at phi = 0 and swings between elastic stops at +-0.4 rad."""

    world = mb.World()
    hinge = mb.Revolute(use_flange=True, w=started(5.0))
    rod = mb.BodyShape(r=[0, -L, 0], r_CM=[0, -L / 2, 0], m=M, I_11=M * L**2 / 12, I_22=1e-6, I_33=M * L**2 / 12)
    stop = rotational.ElastoBacklash(c=2e3, d=1.5, b=2 * LIMIT, limited_damping=False)

    def connections(self) -> Any:
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rod.frame_a
        yield self.hinge.support, self.stop.flange_a
        yield self.hinge.axis, self.stop.flange_b


def limited(_: float, state: Any) -> Any:
    """The same rod by itself."""
    phi, w = state
    depth = abs(phi) - LIMIT
    side = np.sign(phi)
    push = max(2e3 * depth + 1.5 * side * w, 0.0) if depth > 0 else 0.0
    return [w, (-SWING * np.sin(phi) - side * push) / J]


def test_a_pendulum_between_elastic_stops() -> None:
    s = tg.simulate(Limited(), stop=1.5, rtol=1e-8)
    exact = solve_ivp(limited, (0, 1.5), [0.0, 5.0], dense_output=True, rtol=1e-8, max_step=5e-4)
    assert s["hinge.phi"] == pytest.approx(exact.sol(s.time)[0], abs=1e-3)  # SciPy steps over the impacts
    energy = J * s["hinge.w"] ** 2 / 2 - SWING * np.cos(s["hinge.phi"])
    free = np.abs(s["hinge.phi"]) < LIMIT - 1e-6
    bounces = np.flatnonzero(np.diff(free.astype(int)) == 1)
    assert len(bounces) >= 4
    assert np.ptp(energy[: np.flatnonzero(~free)[0]]) < 1e-6  # nothing is lost on the way to the first impact
    assert (np.diff(energy[bounces + 1]) < -0.01).all()  # each impact loses energy by the damping of the stop
    assert np.abs(s["hinge.phi"]).max() < LIMIT + 0.06


class Rebound(Limited):
    """The same with a rigid stop at -0.4 rad that gives back 0.6 of the speed."""

    stop = rotational.RigidContact(phi_rel0=-LIMIT, e=0.6)
    hinge = mb.Revolute(use_flange=True, w=started(-5.0))


def test_a_rigid_stop_rebounds() -> None:
    s = tg.simulate(Rebound(), stop=0.3, rtol=1e-9)
    at = int(np.argmin(s["hinge.phi"]))
    assert s["hinge.phi"][at] == pytest.approx(-LIMIT, abs=1e-7)
    before = -np.sqrt(25.0 - 2 * SWING / J * (1 - np.cos(LIMIT)))
    assert s["hinge.w"].min() == pytest.approx(-5.0)
    after = s["hinge.w"][s.time > s.time[at]][0]
    assert after == pytest.approx(-0.6 * before, rel=1e-2)
    energy = J * s["hinge.w"] ** 2 / 2 - SWING * np.cos(s["hinge.phi"])
    assert energy[-1] == pytest.approx(J * (0.6 * before) ** 2 / 2 - SWING * np.cos(LIMIT), rel=1e-6)


class Slide(tg.Component):
    """A mass falls along a rail onto an elastic stop at s = 0."""

    world = mb.World()
    rail = mb.Prismatic(n=[0, 1, 0], use_flange=True, s=started(0.2))
    mass = mb.Body(m=1.0)
    stop = translational.ElastoGap(c=1e4, d=0.0, s_rel0=0.0)

    def connections(self) -> Any:
        yield self.world.frame_b, self.rail.frame_a
        yield self.rail.frame_b, self.mass.frame_a
        yield self.rail.support, self.stop.flange_a
        yield self.rail.axis, self.stop.flange_b


def test_a_slide_on_an_elastic_stop() -> None:
    """Without damping it comes back to where it started, and dips in by what its energy allows."""
    s = tg.simulate(Slide(), stop=1.0, rtol=1e-9)
    weight = 9.81
    deepest = -(weight + np.sqrt(weight**2 + 2 * 1e4 * weight * 0.2)) / 1e4
    assert s["rail.s"].min() == pytest.approx(deepest, abs=2e-4)  # between the points
    later = s["rail.s"][s.time > 0.3]
    assert later.max() == pytest.approx(0.2, abs=1e-4)
