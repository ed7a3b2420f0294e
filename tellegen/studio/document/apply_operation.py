"""What an operation makes of a model: splices of its text, and places of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tellegen.errors import DocumentError
from tellegen.studio.document.diagram import Diagram, Part
from tellegen.studio.document.edits import edit_copies, edit_parts, edit_values, edit_wires
from tellegen.studio.document.edits.group_parts import Grouped, group_parts
from tellegen.studio.document.edits.paste import free_names, paste_parts
from tellegen.studio.document.layout_file import Place
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.operations import (
    AddConnected,
    AddPart,
    Connect,
    Disconnect,
    GroupParts,
    MoveParts,
    Operation,
    PasteParts,
    Propagate,
    PutBetween,
    RemoveParts,
    RenamePart,
    ReplacePart,
    ReplaceText,
    SetArgument,
    SetCondition,
    SetCount,
    SetNote,
    SetParameter,
    SetStart,
    TurnPart,
)
from tellegen.studio.document.outcome_check import check_outcome
from tellegen.studio.document.own_classes import own_shapes
from tellegen.studio.document.places import grouped_places, moved, noted, on_grid
from tellegen.studio.document.text.class_source import ClassSource, read_class
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.document.text.splice import Span, Splice, spliced
from tellegen.studio.library.shapes import ClassShape, ParameterShape, Shapes

WIDE, TALL = 88, 72
"""The least distances between parts that are put somewhere."""
VALUES = (SetArgument, SetParameter, SetStart, SetCount, SetCondition, Propagate, ReplacePart)
"""Operations that leave all parts where they are."""


def applied(model: ModelText, cls: str, operation: Operation, library: Shapes) -> ModelText:
    """The model after an operation. A move changes the places it names; a change of parts or wires keeps all."""
    match operation:
        case AddConnected():
            return _connected(model, cls, operation, library)
        case PutBetween():
            return _between(model, cls, operation, library)
        case ReplaceText():
            return _replaced(model, cls, operation, library)
    before = model.diagram(cls, library)
    known = model.layout.get(cls, {})
    if isinstance(operation, MoveParts | TurnPart):
        return model.changed(model.text, {**model.layout, cls: {**known, **moved(before, operation)}})
    if isinstance(operation, SetNote):
        return model.changed(model.text, {**model.layout, cls: noted(before, operation, known)})
    source = read_class(parsed_file(model.text, model.name), cls)
    notes = {name: place for name, place in known.items() if place.note}
    if isinstance(operation, GroupParts):
        grouped = group_parts(source, before, library, set(operation.names), operation.cls)
        layout = grouped_places(before, operation, grouped.part, grouped.ports)
        after = _after(model, grouped, {**model.layout, **layout, cls: {**notes, **layout[cls]}})
    else:
        operation = _named(source, operation, library, before)
        text = spliced(model.text, _splices(source, operation, before, library))
        places = known if isinstance(operation, VALUES) else {**notes, **_kept(before, operation, source)}
        after = model.changed(text, {**model.layout, cls: places})
    check_outcome(operation, after.diagram(cls, library))  # what cannot be read again is not accepted either
    return after


def _connected(model: ModelText, cls: str, operation: AddConnected, library: Shapes) -> ModelText:
    """A part and its line in one step."""
    added, name = _with_part(model, cls, AddPart(operation.cls, "", operation.x, operation.y), library)
    return applied(added, cls, Connect(operation.to, f"{name}.{operation.port}"), library)


def _between(model: ModelText, cls: str, operation: PutBetween, library: Shapes) -> ModelText:
    """A line through a new part, which stands in the middle, in one step."""
    before = model.diagram(cls, library)
    ends = [_part(before, end.partition(".")[0]).place for end in (operation.first, operation.second)]
    middle = (sum(end.x for end in ends) // 2, sum(end.y for end in ends) // 2)
    apart = applied(model, cls, Disconnect(operation.wire, operation.second), library)
    added, name = _with_part(apart, cls, AddPart(operation.cls, "", *middle), library)
    half = applied(added, cls, Connect(operation.first, f"{name}.{operation.input}"), library)
    return applied(half, cls, Connect(f"{name}.{operation.output}", operation.second), library)


def _with_part(model: ModelText, cls: str, operation: AddPart, library: Shapes) -> tuple[ModelText, str]:
    """A new part at the place, or below it where something stands there, and its name."""
    places = [part.place for part in model.diagram(cls, library).parts]
    known = {part.name for part in model.diagram(cls, library).parts}
    y = operation.y
    while any(abs(place.x - operation.x) < WIDE and abs(place.y - y) < TALL for place in places):
        y += TALL
    added = applied(model, cls, replace(operation, y=y), library)
    (name,) = (part.name for part in added.diagram(cls, library).parts if part.name not in known)
    return added, name


def _replaced(model: ModelText, cls: str, operation: ReplaceText, library: Shapes) -> ModelText:
    """Another text at one place; places of parts stay."""
    end = operation.start + len(operation.before)
    if operation.start < 0 or model.text[operation.start : end] != operation.before:
        advice = "nothing was done; wait for the check of the present text"
        raise DocumentError("E898", "the text was changed in the meantime", advice=advice)
    text = spliced(model.text, [Splice(Span(operation.start, end), operation.after)])
    after = model.changed(text, model.layout)
    after.diagram(cls, library)  # what cannot be read again is not accepted
    return after


def _after(model: ModelText, grouped: Grouped, layout: Mapping[str, Mapping[str, Place]]) -> ModelText:
    return model.changed(spliced(model.text, grouped.splices), layout)


def _named(source: ClassSource, operation: Operation, library: Shapes, diagram: Diagram) -> Operation:
    """A part to be added gets a name; classes have to be known."""
    match operation:
        case AddPart(cls, name, x, y, turned):
            _check_class(source, cls, library, diagram)
            return AddPart(cls, name or edit_parts.new_name(source, cls), x, y, turned)
        case PasteParts(parts):
            for part in parts:
                _check_class(source, part.cls, library, diagram)
        case ReplacePart(_, cls):
            _check_class(source, cls, library, diagram)
        case Propagate(part, parameter, name):
            return Propagate(part, parameter, name or edit_parts.free_name(source, parameter))
    return operation


def _check_class(source: ClassSource, cls: str, library: Shapes, diagram: Diagram) -> None:
    local = cls in source.file.classes and cls != diagram.cls
    if not local and (cls not in library or library[cls].connector):
        raise DocumentError("E898", f"{cls!r} is not a component of the library or of this file")


def _splices(source: ClassSource, operation: Operation, diagram: Diagram, library: Shapes) -> list[Splice]:
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
        case SetStart(part, variable, typed):
            return edit_values.set_start(source, part, variable, typed)
        case SetCount(part, typed):
            return edit_copies.set_count(source, part, typed)
        case SetCondition(part, typed):
            return edit_copies.set_condition(source, part, typed)
        case Connect(first, second):
            return edit_wires.connect(source, first, second)
        case Disconnect(wire, end):
            return edit_wires.disconnect(source, wire, end)
        case PasteParts(parts):
            return paste_parts(source, operation, free_names(source, parts))
        case ReplacePart(part, cls):
            return edit_values.replace_part(source, part, cls, _shape(cls, source, library))
        case Propagate(part, parameter, name):
            shape = _parameter(_part(diagram, part), parameter, {**library, **diagram.shapes})
            return edit_values.propagate(source, part, shape, name)
    raise AssertionError(operation)


def _part(diagram: Diagram, name: str) -> Part:
    part = diagram.part(name)
    if part is None:
        raise DocumentError("E898", f"there is no part {name!r} in {diagram.cls}")
    return part


def _shape(cls: str, source: ClassSource, library: Shapes) -> ClassShape:
    return library[cls] if cls in library else own_shapes(source.file, library)[cls]


def _parameter(part: Part, name: str, shapes: Shapes) -> ParameterShape:
    found = next((row for row in shapes[part.cls].parameters if row.name == name), None)
    if found is None:
        raise DocumentError("E898", f"{part.name} has no parameter {name!r}")
    return found


def _kept(before: Diagram, operation: Operation, source: ClassSource) -> Mapping[str, Place]:
    """Places of all parts after an operation on the text: where they stood, so that nothing jumps."""
    places = {part.name: part.place for part in before.parts}
    match operation:
        case AddPart(_, name, x, y, turned):
            places[name] = Place(on_grid(x), on_grid(y), turned)
        case RemoveParts(names):
            places = {name: place for name, place in places.items() if name not in names}
        case RenamePart(old, new):
            places = {new if name == old else name: place for name, place in places.items()}
        case PasteParts(parts):
            names = free_names(source, parts)
            places |= {names[part.name]: Place(on_grid(part.x), on_grid(part.y), part.turned) for part in parts}
    return places
