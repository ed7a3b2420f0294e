"""A state machine on paper: modes on a circle, transitions as bent arrows with their guards beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.figure import entitle, panels
from tellegen.frontends.python.discrete.modes import Modes, Transition
from tellegen.frontends.python.expressions.notation import show_symbol

_BOX = {"boxstyle": "round,pad=0.5", "facecolor": "#eef3fa", "edgecolor": "#3366aa"}
_LABEL = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}


def plot(statement: Modes, title: str) -> Any:
    """A figure; the mode at the start has a double weight of line, modes inside a mode stand below its name."""
    count = len(statement.modes)
    angle = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    position = {name: (np.cos(a), np.sin(a)) for name, a in zip(statement.names, angle, strict=True)}
    with panels(1, 1, (7.0, 6.0)) as (figure, ((axis,),)):
        axis.set(xlim=(-1.6, 1.6), ylim=(-1.45, 1.45), aspect="equal")
        axis.axis("off")
        for transition in statement.transitions:
            _arrow(axis, transition, position)
        for mode in statement.modes:
            inside = [f"{inner.names}".replace("'", "") for inner in mode.inner]
            box = {**_BOX, "linewidth": 2.4 if mode.name == statement.start else 1.0}
            text = "\n".join([mode.name, *inside])
            axis.text(*position[mode.name], text, ha="center", va="center", bbox=box, zorder=3)
        entitle(figure, title)
    return figure


def _arrow(axis: Any, transition: Transition, position: dict[str, Any]) -> None:
    start = np.array(position[transition.source])
    end = np.array(position[transition.target])
    style: dict[str, Any] = {"arrowstyle": "-|>", "color": "#555555", "shrinkA": 26, "shrinkB": 26}
    if transition.source == transition.target:
        outward = 1.32 * start
        style |= {"connectionstyle": "arc3,rad=1.6"}
        aside = np.array([0.12, 0.0])
        start = start + aside
        end = end - aside
        label = outward
    else:
        across = end - start
        label = 0.5 * (start + end) + 0.08 * np.array([across[1], -across[0]])
        style |= {"connectionstyle": "arc3,rad=0.16"}
    axis.annotate("", end, start, arrowprops=style)
    text = show_symbol(transition.guard)
    axis.text(*label, text, ha="center", va="center", fontsize=8, color="#aa3322", bbox=_LABEL, zorder=4)
