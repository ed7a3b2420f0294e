"""The figure of a plot. Imported with matplotlib, by the first plot."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

_INLINE = ("inline", "module://matplotlib_inline.backend_inline")


class ResultFigure(Figure):
    """A matplotlib Figure that a notebook shows once, also as the value of the cell that draws it.

    The inline backend shows every open figure at the end of a cell; a figure that is the cell's value would be shown
    a second time.
    """

    def _ipython_display_(self) -> None:
        if plt.get_backend().lower() in _INLINE:
            plt.close(self)
        raise NotImplementedError  # IPython's word for "show it as usual"
