"""Bodies of MJCF, from the world outwards: each with its joints, and a place that follows from those above it.

A body with several joints becomes a row of parts without mass, one joint between each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from tellegen.errors import NetlistError
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import IDENTITY, Pose, fixed_array
from tellegen.importers.assembly.records import WORLD, JointRecord, Limits, RigidPart
from tellegen.importers.robots.mjcf_geoms import geom, mass_of_body
from tellegen.importers.robots.mjcf_settings import MAIN, Settings
from tellegen.importers.robots.xml_elements import Element
from tellegen.network.mechanics.twists import FIXED, FREE, PRISMATIC, REVOLUTE, SPHERICAL

KINDS = {"hinge": REVOLUTE, "slide": PRISMATIC, "ball": SPHERICAL, "free": FREE}
WITHOUT_EFFECT = ("site", "camera", "light", "plugin")
JOINT_ATTRIBUTES = {
    *("name", "class", "type", "group", "pos", "axis", "limited", "range", "ref", "springref", "stiffness", "damping"),
    *("frictionloss", "armature", "margin", "user", "solreflimit", "solimplimit", "solreffriction", "solimpfriction"),
    *("align", "actuatorfrclimited"),
}


@dataclass
class Bodies:
    """What was found so far."""

    settings: Settings
    parts: list[RigidPart] = field(default_factory=list)
    joints: list[JointRecord] = field(default_factory=list)
    references: dict[str, float] = field(default_factory=dict)  # the file's value of a joint where ours is zero

    def add_world(self, world: Element) -> None:
        """All bodies, those nested least first."""
        waiting = [(element, WORLD, IDENTITY, MAIN) for element in [world]]
        while waiting:
            element, parent, frame, outer_class = waiting.pop(0)
            if element is not world:
                parent, frame = self._add_body(element, parent, frame, outer_class)
            for inner, place, its_class in self._inside(element, outer_class):
                if inner.tag == "body":
                    waiting.append((inner, parent, frame @ place, its_class))

    def _inside(
        self, element: Element, outer_class: str, place: Pose = IDENTITY
    ) -> Iterator[tuple[Element, Pose, str]]:
        """The elements of a body with the pose of the <frame> they are in, and the class that holds for them."""
        own_class = element.attributes.get("childclass", outer_class)
        for child in element.children:
            if child.tag == "frame":
                yield from self._inside(child, own_class, place @ self.settings.pose(child))
            elif child.tag in ("composite", "flexcomp", "replicate", "attach"):
                raise child.unsupported(f"<{child.tag}> is not supported", "save the model with MuJoCo first")
            else:
                yield child, place, own_class

    def _add_body(self, element: Element, parent: str, frame: Pose, outer_class: str) -> tuple[str, Pose]:
        name = self._name(element)
        pose = frame @ self.settings.pose(element)
        if element.word("mocap", "false") == "true" or element.number("gravcomp", 0.0) != 0.0:
            raise element.unsupported(f"mocap and gravcomp of {element} are not supported", "remove them")
        visuals = []
        masses = []
        joints = []
        for child, place, its_class in self._inside(element, outer_class):
            if child.tag == "geom":
                found = geom(self.settings.completed(child, its_class), self.settings)
                if found is not None:
                    shape, mass = found
                    visuals.append(replace(shape, pose=place @ shape.pose))
                    masses.append(mass.placed(place))
            elif child.tag in ("joint", "freejoint"):
                joints.append((self.settings.completed(child, its_class), place))
            elif child.tag not in ("body", "inertial", *WITHOUT_EFFECT):
                raise child.wrong(f"<{child.tag}> is not known in a body", "remove it")
        mass = mass_of_body(element, masses, self.settings)
        part = RigidPart(name, mass, pose, tuple(visuals), location=element.location)
        self._add_joints(part, parent, joints)
        return name, pose

    def _name(self, element: Element) -> str:
        name = element.attributes.get("name") or f"body_{len(self.parts) + 1}"
        if name == WORLD or any(part.name == name for part in self.parts):
            what = f"two bodies are named '{name}'"
            raise NetlistError("E513", what, location=element.location, advice="choose another name")
        return name

    def _add_joints(self, part: RigidPart, parent: str, joints: list[tuple[Element, Pose]]) -> None:
        """The joints between a body and the one above it, with parts without mass between them."""
        if not joints:
            self.joints.append(
                JointRecord(f"{part.name}_fixed", FIXED, parent, part.name, part.pose, location=part.location)
            )
        for k, (element, place) in enumerate(joints):
            last = k == len(joints) - 1
            joint = self._joint(element, part, place, k)
            if joint.kind == FREE and len(joints) > 1:
                raise element.wrong(f"{part.name} has other joints beside a free one", "remove them")
            if joint.kind == FREE and parent != WORLD:
                raise element.wrong(f"{part.name} moves freely, but is inside {parent}", "put it into <worldbody>")
            child = part.name if last else f"{part.name}_{joint.name}"
            self.joints.append(replace(joint, parent=parent, child=child))
            if not last:
                self.parts.append(RigidPart(child, MassProperties(), part.pose, location=element.location))
            parent = child
        self.parts.append(part)

    def _joint(self, element: Element, part: RigidPart, place: Pose, number: int) -> JointRecord:
        name = element.attributes.get("name") or f"{part.name}_joint{number or ''}"
        if any(joint.name == name for joint in self.joints):
            raise NetlistError("E513", f"two joints are named '{name}'", location=element.location, advice="rename one")
        if element.tag == "freejoint":
            return JointRecord(name, FREE, "", "", part.pose, location=element.location)
        self._check_attributes(element)
        kind = KINDS[element.choice("type", tuple(KINDS), "hinge")]
        turning = kind == REVOLUTE
        axis = np.array(element.numbers("axis", 3, (0.0, 0.0, 1.0)))
        if not np.linalg.norm(axis):
            raise element.wrong(f"the axis of {element} has no direction", 'axis="0 0 1"')
        one_freedom = kind in (REVOLUTE, PRISMATIC)
        reference = self._value(element, "ref", turning) if one_freedom else 0.0
        self.references[name] = reference
        return JointRecord(
            name,
            kind,
            "",
            "",
            part.pose @ place @ Pose(np.array(element.numbers("pos", 3, (0.0, 0.0, 0.0)))),
            fixed_array(axis / np.linalg.norm(axis)),
            limits=self._limits(element, kind, reference),
            damping=element.number("damping", 0.0),
            friction=element.number("frictionloss", 0.0),
            stiffness=self._stiffness(element, one_freedom),
            reference=self._value(element, "springref", turning) - reference if one_freedom else 0.0,
            armature=element.number("armature", 0.0),
            location=element.location,
        )

    def _check_attributes(self, element: Element) -> None:
        for name in element.attributes:
            if name not in JOINT_ATTRIBUTES:
                raise element.unsupported(f"{name} of a joint is not supported", "remove it")
        for name in ("damping", "frictionloss", "stiffness", "armature"):
            if element.number(name, 0.0) < 0.0:
                raise element.wrong(f"{name} of {element} is negative: it would produce energy", "it is positive")

    def _value(self, element: Element, name: str, turning: bool) -> float:
        value = element.number(name, 0.0)
        return self.settings.angle(value) if turning else value

    def _stiffness(self, element: Element, one_freedom: bool) -> float:
        stiffness = element.number("stiffness", 0.0)
        if stiffness and not one_freedom:
            raise element.unsupported(f"the stiffness of {element} with several freedoms is not supported", "remove it")
        return stiffness

    def _limits(self, element: Element, kind: str, reference: float) -> Limits:
        limited = element.choice("limited", ("true", "false", "auto"), "auto")
        if limited == "auto" and "range" in element.attributes and not self.settings.autolimits:
            raise element.wrong(f"{element} has a range and does not say whether it is limited", 'limited="true"')
        if limited == "false" or "range" not in element.attributes:
            return Limits()
        low, high = element.numbers("range", 2)
        if kind not in (REVOLUTE, PRISMATIC):
            self.settings.notes.append(f"{element.location}: the range of {element} (ball) is not modelled")
            return Limits()
        if low > high:
            raise element.wrong(f"range of {element}: {low:g} is above {high:g}", "exchange them")
        if kind == REVOLUTE:
            low = self.settings.angle(low)
            high = self.settings.angle(high)
        return Limits(low - reference, high - reference)
