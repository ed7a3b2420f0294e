"""The positioning system of the seeds (V1): classes, forest, matrices, state equations, with the errata respected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from network.positioning import (
    Controller,
    CurrentDriver,
    Damper,
    Gear,
    Inertia,
    Motor,
    Positioning,
    Potentiometer,
    Shaft,
)
from tellegen.library import electrical as el

EDGES = {
    "pot.shaft": 0,
    "e1": 1,
    "e2": 2,
    "e3": 3,
    "e4": 4,
    "gear.a": 5,
    "gear.b": 6,
    "motor.p": 7,
    "motor.rotor": 8,
    "e9": 9,
    "e10": 10,
    "pot.s": 11,
}
CLASSES = {
    0: "first-order accumulator",
    1: "second-order accumulator",
    2: "first-order accumulator",
    3: "algebraic",
    4: "algebraic",
    5: "second-order accumulator",
    6: "generalized across driver",
    7: "first-order delay",
    8: "second-order accumulator",
    9: "across driver",
    10: "through driver",
    11: "algebraic",
}
CUT_SETS = {11: {10: 1}, 9: {7: 1}, 8: {5: 1}, 6: {3: 1}, 1: {4: 1, 3: -1}, 2: {4: -1}, 0: {4: -1}}
CIRCUITS = {10: {11: -1}, 7: {9: -1}, 5: {8: -1}, 4: {1: -1, 2: 1, 0: 1}, 3: {6: -1, 1: 1}}


@pytest.fixture(scope="module")
def graph() -> Any:
    return tg.system_graph(Positioning())


def numbered(graph: Any) -> list[int]:
    return [EDGES[label] for label in graph.labels]


def test_edges_and_classes(graph: Any) -> None:
    assert len(graph) == 12
    assert {EDGES[edge.label]: str(edge.kind) for edge in graph.edges} == CLASSES
    assert len(graph.vertices) == 9
    assert graph.domains == ["electrical", "rotational"]


def test_ranking(graph: Any) -> None:
    """w9 < w6 < (w8 = w1 = w5) < (w0 = w2) < (w3 = w4 = w11) < w7 < w10."""
    rank = {EDGES[edge.label]: edge.kind.rank for edge in graph.edges}
    ladder = [(9,), (6,), (8, 1, 5), (0, 2), (3, 4, 11), (7,), (10,)]
    assert all(len({rank[k] for k in step}) == 1 for step in ladder)
    assert sorted({rank[k] for k in range(12)}) == [rank[step[0]] for step in ladder]


def test_forest(graph: Any) -> None:
    """Edges 5 and 8 are parallel and alike: two forests of least cost, of which the first edge of the model decides."""
    number = numbered(graph)
    branches = {number[k] for k in graph.normal_tree().branches}
    assert branches in ({0, 1, 2, 6, 8, 9, 11}, {0, 1, 2, 5, 6, 9, 11})
    assert branches == {0, 1, 2, 6, 8, 9, 11}
    assert [(lost.element, lost.kind, lost.members) for lost in graph.normal_tree().lost] == [
        ("gear.a", "loop", ("motor.rotor",))
    ]


def test_the_other_forest() -> None:
    """With the gear before the motor the tie falls the other way, and the run is the same."""

    class Turned(tg.Component):
        gear, motor = Gear(), Motor()
        e9, e10, pot = Controller(), CurrentDriver(), Potentiometer()
        e3, e1, e2, e4, ground = Shaft(), Inertia(), Damper(), Shaft(), el.Ground()
        connections = Positioning.connections

    graph = tg.system_graph(Turned())
    number = numbered(graph)
    assert {number[k] for k in graph.normal_tree().branches} == {0, 1, 2, 5, 6, 9, 11}
    found, expected = (tg.compile(m, formulation="graph").simulate(1.0)["pot.th0"] for m in (Turned(), Positioning()))
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()


def test_matrices(graph: Any) -> None:
    tree, number = graph.normal_tree(), numbered(graph)
    assert abs(tree.incidence @ tree.B.T).sum() == 0
    assert abs(tree.Q @ tree.B.T).sum() == 0
    assert tree.reduced_incidence.shape == (7, 12)
    assert np.linalg.matrix_rank(tree.reduced_incidence.toarray()) == 7
    for matrix, rows, expected in ((tree.Q, tree.branches, CUT_SETS), (tree.B, tree.chords, CIRCUITS)):
        dense = matrix.toarray()
        for row, edge in enumerate(rows):
            found = {number[k]: int(dense[row, k]) for k in np.flatnonzero(dense[row])}
            assert found == {number[edge]: 1, **expected[number[edge]]}


def test_constraints(graph: Any) -> None:
    """12 terminal equations and 12 constraints for 24 unknowns; i9 = -i7 (printed with the wrong sign)."""
    tree = graph.normal_tree()
    constraints = tree.constraints()
    assert len(constraints) == 12
    assert len(tree.primary) + len(tree.secondary) == 24
    assert "e9.i == -motor.p.i" in constraints
    assert "e1.tau == e3.tau - e4.tau" in constraints
    assert "e4.phi == -pot.shaft.phi + e1.phi - e2.phi" in constraints


def test_state_equations(graph: Any) -> None:
    """The five final equations, as the seeds give them after correction; and seven states."""
    sympy = pytest.importorskip("sympy")
    found = graph.state_equations()

    def s(name: str) -> Any:
        return sympy.Symbol(name, real=True)

    th0, th1, th2, th8, i7 = (s(n) for n in ("pot.shaft.phi", "e1.phi", "e2.phi", "motor.rotor.phi", "motor.p.i"))
    w8, K3, K4 = s("der(motor.rotor.phi)"), s("e3.K"), s("e4.K")
    N5, N6, km, J1 = s("gear.N5"), s("gear.N6"), s("motor.km"), s("e1.J")
    v11 = -th0 * s("pot.R11") * s("e10.I") / s("pot.th_m")
    out = s("e9.k") * (s("e9.v_REF") - v11)
    inertia = s("motor.J8") + s("gear.J5")
    expected = {
        "der(pot.shaft.phi)": K4 * (th1 - th2 - th0) / s("pot.b0"),
        "der(e2.phi)": K4 * (th1 - th2 - th0) / s("e2.d"),
        "der(motor.p.i)": (out - km * w8 - s("motor.R7") * i7) / s("motor.L7"),
        "der(der(motor.rotor.phi))": -(s("gear.b5") + s("motor.b8")) * w8 / inertia
        - (N5 * K3 * (N5 * th8 + N6 * th1) - km * i7 * N6**2) / (inertia * N6**2),
        "der(der(e1.phi))": -K3 * (N5 * th8 + N6 * th1) / (N6 * J1) - K4 * (th1 - th2 - th0) / J1,
    }
    assert set(found.derivatives) == set(expected)
    for name, value in expected.items():
        assert sympy.simplify(found.derivatives[name] - value) == 0, name
    assert len(found.states) == 7
    assert not found.implicit
    assert r"\dot{i}_{\mathrm{motor.p}}" in found.latex() or r"\dot{i}" in found.latex()


def test_eigenvalues() -> None:
    """With f_out = 0, the numbers of the seeds: two zeros (b0 th0 - b2 th2 is constant; free rotation)."""
    linear = tg.linearize(Positioning(e9=Controller(k=0.0)))
    found = np.sort_complex(np.linalg.eigvals(linear.A))
    expected = np.sort_complex(
        np.array([-1493.333, -98.9191, -9.71825, -4.01463 + 124.935j, -4.01463 - 124.935j, 0.0, 0.0])
    )
    assert np.abs(found - expected).max() < 1e-3  # the digits given; the double zero is good to the root of rounding


def test_both_formulations_agree() -> None:
    """The same trajectories; the order of equations differs, so the last digits may."""
    plain = tg.compile(Positioning()).simulate(1.0)
    by_graph = tg.compile(Positioning(), formulation="graph").simulate(1.0)
    for name in ("pot.th0", "motor.i7", "e1.w", "gear.b.tau", "ground.p.i"):
        scale = np.abs(plain[name]).max() + 1e-12
        assert np.abs(plain[name] - by_graph[name]).max() <= 1e-5 * scale, name
