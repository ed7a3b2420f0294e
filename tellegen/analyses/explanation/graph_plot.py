"""The system graph as a picture: branches of the tree bold, chords thin, domains in colour, no label on another.

Edges between the same two vertices are bent apart. Labels stand on their edges; each takes the place along its edge
where it covers the least of what is there already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.analyses.explanation.graph_layout import layout
from tellegen.figure import panels

if TYPE_CHECKING:
    from tellegen.analyses.explanation.system_graph import SystemGraph

_COLOURS = ("#1f5fbf", "#b5541c", "#2b8a3e", "#862e9c", "#c92a2a", "#0b7285", "#7a6a00", "#495057")
_MOST_LABELS = 150
_ALONG = (0.5, 0.38, 0.62, 0.28, 0.72, 0.2, 0.8)


def plot_graph(graph: SystemGraph) -> Any:
    """A matplotlib figure of the graph."""
    network = graph.network
    positions = layout(network.tail, network.head, len(network.vertex_domain))
    span = np.ptp(positions, axis=0) if len(positions) else np.ones(2)
    size = (min(max(6.0, 1.9 * span[0]), 24.0), min(max(4.0, 1.9 * span[1]), 18.0))
    bends = _bends(network.tail, network.head)
    with panels(1, 1, size, layout=None) as (figure, ((axes,),)):
        curves = [_draw_edge(axes, graph, k, positions, bend) for k, bend in enumerate(bends)]
        _draw_vertices(axes, graph, positions)
        axes.set_aspect("equal")
        axes.margins(0.12)
        axes.axis("off")
        _legend(axes, graph)
        if len(curves) <= _MOST_LABELS:
            _label(figure, axes, graph, curves, positions)
    return figure


def _colour(domain: int) -> str:
    return _COLOURS[domain % len(_COLOURS)]


def _bends(tail: Any, head: Any) -> list[float]:
    """How far edges between the same two vertices are bent to the side, each another way."""
    pairs: dict[tuple[int, int], list[int]] = {}
    for k, (a, b) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
        pairs.setdefault((min(a, b), max(a, b)), []).append(k)
    out = [0.0] * len(tail)
    for (first, _), edges in pairs.items():
        for rank, k in enumerate(edges):
            side = (rank - (len(edges) - 1) / 2) * 0.42
            out[k] = side if tail[k] == first else -side
    return out


def _draw_edge(axes: Any, graph: SystemGraph, k: int, positions: Any, bend: float) -> Any:
    """A curve from tail to head with an arrow on its way; its points."""
    network = graph.network
    start = positions[int(network.tail[k])]
    end = positions[int(network.head[k])]
    along = end - start
    middle = (start + end) / 2 + bend * np.array([-along[1], along[0]])
    s = np.linspace(0.0, 1.0, 41)[:, None]
    curve = (1 - s) ** 2 * start + 2 * s * (1 - s) * middle + s**2 * end
    if (start == end).all():
        turn = 2 * np.pi * s
        curve = start + 0.2 * np.concatenate([np.sin(turn), 1 - np.cos(turn)], axis=1)
    bold = bool(graph.forest.in_tree[k])
    colour = _colour(int(network.domain[k]))
    axes.plot(*curve.T, color=colour, lw=3.2 if bold else 1.1, zorder=1, solid_capstyle="round")
    tip = {"arrowstyle": "-|>", "color": colour, "lw": 0, "mutation_scale": 16 if bold else 12}
    axes.annotate("", xy=curve[32], xytext=curve[29], arrowprops=tip, zorder=2)
    return curve


def _draw_vertices(axes: Any, graph: SystemGraph, positions: Any) -> None:
    network = graph.network
    references = set(network.references.tolist())
    for vertex, (x, y) in enumerate(positions):
        colour = _colour(int(network.vertex_domain[vertex]))
        at_reference = vertex in references
        axes.plot(x, y, "s" if at_reference else "o", ms=11 if at_reference else 8, color=colour, zorder=3)
        axes.plot(x, y, "s" if at_reference else "o", ms=5, color="white" if not at_reference else colour, zorder=4)


def _legend(axes: Any, graph: SystemGraph) -> None:
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=_colour(k), lw=3, label=name) for k, name in enumerate(graph.domains)]
    handles.append(Line2D([], [], color="grey", lw=3.2, label="branch of the normal tree"))
    handles.append(Line2D([], [], color="grey", lw=1.1, label="chord"))
    handles.append(Line2D([], [], color="grey", marker="s", lw=0, ms=9, label="reference"))
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, frameon=False, fontsize=9)


def _label(figure: Any, axes: Any, graph: SystemGraph, curves: list[Any], positions: Any) -> None:
    """Names on the edges, each where it covers the least."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    taken = [_box(point, 14.0, 14.0) for point in axes.transData.transform(positions)]
    for k, curve in enumerate(curves):
        colour = _colour(int(graph.network.domain[k]))
        frame = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.85}
        text = axes.text(*curve[20], graph.labels[k], color=colour, fontsize=9, ha="center", va="center", bbox=frame)
        extent = text.get_window_extent(renderer)
        points = axes.transData.transform(curve)
        best = min(
            ((_overlap(box := _box(points[round(40 * s)], extent.width + 4, extent.height + 4), taken), n, s, box)
             for n, s in enumerate(_ALONG)),
            key=lambda choice: choice[:2],
        )  # fmt: skip
        text.set_position(curve[round(40 * best[2])])
        text.set_zorder(5)
        taken.append(best[3])


def _box(centre: Any, width: float, height: float) -> tuple[float, float, float, float]:
    return centre[0] - width / 2, centre[1] - height / 2, centre[0] + width / 2, centre[1] + height / 2


def _overlap(box: tuple[float, ...], others: list[tuple[float, float, float, float]]) -> float:
    """The area that others cover."""
    total = 0.0
    for other in others:
        width = min(box[2], other[2]) - max(box[0], other[0])
        height = min(box[3], other[3]) - max(box[1], other[1])
        total += max(width, 0.0) * max(height, 0.0)
    return total
