"""The process of a worker: tasks come in at standard input, results leave through a copy of standard output.

What the model prints goes to standard error, so that it cannot be taken for a result. Ctrl-C (sent by the server to
cancel) ends the run that is in progress and leaves the worker alive.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from tellegen.live_view import show_elsewhere
from tellegen.studio.messages.codec import decoded, encoded
from tellegen.studio.messages.work import Broken, Progress, Result, Task
from tellegen.studio.worker.frames import frame, read_frame
from tellegen.studio.worker.workbench import Workbench


class ProgressByMessages:
    """A view that sends how far progress bars are; tables of searches, whose end is not known, are left out."""

    def __init__(self, tell: Callable[[Progress], None]) -> None:
        self._tell = tell

    def show(self, renderable: Any) -> None:
        """Called a few times a second."""
        for task in getattr(renderable, "tasks", ())[:1]:
            self._tell(Progress(float(task.completed / task.total) if task.total else 0.0))

    def close(self) -> None:
        """Nothing stays open."""


def main() -> None:
    """Work until the input ends."""
    # a studio that a shell started in the background ignores Ctrl-C, and what it starts inherits that
    signal.signal(signal.SIGINT, signal.default_int_handler)
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks = os.fdopen(os.dup(0), "rb")
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)  # a model that asks for input gets none
    show_elsewhere(ProgressByMessages(lambda progress: send(results, progress)))
    bench = Workbench(lambda printed: send(results, printed))
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # a cancel that came when all was done
            data = read_frame(tasks)
            if data is None:
                return
            send(results, _result(bench, data))


def _result(bench: Workbench, data: Any) -> Result:
    try:
        return bench.done(decoded(Task, data))
    except KeyboardInterrupt:
        return Broken("cancelled")
    except Exception as error:
        return Broken(f"{type(error).__name__}: {error}")


def send(results: BinaryIO, result: Result) -> None:
    """A whole frame, whatever comes: the server could not read on from a half of one."""
    data = frame(encoded(result))
    with _later_interrupts():
        results.write(data)
        results.flush()


@contextlib.contextmanager
def _later_interrupts() -> Iterator[None]:
    """A cancel waits until the end; where signals cannot wait (Windows), a cancel ends the process."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


if __name__ == "__main__":
    sys.exit(main())
