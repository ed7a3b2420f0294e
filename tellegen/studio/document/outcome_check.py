"""Whether a text has what an operation was to write: one that was written by hand may be of a form no splice fits."""

from __future__ import annotations

from tellegen.errors import DocumentError
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.operations import AddPart, Connect, Operation, RenamePart, SetArgument
from tellegen.studio.document.text.typed_value import value_text


def check_outcome(operation: Operation, after: Diagram) -> None:
    """E898 where an operation would be lost, or hidden silently, by what else the text says."""
    match operation:
        case AddPart(_, name):
            _require(after.part(name) is not None, f"{name} cannot be written into {after.cls}")
        case RenamePart(old, new):  # an old one of a base may appear again
            _require(after.part(new) is not None, f"{old} cannot be renamed in {after.cls}")
        case Connect(first, second):
            joined = any({first, second} <= set(wire.ends) for wire in after.wires)
            _require(joined, f"a line from {first} to {second} cannot be written into {after.cls}")
        case SetArgument(name, parameter, typed):
            part = after.part(name)
            found = part.arguments.get(parameter) if part is not None else None
            wanted = value_text(typed) if typed.strip() else None
            _require(found == wanted, f"{parameter} of {name} cannot be written into {after.cls}")


def _require(holds: bool, message: str) -> None:
    if not holds:
        advice = "edit the text: give each declaration and each connection a statement and a line of its own"
        raise DocumentError("E898", message, advice=advice)
