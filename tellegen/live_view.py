"""What is shown while somebody waits: in place at a terminal, as a changing output in a notebook, nothing elsewhere.

TELLEGEN_PROGRESS=0 keeps the screen quiet.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter
from typing import Any, Protocol

from tellegen.notebook import LiveOutput

_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.2


class LiveView(Protocol):
    """A place on the screen for something that changes."""

    def show(self, renderable: Any) -> None:
        """Show something that rich can render instead of what was there."""

    def close(self) -> None:
        """Leave nothing on the screen."""


def wanted() -> bool:
    """Whether progress may be shown at all."""
    return os.environ.get("TELLEGEN_PROGRESS") != "0"


class _Elsewhere:
    """Where progress is shown instead of the screen."""

    view: LiveView | None = None


def show_elsewhere(view: LiveView | None) -> None:
    """Let a view of one's own show progress from now on, in the window of a program say; None for the screen."""
    _Elsewhere.view = view


def open_view() -> LiveView | None:
    """A view where somebody looks: at a terminal or in a notebook; None elsewhere, and while another one is open."""
    if _Elsewhere.view is not None:
        return _Elsewhere.view
    from rich.console import Console
    from rich.errors import LiveError
    from rich.live import Live

    console = Console(stderr=True)
    if console.is_jupyter:
        return LiveOutput()
    if not console.is_terminal:
        return None
    live = Live(console=console, transient=True, refresh_per_second=10)
    try:
        live.start()
    except LiveError:  # the user's own display is on
        return None
    return _Terminal(live)


def progress_bar(name: str, total: float, *fields: str, done: float = 0.0) -> Any:
    """A bar of rich with some fields of text beside it, to be shown by a view; `done` took no time."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    texts = [TextColumn(f"{{task.fields[{field}]}}") for field in fields]
    bar: Any = Progress(TextColumn(name), BarColumn(), *texts, TimeRemainingColumn())
    bar.add_task(name, total=total, completed=done, **dict.fromkeys(fields, ""))
    return bar


class _Terminal:
    """A live display of rich."""

    def __init__(self, live: Any) -> None:
        self._live = live

    def show(self, renderable: Any) -> None:
        self._live.update(renderable)

    def close(self) -> None:
        self._live.stop()


class PatientView:
    """A view of something long that opens after a second, and is drawn a few times a second; a context manager."""

    def __init__(self) -> None:
        self._began = self._drawn = perf_counter()
        self._quiet = not wanted()
        self._view: LiveView | None = None

    def __enter__(self) -> PatientView:
        return self

    def __exit__(self, *_: object) -> None:
        if self._view is not None:
            self._view.close()

    def offer(self, draw: Callable[[], Any]) -> None:
        """Something has changed: draw it if somebody looks and it is time."""
        now = perf_counter()
        if self._view is None and not self._quiet and now - self._began > _PATIENCE_SECONDS:
            self._view = open_view()
            self._quiet = self._view is None
        if self._view is not None and now - self._drawn > _REFRESH_SECONDS:
            self._drawn = now
            self._view.show(draw())
