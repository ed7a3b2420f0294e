"""`tg.read_mjcf`: the rigid bodies of a MuJoCo model."""

from __future__ import annotations

import os
from dataclasses import replace

from tellegen.errors import NetlistError, nearest, users_call
from tellegen.importers.assembly.assembly import Assembly
from tellegen.importers.assembly.records import FileStamp, Origin, Parts
from tellegen.importers.robots.mjcf_bodies import Bodies
from tellegen.importers.robots.mjcf_couplings import add_actuator, add_equality
from tellegen.importers.robots.mjcf_settings import Settings, read_assets, read_compiler, read_defaults
from tellegen.importers.robots.xml_elements import Document, Element, read_document

UNSUPPORTED = {
    "tendon": "tendons",
    "deformable": "deformable bodies",
    "extension": "plugins",
}
WITHOUT_EFFECT = ("size", "visual", "statistic", "custom", "sensor", "keyframe", "contact")
SECTIONS = (
    *("compiler", "option", "default", "asset", "worldbody", "equality", "actuator", "include"),
    *UNSUPPORTED,
    *WITHOUT_EFFECT,
)
MOST_FILES = 100


@users_call
def read_mjcf(path: str | os.PathLike[str] | None = None, *, text: str | None = None) -> Assembly:
    """The rigid bodies of a MuJoCo model as an assembly: `print(robot)` shows it, `robot.component()` simulates it.

    Bodies, geoms as mass and as pictures, joints (hinge, slide, ball, free), default classes, equality constraints
    (connect, weld, joint) and actuators on joints are read. Constraints are rigid here, not soft, and geoms do not
    collide. What would change the motion and is not supported is an error with its line; `robot.notes` lists what
    was left out.
    """
    document = read_document(path, text, "read_mjcf")
    stamps: list[FileStamp] = [] if document.stamp is None else [document.stamp]
    sections = _sections(document, stamps)
    found = _model(document, sections)

    name = document.root.attributes.get("model") or document.name
    return Assembly(name, found, files=tuple(stamps), origin=Origin("read_mjcf", stamps[0].path) if stamps else None)


def _sections(document: Document, stamps: list[FileStamp]) -> list[Element]:
    """The sections of a file and of those it includes."""
    root = document.root
    if root.tag != "mujoco":
        advice = "robots are read by tg.read_urdf" if root.tag == "robot" else "the outermost element is <mujoco>"
        raise root.wrong(f"<{root.tag}> is not a MuJoCo model", advice)
    found: list[Element] = []
    waiting = list(root.children)
    while waiting:
        element = waiting.pop(0)
        if element.tag != "include":
            found.append(element)
            continue
        if len(stamps) >= MOST_FILES:
            raise element.wrong(f"more than {MOST_FILES} files are included", "does a file include itself?")
        file = document.folder / element.word("file")
        included = read_document(file, None, "read_mjcf")
        assert included.stamp is not None
        stamps.append(included.stamp)
        waiting[:0] = included.root.children
    for element in found:
        if element.tag not in SECTIONS:
            raise element.wrong(f"<{element.tag}> is not known; {nearest(element.tag, SECTIONS)}", "remove it")
    return found


def _model(document: Document, sections: list[Element]) -> Parts:
    settings = Settings(document.folder)
    notes: list[str] = []
    readers = (("compiler", read_compiler), ("default", read_defaults), ("asset", read_assets))
    for tag, read in readers:
        for section in sections:
            if section.tag == tag:
                _check_nested(section)
                read(section, settings)
    bodies = Bodies(settings)
    for section in sections:
        if section.tag in UNSUPPORTED and section.children:
            what = f"{UNSUPPORTED[section.tag]} are not supported"
            raise section.unsupported(what, "model their forces by components of the library")
        if section.tag in ("keyframe", "sensor", "contact"):
            notes.append(f"{section.location}: <{section.tag}> has no effect")
        if section.tag == "option":
            _check_option(section)
        if section.tag == "worldbody":
            _check_nested(section)
            bodies.add_world(section)
    if not bodies.parts:
        raise NetlistError("E513", "the model has no bodies", location=document.root.location, advice="<worldbody>")
    for section in sections:
        for element in section.children:
            if section.tag == "equality":
                add_equality(element, bodies)
            elif section.tag == "actuator":
                add_actuator(element, bodies)
    return _actuated(Parts(tuple(bodies.parts), tuple(bodies.joints), (*notes, *settings.notes)))


def _check_nested(section: Element) -> None:
    """Files included inside sections are not followed."""
    waiting = list(section.children)
    while waiting:
        element = waiting.pop()
        if element.tag == "include":
            raise element.unsupported(f"<include> inside <{section.tag}> is not supported", "include whole sections")
        waiting += element.children


def _check_option(option: Element) -> None:
    for name in ("wind", "density", "viscosity"):
        if name in option.attributes and any(option.numbers(name, (1, 3))):
            raise option.unsupported(f"forces of a fluid ({name}) are not supported", "remove it")


def _actuated(found: Parts) -> Parts:
    """A joint that follows another one has no motor."""
    joints = tuple(replace(joint, actuated=joint.actuated and joint.mimic is None) for joint in found.joints)
    return replace(found, joints=joints)
