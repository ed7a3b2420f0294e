"""A STEP file measured in a process of its own: `python -m tellegen.importers.step.worker FILE OUTPUT OPTIONS`.

The CAD kernel is native code and does not survive every damaged file; the user's session does. What it finds is written
as JSON, with a density of 1.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations, count
from pathlib import Path

from tellegen.importers.assembly.records import WORLD, JointRecord, Parts, RigidPart, UnclearContact
from tellegen.importers.assembly.shapes import Placed
from tellegen.importers.assembly.storage import to_json
from tellegen.importers.step.contacts import contacts
from tellegen.importers.step.faces import Solid
from tellegen.importers.step.geometry import NOT_A_STEP_FILE
from tellegen.importers.step.joints import infer
from tellegen.importers.step.kernel import read_solids
from tellegen.network.mechanics.twists import Tolerance


def measure(path: str, tolerance: Tolerance, clearance: float) -> Parts | None:
    """The parts of a file with a density of 1, and the joints between them; None if it cannot be read."""
    read = read_solids(path)
    if read is None:
        return None
    solids = _named(read[0])
    parts = tuple(RigidPart(solid.name, solid.unit_mass, solid.pose, (Placed(solid.surface),)) for solid in solids)
    joints, unclear = _inferred(solids, tolerance, clearance)
    notes = tuple(f"'{name}' is not a solid and is left out" for name in read[1])
    return Parts(parts, tuple(joints), notes, tuple(unclear))


def _named(solids: list[Solid]) -> list[Solid]:
    """Solids with different names that can be attributes: `bolt`, `bolt_2`."""
    taken = {WORLD}
    named = []
    for solid in solids:
        stem = re.sub(r"\W+", "_", solid.name).strip("_") or "part"
        stem = f"part_{stem}" if stem[0].isdigit() else stem
        numbered = (f"{stem}_{k}" for k in count(2))
        name = next(name for name in chain([stem], numbered) if name not in taken)
        taken.add(name)
        named.append(replace(solid, name=name))
    return named


def _inferred(
    solids: list[Solid], tolerance: Tolerance, clearance: float
) -> tuple[list[JointRecord], list[UnclearContact]]:
    """Joints of all pairs of parts that touch."""
    joints: list[JointRecord] = []
    unclear: list[UnclearContact] = []
    for a, b in combinations(solids, 2):
        touching = contacts(a, b, tolerance, clearance)
        if not touching:
            continue
        found = infer(a, b, touching, tolerance)
        if isinstance(found, JointRecord):
            joints.append(found)
        else:
            unclear.append(found)
    return joints, unclear


def main(arguments: Sequence[str]) -> int:
    """Measure a file and write what was found."""
    path, output, options = arguments
    length, angle, clearance = json.loads(options)
    found = measure(path, Tolerance(length, angle), clearance)
    if found is None:
        return NOT_A_STEP_FILE
    Path(output).write_text(to_json(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
