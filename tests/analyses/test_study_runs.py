"""Studies that do not go to their end: interrupted, killed, gone on with; processes that die; what was saved."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from analyses.study_models import Decay

ROOT = Path(__file__).resolve().parent.parent.parent
DECAY = tg.compile(Decay())
RUNS = 60
SCRIPT = """
import os, signal, sys, time, warnings
sys.path.insert(0, "tests")
import numpy as np
import tellegen as tg
from analyses.study_models import Decay

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the parent ignores (nohup)

def slow(solution):
    time.sleep(0.05)
    with open(LOG, "a") as log:  # one line for each run that was really made
        log.write(f"{solution['T']!r}\\n")
    return solution["x"][-1]

LOG, SAVE, EXECUTOR = sys.argv[1:4]
if __name__ == "__main__":
    warnings.simplefilter("always")
    over = {"T": np.linspace(0.5, 2.0, 60)}
    study = tg.study(Decay(), over, outputs=[slow], stop=1.0, executor=EXECUTOR, workers=2, save=SAVE or None)
    good = study["outcome"].values == "success"
    exact = np.exp(-1.0 / study["T"].values[good])
    print(study.complete, good.sum(), np.abs(study["slow"].values[good] - exact).max() < 1e-5)
"""


def begin(folder: Path, executor: str, save: bool = True) -> Any:
    """A study of about two seconds in a process of its own."""
    script = folder / "slow_study.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(folder / "log"), str(folder / "slow.study") if save else "", executor]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=-1, stderr=-1, text=True, start_new_session=True)


def lines(folder: Path) -> list[str]:
    """The runs that were made."""
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def wait_for(folder: Path, count: int) -> None:
    """Until so many runs are made."""
    for _ in range(1200):
        if len(lines(folder)) >= count:
            return
        time.sleep(0.05)
    pytest.fail("the study made no progress in a minute")


needs_signals = pytest.mark.skipif(os.name == "nt", reason="signals of processes")


@needs_signals
@pytest.mark.parametrize("executor", ["serial", "threads", "processes"])
def test_ctrl_c_returns_what_is_there(executor: str, tmp_path: Path) -> None:
    process = begin(tmp_path, executor, save=False)
    wait_for(tmp_path, 8)
    os.killpg(process.pid, signal.SIGINT)  # a terminal tells the whole group
    said, errors = process.communicate(timeout=60)
    complete, good, right = said.split()
    assert (complete, right) == ("False", "True"), said + errors
    assert 4 <= int(good) < RUNS
    assert "interrupted: <Study of Decay" in errors
    assert "Traceback" not in errors
    made = len(lines(tmp_path))
    time.sleep(0.3)
    assert len(lines(tmp_path)) == made, "somebody goes on"


@pytest.mark.skipif(os.name == "nt", reason="no pseudo terminals")
def test_a_bar_appears_on_long_studies_only() -> None:
    from engine.test_watch import at_a_terminal

    script = """
import sys, time
sys.path.insert(0, "tests")
import tellegen as tg
from analyses.study_models import Decay

def slow(solution):
    time.sleep(SECONDS)
    return 1.0

tg.study(Decay(), {"T": [1.0, 2.0, 3.0, 4.0]}, outputs=[slow], stop=1.0, executor="serial")
"""
    assert "3 of 4 runs" in at_a_terminal(script.replace("SECONDS", "0.5"))
    assert "of 4 runs" not in at_a_terminal(script.replace("SECONDS", "0.0"))


@needs_signals
def test_a_killed_study_goes_on(tmp_path: Path) -> None:
    first = begin(tmp_path, "processes")
    wait_for(tmp_path, 12)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate(timeout=60)
    before = len(lines(tmp_path))
    assert 12 <= before < RUNS
    again = begin(tmp_path, "processes")
    said, errors = again.communicate(timeout=100)
    assert said.split() == ["True", str(RUNS), "True"], said + errors
    made = lines(tmp_path)
    assert len(set(made)) == RUNS
    assert len(made) - RUNS <= 12, "only runs that were not saved yet are made again"
    assert begin(tmp_path, "serial").communicate(timeout=100)[0].split() == ["True", str(RUNS), "True"]
    assert len(lines(tmp_path)) == len(made), "all of them were there"


def test_what_was_saved_comes_back_as_it_was(tmp_path: Path) -> None:
    from analyses.study_models import Blows

    calls = []

    def ends(solution: tg.Solution) -> Any:
        calls.append(1)
        return solution["x"][[0, -1]]

    def once() -> tg.Study:
        return tg.study(
            Blows(), {"k": [0.5, 2.0]}, outputs=["x", "final(x)", ends], stop=1.0, save=tmp_path / "a.study"
        )

    first = once()
    assert len(calls) == 1
    assert once().data.identical(first.data)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"over": {"T": [1.0, 3.0]}}, "with another value of: varied values"),
        ({"outputs": ["x"]}, "with another value of: outputs"),
        ({"rtol": 1e-8}, "with another value of: options of the runs"),
        ({"parameters": {"u": 1.0}}, "with another value of: other parameters and start values"),
        ({"model": Decay(u=3.0)}, "with another value of: model"),
    ],
)
def test_a_file_of_another_study_is_refused(changes: dict[str, Any], part: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"model": Decay(), "over": {"T": [1.0, 2.0]}, "outputs": ["final(x)"], "stop": 1.0}
    tg.study(**asked, save=tmp_path / "a.study")
    with pytest.raises(tg.DesignError, match=part) as caught:
        tg.study(**{**asked, **changes}, save=tmp_path / "a.study")
    assert caught.value.code == "E607"


def test_a_file_that_is_no_study_is_left_alone(tmp_path: Path) -> None:
    text, base = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a data base, but something dear to somebody\n" * 100)
    with sqlite3.connect(base) as other:
        other.execute("create table dear (x)")
    other.close()
    for file in (text, base):
        before = file.read_bytes()
        with pytest.raises(tg.DesignError, match="E607"):
            tg.study(DECAY, {"T": [1.0]}, stop=1.0, save=file)
        assert file.read_bytes() == before


@pytest.mark.skipif(sys.platform != "linux", reason="functions without a name travel by fork")
def test_processes_share_the_work() -> None:
    """Of runs of two milliseconds most are made by two other processes, and both have a good part of them."""

    def by(_solution: Any) -> float:
        until = time.process_time() + 2e-3
        while time.process_time() < until:
            pass
        return float(os.getpid())

    study = tg.study(DECAY, {"T": np.linspace(0.5, 2.0, 300)}, outputs=[by], stop=1.0, points=2, workers=2)
    numbers, counts = np.unique(study["by"].values, return_counts=True)
    others = counts[numbers != os.getpid()]
    assert len(others) == 2
    assert others.sum() > 200
    assert others.min() > 30


@pytest.mark.skipif(sys.platform != "linux", reason="functions without a name travel by fork")
def test_a_process_that_dies_costs_its_own_run_only() -> None:
    parent = os.getpid()

    def fatal(solution: tg.Solution) -> float:
        time.sleep(0.005)
        if os.getpid() != parent and abs(solution["T"] - 1.7) < 1e-9:
            os.kill(os.getpid(), signal.SIGKILL)
        return 1.0

    over = {"T": np.linspace(0.5, 2.0, 151)}
    study = tg.study(DECAY, over, outputs=[fatal], stop=1.0, points=2, workers=2)
    failures = study.failures()
    assert failures["T"].tolist() == pytest.approx([1.7])
    assert failures["outcome"].tolist() == ["died"]
    assert (study["fatal"].sum() == 150).item()


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_an_executor_that_is_not_installed_says_how_to_install_it(name: str) -> None:
    from importlib.util import find_spec

    if getattr(find_spec({"dask": "distributed"}.get(name, name)), "origin", None) is not None:
        study = tg.study(DECAY, {"T": [0.5, 1.0, 2.0]}, outputs="final(x)", stop=1.0, executor=name, workers=2)
        assert np.allclose(study["final(x)"], np.exp(-1.0 / study["T"]), atol=1e-5)
        return
    with pytest.raises(tg.DesignError, match=rf"tellegen\[{name}\]") as caught:
        tg.study(DECAY, {"T": [0.5, 1.0]}, stop=1.0, executor=name)
    assert caught.value.code == "E606"


def test_without_salib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample", None)
    with pytest.raises(tg.DesignError, match=r"tellegen\[studies\]"):
        tg.saltelli({"T": (1.0, 2.0)}, 8)


def test_warnings_are_told_once_with_their_number() -> None:
    class Cold(tg.Component):
        T0 = tg.parameter(300.0, "K", "temperature")
        T = tg.variable("K", start=300.0, fixed=True)
        s = tg.parameter(1.0, "s")

        def equations(self) -> Any:
            yield self.s * tg.der(self.T) == self.T0 - self.T

    with pytest.warns(UserWarning, match="below absolute zero") as told:
        tg.study(Cold(), {"s": [1.0, 2.0, 3.0]}, stop=1.0, parameters={"T0": -5.0}, executor="serial")
    texts = [str(one.message) for one in told if "below absolute zero" in str(one.message)]
    assert texts[-1].endswith("(in 3 of 3 runs)")
    assert len(texts) <= 3  # those of the checks before the runs beside it
