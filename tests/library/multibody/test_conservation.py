"""What no mechanism may lose: energy, and without a world to push against momentum and angular momentum.

A tree with every kind of joint and body, held together by springs and bushings, tumbles in space; with gravity its
momentum grows by m g t. Energy and momenta are read off the frames of the bodies, not off the equations of the sweeps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb
from tellegen.library.multibody.sweeps.vectors import cross, full

RUN: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-10, "points": 201}
BRANCHES = ("box", "tube", "bob", "plate", "nut", "ball", "slider")


class Tumbling(tg.Component):
    """A trunk that nothing holds, and on it one body by each kind of joint."""

    world = mb.World(g=0.0)
    trunk = mb.Body(
        m=2.0, I_11=0.05, I_22=0.06, I_33=0.07, I_21=0.01, w_0_start=[1.0, 0.5, -0.8], v_0_start=[0.1, 0.2, -0.3]
    )
    out = mb.FixedRotation.array(7, n=[1.0, 2.0, 3.0], angle=np.linspace(0.2, 2.9, 7), r=[0.1, 0.2, -0.1])
    universal = mb.Universal(phi_a=started(0.3), phi_b=started(0.1), w_a=started(0.5), w_b=started(-1.0))
    gimbal = mb.Gimbal(sequence=[3, 1, 2], angles=started([0.1, 0.2, 0.3]), w=started([0.3, 0.2, -0.4]))
    cylindrical = mb.Cylindrical(n=[1.0, 1.0, 0.0], s=started(0.1), v=started(0.05), phi=started(0.2), w=started(1.0))
    planar = mb.Planar(s_x=started(0.1), s_y=started(-0.1), phi=started(0.2), w=started(-1.0))
    screw = mb.Screw(pitch=0.2, phi=started(0.3), w=started(1.0))
    spherical = mb.Spherical(angles_start=[0.2, 0.1, 0.3], w_rel_a_start=[0.5, -0.4, 0.3])
    prismatic = mb.Prismatic(n=[0.0, 1.0, 1.0], s=started(0.2), v=started(0.1))
    box = mb.BodyBox(r=[0.2, 0.1, 0.0], width=0.05, inner_width=0.02)
    tube = mb.BodyCylinder(r=[0.2, 0.0, 0.1], diameter=0.1, inner_diameter=0.05)
    bob = mb.BodySphere(diameter=0.1, r_CM=[0.1, 0.2, 0.1])
    plate = mb.BodyShape(r=[0.2, 0.1, 0.0], r_CM=[0.1, 0.0, 0.1], m=1.5, I_11=0.01, I_22=0.01, I_33=0.012)
    nut = mb.Body(r_CM=[0.0, 0.1, 0.1], m=0.7, I_11=0.01, I_22=0.01, I_33=0.012)
    ball = mb.Body(r_CM=[0.1, 0.1, 0.0], m=0.9, I_11=0.02, I_22=0.01, I_33=0.015)
    slider = mb.PointMass(m=0.8)
    springs = mb.Spring.array(7, c=30.0, s_unstretched=0.2)
    bushing = mb.Bushing(c=[5.0, 6.0, 7.0], d=[0.0] * 3, c_t=[0.2, 0.3, 0.4], d_t=[0.0] * 3)

    momentum = tg.variable("kg.m/s", "of all bodies", shape=3)
    spin = tg.variable("kg.m2/s", "angular momentum about the origin", shape=3)
    kinetic = tg.variable("J", "kinetic energy")
    elastic = tg.variable("J", "energy in springs")
    lifted = tg.variable("kg.m", "first moment of mass, upwards")

    def connections(self) -> Any:
        joints = (self.universal, self.gimbal, self.cylindrical, self.planar)
        joints += (self.screw, self.spherical, self.prismatic)
        for k, (joint, body) in enumerate(zip(joints, self.branches(), strict=True)):
            yield self.trunk.frame_a, self.out[k].frame_a, self.springs[k].frame_a
            yield self.out[k].frame_b, joint.frame_a
            yield joint.frame_b, body.frame_a
            yield self.springs[k].frame_b, body.frame_a
        yield self.bushing.frame_a, self.box.frame_b
        yield self.bushing.frame_b, self.tube.frame_b

    def branches(self) -> Any:
        return [getattr(self, name) for name in BRANCHES]

    def equations(self) -> Any:
        bodies = [Seen(body) for body in [self.trunk, *self.branches()]]
        yield self.momentum == sum_of([body.m * body.v for body in bodies])
        yield self.spin == sum_of([cross(body.r, body.m * body.v) + body.spin for body in bodies])
        yield self.kinetic == sum_of([body.energy for body in bodies])
        stretched = [self.springs[k].s - self.springs[k].s_unstretched for k in range(7)]
        yield self.elastic == self.bushing.energy() + sum_of([15.0 * (s**2) for s in stretched])
        yield self.lifted == sum_of([body.m * body.r[1] for body in bodies])


class Seen:
    """Motion of the centre of mass of a body and its spin about it, from what its frame shows."""

    def __init__(self, body: Any) -> None:
        frame = body.frame_a
        extended = hasattr(body, "inertia")
        self.m = body.m
        arm = body.r_CM if extended else np.zeros(3)
        self.r = frame.r_0 + frame.R.T @ arm if extended else frame.r_0
        self.v = frame.v_0 + frame.R.T @ cross(frame.w, arm) if extended else frame.v_0
        self.energy = 0.5 * body.m * (self.v @ self.v)
        self.spin = [0.0, 0.0, 0.0]
        if extended:
            own = full(body.inertia) @ frame.w
            self.energy = self.energy + 0.5 * (frame.w @ own)
            self.spin = frame.R.T @ own


def sum_of(terms: list[Any]) -> Any:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


@pytest.fixture(scope="module")
def tumbling() -> Any:
    return tg.compile(Tumbling())


def test_a_tree_that_tumbles_in_space_keeps_energy_and_momenta(tumbling: Any) -> None:
    """20 s at rtol 1e-9: some ten thousand steps may add up to 1e-6 of the energy."""
    s = tumbling.simulate(stop=20.0, **RUN)
    energy = s["kinetic"] + s["elastic"]
    assert np.ptp(s["kinetic"]) > 0.2 * energy[0]  # it does exchange energy
    assert abs(energy - energy[0]).max() < 1e-6 * energy[0]
    assert abs(s["momentum"] - s["momentum"][0]).max() < 1e-6 * abs(s["momentum"]).max()
    assert abs(s["spin"] - s["spin"][0]).max() < 1e-6 * abs(s["spin"]).max()


def test_gravity_adds_to_momentum_what_it_should(tumbling: Any) -> None:
    s = tumbling.simulate(stop=3.0, parameters={"world.g": 5.0}, **RUN)
    energy = s["kinetic"] + s["elastic"] + 5.0 * s["lifted"]
    masses = [s["trunk.m"], *(s[f"{name}.m"] for name in BRANCHES)]
    fallen = s["momentum"] - s["momentum"][0] - np.outer(s.time, [0.0, -5.0 * sum(masses), 0.0])
    assert abs(fallen).max() < 1e-6 * abs(s["momentum"]).max()
    assert abs(energy - energy[0]).max() < 1e-6 * abs(s["kinetic"]).max()
