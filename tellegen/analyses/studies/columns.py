"""What came out of all runs, as columns: a million runs are a few arrays, not a million records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from sys import intern
from typing import Any

import numpy as np

from tellegen.analyses.studies.jobs import NOT_RUN, Ran
from tellegen.ir.model import FloatArray

SUCCESS = "success"


@dataclass(frozen=True, eq=False)
class Columns:
    """Per run: its code, reason, the time it came to, seconds; and an array for each output, None before the first."""

    codes: Any
    reasons: dict[int, str]  # of runs that have one
    reached: FloatArray
    seconds: FloatArray
    values: list[FloatArray | None]

    @staticmethod
    def room(count: int, outputs: int) -> Columns:
        """For so many runs, none of which was made."""
        return Columns(
            codes=np.full(count, NOT_RUN, object),
            reasons={},
            reached=np.full(count, np.nan),
            seconds=np.full(count, np.nan),
            values=[None] * outputs,
        )

    def take(self, ran: Iterable[Ran]) -> None:
        """Put runs where they belong."""
        for one in ran:
            number = one.number
            self.codes[number] = intern(one.code)  # of a million equal ones from other processes one is kept
            if one.reason:
                self.reasons[number] = intern(one.reason)
            self.reached[number] = one.reached
            self.seconds[number] = one.seconds
            for k, value in enumerate(one.values):
                if value is not None:
                    self.array(k, np.shape(value))[number] = value

    def array(self, output: int, shape: tuple[int, ...]) -> FloatArray:
        """The values of an output, whose value in a run has a shape."""
        found = self.values[output]
        if found is None:
            found = np.full((len(self.codes), *shape), np.nan)
            self.values[output] = found
        return found

    def stacked(self, output: int) -> FloatArray:
        """The values of an output, nan where a run has none."""
        found = self.values[output]
        return np.full(len(self.codes), np.nan) if found is None else found

    @property
    def made(self) -> int:
        """How many runs were made."""
        return int((self.codes != NOT_RUN).sum())

    def ran(self, numbers: Any) -> list[Ran]:
        """Some runs as records, for a file."""
        return [
            Ran(
                int(n),
                str(self.codes[n]),
                self.reasons.get(int(n), ""),
                float(self.reached[n]),
                float(self.seconds[n]),
                tuple(None if column is None else np.asarray(column[n]) for column in self.values),
            )
            for n in numbers
        ]
