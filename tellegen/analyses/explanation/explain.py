"""The story of a model: domains, graph, tree, states and why, order of evaluation, loops, what index reduction did.

print(tg.explain(model))          or at the terminal          tellegen explain file.py:Model
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.analyses.explanation.blocks_plot import plot_blocks
from tellegen.analyses.explanation.conflicts import conflict_texts
from tellegen.analyses.explanation.system_graph import SystemGraph
from tellegen.dataflow.code_loops import component_of
from tellegen.errors import StructureError, users_call
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import equation_text, variable_text
from tellegen.ir.sorted import EXPLICIT, LINEAR, SortedModel
from tellegen.network.system import network_of
from tellegen.sheet import Shown, Table
from tellegen.stages import flatten_model, ode_code, reduce_model

_SHOWN = 12
Section = tuple[str, list[str]]


class Explanation(Shown):
    """Sections of sentences; printed as text, on a terminal with rich headings."""

    def __init__(
        self, name: str, sections: list[Section], graph: SystemGraph, ordered: SortedModel | None = None
    ) -> None:
        self.name = name
        self.sections = sections
        self.graph = graph
        self.ordered = ordered

    def plot(self) -> Any:
        """A matplotlib figure of the system graph; see SystemGraph.plot."""
        return self.graph.plot()

    def plot_blocks(self) -> Any:
        """A matplotlib figure: which unknown occurs in which equation, as found and in order of evaluation."""
        if self.ordered is None:
            what = f"{self.name} cannot be sorted for explicit evaluation, so there are no blocks to draw"
            raise StructureError("E296", what, advice="print the explanation, which gives the reason")
        return plot_blocks(self.ordered)

    def _title(self) -> str:
        return f"Explanation of {self.name}"

    def _page(self) -> list[Table | str]:
        return ["\n".join(["", title, *(f"  {line}" for line in lines)]) for title, lines in self.sections]

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        parts = [Text(self.name, style="bold")]
        for title, lines in self.sections:
            parts += [Text(""), Text(title, style="bold cyan"), *(Text(f"  {line}") for line in lines)]
        return Group(*parts)


@users_call
def explain(model: object) -> Explanation:
    """Explain a component (or flat model) in words; a model that cannot be solved is explained as far as it goes."""
    flat = flatten_model(model)
    graph = SystemGraph(network_of(flat))
    sections: list[Section] = [("domains", list(_domains(graph))), ("tree", list(_tree(graph)))]
    try:
        reduced = reduce_model(flat)
    except StructureError as error:
        sections.append(("why it cannot be solved", [error.message, *error.details, f"try: {error.advice}"]))
        return Explanation(flat.name, sections, graph)
    ordered = ode_code(reduced).sorted
    sections.append(("states", list(_states(graph, reduced))))
    if len(reduced.derivatives.base):
        sections.append(("index reduction", list(_index(graph, reduced))))
    sections.append(("order of evaluation", list(_order(ordered))))
    return Explanation(flat.name, sections, graph, ordered)


def _some(names: list[str], most: int = _SHOWN) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _domains(graph: SystemGraph) -> Iterator[str]:
    network = graph.network
    if not len(graph.domains):
        yield "no physical connections: signals only"
    for number, name in enumerate(graph.domains):
        vertices = int((network.vertex_domain == number).sum())
        edges = np.flatnonzero(network.domain == number)
        reference = "" if network.references[number] >= 0 else ", without a reference: only differences are determined"
        yield f"{name}: {len(edges)} edges between {vertices} vertices{reference}"
    bridges = [part for part in network.parts if len({edge.domain for edge in part.edges}) > 1]
    for part in bridges:
        paths = network.flat.tree.paths(part.node)
        domains = dict.fromkeys(graph.domains[network.domains.index(edge.domain)] for edge in part.edges)
        yield f"{_some(paths)} ({network.flat.tree.nodes[part.node].kind.name}) couples {_listed(list(domains))}"
    if signals := [edge for edge in graph.edges[:1000] if edge.signals or edge.measured]:
        driven = [f"{edge.label} by {', '.join(edge.signals)}" for edge in signals if edge.signals]
        read = [f"{', '.join(edge.measured)} from {edge.label}" for edge in signals if edge.measured]
        if driven:
            yield f"driven by signals: {_some(driven)}"
        if read:
            yield f"measured: {_some(read)}"


def _tree(graph: SystemGraph) -> Iterator[str]:
    tree = graph.normal_tree()
    labels = graph.labels
    yield f"{len(tree.branches)} branches, whose across variables are free: {_some([labels[k] for k in tree.branches])}"
    yield f"{len(tree.chords)} chords, whose through variables are free: {_some([labels[k] for k in tree.chords])}"
    yield from conflict_texts(graph)


def _states(graph: SystemGraph, model: ReducedModel) -> Iterator[str]:
    tree = graph.normal_tree()
    chosen = [variable_text(model, int(model.unknowns[k])) for k in np.flatnonzero(model.is_state)]
    yield f"{len(chosen)}: {_some(chosen)}" if chosen else "none: everything is a function of time"
    if tree.states:
        yield f"the tree names {tree.state_count}: {_some(tree.states)}" + (
            f", and {tree.internal_states} inside components" if tree.internal_states else ""
        )
    yield from (str(lost) for lost in tree.lost[:_SHOWN])


def _index(graph: SystemGraph, model: ReducedModel) -> Iterator[str]:
    base = np.unique(model.derivatives.base)
    yield f"derivatives became unknowns for {_some([model.flat.variables.name(int(k)) for k in base])}"
    if lost := graph.normal_tree().lost:
        yield f"because of the loops and cut-sets through {_some([each.element for each in lost])}"
    else:
        yield "because constraints couple differentiated variables"


def _order(model: SortedModel) -> Iterator[str]:
    blocks = model.blocks
    explicit = int((blocks.kind == EXPLICIT).sum())
    yield f"{len(blocks.level)} blocks in {int(blocks.level.max(initial=-1)) + 1} levels, {explicit} of them explicit"
    for block in np.flatnonzero(blocks.kind != EXPLICIT).tolist()[:_SHOWN]:
        rows = np.flatnonzero(blocks.block == block)
        word = "linear" if blocks.kind[block] == LINEAR else "nonlinear"
        tears = [variable_text(model, int(model.unknowns[blocks.assigned[r]])) for r in rows if blocks.inner[r] < 0]
        yield f"an algebraic loop of {len(rows)} equations ({word}) through {_some(_components(model, rows))}"
        yield f"    solved for {_some(tears)}; for example {equation_text(model, int(rows[0]))}"


def _components(model: ReducedModel, rows: Any) -> list[str]:
    found: dict[str, None] = {}
    for row in rows.tolist():
        if component := component_of(model, row):
            found.setdefault(component)
    return list(found)
