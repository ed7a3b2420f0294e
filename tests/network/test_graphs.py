"""Classes, trees and matrices of the smaller cases of the seeds (V2, V11, V12, V14, V15), and of library parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, machines
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.network.forest import kruskal
from tellegen.network.matrices import circuits, cut_sets, incidence, rooted
from waiting import costs_at_most


class TwoWires(tg.Component):
    """A motor by equations; L and B may be left out."""

    p, n, shaft = el.Pin(), el.Pin(), rot.Flange()
    with_L = tg.parameter(True, structural=True)
    with_B = tg.parameter(True, structural=True)
    k = tg.parameter(0.1, "N.m/A")
    R = tg.parameter(1.0, "ohm")
    L = tg.parameter(0.1, "H")
    B = tg.parameter(0.1, "N.m.s/rad")
    w = tg.variable("rad/s")

    def equations(self) -> Any:
        yield self.w == tg.der(self.shaft.phi)
        yield self.p.i + self.n.i == 0
        inductive = self.L * tg.der(self.p.i) if self.with_L else 0.0
        yield self.p.v - self.n.v == self.k * self.w + self.R * self.p.i + inductive
        yield self.shaft.tau == -self.k * self.p.i + (self.B * self.w if self.with_B else 0.0)


def seeker() -> tg.System:
    """The electrical part of the missile seeker (V2): two controlled sources, two motors, one ground."""
    s = tg.System("seeker")
    for axis in ("pitch", "yaw"):
        source, motor, load = el.SignalVoltage(), TwoWires(), rot.Inertia()
        s.add(**{f"{axis}_source": source, f"{axis}_motor": motor, f"{axis}_load": load})
        s.connect(source.p, motor.p)
        s.connect(source.n, motor.n)
        s.connect(motor.shaft, load.flange_a)
        command = blocks.Step(height=0.14 if axis == "pitch" else -0.14)
        s.add(**{f"{axis}_command": command})
        s.connect(command.y, source.u)
    s.add(ground=el.Ground())
    s.connect(s["pitch_source"].n, s["yaw_source"].n, s["ground"].p)
    return s


def classes(model: Any) -> dict[str, str]:
    return {edge.label: str(edge.kind) for edge in tg.system_graph(model).edges}


def test_seeker() -> None:
    graph = tg.system_graph(seeker())
    electrical = [edge for edge in graph.edges if edge.domain == "electrical"]
    assert len(electrical) == 4
    assert sum(graph.domains[int(d)] == "electrical" for d in graph.network.vertex_domain) == 3
    kinds = {edge.label: str(edge.kind) for edge in electrical}
    assert kinds == {
        "pitch_source": "across driver",
        "yaw_source": "across driver",
        "pitch_motor.p": "first-order delay",
        "yaw_motor.p": "first-order delay",
    }
    branches = {graph.labels[k] for k in graph.normal_tree().branches}
    assert {"pitch_source", "yaw_source"} <= branches
    assert not {"pitch_motor.p", "yaw_motor.p"} & branches
    controlled = {edge.label: edge.signals for edge in electrical if edge.signals}
    assert set(controlled) == {"pitch_source", "yaw_source"}


@pytest.mark.parametrize(
    ("with_L", "with_B", "expected"),
    [
        (True, True, ("first-order delay", "first-order accumulator")),
        (False, True, ("algebraic", "first-order accumulator")),  # the speed in the electrical equation is foreign
        (False, False, ("algebraic", "generalized through driver")),
    ],
)
def test_motor_without_inductance_and_inertia(with_L: bool, with_B: bool, expected: tuple[str, str]) -> None:
    s = tg.System("motor")
    s.add(v=el.ConstantVoltage(V=1.0), m=TwoWires(with_L=with_L, with_B=with_B), j=rot.Inertia(), g=el.Ground())
    s.connect(s["v"].p, s["m"].p)
    s.connect(s["v"].n, s["m"].n, s["g"].p)
    s.connect(s["m"].shaft, s["j"].flange_a)
    found = classes(s)
    assert (found["m.p"], found["m.shaft"]) == expected


def transformer_circuit(beside_source: str) -> tg.System:
    """An ideal transformer, one side beside an across driver."""
    s = tg.System("transformer")
    s.add(v=el.SineVoltage(V=1.0, f=1.0), t=el.IdealTransformer(n=2.0), r=el.Resistor(R=1.0), g=el.Ground())
    one, other = (("p1", "n1"), ("p2", "n2")) if beside_source == "1" else (("p2", "n2"), ("p1", "n1"))
    s.connect(s["v"].p, getattr(s["t"], one[0]))
    s.connect(getattr(s["t"], other[0]), s["r"].p)
    s.connect(s["v"].n, getattr(s["t"], one[1]), getattr(s["t"], other[1]), s["r"].n, s["g"].p)
    return s


@pytest.mark.parametrize("side", ["1", "2"])
def test_one_side_of_an_ideal_transformer_is_a_branch(side: str) -> None:
    """Beside an across driver it would close a loop, so the other side is in the tree (V12)."""
    graph = tg.system_graph(transformer_circuit(side))
    kinds = {edge.label: str(edge.kind) for edge in graph.edges}
    beside, other = (f"t.p{side}", "t.p2" if side == "1" else "t.p1")
    assert (kinds[beside], kinds[other]) == ("generalized through driver", "generalized across driver")
    branches = {graph.labels[k] for k in graph.normal_tree().branches}
    assert other in branches
    assert beside not in branches


def test_both_sides_of_a_gyrator_go_together() -> None:
    s = tg.System("gyrator")
    s.add(v=el.SineVoltage(V=1.0, f=1.0), t=el.Gyrator(), c=el.Capacitor(C=1.0), g=el.Ground())
    s.connect(s["v"].p, s["t"].p1)
    s.connect(s["t"].p2, s["c"].p)
    s.connect(s["v"].n, s["t"].n1, s["t"].n2, s["c"].n, s["g"].p)
    graph = tg.system_graph(s)
    kinds = {edge.label: str(edge.kind) for edge in graph.edges}
    assert kinds["t.p1"] == kinds["t.p2"] == "generalized through driver"
    assert graph.normal_tree().states == ["c.v"]


def test_two_capacitors_in_parallel_have_one_state() -> None:
    s = tg.System("parallel")
    s.add(r=el.Resistor(R=1.0), a=el.Capacitor(C=1.0), b=el.Capacitor(C=2.0), g=el.Ground())
    s.connect(s["r"].p, s["a"].p, s["b"].p)
    s.connect(s["r"].n, s["a"].n, s["b"].n, s["g"].p)
    tree = tg.system_graph(s).normal_tree()
    assert tree.states == ["a.v"]
    assert str(tree.lost[0]).startswith("b carries no state of its own: it forms a loop with a")


def test_two_inductors_in_series_have_one_state() -> None:
    s = tg.System("series")
    s.add(v=el.ConstantVoltage(V=1.0), a=el.Inductor(L=1.0), b=el.Inductor(L=2.0), g=el.Ground())
    s.connect(s["v"].p, s["a"].p)
    s.connect(s["a"].n, s["b"].p)
    s.connect(s["b"].n, s["v"].n, s["g"].p)
    tree = tg.system_graph(s).normal_tree()
    assert len(tree.states) == 1
    assert (tree.lost[0].kind, len(tree.lost[0].members)) == ("cut-set", 1)


def matrices(tail: list[int], head: list[int], vertices: int, tree: list[int]) -> tuple[Any, Any, Any]:
    t, h, branches = np.array(tail), np.array(head), np.array(tree)
    chords = np.setdiff1d(np.arange(len(t)), branches)
    loops = circuits(t, h, chords, rooted(t, h, vertices, branches, []), len(t))
    return incidence(t, h, vertices), loops, cut_sets(loops, branches, chords, len(t))


def test_network_with_eight_edges() -> None:
    """V14, A-3 with tree (1, 4, 6, 8); entry (3, 4) of the printed matrix corrected to +1."""
    tail, head = [0, 0, 0, 2, 3, 4, 3, 3], [1, 2, 2, 1, 2, 1, 0, 4]
    a, b, q = matrices(tail, head, 5, [0, 3, 5, 7])
    assert a.toarray().tolist() == [
        [1, 1, 1, 0, 0, 0, -1, 0],
        [-1, 0, 0, -1, 0, -1, 0, 0],
        [0, -1, -1, 1, -1, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 1, 1],
        [0, 0, 0, 0, 0, 1, 0, -1],
    ]
    assert b.toarray().tolist() == [
        [-1, 1, 0, 1, 0, 0, 0, 0],
        [-1, 0, 1, 1, 0, 0, 0, 0],
        [0, 0, 0, 1, 1, -1, 0, -1],
        [1, 0, 0, 0, 0, -1, 1, -1],
    ]
    assert abs(a @ b.T).sum() == abs(q @ b.T).sum() == 0


def test_graph_with_two_parts() -> None:
    """V14, A-1: 6 vertices, 9 edges, 2 parts, rank 4."""
    tail, head = np.array([2, 1, 1, 2, 0, 2, 4, 5, 4]), np.array([0, 0, 2, 0, 1, 3, 5, 4, 5])
    a = incidence(tail, head, 6)
    assert np.linalg.matrix_rank(a.toarray()) == 4
    assert abs(a.sum(axis=0)).sum() == 0
    in_tree = kruskal(tail, head, 6, np.zeros(9, int))
    assert in_tree.sum() == 4


def test_fundamental_circuits_and_cut_set_of_k5_less_an_edge() -> None:
    """V14, A-2: vertices 1, X, Y, Z, W; tree (a, b, g, d)."""
    one, x, y, z, w = range(5)
    edges = {"a": (one, x), "b": (x, y), "g": (x, z), "d": (z, w), "f": (one, y), "h": (y, w)}
    edges |= {"c": (y, z), "i": (one, z), "e": (one, w)}
    names = list(edges)
    tail, head = ([ends[side] for ends in edges.values()] for side in (0, 1))
    _, b, q = matrices(tail, head, 5, [0, 1, 2, 3])
    loops = [{names[k] for k in np.flatnonzero(row)} for row in b.toarray()]
    assert loops == [set("abf"), set("bgdh"), set("bgc"), set("agi"), set("agde")]
    assert {names[k] for k in np.flatnonzero(q.toarray()[0])} == set("afie")


def ladder(n: int) -> Any:
    """The graph of a source and n cells of a resistor and a capacitor."""
    s = tg.System("ladder")
    s.add(source=el.ConstantVoltage(V=1.0), ground=el.Ground())
    s.r, s.c = el.Resistor.array(n, R=1.0), el.Capacitor.array(n, C=1.0)
    s.connect(s["source"].p, s.r[0].p)
    s.connect(s.r[:-1].n, s.r[1:].p)
    s.connect(s.r.n, s.c.p)
    s.connect(s.c.n, s["ground"].p)
    s.connect(s["source"].n, s["ground"].p)
    return tg.flatten(s)


def tree_of(flat: Any) -> Any:
    tree = tg.system_graph(flat).normal_tree()
    assert abs(tree.Q @ tree.B.T).sum() == 0
    return tree


def test_the_tree_of_a_ladder_costs_in_proportion_to_its_cells() -> None:
    """Ten times the cells: 100 times the cost would be a loop in a loop."""
    n = 20_000
    short, long = ladder(n // 10), ladder(n)
    tree = tree_of(long)
    assert len(tree.branches) == n + 1
    assert len(tree.chords) == n
    assert costs_at_most(30.0, lambda: tree_of(long), lambda: tree_of(short))


def test_a_damper_beside_an_inertia_loses_nothing() -> None:
    s = tg.System("brake")
    s.add(j=rot.Inertia(J=1.0), d=rot.Damper(d=1.0), wall=rot.Fixed())
    s.connect(s["j"].flange_a, s["d"].flange_a)
    s.connect(s["d"].flange_b, s["wall"].flange)
    tree = tg.system_graph(s).normal_tree()
    assert tree.states == ["j.phi", "der(j.phi)"]
    assert tree.lost == []


def test_states_inside_a_battery_are_counted() -> None:
    s = tg.System("battery")
    s.add(b=machines.Battery(), r=el.Resistor(R=1.0), g=el.Ground())
    s.connect(s["b"].p, s["r"].p)
    s.connect(s["b"].n, s["r"].n, s["g"].p)
    assert tg.system_graph(s).normal_tree().state_count == int(tg.compile(s).reduced.is_state.sum())
