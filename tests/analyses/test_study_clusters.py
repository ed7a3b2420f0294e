"""Studies by Dask and by Ray, each on a small cluster of this machine: the same call, the same results.

They are skipped where the packages are not installed: pip install 'tellegen[dask,ray]'.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from analyses.study_models import Blows, Decay

PACKAGES = {"dask": "distributed", "ray": "ray"}
RATES = np.linspace(0.5, 2.0, 40)


@pytest.fixture(scope="module", params=list(PACKAGES))
def executor(request: pytest.FixtureRequest) -> Any:
    """Its name, with a cluster behind it that is taken down afterwards."""
    package = pytest.importorskip(PACKAGES[request.param])
    if request.param == "dask":
        with package.Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
            yield "dask"
    else:
        home = request.getfixturevalue("tmp_path_factory").mktemp("home")
        monkeypatch = pytest.MonkeyPatch()
        monkeypatch.setenv("HOME", str(home))  # where Ray keeps a token of its cluster
        package.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield "ray"
        package.shutdown()
        monkeypatch.undo()


def test_the_same_as_here(executor: str) -> None:
    """Curves, numbers and functions, also a lambda, which travels by cloudpickle."""
    outputs = {"x": "x", "end": "final(x)", "mean": tg.mean("x"), "largest": lambda s: float(s["x"].max())}
    given: dict[str, Any] = {"outputs": outputs, "stop": 1.0, "points": 50}
    there = tg.study(Decay(), {"T": RATES}, executor=executor, **given)
    here = tg.study(Decay(), {"T": RATES}, executor="serial", **given)
    assert there.complete
    assert there.data.drop_vars("seconds").identical(here.data.drop_vars("seconds"))  # but for how long a run took
    assert np.allclose(there["end"], np.exp(-1.0 / RATES), atol=1e-5)


def test_failed_runs_keep_their_reason(executor: str) -> None:
    over = {"k": np.linspace(0.2, 3.0, 30)}
    study = tg.study(Blows(), over, outputs=["final(x)"], stop=1.0, executor=executor)
    here = tg.study(Blows(), over, outputs=["final(x)"], stop=1.0, executor="serial")
    assert 0 < len(study.failures()) < 30
    assert study.failures().equals(here.failures())


def test_gone_on_with_from_a_file(executor: str, tmp_path: Any) -> None:
    given: dict[str, Any] = {"outputs": ["final(x)"], "stop": 1.0, "save": tmp_path / "runs.study"}
    first = tg.study(Decay(), {"T": RATES}, executor=executor, **given)
    again = tg.study(Decay(), {"T": RATES}, executor="serial", **given)
    assert first.data.identical(again.data)
