"""Joints that are constraints only, against the same mechanisms with joints that have coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from library.multibody.mechanisms import started
from library.multibody.random_graphs import Oracle, model, random_graph
from tellegen.library import multibody as mb


def bar(length: float) -> mb.BodyShape:
    across = length**2 / 12
    return mb.BodyShape(r=[0, 0, length], r_CM=[0, 0, length / 2], I_11=across, I_22=across, I_33=1e-4)


def four_bar(last: Any) -> tg.Component:
    """A planar four-bar in space whose last joint is given."""

    class FourBar(tg.Component):
        world = mb.World(n=[0, 0, -1])
        j1 = mb.Revolute(n=[0, 1, 0], phi=started(0.3), w=started(8.0))
        j2 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=0.8))
        j3 = mb.Revolute(n=[0, 1, 0])
        j4 = last
        crank = bar(0.3)
        coupler = bar(1.0)
        rocker = bar(0.7)
        base = mb.FixedTranslation(r=[1, 0, 0])

        def connections(self) -> Any:
            yield self.world.frame_b, self.j1.frame_a, self.base.frame_a
            yield self.j1.frame_b, self.crank.frame_a
            yield self.crank.frame_b, self.j2.frame_a
            yield self.j2.frame_b, self.coupler.frame_a
            yield self.base.frame_b, self.j3.frame_a
            yield self.j3.frame_b, self.rocker.frame_a
            yield self.coupler.frame_b, self.j4.frame_a
            yield self.j4.frame_b, self.rocker.frame_b

    return FourBar()


@pytest.fixture(scope="module")
def reference() -> Any:
    return tg.simulate(four_bar(mb.Revolute(n=[0, 1, 0])), stop=1.0, points=11, rtol=1e-9)


@pytest.mark.parametrize(
    ("last", "repeated"),
    [
        (mb.RevoluteConstraint(n=[0, 1, 0]), 3),
        (mb.SphericalConstraint(), 1),
        (mb.SphericalConstraint(y_locked=False), 0),
        (mb.UniversalConstraint(n_a=[1, 0, 0], n_b=[0, 1, 0]), 2),
    ],
    ids=["revolute", "spherical", "in the plane", "universal"],
)
def test_a_loop_closed_by_a_constraint(reference: Any, last: Any, repeated: int) -> None:
    """In a plane two constraints are enough; the others repeat them."""
    closed = four_bar(last)
    s = tg.simulate(closed, stop=1.0, points=11, rtol=1e-9)
    assert s["j2.phi"] == pytest.approx(reference["j2.phi"], abs=1e-6)
    assert len(tg.mechanism(closed).freedoms().redundant) == repeated
    assert np.abs(s["j4.force"]).max() > 1.0
    assert np.abs(s["j4.torque"]).max() < 1e-9


class Slides(tg.Component):
    """The same body on two slides down a slope: a joint with a coordinate, with a sensor, and a constraint."""

    slope = mb.FixedRotation(n=[0, 0, 1], angle=-0.5)
    felt = mb.CutForceAndTorque()
    joint = mb.Prismatic(s=started(0.0))
    world = mb.World()
    held = mb.Body(m=2.0, r_CM=[0.1, 0.2, 0.3])
    free = mb.Body(m=2.0, r_CM=[0.1, 0.2, 0.3], angles_start=[0, 0, -0.5])
    constraint = mb.PrismaticConstraint(x_locked=False)
    at = mb.AbsolutePosition()

    def connections(self) -> Any:
        yield self.world.frame_b, self.slope.frame_a
        yield self.slope.frame_b, self.felt.frame_a, self.constraint.frame_a
        yield self.felt.frame_b, self.joint.frame_a
        yield self.joint.frame_b, self.held.frame_a
        yield self.constraint.frame_b, self.free.frame_a, self.at.frame_a


def test_a_slide_by_a_constraint() -> None:
    s = tg.simulate(Slides(), stop=1.0, rtol=1e-7)
    way = 9.81 * np.sin(0.5) * s.time**2 / 2
    assert s["joint.s"] == pytest.approx(way, abs=1e-6)
    assert s["at.r"] == pytest.approx(np.outer(way, [np.cos(0.5), -np.sin(0.5), 0.0]), abs=1e-6)
    assert s["constraint.force"] == pytest.approx(s["felt.force"], abs=1e-6)
    assert s["constraint.torque"] == pytest.approx(s["felt.torque"], abs=1e-6)
    assert s["constraint.force"][-1] == pytest.approx([0.0, 2 * 9.81 * np.cos(0.5), 0.0], abs=1e-6)


def test_a_constraint_that_locks_nothing_is_refused() -> None:
    loose = mb.SphericalConstraint(x_locked=False, y_locked=False, z_locked=False)
    with pytest.raises(tg.DataError, match="holds nothing"):
        tg.compile(four_bar(loose))


class Welded(tg.Component):
    """Two equal pendulums; the bob of one is held by a sensor, that of the other by a constraint."""

    world = mb.World()
    hinges = mb.Revolute.array(2, phi=started(0.7))
    rods = mb.BodyShape.array(2, r=[1, 0, 0], r_CM=[0.5, 0, 0])
    sensor = mb.CutForceAndTorque()
    weld = mb.PrismaticConstraint()
    bobs = mb.Body.array(
        2, m=2.0, r_CM=[0, 0.2, 0.1], r_0_start=[np.cos(0.7), np.sin(0.7), 0], angles_start=[0, 0, 0.7]
    )

    def connections(self) -> Any:
        for k, held in enumerate((self.sensor, self.weld)):
            yield self.world.frame_b, self.hinges[k].frame_a
            yield self.rods[k].frame_b, held.frame_a
            yield held.frame_b, self.bobs[k].frame_a
        yield self.hinges.frame_b, self.rods.frame_a


def test_all_positions_locked_is_a_weld() -> None:
    s = tg.simulate(Welded(), stop=1.0, rtol=1e-8)
    assert s["hinges[1].phi"] == pytest.approx(s["hinges[0].phi"], abs=1e-6)
    assert s["weld.force"] == pytest.approx(s["sensor.force"], abs=1e-4)
    assert s["weld.torque"] == pytest.approx(s["sensor.torque"], abs=1e-4)
    assert tg.mechanism(Welded()).freedoms().left == 2


@pytest.mark.filterwarnings("ignore")  # joints that others lock stay at zero
@pytest.mark.parametrize(
    ("seed", "only_constraints", "solver"),
    [(1, False, "auto"), (3, False, "auto"), (15, True, "auto"), (15, False, "ida")],
)
def test_random_graphs(seed: int, only_constraints: bool, solver: str) -> None:
    """Constraints among joints, loops that lock each other (3, 15), and bodies without joints (15, True)."""
    graph = random_graph(seed, only_constraints)
    s = tg.simulate(model(graph), stop=0.3, points=4, rtol=1e-8, solver=solver)
    for at in range(len(s.time)):
        expected = Oracle(graph, s, at).accelerations()
        for k, row in enumerate(expected):
            found = np.concatenate([s[f"p{k}.a"][at], s[f"p{k}.R"][at].T @ s[f"p{k}.z"][at]])
            assert found == pytest.approx(row, rel=1e-5, abs=1e-5 * np.abs(expected).max())


@pytest.mark.filterwarnings("ignore")  # joints that others lock stay at zero
def test_backwards_nothing_moves_what_is_locked() -> None:
    """Its weights were roundings, which no steps were short enough for."""
    locked = tg.compile(model(random_graph(6)))
    found = tg.gradient(
        locked, 0.15, of=[tg.final("p0.r[0]"), tg.final("p0.v[1]")], wrt=["b0.m"], method="adjoint", rtol=1e-8
    )
    assert found.matrix == pytest.approx(np.zeros((2, 1)), abs=1e-15)


class Thrown(tg.Component):
    """A pendulum lets its bob go; beside it the same pendulum keeps it."""

    world = mb.World()
    hinges = mb.Revolute.array(2, phi=started(-0.3), w=started(2.0))
    rods = mb.BodyShape.array(2, r=[1, 0, 0], r_CM=[0.5, 0, 0])
    latch = mb.Latch()
    bobs = mb.Body.array(2, m=0.5)

    def equations(self) -> Any:
        yield self.latch.release == tg.where(tg.time > 0.5, 1.0, 0.0)

    def connections(self) -> Any:
        yield self.world.frame_b, self.hinges[0].frame_a
        yield self.world.frame_b, self.hinges[1].frame_a
        yield self.hinges.frame_b, self.rods.frame_a
        yield self.rods[0].frame_b, self.latch.frame_a
        yield self.latch.frame_b, self.bobs[0].frame_a
        yield self.rods[1].frame_b, self.bobs[1].frame_a


@pytest.fixture(scope="module")
def thrown() -> Any:
    return tg.compile(Thrown())


@pytest.mark.parametrize(("solver", "exact"), [("rk45", 1e-9), ("rodas", 1e-9), ("cvode", 1e-6)])
def test_a_latch_is_released(thrown: Any, solver: str, exact: float) -> None:
    """Until then it is a weld, afterwards the bob is on a parabola and the rod swings alone, without a jump."""
    s = tg.simulate(thrown, stop=1.0, points=101, rtol=1e-8, solver=solver)
    before = s.time < 0.5
    assert s["hinges[0].phi"][before] == pytest.approx(s["hinges[1].phi"][before], abs=1e-6)
    at = int(np.argmin(np.abs(s.time - 0.5)))
    phi = s["hinges[0].phi"][at]
    v = s["hinges[0].w"][at] * np.array([-np.sin(phi), np.cos(phi), 0.0])
    flown = s.time[-1] - s.time[at]
    fallen = np.array([0.0, -9.81 / 2 * flown**2, 0.0])
    landed = s["bobs[0].frame_a.r_0"][at] + flown * v + fallen
    assert s["bobs[0].frame_a.r_0"][-1] == pytest.approx(landed, abs=exact)
    assert np.abs(s["latch.force"][-1]).max() == 0.0
