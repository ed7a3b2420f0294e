"""Lumps and duplicate joints: the tables of the seeker, and random mechanisms against a plain search."""

from __future__ import annotations

import numpy as np
import pytest

from tellegen.network.mechanics.duplicates import Duplicates, JointEdge, duplicates
from tellegen.network.mechanics.lower_pairs import lower_pair
from tellegen.network.mechanics.lumps import lumps, members
from tellegen.network.mechanics.twists import FREEDOMS, Floats, Tolerance, common, contains, freedoms, shift, turn

BODIES = [
    *("housing", "gimbal ring", "camera", "pitch connector a", "pitch connector b"),
    *("yaw connector a", "yaw connector b", "shaft a", "shaft b"),
]
# Table 1 of the thesis (section 4.3.2); * marks the joints with motors.
TABLE_1 = [
    ("fixed", "housing", "pitch connector a"),
    ("fixed", "housing", "pitch connector b"),
    ("revolute*", "pitch connector a", "gimbal ring"),
    ("revolute", "pitch connector b", "gimbal ring"),
    ("fixed", "gimbal ring", "yaw connector a"),
    ("revolute*", "yaw connector a", "shaft a"),
    ("fixed", "gimbal ring", "yaw connector b"),
    ("revolute", "yaw connector b", "shaft b"),
    ("fixed", "shaft a", "camera"),
    ("fixed", "shaft b", "camera"),
]
POINTS = {2: (0, 0.1, 0), 3: (0, -0.1, 0), 5: (0, 0, 0.1), 7: (0, 0, -0.1)}
AXES = {2: (0, 1, 0), 3: (0, -1, 0), 5: (0, 0, 1), 7: (0, 0, 1)}


def seeker(points: dict[int, tuple[float, ...]], motors: str = "revolute*") -> tuple[np.ndarray, Duplicates]:
    """The lumps of the seeker and its joints."""
    rigid = [(BODIES.index(a), BODIES.index(b)) for kind, a, b in TABLE_1 if kind == "fixed"]
    edges = [
        JointEdge(
            BODIES.index(a),
            BODIES.index(b),
            freedoms("revolute", np.array(points[k], float), np.array(AXES[k], float)),
            np.array(points[k], float),
            kind.startswith(motors),
        )
        for k, (kind, a, b) in enumerate(TABLE_1)
        if kind != "fixed"
    ]
    labels = lumps(len(BODIES), rigid)
    return labels, duplicates(edges, labels)


def test_tables_1_to_3_of_the_seeker() -> None:
    labels, found = seeker(POINTS)
    assert {frozenset(BODIES[k] for k in group) for group in members(labels)} == {
        frozenset({"shaft a", "camera", "shaft b"}),
        frozenset({"housing", "pitch connector a", "pitch connector b"}),
        frozenset({"gimbal ring", "yaw connector a", "yaw connector b"}),
    }
    assert found == Duplicates(kept=(0, 2), repeats={1: 0, 3: 2})  # of the four revolutes, those with motors


def test_axes_that_are_one_millimetre_apart_lock_the_seeker() -> None:
    _, found = seeker({**POINTS, 3: (0.001, -0.1, 0)})
    assert found.fully_constrained == ((0, 1),)
    assert found.kept == (0, 1, 2)


def test_two_motors_on_one_axis_are_too_many() -> None:
    _, found = seeker(POINTS, motors="revolute")
    assert found.over_actuated == ((0, 1), (2, 3))
    assert not found.repeats


def test_a_prismatic_joint_separates_lumps_and_repeats_a_parallel_one() -> None:
    z = np.array([0.0, 0.0, 1.0])
    origin = np.zeros(3)
    rails = [JointEdge(0, 1, freedoms("prismatic", np.array([x, 0.0, 0.0]), z), origin) for x in (0.0, 0.3)]
    found = duplicates(rails, lumps(2, []))
    assert found == Duplicates(kept=(0,), repeats={1: 0})


def test_the_joint_that_permits_least_is_kept() -> None:
    point = np.array([0.2, 0.0, 0.0])
    z = np.array([0.0, 0.0, 1.0])
    edges = [JointEdge(0, 1, freedoms(kind, point, z), point) for kind in ("cylindrical", "spherical", "revolute")]
    assert duplicates(edges, lumps(2, [])).repeats == {0: 2, 1: 2}
    # A cylindrical joint and a plane across it permit a rotation together: neither repeats the other.
    pair = [JointEdge(0, 1, freedoms(kind, point, z), point) for kind in ("cylindrical", "planar")]
    assert duplicates(pair, lumps(2, [])) == Duplicates(kept=(0, 1))


def test_a_joint_within_a_lump_is_locked() -> None:
    edge = JointEdge(0, 2, freedoms("revolute", np.zeros(3), np.array([0.0, 0.0, 1.0])), np.zeros(3))
    assert duplicates([edge], lumps(3, [(0, 1), (1, 2)])).locked == (0,)


@pytest.mark.parametrize("kind", FREEDOMS)
def test_number_of_freedoms(kind: str) -> None:
    space = freedoms(kind, np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.6, 0.8]))
    assert np.linalg.matrix_rank(space) == FREEDOMS[kind] if len(space) else FREEDOMS[kind] == 0


def test_intersections_of_random_subgroups() -> None:
    """A line, a plane and a centre in random places: which motions are common is known from geometry."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        point = rng.normal(size=3) * 0.3
        axis = rng.normal(size=3)
        far = point + axis * rng.normal()
        aside = np.asarray(point + np.cross(axis, rng.normal(size=3)), float)
        revolute = freedoms("revolute", point, axis)

        def together(*spaces: Floats, about: Floats = point) -> int:
            return len(common(spaces, Tolerance(), about))

        assert together(freedoms("cylindrical", far, axis), freedoms("planar", aside, axis)) == 1
        assert together(freedoms("cylindrical", far, axis), freedoms("cylindrical", aside, axis)) == 1
        assert together(freedoms("spherical", point, axis), freedoms("spherical", far, axis)) == 1
        assert together(revolute, freedoms("revolute", aside, axis)) == 0
        assert contains(freedoms("spherical", far, axis), revolute, Tolerance(), point)
        assert contains(freedoms("planar", aside, axis), revolute, Tolerance(), point)
        assert not contains(revolute, freedoms("cylindrical", point, axis), Tolerance(), point)
        found = common([freedoms("spherical", point, axis), freedoms("cylindrical", far, axis)], Tolerance(), point)
        np.testing.assert_allclose(
            np.abs(found[0] / np.linalg.norm(found[0][:3])), np.abs(turn(point, axis)), atol=1e-9
        )


def test_lumps_of_random_graphs() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        count = int(rng.integers(1, 40))
        pairs = [(int(a), int(b)) for a, b in rng.integers(0, count, (int(rng.integers(0, count + 1)), 2))]
        reached = [{k} for k in range(count)]
        for _ in range(count):
            for a, b in pairs:
                union = reached[a] | reached[b]
                for k in union:
                    reached[k] = union
        labels = lumps(count, pairs)
        assert [set(group) for group in members(labels)] == [
            set(group) for group in dict.fromkeys(frozenset(group) for group in reached)
        ]


@pytest.mark.parametrize("kind", [kind for kind in FREEDOMS if kind != "universal"])
def test_spaces_are_recognized_in_any_basis(kind: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        point = rng.normal(size=3)
        axis = rng.normal(size=3)
        space = freedoms(kind, point, axis)
        mixed = rng.normal(size=(len(space), len(space))) @ space
        near = point + rng.normal(size=3) * 0.1
        found = lower_pair(mixed, Tolerance(), near)
        assert found is not None
        assert found.kind == kind
        if kind in ("revolute", "cylindrical", "planar", "prismatic"):
            np.testing.assert_allclose(np.cross(found.axis, axis), 0.0, atol=1e-8)
        same = freedoms(found.kind, found.point, found.axis)
        assert contains(same, space, Tolerance(), point)
        assert contains(space, same, Tolerance(), point)


def test_spaces_that_are_not_lower_pairs() -> None:
    origin = np.zeros(3)
    x, y, z = np.eye(3)
    two_slides = np.array([shift(x), shift(y)])
    screw = np.array([turn(origin, z) + 0.01 * shift(z)])
    universal = freedoms("universal", origin, x, y)
    askew = np.array([turn(origin, z), shift(x)])
    for space in (two_slides, screw, universal, askew):
        assert lower_pair(space, Tolerance(), origin) is None
