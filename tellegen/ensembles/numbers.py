"""The numbers of an ensemble, before and after: what kernels read and what they leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.ensembles.kernels.sizes import REDUCTIONS
from tellegen.ir.model import FloatArray


@dataclass(frozen=True, eq=False)
class Numbers:
    """What the runs of an ensemble are given; column r of `varied` are the numbers of run r."""

    varied: FloatArray  # (slots, runs)
    common: FloatArray
    atol: FloatArray
    part: FloatArray
    too_loose: FloatArray
    times: FloatArray  # of output
    rtol: float
    start: float
    stop: float
    longest: float
    lookahead: float
    outputs: int
    has_curves: bool
    measures: int = 0
    most_steps: int = 2_000_000
    fixed_steps: int = 0

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return self.varied.shape[1]

    def chunk(self, first: int, last: int) -> Numbers:
        """Some of the runs."""
        return Numbers(**{**self.__dict__, "varied": self.varied[:, first:last]})

    def padded(self, lanes: int) -> FloatArray:
        """The numbers of runs, the last run repeated so that all lanes have one."""
        extra = -self.runs % lanes
        return np.ascontiguousarray(np.pad(self.varied, ((0, 0), (0, extra)), mode="edge") if extra else self.varied)

    @property
    def grid(self) -> FloatArray:
        """Output times, and an end that no run reaches."""
        return np.append(self.times, np.inf)

    @property
    def bytes_per_run(self) -> int:
        """Memory that a run takes on a device."""
        curves = len(self.times) * self.outputs if self.has_curves else 0
        return 8 * (len(self.varied) + 5 + REDUCTIONS * self.outputs + 3 * self.measures + curves)


@dataclass(frozen=True, eq=False)
class Results:
    """What the runs left; the last axis of all arrays are the runs."""

    status: FloatArray
    reached: FloatArray
    counts: FloatArray  # steps, rejected ones, events
    reduced: FloatArray  # (outputs, REDUCTIONS, runs)
    curves: FloatArray  # (times, outputs, runs), or nothing
    measured: FloatArray  # (measures, 3, runs): value, size of the curve, when

    @staticmethod
    def room(numbers: Numbers, stride: int) -> Results:
        """Arrays for so many runs."""
        times = len(numbers.times) if numbers.has_curves else 0
        return Results(
            status=np.full(stride, np.nan),
            reached=np.full(stride, np.nan),
            counts=np.zeros((3, stride)),
            reduced=np.full((numbers.outputs, REDUCTIONS, stride), np.nan),
            curves=np.full((times, numbers.outputs, stride), np.nan),
            measured=np.full((numbers.measures, 3, stride), np.nan),
        )

    def of_runs(self, count: int) -> Results:
        """Without the runs that fill up the last lanes."""
        return Results(*(getattr(self, name)[..., :count] for name in self.__dataclass_fields__))

    @staticmethod
    def joined(parts: list[Results]) -> Results:
        """Chunks one after the other."""
        if len(parts) == 1:
            return parts[0]
        names = Results.__dataclass_fields__
        return Results(*(np.concatenate([getattr(part, name) for part in parts], axis=-1) for name in names))
