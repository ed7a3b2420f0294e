"""What events changed in the course of a run: the numbers of every stretch between them, and a log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.ir.model import FloatArray


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of Solution.events: when, and what happened, in the user's words."""

    time: float
    what: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class History:
    """Output row r belongs to stretch[r], during which the vector of parameters was numbers[stretch[r]]."""

    stretch: Any
    numbers: tuple[FloatArray, ...]
    events: tuple[Event, ...]

    def columns(self, places: Any) -> FloatArray:
        """Numbers over the rows, one column for each place."""
        return np.stack([p[places] for p in self.numbers])[self.stretch]

    def at(self, rows: Any) -> History:
        """The history of some rows."""
        return replace(self, stretch=self.stretch[rows])

    def until(self, rows: int) -> History:
        """The history of the first rows."""
        return replace(self, stretch=self.stretch[:rows])
