"""Joints that follow from the contacts of two parts, after Sinha, Paredis, Gupta and Khosla (1998).

Each contact permits a space of relative motions; what all of them permit together, the intersection, is the joint. All
contacts used here are lower pairs, whose motions are subgroups, so a joint found in one position holds in the others
until faces leave each other or other geometry is in the way. That is tried by moving one part by a small step.
"""

from __future__ import annotations

import numpy as np

from tellegen.importers.assembly.pose import Floats, Pose, axis_rotation, fixed_array
from tellegen.importers.assembly.records import JointRecord, UnclearContact
from tellegen.importers.step.contacts import Contact
from tellegen.importers.step.faces import PLANE, Solid
from tellegen.importers.step.kernel import common_volume, moved
from tellegen.network.mechanics.lower_pairs import LowerPair, lower_pair
from tellegen.network.mechanics.twists import CYLINDRICAL, PLANAR, PRISMATIC, REVOLUTE, Tolerance, common, perpendicular

ONE_DEGREE = np.radians(1.0)
STEP = 1e-3  # metres, for small parts a hundredth of their size
PENETRATION = 1e-3  # of what a blocked part would share with the other one


def infer(a: Solid, b: Solid, found: list[Contact], tolerance: Tolerance) -> JointRecord | UnclearContact:
    """The joint between two parts that touch, as a proposal."""
    place = np.array([contact.place for contact in found]).mean(axis=0)
    space = common([contact.twists for contact in found], tolerance, place)
    evidence = _evidence(found)
    pair = lower_pair(space, tolerance, place)
    if pair is None:
        return UnclearContact(a.name, b.name, f"{evidence}, which leaves {len(space)} freedoms")
    notes = [evidence, *_one_sided(found), *_blocked(a, b, pair)]
    return JointRecord(
        f"{a.name}_{b.name}",
        pair.kind,
        a.name,
        b.name,
        Pose(pair.point),
        fixed_array(pair.axis),
        evidence="; ".join(notes),
        accepted=False,
    )


def _evidence(found: list[Contact]) -> str:
    """`2 cylinders 314 mm2, plane 50 mm2`."""
    words = []
    for kind in dict.fromkeys(contact.kind for contact in found):
        group = [contact for contact in found if contact.kind == kind]
        area = sum(contact.area for contact in group) * 1e6
        gap = max(contact.gap for contact in group)
        clearance = f" with {gap * 1e3:.3g} mm clearance" if gap > 1e-9 else ""
        words.append(f"{f'{len(group)} {kind}s' if len(group) > 1 else kind} {area:.3g} mm2{clearance}")
    return ", ".join(words)


def _one_sided(found: list[Contact]) -> list[str]:
    """Planes that only press: nothing faces them from the other side."""
    normals = [contact.face.direction for contact in found if contact.kind == PLANE]
    lonely = [n for n in normals if not any(n @ other < -1.0 + 1e-9 for other in normals)]
    return ["one-sided: held only while pressed"] if lonely else []


def _blocked(a: Solid, b: Solid, pair: LowerPair) -> list[str]:
    """Freedoms along which other geometry is in the way within a degree or a millimetre."""
    before = common_volume(a.shape, b.shape)
    allowed = before + PENETRATION * STEP * min(a.size, b.size) ** 2 * 1e-2
    notes = []
    for word, forward, backward in _small_steps(pair, min(a.size, b.size)):
        ways = [common_volume(a.shape, moved(b.shape, step)) > allowed for step in (forward, backward)]
        if all(ways):
            notes.append(f"blocked: cannot {word}")
        elif any(ways):
            notes.append(f"stopped in one direction: {word}")
    return notes


def _small_steps(pair: LowerPair, size: float) -> list[tuple[str, Pose, Pose]]:
    """A small motion each way along every freedom of a joint."""
    length = min(STEP, 0.01 * size)
    turning = ("turn", _turned(pair, ONE_DEGREE), _turned(pair, -ONE_DEGREE))
    along = ("slide", Pose(length * pair.axis), Pose(-length * pair.axis))
    across = [("slide", Pose(length * d), Pose(-length * d)) for d in perpendicular(pair.axis)]
    steps = {REVOLUTE: [turning], PRISMATIC: [along], CYLINDRICAL: [turning, along], PLANAR: [turning, *across]}
    return steps.get(pair.kind, [])


def _turned(pair: LowerPair, angle: float) -> Pose:
    R: Floats = axis_rotation(pair.axis, angle)
    return Pose(pair.point - R @ pair.point, R)
