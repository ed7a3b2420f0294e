"""The steps of a run as a picture: their size over time, coloured by what limited them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.figure import entitle, panels

if TYPE_CHECKING:
    from tellegen.engine.explained.run_explanation import RunExplanation

_COLOURED = 6
_OTHERS = "#bbbbbb"
_LONGEST_NAME = 40


def plot_limits(run: RunExplanation) -> Any:
    """One point for each step; those who limit few steps share a colour."""
    limits = run.limits
    most = [each.limiter for each in run.counts[:_COLOURED]]
    with panels(1, 1, (9.0, 4.2)) as (figure, ((axis,),)):
        drawn = np.zeros(run.steps, bool)
        for limiter in most:
            mine = limits.who == limits.limiters.index(limiter)
            drawn |= mine
            label = limiter.name if len(limiter.name) <= _LONGEST_NAME else f"{limiter.name[: _LONGEST_NAME - 3]}..."
            axis.plot(limits.start[mine], limits.size[mine], ".", markersize=4, label=f"{label} ({mine.sum()})")
        if not drawn.all():
            axis.plot(limits.start[~drawn], limits.size[~drawn], ".", markersize=3, color=_OTHERS, label="others")
        axis.set_yscale("log")
        axis.set_xlabel("time [s]")
        axis.set_ylabel("step [s]")
        axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), markerscale=2.0, title="limited by")
        entitle(figure, f"{run.name}: steps")
    return figure
