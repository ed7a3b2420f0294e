"""Components at the prompt."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import electrical as el


class Ladder(tg.Component):
    """Parameters, expressions and arrays."""

    n = tg.parameter(3, structural=True)
    k = tg.parameter(2.0, "ohm")
    r = el.Resistor(R=2 * k)
    cells = el.Resistor.array(3, R=[1.0, 2.0, 3.0])


def test_values_are_shown_as_written() -> None:
    assert repr(el.Resistor(R=3)) == "<Resistor: R=3 ohm>"
    assert repr(el.Resistor(R="2.2 kohm")) == "<Resistor: R=2.2 kohm>"
    assert repr(el.Resistor()) == "<Resistor>"
    assert repr(el.Ground()) == "<Ground>"


def test_paths_expressions_children_and_arrays() -> None:
    ladder = Ladder()
    assert repr(ladder) == "<Ladder: r, cells>"
    assert repr(ladder.r) == "<Resistor r: R=2 * k>"
    assert repr(ladder.cells) == "<Resistor cells[3]: R=[1.0, 2.0, 3.0] ohm>"
    assert repr(ladder.cells[1]).startswith("<Resistor cells[1]: ")


def test_a_component_without_its_init_can_still_be_shown() -> None:
    class Broken(tg.Component):
        a = tg.parameter(1.0)

        def __init__(self) -> None:
            pass

    assert repr(Broken()) == "<Broken>"
