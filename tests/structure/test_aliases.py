"""Alias elimination: what disappears, what stays, and how it is recovered."""

from __future__ import annotations

import numpy as np
import pytest

from structure.handmade import HandMade, ladder, rc_circuit
from tellegen.errors import StructureError
from tellegen.graph.signed_classes import Relations, redundant, signed_classes
from tellegen.ir.reduced import ReducedModel
from tellegen.structure.passes import reduce


def recovered(model: ReducedModel, name: str) -> tuple[str, int]:
    """The representative of a variable and the sign."""
    names = list(model.flat.variables.names())
    v = names.index(name)
    return names[int(model.representative[v])], int(model.sign[v])


def test_rc_circuit_keeps_four_unknowns() -> None:
    model = reduce(rc_circuit())
    names = [model.flat.variables.name(int(v)) for v in model.unknowns]
    assert len(names) == 4
    assert names[int(np.flatnonzero(model.is_state)[0])] == "c.v"
    assert recovered(model, "c.p.v") == ("c.v", 1)
    assert recovered(model, "ground.p.v")[1] == 0
    leader, sign = recovered(model, "r.p.i")
    assert recovered(model, "r.n.i") == (leader, -sign)


def test_signed_classes_and_redundancy() -> None:
    relations = Relations(np.array([0, 1, 3, 2, 4, 4]), np.array([1, 2, -1, 0, 5, 5]), np.array([1, -1, 1, -1, 1, -1]))
    classes = signed_classes(7, relations, np.array([0, 0, 5, 0, 0, 0, 0]))
    assert classes.leader[[0, 1, 2]].tolist() == [2, 2, 2]
    assert classes.sign.tolist() == [-1, -1, 1, 0, 0, 0, 1]
    assert redundant(7, relations, classes).tolist() == [3]


def test_long_chain_is_one_class() -> None:
    n = 100_000
    relations = Relations(np.arange(n - 1), np.arange(1, n), np.where(np.arange(n - 1) % 2, -1, 1))
    classes = signed_classes(n, relations, np.zeros(n, int))
    assert (classes.leader == 0).all()
    assert (np.abs(classes.sign) == 1).all()


def test_terms_that_become_zero_make_new_aliases() -> None:
    b = HandMade()
    b.variable("a", "b", "c", "d")
    b.equation("a == 0.0")
    b.equation("b == c - a")
    b.equation("d == b + a + a")
    b.equation("c == time")
    model = reduce(b.flat())
    assert len(model.unknowns) == 1
    assert {recovered(model, name)[0] for name in "bcd"} == {"b"}


def test_contradicting_aliases_mean_zero() -> None:
    b = HandMade()
    b.variable("x", "y")
    b.equation("x == y")
    b.equation("x == -y")
    model = reduce(b.flat())
    assert model.sign.tolist() == [0, 0]
    assert model.equation_count == 0


def test_differentiated_variable_leads() -> None:
    b = HandMade()
    b.variable("first", "second", start=1.0)
    b.equation("first == -second")
    b.equation("der(second) == -second")
    model = reduce(b.flat())
    assert recovered(model, "first") == ("second", -1)
    assert model.is_state.tolist() == [True]


def test_sums_merge_and_cancel() -> None:
    b = HandMade()
    b.variable("a", "b", "c", "d")
    b.connect("a", "b")
    b.sum("a", "-b", "c", "d")  # a - b cancels: c = -d
    b.sum("a", "b", "c")  # 2 a + c = 0 stays
    b.equation("c == time")
    model = reduce(b.flat())
    assert recovered(model, "d")[0] == "c"
    assert sorted(model.linear.weights.tolist()) == [1, 2]


def test_slots_that_coincide_are_joined() -> None:
    b = HandMade()
    b.variable("x", "y", "z")
    b.connect("x", "y")
    b.equation("z == x - y + time")
    b.equation("x*x + y == 2.0")
    model = reduce(b.flat())
    assert len(model.unknowns) == 2
    by_source = {group.source: group for group in model.groups}
    assert by_source[0].kinds.count("unknown") == 1
    assert by_source[1].kinds.count("unknown") == 1


def test_input_may_not_be_tied() -> None:
    b = HandMade()
    b.input("u")
    b.input("v")
    b.variable("x")
    b.connect("u", "x")
    b.connect("x", "v")
    with pytest.raises(StructureError, match="E204"):
        reduce(b.flat())


def test_ladder_makes_as_many_templates_for_any_size() -> None:
    small, large = reduce(ladder(10)), reduce(ladder(300))
    assert len(small.groups) == len(large.groups)
    assert large.equation_count == len(large.unknowns) == 4 * 300
