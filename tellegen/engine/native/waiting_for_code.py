"""Seconds of work, without those in which it waits for machine code to be made and loaded.

A first run compiles what it needs when it needs it; what its statistics say of initialization and integration is what
any further run takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from time import perf_counter


class _Waited(local):
    """Of the thread that asks: others may compile meanwhile."""

    seconds = 0.0
    is_waiting = False


_waited = _Waited()


@contextmanager
def waiting_for_code() -> Iterator[None]:
    """Work that is not counted as working time of this thread; one within another counts once."""
    if _waited.is_waiting:
        yield
        return
    began = perf_counter()
    _waited.is_waiting = True
    try:
        yield
    finally:
        _waited.is_waiting = False
        _waited.seconds += perf_counter() - began


def working_time() -> float:
    """Seconds on a clock that stands still while this thread waits for machine code."""
    return perf_counter() - _waited.seconds
