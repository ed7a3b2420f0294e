# pyright: reportMissingImports=false
"""Solids and STEP files, made with the CAD kernel: what the tests read back. Millimetres, as in CAD."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeSphere,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.Message import Message
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFDoc import XCAFDoc_DocumentTool

Point = tuple[float, float, float]
Z: Point = (0.0, 0.0, 1.0)


def box(low: Point, high: Point) -> Any:
    return BRepPrimAPI_MakeBox(gp_Pnt(*low), gp_Pnt(*high)).Shape()


def cylinder(base: Point, radius: float, length: float, direction: Point = Z) -> Any:
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(*base), gp_Dir(*direction)), radius, length).Shape()


def cone(base: Point, radius: float, top: float, length: float) -> Any:
    return BRepPrimAPI_MakeCone(gp_Ax2(gp_Pnt(*base), gp_Dir(*Z)), radius, top, length).Shape()


def ball(centre: Point, radius: float) -> Any:
    return BRepPrimAPI_MakeSphere(gp_Pnt(*centre), radius).Shape()


def fuse(first: Any, *others: Any) -> Any:
    for other in others:
        first = BRepAlgoAPI_Fuse(first, other).Shape()
    return first


def cut(first: Any, *others: Any) -> Any:
    for other in others:
        first = BRepAlgoAPI_Cut(first, other).Shape()
    return first


def place(r: Point, axis: Point = Z, angle: float = 0.0) -> Any:
    """Turned about an axis through the origin, then moved."""
    turned = gp_Trsf()
    turned.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*axis)), angle)
    moved = gp_Trsf()
    moved.SetTranslation(gp_Vec(*r))
    return TopLoc_Location(moved.Multiplied(turned))


def write(path: Path, parts: dict[str, Any], places: dict[str, Any] | None = None) -> Path:
    """A STEP file of parts by name; those with a place are in an assembly, used there."""
    document = TDocStd_Document(TCollection_ExtendedString("made"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    assembly = tool.NewShape() if places else None
    for name, shape in parts.items():
        label = tool.AddShape(shape, False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        if assembly is not None:
            inside = tool.AddComponent(assembly, label, (places or {}).get(name, TopLoc_Location()))
            TDataStd_Name.Set_s(inside, TCollection_ExtendedString(name))
    if assembly is not None:
        TDataStd_Name.Set_s(assembly, TCollection_ExtendedString("whole"))
        tool.UpdateAssemblies()
    Message.DefaultMessenger_s().ChangePrinters().Clear()
    writer = STEPCAFControl_Writer()
    writer.Transfer(document)
    writer.Write(str(path))
    return path
