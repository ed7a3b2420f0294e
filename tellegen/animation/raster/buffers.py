"""The records that the kernels of pictures share with Python. Vectors are arrays of three, matrices are row by row."""

from __future__ import annotations

from tellegen.procedures.language import Array, Record, f64, i32, i64


class Triangles(Record):
    """Triangles in the order they are drawn; `corners` are vertex numbers, three each.

    `screen` has x, y in pixels and the nearness of each vertex: what interpolates linearly on the screen and is larger
    for what is nearer. For a camera it is the inverse of the distance along the view, for a light minus the distance.
    """

    count: i64
    corners: Array[i64]
    screen: Array[f64]
    world: Array[f64]
    normals: Array[f64]
    colors: Array[f64]


class Target(Record):
    """A band of rows of a picture: nearness of what is seen, the number of its triangle or -1, and its colour."""

    width: i64
    height: i64
    top: i64
    nearness: Array[f64]
    owner: Array[i32]
    color: Array[f64]


class Light(Record):
    """The light: direction to it, and the nearness to it of what it reaches, on a square of pixels.

    `matrix` (3, 4) takes a point of the world to x, y and nearness there. Outside the given limits of x and y there is
    no shadow.
    """

    direction: Array[f64]
    matrix: Array[f64]
    nearness: Array[f64]
    pixels: i64
    left: f64
    right: f64
    low: f64
    high: f64
    tolerance: f64
    offset: f64


class Look(Record):
    """What else determines colours."""

    eye: Array[f64]
    up: Array[f64]
    sky: Array[f64]
    bounce: Array[f64]
    ground: f64
    size: f64


class Ground(Record):
    """The ground: `corner` is the ray through the top left of the picture, `right` and `down` what a pixel adds to it.

    The rays have a component of 1 along the view. `first` and `second` are the directions of the grid.
    """

    corner: Array[f64]
    right: Array[f64]
    down: Array[f64]
    first: Array[f64]
    second: Array[f64]
    line: Array[f64]
    center_first: f64
    center_second: f64
    spacing: f64
    reach: f64
    shadow: f64
