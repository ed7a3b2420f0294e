"""Figures in one style. A plot returns its matplotlib Figure and never writes a file: `result.plot().savefig(...)`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tellegen.start.artist_documentation import documented_on_first_use
from tellegen.start.garbage_collection import lasting

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


@contextmanager
def styled() -> Iterator[None]:
    """A context in which matplotlib draws in this style.

    Only our settings are put back: the first figure in a notebook turns matplotlib's interactive mode on, which
    plt.rc_context would turn off again, and later figures were shown no more.
    """
    rcParams = pyplot().rcParams
    before = {key: rcParams[key] for key in STYLE}
    rcParams.update(STYLE)
    try:
        yield
    finally:
        rcParams.update(before)


@contextmanager
def panels(rows: int, columns: int, size: tuple[float, float], **options: Any) -> Iterator[tuple[Any, Any]]:
    """A figure and the matrix of its axes, to be drawn on inside the `with`; options are those of plt.subplots."""
    with styled():
        yield new_figure(rows, columns, size, **options)


def new_figure(rows: int, columns: int, size: tuple[float, float], **options: Any) -> tuple[Any, Any]:
    """A figure and the matrix of its axes, in the style that matplotlib draws in now."""
    plt = pyplot()
    from tellegen.notebook_figure import ResultFigure  # imports matplotlib, so not before the first plot

    options = {"layout": "constrained", **options}
    return plt.subplots(rows, columns, squeeze=False, figsize=size, FigureClass=ResultFigure, **options)


def pyplot() -> Any:
    """matplotlib.pyplot, imported by the first plot."""
    with lasting(), documented_on_first_use():  # it makes many objects, and all of them stay
        import matplotlib.pyplot as plt
    return plt


def entitle(figure: Any, title: str) -> None:
    """The title of a figure, above all its panels."""
    figure.suptitle(title, x=0.01, ha="left")


def with_unit(name: str, unit: str) -> str:
    """The label of an axis."""
    return f"{name} [{unit}]" if unit and unit != "1" else name
