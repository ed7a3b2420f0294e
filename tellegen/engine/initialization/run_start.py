"""Where a run begins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued, initialize_run
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.engine.request.run_state import RunState


class RunStart(NamedTuple):
    """Time and parameters, start values, and whether the run begins in steady state.

    A run that continues has the `state` that another one left.
    """

    point: Point
    starts: Starts
    steady: bool = False
    state: RunState | None = None

    @property
    def is_changed(self) -> bool:
        """Whether a run continues with other parameters."""
        return self.state is not None and not np.array_equal(self.state.p, self.point.p, equal_nan=True)

    def gives_states_alone(self, model: NativeModel) -> bool:
        """Whether states are given and nothing else is asked for: everything follows from them in order.

        A homotopy is asked for: it selects among several solutions.
        """
        is_plain = not model.program.initial_size and not model.reduced.has_homotopy
        return not self.steady and is_plain and self.starts.states_alone

    def consistent(self, model: NativeModel) -> Consistent:
        """Consistent y and y' at the initial time."""
        if self.state is None:
            return initialize_run(model, self.point, self.starts, self.steady)
        as_it_stood = Consistent(self.state.unknowns, np.nan_to_num(self.state.rates))
        return continued(model, self.point, *as_it_stood) or as_it_stood

    def copied(self) -> RunStart:
        """The same with parameters of its own: a run changes the discrete part of them."""
        return self._replace(point=Point(self.point.t, self.point.p.copy()))
