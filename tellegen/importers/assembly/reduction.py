"""From parts and joints to lumps and the joints between them: algorithms A to C of the thesis, with names."""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.errors import NetlistError
from tellegen.importers.assembly.mass_properties import MassProperties, total
from tellegen.importers.assembly.records import WORLD, JointRecord, Parts
from tellegen.network.mechanics.duplicates import JointEdge, duplicates
from tellegen.network.mechanics.lumps import lumps, members
from tellegen.network.mechanics.twists import FREEDOMS, Tolerance


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
    notes: tuple[str, ...]
    faults: tuple[NetlistError, ...]

    def lump_of(self, part: str) -> Lump:
        """The lump that a part belongs to."""
        return next(lump for lump in self.lumps if part in lump.members)

    @property
    def freedoms(self) -> int:
        """Of all joints, less what closed loops take away at most: six for each loop."""
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
    notes += [_locked(moving[k]) for k in sorted_out.locked if not moving[k].actuated]
    faults = [_over_actuated([moving[k] for k in group]) for group in sorted_out.over_actuated]
    faults += [_fully_constrained([moving[k] for k in group]) for group in sorted_out.fully_constrained]
    faults += [_driven_and_locked(moving[k]) for k in sorted_out.locked if moving[k].actuated]
    groups = [[names[k] for k in group] for group in members(labels)]
    return Reduced(
        tuple(_lump(group, found) for group in groups),
        tuple(moving[k] for k in sorted_out.kept),
        tuple(notes),
        tuple(faults),
    )


def _lump(group: list[str], found: Parts) -> Lump:
    mass = total(found.part(name).mass_in_world for name in group)
    named = [name for name in group if name != WORLD]
    return Lump(named[0] if named else WORLD, tuple(group), mass)


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
