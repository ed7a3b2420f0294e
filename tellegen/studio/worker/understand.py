"""Pages about a model: what it is made of, its equations at every stage, its linear graph, what the compiler did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.studio.messages.questions import Explain, Explained, GraphEdge, Mark

PAGES = ("model", "equations", "reduced", "blocks", "graph", "report", "time")
MOST_CHARACTERS = 400_000


def explained(task: Explain, model: Any, compiled: Any, solution: Any) -> Explained:
    """The page that was asked for; the text is that of the command line."""
    if task.what not in PAGES:
        raise tg.DocumentError("E898", f"{task.what!r} is none of {', '.join(PAGES)}")
    marks: tuple[Mark, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    match task.what:
        case "model":
            text = str(tg.explain(model))
            marks = tuple(_states(compiled))
        case "equations":
            text = str(compiled.flat)
        case "reduced":
            text = str(compiled.equations())
        case "blocks":
            text = str(compiled.schedule())
        case "graph":
            graph = tg.system_graph(model)
            text = f"{graph}\n\n{graph.normal_tree()}"
            edges = tuple(_edges(graph))
        case "time":
            if solution is None:
                raise tg.DocumentError("E898", "there is no run so far", advice="run the model first")
            text = f"{solution.stats['seconds']:.3g} s, {solution.stats['solver_reason']}\n{solution.explain()}"
        case _:
            text = str(compiled.report())
    return Explained(task.what, text[:MOST_CHARACTERS], marks, edges)


def _states(compiled: Any) -> Iterator[Mark]:
    """The states that belong to each part."""
    by_part: dict[str, list[str]] = {}
    reduced = compiled.reduced
    for column in np.flatnonzero(reduced.is_state).tolist():
        state = variable_text(reduced, int(reduced.unknowns[column]))
        part, dot, rest = state.removeprefix("der(").partition(".")
        if dot:
            by_part.setdefault(part.split("[")[0], []).append(rest.rstrip(")") if state.startswith("der(") else rest)
    for part, states in by_part.items():
        more = f" +{len(states) - 3}" if len(states) > 3 else ""
        yield Mark(part, ", ".join(states[:3]) + more)


def _edges(graph: Any) -> Iterator[GraphEdge]:
    branches = {int(number) for number in graph.normal_tree().branches}
    for number, edge in enumerate(graph.edges):
        yield GraphEdge(edge.label, edge.component, edge.domain, edge.tail, edge.head, number in branches)
