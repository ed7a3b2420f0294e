"""Curves of a Solution on paper: quantities of one unit share a panel, legends stand beside the curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.readout.quantity import Quantity, quantity
from tellegen.engine.request.path_lookup import paths_of
from tellegen.figure import entitle, panels

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution

MANY = 8  # more curves of one array than this are shaded from first to last
MARKS = 100  # events that may be lines across the panel
MOST = 60  # of more than this, so many evenly spaced ones are drawn


def plot(solution: Solution, paths: tuple[str, ...], title: str | None = None, events: bool = False) -> Any:
    """A figure with one panel per unit or enumeration, in the order in which they are first used.

    With `events` every event is a thin vertical line; so many that they would hide the curves are ticks at the bottom.
    """
    by_unit: dict[Any, list[Quantity]] = {}
    for path in paths_of(paths):
        what = quantity(solution._reduced, path)
        by_unit.setdefault(_names(what) or what.unit.text, []).append(what)
    count = len(by_unit)
    with panels(count, 1, (8.5, 1.2 + 2.3 * count), sharex=True) as (figure, axes):
        for axis, (unit, members) in zip(axes[:, 0], by_unit.items(), strict=True):
            for what in members:
                _curves(axis, solution, what)
            if isinstance(unit, tuple):
                axis.set_yticks(range(len(unit)), unit)
                axis.set_ylim(-0.3, len(unit) - 0.7)
            else:
                axis.set_ylabel(f"[{unit}]" if unit and unit != "1" else "")
            if events:
                _mark_events(axis, solution)
            axis.set_title(_heading(members), fontsize="small", color="#333333")
            axis.margins(x=0.01)
            if len(axis.get_lines()) > 1:
                axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=1.4)
        axes[-1, 0].set_xlabel("time [s]")
        figure.align_ylabels()
        entitle(figure, title if title is not None else _title(solution))
    return figure


def _mark_events(axis: Any, solution: Solution) -> None:
    times = np.unique([event.time for event in solution.events])
    height = 1.0 if len(times) <= MARKS else 0.04
    axis.vlines(times, 0.0, height, transform=axis.get_xaxis_transform(), color="#999999", linewidth=0.7, zorder=0)


def _names(what: Quantity) -> tuple[str, ...]:
    """The names of an enumeration's values; they have a panel of their own."""
    return getattr(what.selection.member, "literals", ())


def _curves(axis: Any, solution: Solution, what: Quantity) -> None:
    """One curve, the curves of an array (shaded when there are many), or the level of a parameter."""
    values = np.asarray(solution[what.path])
    if what.parameter:
        for level in values.ravel():
            axis.axhline(level, label=what.path, linestyle="--", linewidth=1.1, color="#555555")
        return
    curves = values.reshape(len(solution.time), -1)
    count = curves.shape[1]
    scalars = what.selection.indices.ravel()
    name = solution._reduced.flat.variables.name
    shades = [None] * count if count <= MANY else _shades(count)
    drawn = {int(k) for k in np.linspace(0, count - 1, min(count, MOST)).round()} | {count // 2}
    for k in sorted(drawn):
        label = "der(" * what.order + name(int(scalars[k])) + ")" * what.order if count > 1 else what.path
        if count > MANY and k not in (0, count // 2, count - 1):
            label = "_hidden"
        axis.plot(solution.time, curves[:, k], label=label, color=shades[k])


def _shades(count: int) -> list[Any]:
    import matplotlib

    return list(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.92, count)))


def _heading(members: list[Quantity]) -> str:
    """What the panel shows: a single curve with its description, or the description that all curves share."""
    texts = {what.description for what in members}
    text = texts.pop() if len(texts) == 1 else ""
    if len(members) > 1:
        return text
    return f"{members[0].path}: {text}" if text else members[0].path


def _title(solution: Solution) -> str:
    name = solution.name
    return name if solution.outcome.ok else f"{name}  ({solution.outcome.code} at t = {solution.outcome.time:.4g} s)"
