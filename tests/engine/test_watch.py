"""Long runs: the budget of steps, Ctrl-C, the progress bar."""

from __future__ import annotations

import math
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tellegen.engine.diagnostics.progress import Watch
from tellegen.engine.native.flags import Flag
from waiting import LIMIT

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = """
import os, signal, threading
import tellegen as tg
from tellegen.engine.diagnostics import progress

signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the parent ignores (nohup)

class Loop(tg.Component):
    x = tg.variable(start=2.0)
    y = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == self.y
        yield tg.der(self.y) == 5.0 * (1.0 - self.x**2) * self.y - self.x

compiled = tg.compile(Loop())
compiled.simulate(1.0)

on_its_way = threading.Event()
seen = progress.Watch.seen

def noticed(self, flag, t, steps, moved):
    flag = seen(self, flag, t, steps, moved)
    if moved and signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        on_its_way.set()
    return flag

def press():
    on_its_way.wait()
    os.kill(os.getpid(), signal.SIGINT)

progress.Watch.seen = noticed
progress._PATIENCE_SECONDS, progress._REFRESH_SECONDS = PATIENCE, 0.0
threading.Thread(target=press, daemon=True).start()
"""
QUIET = """
solution = compiled.simulate(1e6, points=5000, rtol=1e-9, throw=False)
print(solution.outcome.code, len(solution.time) > 1, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
LOUD = """
try:
    compiled.simulate(1e6, points=5000, rtol=1e-9)
except KeyboardInterrupt as error:
    print(type(error).__name__, error.solution.outcome.code, error)
"""


def with_bar_after(seconds: float, script: str) -> str:
    """The script with a progress bar after so many seconds."""
    return f"PATIENCE = float('{seconds}')\n{script}"


def answer(script: str) -> str:
    """What a script says in a process of its own."""
    command = [sys.executable, "-c", with_bar_after(1.0, script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False, cwd=ROOT)
    return done.stdout + done.stderr


def test_every_flag_has_a_number_of_its_own() -> None:
    numbers = [number for name, number in vars(Flag).items() if name.isupper()]
    assert len(numbers) == len(set(numbers)) > 20


def test_a_burst_is_no_failure_until_the_budget_is_spent() -> None:
    watch = Watch("m", 0.0, 1.0, budget=1000)
    assert watch.burst(2) == 1000
    assert watch.burst(100_000) == 20
    assert watch.seen(Flag.TOO_MUCH_WORK, 0.1, 400, False) == 0
    assert watch.seen(0, 0.2, 900, True) == 0
    assert watch.seen(Flag.TOO_MUCH_WORK, 0.3, 1800, False) == 0
    assert watch.seen(Flag.TOO_MUCH_WORK, 0.3, 1900, False) == Flag.TOO_MUCH_WORK
    assert watch.seen(0, 0.3, 1950, False) == Flag.TOO_MUCH_WORK
    assert watch.seen(-4, 0.3, 1950, False) == -4
    assert watch.seen(0, 0.3, 10, False) == 0  # the integrator was restarted


def test_asked_to_stop() -> None:
    watch = Watch("m", 0.0, 1.0, budget=1000)
    watch.asked_to_stop = True
    assert watch.seen(0, 0.1, 10, True) == Flag.INTERRUPTED
    assert watch.seen(Flag.TOO_MUCH_WORK, 0.1, 10, True) == Flag.INTERRUPTED
    assert watch.seen(-4, 0.1, 10, True) == -4


@pytest.mark.skipif(os.name == "nt", reason="signals of processes")
def test_ctrl_c_returns_what_is_done() -> None:
    assert answer(SCRIPT + QUIET).strip() == "interrupted True True"


@pytest.mark.skipif(os.name == "nt", reason="signals of processes")
def test_ctrl_c_raises_a_keyboard_interrupt_with_the_solution() -> None:
    text = answer(SCRIPT + LOUD)
    assert text.startswith("SimulationInterrupted interrupted the simulation of Loop was interrupted at t = ")
    assert "Traceback" not in text


def at_a_terminal(script: str) -> str:
    """What a script writes to a terminal."""
    reader, writer = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-c", script]
    process: Any = subprocess.Popen(command, stdout=writer, stderr=writer, cwd=ROOT, env=environment)
    os.close(writer)
    parts = []
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    process.wait(timeout=LIMIT)
    os.close(reader)
    return b"".join(parts).decode(errors="replace")


@pytest.mark.skipif(os.name == "nt", reason="no pseudo terminals")
def test_a_bar_appears_on_long_runs_only() -> None:
    text = at_a_terminal(with_bar_after(0.0, SCRIPT + QUIET))
    assert "Loop" in text
    assert re.search(r"t = \S+ of 1e\+06 s", text)
    assert "steps" in text
    assert "steps" not in at_a_terminal(with_bar_after(math.inf, SCRIPT + QUIET))
