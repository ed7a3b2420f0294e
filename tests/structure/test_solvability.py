"""Models whose equations cannot determine the unknowns are refused by name."""

from __future__ import annotations

import pytest

from structure.handmade import HandMade
from tellegen.errors import StructureError
from tellegen.structure.passes import reduce


def refused(b: HandMade) -> str:
    with pytest.raises(StructureError) as caught:
        reduce(b.flat())
    return str(caught.value)


def test_too_few_equations_names_the_unknown() -> None:
    b = HandMade()
    b.variable("x", "lost")
    b.equation("der(x) == -x")
    text = refused(b)
    assert "E201" in text
    assert "lost" in text
    assert "1 equations, 2 unknowns" in text


def test_too_many_equations_names_the_equation() -> None:
    b = HandMade()
    b.variable("x")
    b.equation("x == time")
    b.equation("x*x == 4.0")
    text = refused(b)
    assert "E201" in text
    assert "more equations" in text


def test_redundant_connection_is_reported_by_name() -> None:
    b = HandMade()
    b.variable("a", "b", "c")
    b.connect("a", "b")
    b.connect("b", "a")
    b.equation("c == time")
    text = refused(b)
    assert "b == a" in text


def test_singular_system_names_both_sides() -> None:
    b = HandMade()
    b.variable("x", "y", "z")
    b.equation("x == time")
    b.equation("x**2 == 2.0*time")
    b.equation("x*time == y + z")
    text = refused(b)
    assert "E202" in text
    assert "x" in text
