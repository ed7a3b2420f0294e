"""Impulses: how the states of a model jump together when something discrete jumps in a constraint that ties them.

    step of 10 V across capacitors of 1 F and 3 F in series    7.5 V and 2.5 V: the same charge passes through both
    reinit of the speed between two rotors to zero             both change, and their momentum together does not

Event iteration calls native code (runtime/impulses/) where such a discrete value has changed, or a state was
reinitialized. Here is its record, what Python does for it in large models, and what it doubts, in words.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tellegen.engine.events.event_tables import EventTables, event_tables
from tellegen.engine.events.impulse_structure import ImpulseStructure, impulse_structure
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record, callback
from tellegen.engine.runtime.impulses.jump_record import Doubt, JumpRun, Large
from tellegen.engine.runtime.runtimes import impulse_runtime
from tellegen.errors import warn_user
from tellegen.ir.events import REINIT
from tellegen.ir.program import Pattern
from tellegen.ir.show.reduced_rows import equation_text, written_row
from tellegen.procedures.language import field_names
from tellegen.start.on_use import scipy

DENSE = 100
"""Unknowns that jump up to which a dense factorization, without Python, is faster than a sparse one."""

_LARGE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
_WORDS = {
    Doubt.NOT_SOLVED: "the jumps of states that constraints tie to each other could not be computed",
    Doubt.COEFFICIENT_JUMPS: "a coefficient of a derivative jumps together with what is differentiated",
    Doubt.POSITIONS_JUMP: "positions that constraints tie to each other jump, which no impulse achieves",
}


class Impulses:
    """The impulses of one run."""

    def __init__(self, structure: ImpulseStructure, events: Record, tables: EventTables) -> None:
        self.structure = structure
        self.warned: set[Doubt] = set()
        self.record = Record(field_names(JumpRun))
        self._factors: SparseLU | None = None
        self._tables = tables
        self._callback = callback(_LARGE, self._large)
        self._bind(events, tables)
        self.record.set(events=events.address, size=structure.size, **structure.model.derived(_states))
        self.record.set(**_room_for_reinits(_reinits(tables)))
        self.record.set(large=ctypes.cast(self._callback, ctypes.c_void_p).value or 0)
        self.forget()

    def _bind(self, events: Record, tables: EventTables) -> None:
        """Have event iteration call native code."""
        places = self.structure.places
        events.set(
            impulses=impulse_runtime().addresses["share_jumps"],
            jumps=self.record.words,
            y_round=np.zeros(tables.shared["size"]),
            impulse_count=len(places),
            impulse_index=np.append(places, 0).astype(np.int32),
            impulse_before=np.zeros(len(places) + 1),
            impulse_value=np.zeros(len(places) + 1),
        )

    def _make_room(self, rows: int) -> None:
        """All that a jump needs; native code factors parts of so many equations by itself."""
        structure = self.structure
        self.record.set(**structure.model.derived(_equations), **structure.model.derived(_owners))
        self.record.set(**_room(structure, self._tables))
        self.record.set(room=rows, dense=np.zeros(max(rows * rows, 1)), has_room=1)

    def without_python(self) -> None:
        """All parts are factored natively, as in exported models."""
        self._make_room(self.structure.size)
        self.record.set(large=0)

    def forget(self) -> None:
        """A run begins: nothing is in doubt."""
        self.warned.clear()
        self.record.set(doubts=0, all_doubts=0, changing_row=0)
        self.record.put(doubt_time=np.nan)

    def warn(self) -> None:
        """Report each kind of doubt once in a run."""
        doubts = self.record.get("doubts") | self.record.get("all_doubts")
        if not doubts:
            return
        self.record.set(doubts=0, all_doubts=0)
        model = self.structure.model
        for doubt, what in _WORDS.items():
            if doubts & doubt and doubt not in self.warned:
                self.warned.add(doubt)
                row = self.record.get("changing_row")
                where = f": {equation_text(model.reduced, row)}" if doubt == Doubt.COEFFICIENT_JUMPS else ""
                warn_user(f"{model.flat.name}: {what}, so that values after the event may be wrong{where}")

    def _large(self, what: int) -> int:
        """Called from native code: room, sparse factors of a part too large for dense ones, a solution; 1 for none."""
        if what == Large.ROOM:
            self._make_room(min(self.structure.size, DENSE))
            return 0
        kept = self.record.kept
        size = self.record.get("part_size")
        if what == Large.SOLVE:
            right = kept["right"][:size]
            if self._factors is None:
                return 1
            right[:] = self._factors.solve(right)
            return 0
        row = kept["row_number"][kept["entry_row"]]
        column = kept["column_number"][kept["entry_column"]]
        own = (row >= 0) & (column >= 0)
        values = kept["tangent"][: len(row)][own]
        matrix = scipy.sparse.csc_array((values, (row[own], column[own])), shape=(size, size))
        self._factors = None
        try:
            if np.isfinite(matrix.data).all():
                pattern = Pattern(matrix.shape, matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))
                self._factors = SparseLU.of(pattern, matrix.data)
                self._factors.factor(matrix.data)
        except SingularMatrixError:
            self._factors = None
        return 0 if self._factors is not None else 1


def _states(model: NativeModel) -> dict[str, Any]:
    """What says whether a jump is due, of each place in y."""
    structure = impulse_structure(model)
    assert structure is not None
    reduced = model.reduced
    tables = {
        "column_of_state": structure.column_of_state,
        "is_tied": reduced.is_tied,
        "jumps_with_others": reduced.jumps_with_others,
    }
    return {name: np.ascontiguousarray(values, np.int32) for name, values in tables.items()}


def _equations(model: NativeModel) -> dict[str, Any]:
    """What stays the same for a model."""
    structure = impulse_structure(model)
    assert structure is not None
    row, column, entry, by_rate = structure.entries
    tables = {
        "row": structure.row,
        "before": structure.before,
        "jumping": structure.jumping,
        "is_state": model.reduced.is_state,
        "moves_positions": np.append(structure.moves_positions, False),
        "entry_row": row,
        "entry_column": column,
        "entry_place": entry,
        "entry_is_rate": by_rate,
    }
    return {
        "entry_count": len(row),
        "residual": model.entries["residual"].words,
        "jacobian": model.entries["jacobian"].words,
        **{name: np.ascontiguousarray(values, np.int32) for name, values in tables.items()},
    }


def _owners(model: NativeModel) -> dict[str, Any]:
    """The components of equations and of when-statements, by numbers."""
    structure = impulse_structure(model)
    assert structure is not None
    tables = event_tables(model)
    reduced = model.reduced
    numbers: dict[tuple[int, int], int] = {}
    rows = np.full(structure.size, -1, np.int32)
    for k, row in enumerate(structure.row.tolist()):
        written = written_row(reduced, row)
        if written is not None:
            rows[k] = numbers.setdefault(written[0].owner(written[1]), len(numbers))
    conditions = np.zeros(len(tables.shared["condition_when"]) + 1, np.int32)
    for k, when in enumerate(tables.shared["condition_when"].tolist()):
        group, row = tables.events.sources[int(when)]
        conditions[k] = numbers.setdefault(model.flat.whens[group].owner(row), len(numbers))
    return {"row_owner": rows, "condition_owner": conditions}


def _reinits(tables: EventTables) -> int:
    """How many reinits there may be in a round, one at least."""
    shared = tables.shared
    return max(len(np.unique(shared["action_index"][shared["action_verb"] == REINIT])), 1)


def _room_for_reinits(count: int) -> dict[str, Any]:
    """Which states are reinitialized in a round, which says whether a jump is due."""
    names = ("reinit_place", "reinit_column", "reinit_condition")
    return {name: np.zeros(count, np.int32) for name in names}


def _room(structure: ImpulseStructure, tables: EventTables) -> dict[str, Any]:
    """Work space of jumps."""
    size = structure.size
    program = structure.model.program
    unknowns = tables.shared["size"]
    reinits = _reinits(tables)
    floats = {"by_value": program.pattern.count, "by_rate": program.pattern.count, "residuals": program.size}
    floats |= dict.fromkeys(("y_before", "y_after"), unknowns)
    floats |= dict.fromkeys(("matrix", "tangent"), len(structure.entries[0]))
    floats |= dict.fromkeys(("jump", "step", "off", "terms", "row_scale", "right"), size)
    floats |= dict.fromkeys(("wanted", "small_right", "small_sum"), reinits)
    floats |= {"effects": reinits * size, "small": reinits * reinits}
    integers = dict.fromkeys(
        ("holds", "stays", "row_number", "column_number", "count", "is_prescribed", "part_row", "part_column"), size
    )
    integers |= dict.fromkeys(("pivots", "is_single", "has_rate"), size)
    integers |= dict.fromkeys(("given", "small_pivots"), reinits)
    made: dict[str, Any] = {name: np.zeros(max(count, 1)) for name, count in floats.items()}
    return made | {name: np.zeros(max(count, 1), np.int32) for name, count in integers.items()}
