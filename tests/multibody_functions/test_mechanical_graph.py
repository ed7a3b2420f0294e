"""Algorithms A to C: tables 1 to 3 of the thesis from a model, and composites of random mechanisms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from multibody_functions.random_trees import model_of, random_tree
from tellegen.ir.mechanism import FIXED, KinematicDescription, KinematicPair
from tellegen.library import multibody
from tellegen.network.mechanics.mechanical_graph import (
    DRIVER,
    POSITION_VECTOR,
    RIGID_BODY,
    SLIDING_VECTOR,
    WEIGHT,
    MechanicalGraph,
    extended_graph,
    reduced_graph,
)

TABLE_1 = {
    ("fixed", "housing", "pitch_connector_a"),
    ("fixed", "housing", "pitch_connector_b"),
    ("revolute*", "pitch_connector_a", "gimbal_ring"),
    ("revolute", "pitch_connector_b", "gimbal_ring"),
    ("fixed", "gimbal_ring", "yaw_connector_a"),
    ("revolute*", "yaw_connector_a", "shaft_a"),
    ("fixed", "gimbal_ring", "yaw_connector_b"),
    ("revolute", "yaw_connector_b", "shaft_b"),
    ("fixed", "shaft_a", "camera"),
    ("fixed", "shaft_b", "camera"),
}
TABLE_2 = [
    {"world", "housing", "pitch_connector_b", "pitch_connector_a"},
    {"gimbal_ring", "yaw_connector_b", "yaw_connector_a"},
    {"shaft_b", "camera", "shaft_a"},
]
"""BODY_2, BODY_3 and BODY_1; the thesis does not say what holds the housing, here it is the world."""


class Seeker(tg.Component):
    """Nine bodies as in table 1. Bearings are in pairs: pitch about y, yaw about z."""

    world = multibody.World(n=[0, 0, -1])
    housing = multibody.BodyShape(r=[0, 0.12, 0], r_CM=[-0.12, 0, 0], m=0.48)
    housing_b = multibody.FixedTranslation(r=[0, -0.24, 0])
    pitch_connector_a = multibody.BodyShape(r=[0, -0.02, 0], m=0.008)
    pitch_connector_b = multibody.BodyShape(r=[0, 0.02, 0], m=0.008)
    pitch = multibody.Revolute(n=[0, 1, 0], use_flange=True)
    pitch_b = multibody.Revolute(n=[0, -1, 0])
    gimbal_ring = multibody.BodyShape(r=[0, -0.2, 0], r_CM=[0, -0.1, 0], m=0.34, I_11=0.003, I_22=0.0016, I_33=0.0016)
    ring_a = multibody.FixedTranslation(r=[0, -0.1, 0.08])
    ring_b = multibody.FixedTranslation(r=[0, -0.1, -0.08])
    yaw_connector_a = multibody.BodyShape(r=[0, 0, -0.02], m=0.006)
    yaw_connector_b = multibody.BodyShape(r=[0, 0, 0.02], m=0.006)
    yaw = multibody.Revolute(n=[0, 0, 1], use_flange=True)
    yaw_b = multibody.Revolute(n=[0, 0, 1])
    shaft_a = multibody.BodyShape(r=[0, 0, -0.015], m=0.005)
    shaft_b = multibody.BodyShape(r=[0, 0, 0.015], m=0.005)
    camera = multibody.BodyShape(r=[0, 0, -0.09], r_CM=[0, 0, -0.045], m=0.27)

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.housing.frame_a
        yield self.housing.frame_b, self.housing_b.frame_a, self.pitch_connector_a.frame_a
        yield self.housing_b.frame_b, self.pitch_connector_b.frame_a
        yield self.pitch_connector_a.frame_b, self.pitch.frame_a
        yield self.pitch_connector_b.frame_b, self.pitch_b.frame_a
        yield self.pitch.frame_b, self.gimbal_ring.frame_a, self.ring_a.frame_a, self.ring_b.frame_a
        yield self.pitch_b.frame_b, self.gimbal_ring.frame_b
        yield self.ring_a.frame_b, self.yaw_connector_a.frame_a
        yield self.ring_b.frame_b, self.yaw_connector_b.frame_a
        yield self.yaw_connector_a.frame_b, self.yaw.frame_a
        yield self.yaw_connector_b.frame_b, self.yaw_b.frame_a
        yield self.yaw.frame_b, self.shaft_a.frame_a
        yield self.yaw_b.frame_b, self.shaft_b.frame_a
        yield self.shaft_a.frame_b, self.camera.frame_a
        yield self.shaft_b.frame_b, self.camera.frame_b


def of_model() -> Any:
    return tg.mechanism(Seeker())


def of_cad() -> Any:
    return tg.Assembly.load(Path(__file__).resolve().parents[2] / "examples" / "data" / "seeker.json")


def rows(joints: tuple[KinematicPair, ...]) -> set[tuple[str, frozenset[str]]]:
    """Kind and bodies: what a fixed joint takes as its reference body does not matter."""
    return {(one.kind + "*" * one.actuated, frozenset((one.reference, one.moving))) for one in joints}


@pytest.mark.parametrize("made", [of_model, of_cad])
def test_tables_1_to_3_of_the_seeker(made: Any) -> None:
    found = made()
    table = {(kind, frozenset(bodies)) for kind, *bodies in TABLE_1} | {("fixed", frozenset({"world", "housing"}))}
    assert rows(found.graph.joints) == table
    assert len(found.graph.joints) == 11
    reduced = found.reduced_graph
    assert [set(members) for members in reduced.lumps.values()] == TABLE_2
    body_2, body_3, body_1 = reduced.lumps
    table_3 = [frozenset((body_2, body_3)), frozenset((body_3, body_1))]
    for pair in table_3:
        kinds = [one.kind + "*" * one.actuated for one in reduced.joints if {one.reference, one.moving} == pair]
        assert sorted(kinds) == ["revolute", "revolute*"]
    assert len(reduced.joints) == 4
    assert set(reduced.removed.values()) == {"pitch", "yaw"}
    assert [joint.name for joint in reduced.graph.joints] == ["pitch", "yaw"]


@pytest.mark.parametrize("made", [of_model, of_cad])
def test_numbers_of_the_edges_of_the_reduced_seeker(made: Any) -> None:
    """Weights are e1, e3, e5, motors e8 and e12, joints e9 and e13; the electric part begins with e15."""
    graph = made().reduced_graph.graph
    joint = [POSITION_VECTOR, DRIVER, "revolute", POSITION_VECTOR]
    assert [edge.kind for edge in graph.edges] == [WEIGHT, RIGID_BODY] * 3 + joint * 2
    assert (graph.edges[8].element, graph.edges[12].element) == ("pitch", "yaw")
    assert len(graph.nodes) == 1 + 3 + 4


def test_nodes_and_edges_of_the_extended_seeker() -> None:
    graph = of_model().graph
    kinds = [edge.kind for edge in graph.edges]
    assert len(graph.nodes) == 1 + 10 + 2 * 11
    assert kinds.count(RIGID_BODY) == kinds.count(WEIGHT) == 10
    assert kinds.count(POSITION_VECTOR) == 2 * 11 + 1  # and where the ground is
    assert kinds.count("revolute") == 4
    assert kinds.count(FIXED) == 7
    assert graph.edges[-1].tail == "origin"
    assert "pitch                        revolute*  pitch_connector_a  gimbal_ring" in str(graph)
    assert "pitch_b is removed: it repeats pitch" in str(of_model().reduced_graph)


def test_composites_end_at_sliding_vectors() -> None:
    """The fixed joint of a prismatic one does not make its bodies one."""
    pairs = (
        KinematicPair("rail", "prismatic", "ground", "slide", True),
        KinematicPair("bolt", FIXED, "slide", "table"),
        KinematicPair("guide", "prismatic", "ground", "table"),
    )
    graph = extended_graph(KinematicDescription(("ground", "slide", "table"), pairs))
    assert graph.composites == (("ground",), ("slide", "table"))
    assert [edge.kind for edge in graph.edges].count(SLIDING_VECTOR) == 2
    reduced = reduced_graph(graph, {"guide": "rail"})
    assert [joint.name for joint in reduced.joints] == ["rail", "guide"]
    assert [joint.name for joint in reduced.graph.joints] == ["rail"]


def test_a_lump_without_bodies_is_named_after_its_frame() -> None:
    class Cross(tg.Component):
        world = multibody.World()
        first = multibody.Revolute(n=[1, 0, 0])
        second = multibody.Revolute(n=[0, 1, 0])
        arm = multibody.FixedTranslation(r=[0.1, 0, 0])
        tip = multibody.Body(r_CM=[0.1, 0.2, 0.3])

        def connections(self) -> Iterator[Any]:
            yield self.world.frame_b, self.first.frame_a
            yield self.first.frame_b, self.second.frame_a
            yield self.second.frame_b, self.arm.frame_a
            yield self.arm.frame_b, self.tip.frame_a

    found = tg.mechanism(Cross()).graph
    assert found.bodies == ("world", "tip", "first.frame_b")
    assert [(one.name, one.reference, one.moving) for one in found.joints] == [
        ("first", "world", "first.frame_b"),
        ("second", "first.frame_b", "tip"),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_composites_of_random_trees_are_their_lumps(seed: int) -> None:
    """The search through the graph against the sets of frames that flattening joins."""
    tree = random_tree(seed, 7)
    m = tg.mechanism(model_of(tree))
    bodies = set(m.graph.bodies)
    lumps = {frozenset(name for name in lump if name in bodies) for lump in m.lumps}
    assert {frozenset(one) for one in m.graph.composites} == lumps
    expected = {
        (f"joint{k}", "world" if one.parent < 0 else f"body{one.parent}", f"body{k}") for k, one in enumerate(tree)
    }
    assert {(one.name, one.reference, one.moving) for one in m.graph.joints} == expected


def by_union(bodies: tuple[str, ...], pairs: list[KinematicPair]) -> set[frozenset[str]]:
    """Sets of bodies, by merging them until nothing changes."""
    sets = {body: {body} for body in bodies}
    for _ in bodies:
        for pair in pairs:
            if pair.kind == FIXED:
                both = sets[pair.reference] | sets[pair.moving]
                for body in both:
                    sets[body] = both
    return {frozenset(one) for one in sets.values()}


def test_composites_of_random_graphs() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        bodies = tuple(f"b{k}" for k in range(int(rng.integers(1, 12))))
        pairs = [
            KinematicPair(f"j{k}", str(rng.choice([FIXED, "prismatic", "revolute"])), str(a), str(b))
            for k, (a, b) in enumerate(rng.choice(bodies, (int(rng.integers(0, 14)), 2)))
            if a != b
        ]
        graph: MechanicalGraph = extended_graph(KinematicDescription(bodies, tuple(pairs)))
        assert {frozenset(one) for one in graph.composites} == by_union(bodies, pairs)
        assert sorted(body for one in graph.composites for body in one) == sorted(bodies)
