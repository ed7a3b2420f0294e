"""Generate images of pages about analyses from the code that these show:

    python docs/images/analysis_images.py

kinks_and_events.png: errors and steps of a corner written both ways; explained_run.png: the steps of a run by what
limited them; servo_nyquist.png: the Nyquist plot of a loop.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.figure import panels

FOLDER = Path(__file__).resolve().parent
TOLERANCES = 10.0 ** -np.arange(3.0, 9.5, 0.5)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)  # those with a mark are shown only, or fail on purpose


def main() -> None:
    """Write all images."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # pages write files
        kinks = names_of("kinks-and-events.md")
        _kinks(kinks)
        names_of("simulation.md")["why"].plot().savefig(FOLDER / "explained_run.png", dpi=110)
        open_loop = names_of("linearization.md")["open_loop"]
        open_loop.plot("nyquist").savefig(FOLDER / "servo_nyquist.png", dpi=110)


def names_of(page: str) -> dict[str, Any]:
    """What a page defines."""
    names: dict[str, Any] = {"__name__": "__docs__"}
    for code in BLOCK.findall((FOLDER.parent / page).read_text(encoding="utf-8")):
        exec(compile(code, page, "exec", dont_inherit=True), names)
    return names


def _kinks(page: dict[str, Any]) -> None:
    """Errors over tolerances, and the steps of a run."""
    labels = {"Kink": "maximum: a kink", "Located": "where: an event"}
    with panels(1, 2, (10.0, 3.8)) as (figure, ((left, right),)):
        for name, label in labels.items():
            model = tg.compile(page[name]())
            runs = [model.simulate(10.25, rtol=float(rtol), solver="rk45") for rtol in TOLERANCES]
            errors = [abs(run["q"][-1] / page["exact"] - 1.0) for run in runs]
            left.loglog(TOLERANCES, errors, "o-", markersize=4, label=label)
            limits = model.simulate(2.25, solver="rk45").explain().limits
            right.semilogy(limits.start, limits.size, ".-", markersize=4, linewidth=0.8, label=label)
        left.loglog(TOLERANCES, TOLERANCES, color="#888888", linewidth=0.9, linestyle="--", label="rtol")
        left.invert_xaxis()
        left.set(xlabel="rtol", ylabel="relative error of q", title="after ten periods")
        right.set(xlabel="time [s]", ylabel="step [s]", title="steps with rtol=1e-6")
        left.legend()
        right.legend()
        figure.savefig(FOLDER / "kinks_and_events.png", dpi=110)


if __name__ == "__main__":
    main()
