"""The tables that an assembly shows: parts, lumps, joints."""

from __future__ import annotations

from tellegen.importers.assembly.pose import vector
from tellegen.importers.assembly.records import JointRecord, Limits, Parts
from tellegen.importers.assembly.reduction import Reduced
from tellegen.sheet import Table


def part_table(found: Parts) -> Table:
    """Masses, centres of mass in the world, principal moments."""
    size = max((float(abs(part.mass_in_world.r_CM).max()) for part in found.parts), default=0.0)
    rows = [
        (
            part.name,
            f"{part.mass.m:.6g}",
            vector(part.mass_in_world.r_CM, size),
            vector(part.mass.principal),
        )
        for part in found.parts
    ]
    return Table(("part", "mass [kg]", "centre of mass [m]", "principal inertias [kg.m2]"), rows)


def lump_table(reduced: Reduced) -> Table:
    """Which parts move as one body."""
    rows = [(lump.name, f"{lump.mass.m:.6g}", ", ".join(lump.members)) for lump in reduced.lumps]
    return Table(("lump", "mass [kg]", "members"), rows)


def joint_table(found: Parts, reduced: Reduced) -> Table:
    """Joints that are kept first, then the others."""
    kept = set(map(id, reduced.joints))
    ordered = sorted(found.joints, key=lambda joint: id(joint) not in kept)
    rows = [_joint_row(joint, id(joint) in kept) for joint in ordered]
    return Table(("joint", "kind", "between", "axis", "point [m]", "limits", "state"), rows)


def _joint_row(joint: JointRecord, kept: bool) -> tuple[str, ...]:
    where = (vector(joint.direction), vector(joint.point)) if not joint.is_fixed else ("", "")
    between = f"{joint.parent} - {joint.child}"
    return (joint.name, joint.kind, between, *where, _limits(joint.limits), _state(joint, kept))


def _state(joint: JointRecord, kept: bool) -> str:
    words = []
    if not kept and not joint.is_fixed:
        words.append("left out")
    if joint.actuated:
        words.append("actuated")
    if joint.mimic:
        words.append(f"follows {joint.mimic.joint}")
    if joint.evidence:
        words.append(f"{'accepted' if joint.accepted else 'proposed'}: {joint.evidence}")
    return ", ".join(words)


def _limits(limits: Limits) -> str:
    if limits.lower is None and limits.upper is None:
        return ""
    ends = (
        "-inf" if limits.lower is None else f"{limits.lower:.4g}",
        f"{limits.upper:.4g}" if limits.upper is not None else "inf",
    )
    return " to ".join(ends)
