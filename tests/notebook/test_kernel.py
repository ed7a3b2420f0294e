"""A real Jupyter kernel: everything is shown once, print() prints, long runs show a bar, errors name the cell."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

ROOT = Path(__file__).resolve().parent.parent.parent
MODEL = """
import tellegen as tg

class Lag(tg.Component):
    T = tg.parameter(500.0, "ms")
    y = tg.variable("1", "output", start=0.0, fixed=True)

    def equations(self):
        yield self.T * tg.der(self.y) == 1.0 - self.y

solution = tg.simulate(Lag(), 1.0)
"""
SWING = """
from tellegen.engine.diagnostics import progress
progress._PATIENCE_SECONDS = 0.0
progress._REFRESH_SECONDS = 0.0

class Swing(tg.Component):
    x = tg.variable(start=1.0)
    y = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == self.y
        yield tg.der(self.y) == -self.x

tg.simulate(Swing(), 1e4, rtol=1e-9, points=1000);
"""


def outputs(*cells: str) -> list[list[Any]]:
    """What the cells of a notebook show when they are run one after the other; a cell that fails is no end."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    environment.pop("MPLBACKEND", None)
    asyncio.run(client.async_execute(env=environment))
    return [cell.outputs for cell in notebook.cells]


RESULTS = ["solution", "solution.explain()", "tg.compile(Lag()).report()", "tg.explain(Lag())"]
RESULTS += ["tg.linearize(Lag())", "Lag()"]
PLOTS = ["solution.plot()", "solution.plot()", "solution.plot();", "figure = solution.plot()", "figure"]
PLOTS += ["tg.linearize(Lag()).plot()", "solution.explain().plot()"]
MISTAKE = "a = 1\n\ntg.simulate(Lag(), 1.0, parameters={'Q': 1.0})"
SPY = """
from IPython.display import DisplayHandle
pages = []
update = DisplayHandle.update
DisplayHandle.update = lambda self, page: (pages.append(page.data), update(self, page))[1]
"""
WHAT_WAS_SEEN = "print(len(pages), pages[len(pages) // 2], pages[-1])"


@dataclass(frozen=True)
class Shown:
    """What the cells of one notebook showed, by what they are about: a kernel takes a second to start."""

    results: list[list[Any]]
    prints: list[list[Any]]
    plots: list[list[Any]]
    mistake: list[Any]
    bar: list[Any]
    pages: list[Any]


@pytest.fixture(scope="module")
def shown() -> Shown:
    groups = [[MODEL, MISTAKE], RESULTS, [f"print({each})" for each in RESULTS], PLOTS, [SPY, SWING, WHAT_WAS_SEEN]]
    found = iter(outputs(*chain.from_iterable(groups)))
    (_, mistake), results, prints, plots, (_, bar, pages) = (list(islice(found, len(group))) for group in groups)
    return Shown(results, prints, plots, mistake, bar, pages)


def test_results_are_shown_once(shown: Shown) -> None:
    assert len(shown.results) == len(RESULTS)
    for each in shown.results:
        assert [output.output_type for output in each] == ["execute_result"]
        assert "<b>" in each[0].data["text/html"]


def test_results_are_printed(shown: Shown) -> None:
    assert len(shown.prints) == len(RESULTS)
    for each in shown.prints:
        assert {output.output_type for output in each} == {"stream"}
        printed = [output.text for output in each if output.name == "stdout"]  # on a busy machine progress is beside it
        assert "Lag" in "".join(printed)


def test_a_plot_is_shown_once(shown: Shown) -> None:
    assert len(shown.plots) == len(PLOTS)
    for each in shown.plots:
        assert [sorted(output.data) for output in each] == [["image/png", "text/plain"]]


def test_an_error_names_the_cell(shown: Shown) -> None:
    text = "\n".join(shown.mistake[0].traceback)
    assert "at Cell In[2], line 3" in text
    assert "tg.simulate(Lag(), 1.0, parameters={'Q': 1.0})" in text


def test_a_long_run_shows_a_bar(shown: Shown) -> None:
    assert [output.output_type for output in shown.bar] == ["display_data"]
    assert "Swing" not in shown.bar[0].data["text/html"]  # gone when the run is over
    assert "Swing" in shown.pages[0].text
    assert "of 1e+04 s" in shown.pages[0].text
