"""What a user says about an assembly, as records that can be applied again when its file has changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Protocol

import numpy as np

from tellegen.errors import NetlistError, nearest
from tellegen.importers.assembly.pose import Pose, fixed_array
from tellegen.importers.assembly.records import JointRecord, Parts, UnclearContact
from tellegen.ir.source_location import SourceLocation
from tellegen.network.mechanics.twists import FIXED, FREEDOMS


class Edit(Protocol):
    """A change of what was found."""

    def applied(self, found: Parts) -> Parts:
        """The parts and joints after it."""
        ...


@dataclass(frozen=True)
class Glue:
    """Parts that are rigidly connected; proposals between them are settled by it."""

    patterns: tuple[str, ...]
    location: SourceLocation

    def applied(self, found: Parts) -> Parts:
        """A fixed joint from the first part to each of the others."""
        chosen = list(
            dict.fromkeys(name for pattern in self.patterns for name in _matching(pattern, found, self.location))
        )
        if len(chosen) < 2:
            what = f"glue needs two parts or more, and {', '.join(self.patterns) or 'nothing'} names {len(chosen)}"
            raise NetlistError("E516", what, location=self.location, advice="assembly.glue('housing', 'bolt_*')")
        first, *others = chosen
        joints = [_accepted_within(joint, set(chosen)) for joint in found.joints]
        joints += [
            JointRecord(f"{first}_{other}_glued", FIXED, first, other, location=self.location) for other in others
        ]
        return replace(found, joints=tuple(joints), unclear=_settled(found, set(chosen)))


@dataclass(frozen=True)
class JointEdit:
    """A joint between two parts as the user wants it; None leaves what was found."""

    parent: str
    child: str
    name: str | None
    kind: str | None
    axis: tuple[float, ...] | None
    point: tuple[float, ...] | None
    actuated: bool | None
    location: SourceLocation

    def applied(self, found: Parts) -> Parts:
        """The joint accepted and changed, or a new one."""
        for name in (self.parent, self.child):
            _known(name, found, self.location)
        self._check()
        ends = {self.parent, self.child}
        between = [joint for joint in found.joints if {joint.parent, joint.child} == ends]
        if not between:
            joints = [*found.joints, self._new()]
            _check_names(joints, joints[-1], self.location)
            return replace(found, joints=tuple(joints), unclear=_settled(found, ends))
        changed = self._changed(between[0])
        joints = [changed if joint is between[0] else joint for joint in found.joints]
        _check_names(joints, changed, self.location)
        return replace(found, joints=tuple(joints))

    def _check(self) -> None:
        if self.kind is not None and self.kind not in FREEDOMS:
            what = f"'{self.kind}' is not a kind of joint; {nearest(self.kind, FREEDOMS)}"
            raise NetlistError("E516", what, location=self.location, advice=f"one of {', '.join(FREEDOMS)}")
        for what, values in (("axis", self.axis), ("point", self.point)):
            if values is not None and (len(values) != 3 or not np.isfinite(values).all()):
                text = f"{what} has three numbers, not {values}"
                raise NetlistError("E516", text, location=self.location, advice=f"{what}=[0, 0, 1]")
        if self.axis is not None and not any(self.axis):
            raise NetlistError("E516", "the axis is zero", location=self.location, advice="axis=[0, 0, 1]")

    def _changed(self, joint: JointRecord) -> JointRecord:
        pose = joint.pose if self.point is None else Pose(fixed_array(self.point), joint.pose.R)
        axis = joint.axis if self.axis is None else fixed_array(pose.R.T @ _unit(self.axis))
        return replace(
            joint,
            name=self.name or joint.name,
            parent=self.parent,
            child=self.child,
            kind=self.kind or joint.kind,
            pose=pose,
            axis=axis,
            actuated=joint.actuated if self.actuated is None else self.actuated,
            accepted=True,
        )

    def _new(self) -> JointRecord:
        if self.kind is None or self.point is None:
            what = f"nothing was found between '{self.parent}' and '{self.child}'"
            advice = "state the joint: kind='revolute', point=[...], axis=[...] in the axes of the world"
            raise NetlistError("E516", what, location=self.location, advice=advice)
        return JointRecord(
            self.name or f"{self.parent}_{self.child}",
            self.kind,
            self.parent,
            self.child,
            Pose(fixed_array(self.point)),
            fixed_array(_unit(self.axis or (0.0, 0.0, 1.0))),
            actuated=bool(self.actuated),
            location=self.location,
        )


@dataclass(frozen=True)
class Separate:
    """Two parts whose contact is not a joint."""

    a: str
    b: str
    location: SourceLocation

    def applied(self, found: Parts) -> Parts:
        """Without the joints between them."""
        for name in (self.a, self.b):
            _known(name, found, self.location)
        left = tuple(joint for joint in found.joints if {joint.parent, joint.child} != {self.a, self.b})
        unclear = _settled(found, {self.a, self.b})
        if len(left) == len(found.joints) and len(unclear) == len(found.unclear):
            what = f"there is no joint between '{self.a}' and '{self.b}'"
            raise NetlistError("E516", what, location=self.location, advice="print(assembly) lists the joints")
        return replace(found, joints=left, unclear=unclear)


@dataclass(frozen=True)
class Accept:
    """Proposals that are right."""

    patterns: tuple[str, ...]
    location: SourceLocation

    def applied(self, found: Parts) -> Parts:
        """With these joints accepted."""
        names = [joint.name for joint in found.joints]
        for pattern in self.patterns:
            if pattern != "*" and not any(fnmatchcase(name, pattern) for name in names):
                what = f"no joint is named '{pattern}'; {nearest(pattern, names)}"
                raise NetlistError("E516", what, location=self.location, advice="print(assembly) lists the joints")
        joints = [
            replace(joint, accepted=True) if any(fnmatchcase(joint.name, p) for p in self.patterns) else joint
            for joint in found.joints
        ]
        return replace(found, joints=tuple(joints))


def _unit(axis: tuple[float, ...]) -> np.ndarray:
    return np.array(axis, float) / np.linalg.norm(axis)


def _accepted_within(joint: JointRecord, chosen: set[str]) -> JointRecord:
    return replace(joint, accepted=True) if {joint.parent, joint.child} <= chosen else joint


def _settled(found: Parts, chosen: set[str]) -> tuple[UnclearContact, ...]:
    """What remains unclear after a decision about some parts."""
    return tuple(contact for contact in found.unclear if not {contact.a, contact.b} <= chosen)


def _known(name: str, found: Parts, location: SourceLocation) -> None:
    if name not in found.names:
        what = f"there is no part '{name}'; {nearest(name, found.names)}"
        raise NetlistError("E516", what, location=location, advice="print(assembly) lists the parts")


def _matching(pattern: str, found: Parts, location: SourceLocation) -> list[str]:
    if pattern in found.names:
        return [pattern]
    names = [name for name in found.names if fnmatchcase(name, pattern)]
    if not names:
        _known(pattern, found, location)
    return names


def _check_names(joints: list[JointRecord], changed: JointRecord, location: SourceLocation) -> None:
    if sum(joint.name == changed.name for joint in joints) > 1:
        what = f"two joints are named '{changed.name}'"
        raise NetlistError("E516", what, location=location, advice="choose another name")
