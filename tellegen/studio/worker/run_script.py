"""The script of a file, run as at the terminal: what it prints, the runs that it makes, the figures that it saves."""

from __future__ import annotations

import base64
import contextlib
import io
import linecache
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tellegen.studio.messages.work import MadeRun, Printed, RunScript, ScriptRan
from tellegen.studio.worker.load_text import diagnostic_of
from tellegen.studio.worker.made_runs import MadeRuns

MOST_FIGURES = 40
MOST_LETTERS = 400_000
DOTS = 100
"""Of a figure, for an inch."""
OFTEN = 0.1
"""Seconds between two messages of what was printed."""


class ScriptBench:
    """The script that was run last: its runs are here until the next one is run."""

    def __init__(self, tell: Callable[[Printed], None]) -> None:
        self._tell = tell
        self.runs = MadeRuns("")

    def done(self, task: RunScript) -> ScriptRan:
        """Run a script; what it raises is part of the result, and so is all that it did before."""
        begin = time.perf_counter()
        self.runs = MadeRuns(task.file)
        figures = _Figures()
        out = _Printing(self._tell)
        found: tuple[Any, ...] = ()
        with self.runs.watched(), figures.watched(), _as_started(task), contextlib.redirect_stdout(out):
            with contextlib.redirect_stderr(out):
                try:
                    _execute(task)
                except (Exception, KeyboardInterrupt, SystemExit) as error:
                    found = (diagnostic_of(error, task.file),) if _is_failure(error) else ()
            out.flush()
            figures.add_open_ones()
        made = tuple(MadeRun(run.label, run.line) for run in self.runs.rows)
        seconds = time.perf_counter() - begin
        return ScriptRan(not found, found, seconds, out.text, made, self.runs.more, tuple(figures.pictures))


def _is_failure(error: BaseException) -> bool:
    return not (isinstance(error, SystemExit) and error.code in (None, 0))


def _execute(task: RunScript) -> None:
    """The text, as the main module."""
    # without a time of change the cache is never compared with the file, which may hold an older text
    linecache.cache[task.file] = (len(task.text), None, task.text.splitlines(keepends=True), task.file)
    module = ModuleType("__main__")
    module.__file__ = task.file
    sys.modules["__main__"] = module
    exec(compile(task.text, task.file, "exec"), module.__dict__)


@contextlib.contextmanager
def _as_started(task: RunScript) -> Iterator[None]:
    """Folder, arguments and path of `python FILE`; the folder is the one that the studio was started for."""
    here = Path.cwd()
    before = sys.argv, sys.path, sys.modules["__main__"]
    os.chdir(task.folder)
    sys.argv = [task.file]
    sys.path = [str(Path(task.file).parent), *sys.path]
    try:
        yield
    finally:
        os.chdir(here)
        sys.argv, sys.path, sys.modules["__main__"] = before


class _Printing(io.TextIOBase):
    """What is printed, kept and sent while the script goes on."""

    def __init__(self, tell: Callable[[Printed], None]) -> None:
        self._tell = tell
        self._parts: list[str] = []
        self._letters = 0
        self._waiting = ""
        self._sent = 0.0

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._parts)

    def write(self, text: str) -> int:
        """Keep a text; what is far too long is cut."""
        kept = text[: max(MOST_LETTERS - self._letters, 0)]
        self._letters += len(kept)
        self._parts.append(kept)
        self._waiting += kept
        if time.monotonic() - self._sent > OFTEN:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Send what waits."""
        self._sent = time.monotonic()
        if self._waiting:
            self._tell(Printed(self._waiting))
            self._waiting = ""


def _open_figures() -> list[Any]:
    """Of pyplot, where it is in use."""
    plots = sys.modules.get("matplotlib.pyplot")
    return [plots.figure(number) for number in plots.get_fignums()] if plots is not None else []


class _Figures:
    """Figures of matplotlib that the script saves or shows, as pictures."""

    def __init__(self) -> None:
        self.pictures: list[str] = []
        self._kept: list[Any] = []
        """The figure of each picture."""
        self._before = _open_figures()

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Whatever is saved in a file is a picture here as well; nothing without matplotlib."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            yield
            return
        save = Figure.savefig

        def saved(figure: Any, *given: Any, **options: Any) -> None:
            save(figure, *given, **options)
            self._add(figure, save)

        self._save = save
        setattr(Figure, "savefig", saved)  # noqa: B010 - it is put back below
        try:
            yield
        finally:
            setattr(Figure, "savefig", save)  # noqa: B010

    def add_open_ones(self) -> None:
        """Figures that were drawn to be looked at."""
        for figure in _open_figures():
            if figure not in self._before and (figure.stale or figure not in self._kept):
                self._add(figure, self._save)

    def _add(self, figure: Any, save: Callable[..., None]) -> None:
        """A picture of a figure as it is now, in the place of one that was taken before."""
        place = self._kept.index(figure) if figure in self._kept else len(self._kept)
        if place >= MOST_FIGURES:
            return
        data = io.BytesIO()
        with contextlib.suppress(Exception):  # its own `savefig` has said what is wrong with it
            save(figure, data, format="png", dpi=DOTS)
            self.pictures[place:] = [base64.b64encode(data.getvalue()).decode(), *self.pictures[place + 1 :]]
            self._kept[place:] = [figure, *self._kept[place + 1 :]]
