"""What a filter gives at each time of the data: what was predicted, what is known after it, and the innovation."""

from __future__ import annotations

from dataclasses import dataclass, field

from tellegen.analyses.estimation.square_root import Gaussian, Innovation, Step, smoothed
from tellegen.ir.model import FloatArray


@dataclass(eq=False)
class FilteredRun:
    """Lists with an entry for each time; `steps` lead from one to the next."""

    predicted: list[Gaussian] = field(default_factory=list)
    filtered: list[Gaussian] = field(default_factory=list)
    innovations: list[Innovation] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    by_state: list[FloatArray] = field(default_factory=list)  # of what was measured, in units of its noise

    def note(self, before: Gaussian, after: Gaussian, innovation: Innovation, by_state: FloatArray) -> None:
        """One more time of the data."""
        self.predicted.append(before)
        self.filtered.append(after)
        self.innovations.append(innovation)
        self.by_state.append(by_state)

    def backward(self) -> list[Gaussian]:
        """The states given all data."""
        found = [self.filtered[-1]]
        for step in reversed(self.steps):
            found.append(smoothed(step, found[-1]))
        return found[::-1]
