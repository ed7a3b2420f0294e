"""`Assembly`: what a reader returns. It shows what was found and takes what the user knows better.

What the user says (`glue`, `joint`, `separate`, `accept`) is kept as a list of edits, so that it can be said again of a
file that has changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.errors import NetlistError, users_call
from tellegen.importers.assembly.difference import Difference, difference
from tellegen.importers.assembly.edits import Accept, Edit, Glue, JointEdit, Separate
from tellegen.importers.assembly.file_stamp import stamped
from tellegen.importers.assembly.records import FileStamp, JointRecord, Origin, Parts, RigidPart
from tellegen.importers.assembly.reduction import Lump, Reduced, reduce
from tellegen.importers.assembly.saved import SavedAssembly, read_saved, write_saved
from tellegen.importers.assembly.tables import joint_table, lump_table, part_table
from tellegen.importers.counted import counted
from tellegen.ir.source_location import here
from tellegen.network.mechanics.mechanical_graph import MechanicalGraph, ReducedGraph, extended_graph, reduced_graph
from tellegen.network.mechanics.twists import Tolerance
from tellegen.sheet import Shown, Table


class Assembly(Shown):
    """Rigid parts and joints, read from a file."""

    def __init__(
        self,
        name: str,
        found: Parts,
        *,
        files: tuple[FileStamp, ...] = (),
        tolerance: Tolerance | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.name = name
        self.found = found
        self.files = files
        self.tolerance = tolerance or Tolerance()
        self.edits: tuple[Edit, ...] = ()
        self.origin = origin
        self.saved_as: str | None = None  # the file it was loaded from
        self._edited = found
        self._reduced: Reduced | None = None

    @property
    def reduced(self) -> Reduced:
        """Lumps and the joints between them; faults are listed in it, not raised."""
        if self._reduced is None:
            self._reduced = reduce(self._edited, self.tolerance)
        return self._reduced

    @property
    def parts(self) -> tuple[RigidPart, ...]:
        """All rigid parts."""
        return self._edited.parts

    @property
    def joints(self) -> tuple[JointRecord, ...]:
        """The joints that are kept between lumps."""
        return self.reduced.joints

    @property
    def lumps(self) -> tuple[Lump, ...]:
        """Sets of parts that move as one body."""
        return self.reduced.lumps

    @property
    def graph(self) -> MechanicalGraph:
        """The extended mechanical graph: every part, joint and rigid connection."""
        return extended_graph(self._edited.described)

    @property
    def reduced_graph(self) -> ReducedGraph:
        """The graph of the lumps, without the joints that repeat others."""
        return reduced_graph(self.graph, self.reduced.removed)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out and why."""
        return self._edited.notes + self.reduced.notes

    @property
    def proposals(self) -> tuple[JointRecord, ...]:
        """Joints found in geometry that nobody has accepted yet."""
        return tuple(joint for joint in self._edited.joints if not joint.accepted)

    @users_call
    def glue(self, *parts: str) -> Assembly:
        """Connect parts rigidly: bolted, pressed, welded. Names may have wildcards."""
        return self._edit(Glue(parts, here()))

    @users_call
    def joint(
        self,
        parent: str,
        child: str,
        *,
        name: str | None = None,
        kind: str | None = None,
        axis: Iterable[float] | None = None,
        point: Iterable[float] | None = None,
        actuated: bool | None = None,
    ) -> Assembly:
        """Accept the joint between two parts, name it, change it, or state one that geometry does not show."""
        vector = None if axis is None else tuple(axis)
        place = None if point is None else tuple(point)
        return self._edit(JointEdit(parent, child, name, kind, vector, place, actuated, here()))

    @users_call
    def separate(self, a: str, b: str) -> Assembly:
        """The contact between two parts is not a joint."""
        return self._edit(Separate(a, b, here()))

    @users_call
    def accept(self, *joints: str) -> Assembly:
        """Accept proposed joints by name, with wildcards; without names all of them."""
        return self._edit(Accept(joints or ("*",), here()))

    def _edit(self, edit: Edit) -> Assembly:
        self._edited = edit.applied(self._edited)
        self._reduced = None
        self.edits = (*self.edits, edit)
        return self

    @property
    def edited(self) -> Parts:
        """What was found, after all decisions."""
        return self._edited

    @users_call
    def component(self, *, world: bool = False) -> Any:
        """The assembly as a component of the library: parts and joints by name.

        Its frame `mount` is what is at rest in the assembly: connect it to `world.frame_b` or to what carries it.
        Every part has a frame, `frame_NAME`, for sensors, tools and forces, and
        every actuated joint a flange, `axis_NAME`, for motors and gears. Damping, dry friction, springs and rotors of
        joints are components at their flanges; a joint beyond its limits causes a warning. With `world=True` the
        component has a `World` of its own, with gravity along -z.
        """
        from tellegen.importers.mechanism.component import component_of

        return component_of(self, world=world)

    @property
    def changed_files(self) -> list[str]:
        """The files that are no longer as they were when they were read; those that are missing do not count."""
        return [stamp.path for stamp in self.files if _has_changed(stamp)]

    @users_call
    def refresh(self) -> Difference:
        """Read the files again, apply the same decisions, and return what is different.

        A decision about a part or a joint that is no longer there is an error; the assembly then stays as it was.
        """
        if self.origin is None:
            what = f"'{self.name}' was not read from a file"
            raise NetlistError("E519", what, location=here(), advice="read it again from its string")
        new: Assembly = getattr(tg, self.origin.reader)(self.origin.path, **json.loads(self.origin.options))
        found = difference(self.name, self.found, new.found)
        edited = new.found
        for edit in self.edits:
            edited = self._again(edit, edited, found)
        self.found = new.found
        self.files = new.files
        self._edited = edited
        self._reduced = None
        return found

    def _again(self, edit: Edit, parts: Parts, found: Difference) -> Parts:
        """A decision applied to parts that have changed."""
        try:
            return edit.applied(parts)
        except NetlistError as error:
            what = f"a decision about '{self.name}' no longer fits its file: {error.message}"
            details = [f"{change.of}: {change.what}" for change in found.changes]
            advice = "adapt the calls of glue, joint, separate and accept, and read the file again"
            raise NetlistError("E519", what, location=error.location, details=details, advice=advice) from None

    @users_call
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the assembly and all decisions as JSON: `tg.Assembly.load` reads it without any other program."""
        write_saved(
            Path(path), SavedAssembly(self.name, self.found, self.edits, self.files, self.tolerance, self.origin)
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Assembly:
        """An assembly that was saved. Its files need not be there; `refresh` reads them again."""
        saved = read_saved(Path(path))
        made = cls(saved.name, saved.found, files=saved.files, tolerance=saved.tolerance, origin=saved.origin)
        for edit in saved.edits:
            made._edit(edit)
        made.saved_as = str(path)
        return made

    def checked(self) -> Reduced:
        """Lumps and joints; the first fault is raised."""
        if self.proposals:
            names = ", ".join(f"'{joint.name}' ({joint.kind})" for joint in self.proposals)
            what = f"these joints were inferred from geometry and are not accepted yet: {names}"
            advice = "print(assembly) shows the evidence; assembly.accept(), .joint(...), .glue(...) or .separate(...)"
            raise NetlistError("E516", what, location=here(), advice=advice)
        if self._edited.unclear:
            what = "these contacts are not joints: " + "; ".join(map(str, self._edited.unclear))
            advice = "assembly.glue(...), .separate(...), or .joint(..., kind=..., point=..., axis=...)"
            raise NetlistError("E516", what, location=here(), advice=advice)
        for fault in self.reduced.faults:
            raise fault
        return self.reduced

    def _title(self) -> str:
        parts = f"{counted(len(self.parts), 'part')} in {counted(len(self.lumps), 'lump')}"
        mass = sum(part.mass.m for part in self.parts)
        return f"Assembly {self.name}: {parts}, {counted(len(self.joints), 'joint')}, {mass:.6g} kg"

    def _page(self) -> Iterable[Table | str]:
        yield part_table(self._edited)
        yield lump_table(self.reduced)
        yield joint_table(self._edited, self.reduced)
        yield from self.notes
        yield from (f"not a joint: {contact}" for contact in self._edited.unclear)
        for fault in self.reduced.faults:
            yield f"{fault.code}: {fault.message}"


def _has_changed(stamp: FileStamp) -> bool:
    """By size and time, and if these differ by content."""
    try:
        stat = os.stat(stamp.path)
    except OSError:
        return False
    if (stat.st_size, stat.st_mtime) == (stamp.size, stamp.modified):
        return False
    return stamped(stamp.path)[1].sha256 != stamp.sha256
