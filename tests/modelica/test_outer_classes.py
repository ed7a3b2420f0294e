"""outer classes as types, base classes and packages; constants of classes around (MLS 5.3, 5.4, 5.6)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg

TEXT = Path(__file__).with_name("outer_classes.mo")
"""Each model says in its description which values it has at the end, `name = value, ...`, or which error it is."""


@pytest.fixture(scope="module")
def library():
    return tg.load_modelica(TEXT)


def described() -> list[tuple[str, str]]:
    """The models of the file that are tests, with their descriptions."""
    lines = [line.strip() for line in TEXT.read_text().splitlines() if line.startswith("  model Test")]
    return [(line.split()[1], line.split('"')[1]) for line in lines]


@pytest.mark.parametrize(("name", "expected"), described())
def test_the_class_that_is_meant(library, name: str, expected: str) -> None:
    model = library[f"OuterClasses.{name}"]
    if expected.startswith("E"):
        with pytest.raises(tg.TellegenError, match=expected):
            tg.simulate(model, stop=1.0)
        return
    found = tg.simulate(model, stop=1.0)
    for part in expected.split(", "):
        path, value = part.split(" = ")
        assert found[path][-1] == pytest.approx(float(value)), path


def test_an_outer_class_without_an_inner_one_is_taken_with_a_warning(library) -> None:
    with pytest.warns(UserWarning, match="no inner class 'A' is declared"):
        found = tg.simulate(library["OuterClasses.Alone"], stop=1.0)
    assert found["b.a.x"][-1] == pytest.approx(1.0)
