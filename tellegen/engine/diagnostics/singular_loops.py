"""Closed loops of mechanisms under IDA: a run ends where they are in a singular position.

There constraints repeat each other for an instant, and more than one motion can follow (a parallelogram whose bars are
in line). Methods of ODE mode project their states and place or report their steps. IDA does not: its forces grow
without bound, and it leaves by another way than it came, mostly with its constraints satisfied. So the rows of the
constraints are looked at after every step, as the projection of ODE mode would factor them.

Constraints that repeat others everywhere (a planar loop in space) leave forces undetermined. ODE mode solves up to the
rank and takes those that are left as zero; IDA gets the same equations, chosen where it starts, and the values of ODE
mode to start from. Else such forces were roundings over the compliance of the constraints, and steps failed.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.diagnostics.invariant_drift import loop_rows, singular_row
from tellegen.engine.diagnostics.switched_relations import State
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.loaded.redundant_rows import left_out
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.outcome import Outcome, from_flag
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.runtimes import projection_runtime
from tellegen.engine.runtime.sundials.ida_callbacks import LoopWatch
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import Int32Array
from tellegen.procedures.language import field_names

_SEEN = 1e-14  # squared length of what a row has that others lack, above roundings


class Loops:
    """The watch over the loops of a model, which has a system of ODE mode for their rows and ranks."""

    def __init__(self, system: OdeSystem) -> None:
        assert system.projection is not None
        self._system = system
        self._projection = system.projection
        self.record = Record(field_names(LoopWatch))
        self.record.set(
            ode=system.record.address,
            projection=system.projection.record.address,
            look=projection_runtime().addresses["look_at_rows"],
        )
        self._leave_out(np.zeros(0, np.int32), np.zeros(0, np.int32))

    def begin(self, at: State) -> bool:
        """Leave out what repeats others from a point on; True if its y and y', set in place, are new ones."""
        system = self._system
        x = at.y[system.states]
        if not system.rhs(at.t, x):
            return False
        places, forces = left_out(system)
        self._leave_out(places, forces)
        system.y[forces] = 0.0  # what a block leaves out stays as it was
        if len(forces) and system.rhs(at.t, x):
            at.y[:] = system.y
            at.yp[system.states] = system.rates[: len(system.states)]
        return bool(len(forces))

    def _leave_out(self, places: Int32Array, forces: Int32Array) -> None:
        pattern = self._system.model.program.pattern
        rows = pattern.indices[places]
        blank = np.flatnonzero(np.isin(pattern.indices, rows)).astype(np.int32)
        self.record.set(left=len(forces), left_row=rows, left_force=forces, left_entry=places)
        self.record.set(blank=len(blank), blank_entry=blank)

    @property
    def are_singular(self) -> bool:
        """Whether the last step ended in a singular position."""
        return bool(self.record.get("is_singular"))

    def outcome(self, t: float) -> Outcome:
        """How a run ended in a singular position."""
        return from_flag(Flag.SINGULAR_POSITION, t, (f"repeats others: {singular_row(self._projection)}",))


def loops_of(model: NativeModel, at: State, size: FloatArray, ida: Record) -> Loops | None:
    """The watch over the loops of a model from a point on, with unknowns of such sizes; None where it has none.

    `ida` is the record that IDA's callbacks have of the model.
    """
    if not len(loop_rows(model.reduced)) or model.ode.reason:
        return None
    system = OdeSystem(model)
    system.reset(at.p, size)
    system.record.set(parameters=at.p)  # those of the run, which change at events
    system.y[:] = at.y
    states = system.states
    x = at.y[states]
    projection = system.projection
    if projection is None or not system.rhs(at.t, x):
        return None
    projection.begin(at.t, x, size[states], 0.0)
    projection.record.put(smallest=_SEEN, most_reach=0.0)
    of = projection.components
    in_loops = np.isin(of.rows, loop_rows(model.reduced))
    projection.rank[np.add.reduceat(in_loops, of.row_start[:-1]) == 0] = 0  # other invariants are not in the equations
    loops = Loops(system)
    ida.set(loops=loops.record.address)
    return loops


def flag_of(flag: int, loops: Loops | None) -> int:
    """The flag of IDA's, or that of a singular position, which ends runs by the residual."""
    is_lost = flag == Flag.RHS and loops is not None and loops.are_singular
    return Flag.SINGULAR_POSITION if is_lost else flag
