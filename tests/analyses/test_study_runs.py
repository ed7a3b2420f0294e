"""Studies that do not go to their end: interrupted, killed, gone on with; processes that die; what was saved."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from analyses.study_models import Decay
from tellegen.analyses.executors import cluster
from tellegen.analyses.studies import chunks, executors, stored_runs
from tellegen.analyses.studies.function_content import content
from tellegen.foreign import CFunction, CLibrary
from waiting import LIMIT, wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
DECAY = tg.compile(Decay())
RUNS = 60
SCRIPT = """
import signal, sys, time, warnings
from pathlib import Path
import numpy as np
import tellegen as tg
from analyses.study_models import Decay
from tellegen.analyses.studies import chunks, executors

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the parent ignores (nohup)
executors._LOOK_SECONDS = executors._WORTH_SECONDS = chunks._BATCH_SECONDS = 0.0  # runs one by one by the executor
FOLDER, EXECUTORS = Path(sys.argv[1]), sys.argv[2:]
LOG, GATE = FOLDER / "log", FOLDER / "gate"

def gated(solution):
    while LOG.exists() and LOG.read_bytes().count(b"\\n") >= 20 and not GATE.exists():
        time.sleep(0.01)
    with LOG.open("a") as log:  # one line for each run that was really made
        log.write(f"{solution['T']!r}\\n")
    return solution["x"][-1]

if __name__ == "__main__":
    warnings.simplefilter("always")
    over = {"T": np.linspace(0.5, 2.0, 60)}
    for executor in EXECUTORS:
        study = tg.study(
            Decay(), over, outputs=[gated], stop=1.0, executor=executor, workers=2, save=FOLDER / "runs.study"
        )
        GATE.touch()  # for threads, which end with their run
        good = study["outcome"].values == "success"
        exact = np.exp(-1.0 / study["T"].values[good])
        right = np.abs(study["gated"].values[good] - exact).max() < 1e-5
        print(study.complete, good.sum(), right, LOG.read_bytes().count(b"\\n"))
"""


def begin(folder: Path, *executors: str) -> Any:
    """A study in a process of its own; after some 20 runs it stands still until there is a file `gate`.

    With several executors it is asked for again. Printed: whether it is complete, good runs, whether they are right,
    and how many were made until then.
    """
    script = folder / "gated_study.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(folder), *executors]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=-1, stderr=-1, text=True, start_new_session=True)


def lines(folder: Path) -> list[str]:
    """The runs that were made."""
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def saved(folder: Path) -> int:
    """How many runs are in the file of the study."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'runs.study'}?mode=rw", uri=True, timeout=LIMIT)) as base:
            return base.execute("select count(*) from runs").fetchone()[0]
    except sqlite3.OperationalError:  # no file, or no table in it yet
        return 0


def gone(group: int) -> bool:
    """Whether no process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture
def by_the_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast they are: all runs but the first one by one by the executor."""
    for limit in ("_LOOK_SECONDS", "_WORTH_SECONDS"):
        monkeypatch.setattr(executors, limit, 0.0)
    monkeypatch.setattr(chunks, "_BATCH_SECONDS", 0.0)


needs_signals = pytest.mark.skipif(os.name == "nt", reason="signals of processes")


@needs_signals
@pytest.mark.parametrize("executor", ["serial", "threads", "processes"])
def test_ctrl_c_returns_what_is_there(executor: str, tmp_path: Path) -> None:
    process = begin(tmp_path, executor)
    wait_until(lambda: saved(tmp_path) >= 20, "20 runs are saved")
    os.killpg(process.pid, signal.SIGINT)  # a terminal tells the whole group
    said, errors = process.communicate(timeout=LIMIT)
    complete, good, right, _ = said.split()
    assert (complete, right) == ("False", "True"), said + errors
    assert 20 <= int(good) < RUNS
    assert "interrupted: <Study of Decay" in errors
    assert "Traceback" not in errors
    wait_until(lambda: gone(process.pid), "all its processes have ended")
    assert len(lines(tmp_path)) < RUNS


@pytest.mark.skipif(os.name == "nt", reason="no pseudo terminals")
def test_a_bar_appears_on_long_studies_only() -> None:
    from engine.test_watch import at_a_terminal

    script = """
import sys
sys.path.insert(0, "tests")
import tellegen as tg
from analyses.study_models import Decay
from tellegen.analyses.studies import progress_bar as progress

for patience in (0.0, float("inf")):
    progress._PATIENCE_SECONDS = patience
    tg.study(Decay(), {"T": [1.0, 2.0, 3.0, 4.0]}, stop=1.0, executor="serial")
    print("the end of this study")
"""
    with_bar, without, _ = at_a_terminal(script).split("the end of this study")
    assert "4 of 4 runs" in with_bar
    assert "of 4 runs" not in without


@needs_signals
def test_a_killed_study_goes_on(tmp_path: Path) -> None:
    first = begin(tmp_path, "processes")
    wait_until(lambda: saved(tmp_path) >= 20, "20 runs are saved")
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate(timeout=LIMIT)
    lost = len(lines(tmp_path)) - saved(tmp_path)
    (tmp_path / "gate").touch()
    said, errors = begin(tmp_path, "processes", "serial").communicate(timeout=LIMIT)
    again, once_more = (line.split() for line in said.splitlines())
    assert again == ["True", str(RUNS), "True", str(RUNS + lost)], (
        "only runs that were not saved are made again" + errors
    )
    assert len(set(lines(tmp_path))) == RUNS
    assert once_more == again, "all of them were there"


@needs_signals
def test_the_processes_of_a_killed_study_end(tmp_path: Path) -> None:
    """Only the parent is killed, while its processes wait in a function of the user."""
    process = begin(tmp_path, "processes")
    wait_until(lambda: saved(tmp_path) >= 20, "20 runs are saved")
    assert not gone(process.pid)
    process.kill()
    process.communicate(timeout=LIMIT)  # until the last process has closed its end of the pipes
    wait_until(lambda: gone(process.pid), "its processes have ended")
    assert not (tmp_path / "gate").exists(), "nothing but the parent's death let them go"


def transactions(save: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many transactions a study of 40 runs makes, each with what it holds."""
    connect = sqlite3.connect
    sizes: list[int] = []

    class Counting(sqlite3.Connection):
        def executemany(self, text: str, rows: Any) -> Any:  # type: ignore[override]
            if text.startswith("insert or replace into runs"):
                sizes.append(len(rows))
            return super().executemany(text, rows)

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **given: connect(*args, **given, factory=Counting))
    study = tg.study(DECAY, {"T": np.linspace(0.5, 2.0, 40)}, stop=1.0, points=2, executor="serial", save=save)
    assert study.complete
    assert sum(sizes) == 40
    return len(sizes)


def test_runs_are_saved_by_time_not_one_by_one(
    tmp_path: Path, by_the_executor: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_runs, "_COLLECT_SECONDS", threading.TIMEOUT_MAX)
    assert transactions(tmp_path / "at_the_end.study", monkeypatch) == 1


def test_a_run_is_saved_while_the_next_one_is_under_way(
    tmp_path: Path, by_the_executor: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_runs, "_COLLECT_SECONDS", 0.001)

    def waits(solution: tg.Solution) -> float:
        if solution["T"] == 2.0:
            wait_until(lambda: saved(tmp_path) == 1, "the first run is saved")
        return solution["T"]

    study = tg.study(
        DECAY, {"T": [1.0, 2.0]}, outputs=[waits], stop=1.0, executor="serial", save=tmp_path / "runs.study"
    )
    assert study["waits"].values.tolist() == [1.0, 2.0]


def test_runs_that_cannot_be_saved_are_returned_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(solution: tg.Solution) -> float:
        with closing(sqlite3.connect(tmp_path / "runs.study")) as base:
            base.execute("drop table if exists runs")
        return solution["T"]

    with pytest.warns(UserWarning, match="2 runs could not be saved in .*: no such table"):
        study = tg.study(
            DECAY, {"T": [1.0, 2.0]}, outputs=[damaged], stop=1.0, executor="serial", save=tmp_path / "runs.study"
        )
    assert study["damaged"].values.tolist() == [1.0, 2.0]


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


def with_level(level: float) -> Any:
    return lambda solution: float((solution["x"] > level).mean())


def with_default(level: float) -> Any:
    def output(solution: tg.Solution, above: float = level) -> float:
        return float((solution["x"] > above).mean())

    return output


def with_inner(level: float) -> Any:
    template = "lambda solution: float(max([x + {} for x in solution['x']]))"
    return eval(template.format(level))


def with_helper(level: float) -> Any:
    def above(x: Any) -> Any:
        return x > level

    return lambda solution: float(above(solution["x"]).mean())


def with_array(level: float) -> Any:
    bound = np.array([level])
    return lambda solution: float((solution["x"] > bound).mean())


def with_partial(level: float) -> Any:
    return partial(share_above, level)


def share_above(level: float, solution: tg.Solution) -> float:
    return float((solution["x"] > level).mean())


class WithAttribute:
    """A function with a number of its own."""

    def __init__(self, level: float) -> None:
        self.level = level

    def __call__(self, solution: tg.Solution) -> float:
        return share_above(self.level, solution)


class Limits:
    """An object of which functions read a number, and which counts how often it was asked."""

    def __init__(self, level: float) -> None:
        self.level = level
        self.asked = 0

    def share(self, solution: tg.Solution) -> float:
        self.asked += 1
        return share_above(self.level, solution)


def with_method(level: float) -> Any:
    return Limits(level).share


def with_object(level: float) -> Any:
    limits = Limits(level)
    return lambda solution: share_above(limits.level, solution)


def with_nested(level: float) -> Any:
    limits = {"levels": [level, 1.0]}
    return lambda solution: share_above(limits["levels"][0], solution)


MADE = [
    *(with_level, with_default, with_inner, with_helper, with_array, with_partial, WithAttribute),
    *(with_method, with_object, with_nested),
]


@pytest.mark.parametrize("made", MADE)
def test_a_function_that_reads_other_numbers_is_another_output(made: Any, tmp_path: Path) -> None:
    """What it read when the study was saved is not mixed with what it reads now, wherever the number stands."""
    study = {"model": Decay(), "over": {"T": [1.0, 2.0]}, "stop": 1.0, "save": tmp_path / "a.study"}
    output = made(0.4)
    first = tg.study(**study, outputs={"y": output})
    assert tg.study(**study, outputs={"y": output}).data.identical(first.data)
    assert tg.study(**study, outputs={"y": made(0.4)}).data.identical(first.data)
    with pytest.raises(tg.DesignError, match="another value of: outputs"):
        tg.study(**study, outputs={"y": made(0.6)})


def calling(factor: float) -> tg.Component:
    @tg.function(opaque=True)
    def law(x: float) -> float:
        return factor * x

    class Called(Decay):
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == law(self.x)

    return Called()


def reading(factor: float) -> tg.Component:
    class Read(Decay):
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == tg.interpolate(self.x, [0.0, 1.0, 2.0], [0.0, factor, 3.0])

    return Read()


def test_functions_in_c_are_compared_by_their_text() -> None:
    def of(text: str) -> Any:
        return content(CFunction(CLibrary(text=text), "f", (0, 1, 0), 1))

    assert of("double f;") == of("double f;") != of("float f;")


@pytest.mark.parametrize("made", [calling, reading])
def test_a_model_that_calls_another_function_is_another_model(made: Any, tmp_path: Path) -> None:
    """Its text has the names of functions and tables alone."""
    study: dict[str, Any] = {"over": {"T": [1.0, 2.0]}, "stop": 1.0, "outputs": ["final(z)"], "save": tmp_path / "a"}
    first = tg.study(made(1.0), **study, executor="serial")
    assert tg.study(made(1.0), **study, executor="serial").data.identical(first.data)
    with pytest.raises(tg.DesignError, match="another value of: model"):
        tg.study(made(2.0), **study, executor="serial")


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
def test_processes_share_the_work(tmp_path: Path, by_the_executor: None) -> None:
    """All runs but the first are made by two other processes, each of which waits until the other one is at work."""
    parent = os.getpid()

    def by(_solution: Any) -> float:
        if os.getpid() != parent:
            (tmp_path / str(os.getpid())).touch()
            wait_until(lambda: len(list(tmp_path.iterdir())) >= 2, "two processes are at work")
        return float(os.getpid())

    study = tg.study(DECAY, {"T": np.linspace(0.5, 2.0, 40)}, outputs=[by], stop=1.0, points=2, workers=2)
    numbers, counts = np.unique(study["by"].values, return_counts=True)
    assert len(numbers) == 3
    assert counts[numbers == parent].tolist() == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="functions without a name travel by fork")
def test_a_process_that_dies_costs_its_own_run_only(by_the_executor: None) -> None:
    def fatal(solution: tg.Solution) -> float:
        if abs(solution["T"] - 1.7) < 1e-9:
            os.kill(os.getpid(), signal.SIGKILL)
        return 1.0

    over = {"T": np.linspace(0.5, 2.0, 151)}
    study = tg.study(DECAY, over, outputs=[fatal], stop=1.0, points=2, workers=2)
    failures = study.failures()
    assert failures["T"].tolist() == pytest.approx([1.7])
    assert failures["outcome"].tolist() == ["died"]
    assert (study["fatal"].sum() == 150).item()


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_an_executor_that_is_not_installed_says_how_to_install_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _package: None)
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
