"""CPU time of a browser and of the studio that it shows: machines are shared, wall times depend on the others."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from browser import Browser

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Spent:
    """CPU and wall seconds of something."""

    browser: float = 0.0
    studio: float = 0.0
    wall: float = 0.0


def cpu_of_tree(process: int) -> float:
    """CPU seconds of a process and of all processes that it started and that are alive."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = {int(word) for task in tasks for word in (task / "children").read_text().split()}
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS + sum(map(cpu_of_tree, children))


@contextmanager
def watched(browser: Browser) -> Iterator[Spent]:
    """What is spent in a block; the processes of the studio are this one and its workers."""

    def now() -> tuple[float, float, float]:
        own = cpu_of_tree(os.getpid())
        theirs = cpu_of_tree(browser.process)
        return theirs, own - theirs, time.monotonic()

    spent = Spent()
    before = now()
    yield spent
    spent.browser, spent.studio, spent.wall = (b - a for a, b in zip(before, now(), strict=True))
