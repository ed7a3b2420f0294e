"""The bar of a study: after a second, at a terminal, and not with TELLEGEN_PROGRESS=0."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

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
        self._quiet = os.environ.get("TELLEGEN_PROGRESS") == "0"
        self._bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def add(self, done: int, failed: int) -> None:
        """Some more runs are done."""
        self.done = self.done + done
        self.failed = self.failed + failed
        if self._bar is None and not self._quiet and perf_counter() - self._began > _PATIENCE_SECONDS:
            self._open()
        if self._bar is not None:
            bad = f", {self.failed} failed" if self.failed else ""
            self._bar.update(self._task, completed=self.done, now=f"{self.done} of {self.total} runs{bad}")

    def _open(self) -> None:
        from rich.console import Console
        from rich.errors import LiveError
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._quiet = True
        if not console.is_terminal:
            return
        columns = (TextColumn(self.name), BarColumn(), TextColumn("{task.fields[now]}"), TimeRemainingColumn())
        bar = Progress(*columns, console=console, transient=True)
        self._task = bar.add_task(self.name, total=self.total, completed=self._before, now="")
        try:
            bar.start()
        except LiveError:  # the user's own display is on
            return
        self._bar = bar
