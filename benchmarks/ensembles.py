"""Ensembles: many runs of one model in lanes of the processor and on a GPU.

    python benchmarks/ensembles.py                  lanes on all cores, and scalar runs on one
    python benchmarks/ensembles.py --gpu            the GPU as well: 10^4, 10^5 and 10^6 runs
    python benchmarks/ensembles.py --gpu --peers    JAX, diffrax and a kernel written by hand, where they are installed

Times are of runs alone; copies to and from the GPU are in the column `with copies`, compilation in `first call`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from _ensemble_models import CASES, Case

import tellegen as tg
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import request_run
from tellegen.ensembles.devices.cuda import gpu
from tellegen.ensembles.devices.gpu import GpuKernel, GpuRun
from tellegen.ensembles.devices.host import HostKernel
from tellegen.ensembles.kernel import ADAPTIVE, FIXED
from tellegen.ensembles.numbers import Numbers
from tellegen.ensembles.prepare import Ensemble, prepare
from tellegen.ensembles.wanted import Varied, Wanted

_SIZES = (10_000, 100_000, 1_000_000)
_SCALAR_RUNS = 20
_CORES = len(os.sched_getaffinity(0))


def main() -> None:
    """All tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--runs", type=int, default=2000, help="runs in lanes")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    asked = parser.parse_args()
    chosen = [case for case in CASES if asked.only in case.name]
    for case in chosen:
        ensemble, ranges = prepared(case)
        lanes = lanes_row(case, ensemble, ranges, asked.runs)
        if asked.gpu:
            gpu_rows(case, ensemble, ranges, lanes)
    if asked.peers:
        from _ensemble_peers import print_peers

        print_peers(_SIZES)


def prepared(case: Case) -> tuple[Ensemble, list[tuple[float, float]]]:
    """The model ready to run, and the ranges of its numbers."""
    compiled = tg.compile(case.model())
    request = request_run(compiled.flat.experiment, case.stop, rtol=1e-6, solver=case.solver)
    first = compiled.run(request)
    varied = tuple(Varied(find(compiled.flat, path), False) for path in case.ranges)
    wanted = Wanted((case.output,), False, False)
    ensemble = prepare(compiled, request, first, varied, wanted)
    print(f"\n{case.name}: {ensemble.method}")
    began = time.process_time()
    for _ in range(_SCALAR_RUNS):
        compiled.run(request)
    if not case.fixed_steps:
        print(f"  scalar runs, one core     {(time.process_time() - began) / _SCALAR_RUNS * 1e6:10.1f} us a run")
    return ensemble, list(case.ranges.values())


def sampled(ranges: list[tuple[float, float]], count: int) -> Any:
    """Numbers of runs, the same in every call."""
    unit = np.random.default_rng(1).random((count, len(ranges)))
    low, high = np.array(ranges).T
    return low + unit * (high - low)


def numbers_of(case: Case, ensemble: Ensemble, ranges: list[tuple[float, float]], count: int) -> Numbers:
    """The numbers of so many runs."""
    return replace(ensemble.numbers(sampled(ranges, count)), fixed_steps=case.fixed_steps)


def lanes_row(case: Case, ensemble: Ensemble, ranges: list[tuple[float, float]], count: int) -> float:
    """Lanes on one core, and on all of them; seconds a run of the latter."""
    entry = FIXED if case.fixed_steps else ADAPTIVE
    began = time.process_time()
    kernel = HostKernel(ensemble.model, entry)
    compiled = time.process_time() - began
    numbers = numbers_of(case, ensemble, ranges, count)
    results = kernel.run(numbers)
    began = time.process_time()
    kernel.run(numbers)
    one = (time.process_time() - began) / count
    many = numbers_of(case, ensemble, ranges, count * _CORES)
    began = time.perf_counter()
    kernel.run(many, _CORES)
    all_cores = (time.perf_counter() - began) / (count * _CORES)
    left = int((results.status != 0.0).sum())
    print(f"  {kernel.lanes} lanes, one core          {one * 1e6:10.2f} us a run, compiled in {compiled:.2f} s")
    print(f"  {kernel.lanes} lanes, {_CORES:2d} cores         {all_cores * 1e6:10.2f} us a run; {left} left to others")
    return all_cores


def gpu_rows(case: Case, ensemble: Ensemble, ranges: list[tuple[float, float]], lanes: float) -> None:
    """The GPU, for all sizes."""
    entry = FIXED if case.fixed_steps else ADAPTIVE
    device = gpu()
    began = time.perf_counter()
    kernel = GpuKernel(ensemble.model, entry)
    GpuRun(kernel, numbers_of(case, ensemble, ranges, 64)).results()
    print(f"  first call on {device.name}: {time.perf_counter() - began:.2f} s")
    host = HostKernel(ensemble.model, entry).run(numbers_of(case, ensemble, ranges, 1000), _CORES)
    for count in _SIZES:
        run = GpuRun(kernel, numbers_of(case, ensemble, ranges, count))
        seconds = median(run.launch)
        began = time.perf_counter()
        results = GpuRun(kernel, numbers_of(case, ensemble, ranges, count)).results()
        copied = time.perf_counter() - began
        good = host.status == 0.0
        same = results.reduced[0, 0, :1000][: len(good)][good[: results.status.size]]
        reference = host.reduced[0, 0][good]
        worst = np.abs(same - reference).max() / np.abs(reference).max() if count >= 1000 else 0.0
        left = int((results.status != 0.0).sum())
        print(
            f"  {count:8d} runs {seconds * 1e3:10.3f} ms, with copies {copied * 1e3:9.1f} ms; "
            f"{lanes * count / seconds:7.1f} x {_CORES} cores; differs from lanes by {worst:.1e}; left {left}"
        )


def median(action: Callable[[], None], repeats: int = 5) -> float:
    """Seconds of an action."""
    action()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()
