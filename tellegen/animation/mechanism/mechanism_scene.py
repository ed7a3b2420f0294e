"""The scene of a mechanism: the shapes its components draw, moved as the solution says.

Sizes that nobody gives (of hinges, rods, balls) are in proportion to the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.animation import shapes
from tellegen.animation.colors import PALETTE
from tellegen.animation.mechanism.body_curves import BodyCurves
from tellegen.animation.mechanism.force_arrows import force_arrows
from tellegen.animation.mechanism.moved_visuals import Moved, moved
from tellegen.animation.scene import Camera, Item, Scene, Trace
from tellegen.engine.results.solution import Solution
from tellegen.errors import ExportError
from tellegen.ir.model import ARROWS, FloatArray
from tellegen.ir.source_location import here
from tellegen.network.mechanics.mechanism_numbers import PartValues

_JOINT_COLOR = "#5b6470"
_ROD_COLOR = "#9aa3ad"
MOST_CURVES = 4
"""That belong to one component."""
ARROW_LENGTH = 1.5
"""Of the largest force, by the unit of length."""
_LEAST_SPRING = 1e-9  # of the unit of length: a spring is never drawn shorter


def mechanism_scene(
    solution: Solution, traces: tuple[str, ...] = (), follow: str | None = None, forces: bool | tuple[str, ...] = False
) -> Scene:
    """The mechanism of a solution in motion; `traces` are components whose outer ends leave a trace.

    `forces` are components whose forces are shown as arrows, or whether those of all are; a page has all of them.
    """
    everything = [moved(solution, visual) for visual in solution._reduced.flat.visuals]
    drawn = [one for one in everything if one.visual.look.shape not in ARROWS]
    acting = [one for one in everything if one.visual.look.shape in ARROWS]
    if not drawn:
        raise ExportError(
            "E406",
            f"{solution.name} has nothing to draw: no mechanical component in three dimensions",
            location=here(),
            advice="components of tellegen.library.multibody draw themselves; solution.plot() shows curves",
        )
    size = _size(drawn)
    drawn = [replace(one, size=size) for one in drawn]
    _check_names((*traces, *([follow] if follow else [])), drawn, "give the path of a body")
    if not isinstance(forces, bool):
        _check_names(forces, acting, "give the path of a spring, a contact or another force")
        acting = [one for one in acting if one.visual.owner in forces]
    curves = BodyCurves(solution)
    found = {one.visual.owner: curves.of(one.visual.owner, MOST_CURVES) for one in drawn}
    seen = [one for one in drawn if _has_length(one)]
    items = tuple(_item(one, tuple(curve.name for curve in found[one.visual.owner])) for one in seen)
    return Scene(
        name=solution.name,
        times=solution.time,
        items=items,
        traces=tuple(Trace(one.visual.owner, one.ends) for one in drawn if one.visual.owner in traces),
        arrows=force_arrows(acting, ARROW_LENGTH * size),
        curves=tuple({curve.name: curve for group in found.values() for curve in group}.values()),
        camera=Camera(follow=follow),
        up=_up(solution),
        forces_shown=bool(forces),
    )


def _check_names(names: tuple[str, ...], drawn: list[Moved], advice: str) -> None:
    """E406 for a name that nothing drawn has."""
    owners = sorted({one.visual.owner for one in drawn})
    for name in names:
        if name not in owners:
            what = f"no component '{name}' is drawn; these are: {', '.join(owners) or 'none'}"
            raise ExportError("E406", what, location=here(), advice=advice)


def _has_length(one: Moved) -> bool:
    """False for an arm whose ends are the same point: a rod of no length has no direction."""
    return one.visual.look.shape not in ("rod", "bar") or bool(np.linalg.norm(one.numbers["r"]) > 0.0)


def _size(drawn: list[Moved]) -> float:
    """The length that sizes are in proportion to: the median of the lengths of bars, or the extent of everything."""
    lengths = [float(np.linalg.norm(one.ends[0] - one.positions[0])) for one in drawn]
    lengths = [length for length in lengths if length > 0.0]
    if lengths:
        return float(np.median(lengths))
    points = np.concatenate([one.positions for one in drawn])
    return float(np.linalg.norm(points.max(axis=0) - points.min(axis=0))) or 1.0


def _item(one: Moved, curves: tuple[str, ...]) -> Item:
    draw = _SHAPES[one.visual.look.shape]
    shape = draw(one)
    if len(one.visual.places) == 1:
        return Item(one.visual.owner, shape, one.positions, one.rotations, curves)
    return _spanning(one, shape, curves)


def _spanning(one: Moved, shape: shapes.Shape, curves: tuple[str, ...]) -> Item:
    """A shape of length one along z, from the first frame to the second."""
    along = one.ends - one.positions
    length = np.maximum(np.linalg.norm(along, axis=1), _LEAST_SPRING)
    z = along / length[:, None]
    helper = np.eye(3)[np.argmin(np.abs(z), axis=1)]
    x = np.cross(helper, z)
    x /= np.linalg.norm(x, axis=1)[:, None]
    rotations = np.stack([x, np.cross(z, x), z], axis=2)
    scales = np.stack([np.ones_like(length), np.ones_like(length), length], axis=1)
    return Item(one.visual.owner, shape, one.positions, rotations, curves, scales)


def _vector(values: FloatArray) -> shapes.Vector:
    x, y, z = values.tolist()
    return x, y, z


def _paint(one: Moved) -> dict[str, Any]:
    """Colour and opacity that a component states."""
    return {"color": one.visual.look.color or None, "opacity": one.visual.look.opacity}


def _thickness(one: Moved, share: float) -> float:
    """What the component states, or a share of the unit of length."""
    return float(one.numbers["width"].flat[0]) or share * one.size


def _bar(one: Moved) -> shapes.Shape:
    return shapes.Capsule.between((0, 0, 0), one.numbers["r"], diameter=_thickness(one, 0.12), **_paint(one))


def _rod(one: Moved) -> shapes.Shape:
    color = one.visual.look.color or _ROD_COLOR
    return shapes.Cylinder.between((0, 0, 0), one.numbers["r"], diameter=_thickness(one, 0.035), color=color)


def _ends(one: Moved) -> tuple[FloatArray, FloatArray]:
    """Where the length of a body begins and ends."""
    start = one.numbers["start"]
    return start, start + one.numbers["along"] * one.numbers["length"]


def _box(one: Moved) -> shapes.Shape:
    width, height = (float(one.numbers[word].flat[0]) for word in ("width", "height"))
    across = _vector(one.numbers["across"])
    return shapes.Box.between(*_ends(one), width=width, height=height, across=across, **_paint(one))


def _cylinder(one: Moved) -> shapes.Shape:
    diameter = float(one.numbers["diameter"].flat[0])
    return shapes.Cylinder.between(*_ends(one), diameter=diameter, **_paint(one), marked=one.visual.look.marked)


def _ball(one: Moved) -> shapes.Shape:
    diameter = float(one.numbers.get("diameter", np.array([0.3 * one.size])).flat[0])
    center = one.numbers.get("r", np.zeros(3))
    color = one.visual.look.color or PALETTE[sum(one.visual.owner.encode()) % len(PALETTE)]
    ball = shapes.Sphere(at=_vector(center), diameter=diameter, color=color, marked=True)
    if np.linalg.norm(center) < 0.5 * diameter:
        return ball
    arm = shapes.Cylinder.between((0, 0, 0), center, diameter=0.035 * one.size, color=_ROD_COLOR)
    return shapes.Group(shapes=(ball, arm))


def _between(shape: type[shapes.Cone] | type[shapes.Capsule]) -> Callable[[Moved], shapes.Shape]:
    """A round shape from where its length begins to where it ends."""
    return lambda one: shape.between(*_ends(one), diameter=float(one.numbers["diameter"].flat[0]), **_paint(one))


def _sphere(one: Moved) -> shapes.Shape:
    start, end = _ends(one)
    return shapes.Sphere(at=_vector(0.5 * (start + end)), diameter=float(one.numbers["length"].flat[0]), **_paint(one))


def _mesh(one: Moved) -> shapes.Shape:
    surface = one.visual.look.surface
    assert surface is not None
    return shapes.Mesh(vertices=surface.vertices + one.numbers["r"], faces=surface.faces, **_paint(one))


def _hinge(one: Moved) -> shapes.Shape:
    along = _vector(one.numbers["n"])
    return shapes.Cylinder(along=along, length=0.3 * one.size, diameter=0.16 * one.size, color=_JOINT_COLOR)


def _slide(one: Moved) -> shapes.Shape:
    width = 0.16 * one.size
    along = _vector(one.numbers["n"])
    return shapes.Box(along=along, length=0.4 * one.size, width=width, height=width, color=_JOINT_COLOR)


def _socket(one: Moved) -> shapes.Shape:
    return shapes.Sphere(diameter=0.2 * one.size, color=_JOINT_COLOR)


def _axes(one: Moved) -> shapes.Shape:
    length = float(one.numbers.get("length", np.zeros(1)).flat[0])
    return shapes.FrameAxes(length=length or 0.5 * one.size)


def _spring(one: Moved) -> shapes.Shape:
    color = one.visual.look.color or _ROD_COLOR
    diameter = 0.15 * one.size
    return shapes.Spring.between((0, 0, 0), (0, 0, 1), diameter=diameter, wire_diameter=diameter / 6, color=color)


def _line(one: Moved) -> shapes.Shape:
    return shapes.Cylinder.between(
        (0, 0, 0), (0, 0, 1), diameter=0.04 * one.size, color=one.visual.look.color or _ROD_COLOR
    )


_SHAPES: dict[str, Callable[[Moved], shapes.Shape]] = {
    "bar": _bar,
    "rod": _rod,
    "box": _box,
    "cylinder": _cylinder,
    "cone": _between(shapes.Cone),
    "capsule": _between(shapes.Capsule),
    "sphere": _sphere,
    "mesh": _mesh,
    "ball": _ball,
    "hinge": _hinge,
    "slide": _slide,
    "socket": _socket,
    "axes": _axes,
    "spring": _spring,
    "line": _line,
}


def _up(solution: Solution) -> Any:
    """Against gravity, as the ground feels it."""
    flat = solution._reduced.flat
    assert flat.mechanism is not None
    g = PartValues(flat, solution._p)(flat.mechanism.ground, "g")
    return _vector(-g / np.linalg.norm(g)) if np.any(g) else (0.0, 1.0, 0.0)
