"""The live table of a search: after a second, at a terminal, and not with TELLEGEN_PROGRESS=0."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem

_PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.2
_SHOWN = 10


class LiveTable:
    """The last runs and the best one; a context manager."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._began = self._shown = perf_counter()
        self._quiet = os.environ.get("TELLEGEN_PROGRESS") == "0"
        self._live: Any = None

    def __enter__(self) -> LiveTable:
        self.problem.watch = self.add
        return self

    def __exit__(self, *_: object) -> None:
        self.problem.watch = lambda _: None
        if self._live is not None:
            self._live.stop()

    def add(self, _: Evaluation) -> None:
        """A run is done."""
        now = perf_counter()
        if self._live is None and not self._quiet and now - self._began > _PATIENCE_SECONDS:
            self._open()
        if self._live is not None and now - self._shown > _REFRESH_SECONDS:
            self._shown = now
            self._live.update(self.table())

    def table(self) -> Any:
        """What is shown."""
        from rich.table import Table

        problem = self.problem
        best = problem.best
        title = f"{problem.made.plain.flat.name}: {problem.asked.objective}, {len(problem.history)} runs"
        table = Table(title=title)
        for heading in ("run", "objective", "violation", *problem.variables.names[:6]):
            table.add_column(heading, justify="right")
        listed = list(enumerate(problem.history, 1))[-_SHOWN:]
        for number, each in listed:
            table.add_row(str(number), *self._row(each), style="bold" if each is best else "")
        if best is not None and all(each is not best for _, each in listed):
            table.add_row("best", *self._row(best), style="bold")
        return table

    def _row(self, each: Evaluation) -> list[str]:
        sign = self.problem.asked.sign
        first = ["failed", ""] if each.failed else [f"{sign * each.objective:.6g}", f"{each.violation:.1e}"]
        return [*first, *(f"{value:.5g}" for value in each.x[:6])]

    def _open(self) -> None:
        from rich.console import Console
        from rich.errors import LiveError
        from rich.live import Live

        self._quiet = True
        console = Console(stderr=True)
        if not console.is_terminal:
            return
        live = Live(self.table(), console=console, transient=True, auto_refresh=True)
        try:
            live.start()
        except LiveError:  # the user's own display is on
            return
        self._live = live
