"""The unknowns of a run with IDA at an event, where the states are given and flags change.

They are computed as in ODE mode, part after part: where a combination of flags leaves a part of the model almost
undetermined (a slider that sticks at its dead centre) only that part is affected. So events have the same outcome with
every solver. All unknowns are solved for at once where there is no ODE mode or it finds no solution.
"""

from __future__ import annotations

from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued
from tellegen.engine.integrators.ida import Ida
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.request.consistent import Consistent
from tellegen.ir.model import FloatArray


class UnknownsAtEvents:
    """Solves for the unknowns of a run; `size` has their sizes."""

    def __init__(self, run: Ida, size: FloatArray) -> None:
        self._run = run
        self._size = size
        self._model: NativeModel | None = None
        self._system: OdeSystem | None = None

    def __call__(self, t: float, y: FloatArray, yp: FloatArray) -> Consistent | None:
        """Consistent y and y', None where there are none."""
        run = self._run
        system = self._ode_mode_of(run.model)
        if system is not None:
            system.y[:] = y
            system.yp[:] = yp
            system.p[:] = run.p
            if system.rhs(t, y[system.states]):
                return Consistent(system.y, system.yp)
        return continued(run.model, Point(t, run.p), y, yp)

    def _ode_mode_of(self, model: NativeModel) -> OdeSystem | None:
        """That of the model with the present choice of states."""
        if model is not self._model:
            self._model = model
            is_there = model.reduced.is_state.any() and not model.ode.reason
            self._system = model.ode.lease(model, self._run.p, self._size) if is_there else None
        return self._system
