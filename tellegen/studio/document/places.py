"""Where parts and notes stand after an operation."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.errors import DocumentError
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.layout_file import ORIENTATION, Place
from tellegen.studio.document.operations import GroupParts, MoveParts, SetNote, TurnPart
from tellegen.studio.library.shapes import GRID

NOTE = "#"
"""Names of notes begin with it: no part has such a name."""


def on_grid(value: int) -> int:
    """The nearest place of the grid."""
    return GRID * round(value / GRID)


def moved(diagram: Diagram, operation: MoveParts | TurnPart) -> dict[str, Place]:
    """New places of the parts and notes that are named."""
    names = operation.names if isinstance(operation, MoveParts) else (operation.part,)
    standing = {part.name: part.place for part in diagram.parts} | {note.name: note.place for note in diagram.notes}
    missing = [name for name in names if name not in standing]
    if missing:
        raise DocumentError("E898", f"there is no part {missing[0]!r} in {diagram.cls}")
    if isinstance(operation, TurnPart):
        if not ORIENTATION.fullmatch(operation.turned):
            raise DocumentError("E898", f"{operation.turned!r} is not an orientation: r90, r180, r270, with m or not")
        place = standing[operation.part]
        return {operation.part: Place(place.x, place.y, operation.turned)}
    if not len(names) == len(operation.x) == len(operation.y):
        raise DocumentError("E898", "a move needs a place for each part")
    rows = zip(names, operation.x, operation.y, strict=True)
    return {name: Place(on_grid(x), on_grid(y), standing[name].turned, standing[name].note) for name, x, y in rows}


def noted(diagram: Diagram, operation: SetNote, places: Mapping[str, Place]) -> dict[str, Place]:
    """All places with a note that is new, has another text, or is gone."""
    taken = {note.name for note in diagram.notes}
    if operation.note and operation.note not in taken:
        raise DocumentError("E898", f"there is no note {operation.note!r} in {diagram.cls}")
    name = operation.note or next(f"{NOTE}{k}" for k in range(1, len(taken) + 2) if f"{NOTE}{k}" not in taken)
    rest = {other: place for other, place in places.items() if other != name}
    text = operation.text.strip()
    return {**rest, name: Place(on_grid(operation.x), on_grid(operation.y), "", text)} if text else rest


def grouped_places(
    diagram: Diagram, operation: GroupParts, part: str, ports: tuple[str, ...]
) -> dict[str, dict[str, Place]]:
    """Of the class that stays, with the group amid its parts, and of the new one, with its ports at the left."""
    inside = {row.name: row.place for row in diagram.parts if row.name in operation.names}
    stay = {row.name: row.place for row in diagram.parts if row.name not in operation.names}
    middle_x = sum(place.x for place in inside.values()) // len(inside)
    middle_y = sum(place.y for place in inside.values()) // len(inside)
    left = min(place.x for place in inside.values())
    top = min(place.y for place in inside.values())
    new = {name: Place(place.x - left + 160, place.y - top + 80, place.turned) for name, place in inside.items()}
    gates = {name: Place(48, 80 + 48 * k) for k, name in enumerate(ports)}
    return {diagram.cls: {**stay, part: Place(on_grid(middle_x), on_grid(middle_y))}, operation.cls: {**gates, **new}}
