"""Ctrl-C ends a search with the best so far, and guess=result goes on with it, run by run as if nothing were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.analyses.optimization.formulation.problem import Problem
from waiting import LIMIT

ROOT = Path(__file__).resolve().parents[2]


class Oscillator(tg.Component):
    """Of second order, after a unit step."""

    y = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    w = tg.parameter(5.0)
    d = tg.parameter(0.3)

    def equations(self):
        yield tg.der(self.y) == self.v
        yield tg.der(self.v) == self.w**2 * (1 - self.y) - 2 * self.d * self.w * self.v


ASKED: dict[str, Any] = {
    "minimize": tg.integral("time * abs(1 - y)"),
    "variables": {"d": (0.1, 0.95), "w": (1.0, 5.0)},
    "stop": 6.0,
}

BESIDE = 2
"""Runs of a search that goes on which are not its own: one sees whether the model is still the same, one looks at the
best values once more for peaks between output points."""


class Interrupt:
    """Raises KeyboardInterrupt in one of the runs, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self.at, run = 0, 0, Problem._measure

        def measured(problem: Problem, *args: Any) -> Any:
            self.count += 1
            if self.count == self.at:
                raise KeyboardInterrupt
            return run(problem, *args)

        monkeypatch.setattr(Problem, "_measure", measured)

    def in_run(self, number: int) -> None:
        self.count, self.at = 0, number


@pytest.mark.parametrize("method", ["slsqp", "ipopt", "trust-constr", "nelder-mead", "differential-evolution"])
def test_gone_on_with_it_takes_the_same_course(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs made before are not made again, and the end is that of a search without an interrupt."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    interrupt = Interrupt(monkeypatch)
    given = {**ASKED, "method": method, "max_iterations": 8}
    whole = tg.optimize(Oscillator(), **given)
    interrupt.in_run(5)
    half = tg.optimize(Oscillator(), **given)
    assert half.interrupted
    assert not half.success
    assert half.runs == 4
    assert half.objective == min(each.objective for each in half.history)
    interrupt.in_run(0)
    again = tg.optimize(Oscillator(), **given, guess=half)
    assert again.runs == whole.runs
    assert interrupt.count == whole.runs - 4 + BESIDE
    assert again.objective == pytest.approx(whole.objective, rel=1e-9)
    assert not again.interrupted


def test_choices_that_were_done_stay_done(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt(monkeypatch)
    given = {"minimize": ASKED["minimize"], "stop": 6.0, "choices": {"d": [0.2, 0.4, 0.6, 0.8], "w": [2.0, 5.0]}}
    interrupt.in_run(7)
    half = tg.optimize(Oscillator(), **given)
    assert half.runs == 6
    interrupt.in_run(0)
    again = tg.optimize(Oscillator(), **given, guess=half)
    assert again.runs == 8
    assert interrupt.count == 8 - 6 + BESIDE
    assert again.choice == {"d": 0.8, "w": 5.0}


def test_another_model_or_question_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of a model that has changed are worth nothing: only the values are taken."""
    interrupt = Interrupt(monkeypatch)
    interrupt.in_run(5)
    half = tg.optimize(Oscillator(), **ASKED)
    for change in ({"initial": {"y": 0.5}}, {"variables": {"d": (0.1, 0.9), "w": (1.0, 5.0)}}):
        interrupt.in_run(0)
        again = tg.optimize(Oscillator(), **dict[str, Any](ASKED, **change), guess=half)
        assert interrupt.count >= again.runs
        assert again.history[0].x.tolist() == pytest.approx(list(half.variables.values()))


SCRIPT = """
import signal, time
from analyses.test_interrupts import ASKED, Oscillator
import tellegen as tg

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the parent ignores (nohup)
given = {**ASKED, "method": "differential-evolution", "max_iterations": 400, "tolerance": 1e-14}
from tellegen.analyses.optimization.single_objective.live_table import LiveTable
shown = LiveTable.add
def add(self, each):
    shown(self, each)
    if len(self.problem.history) == 20:
        print("running", flush=True)
    while len(self.problem.history) == 300:  # of some 600: here the search waits for a signal that is long in coming
        time.sleep(0.01)
LiveTable.add = add
half = tg.optimize(Oscillator(), **given)
assert half.interrupted, half.message
assert half.runs >= 20
print("kept", half.runs, half.objective, flush=True)
again = tg.optimize(Oscillator(), **{**given, "max_iterations": 2}, guess=half)
assert again.objective <= half.objective * (1 + 1e-6)
print("done", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_a_real_signal() -> None:
    """SIGINT to a process that searches, as Ctrl-C at a terminal sends it: in native code or between runs."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "running"
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, told
    assert "kept" in told
    assert "done" in told
