"""Every example opens, and an operation changes what it is about and nothing else of the file."""

from __future__ import annotations

import ast
import difflib
import random
from pathlib import Path

import pytest

import tellegen as tg
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.layout_file import layout_text, parse_layout
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.operations import (
    AddPart,
    Connect,
    Disconnect,
    MoveParts,
    Operation,
    RemoveParts,
    RenamePart,
    SetArgument,
    TurnPart,
)
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.library.catalogue import library_shapes

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def models(path: Path) -> list[tuple[ModelText, str]]:
    """The classes of a file that have parts."""
    model = ModelText(path.read_text(encoding="utf-8"), {}, path.name)
    names = parsed_file(model.text).component_classes()
    return [(model, name) for name in names if model.diagram(name, library_shapes()).parts]


def nets(diagram: Diagram) -> set[frozenset[str]]:
    """What is connected, whatever the statements are."""
    found: list[set[str]] = []
    for wire in diagram.wires:
        joined = set(wire.ends)
        apart = []
        for net in found:
            if net & joined:
                joined |= net
            else:
                apart.append(net)
        found = [*apart, joined]
    return {frozenset(net) for net in found}


def has_base_here(model: ModelText, cls: str) -> bool:
    file = parsed_file(model.text)
    return any(ast.unparse(base) in file.classes for base in file.classes[cls].bases)


def changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[0] in "+-" and not line.startswith(("+++", "---"))]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_moved_part_is_one_changed_line_of_the_layout(path: Path) -> None:
    for model, cls in models(path):
        diagram = model.diagram(cls, library_shapes())
        all_placed = MoveParts(
            tuple(part.name for part in diagram.parts),
            tuple(part.place.x for part in diagram.parts),
            tuple(part.place.y for part in diagram.parts),
        )
        saved = applied(model, cls, all_placed, library_shapes())
        name = diagram.parts[-1].name
        moved = applied(saved, cls, MoveParts((name,), (808,), (404,)), library_shapes())
        assert moved.text == model.text
        lines = changed_lines(layout_text(saved.layout), layout_text(moved.layout))
        assert len(lines) == 2
        assert all(f'"{name}"' in line for line in lines)
        assert parse_layout(layout_text(moved.layout)) == moved.layout
        alone = applied(model, cls, MoveParts((name,), (808,), (404,)), library_shapes())
        assert set(alone.layout[cls]) == {name}, "a move keeps no other places"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_part_stands_on_another(path: Path) -> None:
    for model, cls in models(path):
        places = [part.place for part in model.diagram(cls, library_shapes()).parts]
        for k, first in enumerate(places):
            for second in places[:k]:
                apart = abs(first.x - second.x) >= 80 or abs(first.y - second.y) >= 48
                assert apart, f"{cls}: {first} and {second}"


def random_operation(diagram: Diagram, chance: random.Random) -> Operation:
    parts = [part for part in diagram.parts if not part.fixed and not part.port]
    part = chance.choice(parts) if parts else None
    wires = [wire for wire in diagram.wires if not wire.fixed]
    kinds = ["add", "move"] + ["remove", "rename", "set", "turn", "connect"] * (part is not None)
    kinds += ["disconnect"] * bool(wires)
    kind = chance.choice(kinds)
    shapes = {**library_shapes(), **diagram.shapes}
    if kind == "disconnect":
        wire = chance.choice(wires)
        return Disconnect(wire.number, chance.choice(wire.ends))
    if kind == "add" or part is None:
        return AddPart(chance.choice(["electrical.Resistor", "thermal.HeatCapacitor", "blocks.Gain"]), "", 96, 640)
    if kind == "move":
        return MoveParts((part.name,), (chance.randrange(900),), (chance.randrange(600),))
    if kind == "remove":
        return RemoveParts((part.name,))
    if kind == "rename":
        return RenamePart(part.name, f"{part.name}_{chance.randrange(1000)}")
    if kind == "turn":
        return TurnPart(part.name, chance.choice(["", "r90", "r180m"]))
    if kind == "connect":
        other = chance.choice(parts)
        first, second = ([port.name for port in shapes[p.cls].ports] or ["x"] for p in (part, other))
        return Connect(f"{part.name}.{chance.choice(first)}", f"{other.name}.{chance.choice(second)}")
    return SetArgument(part.name, "x_value", chance.choice(["1.5", "2.2 kohm", "2 * 3", ""]))


def check_effect(operation: Operation, before: Diagram, after: Diagram) -> None:
    """What the operation says has happened, seen in the diagram that is read again."""
    names = {part.name for part in before.parts}
    now = {part.name for part in after.parts}
    match operation:
        case AddPart():
            assert len(now - names) == 1
            assert nets(after) == nets(before)
        case RemoveParts(gone):
            assert now == names - set(gone)
            left = {end for net in nets(after) for end in net}
            assert not any(end.split(".")[0] in gone for end in left)
        case RenamePart(old, new):
            assert now == (names - {old}) | {new}
            swapped = [tuple(_renamed(end, old, new) for end in wire.ends) for wire in before.wires]
            assert [wire.ends for wire in after.wires] == swapped
        case Connect(first, second):
            assert any({first, second} <= net for net in nets(after))
        case Disconnect(number, end):
            ends = [list(wire.ends) for wire in before.wires if not wire.equation]
            ends[number].remove(end)
            left = [list(wire.ends) for wire in after.wires if not wire.equation]
            assert left == [wire for wire in ends if len(wire) > 1]
        case SetArgument(part, parameter, typed):
            found = after.part(part)
            assert found is not None
            assert (parameter in found.arguments) == bool(typed)
    places = {part.name: part.place for part in before.parts}
    if not isinstance(operation, MoveParts | TurnPart | RenamePart):
        assert all(part.place == places.get(part.name, part.place) for part in after.parts), "nothing jumps"


def _renamed(end: str, old: str, new: str) -> str:
    return new + end[len(old) :] if end == old or end.startswith((f"{old}.", f"{old}[")) else end


@pytest.mark.parametrize("path", EXAMPLES[::4], ids=lambda path: path.stem)
def test_random_operations_do_what_they_say_and_leave_the_rest(path: Path) -> None:
    chance = random.Random(path.stem)
    alone = [
        (model, cls) for model, cls in models(path) if not has_base_here(model, cls)
    ]  # nothing is hidden by a part
    for model, cls in alone[-1:]:
        for _ in range(10):
            before = model.diagram(cls, library_shapes())
            operation = random_operation(before, chance)
            try:
                after = applied(model, cls, operation, library_shapes())
            except tg.DocumentError:  # already connected, say; nothing else is raised
                continue
            check_effect(operation, before, after.diagram(cls, library_shapes()))
            node = parsed_file(model.text).classes[cls]
            lines = model.text.splitlines()
            kept = after.text.splitlines()
            tail = lines[node.end_lineno :]
            assert kept[len(kept) - len(tail) :] == tail, "what follows the class is as it was"
            head = lines[: node.lineno - 1]
            imports = [line for line in kept if line.startswith("from tellegen.library import")]
            start = [line for line in kept[: kept.index(lines[node.lineno - 1])] if line not in imports]
            assert start == [line for line in head if line not in imports]
            model = after
