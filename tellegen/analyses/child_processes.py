"""Processes that work for this one: how they start, and how they begin and end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading

START_METHOD = "fork" if sys.platform == "linux" else "spawn"
"""On Linux a process begins as a copy, with compiled models and any function in it."""


def begin_child() -> None:
    """A process begins to work for its parent: Ctrl-C is the parent's business, and so is the screen."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["TELLEGEN_PROGRESS"] = "0"


def _end_with_parent() -> None:
    """End this process when its parent is gone: one that was killed cannot end its children itself."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()  # a pipe or a handle that the system closes, however the parent ends
    os._exit(1)


def available_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
