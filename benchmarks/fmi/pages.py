"""Every example as a page: written, opened in a browser, run there, and compared with tg.simulate.

    python -m benchmarks.fmi.pages [name ...]

The models are those of export_examples.py. Times are the least of ten runs in the page. Deviations are those of the
worst curve at the end, in parts of its largest value; curves that are zero but for rounding are left out.
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from benchmarks.fmi.export_examples import EXAMPLES, STOPS, last_component

sys.path.insert(0, str(EXAMPLES.parent / "tests"))
from browser import Browser, find_browser

ZERO = 1e-9


def line_of(name: str, program: str, folder: Path) -> str:
    """What is known of one example."""
    component = last_component(name)
    if component is None:
        return ""
    compiled = tg.compile(component)
    stop = STOPS.get(name, compiled.flat.experiment.stop or 1.0)
    page = tg.export_html(compiled, folder / f"{name}.html", stop=stop)
    with Browser(program) as browser:
        browser.open(page.path)
        browser.wait_for("document.getElementById('state').textContent !== ''")
        head, *rows = csv.reader(io.StringIO(browser.value("tellegen.table()")))
        time = browser.value(
            "Math.min(...Array.from({length: 10}, () => (tellegen.again(), tellegen.run().milliseconds)))"
        )
        state = browser.value("tellegen.run().failure")
    solution = tg.simulate(compiled, stop=stop, solver=page.solver)
    off = deviation(head[1:], np.array(rows[-1][1:], float), solution)
    size = f"{page.code_size / 1000:6.0f} kB"
    return f"{name:26} {page.solver:6} {size} {len(rows):6} rows {time:8.2f} ms  off {off:.1e}  {state}"


def deviation(headings: list[str], last: Any, solution: tg.Solution) -> float:
    """Of the worst curve at the end."""
    worst = 0.0
    for heading, value in zip(headings, last, strict=True):
        curve = np.asarray(solution[heading.rsplit(" [", 1)[0]])
        size = float(np.abs(curve).max())
        if size > ZERO:
            worst = max(worst, abs(value - float(curve[-1])) / size)
    return worst


def main() -> None:
    """A line for each example."""
    warnings.simplefilter("ignore")
    program = find_browser()
    if program is None:
        sys.exit("no Chromium, Chrome or Edge is installed; CHROME may name one")
    names = sys.argv[1:] or sorted(path.stem for path in EXAMPLES.glob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            try:
                line = line_of(name, program, Path(folder))
            except tg.TellegenError as error:
                line = f"{name:26} {str(error).splitlines()[0][:90]}"
            if line:
                print(line, flush=True)


if __name__ == "__main__":
    main()
