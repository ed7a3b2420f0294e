"""`tg.read_step`: parts, mass properties and proposals of joints of a CAD assembly."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path

from tellegen.errors import NetlistError, nearest, users_call
from tellegen.importers.assembly.assembly import Assembly
from tellegen.importers.assembly.density import Density, density_of_part
from tellegen.importers.assembly.file_stamp import stamped
from tellegen.importers.assembly.records import WORLD, JointRecord, Origin, RigidPart
from tellegen.importers.step.geometry import geometry
from tellegen.ir.source_location import here
from tellegen.network.mechanics.twists import FIXED, Tolerance


@users_call
def read_step(
    path: str | os.PathLike[str],
    *,
    density: Density,
    ground: str | Sequence[str] = (),
    clearance: float = 0.0,
    tolerance: Tolerance | tuple[float, float] = (1e-6, 1e-6),
) -> Assembly:
    """A STEP file as an assembly: its parts with exact mass properties, and the joints that follow from their contacts.

    `density` is one number in kg/m3 (or "1.2 g/cm3"), or one for each pattern of names: {"gimbal*": 1200, "*": 1070}.
    `ground` names the parts that are at rest. `clearance` (in metres) accepts pins in holes that are larger by that;
    `tolerance` is how far surfaces of one contact may be apart, in metres and radians.
    Joints are proposals: `print(assembly)` shows them with the faces they were found from. `assembly.accept()`,
    `.joint(...)`, `.glue(...)` and `.separate(...)` decide, then `assembly.component()` simulates it.
    """
    _, stamp = stamped(path)
    tolerance = tolerance if isinstance(tolerance, Tolerance) else Tolerance(*tolerance)
    found = geometry(stamp, tolerance, clearance)
    if not found.parts:
        what = f"'{path}' has no solids"
        raise NetlistError("E510", what, location=here(), advice="export solids, not surfaces or wires")
    names = [part.name for part in found.parts]
    joints = _grounded([ground] if isinstance(ground, str) else ground, names)
    parts = tuple(_with_density(part, density) for part in found.parts)
    record = replace(found, parts=parts, joints=(*joints, *found.joints))

    grounded = ground if isinstance(ground, str) else list(ground)
    densities = dict(density) if isinstance(density, Mapping) else density
    options = {"density": densities, "ground": grounded, "clearance": clearance, "tolerance": astuple(tolerance)}
    origin = Origin("read_step", str(path), json.dumps(options))
    return Assembly(Path(path).stem, record, files=(stamp,), tolerance=tolerance, origin=origin)


def _with_density(part: RigidPart, density: Density) -> RigidPart:
    rho = density_of_part(part.name, density)
    if rho is None:
        what = f"no density is given for '{part.name}'"
        raise NetlistError("E518", what, location=here(), advice=f"density={{'{part.name}': 2700, '*': 7850}}")
    return replace(part, mass=part.mass.scaled(rho).checked(f"part '{part.name}'"))


def _grounded(ground: Sequence[str], names: Sequence[str]) -> list[JointRecord]:
    for name in ground:
        if name not in names:
            what = f"ground: there is no part '{name}'; {nearest(name, names)}"
            raise NetlistError("E516", what, location=here(), advice="print(tg.read_step(...)) lists the parts")
    return [JointRecord(f"{name}_ground", FIXED, WORLD, name) for name in ground]
