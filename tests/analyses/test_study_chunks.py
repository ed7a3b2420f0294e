"""How runs are cut and sent: batches by the time that runs take, only some under way, and machine code with them."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from analyses.study_models import Decay
from tellegen.analyses.executors.cluster import Futures
from tellegen.analyses.executors.work import Work
from tellegen.analyses.studies.chunks import Chunks
from tellegen.analyses.studies.columns import Columns
from tellegen.analyses.studies.jobs import Batch, Jobs, Ran, Task, run_jobs
from tellegen.analyses.studies.outputs import read_outputs
from tellegen.engine.request.run_request import request_run

ROOT = Path(__file__).resolve().parents[2]


def jobs(count: int) -> Jobs:
    return Jobs(np.arange(count), np.zeros((count, 1)))


def took(seconds: float) -> Batch:
    return Batch([Ran(0, "success", "", 1.0, seconds, ())])


def test_batches_follow_the_time_that_runs_take() -> None:
    """A guess that is wrong by a factor of 1000 is corrected by some batches, also where runs become slow later."""
    chunks = Chunks(jobs(1_000_000), 4, each=1.0)
    batches = iter(chunks)
    assert len(next(batches)) == 1
    for _ in range(40):
        chunks.learn(took(0.001))
    assert len(next(batches)) == pytest.approx(100, abs=2)
    for _ in range(40):
        chunks.learn(took(0.02))
    assert len(next(batches)) in (4, 5)
    assert len(next(iter(Chunks(jobs(1_000_000), 200, each=0.001)))) == 1000  # the head has 5 ms for each batch


def test_batches_are_all_runs_once() -> None:
    chunks = Chunks(jobs(1000), 3, each=0.001)
    found = [batch.which for batch in chunks]
    assert np.array_equal(np.concatenate(found), np.arange(1000))
    assert len(found[-1]) == 1  # towards the end batches are small, so that no worker waits long
    assert [len(batch) for batch in chunks.given.values()] == [len(batch) for batch in found]


class Counting:
    """Does jobs at once; keeps how many were given out and not read."""

    _max_workers = 4

    def submit(self, function: Any, *given: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(function(*given))
        return done


def test_only_some_jobs_are_under_way() -> None:
    asked = 0

    def endless() -> Iterator[int]:
        nonlocal asked
        while True:
            asked += 1
            yield asked

    answers = Futures(Work(lambda shared, job: shared * job, 2), Counting(), 1).answers(endless())
    found = {answer.number: answer.result for answer, _ in zip(answers, range(100), strict=False)}
    assert all(result == 2 * (number + 1) for number, result in found.items())
    assert len(found) == 100
    assert asked <= 100 + 2 * 3 * Counting._max_workers


_ELSEWHERE = """
import pickle
import sys
from tellegen.analyses.executors.work import call_known
from tellegen.engine.loaded import native_entry
from tellegen.engine.native.machine_code import MachineCode, compilations
from tellegen.ir.program import Module
native_entry._LONG = 0.0
work, jobs = pickle.load(sys.stdin.buffer)
print([float(one.values[0]) for one in call_known(work, jobs).ran], compilations())
MachineCode((Module("define double @none() {\\n  ret double 0.0\\n}", 0, ("none",)),)).addresses
print(compilations())
"""

_RUNTIME_OF_OLD = """
import tellegen as tg
from analyses.study_models import Decay
from tellegen.cache import cache_folder
from tellegen.engine.native import machine_code
tg.simulate(Decay(), stop=1.0)
for runtime in cache_folder().glob("ode-*"):
    runtime.unlink()
machine_code._MOST_SENT = 0
print(*machine_code.objects_in_use())
"""


def test_a_machine_with_an_empty_cache_compiles_nothing(tmp_path: Path) -> None:
    """The machine code of the head travels with the work, also that for workers whose runs have taken long (here: at
    once); what did not travel is compiled, and counted."""
    compiled = tg.compile(Decay())
    request = request_run(compiled.flat.experiment, 1.0, points=10)
    task = Task(compiled, request, ("T",), (False,), read_outputs(compiled.reduced, ["final(x)"], ()), np.zeros(0))
    jobs = Jobs(np.arange(1), np.array([[1.5]]))
    own = run_jobs(task, jobs)
    compiled.optimize_code()
    sent = pickle.dumps((Work(run_jobs, task).with_objects(), jobs))
    environment = {"TELLEGEN_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE], input=sent, env=environment, capture_output=True, check=True
    )
    values, compilations, later = done.stdout.decode().rsplit(maxsplit=2)
    assert values == str([float(np.asarray(own.ran[0].values[0]))])
    assert (compilations, later) == ("0", "1")


def test_runtimes_are_sent_whatever_was_compiled_since(tmp_path: Path) -> None:
    """They are loaded once, first: other models have filled the room since, and their files may have been removed."""
    sent = subprocess.run(
        [sys.executable, "-c", _RUNTIME_OF_OLD],
        env={"TELLEGEN_CACHE": str(tmp_path), "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    assert any(name.startswith("ode-") for name in sent)


def test_what_is_kept_of_many_runs() -> None:
    """Two bytes for a code, two numbers, and a number for each output, whatever they are."""
    tracemalloc.start()
    try:
        columns = Columns.room(5000, 1)
        for first in range(0, 5000, 100):
            numbers = range(first, first + 100)
            codes = ("".join(["succ", "ess"]) if n % 7 else "E3" + "07" for n in numbers)  # a new text every time
            columns.take(Ran(n, code, "", 1.0, 0.1, (np.array(2.0),)) for n, code in zip(numbers, codes, strict=True))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 30 * 5000
    assert columns.made == 5000
    assert list(columns.codes.texts[[0, 1, 7, 8]]) == ["E307", "success", "E307", "success"]


def test_batches_travel_as_they_are() -> None:
    """Good and failed runs, outputs of any shape, and some that have none."""
    curve = np.linspace(0.0, 1.0, 5)
    ran = [
        Ran(7, "success", "", 2.0, 1e-4, (np.asarray(1.5), curve, curve[:2])),
        Ran(3, "E701", "a reason", np.nan, 2e-4, (np.asarray(np.nan), 2.0 * curve, None)),
        Ran(5, "success", "", 2.0, 3e-4, (np.asarray(-2.5), -curve, curve[:3])),
    ]
    for runs in ([], ran[:1], ran, [replace(one, values=()) for one in ran]):
        back = pickle.loads(pickle.dumps(Batch(runs, Counter(near=2))))
        assert back.warned == Counter(near=2)
        assert [repr(one) for one in back.ran] == [repr(one) for one in runs]
        assert all(type(one.number) is int for one in back.ran)
