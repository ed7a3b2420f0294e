"""The live table of a search: after a second, where somebody looks."""

from __future__ import annotations

from typing import Any

from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.live_view import PatientView

_SHOWN = 10


class LiveTable(PatientView):
    """The last runs and the best one; a context manager."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem

    def __enter__(self) -> LiveTable:
        self.problem.watch = self.add
        return self

    def __exit__(self, *_: object) -> None:
        self.problem.watch = None
        super().__exit__()

    def add(self, _: Evaluation) -> None:
        """A run is done."""
        self.offer(self.table)

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
