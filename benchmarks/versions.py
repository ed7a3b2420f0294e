"""Two versions of Tellegen on the same models: the small models, the events and the first run, in turns.

Each version runs in processes of its own, alternately, and the least CPU seconds of a call count: other programs use
the machine as well. "difference" is the largest of the final values of the states, relative to their size; the default
tolerances are 1e-6.

    python benchmarks/versions.py OTHER_CHECKOUT [ROUNDS]
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from _timing import seconds, show

HERE = Path(__file__).resolve().parent.parent
CALLS = 60
SOURCES = 100


@dataclass
class Measured:
    """The least CPU seconds of a call, and the values it ended with."""

    least: float = math.inf
    values: list[float] = field(default_factory=list)

    def take(self, taken: float, values: list[float]) -> None:
        """One more measurement."""
        self.least = min(self.least, taken)
        self.values = values


def repeated(run: Callable[[], Any], states: list[str]) -> tuple[float, list[float]]:
    """The least CPU seconds of many calls."""
    least = math.inf
    solution = run()
    for _ in range(CALLS):
        begin = time.process_time()
        solution = run()
        least = min(least, time.process_time() - begin)
    return least, [float(solution[name][-1]) for name in states]


def in_this_version() -> dict[str, tuple[float, list[float]]]:
    """All measurements, with the Tellegen that this process imports."""
    import events
    import first_run
    import small_models

    import tellegen as tg

    found = {}
    tg.simulate  # imports the engine
    begin = time.process_time()
    drive = tg.compile(first_run.Drive())
    first = drive.simulate(1.0)
    end = time.process_time()
    final = [float(first["load.w"][-1])]
    found["first_run: first run of a process, from the cache"] = (end - begin, final)
    found["first_run: the same, with the start of Python and all imports"] = (end, final)
    found["first_run: DC drive with a step, repeated"] = repeated(partial(drive.simulate, 1.0), ["load.w"])
    for case in small_models.CASES:
        compiled = tg.compile(case.model)
        for solver in ("auto", "ida"):
            run = partial(compiled.simulate, case.stop, points=case.points, solver=solver)
            found[f"small_models: {case.name}, {solver}"] = repeated(run, list(case.states))
    for kind in events.KINDS:
        compiled = tg.compile(events.model(kind, SOURCES))
        state = "parts[1].x" if kind.endswith("ticks") else "parts[1].h"
        run = partial(compiled.simulate, events.STOP, points=10)
        found[f"events: {SOURCES} {kind}"] = repeated(run, [state])
    return found


def micro(value: float) -> str:
    """A time from microseconds on."""
    return f"{1e6 * value:.1f} us" if value < 1e-3 else seconds(value)


def measure(checkout: Path, folder: str) -> dict[str, tuple[float, list[float]]]:
    """All measurements of one version, in a fresh process."""
    cache = f"{folder}/{'here' if checkout == HERE else 'other'}"
    environment = dict(os.environ, PYTHONPATH=str(checkout), TELLEGEN_CACHE=cache)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, __file__, "--measure"]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def difference(here: list[float], other: list[float]) -> float:
    """The largest relative difference of two lists of values."""
    return max(abs(a - b) / max(abs(a), abs(b), 1e-9) for a, b in zip(here, other, strict=True))


def main(other: Path, rounds: int) -> None:
    """Print the table."""
    results: dict[Path, dict[str, Measured]] = {HERE: {}, other: {}}
    with tempfile.TemporaryDirectory() as folder:
        for checkout in results:
            measure(checkout, folder)  # fills the caches
        for _ in range(rounds):
            for checkout, found in results.items():
                for name, (taken, values) in measure(checkout, folder).items():
                    found.setdefault(name, Measured()).take(taken, values)
    rows = []
    for name, new in results[HERE].items():
        old = results[other][name]
        gap = difference(new.values, old.values)
        rows.append([name, micro(old.least), micro(new.least), f"{new.least / old.least:.2f}", f"{gap:.0e}"])
    show(f"{other} and {HERE}, CPU", ("", "before", "after", "after / before", "difference"), rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["--measure"]:
        print(json.dumps(in_this_version()))
    else:
        main(Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 5)
