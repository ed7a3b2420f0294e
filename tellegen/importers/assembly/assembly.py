"""`Assembly`: what a reader returns. It shows what was found and takes what the user knows better.

What the user says (`glue`, `joint`, `separate`, `accept`) is kept as a list of edits, so that it can be said again of a
file that has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tellegen.errors import NetlistError, users_call
from tellegen.importers.assembly.edits import Accept, Edit, Glue, JointEdit, Separate
from tellegen.importers.assembly.records import FileStamp, JointRecord, Parts, RigidPart
from tellegen.importers.assembly.reduction import Lump, Reduced, reduce
from tellegen.importers.assembly.tables import joint_table, lump_table, part_table
from tellegen.ir.source_location import here
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
        read_again: Callable[[], Assembly] | None = None,
    ) -> None:
        self.name = name
        self.found = found
        self.files = files
        self.tolerance = tolerance or Tolerance()
        self.edits: tuple[Edit, ...] = ()
        self._read_again = read_again
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

    def checked(self) -> Reduced:
        """Lumps and joints; the first fault is raised."""
        if self.proposals:
            names = ", ".join(f"'{joint.name}' ({joint.kind})" for joint in self.proposals)
            what = f"these joints were inferred from geometry and are not accepted yet: {names}"
            advice = "print(assembly) shows the evidence; assembly.accept(), .joint(...), .glue(...) or .separate(...)"
            raise NetlistError("E516", what, location=here(), advice=advice)
        for fault in self.reduced.faults:
            raise fault
        return self.reduced

    def _title(self) -> str:
        lumps, joints = len(self.lumps), len(self.joints)
        mass = sum(part.mass.m for part in self.parts)
        return f"Assembly {self.name}: {len(self.parts)} parts in {lumps} lumps, {joints} joints, {mass:.6g} kg"

    def _page(self) -> Iterable[Table | str]:
        yield part_table(self._edited)
        yield lump_table(self.reduced)
        yield joint_table(self._edited, self.reduced)
        yield from self.notes
        for fault in self.reduced.faults:
            yield f"{fault.code}: {fault.message}"
