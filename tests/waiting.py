"""Tests wait for what they observe and compare costs, never the clock: a busy machine makes them slow, not wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

LIMIT = 240.0  # seconds: only what hangs takes so long, on however busy a machine
_REPEATS = 25


def wait_until(observed: Callable[[], bool], what: str) -> None:
    """Returns as soon as it is observed."""
    end = time.monotonic() + LIMIT
    while not observed():
        if time.monotonic() > end:
            pytest.fail(f"{what}: not observed in {LIMIT:.0f} s")
        time.sleep(0.01)


def costs_at_most(ratio: float, dear: Callable[[], Any], cheap: Callable[[], Any]) -> bool:
    """Whether one call needs at most `ratio` times the CPU time of another; the least of repeats made in turn.

    What else runs on the machine only ever adds to a time, so repeats go on until the ratio is met.
    """
    least_dear = least_cheap = float("inf")
    for _ in range(_REPEATS):
        least_cheap = min(least_cheap, _cpu_seconds(cheap))
        least_dear = min(least_dear, _cpu_seconds(dear))
        if least_dear <= ratio * least_cheap:
            return True
    return False


def _cpu_seconds(call: Callable[[], Any]) -> float:
    begin = time.thread_time()
    call()
    return time.thread_time() - begin
