"""Rotations, shapes and inertia tensors, against SciPy and against sums over small pieces of the bodies."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library.multibody.inertia import margin

AXES = "XYZ"
SEQUENCES = [(1, 2, 3), (3, 2, 1), (2, 1, 3), (3, 1, 3), (1, 2, 1), (2, 3, 2), (1, 3, 2)]
ANGLES = [0.4, 0.9, -0.7]


def orientations_model() -> Any:
    """Frames on the world, turned in all ways, and sensors that read their angles again."""
    model = tg.System("orientations")
    model.add(world=mb.World(), tip=mb.AbsolutePosition(), after=mb.FixedTranslation(r=[1.0, 0.0, 0.0]))
    model.add(axis=mb.FixedRotation(n=[1.0, 2.0, -1.0], angle="40 deg", r=[0.1, 0.2, 0.3]))
    model.add(axes=mb.FixedRotation(rotation="axes", n_x=[1.0, 1.0, 0.0], n_y=[0.0, 1.0, 0.2]))
    for k, sequence in enumerate(SEQUENCES):
        turned = mb.FixedRotation(rotation="sequence", sequence=list(sequence), angles=ANGLES)
        read = mb.AbsoluteAngles(sequence=list(sequence))
        relative = mb.RelativeAngles(sequence=list(sequence))
        model.add(**{f"turned{k}": turned, f"read{k}": read, f"relative{k}": relative})
        model.connect(model.world.frame_b, turned.frame_a)
        model.connect(turned.frame_b, read.frame_a)
        model.connect(model.axes.frame_b, relative.frame_a)
        model.connect(turned.frame_b, relative.frame_b)
    model.connect(model.world.frame_b, model.axis.frame_a)
    model.connect(model.axis.frame_b, model.after.frame_a)
    model.connect(model.after.frame_b, model.tip.frame_a)
    model.connect(model.world.frame_b, model.axes.frame_a)
    return model


@pytest.fixture(scope="module")
def orientations() -> Any:
    return tg.simulate(orientations_model(), stop=1.0, points=2)


@pytest.mark.parametrize("k", range(len(SEQUENCES)))
def test_sequences_are_those_of_scipy(orientations: Any, k: int) -> None:
    letters = "".join(AXES[axis - 1] for axis in SEQUENCES[k])
    turned = Rotation.from_euler(letters, ANGLES)  # capital letters: about the axes as they stand then
    assert np.allclose(orientations[f"turned{k}.T"], turned.as_matrix().T, atol=1e-15)
    expected = turned.as_euler(letters)
    assert np.allclose(orientations[f"read{k}.angles"][-1], expected, atol=1e-14)
    seen = Rotation.from_matrix(orientations["axes.T"]) * turned  # from axes of frame_b to those of frame_a
    assert np.allclose(orientations[f"relative{k}.angles"][-1], seen.as_euler(letters), atol=1e-14)


def test_an_axis_and_an_angle(orientations: Any) -> None:
    n = np.array([1.0, 2.0, -1.0])
    turned = Rotation.from_rotvec(np.radians(40.0) * n / np.linalg.norm(n))
    assert np.allclose(orientations["axis.T"], turned.as_matrix().T, atol=1e-15)
    assert np.allclose(orientations["tip.r"][-1], np.array([0.1, 0.2, 0.3]) + turned.apply([1.0, 0.0, 0.0]), atol=1e-15)


def test_two_axes(orientations: Any) -> None:
    x, y, z = orientations["axes.T"]
    assert np.allclose(x, np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0))
    assert abs(x @ y) < 1e-15
    assert y @ [0.0, 1.0, 0.2] > 0.5
    assert np.allclose(np.cross(x, y), z)
    assert abs(z @ [0.0, 1.0, 0.2]) < 1e-15


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rotation": "sequence", "sequence": [1, 1, 3]}, "no two in a row the same"),
        ({"rotation": "axs"}, "rotation='axs' does not exist"),
    ],
)
def test_rotations_that_do_not_exist(wrong: dict[str, Any], message: str) -> None:
    model = tg.System("wrong")
    model.add(world=mb.World(), turned=mb.FixedRotation(**wrong))
    model.connect(model.world.frame_b, model.turned.frame_a)
    with pytest.raises(tg.TellegenError, match=message):
        tg.compile(model)


# -- shapes -----------------------------------------------------------------------------------------------------------


class Shapes(tg.Component):
    """Solids fixed on the world."""

    world = mb.World()
    box = mb.BodyBox(
        r=[0.3, 0.1, 0.2], width=0.2, height=0.1, width_direction=[0.0, 1.0, 0.3], inner_width=0.15, inner_height=0.04
    )
    tube = mb.BodyCylinder(r=[0.3, 0.1, 0.2], diameter=0.2, inner_diameter=0.12, r_shape=[0.05, 0.0, 0.0])
    ball = mb.BodySphere(diameter=0.3, inner_diameter=0.2, density=1000.0)
    point = mb.PointMass(m=0.3)

    def connections(self) -> Any:
        yield self.world.frame_b, self.box.frame_a, self.tube.frame_a, self.ball.frame_a, self.point.frame_a


@pytest.fixture(scope="module")
def shapes() -> Any:
    return tg.simulate(Shapes(), stop=1.0, points=2)


def of_pieces(inside: Any, extent: Any, density: float, count: int = 90) -> tuple[float, Any, Any]:
    """Mass, centre of mass and inertia about it of a body in a cuboid around the origin, by midpoints of cells."""
    steps = [(np.arange(count) + 0.5) / count * width - width / 2 for width in extent]
    points = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(points)]
    weight = density * np.prod(extent) / count**3
    centre = points.mean(axis=0)
    rest = points - centre
    inertia = weight * (np.sum(rest**2) * np.eye(3) - rest.T @ rest)
    return weight * len(points), centre, inertia


def six(tensor: Any) -> Any:
    return tensor[[0, 1, 2, 1, 2, 2], [0, 1, 2, 0, 0, 1]]


def test_a_hollow_box(shapes: Any) -> None:
    length = np.sqrt(0.14)

    def inside(x: Any) -> Any:
        return (abs(x[:, 1]) > 0.075) | (abs(x[:, 2]) > 0.02)

    m, _, inertia = of_pieces(inside, (length, 0.2, 0.1), 7700.0, count=80)
    T = shapes["box.T"]
    assert shapes["box.m"] == pytest.approx(m, rel=1e-12)
    assert np.allclose(shapes["box.r_CM"], [0.15, 0.05, 0.1])
    assert np.allclose(shapes["box.inertia"], six(T.T @ inertia @ T), rtol=0, atol=1e-3 * inertia.max())


def test_a_tube(shapes: Any) -> None:
    axis = np.array([0.25, 0.1, 0.2])
    length = np.linalg.norm(axis)

    def inside(x: Any) -> Any:
        return (0.06 <= np.hypot(x[:, 1], x[:, 2])) & (np.hypot(x[:, 1], x[:, 2]) <= 0.1)

    m, _, inertia = of_pieces(inside, (length, 0.2, 0.2), 7700.0, count=150)
    A = Rotation.align_vectors([axis / length], [[1.0, 0.0, 0.0]])[0].as_matrix()
    assert shapes["tube.m"] == pytest.approx(m, rel=1e-3)  # the edge is of cells
    assert np.allclose(shapes["tube.r_CM"], [0.05, 0.0, 0.0] + axis / 2)
    assert np.allclose(shapes["tube.inertia"], six(A @ inertia @ A.T), rtol=0, atol=2e-3 * inertia.max())


def test_a_hollow_ball(shapes: Any) -> None:
    m = 1000.0 * np.pi / 6 * (0.3**3 - 0.2**3)
    outer, inner = (1000.0 * np.pi / 6 * d**3 * d**2 / 10 for d in (0.3, 0.2))
    assert shapes["ball.m"] == pytest.approx(m, rel=1e-14)
    assert np.allclose(shapes["ball.inertia"], [outer - inner] * 3 + [0.0] * 3, rtol=1e-14)


class Held(tg.Component):
    """A body that does not move."""

    world = mb.World()
    body = mb.Body()

    def connections(self) -> Any:
        yield self.world.frame_b, self.body.frame_a


@pytest.fixture(scope="module")
def held() -> Any:
    return tg.compile(Held())


@pytest.mark.parametrize(
    ("inertia", "possible"),
    [
        ([1.0, 1.0, 2.0, 0.0, 0.0, 0.0], True),  # a disk
        ([1.0, 1.0, 2.1, 0.0, 0.0, 0.0], False),
        ([0.0, 1.0, 1.0, 0.0, 0.0, 0.0], True),  # a rod
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], True),  # a point
        ([1.0, 1.0, 1.0, 0.4, 0.0, 0.0], True),
        ([1.0, 1.0, 1.0, 0.6, 0.0, 0.0], False),  # principal moments 0.4, 1, 1.6
    ],
)
def test_inertia_tensors_that_no_body_has(held: Any, inertia: list[float], possible: bool) -> None:
    names = ["I_11", "I_22", "I_33", "I_21", "I_31", "I_32"]
    given = {f"body.{name}": value for name, value in zip(names, inertia, strict=True)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        held.simulate(stop=1.0, points=2, parameters=given)
    assert [("no distribution of mass" in str(one.message)) for one in caught] == ([] if possible else [True])


def test_bodies_in_arrays() -> None:
    """Forty pendulums of different lengths are one template: phi'' = -g/L sin phi of point masses."""
    count = 40
    lengths = np.linspace(0.2, 2.0, count)

    class Pendulums(tg.Component):
        world = mb.World()
        hinges = mb.Revolute.array(count, phi=tg.variable(start=0.3, fixed=True), w=tg.variable(fixed=True))
        rods = mb.Body.array(
            count, m=0.3, r_CM=np.stack([0 * lengths, -lengths, 0 * lengths], axis=1), I_11=0.0, I_22=0.0, I_33=0.0
        )

        def connections(self) -> Any:
            for k in range(count):
                yield self.world.frame_b, self.hinges[k].frame_a
            yield self.hinges.frame_b, self.rods.frame_a

    s = tg.simulate(Pendulums(), stop=1.0, rtol=1e-8)
    energy = 0.5 * lengths**2 * s["hinges.w"] ** 2 - 9.81 * lengths * np.cos(s["hinges.phi"])
    assert abs(energy - energy[0]).max() < 1e-6
    assert np.ptp(s["hinges.phi"][-1]) > 0.3  # and they are not all the same


class Frame(tg.Component):
    """Four bars that are welded to a rectangle, on two supports."""

    height = tg.parameter(0.5, "m", "of the right post")
    support = tg.parameter([1.0, 0.0, 0.0], "m", "where the right post stands")
    angle = tg.parameter(0.0, "rad", "of the knee")
    world = mb.World()
    right = mb.Fixed(r=support)
    posts = mb.BodyShape.array(2, r=[[0.0, 0.5, 0.0], [0.0, height, 0.0]])
    beam = mb.BodyShape(r=[1.0, 0.0, 0.0])
    knee = mb.FixedRotation(n=[0.0, 1.0, 0.0], angle=angle)

    def connections(self) -> Any:
        yield self.world.frame_b, self.posts[0].frame_a
        yield self.posts[0].frame_b, self.beam.frame_a
        yield self.beam.frame_b, self.knee.frame_a
        yield self.knee.frame_b, self.posts[1].frame_b
        yield self.posts[1].frame_a, self.right.frame_b


def test_rigid_connections_have_to_fit() -> None:
    compiled = tg.compile(Frame())
    compiled.simulate(stop=1.0, points=2)
    for wrong, where in (
        ({"height": 0.501}, "their ends are 0.001 m apart"),
        ({"support": [1.0, 0.0, 0.01]}, "their ends are 0.01 m apart"),
        ({"angle": 0.01}, "do not meet"),
    ):
        with pytest.raises(tg.TellegenError, match=where):
            compiled.simulate(stop=1.0, points=2, parameters=wrong)


def test_a_joint_with_an_open_end_names_it() -> None:
    model = tg.System("forgotten")
    model.add(world=mb.World(), hinge=mb.Revolute(), bar=mb.BodyShape(r=[1, 0, 0], r_CM=[0.5, 0, 0]))
    model.connect(model.hinge.frame_b, model.bar.frame_a)
    with pytest.raises(tg.StructureError, match=r"E233: [^\n]*'hinge'[\s\S]*'hinge.frame_a' is connected to nothing"):
        tg.compile(model)


def test_random_inertia_tensors_are_judged_as_by_eigenvalues() -> None:
    """The second moments of mass have no negative eigenvalue."""
    rng = np.random.default_rng(0)
    for k in range(300):
        points = rng.normal(size=(3, rng.integers(1, 4)))
        moments = points @ points.T
        moments -= (k % 2) * rng.uniform(0.0, 0.15) * np.trace(moments) * np.eye(3)
        least = np.linalg.eigvalsh(moments)[0] / np.trace(moments)
        tensor = np.trace(moments) * np.eye(3) - moments
        if least > -1e-12 or least < -1e-7:
            assert (margin(tensor[[0, 1, 2, 1, 2, 2], [0, 1, 2, 0, 0, 1]]) >= 0) == (least > -1e-12)
