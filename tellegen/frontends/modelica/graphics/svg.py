"""A picture as SVG text. All points are computed for the whole picture, so texts stay upright and lines keep their
thickness, wherever components are turned, mirrored or stretched."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator
from html import escape
from itertools import pairwise

from tellegen.frontends.modelica.graphics.fillings import Fillings
from tellegen.frontends.modelica.graphics.geometry import Affine, placed, turned
from tellegen.frontends.modelica.graphics.shapes import (
    Bitmap,
    Ellipse,
    Extent,
    Line,
    Look,
    Picture,
    Point,
    Polygon,
    Rectangle,
    Shape,
    Text,
)

_DASHES = {"Dash": "4 2", "Dot": "1 1.5", "DashDot": "4 1.5 1 1.5", "DashDotDot": "4 1.5 1 1.5 1 1.5"}
_LINE = 2.0  # units of a diagram for a millimetre of line
_LETTER = 0.58  # width of a letter, in its height
_SMALLEST_LETTER = 0.5
_PARTS = 48  # of an arc
_MARGIN = 4.0


def svg_text(picture: Picture, width: float) -> str:
    """The picture, so many pixels wide."""
    drawing = _Drawing()
    drawing.picture(picture, Affine(d=-1.0))
    (left, bottom), (right, top) = drawing.bounds(picture.layer.extent)
    across = right - left + 2 * _MARGIN
    up = top - bottom + 2 * _MARGIN
    box = f"{left - _MARGIN:g} {bottom - _MARGIN:g} {across:g} {up:g}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width:g}" height="{width * up / across:g}"'
    return "\n".join(
        [
            f'{head} font-family="sans-serif" stroke-linejoin="round" stroke-linecap="round">',
            *drawing.fillings.definitions(),
            *drawing.lines,
            "</svg>",
        ]
    )


class _Drawing:
    """Elements of an SVG text, collected in the order drawn."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.fillings = Fillings()
        self._seen: list[Point] = []

    def picture(self, picture: Picture, frame: Affine) -> None:
        """Shapes, then components, then connections over them."""
        for shape in picture.layer.shapes:
            self._shape(shape, frame)
        for component in picture.components:
            self.lines.append(f"<g><title>{escape(component.name)}</title>")
            self.picture(component.picture, placed(frame, component.placement, component.picture.layer.extent))
            self.lines.append("</g>")
        for line in picture.connections:
            self._shape(line, frame)

    def bounds(self, extent: Extent) -> Extent:
        """What is drawn; of a picture without anything its coordinates."""
        points = self._seen or [extent[0], extent[1]]
        xs = [x for x, _ in points]
        ys = [y for _, y in points]
        return (min(xs), min(ys)), (max(xs), max(ys))

    def _shape(self, shape: Shape, frame: Affine) -> None:
        frame = turned(frame, shape.position)
        if isinstance(shape, Line):
            self._line(shape, frame)
        elif isinstance(shape, Polygon):
            self._path(shape.points, frame, shape.look, closed=True, smooth=shape.smooth)
        elif isinstance(shape, Rectangle):
            self._path(_rounded(shape.extent, shape.radius), frame, shape.look, closed=True)
        elif isinstance(shape, Ellipse):
            is_open = shape.closure == "None"
            self._path(tuple(_arc(shape)), frame, shape.look, closed=not is_open)
        elif isinstance(shape, Text):
            self._text(shape, frame)
        else:
            self._bitmap(shape, frame)

    def _path(
        self, points: tuple[Point, ...], frame: Affine, look: Look, closed: bool = False, smooth: bool = False
    ) -> None:
        found = [frame.point(point) for point in points]
        self._seen += found
        filling = self.fillings.attribute(look) if closed else "none"
        self.lines.append(f'<path d="{_steps(found, closed, smooth)}" fill="{filling}"{_stroke(look)}/>')

    def _line(self, line: Line, frame: Affine) -> None:
        self._path(line.points, frame, line.look, smooth=line.smooth)
        ends = ((line.points[1], line.points[0]), (line.points[-2], line.points[-1]))
        for arrow, (before, tip) in zip(line.arrows, ends, strict=True):
            if arrow != "None" and before != tip:
                self._arrow(frame.point(before), frame.point(tip), line.arrow_size * frame.scale, line.look, arrow)

    def _arrow(self, before: Point, tip: Point, size: float, look: Look, kind: str) -> None:
        angle = math.atan2(tip[1] - before[1], tip[0] - before[0])
        sides = [
            (tip[0] - size * math.cos(angle + turn), tip[1] - size * math.sin(angle + turn)) for turn in (0.4, -0.4)
        ]
        filling = _colour(look.line) if kind == "Filled" else "none"
        points = [sides[0], tip] if kind == "Half" else [sides[0], tip, sides[1]]
        steps = _steps(points, kind == "Filled", False)
        self.lines.append(f'<path d="{steps}" fill="{filling}"{_stroke(look)}/>')

    def _text(self, text: Text, frame: Affine) -> None:
        lines = text.text.replace("\\n", "\n").split("\n")
        longest = max(map(len, lines))
        if not longest:
            return
        (x1, y1), (x2, y2) = text.extent
        corners = [frame.point(corner) for corner in (text.extent[0], (x2, y1), text.extent[1], (x1, y2))]
        across = math.dist(corners[0], corners[1])
        up = math.dist(corners[0], corners[3])
        fitting = up / (1.2 * len(lines) - 0.2)
        if across:  # an extent without width does not limit the text
            fitting = min(fitting, across / (_LETTER * longest))
        size = text.size * 0.35 * 2 if text.size > 0 else fitting
        if size < _SMALLEST_LETTER:
            return
        angle = (frame.angle + 90.0 + 1e-6) % 180.0 - 90.0 - 1e-6  # never upside down; upwards rather than downwards
        middle = ((corners[0][0] + corners[2][0]) / 2, (corners[0][1] + corners[2][1]) / 2)
        shift = {"Left": -across / 2, "Right": across / 2}.get(text.alignment, 0.0)
        turn = math.radians(angle)
        at = (middle[0] + shift * math.cos(turn), middle[1] + shift * math.sin(turn))
        self._seen += corners
        for number, line in enumerate(lines):
            down = size * (0.35 + 1.2 * (number - (len(lines) - 1) / 2))
            x = at[0] - down * math.sin(turn)
            y = at[1] + down * math.cos(turn)
            moved = f' transform="rotate({angle:.4g} {x:.5g} {y:.5g})"' if abs(angle) > 1e-6 else ""
            anchor = {"Left": "start", "Right": "end"}.get(text.alignment, "middle")
            look = f'font-size="{size:.4g}" fill="{_colour(text.colour)}" text-anchor="{anchor}"{_styles(text)}'
            self.lines.append(f'<text x="{x:.5g}" y="{y:.5g}" {look}{moved}>{escape(line)}</text>')

    def _bitmap(self, bitmap: Bitmap, frame: Affine) -> None:
        corners = [frame.point(corner) for corner in bitmap.extent]
        self._seen += corners
        (x1, y1), (x2, y2) = corners
        place = f'x="{min(x1, x2):.5g}" y="{min(y1, y2):.5g}" width="{abs(x2 - x1):.5g}" height="{abs(y2 - y1):.5g}"'
        if not bitmap.data:
            self.lines.append(f'<rect {place} fill="none" stroke="#999999" stroke-dasharray="2 2" stroke-width="0.5"/>')
            return
        data = base64.b64encode(bitmap.data).decode("ascii")
        self.lines.append(f'<image {place} href="data:image/{bitmap.type};base64,{data}"/>')


def _steps(points: list[Point], closed: bool, smooth: bool) -> str:
    """The path through points; a smooth one goes through the middles between them (MLS 18.6.1.2)."""
    first = points[0]
    steps = [f"M{first[0]:.5g} {first[1]:.5g}"]
    if not smooth or len(points) < 3:
        steps += [f"L{x:.5g} {y:.5g}" for x, y in points[1:]]
        return "".join(steps) + ("Z" if closed else "")
    ring = [*points, first] if closed and points[-1] != first else points
    for (x1, y1), (x2, y2) in pairwise(ring[1:]):
        steps.append(f"Q{x1:.5g} {y1:.5g} {(x1 + x2) / 2:.5g} {(y1 + y2) / 2:.5g}")
    last = ring[-1]
    return "".join(steps) + f"L{last[0]:.5g} {last[1]:.5g}" + ("Z" if closed else "")


def _stroke(look: Look) -> str:
    if look.pattern == "None":
        return ""
    dashes = _DASHES.get(look.pattern)
    dashed = f' stroke-dasharray="{dashes}"' if dashes is not None else ""
    return f' stroke="{_colour(look.line)}" stroke-width="{look.thickness * _LINE:.3g}"{dashed}'


def _styles(text: Text) -> str:
    words = {"Bold": ' font-weight="bold"', "Italic": ' font-style="italic"'}
    words["UnderLine"] = ' text-decoration="underline"'
    return "".join(words.get(style, "") for style in text.styles)


def _colour(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _rounded(extent: Extent, radius: float) -> tuple[Point, ...]:
    """The corners of a rectangle, rounded ones as arcs of points."""
    (x1, y1), (x2, y2) = extent
    left, right = min(x1, x2), max(x1, x2)
    low, high = min(y1, y2), max(y1, y2)
    radius = min(max(radius, 0.0), (right - left) / 2, (high - low) / 2)
    if not radius:
        return (left, low), (right, low), (right, high), (left, high)
    middles = ((right - radius, high - radius), (left + radius, high - radius))
    middles += ((left + radius, low + radius), (right - radius, low + radius))
    return tuple(
        (x + radius * math.cos(angle), y + radius * math.sin(angle))
        for quarter, (x, y) in enumerate(middles)
        for angle in (math.pi / 2 * (quarter + k / 8) for k in range(9))
    )


def _arc(ellipse: Ellipse) -> Iterator[Point]:
    (x1, y1), (x2, y2) = ellipse.extent
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    first, last = (math.radians(angle) for angle in ellipse.angles)
    if ellipse.closure == "Radial" and abs(last - first) < 2 * math.pi - 1e-9:
        yield middle
    for k in range(_PARTS + 1):
        angle = first + (last - first) * k / _PARTS
        yield middle[0] + abs(x2 - x1) / 2 * math.cos(angle), middle[1] + abs(y2 - y1) / 2 * math.sin(angle)
