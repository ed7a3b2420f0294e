"""What changed between two readings of an assembly: masses, inertias, frames, shapes, joints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tellegen.importers.assembly.pose import Floats, vector
from tellegen.importers.assembly.records import JointRecord, Parts, RigidPart
from tellegen.importers.assembly.storage import to_json
from tellegen.network.mechanics.twists import PLANAR, PRISMATIC, SPHERICAL
from tellegen.sheet import Shown, Table

RELATIVE = 1e-9  # of masses and inertias: less is rounding
LENGTH = 1e-9  # metres
ANGLE = 1e-9  # radians
SETTINGS = ("kind", "limits", "damping", "friction", "stiffness", "reference", "armature", "actuated", "mimic", "start")


@dataclass(frozen=True)
class Change:
    """One thing that is different."""

    of: str
    what: str


class Difference(Shown):
    """What is different; false where nothing is."""

    def __init__(self, name: str, changes: Iterable[Change]) -> None:
        self.name = name
        self.changes = tuple(changes)

    def __bool__(self) -> bool:
        return bool(self.changes)

    def _title(self) -> str:
        count = len(self.changes)
        return f"{self.name}: {count} changes" if count != 1 else f"{self.name}: 1 change"

    def _page(self) -> Iterable[Table | str]:
        if self.changes:
            yield Table(("of", "change"), [(change.of, change.what) for change in self.changes])


def difference(name: str, before: Parts, after: Parts) -> Difference:
    """Parts are matched by name, those that are left by what they are like: they were renamed."""
    renamed = _renamed(before, after)
    changes = [
        *_part_changes(before, after, renamed),
        *_joint_changes(before, after, renamed),
    ]
    return Difference(name, changes)


def _renamed(before: Parts, after: Parts) -> dict[str, str]:
    """The new name by the old one."""
    lost = [part for part in before.parts if part.name not in after.names]
    new = [part for part in after.parts if part.name not in before.names]
    found = {}
    for part in lost:
        same = [other for other in new if _alike(part, other)]
        if len(same) == 1:
            found[part.name] = same[0].name
            new.remove(same[0])
    return found


def _alike(a: RigidPart, b: RigidPart) -> bool:
    """Equal mass and principal inertias, at the same place."""
    return (
        _same(a.mass.m, b.mass.m)
        and all(_same(x, y) for x, y in zip(a.mass.principal, b.mass.principal, strict=True))
        and bool(np.linalg.norm(a.mass_in_world.r_CM - b.mass_in_world.r_CM) <= 1e-6)
    )


def _same(a: float, b: float, scale: float = 0.0) -> bool:
    return abs(a - b) <= RELATIVE * max(abs(a), abs(b), scale)


def _part_changes(before: Parts, after: Parts, renamed: dict[str, str]) -> Iterator[Change]:
    for part in before.parts:
        name = renamed.get(part.name, part.name)
        if name != part.name:
            yield Change(name, f"was called '{part.name}'")
        if name in after.names:
            yield from _of_part(part, after.part(name))
        else:
            yield Change(part.name, "the part is missing")
    known = {renamed.get(name, name) for name in before.names}
    for part in after.parts:
        if part.name not in known:
            yield Change(part.name, f"a new part, {part.mass.m:.6g} kg")


def _of_part(old: RigidPart, new: RigidPart) -> Iterator[Change]:
    if not _same(old.mass.m, new.mass.m):
        yield Change(new.name, f"mass {old.mass.m:.6g} -> {new.mass.m:.6g} kg")
    moved = float(np.linalg.norm(old.mass_in_world.r_CM - new.mass_in_world.r_CM))
    if moved > LENGTH:
        yield Change(new.name, f"centre of mass moved by {moved * 1e3:.4g} mm")
    a = old.mass_in_world.I
    b = new.mass_in_world.I
    if np.abs(a - b).max() > RELATIVE * max(np.abs(a).max(), np.abs(b).max()):
        was = vector(old.mass.principal)
        now = vector(new.mass.principal)
        yield Change(new.name, f"inertia {was} -> {now} kg.m2" if was != now else "inertia turned")
    shifted = float(np.linalg.norm(old.pose.r - new.pose.r))
    if shifted > LENGTH:
        yield Change(new.name, f"frame moved by {shifted * 1e3:.4g} mm")
    if (turned := _turned(old.pose.R, new.pose.R)) > ANGLE:
        yield Change(new.name, f"frame turned by {np.degrees(turned):.4g} degrees")
    if to_json(old.visuals) != to_json(new.visuals):
        yield Change(new.name, "looks different")


def _turned(a: Floats, b: Floats) -> float:
    """The angle between two orientations: a chord of the unit sphere is right for small ones, too."""
    return float(2.0 * np.arcsin(min(1.0, np.linalg.norm(a - b) / np.sqrt(8.0))))


def _joint_changes(before: Parts, after: Parts, renamed: dict[str, str]) -> Iterator[Change]:
    """Joints are matched by the parts they connect: those of the same name first, then the nearest."""

    def ends(joint: JointRecord) -> frozenset[str]:
        return frozenset(renamed.get(name, name) for name in (joint.parent, joint.child))

    left = list(after.joints)
    matches: dict[str, JointRecord] = {}
    for same_name in (True, False):
        for joint in before.joints:
            there = [one for one in left if frozenset((one.parent, one.child)) == ends(joint)]
            fitting = [one for one in there if not same_name or one.name == joint.name]
            if joint.name not in matches and fitting:
                matches[joint.name] = min(fitting, key=lambda one: float(np.linalg.norm(one.point - joint.point)))
                left = [one for one in left if one is not matches[joint.name]]
    for joint in before.joints:
        if joint.name in matches:
            yield from _of_joint(joint, matches[joint.name])
        else:
            yield Change(joint.name, f"{joint.parent} - {joint.child}: the {joint.kind} joint vanished")
    for joint in left:
        yield Change(joint.name, f"{joint.parent} - {joint.child}: a new {joint.kind} joint")


def _of_joint(old: JointRecord, new: JointRecord) -> Iterator[Change]:
    if old.name != new.name:
        yield Change(new.name, f"was called '{old.name}'")
    if (old.parent, old.child) == (new.child, new.parent):
        yield Change(
            new.name, f"goes from {new.parent} to {new.child}, in the other direction: its coordinates change sign"
        )
    for setting in SETTINGS:
        was = getattr(old, setting)
        now = getattr(new, setting)
        if was != now:
            yield Change(new.name, f"{setting} {was} -> {now}")
    if old.kind != new.kind or old.is_fixed:
        return
    if old.kind not in (PRISMATIC, PLANAR):
        moved = _apart(old, new)
        if moved > LENGTH:
            yield Change(new.name, f"{'centre' if old.kind == SPHERICAL else 'axis'} moved by {moved * 1e3:.4g} mm")
    turned = _between(old.direction, new.direction)
    if old.kind != SPHERICAL and turned > ANGLE:
        yield Change(new.name, f"axis turned by {np.degrees(turned):.4g} degrees")
    if old.second_axis is not None and new.second_axis is not None:
        turned = _between(old.pose.R @ old.second_axis, new.pose.R @ new.second_axis)
        if turned > ANGLE:
            yield Change(new.name, f"second axis turned by {np.degrees(turned):.4g} degrees")


def _between(a: Floats, b: Floats) -> float:
    """The angle between two directions, up to half a turn: an axis that points the other way is another one."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def _apart(old: JointRecord, new: JointRecord) -> float:
    """How far the point of the new joint is from the axis of the old one."""
    offset: Floats = new.point - old.point
    if old.kind != SPHERICAL:
        offset = offset - (offset @ old.direction) * old.direction
    return float(np.linalg.norm(offset))
