"""What drawings are made of (MLS 18.6): shapes with their looks, in the coordinates of the class that draws them."""

from __future__ import annotations

from tellegen.start.records import dataclass

Point = tuple[float, float]
Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)
Extent = tuple[Point, Point]
WHOLE: Extent = ((-100.0, -100.0), (100.0, 100.0))


@dataclass(frozen=True)
class Look:
    """Lines and filling. `pattern` and `fill` are Modelica's words: Solid, Dash, None; HorizontalCylinder ..."""

    line: Colour = BLACK
    filling: Colour = BLACK
    pattern: str = "Solid"
    fill: str = "None"
    thickness: float = 0.25  # in mm


@dataclass(frozen=True)
class Position:
    """Where a shape's own coordinates lie: turned by `rotation` degrees about their origin, which moves to `origin`."""

    origin: Point = (0.0, 0.0)
    rotation: float = 0.0


@dataclass(frozen=True)
class Line:
    """An open line; `arrows` at its beginning and end: None, Open, Filled, Half."""

    points: tuple[Point, ...]
    look: Look = Look()
    position: Position = Position()
    smooth: bool = False
    arrows: tuple[str, str] = ("None", "None")
    arrow_size: float = 3.0


@dataclass(frozen=True)
class Polygon:
    """A closed line."""

    points: tuple[Point, ...]
    look: Look = Look()
    position: Position = Position()
    smooth: bool = False


@dataclass(frozen=True)
class Rectangle:
    """Two opposite corners, and the radius of rounded ones."""

    extent: Extent
    look: Look = Look()
    position: Position = Position()
    radius: float = 0.0


@dataclass(frozen=True)
class Ellipse:
    """The ellipse in an extent, or its part between two angles in degrees; `closure`: None, Chord, Radial."""

    extent: Extent
    look: Look = Look()
    position: Position = Position()
    angles: tuple[float, float] = (0.0, 360.0)
    closure: str = "Chord"


@dataclass(frozen=True)
class Text:
    """Text in an extent; a `size` of 0 fits it in. Alignments: Left, Center, Right; styles: Bold, Italic, UnderLine."""

    extent: Extent
    text: str
    colour: Colour = BLACK
    position: Position = Position()
    size: float = 0.0
    alignment: str = "Center"
    styles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bitmap:
    """A picture: the bytes of its file and their type (png, jpeg ...); without bytes the file was not found."""

    extent: Extent
    source: str
    data: bytes = b""
    type: str = ""
    position: Position = Position()


Shape = Line | Polygon | Rectangle | Ellipse | Text | Bitmap


@dataclass(frozen=True)
class Placement:
    """Where the icon of a component stands: its coordinate system is stretched over `extent` (with corners exchanged
    it is mirrored), turned by `rotation` degrees and moved to `origin`."""

    extent: Extent = ((-10.0, -10.0), (10.0, 10.0))
    position: Position = Position()


@dataclass(frozen=True)
class Layer:
    """The icon or the diagram of a class without its components: the extent of its coordinates and its shapes."""

    extent: Extent = WHOLE
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Placed:
    """A component in a drawing."""

    name: str
    placement: Placement
    picture: Picture


@dataclass(frozen=True)
class Picture:
    """An icon with its connectors, or a diagram with its components and the lines of its connections."""

    layer: Layer
    components: tuple[Placed, ...] = ()
    connections: tuple[Line, ...] = ()
