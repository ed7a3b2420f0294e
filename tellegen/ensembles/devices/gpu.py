"""Kernels on a GPU, one run in each thread: chunks as large as its memory allows, results reduced there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tellegen.ensembles.devices.cuda import Gpu, GpuArray, GpuError, GpuModule, Grid, Stream, gpu
from tellegen.ensembles.devices.host import job_record
from tellegen.ensembles.devices.ptx import KERNEL, OLDEST, architecture, ptx, shared_numbers
from tellegen.ensembles.model.functions import ModelText
from tellegen.ensembles.numbers import Numbers, Results

THREADS = 32
"""In a block, one warp: few runs are then spread evenly over the multiprocessors."""

_MOST_LOCAL = 700_000
"""Bytes that the threads of a multiprocessor may have in local memory together, where a run is not in registers. With
more threads their memory falls out of the caches: measured on an H200, a run with 5 kB is fastest in 96 threads."""

_FEW = 96
"""Threads. Where so many find room in shared memory, the cache in front of local memory holds as many."""

_MOST_RUNS = 1 << 17
"""In one launch: while the next ones run, the results of these are copied, and Ctrl-C and progress are not far."""

_UNDER_WAY = 2  # chunks on the GPU: one runs while the other one is copied
_SHARE = 0.5  # of the free memory
_ON_DEVICE = ("status", "reached", "counts", "reduced", "curves", "measured")


class GpuKernel:
    """A kernel of a model, loaded on the GPU."""

    chunk = 1 << 20
    """Runs that are worth one call of `run`, which divides them further."""

    def __init__(self, model: ModelText, entry: str) -> None:
        self.device: Gpu = gpu()
        if self.device.capability < OLDEST:
            found = self.device.capability / 10
            raise GpuError(f"{self.device.name} has compute capability {found:g}, and {OLDEST / 10:g} is needed")
        self.room = 8 * shared_numbers(model)
        together = self.device.shared_bytes // self.room if self.room else 0
        self.is_shared = THREADS <= together < _FEW
        self.threads = together if self.is_shared else THREADS
        text = ptx(model, entry, architecture(self.device.capability), self.is_shared)
        self.module = GpuModule(self.device, text, KERNEL)
        if self.is_shared:
            self.module.allow_shared(self.threads * self.room)
        threads = _MOST_LOCAL // max(self.module.local_bytes(), 1)
        self.most_blocks = self.device.processors * (1 if self.is_shared else max(threads // THREADS, 1))

    def grid(self, runs: int) -> Grid:
        """For so many runs: a thread makes several where there are more than fit at once."""
        blocks = min(-(-runs // self.threads), self.most_blocks)
        return Grid(blocks, self.threads, self.threads * self.room if self.is_shared else 0)

    def run(self, numbers: Numbers, notify: Callable[[int], None] | None = None) -> Results:
        """All runs, in chunks."""
        room = int(_SHARE * self.device.free_memory()) // numbers.bytes_per_run
        if room < 1:
            raise GpuError(f"its free memory is too small for one run of {numbers.bytes_per_run} bytes")
        size = min(max(room // _UNDER_WAY, 1), _MOST_RUNS, numbers.runs)
        results = Results.room(numbers, numbers.runs)
        under_way: deque[GpuRun] = deque()
        for first in range(0, numbers.runs, size):
            under_way.append(GpuRun(self, numbers.chunk(first, min(first + size, numbers.runs)), first))
            under_way[-1].start()
            if len(under_way) == _UNDER_WAY:
                self._finish(under_way.popleft(), results, notify)
        for one in under_way:
            self._finish(one, results, notify)
        return results

    def _finish(self, one: GpuRun, results: Results, notify: Callable[[int], None] | None) -> None:
        one.read(results)
        if notify is not None:
            notify(one.numbers.runs)


@lru_cache(maxsize=16)
def gpu_kernel(model: ModelText, entry: str) -> GpuKernel:
    """The kernel of a model, loaded once."""
    return GpuKernel(model, entry)


class GpuRun:
    """The memory of some runs on the GPU, the first of which has the number `first`."""

    def __init__(self, kernel: GpuKernel, numbers: Numbers, first: int = 0) -> None:
        self.kernel = kernel
        self.numbers = numbers
        self.first = first
        device = kernel.device
        self.stream = Stream(device)
        self.varied = numbers.padded(1)  # kept, for copies are under way when this returns
        given = {"varied": self.varied, "common": numbers.common, "atol": numbers.atol, "part": numbers.part}
        given |= {"too_loose": numbers.too_loose, "times": numbers.grid}
        self.arrays: dict[str, GpuArray] = {}
        for name, array in given.items():
            self.arrays[name] = GpuArray(device, array.nbytes)
            self.arrays[name].write(array, self.stream)
        sizes = Results.room(numbers, 0)
        for name in _ON_DEVICE:
            self.arrays[name] = GpuArray(device, 8 * _rows(getattr(sizes, name)) * numbers.runs)
        self.job = GpuArray(device, self._words().nbytes)
        self.job.write(self._words(), self.stream)
        self.stream.wait()

    def _words(self) -> Any:
        """The record of the job, with addresses on the GPU."""
        record = job_record(self.numbers, self.varied, Results.room(self.numbers, 0))
        words = np.array(record.words, copy=True)
        for name, array in self.arrays.items():
            words[record.number["results" if name == "reduced" else name]] = array.address
        return words

    def start(self) -> None:
        """Begin to make the runs."""
        grid = self.kernel.grid(self.numbers.runs)
        self.kernel.module.launch(self.stream, grid, self.job.address, 0, self.numbers.runs)

    def launch(self) -> None:
        """Make the runs, and wait for them."""
        self.start()
        self.stream.wait()

    def read(self, results: Results) -> None:
        """Wait for the runs, and copy what they left to its place among the results of all."""
        last = self.first + self.numbers.runs
        for name in _ON_DEVICE:
            whole: Any = getattr(results, name)
            rows = whole.reshape(_rows(whole), whole.shape[-1])
            for k, row in enumerate(rows):
                self.arrays[name].read(row[self.first : last], self.stream, 8 * k * self.numbers.runs)
        self.stream.wait()

    def results(self) -> Results:
        """The runs, and what they left."""
        found = Results.room(self.numbers, self.numbers.runs)
        self.start()
        self.read(found)
        return found


def _rows(array: Any) -> int:
    """How many numbers of each run an array has."""
    return int(np.prod(array.shape[:-1], dtype=int))
