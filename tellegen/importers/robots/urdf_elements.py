"""The elements of a URDF file: one link, one joint, one geometry each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from tellegen.errors import DataError
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import IDENTITY, Pose, fixed_array, rpy_rotation
from tellegen.importers.assembly.records import JointRecord, Limits, Mimic, RigidPart
from tellegen.importers.assembly.shapes import Box, Capsule, Cylinder, Mesh, Placed, Shape, Sphere
from tellegen.importers.robots.xml_elements import Element
from tellegen.network.mechanics.twists import FIXED, FREE, PLANAR, PRISMATIC, REVOLUTE

KINDS = {
    "revolute": REVOLUTE,
    "continuous": REVOLUTE,
    "prismatic": PRISMATIC,
    "fixed": FIXED,
    "floating": FREE,
    "planar": PLANAR,
}
GEOMETRIES = ("box", "cylinder", "sphere", "capsule", "mesh")
Colour = tuple[float, float, float, float]


@dataclass
class Reading:
    """What holds for a whole file: where meshes are (only pictures need them, so none has to be there), notes."""

    folder: Path
    packages: Mapping[str, Path]
    lenient: bool = False  # inertias that no rigid body has are accepted
    notes: list[str] = field(default_factory=list)

    def mesh(self, element: Element) -> Mesh:
        """The mesh of a file name such as package://arm/meshes/link1.stl."""
        name = element.word("filename")
        x, y, z = element.numbers("scale", 3, (1.0, 1.0, 1.0))
        if 0.0 in (x, y, z):
            raise element.wrong("the scale of a mesh is zero", 'scale="0.001 0.001 0.001" for millimetres')
        path = self._path(name)
        if path is None:
            self.notes.append(f"{element.location}: the mesh '{name}' was not found; packages={{'name': 'folder'}}")
        return Mesh(str(path or name), (x, y, z))

    def _path(self, name: str) -> Path | None:
        scheme, _, rest = name.partition("://")
        if not rest:
            candidates = [self.folder / name]
        elif scheme == "file":
            candidates = [Path(unquote(rest))]
        elif scheme in ("package", "model"):
            package, _, inside = rest.partition("/")
            if package in self.packages:
                candidates = [self.packages[package] / inside]
            else:  # a file usually is in a folder of its package
                candidates = [above / inside for above in self.folder.resolve().parents if above.name == package]
                candidates.append(self.folder / inside)
        else:
            candidates = []
        return next((path for path in candidates if _is_file(path)), None)

    def colours(self, root: Element) -> dict[str, Colour]:
        """Materials of the robot by name."""
        found = {}
        for material in root.all("material"):
            colour = _colour(material)
            if colour is not None:
                found[material.word("name")] = colour
        return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system takes
        return False


def _colour(material: Element) -> Colour | None:
    element = material.child("color")
    if element is None:
        return None
    r, g, b, a = element.numbers("rgba", 4)
    return r, g, b, a


def origin_of(element: Element) -> Pose:
    """<origin xyz="..." rpy="..."/> of an element; the frame itself where there is none."""
    origin = element.child("origin")
    if origin is None:
        return IDENTITY
    roll, pitch, yaw = origin.numbers("rpy", 3, (0.0, 0.0, 0.0))
    return Pose(np.array(origin.numbers("xyz", 3, (0.0, 0.0, 0.0))), rpy_rotation(roll, pitch, yaw))


def link_of(element: Element, reading: Reading, colours: Mapping[str, Colour]) -> RigidPart:
    """A link in its own frame."""
    name = element.word("name")
    if not name:
        raise element.wrong("a link needs a name", '<link name="upper_arm">')
    visuals = tuple(_placed(visual, reading, colours) for visual in element.all("visual"))
    collisions = tuple(_placed(collision, reading, colours) for collision in element.all("collision"))
    return RigidPart(name, _mass(element, name, reading.lenient), IDENTITY, visuals, collisions, element.location)


def _mass(element: Element, name: str, lenient: bool) -> MassProperties:
    inertial = element.child("inertial")
    if inertial is None:
        return MassProperties()
    m = inertial.required_child("mass").number("value")
    tensor = inertial.required_child("inertia")
    xx, xy, xz, yy, yz, zz = (tensor.number(name) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    body = MassProperties(m, np.zeros(3), inertia).checked(f"link '{name}'", tensor.location, lenient=lenient)
    return body.placed(origin_of(inertial))


def _placed(element: Element, reading: Reading, colours: Mapping[str, Colour]) -> Placed:
    shape = _shape(element.required_child("geometry"), reading)
    material = element.child("material")
    colour = None
    if material is not None:
        colour = _colour(material) or colours.get(material.attributes.get("name", ""))
    return Placed(shape, origin_of(element), colour)


def _shape(geometry: Element, reading: Reading) -> Shape:
    known = [child for child in geometry.children if child.tag in GEOMETRIES]
    if len(known) != 1 or len(geometry.children) != 1:
        there = ", ".join(f"<{child.tag}>" for child in geometry.children) or "nothing"
        raise geometry.wrong(f"a geometry is one shape, not {there}", f"one of {', '.join(GEOMETRIES)}")
    element = known[0]
    try:
        if element.tag == "box":
            x, y, z = element.numbers("size", 3)
            return Box((x, y, z))
        if element.tag == "sphere":
            return Sphere(element.number("radius"))
        if element.tag == "mesh":
            return reading.mesh(element)
        kind = Cylinder if element.tag == "cylinder" else Capsule
        return kind(element.number("radius"), element.number("length"))
    except DataError as error:
        raise element.wrong(error.message, error.advice) from None


def joint_of(element: Element, driven: set[str] | None) -> JointRecord:
    """A joint with its pose in the parent link. `driven` names the actuated joints; None: all with one freedom."""
    name = element.word("name")
    if not name:
        raise element.wrong("a joint needs a name", '<joint name="elbow" type="revolute">')
    written = element.choice("type", tuple(KINDS))
    kind = KINDS[written]
    dynamics = element.child("dynamics")
    mimic = _mimic(element)
    one_freedom = kind in (REVOLUTE, PRISMATIC)
    return JointRecord(
        name,
        kind,
        element.required_child("parent").word("link"),
        element.required_child("child").word("link"),
        origin_of(element),
        _axis(element),
        limits=_limits(element, written),
        damping=0.0 if dynamics is None else _not_negative(dynamics, "damping"),
        friction=0.0 if dynamics is None else _not_negative(dynamics, "friction"),
        actuated=one_freedom and mimic is None and (driven is None or name in driven),
        mimic=mimic if one_freedom else None,
        location=element.location,
    )


def _axis(element: Element) -> np.ndarray:
    axis = element.child("axis")
    vector = np.array([1.0, 0.0, 0.0] if axis is None else axis.numbers("xyz", 3))
    length = float(np.linalg.norm(vector))
    if axis is not None and not (length > 0.0 and np.isfinite(length)):
        raise axis.wrong(f"the axis of {element} has no direction", 'xyz="0 0 1"')
    return fixed_array(vector / length)


def _limits(element: Element, written: str) -> Limits:
    limit = element.child("limit")
    if limit is None:
        if written in ("revolute", "prismatic"):
            advice = 'add <limit lower="-1" upper="1" effort="10" velocity="1"/>'
            if written == "revolute":
                advice += ', or type="continuous" if it turns freely'
            raise element.wrong(f"{element} of type {written} has no <limit>", advice)
        return Limits()
    effort = limit.number("effort") if "effort" in limit.attributes else None
    velocity = limit.number("velocity") if "velocity" in limit.attributes else None
    if written not in ("revolute", "prismatic"):
        return Limits(None, None, effort, velocity)
    lower = limit.number("lower", 0.0)
    upper = limit.number("upper", 0.0)
    if lower > upper:
        raise limit.wrong(f"{element}: the lower limit {lower:g} is above the upper one, {upper:g}", "exchange them")
    return Limits(lower, upper, effort, velocity)


def _mimic(element: Element) -> Mimic | None:
    mimic = element.child("mimic")
    if mimic is None:
        return None
    return Mimic(mimic.word("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))


def _not_negative(element: Element, name: str) -> float:
    value = element.number(name, 0.0)
    if value < 0.0:
        raise element.wrong(f"{name}={value:g} of {element} is negative: it would produce energy", "it is positive")
    return value
