"""What holds for a whole MJCF file: the compiler's settings, default classes, and orientations in their six forms."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import radians
from pathlib import Path

import numpy as np

from tellegen.errors import nearest
from tellegen.importers.assembly.pose import (
    Floats,
    Pose,
    axis_rotation,
    euler_rotation,
    quaternion_rotation,
    rotation_to,
)
from tellegen.importers.robots.xml_elements import Element

MAIN = "main"
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


@dataclass
class Settings:
    """<compiler>, <default> and the files of <asset>; notes on what has no effect here."""

    folder: Path
    degrees: bool = True
    sequence: str = "xyz"
    autolimits: bool = True
    from_geoms: str = "auto"
    mesh_folder: Path = Path()
    meshes: dict[str, Element] = field(default_factory=dict)
    classes: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {MAIN: {}})
    notes: list[str] = field(default_factory=list)

    def angle(self, value: float) -> float:
        """An angle of the file in radians."""
        return radians(value) if self.degrees else value

    def completed(self, element: Element, outer_class: str) -> Element:
        """An element with the attributes that its default class adds."""
        name = element.attributes.get("class", outer_class)
        if name not in self.classes:
            what = f"there is no default class '{name}'; {nearest(name, self.classes)}"
            raise element.wrong(what, "define it in <default>")
        added = self.classes[name].get(element.tag, {})
        own = element.attributes
        if any(form in own for form in ORIENTATIONS):  # one orientation, not that of the class as well
            added = {key: value for key, value in added.items() if key not in ORIENTATIONS}
        return replace(element, attributes={**added, **own})

    def pose(self, element: Element) -> Pose:
        """pos and one of the orientations of an element."""
        return Pose(np.array(element.numbers("pos", 3, (0.0, 0.0, 0.0))), self.rotation(element))

    def rotation(self, element: Element) -> Floats:
        """The orientation of an element."""
        forms = [form for form in ORIENTATIONS if form in element.attributes]
        if not forms:
            return np.eye(3)
        if len(forms) > 1:
            raise element.wrong(f"{element} has two orientations: {', '.join(forms)}", "remove one of them")
        form = forms[0]
        values = element.numbers(form, {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[form])
        if form == "euler":
            return euler_rotation(self.sequence, [self.angle(value) for value in values])
        first = values[:3] if form != "quat" else values
        if not np.linalg.norm(first):
            raise element.wrong(f"{form} of {element} has no direction", "give a vector that is not zero")
        if form == "quat":
            return quaternion_rotation(*values)
        if form == "axisangle":
            return axis_rotation(values[:3], self.angle(values[3]))
        return rotation_to(values) if form == "zaxis" else _from_axes(element, values)


def _from_axes(element: Element, values: list[float]) -> Floats:
    x = np.array(values[:3]) / np.linalg.norm(values[:3])
    y = np.array(values[3:])
    y = y - (x @ y) * x
    if np.linalg.norm(y) < 1e-12:
        raise element.wrong(f"xyaxes of {element} are parallel", "give two different axes")
    y = y / np.linalg.norm(y)
    return np.array([x, y, np.cross(x, y)]).T


def read_compiler(element: Element, settings: Settings) -> None:
    """<compiler>; what would change masses is not supported."""
    settings.degrees = (
        element.choice("angle", ("degree", "radian"), "degree" if settings.degrees else "radian") == "degree"
    )
    settings.sequence = element.word("eulerseq", settings.sequence)
    if len(settings.sequence) != 3 or not set(settings.sequence) <= set("xyzXYZ"):
        raise element.wrong(f"eulerseq='{settings.sequence}'", "three of x, y, z; capital letters are fixed axes")
    if element.word("coordinate", "local") != "local":
        raise element.unsupported(
            "coordinate='global' is not supported", "load and save the file with MuJoCo 2.1 first"
        )
    settings.autolimits = element.choice("autolimits", ("true", "false"), "true") == "true"
    settings.from_geoms = element.choice("inertiafromgeom", ("auto", "true", "false"), settings.from_geoms)
    settings.mesh_folder = Path(element.word("meshdir", element.word("assetdir", str(settings.mesh_folder))))
    neutral = {"settotalmass": -1.0, "boundmass": 0.0, "boundinertia": 0.0}
    for name, default in neutral.items():
        if name in element.attributes and element.number(name) > max(default, 0.0):
            raise element.unsupported(f"{name} of <compiler> is not supported", "state the masses themselves")
    if element.numbers("inertiagrouprange", 2, (0, 5)) != [0, 5]:
        raise element.unsupported("inertiagrouprange is not supported", "mass='0' for geoms that only show something")


def read_defaults(element: Element, settings: Settings, parent: str | None = None) -> None:
    """<default> and the classes nested in it."""
    name = element.attributes.get("class") or (MAIN if parent is None else None)
    if name is None:
        raise element.wrong("a nested <default> needs a class", '<default class="finger">')
    inherited = settings.classes.get(parent if parent is not None else MAIN, {})
    table = {tag: dict(attributes) for tag, attributes in inherited.items()}
    for child in element.children:
        if child.tag != "default":
            table[child.tag] = {**table.get(child.tag, {}), **child.attributes}
    settings.classes[name] = table
    for child in element.all("default"):
        read_defaults(child, settings, name)


def read_assets(element: Element, settings: Settings) -> None:
    """Meshes by name; textures and materials do not matter."""
    for mesh in element.all("mesh"):
        whole = settings.completed(mesh, MAIN)
        name = whole.attributes.get("name") or Path(whole.word("file")).stem
        settings.meshes[name] = whole
