"""What friction and dampers of a mechanism take from it leaves through their heat ports: nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import multibody as mb
from tellegen.library import rotational, thermal, translational

CAPACITY = 50.0  # J/K


class Brakes(tg.Component):
    """Two bars and a slide with losses of every kind, all of which warm one piece of metal."""

    world = mb.World()
    shoulder = mb.Revolute(n=[0, 0, 1], use_flange=True, w=tg.variable(start=6.0, fixed=True))
    friction = rotational.BearingFriction(tau_pos=[[0.0, 0.4], [10.0, 0.6]], use_heat_port=True)
    upper = mb.BodyBox(r=[0.5, 0, 0], width=0.05)
    elbow = mb.Revolute(n=[0, 0.6, 0.8], use_flange=True, w=tg.variable(start=-9.0, fixed=True))
    damper = rotational.Damper(d=0.2, use_heat_port=True)
    lower = mb.BodyBox(r=[0.4, 0, 0], width=0.04)
    slide = mb.Prismatic(n=[1, 0, 0], use_flange=True, v=tg.variable(start=1.0, fixed=True))
    drag = translational.Damper(d=8.0, use_heat_port=True)
    weight = mb.BodySphere(diameter=0.1)
    line = mb.Damper(d=3.0, use_heat_port=True)
    post = mb.Fixed(r=[0.3, 0.8, 0.2])
    metal = thermal.HeatCapacitor(C=CAPACITY)

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.shoulder.frame_a
        yield self.shoulder.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.elbow.frame_a
        yield self.elbow.frame_b, self.lower.frame_a
        yield self.lower.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.weight.frame_a, self.line.frame_a
        yield self.post.frame_b, self.line.frame_b
        yield self.shoulder.axis, self.friction.flange_a
        yield self.elbow.axis, self.damper.flange_a
        yield self.elbow.support, self.damper.flange_b
        yield self.slide.axis, self.drag.flange_a
        yield self.slide.support, self.drag.flange_b
        lossy = (self.friction, self.damper, self.drag, self.line)
        yield self.metal.port, *(part.heat_port for part in lossy)


@cache
def arms_with_brakes() -> tg.Mechanism:
    return tg.mechanism(Brakes())


@pytest.mark.parametrize("solver", ["rk45", "cvode"])
def test_energy_that_is_lost_is_heat(solver: str) -> None:
    run = shared_model(Brakes).simulate(stop=2.0, points=41, rtol=1e-9, solver=solver)
    mechanism = arms_with_brakes()
    q = {"shoulder": run["shoulder.phi"], "elbow": run["elbow.phi"], "slide": run["slide.s"]}
    v = {"shoulder": run["shoulder.w"], "elbow": run["elbow.w"], "slide": run["slide.v"]}
    energy = mechanism.energy(q, v)
    lost = -np.diff(energy.kinetic + energy.potential)
    heat = CAPACITY * np.diff(run["metal.T"])
    assert lost.sum() > 5.0
    assert (heat >= 0.0).all()
    np.testing.assert_allclose(heat, lost, atol=1e-6 * lost.sum())
