"""`tg.mass_properties`: of a file, a shape, or a solid of a CAD kernel."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tellegen.errors import DataError, users_call
from tellegen.importers.assembly.density import density_of
from tellegen.importers.assembly.file_stamp import stamped
from tellegen.importers.assembly.mass_properties import MassProperties, total
from tellegen.importers.assembly.shapes import Shape
from tellegen.importers.assembly.triangle_mesh import read_mesh
from tellegen.importers.step.geometry import geometry
from tellegen.ir.source_location import here
from tellegen.network.mechanics.twists import Tolerance


@users_call
def mass_properties(
    source: str | os.PathLike[str] | Shape | Any, *, density: float | str, scale: float = 1.0
) -> MassProperties:
    """Mass, centre of mass and inertia of a homogeneous solid.

    `source` is a mesh (.stl, .obj, others with trimesh), a STEP file (all its parts together, with the CAD kernel), or
    a simple shape of `tellegen.importers.assembly.shapes`.
    `density` is in kg/m3 or has a unit ("1.2 g/cm3"), `scale` is the length of a mesh's unit: 0.001 for millimetres.
    """
    rho = density_of(density)
    if isinstance(source, Shape):
        return source.mass_properties(rho)
    if isinstance(source, str | os.PathLike) and Path(source).suffix.lower() in (".step", ".stp"):
        parts = geometry(stamped(source)[1], Tolerance(1e-6, 1e-6), 0.0).parts
        return total(part.mass_in_world for part in parts).scaled(rho)
    if isinstance(source, str | os.PathLike):
        return read_mesh(Path(source)).scaled((scale, scale, scale)).solid().scaled(rho)
    what = f"mass_properties takes a file or a shape, not {source!r}"
    raise DataError("E707", what, location=here(), advice="tg.mass_properties('part.stl', density=2700)")
