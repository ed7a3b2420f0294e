"""Parts without a place stand as somebody would draw them: facing what they lead to, grounds below, none on another."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from tellegen.studio.document.arranging.arrange import arrange
from tellegen.studio.document.arranging.nodes import Node
from tellegen.studio.document.layout_file import Place
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.library.catalogue import library_shapes

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def placed(parts: dict[str, str], *wires: tuple[str, ...]) -> dict[str, Place]:
    """The places of parts, given by name and class."""
    shapes = library_shapes()
    upright = ("electrical.ConstantVoltage",)
    nodes = [Node(name, shapes[cls].ports, shapes[cls].height, cls in upright) for name, cls in parts.items()]
    return arrange(nodes, wires, {})


def test_a_chain_is_a_straight_line_whatever_its_ends_are_called() -> None:
    """Every line between neighbours is straight: the ends and the damper are mirrored, the wall stands left."""
    places = placed(
        {
            "mass": "translational.Mass",
            "spring": "translational.Spring",
            "damper": "translational.Damper",
            "wall": "translational.Fixed",
            "belt": "translational.ConstantSpeed",
        },
        ("wall.flange", "spring.flange_a"),
        ("spring.flange_b", "mass.flange_a"),
        ("mass.flange_b", "damper.flange_b"),
        ("damper.flange_a", "belt.flange"),
    )
    assert sorted(places, key=lambda name: places[name].x) == ["wall", "spring", "mass", "damper", "belt"]
    assert len({place.y for place in places.values()}) == 1
    assert {name for name, place in places.items() if place.turned == "m"} == {"damper"}


def test_what_leads_to_ground_stands_upright_and_ground_below_the_source() -> None:
    places = placed(
        {
            "source": "electrical.ConstantVoltage",
            "r": "electrical.Resistor",
            "c": "electrical.Capacitor",
            "load": "electrical.Resistor",
            "ground": "electrical.Ground",
        },
        ("source.p", "r.p"),
        ("r.n", "c.p", "load.n"),
        ("source.n", "c.n", "ground.p"),
        ("load.p", "ground.p"),
    )
    assert [places[name].turned for name in ("source", "r", "c", "load")] == ["r90", "", "r90", "r270"]
    assert places["source"].x < places["r"].x < places["c"].x < places["load"].x, "shunts stand side by side"
    assert places["c"].y == places["load"].y == places["source"].y > places["r"].y
    assert places["ground"].x == places["source"].x
    assert places["ground"].y > places["source"].y + 60


def test_parts_that_are_not_connected_stand_beside_the_others() -> None:
    parts = {f"sine{k}": "blocks.Sine" for k in range(8)}
    places = placed(parts)
    assert len({place.x for place in places.values()}) > 2
    assert len({place.y for place in places.values()}) > 1


def test_a_long_chain_is_folded() -> None:
    names = [f"r{k}" for k in range(60)]
    places = placed(
        dict.fromkeys(names, "electrical.Resistor"),
        *((f"r{k}.n", f"r{k + 1}.p") for k in range(59)),
    )
    wide = max(place.x for place in places.values()) - min(place.x for place in places.values())
    tall = max(place.y for place in places.values()) - min(place.y for place in places.values())
    assert 1.0 < wide / tall < 4.0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_nothing_stands_on_another_in_examples(path: Path) -> None:
    """Bodies of all parts of all classes are apart, and so is the room for a name below each."""
    model = ModelText(path.read_text(encoding="utf-8"), {}, path.name)
    for cls in parsed_file(model.text).component_classes():
        diagram = model.diagram(cls, library_shapes())
        for one, other in combinations(diagram.parts, 2):
            apart = abs(one.place.x - other.place.x), abs(one.place.y - other.place.y)
            assert apart[0] >= 56 or apart[1] >= 64, (cls, one.name, other.name, apart)
