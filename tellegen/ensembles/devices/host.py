"""Kernels in vector lanes of this machine's processor, on some of its cores."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Event
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import Record
from tellegen.ensembles.kernel import kernel
from tellegen.ensembles.kernels.job import Job
from tellegen.ensembles.model.functions import ModelText
from tellegen.ensembles.numbers import Numbers, Results
from tellegen.ir.model import FloatArray
from tellegen.procedures.language import field_names

_RUNS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_BATCHES = 8
"""For each thread, so that none waits long for the others."""
_MOST_RUNS = 4096
"""In one call of native code, so that Ctrl-C and progress are not far."""


@lru_cache(maxsize=1)
def lanes_here() -> int:
    """Doubles that this processor computes with at once: 8 with AVX-512, 4 with AVX2, else 2."""
    features = llvm.get_host_cpu_features()
    if features.get("avx512f") and features.get("avx512dq"):
        return 8
    return 4 if features.get("avx2") else 2


class HostKernel:
    """A kernel compiled for lanes; calls release Python's lock, so that threads run side by side."""

    def __init__(self, model: ModelText, entry: str, lanes: int | None = None) -> None:
        self.lanes = lanes or lanes_here()
        self._code: Any = MachineCode((kernel(model, entry, self.lanes),))
        self._call = _RUNS(self._code.addresses[entry])

    def call(self, record: Record, batch: range) -> None:
        """Some runs of a job."""
        self._call(record.address, batch.start, batch.stop)

    def run(self, numbers: Numbers, threads: int = 1, notify: Callable[[int], None] | None = None) -> Results:
        """All runs, by so many threads; `notify` is called with the number of runs that are ready."""
        varied = numbers.padded(self.lanes)
        stride = varied.shape[1]
        results = Results.room(numbers, stride)
        record = job_record(numbers, varied, results)
        size = min(_MOST_RUNS, max(self.lanes, -(-stride // (_BATCHES * threads))))
        size = -(-size // self.lanes) * self.lanes
        batches = [range(first, min(first + size, stride)) for first in range(0, stride, size)]
        over = Event()

        def work(batch: range) -> int:
            if not over.is_set():
                self.call(record, batch)
            return min(batch.stop, numbers.runs) - batch.start

        if threads == 1:
            for batch in batches:
                done = work(batch)
                if notify is not None:
                    notify(done)
        else:
            with ThreadPoolExecutor(threads) as pool:
                try:
                    for done in pool.map(work, batches):
                        if notify is not None:
                            notify(done)
                except BaseException:
                    over.set()
                    raise
        return results.of_runs(numbers.runs)


class RepeatedRuns:
    """So many runs that are made again and again with other numbers: their memory is taken once."""

    def __init__(self, kernel: HostKernel, numbers: Numbers) -> None:
        self._kernel = kernel
        self._runs = numbers.runs
        self._varied = numbers.padded(kernel.lanes).copy()
        self._results = Results.room(numbers, self._varied.shape[1])
        self._record = job_record(numbers, self._varied, self._results)

    def run(self, varied: FloatArray) -> Results:
        """Runs with these numbers, a column for each; what is found holds until the next call."""
        self._varied[:, : self._runs] = varied
        self._varied[:, self._runs :] = varied[:, -1:]
        self._results.status.fill(np.nan)
        self._results.reduced.fill(np.nan)
        self._kernel.call(self._record, range(self._varied.shape[1]))
        return self._results.of_runs(self._runs)


@lru_cache(maxsize=16)
def host_kernel(model: ModelText, entry: str) -> HostKernel:
    """The kernel of a model, loaded once."""
    return HostKernel(model, entry)


def job_record(numbers: Numbers, varied: Any, results: Results) -> Record:
    """The job as kernels see it."""
    record = Record(field_names(Job))
    record.set(
        stride=varied.shape[1],
        varied=varied,
        common=numbers.common,
        atol=numbers.atol,
        part=numbers.part,
        too_loose=numbers.too_loose,
        times=numbers.grid,
        most_steps=numbers.most_steps,
        fixed_steps=numbers.fixed_steps,
        status=results.status,
        reached=results.reached,
        counts=results.counts,
        results=results.reduced,
        curves=results.curves,
        measured=results.measured,
    )
    record.put(
        rtol=numbers.rtol,
        start=numbers.start,
        stop=numbers.stop,
        longest=numbers.longest,
        lookahead=numbers.lookahead,
    )
    return record
