"""What the benchmarks share: minima of several runs, growth exponents, peers that may be missing, tables."""

from __future__ import annotations

import gc
import importlib
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

console = Console(width=150)


def best(action: Callable[[], Any], runs: int = 3) -> tuple[float, Any]:
    """Seconds of the fastest of several runs, and the last result."""
    fastest = math.inf
    result = None
    gc.collect()
    for _ in range(runs):
        begin = time.perf_counter()
        result = action()
        fastest = min(fastest, time.perf_counter() - begin)
    return fastest, result


def cheapest(actions: Mapping[Any, Callable[[], Any]], rounds: int = 5) -> dict[Any, float]:
    """Least CPU seconds of each action, in turns: for ratios on a machine that others use as well."""
    least = dict.fromkeys(actions, math.inf)
    for _ in range(rounds):
        for name, action in actions.items():
            begin = time.process_time()
            action()
            least[name] = min(least[name], time.process_time() - begin)
    return least


def peer(name: str) -> Any:
    """A module of a competitor, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def seconds(value: float | None) -> str:
    """A time a person can read."""
    if value is None:
        return "-"
    return f"{value * 1e3:.2f} ms" if value < 0.1 else f"{value:.3g} s"


def ratio(value: float | None, ours: float) -> str:
    """How many times ours a time is."""
    return "-" if value is None else f"{value / ours:.1f} x"


def exponent(smaller: tuple[float, float], larger: tuple[float, float]) -> float:
    """The p of time ~ n^p between two (n, seconds)."""
    return math.log(larger[1] / smaller[1]) / math.log(larger[0] / smaller[0])


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> None:
    """Print a table."""
    table = Table(title=title, title_justify="left", caption=note, caption_justify="left")
    for k, name in enumerate(columns):
        table.add_column(name, justify="left" if k == 0 else "right")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def in_new_process(script: str, *arguments: str, cache: str | None = None) -> str:
    """What a script prints in a fresh interpreter; `cache` is the folder of compiled objects."""
    environment = dict(os.environ)
    if cache is not None:
        environment["TELLEGEN_CACHE"] = cache
    command = [sys.executable, script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
