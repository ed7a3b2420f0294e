"""A real Jupyter kernel: everything is shown once, print() prints, long runs show a bar, errors name the cell."""

from __future__ import annotations

import asyncio
import os
import sys
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


def test_results_are_shown_once_and_printed() -> None:
    shown = ["solution", "solution.explain()", "tg.compile(Lag()).report()", "tg.explain(Lag())"]
    shown += ["tg.linearize(Lag())", "Lag()"]
    _, *found = outputs(MODEL, *shown, *(f"print({each})" for each in shown))
    for each in found[: len(shown)]:
        assert [output.output_type for output in each] == ["execute_result"]
        assert "<b>" in each[0].data["text/html"]
    for each in found[len(shown) :]:
        assert {output.output_type for output in each} == {"stream"}
        printed = [output.text for output in each if output.name == "stdout"]  # on a busy machine progress is beside it
        assert "Lag" in "".join(printed)


def test_a_plot_is_shown_once() -> None:
    plot = "solution.plot()"
    cells = [plot, plot, f"{plot};", f"figure = {plot}", "figure"]
    cells += ["tg.linearize(Lag()).plot()", "solution.explain().plot()"]
    _, *found = outputs(MODEL, *cells)
    for each in found:
        assert [sorted(output.data) for output in each] == [["image/png", "text/plain"]]


def test_an_error_names_the_cell() -> None:
    _, found = outputs(MODEL, "a = 1\n\ntg.simulate(Lag(), 1.0, parameters={'Q': 1.0})")
    text = "\n".join(found[0].traceback)
    assert "at Cell In[2], line 3" in text
    assert "tg.simulate(Lag(), 1.0, parameters={'Q': 1.0})" in text


def test_a_long_run_shows_a_bar() -> None:
    spy = """
from IPython.display import DisplayHandle
pages = []
update = DisplayHandle.update
DisplayHandle.update = lambda self, page: (pages.append(page.data), update(self, page))[1]
"""
    _, _, bar, pages = outputs(MODEL, spy, SWING, "print(len(pages), pages[len(pages) // 2], pages[-1])")
    assert [output.output_type for output in bar] == ["display_data"]
    assert "Swing" not in bar[0].data["text/html"]  # gone when the run is over
    assert "Swing" in pages[0].text
    assert "of 1e+04 s" in pages[0].text
