"""What came out of all runs, as columns: a million runs are a few arrays, not a million records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from sys import intern
from typing import Any

import numpy as np

from tellegen.analyses.studies.jobs import NOT_RUN, Ran
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray


class Codes:
    """The code of every run: a number for each, and what the numbers stand for."""

    def __init__(self, count: int) -> None:
        self._names = [NOT_RUN]
        self._numbers = np.zeros(count, np.uint16)

    def __len__(self) -> int:
        return len(self._numbers)

    def mark(self, which: Any, name: str) -> None:
        """Give some runs a code."""
        if name not in self._names:
            self._names.append(name)
        self._numbers[which] = self._names.index(name)

    def are(self, *names: str) -> BoolArray:
        """Per run, whether its code is one of these."""
        return np.isin(self._numbers, [k for k, name in enumerate(self._names) if name in names])

    def of(self, number: int) -> str:
        """The code of a run."""
        return self._names[self._numbers[number]]

    @property
    def texts(self) -> Any:
        """The code of every run as an array of texts."""
        return np.array(self._names)[self._numbers]


@dataclass(frozen=True, eq=False)
class Columns:
    """Per run: its code, reason, the time it came to, seconds; and an array for each output, None before the first."""

    codes: Codes
    reasons: dict[int, str]  # of runs that have one
    reached: FloatArray
    seconds: FloatArray
    values: list[FloatArray | None]

    @staticmethod
    def room(count: int, outputs: int) -> Columns:
        """For so many runs, none of which was made."""
        return Columns(
            codes=Codes(count),
            reasons={},
            reached=np.full(count, np.nan),
            seconds=np.full(count, np.nan),
            values=[None] * outputs,
        )

    def take(self, ran: Iterable[Ran]) -> None:
        """Put runs where they belong."""
        for one in ran:
            number = one.number
            self.codes.mark(number, one.code)
            if one.reason:
                self.reasons[number] = intern(one.reason)  # of equal ones from other processes one is kept
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

    def texts_of_reasons(self) -> Any:
        """The reason of every run: objects if there are any, for texts of one width are as long as the longest."""
        found = np.full(len(self.codes), "", object if self.reasons else "<U1")
        for number, reason in self.reasons.items():
            found[number] = reason
        return found

    @property
    def made(self) -> int:
        """How many runs were made."""
        return len(self.codes) - int(self.codes.are(NOT_RUN).sum())

    def ran(self, numbers: Any) -> list[Ran]:
        """Some runs as records, for a file."""
        return [
            Ran(
                int(n),
                self.codes.of(int(n)),
                self.reasons.get(int(n), ""),
                float(self.reached[n]),
                float(self.seconds[n]),
                tuple(None if column is None else np.asarray(column[n]) for column in self.values),
            )
            for n in numbers
        ]
