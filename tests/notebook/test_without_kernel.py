"""What notebooks need of us, checked without one: matplotlib's state, figures as values of cells, names of cells."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from tellegen.figure import new_figure, styled
from tellegen.ir.source_location import SourceLocation

mpl.use("Agg")


def test_drawing_keeps_the_interactive_mode_that_the_first_figure_turns_on() -> None:
    grid = mpl.rcParams["axes.grid"]
    plt.ioff()
    with styled():
        plt.ion()  # as matplotlib's inline backend does when it is loaded
        assert mpl.rcParams["axes.grid"] is True
    assert plt.isinteractive()
    assert mpl.rcParams["axes.grid"] is grid
    plt.ioff()


@pytest.mark.parametrize(("backend", "open_after"), [("inline", False), ("agg", True)])
def test_a_figure_that_is_the_value_of_a_cell_is_not_shown_again(
    monkeypatch: pytest.MonkeyPatch, backend: str, open_after: bool
) -> None:
    figure, _ = new_figure(1, 1, (3.0, 2.0))
    monkeypatch.setattr(plt, "get_backend", lambda: backend)
    with pytest.raises(NotImplementedError):  # IPython then shows it by its usual means
        figure._ipython_display_()
    assert plt.fignum_exists(figure.number) is open_after
    plt.close(figure)


def test_a_location_in_a_cell_is_named_as_ipython_does(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"/tmp/ipykernel_1/123.py": ("Cell", "In[7]")}
    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name=names.get))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert str(SourceLocation("/tmp/ipykernel_1/123.py", 4, "Lag")) == "Cell In[7], line 4 (Lag)"
    assert str(SourceLocation("/home/me/model.py", 4)) == "model.py:4"
