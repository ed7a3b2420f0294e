"""Closed loops of mechanisms under IDA: a run ends where they are in a singular position.

There constraints repeat each other for an instant, and more than one motion can follow (a parallelogram whose bars are
in line). Methods of ODE mode project their states and place or report their steps. IDA does not: its forces grow
without bound, and it leaves by another way than it came, mostly with its constraints satisfied. So the rows of the
constraints are looked at after every step, as the projection of ODE mode would factor them.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.diagnostics.invariant_drift import loop_rows, singular_row
from tellegen.engine.diagnostics.switched_relations import State
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.outcome import Outcome, from_flag
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.runtimes import projection_runtime
from tellegen.engine.runtime.sundials.ida_callbacks import LoopWatch
from tellegen.ir.model import FloatArray
from tellegen.procedures.language import field_names

_SEEN = 1e-14  # squared length of what a row has that others lack, above roundings


class Loops:
    """The watch over the loops of a model, which has a system of ODE mode for their rows and ranks."""

    def __init__(self, system: OdeSystem) -> None:
        assert system.projection is not None
        self._system = system
        self._projection = system.projection
        self.record = Record(field_names(LoopWatch))

    def attach(self, model: Record) -> None:
        """Look at the loops after every step of IDA's, whose user data is this record."""
        self.record.set(
            ode=self._system.record.address,
            projection=self._projection.record.address,
            look=projection_runtime().addresses["look_at_rows"],
        )
        model.set(loops=self.record.address)

    @property
    def are_singular(self) -> bool:
        """Whether the last step ended in a singular position."""
        return bool(self.record.get("is_singular"))

    def outcome(self, t: float) -> Outcome:
        """How a run ended in a singular position."""
        return from_flag(Flag.SINGULAR_POSITION, t, (f"repeats others: {singular_row(self._projection)}",))


def loops_of(model: NativeModel, at: State, size: FloatArray) -> Loops | None:
    """The watch over the loops of a model from a point on, with unknowns of such sizes; None where it has none."""
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
    return Loops(system)
