"""An array of a Solution as an image: time to the right, the elements upwards, values as colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.readout.quantity import Quantity, displayed
from tellegen.engine.results.plot import PlotOptions, abscissa, heading, title_of
from tellegen.errors import LanguageError
from tellegen.figure import entitle, panels, styled, with_unit
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution


def plot_field(solution: Solution, path: str, along: Any, options: PlotOptions) -> Any:
    """A figure of the array, or its image on axes of the user."""
    what = displayed(solution._reduced, path)
    values = np.asarray(solution[path])
    if what.parameter or values.ndim != 2:
        raise LanguageError(
            "E197",
            f"'{path}' is not a field over time: it has the shape {what.shape}, not one dimension",
            location=here(),
            advice="name an array of variables, 'rod.T', or of components, 'cells.T'; of a matrix a row, 'T[0, :]'",
        )
    places = _positions(along, values.shape[1], path)
    if options.axes is not None:
        with styled():
            _image(options.axes, solution, what, places, options.x)
            options.axes.set_ylabel("index" if along is None else "position")
            options.axes.set_title(heading([what]) if options.title is None else options.title)
        return options.axes.figure
    with panels(1, 1, (8.5, 4.0)) as (figure, ((axis,),)):
        _image(axis, solution, what, places, options.x)
        axis.set_ylabel("index" if along is None else "position")
        axis.set_title(heading([what]), fontsize="small", color="#333333")
        entitle(figure, options.title if options.title is not None else title_of(solution))
    return figure


def _positions(along: Any, count: int, path: str) -> FloatArray:
    if along is None:
        return np.arange(count, dtype=float)
    try:
        places = np.asarray(along, float)
    except (TypeError, ValueError):
        places = np.zeros(0)
    if places.shape == (count,) and (np.diff(places) > 0.0).all():
        return places
    raise LanguageError(
        "E197",
        f"along={along!r} does not fit '{path}', which has {count} elements: positions are as many increasing numbers",
        location=here(),
        advice=f"for instance np.linspace(0.0, length, {count})",
    )


def _image(axis: Any, solution: Solution, what: Quantity, places: FloatArray, x: str) -> None:
    """Cells around each point of time and position; at an event the two values have their own sides."""
    across = abscissa(solution, x)
    mesh = axis.pcolormesh(across.values, places, np.asarray(solution[what.path]).T, shading="nearest", rasterized=True)
    axis.grid(False)
    axis.set_xlabel(across.label)
    axis.figure.colorbar(mesh, ax=axis, label=with_unit(what.name, what.unit.text), pad=0.02)
