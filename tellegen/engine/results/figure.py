"""Figures in one style. A plot returns its matplotlib Figure and never writes a file: `result.plot().savefig(...)`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

STYLE: dict[Any, Any] = {
    "axes.prop_cycle": "cycler('color', ['#3366aa', '#dd5533', '#229977', '#aa3377', '#cc9911', '#55aacc', '#777777'])",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.edgecolor": "#666666",
    "axes.labelcolor": "#333333",
    "axes.titlelocation": "left",
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.7,
    "xtick.color": "#666666",
    "ytick.color": "#666666",
    "xtick.labelcolor": "#333333",
    "ytick.labelcolor": "#333333",
    "font.size": 10.0,
    "legend.frameon": False,
    "legend.fontsize": "small",
    "figure.titlesize": "large",
    "figure.titleweight": "bold",
}


def styled() -> AbstractContextManager[None]:
    """A context in which matplotlib draws in this style."""
    import matplotlib.pyplot as plt

    return plt.rc_context(STYLE)


@contextmanager
def panels(rows: int, columns: int, size: tuple[float, float], **options: Any) -> Iterator[tuple[Any, Any]]:
    """A figure and the matrix of its axes, to be drawn on inside the `with`; options are those of plt.subplots."""
    import matplotlib.pyplot as plt

    with styled():
        yield plt.subplots(rows, columns, squeeze=False, figsize=size, layout="constrained", **options)


def with_unit(name: str, unit: str) -> str:
    """The label of an axis."""
    return f"{name} [{unit}]" if unit and unit != "1" else name
