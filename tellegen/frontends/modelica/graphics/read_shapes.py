"""Records of annotations, Line(...), Text(...), transformation(...), as typed shapes and placements."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.graphics.annotation_values import Arguments
from tellegen.frontends.modelica.graphics.shapes import (
    BLACK,
    WHOLE,
    Bitmap,
    Colour,
    Ellipse,
    Extent,
    Line,
    Look,
    Placement,
    Point,
    Polygon,
    Position,
    Rectangle,
    Shape,
    Text,
)
from tellegen.frontends.modelica.store.store import Store

_TYPES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".svg": "svg+xml", ".bmp": "bmp"}
_LARGEST_PICTURE = 5_000_000  # bytes that a drawing may take from one file
_MOST_POINTS = 10_000
TextOf = Callable[[str], str]  # a text with the names in it (%name) replaced


def shape_of(name: str, given: Arguments, text_of: TextOf) -> Shape | None:
    """The shape that a record describes; None where it is not visible, or nothing that can be drawn."""
    make = _SHAPES.get(name)
    return make(given, text_of) if make is not None and given.flag("visible", True) else None


def line_of(given: Arguments) -> Line | None:
    """Line(...)."""
    points = _points(given)
    if len(points) < 2:
        return None
    look = Look(_colour(given, "color"), pattern=given.word("pattern", "Solid"), thickness=_thickness(given, ""))
    arrows = given.value("arrow", ["None", "None"])
    ends = [str(end) for end in arrows] if isinstance(arrows, list) and len(arrows) == 2 else ["None", "None"]
    return Line(points, look, _position(given), _smooth(given), (ends[0], ends[1]), given.number("arrowSize", 3.0))


def placement_of(given: Arguments, default: Placement) -> Placement:
    """transformation(extent=..., rotation=..., origin=...)."""
    extent = _extent(given, default.extent)
    return Placement(extent, _position(given)) if "extent" in given or "origin" in given else default


def extent_of(given: Arguments) -> Extent | None:
    """The extent of a coordinateSystem(...), corners in order; None where it is missing or empty."""
    (x1, y1), (x2, y2) = _extent(given, WHOLE)
    if "extent" not in given or x1 == x2 or y1 == y2:
        return None
    return (min(x1, x2), min(y1, y2)), (max(x1, x2), max(y1, y2))


# ---------------------------------------------------------------------------------------------------------- records


def _line(given: Arguments, _: TextOf) -> Shape | None:
    return line_of(given)


def _polygon(given: Arguments, _: TextOf) -> Shape | None:
    points = _points(given)
    return Polygon(points, _look(given), _position(given), _smooth(given)) if len(points) > 1 else None


def _rectangle(given: Arguments, _: TextOf) -> Shape:
    return Rectangle(_extent(given, WHOLE), _look(given), _position(given), given.number("radius", 0.0))


def _ellipse(given: Arguments, _: TextOf) -> Shape:
    angles = (given.number("startAngle", 0.0), given.number("endAngle", 360.0))
    usual = "Chord" if angles[1] - angles[0] == 360.0 else "Radial"
    closure = given.word("closure", usual)
    return Ellipse(_extent(given, WHOLE), _look(given), _position(given), angles, closure)


def _text(given: Arguments, text_of: TextOf) -> Shape:
    colour = _colour(given, "textColor" if "textColor" in given else "lineColor")
    styles = given.value("textStyle", [])
    return Text(
        _extent(given, WHOLE),
        text_of(str(given.value("textString", given.value("string", "")))),
        colour,
        _position(given),
        given.number("fontSize", 0.0),
        given.word("horizontalAlignment", "Center"),
        tuple(str(style) for style in styles) if isinstance(styles, list) else (),
    )


def _bitmap(given: Arguments, _: TextOf) -> Shape:
    source = given.word("fileName", "")
    data, type = _encoded(given.word("imageSource", "")) if "imageSource" in given else _file(source, given)
    return Bitmap(_extent(given, WHOLE), source, data, type, _position(given))


_SHAPES: dict[str, Callable[[Arguments, TextOf], Shape | None]] = {
    "Line": _line,
    "Polygon": _polygon,
    "Rectangle": _rectangle,
    "Ellipse": _ellipse,
    "Text": _text,
    "Bitmap": _bitmap,
}


# ------------------------------------------------------------------------------------------------------- what they have


def _look(given: Arguments) -> Look:
    line = _colour(given, "lineColor")
    filling = _colour(given, "fillColor")
    pattern = given.word("pattern", "Solid")
    return Look(line, filling, pattern, given.word("fillPattern", "None"), _thickness(given, "line"))


def _thickness(given: Arguments, prefix: str) -> float:
    name = "lineThickness" if prefix else "thickness"
    return min(max(given.number(name, 0.25), 0.01), 20.0)


def _colour(given: Arguments, name: str) -> Colour:
    found = given.numbers(name, (3,))
    if found is None:
        return BLACK
    red, green, blue = (int(min(max(part, 0), 255)) for part in found)
    return red, green, blue


def _position(given: Arguments) -> Position:
    origin = given.numbers("origin", (2,))
    at = (0.0, 0.0) if origin is None else (float(origin[0]), float(origin[1]))
    return Position(at, given.number("rotation", 0.0))


def _extent(given: Arguments, default: Extent) -> Extent:
    found = given.numbers("extent", (2, 2))
    return default if found is None else (_point(found[0]), _point(found[1]))


def _points(given: Arguments) -> tuple[Point, ...]:
    found = given.numbers("points", (-1, 2))
    return () if found is None else tuple(_point(row) for row in found[:_MOST_POINTS])


def _point(row: Any) -> Point:
    return float(row[0]), float(row[1])


def _smooth(given: Arguments) -> bool:
    return given.word("smooth", "None") == "Bezier"


def _file(source: str, given: Arguments) -> tuple[bytes, str]:
    """The bytes of a picture's file and its type; no bytes where there is none that can be read."""
    store = given.scope.view.views.store
    if not isinstance(store, Store):
        return b"", ""
    try:
        path = store.resource(source)
        type = _TYPES.get(path.suffix.lower(), "")
        if not type or path.stat().st_size > _LARGEST_PICTURE:
            return b"", ""
        return path.read_bytes(), type
    except (OSError, ModelicaError, ValueError):
        return b"", ""


def _encoded(text: str) -> tuple[bytes, str]:
    """A picture that stands in the annotation itself, in base 64."""
    try:
        data = base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return b"", ""
    return data, "png" if data.startswith(b"\x89PNG") else "jpeg" if data.startswith(b"\xff\xd8") else "svg+xml"
