# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
"""Open CASCADE, by the wheel cadquery-ocp-novtk: the only file that knows it.

It works in millimetres, to which its reader converts whatever unit a file has; what leaves here is in metres.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.collections import Sequence_TDF_Label
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane, GeomAbs_Sphere
from OCP.gp import gp_Trsf
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_RetDone
from OCP.Message import Message
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS
from OCP.XCAFDoc import XCAFDoc_DocumentTool, XCAFDoc_ShapeTool

from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import Floats, Pose
from tellegen.importers.assembly.shapes import Triangles
from tellegen.importers.step.faces import CONE, CYLINDER, PLANE, SPHERE, Face, Solid

MM = 1e-3
FINENESS = 1e-3  # of the size of a part: how far the triangles that are drawn may be from its surface
FACET_ANGLE = 0.35  # and how much neighbouring triangles may be turned [rad]
INTEGRATION = 1e-12  # relative, of volumes; without adaption fused round parts are off by 3e-5


def read_solids(path: str) -> tuple[list[Solid], list[str]] | None:
    """The solids of a STEP file, by name and place, and the names of what is not a solid; None if it cannot be read."""
    document = TDocStd_Document(TCollection_ExtendedString("tellegen"))
    reader = STEPCAFControl_Reader()
    reader.SetNameMode(True)
    with _silent():
        done = reader.ReadFile(path) == IFSelect_RetDone and reader.Transfer(document)
    if not done:
        return None
    free = Sequence_TDF_Label()
    XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).GetFreeShapes(free)
    solids: list[Solid] = []
    skipped: list[str] = []
    for label in _labels(free):
        for name, shape, place in _leaves(label, TopLoc_Location()):
            located = shape.Moved(place)
            if _has(located, TopAbs_SOLID):
                solids.append(_solid(name, shape, located, place))
            else:
                skipped.append(name)
    return solids, skipped


@contextmanager
def _silent() -> Iterator[None]:
    """Without the kernel's messages on the terminal."""
    messenger = Message.DefaultMessenger_s()
    printers = list(messenger.Printers())
    messenger.ChangePrinters().Clear()
    try:
        yield
    finally:
        for printer in printers:
            messenger.AddPrinter(printer)


def _labels(sequence: Any) -> Iterator[Any]:
    return (sequence.Value(k) for k in range(1, sequence.Length() + 1))


def _leaves(label: Any, place: Any) -> Iterator[tuple[str, Any, Any]]:
    """The parts of an assembly with their places, sub-assemblies resolved."""
    own = place
    name = _name(label)
    shape_label = label
    if XCAFDoc_ShapeTool.IsReference_s(label):
        own = place.Multiplied(XCAFDoc_ShapeTool.GetLocation_s(label))
        shape_label = TDF_Label()
        XCAFDoc_ShapeTool.GetReferredShape_s(label, shape_label)
        name = name or _name(shape_label)
    if XCAFDoc_ShapeTool.IsAssembly_s(shape_label):
        inner = Sequence_TDF_Label()
        XCAFDoc_ShapeTool.GetComponents_s(shape_label, inner)
        for component in _labels(inner):
            yield from _leaves(component, own)
    else:
        shape = XCAFDoc_ShapeTool.GetShape_s(shape_label)
        yield _part_name(name, _name(shape_label)), shape, own


def _part_name(instance: str, product: str) -> str:
    """The name of the place where a part is used, unless it is one that a program made up."""
    made_up = not instance or instance.startswith("NAUO") or instance.startswith("=>")
    return (product if made_up else instance) or "part"


def _name(label: Any) -> str:
    attribute = TDataStd_Name()
    return attribute.Get().ToExtString() if label.FindAttribute(TDataStd_Name.GetID_s(), attribute) else ""


def _has(shape: Any, kind: Any) -> bool:
    return TopExp_Explorer(shape, kind).More()


def _solid(name: str, shape: Any, located: Any, place: Any) -> Solid:
    found = list(_faces(located))
    known = tuple(face for face in found if face is not None)
    return Solid(
        name,
        _pose(place.Transformation()),
        volume_properties(shape),
        known,
        len(found) - len(known),
        _box(located),
        triangles(shape),
        located,
    )


def triangles(shape: Any) -> Triangles:
    """The surface of a solid as it is drawn: to the fineness of a picture, in its own frame and in metres."""
    size = float(np.linalg.norm(np.subtract(*_box(shape)))) / MM
    BRepMesh_IncrementalMesh(shape, FINENESS * size, False, FACET_ANGLE)
    vertices = [np.empty((0, 3))]
    faces = [np.empty((0, 3), np.int64)]
    count = 0
    explorer = TopExp_Explorer(shape, TopAbs_FACE)
    while explorer.More():
        face = TopoDS.Face(explorer.Current())
        explorer.Next()
        location = TopLoc_Location()
        mesh = BRep_Tool.Triangulation_s(face, location)
        if mesh is None:  # a face without area
            continue
        place = _pose(location.Transformation())
        nodes = np.array([_vector(mesh.Node(k)) for k in range(1, mesh.NbNodes() + 1)])
        corners = np.array([mesh.Triangle(k).Get() for k in range(1, mesh.NbTriangles() + 1)]) - 1
        vertices.append(MM * nodes @ place.R.T + place.r)
        faces.append(count + (corners[:, ::-1] if face.Orientation() == TopAbs_REVERSED else corners))
        count += len(nodes)
    return Triangles(np.concatenate(vertices), np.concatenate(faces))


def _pose(trsf: Any) -> Pose:
    R = np.array([[trsf.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)])
    return Pose(MM * np.array([trsf.Value(i, 4) for i in (1, 2, 3)]), R)


def volume_properties(shape: Any) -> MassProperties:
    """Volume, centre and second moments by integration over the exact surfaces; for a density of 1, in metres."""
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, found, INTEGRATION)
    centre = found.CentreOfMass()
    tensor = found.MatrixOfInertia()  # about the centre
    I_CM = np.array([[tensor.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)])
    return MassProperties(MM**3 * found.Mass(), MM * _vector(centre), MM**5 * I_CM)


def _vector(xyz: Any) -> Floats:
    return np.array([xyz.X(), xyz.Y(), xyz.Z()])


def _box(shape: Any) -> Floats:
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    return MM * np.array([_vector(box.CornerMin()), _vector(box.CornerMax())])


def _faces(shape: Any) -> Iterator[Face | None]:
    """Faces of simple surfaces; None for all others."""
    explorer = TopExp_Explorer(shape, TopAbs_FACE)
    while explorer.More():
        face = TopoDS.Face(explorer.Current())
        yield _face(face)
        explorer.Next()


def _face(face: Any) -> Face | None:
    surface = BRepAdaptor_Surface(face)
    kind = surface.GetType()
    outwards = -1.0 if face.Orientation() == TopAbs_REVERSED else 1.0
    if kind == GeomAbs_Plane:
        plane = surface.Plane()
        normal = _vector(plane.Axis().Direction()) * (outwards if plane.Direct() else -outwards)
        return Face(PLANE, MM * _vector(plane.Location()), normal, 0.0, _box(face), face)
    if kind == GeomAbs_Cylinder:
        cylinder = surface.Cylinder()
        sign = outwards if cylinder.Direct() else -outwards
        axis = cylinder.Axis()
        point = MM * _vector(axis.Location())
        return Face(CYLINDER, point, _vector(axis.Direction()), sign * MM * cylinder.Radius(), _box(face), face)
    if kind == GeomAbs_Sphere:
        sphere = surface.Sphere()
        sign = outwards if sphere.Direct() else -outwards
        centre = MM * _vector(sphere.Location())
        return Face(SPHERE, centre, np.array([0.0, 0.0, 1.0]), sign * MM * sphere.Radius(), _box(face), face)
    if kind == GeomAbs_Cone:
        cone = surface.Cone()
        sign = outwards if cone.Direct() else -outwards
        axis = cone.Axis()
        widening = _vector(axis.Direction()) * np.sign(cone.SemiAngle())  # from the apex into the cone
        return Face(CONE, MM * _vector(cone.Apex()), widening, sign * abs(cone.SemiAngle()), _box(face), face)
    return None


def common_area(a: Any, b: Any) -> float:
    """The area that two faces of the same surface share."""
    common = BRepAlgoAPI_Common(a, b).Shape()
    if common is None or common.IsNull():
        return 0.0
    found = GProp_GProps()
    BRepGProp.SurfaceProperties_s(common, found)
    return MM**2 * abs(found.Mass())


def common_volume(a: Any, b: Any) -> float:
    """The volume that two solids share."""
    common = BRepAlgoAPI_Common(a, b).Shape()
    if common is None or common.IsNull():
        return 0.0
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(common, found)
    return MM**3 * abs(found.Mass())


def moved(shape: Any, pose: Pose) -> Any:
    """A solid or a face in another place."""
    trsf = gp_Trsf()
    rows = np.column_stack([pose.R, pose.r / MM])
    trsf.SetValues(*(float(value) for value in rows.ravel()))
    return BRepBuilderAPI_Transform(shape, trsf, True).Shape()
