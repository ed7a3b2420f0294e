"""The exception of a run that Ctrl-C has ended."""

from __future__ import annotations

from typing import Any

from tellegen.engine.results.solution import Solution


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C during a run; `solution` is what was computed until then."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        name = solution.name
        time = solution.outcome.time
        super().__init__(
            f"the simulation of {name} was interrupted at t = {time:.6g}; what was computed is in error.solution, "
            "and simulate(..., throw=False) returns it"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (SimulationInterrupted, (self.solution,))
