"""The bar of a study: after a second, where somebody looks."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from tellegen.live_view import LiveView, open_view, progress_bar, wanted

_PATIENCE_SECONDS = 1.0


class Bar:
    """How many of the runs are done; a context manager."""

    def __init__(self, name: str, total: int, done: int) -> None:
        self.name = name
        self.total = total
        self.done = done
        self.failed = 0
        self._before = done
        self._began = perf_counter()
        self._quiet = not wanted()
        self._view: LiveView | None = None
        self._bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._view is not None:
            self._view.close()

    def add(self, done: int, failed: int) -> None:
        """Some more runs are done."""
        self.done = self.done + done
        self.failed = self.failed + failed
        if self._view is None and not self._quiet and perf_counter() - self._began > _PATIENCE_SECONDS:
            self._view = open_view()
            self._quiet = self._view is None
            self._bar = progress_bar(self.name, self.total, "now", done=self._before)
        if self._view is not None:
            bad = f", {self.failed} failed" if self.failed else ""
            text = f"{self.done} of {self.total} runs{bad}"
            self._bar.update(self._bar.task_ids[0], completed=self.done, now=text)
            self._view.show(self._bar)
