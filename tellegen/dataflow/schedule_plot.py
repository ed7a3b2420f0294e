"""A schedule as a picture: levels from left to right, tasks as boxes, between them the values that they pass on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tellegen.figure import panels

if TYPE_CHECKING:
    from tellegen.dataflow.schedule import Schedule

_WIDTH = 2.3  # of a level, in inches
_HEIGHT = 0.42  # of a task or value
_TASK = {"boxstyle": "round,pad=0.3", "facecolor": "#dde7f3", "edgecolor": "#3366aa"}
_IDLE = {"boxstyle": "round,pad=0.3", "facecolor": "#f4f4f4", "edgecolor": "#aaaaaa"}
_VALUE = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}


def plot_schedule(schedule: Schedule) -> Any:
    """The figure of a schedule."""
    levels = dict(schedule.levels())
    tallest = max(map(len, levels.values()), default=1)
    size = (max(4.0, _WIDTH * len(levels)), max(2.0, _HEIGHT * tallest + 1.0))
    place = {
        name: (level, (len(names) - 1) / 2.0 - k) for level, names in levels.items() for k, name in enumerate(names)
    }
    with panels(1, 1, size) as (figure, matrix):
        axis = matrix[0, 0]
        for task in schedule.tasks:
            own = place[task.name]
            arrows = [(own, place[name]) for name in task.gives if name in place]
            arrows += [(place[name], own) for name in task.needs if name in place]
            for begin, end in arrows:
                axis.plot(*zip(begin, end, strict=True), color="#bbbbbb", linewidth=0.8, zorder=0)
            look = _IDLE if task.idle else _TASK
            axis.text(*own, task.name, ha="center", va="center", fontsize=8, bbox=look)
        for name in (name for level, names in levels.items() if level % 2 for name in names):
            axis.text(*place[name], name, ha="center", va="center", fontsize=8, color="#555555", bbox=_VALUE)
        axis.set_xlim(-0.6, max(levels, default=0) + 0.6)
        axis.set_ylim(-tallest / 2.0 - 0.3, tallest / 2.0 + 0.3)
        axis.set_xticks(list(levels), [f"level {level}" for level in levels])
        axis.set_yticks([])
        axis.grid(False)
        axis.spines["left"].set_visible(False)
        axis.set_title(f"Schedule of {schedule.model}")
    return figure
