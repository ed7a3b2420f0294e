"""Impulses: how the states of a model jump together when something discrete jumps in a constraint that ties them.

    step of 10 V across capacitors of 1 F and 3 F in series    7.5 V and 2.5 V: the same charge passes through both
    reinit of the speed between two rotors to zero             both change, and their momentum together does not

Called by event iteration (event_iteration.py) where such a discrete value has changed, or a state was reinitialized.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.events.event_tables import EventTables
from tellegen.engine.events.impulse_structure import ImpulseStructure
from tellegen.engine.events.jump_equations import Instant, JumpEquations, Reinit
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.native.record import Record
from tellegen.errors import warn_user
from tellegen.ir.events import REINIT
from tellegen.ir.model import FloatArray


class Impulses:
    """The impulses of one run."""

    def __init__(self, structure: ImpulseStructure, record: Record, tables: EventTables) -> None:
        self.structure = structure
        self.record = record
        self.tables = tables
        self.warned: set[str] = set()
        self.doubts: dict[float, list[tuple[str, str]]] = {}  # by instant, of the last round of each

    def bind(self, callback: int | None) -> None:
        """Have event iteration call back."""
        places = self.structure.places
        self.record.set(
            impulses=callback or 0,
            y_round=np.zeros(self.tables.shared["size"]),
            impulse_count=len(places),
            impulse_index=np.append(places, 0).astype(np.int32),
            impulse_before=np.zeros(len(places) + 1),
            impulse_value=np.zeros(len(places) + 1),
        )

    def share(self, t: float) -> bool:
        """Let the states jump from where they were when this round began; reinits have changed theirs already.

        False where a reinit cannot be carried out.
        """
        self.doubts[t] = []
        kept = self.record.kept
        y = kept["y"]
        jumping = self.structure.jumping[self.structure.jumping >= 0]
        reinits = self._reinits()
        if not self._is_due(reinits):
            return True
        before = y.copy()
        before[jumping] = kept["y_round"][jumping]
        found = self._after(JumpEquations(self.structure, Instant(t, before, kept["yp"], kept["p"])), reinits)
        if found is not None:
            y[jumping] = found[jumping]
        is_state = self.structure.model.reduced.is_state
        return found is not None or all(is_state[each.place] for each in reinits)

    def _is_due(self, reinits: list[Reinit]) -> bool:
        """Whether there is anything to share: not where a reinit changes only a state that nothing is tied to."""
        kept = self.record.kept
        places = self.structure.places
        model = self.structure.model.reduced
        jumped = kept["p"][places] != kept["impulse_before"][: len(places)]
        moved = (kept["y"] != kept["y_round"]) & model.jumps_with_others
        return bool(jumped.any() or moved.any() or any(model.is_tied[each.place] for each in reinits))

    def _after(self, equations: JumpEquations, reinits: list[Reinit]) -> FloatArray | None:
        """The unknowns after the jumps; None where these cannot be computed."""
        t = equations.at.t
        try:
            jump = equations.solved(reinits)
        except SingularMatrixError:
            jump = None
        if jump is None:
            self._doubt(t, "the jumps of states that constraints tie to each other could not be computed", "")
            return None
        changing = equations.changing(jump)
        if changing is not None:
            self._doubt(t, "a coefficient of a derivative jumps together with what is differentiated", changing)
        if self._positions_jump():
            self._doubt(t, "positions that constraints tie to each other jump, which no impulse achieves", "")
        return equations.after(jump)

    def _positions_jump(self) -> bool:
        """Whether a discrete value has jumped in a constraint between positions."""
        kept = self.record.kept
        places = self.structure.places
        jumped = kept["p"][places] != kept["impulse_before"][: len(places)]
        return bool((jumped & self.structure.moves_positions).any())

    def _reinits(self) -> list[Reinit]:
        """What the clauses of this round have reinitialized and impulses let jump; of several values the last."""
        kept = self.record.kept
        shared = self.tables.shared
        flat = self.structure.model.flat
        found: dict[int, Reinit] = {}
        for condition in kept["chosen"][: self.record.get("chosen_count")].tolist():
            group, row = self.tables.events.sources[int(shared["condition_when"][condition])]
            for action in range(shared["action_start"][condition], shared["action_start"][condition + 1]):
                place = int(shared["action_index"][action])
                if shared["action_verb"][action] == REINIT and self.structure.column_of_state[place] >= 0:
                    found[place] = Reinit(place, float(kept["y"][place]), flat.whens[group].owner(row))
        return list(found.values())

    def _doubt(self, t: float, what: str, equation: str) -> None:
        """Why values may be wrong; forgotten if a later round of the instant has an answer, with other modes."""
        self.doubts[t].append((what, equation))

    def warn(self) -> None:
        """Report each kind of doubt once in a run."""
        doubts = [doubt for instant in self.doubts.values() for doubt in instant]
        self.doubts.clear()
        name = self.structure.model.flat.name
        for what, equation in doubts:
            if what not in self.warned:
                self.warned.add(what)
                where = f": {equation}" if equation else ""
                warn_user(f"{name}: {what}, so that values after the event may be wrong{where}")
