"""Kernels on a GPU, one run in each thread: chunks as large as its memory allows, results reduced there."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tellegen.ensembles.devices.cuda import Gpu, GpuArray, GpuError, GpuModule, gpu
from tellegen.ensembles.devices.host import job_record
from tellegen.ensembles.devices.ptx import KERNEL, OLDEST, architecture, ptx
from tellegen.ensembles.model.functions import ModelText
from tellegen.ensembles.numbers import Numbers, Results

THREADS = 64
"""In a block: few, for each run has many registers."""

_MOST_RUNS = 1 << 20
"""In one launch, so that Ctrl-C and progress are not far."""

_SHARE = 0.5  # of the free memory
_ON_DEVICE = ("status", "reached", "counts", "reduced", "curves")


class GpuKernel:
    """A kernel of a model, loaded on the GPU."""

    def __init__(self, model: ModelText, entry: str) -> None:
        self.device: Gpu = gpu()
        if self.device.capability < OLDEST:
            found = self.device.capability / 10
            raise GpuError(f"{self.device.name} has compute capability {found:g}, and {OLDEST / 10:g} is needed")
        processor = architecture(self.device.capability)
        text = ptx(model, entry, processor)
        self.module = GpuModule(self.device, text, KERNEL)

    def run(self, numbers: Numbers, notify: Callable[[int], None] | None = None) -> Results:
        """All runs, in chunks."""
        room = int(_SHARE * self.device.free_memory()) // numbers.bytes_per_run
        if room < 1:
            raise GpuError(f"its free memory is too small for one run of {numbers.bytes_per_run} bytes")
        size = min(room, _MOST_RUNS, numbers.runs)
        parts = []
        for first in range(0, numbers.runs, size):
            part = numbers.chunk(first, min(first + size, numbers.runs))
            parts.append(GpuRun(self, part).results())
            if notify is not None:
                notify(part.runs)
        return Results.joined(parts)


@lru_cache(maxsize=16)
def gpu_kernel(model: ModelText, entry: str) -> GpuKernel:
    """The kernel of a model, loaded once."""
    return GpuKernel(model, entry)


class GpuRun:
    """The memory of some runs on the GPU."""

    def __init__(self, kernel: GpuKernel, numbers: Numbers) -> None:
        self.kernel = kernel
        self.numbers = numbers
        device = kernel.device
        self.host = Results.room(numbers, numbers.runs)
        varied = numbers.padded(1)
        record = job_record(numbers, varied, self.host)
        self.arrays: dict[str, GpuArray] = {}
        addresses: dict[str, int] = {}
        given = {"varied": varied, "common": numbers.common, "atol": numbers.atol, "part": numbers.part}
        given |= {"too_loose": numbers.too_loose, "times": numbers.grid}
        for name, array in given.items():
            self.arrays[name] = GpuArray(device, array.nbytes)
            self.arrays[name].write(array)
            addresses[name] = self.arrays[name].address
        for name in _ON_DEVICE:
            self.arrays[name] = GpuArray(device, getattr(self.host, name).nbytes)
            addresses["results" if name == "reduced" else name] = self.arrays[name].address
        words = np.array(record.words, copy=True)
        for name, address in addresses.items():
            words[record.number[name]] = address
        self.job = GpuArray(device, words.nbytes)
        self.job.write(words)

    def launch(self) -> None:
        """Make the runs, and wait for them."""
        blocks = -(-self.numbers.runs // THREADS)
        self.kernel.module.launch(blocks, THREADS, self.job.address, 0, self.numbers.runs)
        self.kernel.module.wait()

    def results(self) -> Results:
        """The runs, and what they left, copied back."""
        self.launch()
        for name in _ON_DEVICE:
            array: Any = getattr(self.host, name)
            if array.size:
                self.arrays[name].read(array)
        return self.host
