"""From parts and joints to lumps and the joints between them: algorithms A to C of the thesis, with names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tellegen.errors import NetlistError
from tellegen.importers.assembly.mass_properties import MassProperties, total
from tellegen.importers.assembly.pose import vector
from tellegen.importers.assembly.records import WORLD, JointRecord, Parts
from tellegen.network.mechanics.duplicates import JointEdge, duplicates
from tellegen.network.mechanics.lower_pairs import lower_pair
from tellegen.network.mechanics.lumps import lumps, members
from tellegen.network.mechanics.twists import FREEDOMS, Tolerance, common


@dataclass(frozen=True, eq=False)
class Lump:
    """Parts that move as one body; `mass` is theirs together, in the axes of the world."""

    name: str
    members: tuple[str, ...]
    mass: MassProperties

    @property
    def is_ground(self) -> bool:
        """Whether it is at rest."""
        return WORLD in self.members


@dataclass(frozen=True, eq=False)
class Reduced:
    """Lumps, the joints that are kept between them, and what is to be said about the others."""

    lumps: tuple[Lump, ...]
    joints: tuple[JointRecord, ...]
    removed: dict[str, str]  # the joint that is kept, by the one that repeats it
    notes: tuple[str, ...]
    faults: tuple[NetlistError, ...]

    def lump_of(self, part: str) -> Lump:
        """The lump that a part belongs to."""
        return next(lump for lump in self.lumps if part in lump.members)

    @property
    def freedoms(self) -> int:
        """Of all joints together; closed loops take some of them away."""
        return sum(FREEDOMS[joint.kind] for joint in self.joints)


def reduce(found: Parts, tolerance: Tolerance | None = None) -> Reduced:
    """Lump what is rigidly connected and keep one of the joints that repeat each other."""
    names = found.names
    number = {name: k for k, name in enumerate(names)}
    rigid = [(number[j.parent], number[j.child]) for j in found.joints if j.is_fixed]
    labels = lumps(len(names), rigid)
    moving = [joint for joint in found.joints if not joint.is_fixed]
    edges = [JointEdge(number[j.parent], number[j.child], j.twists, j.point, j.actuated) for j in moving]
    sorted_out = duplicates(edges, labels, tolerance)
    notes = [
        f"'{moving[k].name}' repeats '{moving[kept].name}' and is left out: {_why(moving[k], moving[kept])}"
        for k, kept in sorted_out.repeats.items()
    ]
    notes += [_locked(moving[k]) for k in sorted_out.locked if not (moving[k].actuated or moving[k].evidence)]
    faults = [_over_actuated([moving[k] for k in group]) for group in sorted_out.over_actuated]
    faults += [_fully_constrained([moving[k] for k in group]) for group in sorted_out.fully_constrained]
    faults += [_driven_and_locked(moving[k]) for k in sorted_out.locked if moving[k].actuated]
    bodies = tuple(_lump([names[k] for k in group], found) for group in members(labels))
    kept = tuple(moving[k] for k in sorted_out.kept)
    notes += [note for body in bodies for note in idle_freedoms(body, kept, tolerance or Tolerance())]
    return Reduced(
        bodies,
        kept,
        {moving[k].name: moving[by].name for k, by in sorted_out.repeats.items()},
        tuple(notes),
        tuple(faults),
    )


def idle_freedoms(body: Lump, joints: tuple[JointRecord, ...], tolerance: Tolerance) -> Iterator[str]:
    """What a body can do without moving any other: a pin that turns in both of its bearings."""
    own = [joint for joint in joints if (joint.parent in body.members) != (joint.child in body.members)]
    if len(own) < 2 or body.is_ground or any(joint.actuated for joint in own) or not any(j.evidence for j in own):
        return
    about = np.array([joint.point for joint in own]).mean(axis=0)
    idle = common([joint.twists for joint in own], tolerance, about)
    if len(idle):
        pair = lower_pair(idle, tolerance, about)
        motion = f"{pair.kind} about {vector(pair.axis)}" if pair else f"{len(idle)} freedoms"
        neighbour = next(end for end in (own[0].parent, own[0].child) if end not in body.members)
        yield (
            f"'{body.name}' can move without moving anything else ({motion}): "
            f"assembly.glue('{body.name}', '{neighbour}') unless friction or a spring holds it"
        )


def _lump(group: list[str], found: Parts) -> Lump:
    mass = total(found.part(name).mass_in_world for name in group)
    named = [name for name in group if name != WORLD]
    heaviest = max(named, key=lambda name: found.part(name).mass.m, default=WORLD)
    return Lump(heaviest, tuple(group), mass)


def _why(dropped: JointRecord, kept: JointRecord) -> str:
    between = f"between {dropped.parent} and {dropped.child}"
    if dropped.kind == kept.kind:
        return f"both are {kept.kind} {between} about the same axis" if kept.kind != "spherical" else "same centre"
    return f"{between} the {kept.kind} joint permits less"


def _locked(joint: JointRecord) -> str:
    return f"'{joint.name}' ({joint.kind}) joins two parts of one lump, {joint.parent} and {joint.child}: left out"


def _named(joints: list[JointRecord]) -> str:
    return " and ".join(f"'{joint.name}' ({joint.kind}, {joint.parent} to {joint.child})" for joint in joints)


def _over_actuated(joints: list[JointRecord]) -> NetlistError:
    what = f"{_named(joints)} connect the same two bodies and are both actuated: their motors work against each other"
    return NetlistError("E516", what, location=joints[0].location, advice="actuate one of them")


def _fully_constrained(joints: list[JointRecord]) -> NetlistError:
    what = f"{_named(joints)} connect the same two bodies and permit no common motion: they are fully constrained"
    advice = "their axes do not coincide: correct one of them, remove it, or connect the parts rigidly"
    return NetlistError("E516", what, location=joints[0].location, advice=advice)


def _driven_and_locked(joint: JointRecord) -> NetlistError:
    what = f"the actuated joint '{joint.name}' cannot move: {joint.parent} and {joint.child} are rigidly connected"
    return NetlistError("E516", what, location=joint.location, advice="remove a rigid connection, or the motor")
