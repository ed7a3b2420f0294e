"""Studies and searches over choices by Dask and by Ray, each on a small cluster of this machine: the same results.

They are skipped only where a package has no wheel (see the extra `dev`).
"""

from __future__ import annotations

import gc
import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from analyses.study_models import Blows, Decay
from analyses.test_choices import Cooler
from tellegen.analyses.executors import cluster
from tellegen.analyses.studies.executors import carry_out
from tellegen.analyses.studies.jobs import Jobs, Task
from tellegen.analyses.studies.outputs import read_outputs
from tellegen.engine.native.machine_code import compilations
from tellegen.engine.request.run_request import request_run

RATES = np.linspace(0.5, 2.0, 40)
pytestmark = pytest.mark.slow  # to start a cluster


@pytest.fixture(scope="module", params=["dask", "ray"])
def executor(request: pytest.FixtureRequest) -> Iterator[str]:
    """Its name, with a cluster of two processes as a study without one would start it, ended afterwards."""
    yield from {"dask": dask_cluster, "ray": ray_cluster}[request.param]()


def dask_cluster() -> Iterator[str]:
    pytest.importorskip("distributed")
    with cluster.dask_client(2):
        yield "dask"


def ray_cluster() -> Iterator[str]:
    """Its files go to a folder of a short name, as paths of sockets are short, and its token nowhere."""
    pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory(prefix="ray") as folder:
        patch.setenv("RAY_TMPDIR", folder)
        patch.setenv("RAY_AUTH_TOKEN", "0" * 64)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray = cluster.ray_cluster(2)
        yield "ray"
        ray.shutdown()
        with warnings.catch_warnings():  # Ray forgets processes that are ending; found later, they fail a test
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


def test_the_same_as_here(executor: str, tmp_path: Path) -> None:
    """Curves, numbers and functions, also a lambda, which travels by cloudpickle; what was saved is gone on with."""
    outputs = {"x": "x", "end": "final(x)", "mean": tg.mean("x"), "largest": lambda s: float(s["x"].max())}
    given: dict[str, Any] = {"outputs": outputs, "stop": 1.0, "points": 50}
    saved: dict[str, Any] = {**given, "save": tmp_path / "runs.study"}
    there = tg.study(Decay(), {"T": RATES}, executor=executor, **saved)
    here = tg.study(Decay(), {"T": RATES}, executor="serial", **given)
    assert there.complete
    assert there.data.drop_vars("seconds").identical(here.data.drop_vars("seconds"))  # but for how long a run took
    assert np.allclose(there["end"], np.exp(-1.0 / RATES), atol=1e-5)
    for way in ("serial", executor):
        assert there.data.identical(tg.study(Decay(), {"T": RATES}, executor=way, **saved).data)


def ends_a_worker(folder: Path) -> Any:
    """An output that is T, and ends the process of the first run above 1.2 s, once; it travels by its code."""
    mark = folder / "ended"
    head = os.getpid()

    def output(solution: Any) -> float:
        if solution["T"] > 1.2 and os.getpid() != head:
            with suppress(FileExistsError):
                mark.touch(exist_ok=False)
                os.kill(os.getpid(), signal.SIGKILL)
        return float(solution["T"])

    return output


def test_a_worker_that_dies_loses_and_doubles_no_run(executor: str, tmp_path: Path) -> None:
    """Every run comes back once, also those of the batch that died; and the worker that takes its place compiles no
    code."""
    numbers = np.linspace(0.5, 2.0, 300)
    compiled = tg.compile(Decay())
    request = request_run(compiled.flat.experiment, 1.0, points=10)
    outputs = read_outputs(
        compiled.reduced, {"T": ends_a_worker(tmp_path), "compiled": lambda _: float(compilations())}, ()
    )
    task = Task(compiled, request, ("T",), (False,), outputs, request.options.times())
    jobs = Jobs(np.arange(len(numbers)), numbers[:, None])
    ran = [one for batch in carry_out(task, jobs, executor, 2, strict=True) for one in batch.ran]
    assert sorted(one.number for one in ran) == list(range(len(numbers)))
    assert {one.reason for one in ran} == {""}
    assert (tmp_path / "ended").exists()
    assert all(one.values[0] == numbers[one.number] for one in ran)
    assert {float(np.asarray(one.values[1])) for one in ran if one.number} == {0.0}


def test_failed_runs_keep_their_reason(executor: str) -> None:
    over = {"k": np.linspace(0.2, 3.0, 30)}
    study = tg.study(Blows(), over, outputs=["final(x)"], stop=1.0, executor=executor)
    here = tg.study(Blows(), over, outputs=["final(x)"], stop=1.0, executor="serial")
    assert 0 < len(study.failures()) < 30
    assert study.failures().equals(here.failures())


def test_choices_are_searched_there(executor: str) -> None:
    """Implementations and numbers, by bounds: the best combination and its values are those found here."""
    given: dict[str, Any] = {
        "minimize": tg.final("cost"),
        "subject_to": [tg.final("T") <= 60.0],
        "variables": {"speed": (0.0, 3.0)},
        "choices": {"fan": ["linear", "root"], "fan.gain": np.linspace(0.5, 3.0, 12).tolist()},
        "combinations": "bounds",
    }
    here = tg.optimize(Cooler(), 1.0, executor="serial", **given)
    there = tg.optimize(Cooler(), 1.0, executor=executor, **given)
    assert there.choice == here.choice
    assert there.objective == pytest.approx(here.objective, rel=1e-6)
    assert there.solution["T"][-1] == pytest.approx(60.0, rel=1e-4)
