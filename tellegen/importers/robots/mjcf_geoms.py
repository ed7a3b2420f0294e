"""Geoms of MJCF: shapes with a place and a mass."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tellegen.errors import DataError
from tellegen.importers.assembly.mass_properties import MassProperties, total
from tellegen.importers.assembly.pose import Pose, rotation_to
from tellegen.importers.assembly.shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Placed, Shape, Sphere
from tellegen.importers.robots.mjcf_settings import Settings
from tellegen.importers.robots.xml_elements import Element

TYPES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "plane", "hfield", "sdf")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
LONG = ("capsule", "cylinder", "box", "ellipsoid")  # those that may lie between two points


def geom(element: Element, settings: Settings) -> tuple[Placed, MassProperties] | None:
    """A shape in the frame of its body and its mass properties there; None for what has no volume: a plane."""
    kind = element.choice("type", TYPES, "mesh" if "mesh" in element.attributes else "sphere")
    if kind in ("plane", "hfield"):
        return None
    if kind == "sdf" or element.word("shellinertia", "false") == "true":
        raise element.unsupported(f"the inertia of {element} ({kind}, shell) is not supported", "write <inertial>")
    if element.word("fluidshape", "none") != "none":
        raise element.unsupported("forces of fluids (fluidshape) are not supported", "remove it")
    try:
        shape, pose = _mesh(element, settings) if kind == "mesh" else _simple(element, kind, settings)
        return Placed(shape, pose, _colour(element)), _mass(element, shape, settings).placed(pose)
    except DataError as error:
        raise element.wrong(f"{element}: {error.message}", error.advice) from None


def _colour(element: Element) -> tuple[float, float, float, float] | None:
    if "rgba" not in element.attributes:
        return None
    r, g, b, a = element.numbers("rgba", 4)
    return r, g, b, a


def _mass(element: Element, shape: Shape, settings: Settings) -> MassProperties:
    if "mass" in element.attributes:
        mass = element.number("mass")
        if mass < 0.0:
            raise element.wrong(f"the mass of {element} is {mass:g}", "a mass is positive")
        if mass == 0.0 or settings.from_geoms == "false":
            return MassProperties()
        solid = shape.solid()
        return solid.scaled(mass / solid.m)
    density = element.number("density", 1000.0)
    if density < 0.0:
        raise element.wrong(f"the density of {element} is {density:g}", "a density is positive")
    if density == 0.0 or settings.from_geoms == "false":
        return MassProperties()
    return shape.mass_properties(density)


def _simple(element: Element, kind: str, settings: Settings) -> tuple[Shape, Pose]:
    if "fromto" not in element.attributes:
        size = element.numbers("size", (1, 2, 3))[: SIZES[kind]]
        if len(size) < SIZES[kind]:
            raise element.wrong(f"size of {element} ({kind}) has {len(size)} numbers", f"it needs {SIZES[kind]}")
        return _shape(kind, size), settings.pose(element)
    if kind not in LONG:
        raise element.wrong(f"a {kind} has no fromto", f"one of {', '.join(LONG)}")
    ends = np.array(element.numbers("fromto", 6)).reshape(2, 3)
    along = ends[1] - ends[0]
    length = float(np.linalg.norm(along))
    if length == 0.0:
        raise element.wrong(f"both ends of {element} are the same point", 'fromto="0 0 0  0 0 1"')
    radius = element.numbers("size", (1, 2, 3))[0]
    size = [radius, length / 2.0] if kind in ("capsule", "cylinder") else [radius, radius, length / 2.0]
    return _shape(kind, size), Pose(ends.mean(axis=0), rotation_to(along))


def _shape(kind: str, size: list[float]) -> Shape:
    """MuJoCo's sizes are half lengths."""
    if kind == "sphere":
        return Sphere(size[0])
    if kind == "capsule":
        return Capsule(size[0], 2.0 * size[1])
    if kind == "cylinder":
        return Cylinder(size[0], 2.0 * size[1])
    x, y, z = size
    return Box((2.0 * x, 2.0 * y, 2.0 * z)) if kind == "box" else Ellipsoid((x, y, z))


def _mesh(element: Element, settings: Settings) -> tuple[Shape, Pose]:
    name = element.word("mesh")
    if name not in settings.meshes:
        raise element.wrong(f"there is no mesh '{name}'", "define it in <asset>")
    asset = settings.meshes[name]
    for attribute in ("vertex", "refpos", "refquat", "builtin"):
        if attribute in asset.attributes:
            raise asset.unsupported(f"{attribute} of a mesh is not supported", "a file, in the frame of its geom")
    if asset.word("inertia", "exact") == "shell":
        raise asset.unsupported("the inertia of a shell is not supported", "write <inertial> in the body")
    x, y, z = asset.numbers("scale", 3, (1.0, 1.0, 1.0))
    path = settings.folder / settings.mesh_folder / Path(asset.word("file"))
    return Mesh(str(path), (x, y, z)), settings.pose(element)


def inertial(element: Element, settings: Settings) -> MassProperties:
    """<inertial>: mass, place and moments of inertia."""
    mass = element.number("mass")
    if "fullinertia" in element.attributes:
        xx, yy, zz, xy, xz, yz = element.numbers("fullinertia", 6)
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        inertia = np.diag(element.numbers("diaginertia", 3))
    return MassProperties(mass, np.zeros(3), inertia).placed(settings.pose(element))


def mass_of_body(element: Element, geoms: list[MassProperties], settings: Settings) -> MassProperties:
    """What <inertial> says, or the geoms together."""
    stated = element.child("inertial")
    if stated is None or settings.from_geoms == "true":
        return total(geoms).checked(f"{element}", element.location)
    return inertial(stated, settings).checked(f"{element}", stated.location)
