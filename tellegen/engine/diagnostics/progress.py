"""Somebody is waiting: a progress bar on runs of more than a second, and Ctrl-C that keeps what is done so far.

The native loop comes back every few milliseconds and asks `seen`. Ctrl-C only leaves a note, so nothing is torn down
half-way; pressed a second time it interrupts at once. Only the main thread is watched: Python gives signals to no
other, and several bars would fight for the screen.
"""

from __future__ import annotations

import signal
import threading
from time import perf_counter
from types import FrameType
from typing import Any

from tellegen.engine.native.flags import Flag
from tellegen.live_view import LiveView, open_view, progress_bar, wanted

_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.1


class Watch:
    """The watch over one run, a context manager. `budget` is the number of steps allowed between two output points."""

    asked_to_stop = False
    _view: LiveView | None = None
    _bar: Any = None
    _old_handler: Any = None
    _quiet = True
    _watching = False
    _steps_at_output = 0

    def __init__(
        self, name: str, start: float, stop: float, *, budget: int, words: str = "t = {t:.4g} of {stop:.4g} s"
    ) -> None:
        self.name = name
        self.span_start = start
        self.span_stop = stop
        self.budget = budget
        self.words = words
        self._began = perf_counter()
        self._shown = self._began

    def __enter__(self) -> Watch:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to watch: Ctrl-C is ours from here on. Short runs do without: it costs as much as a tenth of them."""
        if self._watching:
            return
        self._watching = True
        if threading.current_thread() is threading.main_thread():
            self._quiet = not wanted()
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._old_handler = signal.signal(signal.SIGINT, self._note)

    def stop(self) -> None:
        """Give Ctrl-C back and clear the screen; without a start nothing happens."""
        if self._old_handler is not None:
            signal.signal(signal.SIGINT, self._old_handler)
        if self._view is not None:
            self._view.close()

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked_to_stop:
            signal.default_int_handler(number, frame)
        self.asked_to_stop = True

    def burst(self, size: int) -> int:
        """Steps the integrator may take before it comes back: about a quarter of a second's worth."""
        return min(self.budget, 1000, max(20, 400_000 // (size + 1)))

    def seen(self, flag: int, t: float, steps: int, moved: bool) -> int:
        """The integrator is back: the flag to continue with.

        Too many steps for a burst are none while the budget lasts; `moved` says that an output point was reached.
        """
        if moved:
            self._steps_at_output = steps
        elif steps < self._steps_at_output:  # the integrator was restarted
            self._steps_at_output = 0
        if not self._quiet and perf_counter() - self._shown > _REFRESH_SECONDS:
            self._show(t, steps)
        if self.asked_to_stop and flag >= Flag.TOO_MUCH_WORK:
            return Flag.INTERRUPTED
        spent = steps - self._steps_at_output >= self.budget
        if flag == Flag.TOO_MUCH_WORK and not spent:
            return 0
        return Flag.TOO_MUCH_WORK if flag >= 0 and spent else flag

    def _show(self, t: float, steps: int) -> None:
        self._shown = perf_counter()
        if self._view is None and self._shown - self._began > _PATIENCE_SECONDS:
            self._view = open_view()
            self._quiet = self._view is None
            self._bar = progress_bar(self.name, self.span_stop - self.span_start, "now", "steps")
        if self._view is not None:
            now = self.words.format(t=t, stop=self.span_stop)
            self._bar.update(self._bar.task_ids[0], completed=t - self.span_start, now=now, steps=f"{steps} steps")
            self._view.show(self._bar)
