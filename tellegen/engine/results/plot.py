"""Curves of a Solution on paper: quantities of one unit share a panel, legends stand beside the curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.readout.quantity import Quantity, displayed, split_unit
from tellegen.engine.request.path_lookup import paths_of
from tellegen.errors import LanguageError
from tellegen.figure import entitle, panels, styled, with_unit
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution

MANY = 8  # more curves of one array than this are shaded from first to last
MARKS = 100  # events that may be lines across the panel
MOST = 60  # of more than this, so many evenly spaced ones are drawn


@dataclass(frozen=True, eq=False)
class PlotOptions:
    """How a plot is asked for; see Solution.plot."""

    x: str = "time"
    axes: Any = None
    title: str | None = None
    events: bool = False


@dataclass(frozen=True, eq=False)
class Abscissa:
    """The horizontal axis: one number for each point of the solution."""

    values: Any
    label: str
    is_time: bool


def plot(solution: Solution, paths: tuple[str, ...], options: PlotOptions) -> Any:
    """A figure with one panel per unit or enumeration, in the order in which they are first used.

    With `events` every event is a thin vertical line; so many that they would hide the curves are ticks at the bottom.
    """
    x = abscissa(solution, options.x)
    by_unit: dict[Any, list[Quantity]] = {}
    for path in paths_of(paths):
        what = displayed(solution._reduced, path)
        by_unit.setdefault(what.literals or what.unit.text, []).append(what)
    if not by_unit:
        advice = "name paths: solution.plot('motor.i', 'load.w'); without any, what the model shows is drawn"
        raise LanguageError(
            "E197", "there is nothing to plot: the list of paths is empty", location=here(), advice=advice
        )
    if options.axes is not None:
        return _on_own_axes(solution, by_unit, x, options)
    count = len(by_unit)
    with panels(count, 1, (8.5, 1.2 + 2.3 * count), sharex=True) as (figure, axes):
        for axis, (unit, members) in zip(axes[:, 0], by_unit.items(), strict=True):
            _panel(axis, solution, unit, members, x)
            if options.events:
                _mark_events(axis, solution, x)
            if len(axis.get_lines()) > 1:
                axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=1.4)
        axes[-1, 0].set_xlabel(x.label)
        figure.align_ylabels()
        entitle(figure, options.title if options.title is not None else title_of(solution))
    return figure


def abscissa(solution: Solution, path: str) -> Abscissa:
    """The horizontal axis that a path names."""
    if split_unit(path.strip())[0] != "time":
        path = displayed(solution._reduced, path).path
    values = np.asarray(solution[path])
    name = split_unit(path.strip())[0]
    if values.shape != solution.time.shape:
        raise LanguageError(
            "E197",
            f"x='{path}' is not one curve: it has the shape {values.shape}, and the solution {len(solution)} points",
            location=here(),
            advice="name one variable, or an element of an array: x='T[0]'",
        )
    return Abscissa(values, with_unit(name, solution.unit(path)), name == "time")


def title_of(solution: Solution) -> str:
    """The model, and where its run ended if not at the stop time."""
    name = solution.name
    return name if solution.outcome.ok else f"{name}  ({solution.outcome.code} at t = {solution.outcome.time:.4g} s)"


def _on_own_axes(solution: Solution, by_unit: dict[Any, list[Quantity]], x: Abscissa, options: PlotOptions) -> Any:
    """The curves on axes of the user: all on one, or a panel on each. The layout of the figure is the user's."""
    own = list(np.ravel(options.axes))
    groups = list(by_unit.items())
    if len(own) == 1 and len(groups) > 1:
        groups = [("", [what for _, members in groups for what in members])]
    if len(own) != len(groups):
        raise LanguageError(
            "E197",
            f"{len(own)} axes for {len(groups)} panels: {', '.join(str(unit) for unit, _ in groups)}",
            location=here(),
            advice="one axes for each unit, or one for all curves",
        )
    with styled():
        for axis, (unit, members) in zip(own, groups, strict=True):
            _panel(axis, solution, unit, members, x)
            axis.set_xlabel(x.label)
            if options.events:
                _mark_events(axis, solution, x)
            if len(axis.get_lines()) > 1:
                axis.legend()
        if options.title is not None:
            own[0].set_title(options.title)
    return own[0].figure


def _panel(axis: Any, solution: Solution, unit: Any, members: list[Quantity], x: Abscissa) -> None:
    """The curves of one unit with the labels of their axis."""
    for what in members:
        _curves(axis, solution, what, x)
    if isinstance(unit, tuple):
        named = [k for k, name in enumerate(unit) if name]
        axis.set_yticks(named, [unit[k] for k in named])
        axis.set_ylim(named[0] - 0.3, named[-1] + 0.3)
    else:
        axis.set_ylabel(f"[{unit}]" if unit and unit != "1" else "")
    axis.set_title(heading(members), fontsize="small", color="#333333")
    axis.margins(x=0.01 if x.is_time else 0.03)


def _mark_events(axis: Any, solution: Solution, x: Abscissa) -> None:
    rows = solution.time.searchsorted(np.unique([event.time for event in solution.events]))
    places = x.values[np.minimum(rows, len(solution) - 1)]
    height = 1.0 if len(places) <= MARKS else 0.04
    axis.vlines(places, 0.0, height, transform=axis.get_xaxis_transform(), color="#999999", linewidth=0.7, zorder=0)


def _curves(axis: Any, solution: Solution, what: Quantity, x: Abscissa) -> None:
    """One curve, the curves of an array (shaded when there are many), or the level of a parameter."""
    values = np.asarray(solution[what.path])
    if what.parameter:
        for level in values.ravel():
            axis.axhline(level, label=what.name, linestyle="--", linewidth=1.1, color="#555555")
        return
    curves = values.reshape(len(solution.time), -1)
    count = curves.shape[1]
    shades = [None] * count if count <= MANY else _shades(count)
    drawn = {int(k) for k in np.linspace(0, count - 1, min(count, MOST)).round()} | {count // 2}
    for k in sorted(drawn):
        label = what.scalar_name(solution._reduced, k) if count > 1 else what.name
        if count > MANY and k not in (0, count // 2, count - 1):
            label = "_hidden"
        axis.plot(x.values, curves[:, k], label=label, color=shades[k])


def _shades(count: int) -> list[Any]:
    import matplotlib

    return list(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.92, count)))


def heading(members: list[Quantity]) -> str:
    """What the panel shows: a single curve with its description, or the description that all curves share."""
    texts = {what.description for what in members}
    text = texts.pop() if len(texts) == 1 else ""
    if len(members) > 1:
        return text
    return f"{members[0].name}: {text}" if text else members[0].name
