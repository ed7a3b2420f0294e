"""Where a run begins."""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.engine.initialization.initial_system import Consistent, Point
from tellegen.engine.initialization.initialize import initialize_run
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import Starts


@dataclass(frozen=True, eq=False)
class RunStart:
    """Time and parameters, start values, and whether the run begins in steady state."""

    point: Point
    starts: Starts
    steady: bool = False

    def gives_states_alone(self, model: NativeModel) -> bool:
        """Whether states are given and nothing else is asked for: everything follows from them in order."""
        return not self.steady and not model.program.initial_size and self.starts.states_alone

    def consistent(self, model: NativeModel) -> Consistent:
        """Consistent y and y' at the initial time."""
        return initialize_run(model, self.point, self.starts, self.steady)

    def copied(self) -> RunStart:
        """The same with parameters of its own: a run changes the discrete part of them."""
        return RunStart(Point(self.point.t, self.point.p.copy()), self.starts, self.steady)
