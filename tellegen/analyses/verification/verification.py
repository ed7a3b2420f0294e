"""What a search for violations has found: a row for each requirement, with its worst run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from tellegen.analyses.optimization.formulation.evaluation import Evaluation
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.requirements.formulas import Formula
from tellegen.analyses.requirements.verdict import Verdict
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import panels
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

_NOT_OF_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, eq=False)
class Judged:
    """A requirement, the smallest margin found, and the values of the variables with which it was."""

    requirement: Formula
    margin: float
    x: FloatArray

    @property
    def holds(self) -> bool:
        """Whether no run violated it."""
        return self.margin >= 0.0


class Verification(Result):
    """`worst` gives the values with which a requirement's margin is smallest, `solution` that run."""

    def __init__(self, problem: Problem, judged: tuple[Judged, ...]) -> None:
        self.problem = problem
        self.judged = judged
        self.runs = len(problem.history)
        self.failures = [each for each in problem.history if each.failed]

    @property
    def success(self) -> bool:
        """Whether no run violated a requirement or failed."""
        return not self.message

    @property
    def message(self) -> str:
        """What was violated."""
        violated = [each.requirement.name for each in self.judged if not each.holds]
        failed = len(self.failures)
        parts = [f"violated: {', '.join(violated)}" if violated else "", f"{failed} runs failed" if failed else ""]
        return "; ".join(filter(None, parts))

    @property
    def parameters(self) -> dict[str, Any]:
        """Those given to all runs, by path."""
        return dict(self.problem.request.parameters)

    @users_call
    def worst(self, name: str | None = None) -> dict[str, float]:
        """The values with which a requirement (by default the one with the smallest margin) comes out worst."""
        return dict(zip(self.problem.variables.names, self._of(name).x.tolist(), strict=True))

    @users_call
    def solution(self, name: str | None = None) -> Solution:
        """That run again."""
        return self.problem.made.plain.run(self.problem.request_at(self._of(name).x))

    @users_call
    def verdict(self, name: str | None = None) -> Verdict:
        """What decides over a requirement in its worst run."""
        return self._of(name).requirement.verdict(self.solution(name))

    def _of(self, name: str | None) -> Judged:
        if name is None:
            return min(self.judged, key=lambda each: each.margin)
        for each in self.judged:
            if each.requirement.name == name:
                return each
        names = [each.requirement.name for each in self.judged]
        raise DesignError("E672", f"there is no requirement {name!r}; {nearest(name, names)}", location=here())

    def to_pandas(self) -> Any:
        """All runs: values of the variables, margins, and why a run failed."""
        import pandas as pd

        names = [each.requirement.name for each in self.judged]
        rows = [
            {
                **dict(zip(self.problem.variables.names, run.x.tolist(), strict=True)),
                **dict(zip(names, _margins(run, len(names)).tolist(), strict=True)),
                "failed": run.failed,
            }
            for run in self.problem.history
        ]
        return pd.DataFrame(rows)

    def plot(self) -> Any:
        """A matplotlib figure: the margin of each requirement, run after run."""
        count = len(self.judged)
        table = np.array([_margins(run, count) for run in self.problem.history])
        with panels(count, 1, (7.5, 0.6 + 1.9 * count), sharex=True) as (figure, axes):
            for each, axis, column in zip(self.judged, axes[:, 0], table.T, strict=True):
                axis.plot(np.arange(1, self.runs + 1), column, ".", markersize=4)
                axis.axhline(0.0, color="tab:red", linewidth=0.8)
                axis.set_ylabel("margin")
                axis.set_title(each.requirement.name)
            axes[-1, 0].set_xlabel("run")
        return figure

    def to_junit(self, path: str | PathLike[str]) -> Path:
        """Write an XML file that servers for continuous integration show: a test case for each requirement.

        Runs that failed are an error of one more test case: no requirement was judged in them.
        """
        model = _quoted(self._model())

        def case(name: str, text: str) -> str:
            return f'  <testcase classname={model} name={_quoted(name)} time="0">{text}</testcase>'

        cases = [
            case(each.requirement.name, "" if each.holds else f"<failure message={_quoted(self._failure(each))}/>")
            for each in self.judged
        ]
        if self.failures:
            cases.append(case("all runs succeed", f"<error message={_quoted(self._failed_runs())}/>"))
        bad = sum(not each.holds for each in self.judged)
        errors = int(bool(self.failures))
        head = f'<testsuite name={model} tests="{len(cases)}" failures="{bad}" errors="{errors}">'
        file = Path(path)
        file.write_text("\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *cases, "</testsuite>\n"]), "utf-8")
        return file

    def to_html(self, path: str | PathLike[str]) -> Path:
        """Write a page with the table, and the verdict on the worst run of each requirement."""
        verdicts = [self.verdict(each.requirement.name) for each in self.judged]
        lines = "".join(f"<li>{escape(str(verdict))}</li>" for verdict in verdicts)
        body = f"<!doctype html><meta charset=utf-8><title>{escape(self._title())}</title>{self._repr_html_()}"
        file = Path(path)
        file.write_text(f'{body}<ul style="font-family:monospace">{lines}</ul>\n', "utf-8")
        return file

    def _failure(self, each: Judged) -> str:
        values = ", ".join(f"{name} = {value:.6g}" for name, value in self.worst(each.requirement.name).items())
        return f"violated by {-each.margin:.4g} with {values}"

    def _model(self) -> str:
        return self.problem.made.plain.name

    def _title(self) -> str:
        bad = sum(not each.holds for each in self.judged)
        found = f"{bad} of {len(self.judged)} violated" if bad else f"no violation of {len(self.judged)} found"
        return f"Verification of {self._model()}: {found} in {self.runs} runs"

    def _page(self) -> Iterable[Table | str]:
        rows = [
            (each.requirement.name, "not violated" if each.holds else "VIOLATED", f"{each.margin:.4g}", self._at(each))
            for each in self.judged
        ]
        yield Table(("requirement", "", "least margin", "with"), rows)
        if self.failures:
            yield self._failed_runs()

    def _failed_runs(self) -> str:
        return f"{len(self.failures)} runs failed, the first: {self.failures[0].failed}"

    def _at(self, each: Judged) -> str:
        values = dict(zip(self.problem.variables.names, each.x.tolist(), strict=True))
        return ", ".join(f"{name} = {value:.4g}" for name, value in values.items())


def _quoted(text: str) -> str:
    """An attribute of XML, without the characters that it cannot have."""
    return quoteattr(_NOT_OF_XML.sub("\ufffd", text))


def _margins(run: Evaluation, count: int) -> FloatArray:
    """Of all requirements; not a number where a run failed."""
    return np.full(count, np.nan) if run.failed else np.append(run.objective, run.constraints)
