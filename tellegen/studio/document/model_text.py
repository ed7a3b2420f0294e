"""The text of a model with the places of its parts, and what an operation makes of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass
from tellegen.studio.document import edit_parts, edit_wires
from tellegen.studio.document.class_source import ClassSource, read_class
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.layout_file import ORIENTATION, Layout, Place
from tellegen.studio.document.made_parts import NOTHING, Structure
from tellegen.studio.document.operations import (
    AddPart,
    Connect,
    Disconnect,
    MoveParts,
    Operation,
    RemoveParts,
    RenamePart,
    SetArgument,
    SetParameter,
    TurnPart,
)
from tellegen.studio.document.read_diagram import read_diagram
from tellegen.studio.document.source_file import parsed_file
from tellegen.studio.document.splice import Splice, spliced
from tellegen.studio.library.shapes import GRID, Shapes


@dataclass(frozen=True)
class ModelText:
    """A file and its layout, as texts and places."""

    text: str
    layout: Layout
    name: str = "model.py"
    made: Mapping[str, Structure] = field(default_factory=dict, compare=False)
    """What classes have once they are built, as far as they were."""

    def diagram(self, cls: str, library: Shapes) -> Diagram:
        """The diagram of one of its classes."""
        places = self.layout.get(cls, {})
        return read_diagram(parsed_file(self.text, self.name), cls, library, places, self.made.get(cls, NOTHING))

    def with_made(self, cls: str, structure: Structure) -> ModelText:
        """The same text, with what a class has once it is built."""
        return ModelText(self.text, self.layout, self.name, {**self.made, cls: structure})


def new_model(cls: str) -> str:
    """The text of a file with one empty model."""
    if not cls.isidentifier():
        advice = "use letters and digits, and begin with a capital letter: Drive"
        raise DocumentError("E898", f"{cls!r} cannot be the name of a model", advice=advice)
    return (
        f'"""A model, composed in the studio."""\n\nimport tellegen as tg\n\n\nclass {cls}(tg.Component):\n    pass\n'
    )


def applied(model: ModelText, cls: str, operation: Operation, library: Shapes) -> ModelText:
    """The model after an operation. A move changes the places it names; a change of parts or wires keeps all."""
    before = model.diagram(cls, library)
    if isinstance(operation, MoveParts | TurnPart):
        places = {**model.layout.get(cls, {}), **_moved(before, operation)}
        return ModelText(model.text, {**model.layout, cls: places}, model.name, model.made)
    source = read_class(parsed_file(model.text, model.name), cls)
    operation = _named(source, operation, library, before)
    text = spliced(model.text, _splices(source, operation))
    parameters_only = isinstance(operation, SetArgument | SetParameter)
    places = model.layout.get(cls, {}) if parameters_only else _kept(before, operation)
    after = ModelText(text, {**model.layout, cls: places}, model.name, model.made)
    after.diagram(cls, library)  # what cannot be read again is not accepted
    return after


def _moved(diagram: Diagram, operation: MoveParts | TurnPart) -> dict[str, Place]:
    names = operation.names if isinstance(operation, MoveParts) else (operation.part,)
    found = {name: diagram.part(name) for name in names}
    missing = [name for name, part in found.items() if part is None]
    if missing:
        raise DocumentError("E898", f"there is no part {missing[0]!r} in {diagram.cls}")
    known = {name: part.place for name, part in found.items() if part is not None}
    if isinstance(operation, TurnPart):
        if not ORIENTATION.fullmatch(operation.turned):
            raise DocumentError("E898", f"{operation.turned!r} is not an orientation: r90, r180, r270, with m or not")
        place = known[operation.part]
        return {operation.part: Place(place.x, place.y, operation.turned)}
    rows = zip(names, operation.x, operation.y, strict=True)
    return {name: Place(_on_grid(x), _on_grid(y), known[name].turned) for name, x, y in rows}


def _on_grid(value: int) -> int:
    return GRID * round(value / GRID)


def _named(source: ClassSource, operation: Operation, library: Shapes, diagram: Diagram) -> Operation:
    """A part to be added gets a name; its class has to be known."""
    if not isinstance(operation, AddPart):
        return operation
    local = operation.cls in source.file.classes and operation.cls != diagram.cls
    if not local and (operation.cls not in library or library[operation.cls].connector):
        raise DocumentError("E898", f"{operation.cls!r} is not a component of the library or of this file")
    name = operation.name or edit_parts.new_name(source, operation.cls)
    return AddPart(operation.cls, name, operation.x, operation.y, operation.turned)


def _splices(source: ClassSource, operation: Operation) -> list[Splice]:
    match operation:
        case AddPart(cls, name):
            return edit_parts.add_part(source, cls, name)
        case RemoveParts(names):
            return edit_parts.remove_parts(source, names)
        case RenamePart(old, new):
            return edit_parts.rename_part(source, old, new)
        case SetArgument(part, parameter, typed):
            return edit_parts.set_argument(source, part, parameter, typed)
        case SetParameter(parameter, typed):
            return edit_parts.set_parameter(source, parameter, typed)
        case Connect(first, second):
            return edit_wires.connect(source, first, second)
        case Disconnect(wire, end):
            return edit_wires.disconnect(source, wire, end)
    raise AssertionError(operation)


def _kept(before: Diagram, operation: Operation) -> Mapping[str, Place]:
    """Places of all parts after an operation on the text: where they stood, so that nothing jumps."""
    places = {part.name: part.place for part in before.parts}
    match operation:
        case AddPart(_, name, x, y, turned):
            places[name] = Place(_on_grid(x), _on_grid(y), turned)
        case RemoveParts(names):
            places = {name: place for name, place in places.items() if name not in names}
        case RenamePart(old, new):
            places = {new if name == old else name: place for name, place in places.items()}
    return places
