"""The pattern of a model's equations, as they are found and in order of evaluation: the block lower triangular form."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.dataflow.rows import rows_of
from tellegen.figure import entitle, panels
from tellegen.ir.sorted import EXPLICIT, LINEAR, SortedModel

_FRAMES = {LINEAR: ("#1f5fbf", "linear block"), -1: ("#c92a2a", "nonlinear block")}


def plot_blocks(model: SortedModel) -> Any:
    """Two pictures: which unknown occurs in which equation, unordered and ordered; blocks are framed."""
    blocks = model.blocks
    rows, columns = rows_of(model).occurrences(model.wanted)
    order = np.lexsort((np.where(blocks.inner < 0, 1 << 30, blocks.inner), blocks.block))
    row_position = np.empty(len(order), np.int64)
    row_position[order] = np.arange(len(order))
    column_position = np.empty(len(order), np.int64)
    column_position[blocks.assigned[order]] = np.arange(len(order))
    size = max(1.0, min(9.0, 320.0 / max(len(order), 1)))
    with panels(1, 2, (11.0, 5.6)) as (figure, ((left, right),)):
        for axes, x, y, title in (
            (left, columns, rows, "as found"),
            (right, column_position[columns], row_position[rows], "in order of evaluation"),
        ):
            axes.plot(x, y, "s", ms=size, color="#343a40", mew=0)
            axes.set(xlim=(-0.5, len(order) - 0.5), ylim=(len(order) - 0.5, -0.5), aspect="equal", title=title)
            axes.set(xlabel="unknowns", ylabel="equations")
            axes.locator_params(integer=True)
        _frames(right, model, row_position)
        entitle(figure, model.flat.name)
    return figure


def _frames(axes: Any, model: SortedModel, row_position: Any) -> None:
    """Frames around what is solved together, with a legend."""
    from matplotlib.patches import Rectangle

    blocks = model.blocks
    frames: dict[str, Any] = {}
    for block in np.flatnonzero(blocks.kind != EXPLICIT).tolist():
        positions = row_position[blocks.block == block]
        colour, word = _FRAMES[LINEAR if blocks.kind[block] == LINEAR else -1]
        corner = positions.min() - 0.5
        size = np.ptp(positions) + 1
        frame = Rectangle((corner, corner), size, size, fill=False, ec=colour, lw=1.8)
        frames.setdefault(word, axes.add_patch(frame))
    if frames:
        axes.legend(frames.values(), frames.keys(), loc="upper right", fontsize=9)
